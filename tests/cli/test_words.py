"""Tables with words and dates beside numbers, from the file to kernels and predictions."""

import random

import numpy as np
import pytest
from conftest import expect, read_tsv
from xlsx_files import date, write_xlsx

SEX, STAGE = ["male", "female"], ["I", "II", "III"]
HEADER = ["patient", "age", "sex", "stage", "name", "visit", "site"]


def clinical(n=40, seed=1):
    """Rows of a clinical table, as texts."""
    draw = random.Random(seed)
    return [
        [
            f"P{i:02d}",
            str(draw.randint(30, 80)),
            draw.choice(SEX),
            draw.choice([*STAGE, "NA"]),
            f"name {i}",
            f"{draw.randint(1, 28)}.{draw.randint(1, 12)}.2021",
            str(draw.randint(1, 4)),
        ]
        for i in range(n)
    ]


def write(path, rows, header=HEADER, separator=","):
    path.write_text("\n".join(separator.join(row) for row in [header, *rows]) + "\n")


@pytest.fixture
def tables(tmp_path):
    """clin.csv of 40 samples, rna.csv of the first 30."""
    rows = clinical()
    write(tmp_path / "clin.csv", rows)
    values = np.random.default_rng(1).normal(size=(30, 6)).round(3).astype(str)
    write(tmp_path / "rna.csv", [[row[0], *own] for row, own in zip(rows, values)], ["patient", *"abcdef"])
    return rows


def columns_of(path):
    header, *rows = read_tsv(path)
    return dict(zip(header, zip(*rows)))


def test_words_come_back_from_convert(mkc, tables, tmp_path):
    result = mkc("convert", "clin.csv,categories=site", "-o", "out.tsv")
    assert result.code == 0, result.err
    assert "3 of 6 columns hold words and are used as categories: sex (2 words), stage (3), site (4)" in result.err
    assert "1 of 6 columns holds dates" in result.err and "name ('name 0')" in result.err
    found = columns_of(tmp_path / "out.tsv")
    assert list(found) == ["sample", "age", "sex", "stage", "visit", "site"]
    for name in ("age", "sex", "stage", "site"):
        assert list(found[name]) == [row[HEADER.index(name)] for row in tables]
    days = [
        (np.datetime64("-".join(f"{int(part):02d}" for part in reversed(row[5].split(".")))) - np.datetime64(0, "D"))
        for row in tables
    ]
    assert [int(day) for day in found["visit"]] == [day.astype(int) for day in days]
    assert mkc("convert", "out.tsv,categories=site", "-o", "again.tsv").code == 0
    assert (tmp_path / "again.tsv").read_bytes() == (tmp_path / "out.tsv").read_bytes()
    expect(mkc("convert", "clin.csv", "-o", "out.npz"), 2, "holds words", "'sex'", ".tsv")


def test_a_mixed_kernel_follows_its_definition(mkc, tmp_path):
    """Of words alone: the share of columns with the same word."""
    rows = [[f"P{i}", SEX[i % 2], STAGE[i % 3]] for i in range(12)]
    write(tmp_path / "clin.csv", rows, ["patient", "sex", "stage"])
    assert mkc("kernel", "clin.csv", "-o", "k.npz").code == 0
    words = np.array([row[1:] for row in rows])
    expected = (words[:, None] == words[None]).mean(axis=2)
    found = np.load(tmp_path / "k.npz")
    np.testing.assert_allclose(found[found.files[0]], expected, atol=1e-12)


def test_the_order_of_words_in_the_file_does_not_matter(mkc, tables, tmp_path):
    """Codes of words are never used as numbers."""
    renamed = {"male": "zz", "female": "aa", "I": "c", "II": "b", "III": "a"}
    write(tmp_path / "renamed.csv", [[renamed.get(cell, cell) for cell in row] for row in tables])
    kernels = []
    for name in ("clin", "renamed"):
        result = mkc("kernel", f"{name}.csv,na_features=mean", "-o", f"{name}.npz")
        assert result.code == 0, result.err
        kernels.append(np.load(tmp_path / f"{name}.npz")[name])
    np.testing.assert_allclose(*kernels, atol=1e-12)


def test_new_samples_have_the_words_of_training(mkc, tables, tmp_path):
    write(tmp_path / "train.csv", tables[:30])
    spec = "clin=train.csv,na_features=mean,categories=site"
    result = mkc("complete", spec, "rna.csv", "-m", "mean", "-o", "out", "--save-model", "model.npz")
    assert result.code == 0, result.err
    result = mkc("predict", "model.npz", "--view", "clin=train.csv", "-o", "same")
    assert result.code == 0 and "no training sample has" not in result.err, result.err
    trained, same = np.load(tmp_path / "out/kernels.npz"), np.load(tmp_path / "same/kernels.npz")
    np.testing.assert_allclose(same["clin"], trained["clin"], atol=1e-9)
    write(tmp_path / "one.csv", [["X", "50", "unknown", "II", "somebody", "1.2.2021", "3"]])
    result = mkc("predict", "model.npz", "--view", "clin=one.csv", "-o", "one")
    assert result.code == 0, result.err
    assert "1 sample has a word in column 'sex' that no training sample has, such as 'unknown'" in result.err


