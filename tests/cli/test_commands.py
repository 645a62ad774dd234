"""Help texts, small commands and the demo."""

import json
import re

import numpy as np
import pytest

COMMANDS = [
    "inspect",
    "complete",
    "predict",
    "evaluate",
    "combine",
    "report",
    "kernel",
    "convert",
    "experiment",
    "demo",
    "methods",
    "completion",
    "man",
    "version",
]


@pytest.mark.parametrize("command", COMMANDS)
def test_help_shows_an_example_first(mkc, command):
    result = mkc(command, "--help")
    assert result.code == 0 and result.err == ""
    example = result.out.index(f"  mkc {command}")
    assert example < result.out.index("Usage:")


def test_help_lists_the_commands(mkc):
    result = mkc("--help")
    assert result.code == 0
    assert all(command in result.out for command in COMMANDS)
    assert mkc().code == 2


def test_version(mkc):
    built_on = mkc("version", "--json").json
    number = built_on["mkc"]
    assert re.fullmatch(r"OpenBLAS [\d.]+ \w+, \w+|not OpenBLAS", built_on["blas"])
    assert re.fullmatch(r"\d+\.\d+\.\d+", number)
    assert mkc("--version").out == f"mkc {number}\n"


def test_a_slow_core_of_blas_is_a_note(mkc, tmp_path, monkeypatch):
    with open("/proc/cpuinfo") as file:
        text = file.read()
    if mkc("version", "--json").json["blas"] == "not OpenBLAS" or " avx2 " not in text or " fma " not in text:
        pytest.skip("needs OpenBLAS and a processor with AVX2")
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Haswell")
    assert "note" not in mkc("version").out
    monkeypatch.setenv("OPENBLAS_CORETYPE", "Prescott")  # the user's choice is kept
    found = mkc("version", "--json").json
    assert " Prescott, " in found["blas"]
    assert "BLAS is slow" in found["note"] and "Unset OPENBLAS_CORETYPE, or set" in found["note"]
    assert f"\nnote: {found['note']}\n" in mkc("version").out
    run = mkc("demo", "-m", "knn", "-o", tmp_path / "out")
    assert "BLAS is slow" not in run.out + run.err
    assert "note: " + found["note"] in (tmp_path / "out/mkc.log").read_text()


def test_methods_are_described(mkc):
    text = mkc("methods").out
    listed = mkc("methods", "--json").json
    assert {"mean", "knn", "wknn", "auto"} <= {m["name"] for m in listed}
    for method in listed:
        assert method["name"] in text and method["cost"] and method["memory"] and method["summary"]
    assert mkc("methods", "knn").out.startswith("knn\n")


def test_kernel_writes_what_complete_reads(mkc, views, tmp_path):
    assert mkc("kernel", *views, "-o", "k.npz").code == 0
    arrays = np.load(tmp_path / "k.npz")
    assert np.isnan(arrays["a"][18]).all() and not np.isnan(arrays["a"][:16, :16]).any()
    assert mkc("complete", "k.npz", "-o", "from_kernels").code == 0
    assert mkc("complete", *views, "-o", "from_features").code == 0
    one, two = (np.load(tmp_path / f / "kernels.npz") for f in ("from_kernels", "from_features"))
    assert all(np.array_equal(one[name], two[name]) for name in "abc")
    again = mkc("kernel", *views, "-o", "k.npz")
    assert again.code == 2 and "exists" in again.err
    assert mkc("kernel", *views, "-o", "k.npz", "--force").code == 0


def test_a_manifest_is_replaced_by_its_views(mkc, views, tmp_path):
    (tmp_path / "views.toml").write_text("".join(f'[[view]]\nfile = "{v}"\n' for v in views))
    result = mkc("complete", "views.toml", "-o", "from_manifest", "--json")
    assert result.code == 0, result.err
    assert [i["path"] for i in result.json["inputs"]] == [*views, "views.toml"]
    assert mkc("complete", *views, "-o", "from_files").code == 0
    one, two = ((tmp_path / f / "kernels.npz").read_bytes() for f in ("from_manifest", "from_files"))
    assert one == two
    (tmp_path / "views.toml").write_text("[[view]]\nfile = 3,\n")
    assert mkc("complete", "views.toml", "-o", "bad").code == 3


def test_demo_beats_the_mean_and_can_be_repeated(mkc, tmp_path):
    result = mkc("demo", "--json")
    assert result.code == 0
    views = result.json["views"]
    assert [v["view"] for v in views] == ["expression", "methylation", "protein", "mutations"]
    assert len({v["kernel"].split(",")[0] for v in views}) == 4
    assert all(v["missing"] > 0 and v["are"] < v["are_mean_of_others"] for v in views)
    meta = json.loads((tmp_path / "mkc_demo" / "meta_info.json").read_text())
    assert meta["seed"] == 1
    # The command the demo prints gives the same kernels.
    command = re.search(r"^  mkc (complete .*)$", mkc("demo", "-m", "knn", "-o", "again").err, re.M).group(1)
    assert mkc(*command.split()).code == 0
    one, two = (np.load(tmp_path / f / "kernels.npz") for f in ("again", "result"))
    assert all(np.array_equal(one[name], two[name]) for name in one.files)


def test_demo_table(mkc):
    lines = mkc("demo", "-m", "knn").out.splitlines()
    assert lines[0].split("  ")[-3:] == ["error %", "mean of other views %", "seconds"]
    assert len(lines) == 6


def test_demo_writes_the_files_of_a_cohort(mkc, tmp_path):
    run = mkc("demo", "--cohort", "-o", "cohort")
    assert run.code == 0 and "mkc inspect cohort/rna.csv" in run.err
    clinical = (tmp_path / "cohort/clinical.csv").read_text().splitlines()
    assert clinical[0] == "patient,subtype,days,died" and len(clinical) == 151
    barcodes = [
        (tmp_path / f"cohort/{name}.csv").read_text().splitlines()[0].split(",")[1]
        for name in ("rna", "methylation", "protein")
    ]
    assert [len(barcode) for barcode in barcodes] == [28, 16, 19]
    assert mkc("demo", "--cohort", "-o", "cohort").code == 2  # it exists
    assert mkc("demo", "--cohort", "-o", "cohort", "--force", "--seed", "2").code == 0
    refused = mkc("demo", "--cohort", "-m", "knn", "-o", "other")
    assert refused.code == 2 and "--cohort completes nothing" in refused.err
