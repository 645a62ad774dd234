"""Which side the samples are on and which id is which sample: tables as TCGA, R, pandas, 10x and MATLAB write them."""

import csv
import json
import re
import shlex

import numpy as np
import pytest
from conftest import expect, read_tsv, write_kernel, write_table

GENES = [
    "TP53",
    "EGFR",
    "KRAS",
    "BRCA1",
    "PTEN",
    "MYC",
    "CDK4",
    "RB1",
    "NRAS",
    "BRAF",
    "IDH1",
    "ATRX",
    "ALK",
    "ROS1",
    "MET",
    "ERBB2",
    "AKT1",
    "MTOR",
    "JAK2",
    "STAT3",
]
FACTORS = np.random.default_rng(1).normal(size=(60, 4))


def patient(i):
    return f"TCGA-{('OR', 'PK')[i % 2]}-A{i:03d}"


def values_of(rows, columns, seed):
    random = np.random.default_rng(seed)
    return FACTORS[rows] @ random.normal(size=(4, columns)) + 0.3 * random.normal(size=(len(rows), columns))


def write_genes(path, ids, values, corner=""):
    """Genes in rows, samples in columns, as TCGA and R write tables."""
    lines = [",".join([corner, *ids])]
    lines += [",".join([gene, *(repr(float(v)) for v in row)]) for gene, row in zip(GENES, values.T)]
    path.write_text("\n".join(lines) + "\n")


@pytest.fixture
def study(tmp_path):
    """Three assays of different patients whose barcodes have three lengths; gene names agree across the files."""
    rows = {"rna": range(30), "protein": range(6, 38), "mutations": range(3, 33, 2)}
    names = {
        "rna": lambda i: patient(i) + "-01A-11R-A29S-07",
        "protein": lambda i: (patient(i) + "-01").replace("-", "."),
        "mutations": patient,
    }
    for k, (name, some) in enumerate(rows.items()):
        corner = "gene" if name == "protein" else ""
        write_genes(tmp_path / f"{name}.csv", [names[name](i) for i in some], values_of(list(some), 20, k), corner)
    return {name: {patient(i) for i in some} for name, some in rows.items()}


def observed(folder):
    header, *lines = read_tsv(folder / "observed.tsv")
    return {view: {line[0] for line in lines if line[m] == "1"} for m, view in enumerate(header) if m > 0}


FILES = ["rna.csv", "protein.csv", "mutations.csv"]


def test_genes_in_rows_become_kernels_of_patients_in_the_proposed_command(mkc, study, tmp_path):
    asked = mkc("inspect", *FILES)
    assert asked.code == 3
    for name, example in (("rna", patient(0) + "-01A-11R-A29S-07"), ("mutations", patient(3))):
        assert re.search(rf"samples of {name} are in columns: '{example}', '.*', '.*'", asked.out)
    everyone = [name for view in study.values() for name in view]
    matched = sum(everyone.count(name) > 1 for name in everyone)
    assert f"TCGA barcodes agree in their first 12 characters: {matched} of 77" in asked.out
    proposed = shlex.split(re.search(r"proposed:\n +mkc (.*)", asked.out)[1])
    assert proposed[-4:] == ["--ids", "tcga-patient", "-o", "result"]
    expect(mkc("complete", *FILES, "-o", "refused"), 3, "--ids tcga-patient matches them so")
    assert mkc(*proposed, "-m", "wknn").code == 0
    assert observed(tmp_path / "result") == study
    meta = json.loads((tmp_path / "result" / "meta_info.json").read_text())
    assert meta["ids"] == "tcga-patient" and meta["views"][0]["samples_in"] == "columns"


@pytest.mark.parametrize("command", [["kernel", "-o", "k.npz"], ["convert", "-o", "v.npz"], ["evaluate", "-m", "mean"]])
def test_every_command_names_the_side_and_three_ids(mkc, study, command):
    name, *more = command
    more += ["--repeats", "1", "-o", "trial"] if name == "evaluate" else []
    run = mkc(name, *FILES, "--ids", "tcga-patient", *more)
    assert run.code == 0, run.err
    ids = ", ".join(f"'{patient(i)}-01A-11R-A29S-07'" for i in range(3))
    assert f"samples of rna are in columns: {ids}" in run.out


@pytest.mark.parametrize("rule", ["loose", "regex:^(TCGA.(?:OR|PK).A[0-9]{3})"])
def test_other_rules_find_the_same_patients(mkc, study, tmp_path, rule):
    for name in FILES:  # a pattern keeps the spelling of the file
        text = (tmp_path / name).read_text()
        (tmp_path / name).write_text(re.sub(r"TCGA\.(..)\.(A\d+)\.01", r"TCGA-\1-\2-01", text))
    assert mkc("complete", *FILES, "--ids", rule, "-m", "wknn", "-o", "out").code == 0
    assert observed(tmp_path / "out") == study


