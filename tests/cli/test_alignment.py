"""Alignment of views: samples in rows or columns, other ids, replicates, selection of samples."""

import csv
import subprocess

import numpy as np
import pytest
from conftest import expect, write_table

# As in a MultiAssayExperiment: genes in rows, aliquots in columns, a sample map.
ASSAYS = {"rna": ("01R", "ACDF"), "copies": ("01D", "ABCDEF"), "protein": ("20P", "BCEF")}
GENES = [f"GENE{g}" for g in range(7)]


@pytest.fixture
def assays(tmp_path):
    random = np.random.default_rng(3)
    rows = ['"assay","primary","colname"']
    for name, (suffix, patients) in ASSAYS.items():
        aliquots = [f"PT-{p}-{suffix}" for p in patients]
        write_table(tmp_path / f"{name}.csv", GENES, aliquots, random.normal(size=(len(GENES), len(patients))))
        rows += [f'"{name}","PT-{p}","{a}"' for p, a in zip(patients, aliquots)]
    (tmp_path / "sampleMap.csv").write_text("\n".join(rows) + "\n")
    return [f"{name}.csv" for name in ASSAYS]


def table(path, delimiter="\t"):
    with open(path) as file:
        rows = list(csv.reader(file, delimiter=delimiter))
    return rows[0][1:], {row[0]: row[1:] for row in rows[1:]}


def test_from_assays_and_a_sample_map_to_completed_kernels(mkc, assays, tmp_path):
    result = mkc("complete", *assays, "-m", "wknn", "--sample-map", "sampleMap.csv", "-o", "out", "--json")
    assert result.code == 0, result.err
    assert result.err.count("samples are in columns") == 3
    names, observed = table(tmp_path / "out" / "observed.tsv")
    assert names == list(ASSAYS)
    assert observed == {f"PT-{p}": [str(int(p in ASSAYS[n][1])) for n in ASSAYS] for p in "ABCDEF"}
    meta = result.json
    assert [v["samples_in"] for v in meta["views"]] == ["columns"] * 3
    assert [i["path"] for i in meta["inputs"]] == [*assays, "sampleMap.csv"]
    kernels = np.load(tmp_path / "out" / "kernels.npz")
    assert all(np.isfinite(kernels[name]).all() for name in ASSAYS)


def test_miniacc_in_one_command(mkc, data, tmp_path):
    folder = data / "miniacc"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    names, mask = table(folder / "mask.csv", ",")
    result = mkc(
        "complete",
        *(folder / f"{name}.csv" for name in names),
        "--sample-map",
        folder / "sampleMap.csv",
        "-m",
        "wknn",
        "-o",
        "out",
    )
    assert result.code == 0, result.err
    columns, observed = table(tmp_path / "out" / "observed.tsv")
    assert columns == names and len(observed) == 92 and observed == mask
    kernels = np.load(tmp_path / "out" / "kernels.npz")
    assert all(kernels[name].shape == (92, 92) and np.isfinite(kernels[name]).all() for name in names)


def transpose(path):
    rows = list(csv.reader(path.read_text().splitlines()))
    path.write_text("\n".join(",".join(row) for row in zip(*rows)) + "\n")


def test_samples_in_columns_give_the_same_result(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "wknn", "-o", "rows").code == 0
    transpose(tmp_path / "b.csv")
    result = mkc("complete", *views, "-m", "wknn", "-o", "mixed")
    assert result.code == 0 and "view 'b' (b.csv): samples are in columns" in result.err
    for name in ("a.csv", "c.csv"):
        transpose(tmp_path / name)
    assert mkc("complete", *views, "-m", "wknn", "-o", "columns", "--samples-in", "columns").code == 0
    outcome = [np.load(tmp_path / o / "kernels.npz") for o in ("rows", "mixed", "columns")]
    for name in "abc":
        assert np.array_equal(outcome[0][name], outcome[1][name])
        assert np.array_equal(outcome[0][name], outcome[2][name])


