"""mkc_mqc.json, which MultiQC finds in result folders."""

import json
import shutil
import subprocess

import pytest
from conftest import read_tsv


def section(folder):
    return json.loads((folder / "mkc_mqc.json").read_text())


def test_rows_are_the_figures_of_the_views(mkc, views, tmp_path):
    result = mkc("complete", *views, "-m", "transfer", "--quality", "-o", "study")
    assert result.code == 0, result.err
    found, meta = section(tmp_path / "study"), json.loads((tmp_path / "study/meta_info.json").read_text())
    observed = read_tsv(tmp_path / "study/observed.tsv")
    assert list(found["data"]) == [f"study: {name}" for name in observed[0][1:]]
    for m, (row, name) in enumerate(zip(found["data"].values(), observed[0][1:]), 1):
        marks = [int(line[m]) for line in observed[1:]]
        assert row["observed"] == sum(marks) and row["completed"] == len(marks) - sum(marks)
        quality = meta["quality"]["views"][name]
        assert row["error"] == pytest.approx(100 * quality["held_out_error"], rel=1e-12)
        assert row["average_row"] == pytest.approx(100 * quality["average_row_error"], rel=1e-12)
        assert row["recovered"] == pytest.approx(100 * quality["recovered"], rel=1e-12)
        assert row["verdict"] == quality["verdict"]
        assert set(row) == set(found["headers"])
    assert found["plot_type"] == "table" and found["id"] == "mkc"


def test_without_estimates_there_are_counts_only(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "mean", "-o", "out").code == 0
    found = section(tmp_path / "out")
    assert set(found["headers"]) == {"observed", "completed"} == set(found["data"]["out: a"])


def test_names_are_no_html(mkc, views, tmp_path):
    named = [f"<b>&{i}={path}" for i, path in enumerate(views)]
    assert mkc("complete", *named, "-m", "mean", "-o", "out").code == 0
    assert list(section(tmp_path / "out")["data"]) == [f"out: _b__{i}" for i in range(3)]


@pytest.mark.skipif(shutil.which("multiqc") is None, reason="MultiQC is not installed")
def test_multiqc_shows_the_views_of_all_results(mkc, views, tmp_path):
    for name in ("one", "two"):
        assert mkc("complete", *views, "-m", "mean", "-o", name).code == 0
    subprocess.run(["multiqc", "-q", "."], cwd=tmp_path, check=True, capture_output=True)
    rows = read_tsv(tmp_path / "multiqc_data/multiqc_mkc_views.txt")
    assert [row[0] for row in rows[1:]] == [f"{name}: {view}" for name in ("one", "two") for view in "abc"]
