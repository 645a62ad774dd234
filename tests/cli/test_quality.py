"""auto, the default method: its tables, its list of candidates, and error estimates for any method."""

import json

import numpy as np
import pytest
from conftest import read_tsv


@pytest.fixture
def views(tmp_path):
    """Three feature tables of one random state; every sample is in at least one."""
    rng = np.random.default_rng(4)
    state = rng.normal(size=(40, 3))
    for k, name in enumerate("abc"):
        table = np.tanh(state @ rng.normal(size=(3, 6))) + 0.1 * rng.normal(size=(40, 6))
        with open(tmp_path / f"{name}.csv", "w") as file:
            file.write("sample," + ",".join(f"f{j}" for j in range(6)) + "\n")
            for i in range(40):
                if i % 4 != k:
                    file.write(f"s{i}," + ",".join(map(str, table[i])) + "\n")
    return ["a.csv", "b.csv", "c.csv"]


def test_every_completed_row_has_an_error_and_an_interval(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "-m", "auto,candidates=wknn+mean", "--json")
    assert result.code == 0, result.err
    rows = read_tsv(tmp_path / "out" / "quality.tsv")
    assert rows[0][:6] == ["sample", "view", "observed_views", "relative_error", "low", "high"]
    assert rows[0][6:] == ["interval", "view_error", "average_row_error", "recovered", "verdict"]
    assert len(rows) == 1 + 30
    quality = result.json["quality"]
    for sample, view, observed, error, low, high, interval, *of_view in rows[1:]:
        assert int(sample[1:]) % 4 == "abc".index(view) and observed == "2"
        assert 0 <= float(low) <= float(high) and float(error) > 0
        assert interval == ("known" if float(high) <= 1 else "unknown")
        figures = quality["views"][view]
        assert of_view[3] == figures["verdict"]
        for text, name in zip(of_view, ("held_out_error", "average_row_error", "recovered")):
            assert float(text) == pytest.approx(figures[name], rel=1e-5)
    assert quality["coverage"] == 0.9 and quality["hidden_rows"] > 20
    assert quality["views"]["a"]["held_out_error"] <= quality["views"]["a"]["mean_of_others_error"] * 1.2
    assert result.json["parameters"]["candidates"] == "wknn+mean"


def test_candidates_have_weights_and_errors_and_the_best_can_be_repeated(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "-m", "auto,candidates=wknn+mean+em", "--json")
    rows = read_tsv(tmp_path / "out" / "candidates.tsv")
    assert rows[0] == ["candidate", "view", "weight", "held_out_error", "skipped"]
    for view in "abc":
        mine = [row for row in rows[1:] if row[1] == view]
        assert len(mine) == 3
        assert sum(float(row[2]) for row in mine) == pytest.approx(1, abs=1e-5)
        assert "complete view" in mine[2][4] or "complete" in mine[2][4]
    notice = [n for n in result.json["notices"] if "repeat it alone" in n][0]
    method = notice.split("'")[1]
    assert mkc("complete", *views, "-o", "again", "-m", method).code == 0


def test_budget_selects_candidates_before_the_run(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "--budget", "0", "--json")
    tried = result.json["parameters"]["candidates"].split("+")
    assert tried == ["transfer", "mean", "alone"]
    skipped = [c["method"] for c in result.json["candidates"] if c["skipped"] == "over the budget"]
    assert len(skipped) >= 3 and not set(skipped) & set(tried)


def test_budget_with_another_method_is_an_error(mkc, views):
    result = mkc("complete", *views, "-o", "out", "-m", "knn", "--budget", "5")
    assert result.code == 2
    assert "--budget" in result.err and "knn" in result.err


def test_quality_of_any_method(mkc, views, tmp_path):
    plain = mkc("complete", *views, "-o", "plain", "-m", "knn,k=3")
    assert plain.code == 0 and not (tmp_path / "plain" / "quality.tsv").exists()
    result = mkc("complete", *views, "-o", "out", "-m", "knn,k=3", "--quality")
    assert result.code == 0, result.err
    assert len(read_tsv(tmp_path / "out" / "quality.tsv")) == 31
    assert not (tmp_path / "out" / "candidates.tsv").exists()
    assert "mean of other views" in result.out and "mean fill" not in result.out
    a, b = (np.load(tmp_path / name / "kernels.npz") for name in ("plain", "out"))
    for view in "abc":
        assert np.allclose(a[view], b[view], rtol=1e-14, atol=0)
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    assert meta["method"] == "knn"


def test_methods_used_by_auto_are_printed(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "-m", "auto,candidates=wknn+affine+mean")
    weights = {}
    for candidate, _, weight, *_ in read_tsv(tmp_path / "out" / "candidates.tsv")[1:]:
        name = candidate.split(",")[0]
        weights[name] = weights.get(name, 0) + float(weight) / 3
    line = next(text for text in result.out.splitlines() if text.startswith("completed with auto: "))
    for name, weight in weights.items():
        assert (f"{name} {100 * weight:.0f} %" in line) == (weight > 0), line


