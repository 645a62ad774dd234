"""Reports of small, unbalanced or trivial results: no error in the page, no empty chart."""

import pathlib

import numpy as np
import pytest
from conftest import mkc
from test_report import MARKS


def write(path, ids, values):
    lines = ["sample\t" + "\t".join(f"{path.stem}_{j}" for j in range(values.shape[1]))]
    lines += ["\t".join([name, *map(repr, map(float, row))]) for name, row in zip(ids, values)]
    path.write_text("\n".join(lines) + "\n")


def views(folder, n, count, missing, seed=0):
    """Feature tables of n samples; every view but the first lacks `missing` of them."""
    random = np.random.default_rng(seed)
    state, names = random.normal(size=(n, 2)), []
    for m in range(count):
        kept = np.sort(random.permutation(n)[: n - (missing if m else 0)])
        write(folder / f"v{m}.tsv", [f"s{i}" for i in kept], np.tanh(state @ random.normal(size=(2, 4)))[kept])
        names.append(f"v{m}.tsv")
    return names


def page_text(browser, path):
    """The text of a report, after checks for errors and empty charts."""
    browser.open(path)
    assert browser.problems() == []
    marks = dict(browser.run(MARKS))
    assert marks and all(count > 0 for count in marks.values()), marks
    return browser.run("document.getElementById('content').textContent")


def test_nothing_missing(browser, tmp_path):
    mkc("complete", *views(tmp_path, 12, 2, 0), "-o", "out", "-m", "knn", cwd=tmp_path)
    assert "Nothing is missing" in page_text(browser, tmp_path / "out/report.html")


def test_one_of_four_samples_missing(browser, tmp_path):
    mkc("complete", *views(tmp_path, 4, 2, 1), "-o", "out", "-m", "mean", cwd=tmp_path)
    text = page_text(browser, tmp_path / "out/report.html")
    assert "was not estimated" in text


def test_many_views(browser, tmp_path):
    mkc("complete", *views(tmp_path, 30, 25, 5), "-o", "out", "-m", "wknn", "--quality", cwd=tmp_path)
    text = page_text(browser, tmp_path / "out/report.html")
    assert "v24" in text
    assert browser.run("document.documentElement.scrollWidth") <= 1200


def test_constant_kernel(browser, tmp_path):
    ids = [f"s{i}" for i in range(8)]
    K = np.ones((6, 6))
    lines = ["\t".join(["sample", *ids[:6]])] + [
        "\t".join([name, *map(repr, map(float, row))]) for name, row in zip(ids, K)
    ]
    (tmp_path / "k.tsv").write_text("\n".join(lines) + "\n")
    write(tmp_path / "v.tsv", ids, np.random.default_rng(0).normal(size=(8, 3)))
    mkc("complete", "k.tsv,kind=kernel", "v.tsv", "-o", "out", "-m", "mean", cwd=tmp_path)
    page_text(browser, tmp_path / "out/report.html")


def test_more_than_300_samples_are_shown_as_blocks(browser, tmp_path):
    """Above 300 samples each block is a mean, and the page gives their number."""
    mkc("complete", *views(tmp_path, 700, 2, 200), "-o", "out", "-m", "knn", "--title", "many", cwd=tmp_path)
    text = page_text(browser, tmp_path / "out/report.html")
    assert "700 samples are shown as means over 300 × 300 blocks" in text
    K = np.load(tmp_path / "out/kernels.npz")
    shown = browser.run("""(() => { const { kernels } = JSON.parse(document.getElementById("data").textContent);
      const view = kernels.views[0], grid = new Grid(view.after, view.low, view.high);
      return [kernels.first, kernels.last, grid.value(120, 40), view.low, view.high]; })()""")
    assert len(shown[0]) == len(shown[1]) == 300
    names = list(K["samples"])

    def pair(group):
        return sorted({names.index(shown[0][group]), names.index(shown[1][group])})

    # 700 samples in 300 groups of two or three; groups 120 and 40 start at 280 and 93 and have two.
    truth = K["v0"][np.ix_(pair(120), pair(40))].mean()
    assert shown[2] == pytest.approx(np.clip(truth, shown[3], shown[4]), abs=(shown[4] - shown[3]) / 250)


def test_fitted_result_with_uncertainty(browser, tmp_path):
    mkc("complete", *views(tmp_path, 20, 3, 5), "-o", "out", "-m", "wknn", "--fitted", cwd=tmp_path)
    assert "those of the model" in page_text(browser, tmp_path / "out/report.html")


