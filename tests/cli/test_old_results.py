"""Models and result folders that mkc 0.1 wrote can be read, and give the numbers that 0.1 gave.

Only `transfer`, and `auto` with it, compute other numbers since; estimated errors follow the rules of today.
"""

import json
import pathlib
import shutil

import numpy as np
import pytest

OLD = pathlib.Path(__file__).parents[1] / "fixtures/0.1"


@pytest.fixture
def old(tmp_path):
    shutil.copytree(OLD, tmp_path, dirs_exist_ok=True)
    return tmp_path


def table(path):
    return [line.split("\t") for line in path.read_text().splitlines()]


def assert_same_table(found, expected, without=None):
    """Numbers agree up to rounding: another BLAS may compute them. New columns come after the old ones."""
    found, expected = ([row for row in table(path) if row[0] != without] for path in (found, expected))
    found = [row[: len(expected[0])] for row in found]
    assert [len(row) for row in found] == [len(row) for row in expected]
    for one, other in zip(sum(found, []), sum(expected, [])):
        try:
            assert float(one) == pytest.approx(float(other), rel=1e-7, abs=1e-9, nan_ok=True)
        except ValueError:
            assert one == other


def assert_same_arrays(found, expected):
    found, expected = np.load(found), np.load(expected)
    assert found.files == expected.files
    for name in expected.files:
        if expected[name].dtype.kind == "f":
            np.testing.assert_allclose(found[name], expected[name], rtol=1e-7, atol=1e-9)
        else:
            assert np.array_equal(found[name], expected[name])


def test_model_predicts_new_samples(mkc, old):
    done = mkc("predict", "model.npz", "--view", "rna=new_rna.csv", "--view", "protein=new_protein.csv", "-o", "new")
    assert done.code == 0, done.err
    assert_same_arrays(old / "new/kernels.npz", OLD / "prediction/kernels.npz")
    assert_same_table(old / "new/observed.tsv", OLD / "prediction/observed.tsv")
    found, expected = table(old / "new/quality.tsv"), table(OLD / "prediction/quality.tsv")
    assert [row[:3] for row in found] == [row[:3] for row in expected]
    for row in found[1:]:
        assert 0 <= float(row[4]) <= float(row[3]) <= float(row[5])
    assert json.loads((old / "new/meta_info.json").read_text())["model"]["mkc_version"] == "0.1.0"


def test_configuration_repeats_the_result(mkc, old):
    done = mkc("complete", "--config", "result/config.toml", "--report", "none", "-o", "again")
    assert done.code == 0, done.err
    found, expected = np.load(old / "again/kernels.npz"), np.load(OLD / "result/kernels.npz")
    assert found.files == expected.files and np.array_equal(found["samples"], expected["samples"])
    assert_same_table(old / "again/observed.tsv", OLD / "result/observed.tsv")
    header, *rows = table(OLD / "result/observed.tsv")
    for view, name in enumerate(header[1:], 1):
        rows_of_view = np.array([row[view] == "1" for row in rows])
        observed = np.ix_(rows_of_view, rows_of_view)
        np.testing.assert_allclose(found[name][observed], expected[name][observed], rtol=1e-12)
        assert np.isfinite(found[name]).all() and np.allclose(found[name], found[name].T)
    for name in ("quality.tsv", "uncertainty.tsv", "view_relations.tsv"):
        now, then = table(old / "again" / name), table(OLD / "result" / name)
        assert [row[: len(then[0])][0] for row in now] == [row[0] for row in then]


def test_result_is_combined(mkc, old):
    done = mkc("combine", "result", "--weights", "relations", "-o", "again.tsv")
    assert done.code == 0, done.err
    assert_same_table(old / "again.tsv", OLD / "combined.tsv")


@pytest.mark.parametrize("folder", ["result", "evaluation"])
def test_report_is_made(mkc, old, folder):
    done = mkc("report", folder, "-o", "page.html")
    assert done.code == 0, done.err
    page = (old / "page.html").read_text()
    assert "0.1.0" in page and all(name in page for name in ("rna", "protein", "image"))


def test_evaluation_is_continued(mkc, old):
    """The version is part of the key of a trial: all trials run again, in the same folder."""
    files = ("-m", "transfer", "--repeats", 2, "--labels", "labels.tsv", "--report", "none", "-o", "evaluation")
    done = mkc("evaluate", "rna.csv", "protein.csv", "image.csv", *files)
    assert done.code == 0, done.err
    for name in ("hidden.tsv", "scores.tsv", "labels.tsv"):
        assert_same_table(old / "evaluation" / name, OLD / "evaluation" / name, without="transfer")
    found, expected = (
        json.loads((folder / "evaluation/meta_info.json").read_text())["methods"] for folder in (old, OLD)
    )
    assert [one["method"] for one in found] == [one["method"] for one in expected]
    for one, other in zip(found, expected):
        if one["method"] != "transfer":
            assert one["are"] == pytest.approx(other["are"], rel=1e-7)
