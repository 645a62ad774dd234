"""Views that share few samples: refused where nothing can be learnt, else a warning everywhere."""

import json

import numpy as np
import pytest
from conftest import expect, write_table


def table(path, ids, seed):
    values = np.random.default_rng(seed).normal(size=(len(ids), 3))
    write_table(path, ids, [f"{path.stem}{j}" for j in range(3)], values)


def two_views(tmp_path, shared, each=40):
    ids = [f"s{i}" for i in range(2 * each)]
    table(tmp_path / "a.csv", ids[:each], 0)
    table(tmp_path / "b.csv", ids[each - shared : 2 * each - shared], 1)


@pytest.mark.parametrize("shared", [1, 2])
def test_nothing_can_be_learnt_from_one_or_two(mkc, tmp_path, shared):
    two_views(tmp_path, shared)
    result = mkc("complete", "a.csv", "b.csv", "-o", "out")
    expect(result, 3, ".csv", f"only {shared} sample", "in common")
    assert not (tmp_path / "out").exists()
    assert "would stop" in mkc("inspect", "a.csv", "b.csv").out


@pytest.mark.parametrize("method", ["auto", "knn"])
def test_few_are_a_warning_everywhere(mkc, tmp_path, method):
    two_views(tmp_path, 6)
    result = mkc("complete", "a.csv", "b.csv", "-o", "out", "-m", method)
    assert result.code == 0, result.err
    assert "note: view 'a' (a.csv): it shares only 6 samples with other views" in result.err
    notices = json.loads((tmp_path / "out/meta_info.json").read_text())["notices"]
    assert sum("shares only 6 samples" in notice for notice in notices) == 2
    page = (tmp_path / "out/report.html").read_text()
    assert "Few samples are shared with other views" in page


def test_ten_are_enough(mkc, tmp_path):
    two_views(tmp_path, 10)
    result = mkc("complete", "a.csv", "b.csv", "-o", "out", "-m", "knn")
    assert result.code == 0 and "shares only" not in result.err


def test_nothing_missing_needs_no_more_samples(mkc, tmp_path):
    two_views(tmp_path, 3, each=3)
    result = mkc("complete", "a.csv", "b.csv", "-o", "out", "-m", "knn")
    assert result.code == 0 and "shares only" not in result.err


def test_a_view_none_of_whose_rows_could_be_hidden(mkc, tmp_path):
    # 'c' has three samples: too few to hide one, so its errors are those of other views.
    ids = [f"s{i}" for i in range(40)]
    table(tmp_path / "a.csv", ids[:36], 0)
    table(tmp_path / "b.csv", ids[4:], 1)
    table(tmp_path / "c.csv", ids[:3], 2)
    result = mkc("complete", "a.csv", "b.csv", "c.csv", "-o", "out", "--quality", "-m", "knn")
    assert result.code == 0, result.err
    meta = json.loads((tmp_path / "out/meta_info.json").read_text())
    assert meta["quality"]["views"]["c"]["held_out_error"] is None
    assert "view 'c': none of its rows could be hidden" in result.err
    assert any("view 'c': none of its rows" in notice for notice in meta["notices"])
    assert "none of its rows could be hidden" in (tmp_path / "out/report.html").read_text()