def test_clusters_and_drivers_of_words(mkc, tables, tmp_path):
    result = mkc("complete", "clin.csv,na_features=mean", "rna.csv", "-m", "mean", "-o", "out")
    assert result.code == 0, result.err
    result = mkc("drivers", "out", "clin.csv", "-o", "drivers.tsv")
    assert result.code == 0, result.err
    text = (tmp_path / "drivers.tsv").read_text()
    assert "sex=male" in text and "stage=II" in text and "age" in text


def test_several_rows_of_a_sample(mkc, tmp_path):
    rows = [["P1", "1", "m"], ["P1", "2", "f"], ["P1", "6", "f"], ["P2", "1", "m"], ["P2", "3", "f"], ["P3", "5", "m"]]
    write(tmp_path / "t.csv", rows, ["sample", "x", "sex"])
    result = mkc("convert", "t.csv,replicates=mean", "-o", "out.tsv")
    assert result.code == 0 and "of words the most frequent one" in result.err, result.err
    found = columns_of(tmp_path / "out.tsv")
    assert found["x"] == ("3", "2", "5") and found["sex"] == ("f", "m", "m")


def test_a_table_with_samples_in_columns(mkc, tables, tmp_path):
    rows = [[name, *cells] for name, *cells in zip(HEADER, *tables)]
    write(tmp_path / "turned.csv", rows[1:], ["feature", *rows[0][1:]])
    result = mkc("convert", "turned.csv", "-o", "turned.tsv")
    assert result.code == 0, result.err
    assert "samples are in columns" in result.err and "2 of 6 rows hold words" in result.err
    assert mkc("convert", "clin.csv", "-o", "clin.tsv").code == 0
    names = ["age", "sex", "stage", "visit", "site"]
    found, expected = columns_of(tmp_path / "turned.tsv"), columns_of(tmp_path / "clin.tsv")
    assert {name: found[name] for name in names} == {name: expected[name] for name in names}


def test_a_few_words_among_numbers(mkc, tables, tmp_path):
    rows = [list(row) for row in tables]
    rows[3][1], rows[5][1], rows[6][1] = "n.d.", "<30", "n.d."
    write(tmp_path / "clin.csv", rows)
    words = ("clin.csv, line 5", "column 'age'", "'n.d.' is not a number", "3 of the 40 values", "'n.d.', '<30'")
    for command in (["complete", "rna.csv", "-o", "o"], ["inspect", "rna.csv"], ["kernel", "-o", "k.npz"]):
        expect(mkc(*command, "clin.csv"), 3, *words, "--na-values")
    assert mkc("convert", "clin.csv", "--na-values", "n.d.,<30", "-o", "o.tsv").code == 0


def test_days_and_months(mkc, tables, tmp_path):
    rows = [[row[0], f"{i % 9 + 1}/{i % 7 + 1}/2021", row[1]] for i, row in enumerate(tables)]
    write(tmp_path / "d.csv", rows, ["patient", "visit", "age"])
    expect(mkc("convert", "d.csv", "-o", "d.tsv"), 3, "'1/1/2021' may begin with the day", "dates=dmy or mdy decides")
    found = []
    for order in ("dmy", "mdy"):
        assert mkc("convert", f"d.csv,dates={order}", "-o", f"{order}.tsv").code == 0
        found.append([int(day) for day in columns_of(tmp_path / f"{order}.tsv")["visit"]])
    assert found[0][1] == 18660 and found[1][1] == 18660 - 31 + 1 + 30  # 2/2/2021 both ways
    assert found[0] != found[1]


def test_workbooks(mkc, tmp_path):
    rows = [["patient", "age", "sex", "visit", "smoker"]]
    rows += [[f"P{i}", 40 + i, SEX[i % 2], date(44260 + i), i % 3 == 0] for i in range(10)]
    write_xlsx(tmp_path / "clin.xlsx", {"clin": rows})
    result = mkc("convert", "clin.xlsx", "-o", "out.tsv")
    assert result.code == 0, result.err
    found = columns_of(tmp_path / "out.tsv")
    assert list(found["sex"]) == [SEX[i % 2] for i in range(10)]
    assert [int(day) for day in found["visit"]] == [18691 + i for i in range(10)]  # 2021-03-05
    assert [int(yes) for yes in found["smoker"]] == [int(i % 3 == 0) for i in range(10)]


def test_inspect_says_what_it_found(mkc, tables):
    result = mkc("inspect", "clin.csv,na_features=mean", "rna.csv")
    assert result.code == 0, result.err
    assert "2 of 6 columns hold words and are used as categories: sex (2 words), stage (3)" in result.err


def test_kernels_hold_no_words(mkc, tmp_path):
    write(tmp_path / "k.csv", [["A", "1", "x", "0"], ["B", "x", "1", "0"], ["C", "0", "0", "1"]], ["id", *"ABC"])
    for options in ("", ",kind=kernel"):
        expect(mkc("convert", f"k.csv{options}", "-o", "o.tsv"), 3, "line 2", "'x' is not a number")