def test_hidden_fraction_is_printed(mkc, views):
    out = mkc("evaluate", *views, "-m", "knn", "--fraction", 0.9, "--repeats", 1, "-o", "out").out
    assert "(90 % were requested" in out, out


def test_complete_view_is_not_counted_as_hidden(mkc, tmp_path):
    random = np.random.default_rng(0)
    kernels = {}
    for name, missing in (("a", 0), ("b", 12), ("c", 12)):
        x = random.normal(size=(40, 3))
        kernels[name] = x @ x.T
        gone = random.permutation(40)[:missing]
        kernels[name][gone] = kernels[name][:, gone] = np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    out = mkc("evaluate", "k.npz", "-m", "knn", "--fraction", 0.2, "--repeats", 1, "-o", "out").out
    assert "requested" not in out and "% of the rows are hidden" in out, out


def test_a_method_that_cannot_run_is_not_replaced(mkc, views):
    for quality in ([], ["--quality"]):
        result = mkc("complete", *views, "-o", "out", "-m", "em", *quality)
        assert result.code == 3 and "em" in result.err and "complete" in result.err, result.err


@pytest.fixture
def flat(tmp_path):
    """Two equal kernels, one of which lacks rows, and one that is constant but for independent noise."""
    random = np.random.default_rng(0)
    x, y = random.normal(size=(40, 3)), random.normal(size=(40, 30))
    kernels = {"whole": x @ x.T, "signal": x @ x.T, "flat": 1 + 0.002 * y @ y.T}
    for name, start in (("signal", 0), ("flat", 1)):
        gone = np.arange(start, 40, 4)
        kernels[name][gone] = kernels[name][:, gone] = np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    return "k.npz"


def test_constant_part_of_a_kernel_does_not_flatter(mkc, flat, tmp_path):
    result = mkc("complete", flat, "-o", "out", "-m", "auto,candidates=transfer+wknn+mean")
    assert result.code == 0, result.err
    meta = json.loads((tmp_path / "out/meta_info.json").read_text())
    views = meta["quality"]["views"]
    assert views["flat"]["held_out_error"] < 0.05 and views["flat"]["recovered"] < 0.1
    assert views["flat"]["verdict"] == "nothing beyond the average row"
    assert views["signal"]["recovered"] > 0.95 and views["signal"]["verdict"] == "strong"
    lines = {line.split()[0]: line for line in result.out.splitlines() if line.split()[:1]}
    assert lines["flat"].endswith("nothing beyond the average row") and lines["signal"].endswith("strong")
    warning = next(line for line in result.err.splitlines() if line.startswith("warning: view 'flat'"))
    assert "the average row" in warning and "another kernel or transform" in warning
    assert [text for text in meta["warnings"] if "'flat'" in text] == [warning.removeprefix("warning: ")]
    assert set(meta["warnings"]) <= set(meta["notices"])
    assert not any("'signal'" in text for text in meta["warnings"])


def test_unknown_errors_and_equal_estimates_are_said(mkc, tmp_path):
    """Independent views: intervals reach above 100 %. Where other views are constant, nothing tells rows apart."""
    random = np.random.default_rng(1)
    kernels = {}
    for k, name in enumerate("abc"):
        x = random.normal(size=(60, 2)) * np.exp(random.normal(size=(60, 1)))
        kernels[name] = x @ x.T
        gone = np.arange(k, 60, 5)
        kernels[name][gone] = kernels[name][:, gone] = np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    result = mkc("complete", "k.npz", "-o", "out", "-m", "mean", "--quality")
    assert result.code == 0, result.err
    rows = read_tsv(tmp_path / "out/quality.tsv")[1:]
    unknown = [row for row in rows if row[1] == "a" and float(row[5]) > 1]
    assert unknown and all(row[6] == "unknown" for row in unknown)
    assert f"view 'a': the error of {len(unknown)} of 12 completed rows is unknown" in result.err
    line = next(text for text in result.out.splitlines() if text.startswith("a ") and "%" in text)
    assert "unknown" in line
    assert len({tuple(row[3:6]) for row in rows if row[1] == "a"}) > 1
    for name in "bc":
        kernels[name] = np.where(np.isnan(kernels[name]), np.nan, 1.0)
    np.savez(tmp_path / "constant.npz", **kernels)
    result = mkc("complete", "constant.npz", "-o", "constant", "-m", "mean", "--quality")
    rows = read_tsv(tmp_path / "constant/quality.tsv")[1:]
    assert len({tuple(row[3:6]) for row in rows if row[1] == "a"}) == 1
    assert "view 'a': all 12 completed rows have the same estimate" in result.err