def test_ambiguous_sides_are_refused_with_a_hint(mkc, assays):
    for name in assays[:2]:
        subprocess.run(["cp", "rna.csv", name])
    write = ["complete", "one=rna.csv", "two=rna.csv", "-m", "wknn", "-o", "o"]
    expect(
        mkc(*write),
        3,
        "view 'one' (rna.csv)",
        "or in columns",
        "7 of 7 row names",
        "4 of 4 column names",
        "--samples-in rows or columns",
        "rna.csv,samples_in=columns",
    )
    assert mkc(*write, "--samples-in", "columns").code == 0
    assert mkc("complete", "one=rna.csv,samples_in=columns", "two=rna.csv", "-m", "wknn", "-o", "p").code == 0


def test_assays_without_their_sample_map_are_refused(mkc, assays):
    expect(
        mkc("complete", *assays, "--samples-in", "columns", "-o", "o"),
        3,
        "few sample ids in common (0 of 14 ids",
        "14 of 14",
        "--ids loose",
    )


@pytest.mark.parametrize(
    "change, parts",
    [
        (
            ("rna", "rnaa"),
            ["view 'rna' (rna.csv)", "no assay 'rna' (did you mean 'rnaa'?)", "its assays are rnaa, copies, protein"],
        ),
        (
            ("PT-A-01R", "PT-A-01X"),
            [
                "'PT-A-01X' (did you mean 'PT-A-01R'?)",
                "not in the file",
                "1 id of the file not in the map: 'PT-A-01R'",
                "sampleMap.csv",
            ],
        ),
        (("PT-A-01R", "pt.a.01r"), ["'pt.a.01r'", "not in the file", "--ids loose"]),
        (("-01R", "-09"), ["4 colnames for it, none of which is in the file", "'PT-A-09'", "'PT-A-01R'", "'GENE0'"]),
        (("PT-C-01R", "PT-A-01R"), ["sampleMap.csv, line 3", "'PT-A-01R' of assay 'rna'", "line 2"]),
        (("primary", "patient"), ["sampleMap.csv", "no column 'primary'", "assay, patient, colname"]),
        (('"PT-A"', ""), ["sampleMap.csv, line 2", "'primary' is empty"]),
        (('"rna","PT-A",', '"rna",'), ["sampleMap.csv, line 2", "2 cells instead of 3"]),
    ],
)
def test_errors_in_the_sample_map(mkc, assays, tmp_path, change, parts):
    path = tmp_path / "sampleMap.csv"
    path.write_text(path.read_text().replace(*change))
    expect(mkc("complete", *assays, "--sample-map", path.name, "-o", "o"), 3, *parts)


def test_an_empty_sample_map(mkc, assays, tmp_path):
    (tmp_path / "empty.csv").write_text("")
    expect(mkc("complete", *assays, "--sample-map", "empty.csv", "-o", "o"), 3, "empty.csv", "the file is empty")
    expect(mkc("complete", *assays, "--sample-map", "sampleMaps.csv", "-o", "o"), 3, "did you mean 'sampleMap.csv'?")


def test_unused_assays_and_ids_are_reported(mkc, assays, tmp_path):
    path = tmp_path / "sampleMap.csv"
    path.write_text("".join(line for line in path.open() if "PT-F-01R" not in line))
    result = mkc("complete", *assays[:2], "--sample-map", path.name, "-m", "wknn", "-o", "o")
    assert result.code == 0, result.err
    assert "1 of 4 ids are not in the sample map and left out: 'PT-F-01R'" in result.err
    assert "also has 1 assay that no view is named after: 'protein'" in result.err


def test_ids_that_differ_in_spelling(mkc, views, tmp_path):
    path = tmp_path / "b.csv"
    path.write_text(path.read_text().replace("\ns", "\nS."))
    result = mkc("complete", *views, "-m", "wknn", "-o", "apart")
    assert result.code == 3  # no id of b is in a or c
    for i in (4, 5, 6):  # enough to be completed
        path.write_text(path.read_text().replace(f"S.{i},", f"s{i},"))
    result = mkc("complete", *views, "-m", "wknn", "-o", "apart")
    assert result.code == 0, result.err
    assert "13 ids differ only in spelling" not in result.err  # 's4' and 'S.4' are not equal
    path.write_text(path.read_text().replace("S.", "S"))
    expect(mkc("complete", *views, "-m", "wknn", "-o", "case"), 3, "few sample ids in common", "--ids loose")
    result = mkc("complete", *views, "-m", "wknn", "-o", "case", "--ids", "exact")
    assert result.code == 0 and "--ids loose matches them" in result.err, result.err
    result = mkc("complete", *views, "-m", "wknn", "-o", "one", "--ids", "loose")
    assert result.code == 0 and "13 ids that differ only in spelling are taken" in result.err
    assert "'s7' (a) and 'S7' (b)" in result.err
    assert len(table(tmp_path / "one" / "observed.tsv")[1]) == 20