@pytest.fixture
def both_types(tmp_path):
    """Tumour of 30 patients, normal tissue of the first four; protein of tumours."""
    rows = list(range(30))
    names = [patient(i) + "-01A-11R-A29S-07" for i in rows] + [patient(i) + "-11A-11R-A29S-07" for i in range(4)]
    write_genes(tmp_path / "rna.csv", names, values_of(rows + rows[:4], 20, 1))
    write_genes(tmp_path / "protein.csv", [patient(i) + "-01A-21-A39K-20" for i in rows], values_of(rows, 20, 2))
    return {patient(i) for i in rows}


@pytest.mark.parametrize("rule", ["tcga-patient", "prefix:12", "regex:^(.{12})"])
@pytest.mark.parametrize("replicates", ["error", "first", "mean", "broad"])
def test_tumour_and_normal_tissue_never_fall_together(mkc, both_types, rule, replicates):
    run = mkc("complete", "rna.csv", "protein.csv", "--ids", rule, "--replicates", replicates, "-o", "out")
    expect(run, 3, "of type 11 (normal tissue)", "3 more samples so: different sample types are not one sample")
    assert "--ids tcga-patient:01 keeps only this type" in run.err


def test_sample_types_are_kept_apart_or_chosen(mkc, both_types, tmp_path):
    assert "--ids tcga-sample" in mkc("inspect", "rna.csv", "protein.csv").out
    write = ["complete", "rna.csv", "protein.csv", "-m", "wknn"]
    assert mkc(*write, "--ids", "tcga-sample", "-o", "apart").code == 0
    assert len(observed(tmp_path / "apart")["rna"]) == 34
    chosen = mkc(*write, "--ids", "tcga-patient:01", "-o", "chosen")
    assert chosen.code == 0 and "left out: 4 of type 11" in chosen.err
    assert observed(tmp_path / "chosen") == {"rna": both_types, "protein": both_types}
    asked = mkc(*write, "--ids", "tcga-patient:01+11", "--replicates", "mean", "-o", "asked")
    assert asked.code == 0 and "4 samples have several columns" in asked.err


def test_a_sample_map_does_not_hide_sample_types(mkc, both_types, tmp_path):
    lines = ["assay,primary,colname"]
    for view in ("rna", "protein"):
        header = (tmp_path / f"{view}.csv").read_text().splitlines()[0].split(",")[1:]
        lines += [f"{view},{name[:12]},{name}" for name in header]
    (tmp_path / "map.csv").write_text("\n".join(lines) + "\n")
    write = ["complete", "rna.csv", "protein.csv", "--sample-map", "map.csv", "-m", "wknn", "--replicates", "mean"]
    expect(mkc(*write, "-o", "out"), 3, "different sample types are not one sample")
    assert mkc(*write, "--ids", "tcga-patient:01", "-o", "out").code == 0
    assert observed(tmp_path / "out") == {"rna": both_types, "protein": both_types}


def test_aliquots_follow_the_rule_that_was_asked_for(mkc, both_types, tmp_path):
    rows = list(range(30))
    names = [patient(i) + "-01A-11R-A29S-07" for i in rows] + [patient(i) + "-01A-11R-A30X-07" for i in range(5)]
    values = values_of(rows + rows[:5], 20, 1)
    write_genes(tmp_path / "rna.csv", names, values)
    assert "--ids tcga-patient --replicates broad" in mkc("inspect", "rna.csv", "protein.csv").out
    write = ["convert", "rna.csv", "--ids", "tcga-patient", "-o"]
    expect(mkc(*write, "no.csv"), 3, "has 2 columns", "--replicates broad chooses by analyte, portion and plate")
    for rule, expected in (("first", values[0]), ("broad", values[30]), ("mean", (values[0] + values[30]) / 2)):
        assert mkc(*write, f"{rule}.csv", "--replicates", rule).code == 0
        with open(tmp_path / f"{rule}.csv", newline="") as file:
            first = list(csv.reader(file))[1]
        assert first[0] == patient(0)
        np.testing.assert_allclose([float(cell) for cell in first[1:]], expected, rtol=1e-12)