def test_equal_error_estimates(browser, tmp_path):
    """Where the other views are constant, nothing tells the rows of a view apart: all have the same estimate."""
    x = np.random.default_rng(1).normal(size=(60, 2))
    kernels = {"a": x @ x.T, "b": np.ones((60, 60)), "c": np.ones((60, 60))}
    kernels["a"][::5] = kernels["a"][:, ::5] = np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    mkc("complete", "k.npz", "-o", "one", "-m", "mean", "--quality", cwd=tmp_path)
    text = page_text(browser, tmp_path / "one/report.html")
    assert "all 12 completed rows have the same estimate" in text and "Least reliable rows" not in text
    (tmp_path / "more").mkdir()
    mkc("complete", *views(tmp_path / "more", 60, 3, 20), "-o", "out", "-m", "wknn", "--quality", cwd=tmp_path / "more")
    text = page_text(browser, tmp_path / "more/out/report.html")
    assert "Least reliable rows" in text and "have the same estimate" not in text


def test_views_where_auto_chooses_the_mean(browser, tmp_path):
    """Where `auto` chooses the mean, the page does not claim that the mean would have been better."""
    random = np.random.default_rng(0)
    ids = [f"s{i}" for i in range(30)]
    for m in range(3):
        kept = range(30) if m == 0 else sorted(random.permutation(30)[:22])
        write(tmp_path / f"v{m}.tsv", [ids[i] for i in kept], random.normal(size=(30, 3))[list(kept)])
    mkc("complete", "v0.tsv", "v1.tsv", "v2.tsv", "-m", "auto,candidates=mean", "-o", "out", cwd=tmp_path)
    text = page_text(browser, tmp_path / "out/report.html")
    assert "Nothing did better than the mean of the other views in 2 views" in text
    assert "nan" not in text and "no better than filling in" not in text


def test_constant_part_of_a_kernel_does_not_flatter(browser, tmp_path):
    """A view that is constant but for noise: a small error, but the page says that nothing is recovered."""
    random = np.random.default_rng(0)
    x, y = random.normal(size=(40, 3)), random.normal(size=(40, 30))
    kernels = {"whole": x @ x.T, "signal": x @ x.T, "flat": 1 + 0.002 * y @ y.T}
    for name, start in (("signal", 0), ("flat", 1)):
        gone = np.arange(start, 40, 4)
        kernels[name][gone] = kernels[name][:, gone] = np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    mkc("complete", "k.npz", "-m", "auto,candidates=transfer+mean", "-o", "out", cwd=tmp_path)
    text = page_text(browser, tmp_path / "out/report.html")
    rows = browser.run("""[...document.querySelectorAll("#summary table")][0].innerText""").splitlines()
    cells = {row.split("\t")[0]: row.split("\t")[1] for row in rows}
    assert cells["signal"] == "strong" and cells["flat"] == "nothing beyond the average row"
    assert cells["whole"] == "complete"
    serious = browser.run("[...document.querySelectorAll('.warning.serious')].map((node) => node.textContent)")
    mine = [warning for warning in serious if "'flat'" in warning]
    assert len(mine) == 1 and "average row" in mine[0] and "another kernel or transform" in mine[0]
    assert not any("'signal'" in warning for warning in serious)
    assert text.count("'flat': completed rows") == 1  # not again among the notes


def test_unknown_errors_are_called_unknown(browser, tmp_path):
    random = np.random.default_rng(1)
    kernels = {}
    for k, name in enumerate("abc"):
        x = random.normal(size=(60, 2)) * np.exp(random.normal(size=(60, 1)))
        kernels[name] = x @ x.T
        gone = np.arange(k, 60, 5)
        kernels[name][gone] = kernels[name][:, gone] = np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    mkc("complete", "k.npz", "-m", "mean", "--quality", "-o", "out", cwd=tmp_path)
    text = page_text(browser, tmp_path / "out/report.html")
    assert "the error of 12 of 12 completed rows is unknown, because the interval reaches above 100 %" in text


def test_result_of_an_old_version_shows_what_it_has(browser, tmp_path):
    """Version 0.1 stored neither average row nor verdict."""
    old = pathlib.Path(__file__).parents[1] / "fixtures/0.1/result"
    mkc("report", old, "-o", "page.html", cwd=tmp_path)
    text = page_text(browser, tmp_path / "page.html")
    assert "Mean of other views" in text and "Was completion worth it?" in text
    assert "Verdict" not in text and "NaN" not in text and "undefined" not in text
    assert browser.problems() == []