def test_no_common_sample_except_by_normalized_ids(mkc, views, tmp_path):
    path = tmp_path / "b.csv"
    path.write_text(path.read_text().replace("\ns", "\nS"))
    expect(mkc("complete", "a.csv", "b.csv", "-o", "o"), 3, "few sample ids in common", "--ids loose")
    assert mkc("complete", "a.csv", "b.csv", "-m", "wknn", "-o", "o", "--ids", "loose").code == 0
    # its earlier name, also in configurations of version 0.1
    assert mkc("complete", "a.csv", "b.csv", "-m", "wknn", "-o", "p", "--normalize-ids").code == 0
    (tmp_path / "old.toml").write_text('normalize_ids = true\nmethod = "wknn"\n')
    assert mkc("complete", "a.csv", "b.csv", "--config", "old.toml", "-o", "q").code == 0
    assert (tmp_path / "o" / "observed.tsv").read_text() == (tmp_path / "p" / "observed.tsv").read_text()
    assert (tmp_path / "o" / "observed.tsv").read_text() == (tmp_path / "q" / "observed.tsv").read_text()


def test_replicates(mkc, views, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(path.read_text() + "s3,9,9,9,9,9\n")
    expect(
        mkc("complete", *views, "-m", "wknn", "-o", "o"),
        3,
        "a.csv",
        "sample 's3' has 2 rows",
        "(line 5)",
        "(line 18)",
        "--replicates first",
        "--replicates mean",
    )
    result = mkc("complete", *views, "-m", "wknn", "-o", "mean", "--replicates", "mean")
    assert result.code == 0 and "1 sample has several rows" in result.err
    assert mkc("complete", "a.csv,replicates=first", *views[1:], "-m", "wknn", "-o", "first").code == 0


def test_selection_of_samples(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "wknn", "-o", "all", "--samples", "union").code == 0
    result = mkc("complete", *views, "-m", "wknn", "-o", "some", "--samples", "intersection")
    assert result.code == 0 and "3 views, 8 samples, 8 in all views" in result.out
    assert list(table(tmp_path / "some" / "observed.tsv")[1]) == ["s4", "s5", "s6", "s7", "s12", "s13", "s14", "s15"]
    (tmp_path / "list.txt").write_text("s19\ns4\ns0\ns5\ns6\ns18\ns17\n")
    assert mkc("complete", *views, "-m", "wknn", "-o", "listed", "--samples", "list.txt").code == 0
    assert list(table(tmp_path / "listed" / "observed.tsv")[1])[:3] == ["s19", "s4", "s0"]
    (tmp_path / "list.txt").write_text("s1\ns99\n")
    expect(
        mkc("complete", *views, "-m", "wknn", "-o", "o", "--samples", "list.txt"),
        3,
        "list.txt",
        "1 of 2 samples is in no view: 's99'",
    )
    expect(
        mkc("complete", *views, "-m", "wknn", "-o", "o", "--samples", "unoin"), 2, "'unoin'", "did you mean 'union'?"
    )


def test_the_same_file_twice(mkc, views):
    expect(mkc("complete", "a.csv", "a.csv", "-o", "o"), 3, "two views are named 'a'", "NAME=PATH")


def test_words_for_missing_cells(mkc, views, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(path.read_text() + "s19,-,-,?,-,-\n")
    expect(mkc("complete", *views, "-m", "wknn", "-o", "o"), 3, "a.csv, line 18", "'-' is not a number")
    result = mkc("complete", *views, "-m", "wknn", "-o", "o", "--na-values", "-,?")
    assert result.code == 0 and "1 of 17 samples have no values" in result.err


def test_options_of_one_view_are_checked(mkc, views):
    expect(mkc("complete", "a.csv,samples_in=colums", "b.csv", "-o", "o"), 2, "'colums'", "did you mean 'columns'?")
    expect(mkc("complete", "a.csv,replicate=mean", "b.csv", "-o", "o"), 2, "'replicate'", "did you mean 'replicates'?")