def test_cell_barcodes_and_names_of_assays(mkc, tmp_path):
    random = np.random.default_rng(3)
    cells = ["".join(random.choice(list("ACGT"), 16)) for _ in range(40)]
    cases = {
        "tenx": (lambda i: cells[i] + "-1", lambda i: cells[i] + "-2", lambda i: cells[i]),
        "named": (lambda i: f"S{i}_rna", lambda i: f"S{i}_prot", lambda i: f"S{i}"),
    }
    for case, (first, second, plain) in cases.items():
        a, b = list(range(32)), list(range(8, 40))
        write_table(tmp_path / "a.csv", [first(i) for i in a], GENES, values_of(a, 20, 1))
        write_table(tmp_path / "b.csv", [second(i) for i in b], GENES, values_of(b, 20, 2))
        asked = mkc("inspect", "a.csv", "b.csv")
        assert asked.code == 3 and "48 of 64" in asked.out and "--ids loose -o result" in asked.out
        assert mkc("complete", "a.csv", "b.csv", "--ids", "loose", "-m", "wknn", "-o", case).code == 0
        assert observed(tmp_path / case) == {"a": {plain(i) for i in a}, "b": {plain(i) for i in b}}


def write_rows(path, corner, ids, names, values):
    lines = [",".join([corner, *names])]
    lines += [",".join([name, *map(repr, map(float, row))]) for name, row in zip(ids, values)]
    path.write_text("\n".join(lines) + "\n")


def test_row_numbers_are_not_ids(mkc, tmp_path):
    for name, count, first, corner in (
        ("a", 30, 0, ""),
        ("b", 25, 0, ""),
        ("r", 30, 1, ""),
        ("named", 30, 0, "sample"),
    ):
        rows, numbers = list(range(count)), [str(i + first) for i in range(count)]
        write_rows(tmp_path / f"{name}.csv", corner, numbers, GENES, values_of(rows, 20, count + first))
    for pair in (("a.csv", "b.csv"), ("a.csv", "r.csv")):
        for more in ([], ["--ids", "exact"]):
            expect(mkc("complete", *pair, *more, "-o", "out"), 3, "only row numbers", "which rows belong together?")
        asked = mkc("inspect", *pair)
        assert asked.code == 3 and "samples in common" not in asked.out
    assert mkc("complete", "a.csv", "r.csv", "--match-rows", "-m", "wknn", "-o", "out").code == 0
    expect(mkc("complete", "a.csv", "b.csv", "--match-rows", "-o", "no"), 3, "30 rows", "25")
    assert mkc("complete", "named.csv", "again=named.csv", "-m", "wknn", "-o", "numbers").code == 0


def test_a_header_corner_speaks_for_rows(mkc, tmp_path):
    names = [f"x{i}" for i in range(20)]
    rows = list(range(18))
    for name, seed in (("a", 1), ("b", 2)):
        write_rows(tmp_path / f"{name}.csv", "id", [f"x{i + 100}" for i in rows], names, values_of(rows, 20, seed))
    seen = mkc("inspect", "a.csv", "b.csv")
    assert seen.code == 0 and "samples of a are in rows: 'x100'" in seen.out
    assert "the header begins with 'id'" in seen.out


def test_zero_rows_are_missing_values_or_a_question(mkc, tmp_path):
    ids, rows = [f"E{i:02d}" for i in range(40)], list(range(40))
    features = values_of(rows, 20, 1)
    write_table(tmp_path / "plain.csv", ids, GENES, features)
    gone = features.copy()
    gone[[3, 9]] = 0
    write_table(tmp_path / "gone.csv", ids, GENES, gone)
    kernel = gone @ gone.T
    write_kernel(tmp_path / "kernel.csv", ids, (kernel + kernel.T) / 2)
    random = np.random.default_rng(5)
    write_table(tmp_path / "mutated.csv", ids, GENES, (random.random((40, 20)) < 0.06).astype(float))
    half = np.where(random.random((40, 20)) < 0.7, 0, features)
    half[5] = 0
    write_table(tmp_path / "half.csv", ids, GENES, half)
    write = ["complete", "plain.csv", "-m", "wknn"]
    for name, words in (("gone", "2 of 40 samples are zero in every feature"), ("kernel", "2 of 40 rows and columns")):
        run = mkc(*write, f"{name}.csv", "-o", name)
        assert run.code == 0 and words in run.err and "taken as missing" in run.err
        assert observed(tmp_path / name)[name] == set(ids) - {"E03", "E09"}
    run = mkc(*write, "mutated.csv", "-o", "mutated")
    assert run.code == 0 and "taken as values" in run.err
    expect(
        mkc(*write, "half.csv", "-o", "half"), 3, "missing, or measured?", "--zero-rows missing", "--zero-rows values"
    )
    assert mkc(*write, "half.csv,zero_rows=missing", "-o", "half").code == 0
    expect(mkc(*write, "gone.csv", "--zero-rows", "error", "-o", "no"), 3, "'E03', 'E09'")


def test_one_array_of_the_same_name_in_several_files(mkc, tmp_path):
    for k, name in enumerate(("early", "late")):
        np.savez(tmp_path / f"{name}.npz", K=values_of(list(range(30)), 20, k))
    run = mkc("complete", "early.npz", "late.npz", "--match-rows", "-m", "wknn", "-o", "out")
    assert run.code == 0, run.err
    assert set(observed(tmp_path / "out")) == {"early", "late"}


def test_labels_follow_the_rule(mkc, study, tmp_path):
    """Of a run, of a stored result, of other spelling, of other sample types."""
    samples = sorted(set.union(*study.values()))
    group = {name: "hot" if FACTORS[int(name[-3:]), 0] > 0 else "cold" for name in samples}

    def write_labels(file, name_of, more=()):
        lines = ["id,group", *(f"{name_of(name)},{group[name]}" for name in samples), *more]
        (tmp_path / file).write_text("\n".join(lines) + "\n")

    write_labels("aliquots.csv", lambda name: name + "-01A-11R-A29S-07")
    write_labels("dotted.csv", lambda name: name.lower().replace("-", "."))
    write_labels("types.csv", lambda name: name + "-01", [f"{samples[0]}-11,normal"])
    write_labels("prefixed.csv", lambda name: "X_" + name)
    write = ["complete", *FILES, "--ids", "tcga-patient", "-m", "wknn", "--labels"]
    assert mkc(*write, "aliquots.csv", "-o", "out").code == 0
    for file in ("aliquots.csv", "dotted.csv"):
        assert mkc("report", "out", "--labels", file, "-o", f"{file}.html").code == 0
    expect(mkc("report", "out", "--labels", "types.csv", "-o", "t.html"), 3, "--ids tcga-patient:01 takes the labels")
    kept = mkc("report", "out", "--labels", "types.csv", "--ids", "tcga-patient:01", "-o", "t.html")
    assert kept.code == 0 and "1 of 39 rows are left out" in kept.err
    expect(mkc("report", "out", "--labels", "prefixed.csv", "-o", "p.html"), 3, "--ids loose matches them")
    assert mkc("report", "out", "--labels", "prefixed.csv", "--ids", "loose", "-o", "p.html").code == 0
    weights = ["combine", "out", "--weights", "alignment", "--labels"]
    assert mkc(*weights, "dotted.csv", "-o", "K.csv").code == 0
    assert mkc(*weights, "prefixed.csv", "--ids", "loose", "-o", "K2.csv").code == 0
    assert (tmp_path / "K.csv").read_text() == (tmp_path / "K2.csv").read_text()
    expect(mkc("combine", "out", "--ids", "loose", "-o", "K3.csv"), 2, "--ids without labels")


def test_new_samples_follow_the_rule_of_training(mkc, study, tmp_path):
    assert (
        mkc("complete", *FILES, "--ids", "tcga-patient", "-m", "wknn", "-o", "out", "--save-model", "m.npz").code == 0
    )
    new = list(range(40, 45))
    write_genes(tmp_path / "new.csv", [patient(i) + "-01B-21R" for i in new], values_of(new, 20, 0))
    assert mkc("predict", "m.npz", "--view", "rna=new.csv", "-o", "new").code == 0
    assert [line[0] for line in read_tsv(tmp_path / "new" / "observed.tsv")[1:]] == [patient(i) for i in new]
    write_genes(tmp_path / "again.csv", [patient(i) + "-01B-21R" for i in (0, 40)], values_of([0, 40], 20, 0))
    again = mkc("predict", "m.npz", "--view", "rna=again.csv", "-o", "again")
    assert again.code == 0 and f"1 of 2 new samples has the id of a training sample: '{patient(0)}'" in again.err


def test_another_table_under_the_name_of_a_view_is_noticed(mkc, study, tmp_path):
    assert mkc("complete", *FILES, "--ids", "tcga-patient", "-m", "wknn", "-o", "out").code == 0
    lines = (tmp_path / "protein.csv").read_text().splitlines()
    (tmp_path / "short.csv").write_text("\n".join(lines[:12]) + "\n")
    run = mkc("drivers", "out", "rna=short.csv", "-o", "drivers.tsv")
    assert run.code == 0 and "has 11 features; the view had 20 when it was completed" in run.err


def test_miniacc_without_its_sample_map(mkc, data, tmp_path):
    """The command that inspect proposes finds the 92 patients of the map, in the same views."""
    folder = data / "miniacc"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    with open(folder / "mask.csv", newline="") as file:
        (_, *names), *lines = csv.reader(file)
    asked = mkc("inspect", *(folder / f"{name}.csv" for name in names))
    assert asked.code == 3 and "385 of 385" in asked.out
    proposed = shlex.split(re.search(r"proposed:\n +mkc (.*)", asked.out)[1])
    assert mkc(*proposed, "-m", "wknn").code == 0
    found = observed(tmp_path / "result")
    assert found == {name: {line[0] for line in lines if line[m + 1] == "1"} for m, name in enumerate(names)}
    assert len(set.union(*found.values())) == 92
