"""Completion in factor form: what it writes, and that it goes on after a kill."""

import filecmp
import json
import os
import re
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import BINARY, expect

VIEWS = ("a.csv", "b.npy", "c.npz")
SIZES = ("--rank", 30, "--landmarks", 60)


def rbf(x):
    """The kernel that mkc makes of features by default: z-scores, median width."""
    z = (x - x.mean(0)) / x.std(0)
    squares = ((z[:, None] - z[None]) ** 2).sum(2)
    return np.exp(-squares / np.median(squares[np.triu_indices(len(x), 1)]))


@pytest.fixture
def tables(tmp_path):
    """Three views of 300 samples in three formats and orders; a quarter of the rows is missing."""
    random = np.random.default_rng(5)
    state = random.normal(size=(300, 4))
    ids = np.array([f"s{i}" for i in range(300)])
    made = {}
    for place, name in enumerate(VIEWS):
        x = np.tanh(state @ random.normal(size=(4, 6))) + 0.1 * random.normal(size=(300, 6))
        rows = random.permutation(300)[: 300 if place == 0 else 225]
        made[name] = (x, np.sort(rows))
        if name == "a.csv":
            lines = ["id," + ",".join(f"f{j}" for j in range(6))]
            lines += [ids[i] + "," + ",".join(repr(float(v)) for v in x[i]) for i in rows]
            (tmp_path / name).write_text("\n".join(lines) + "\n")
        elif name == "b.npy":
            np.save(tmp_path / name, x[rows])
            (tmp_path / "b.samples").write_text("\n".join(ids[rows]) + "\n")
        else:
            np.savez(tmp_path / name, c=x[rows], samples=ids[rows])
    return made


def same_files(one, other, names):
    return filecmp.cmpfiles(one, other, names, shallow=False)[0] == list(names)


RESULT = ("factors/a.npy", "factors/b.npy", "factors/c.npy", "extra.npy", "variance.npy", "observed.tsv", "quality.tsv")


def test_factors_are_those_of_the_kernels(mkc, tables, tmp_path):
    result = mkc(
        "complete", *VIEWS, "--form", "factor", "--rank", 200, "--landmarks", 300, "--anchors", 80, "-o", "out"
    )
    assert result.code == 0, result.err
    assert "completing in factor form" in result.err and "trace error" in result.out
    meta = json.loads((tmp_path / "out/meta_info.json").read_text())
    assert meta["form"] == "factor" and meta["n_samples"] == 300
    samples = (tmp_path / "out/samples.txt").read_text().split()
    place = {sample: i for i, sample in enumerate(samples)}
    extra = np.load(tmp_path / "out/extra.npy", mmap_mode="r")
    quality = (tmp_path / "out/quality.tsv").read_text().splitlines()
    missing = {"".join(line.split("\t")[:2]) for line in quality}
    for m, (name, (x, rows)) in enumerate(tables.items()):
        view = meta["views"][m]
        phi = np.load(tmp_path / "out" / view["factors"], mmap_mode="r")
        assert phi.shape == (300, view["rank"]) and view["observed"] == len(rows)
        kernel = phi @ phi.T + np.diag(extra[:, m])
        at = [place[f"s{i}"] for i in rows]
        truth = rbf(x[rows])
        if view["kernel"].startswith("rbf"):
            observed = kernel[np.ix_(at, at)]
            assert np.allclose(np.diag(observed), 1, atol=1e-6)
            loss = 1 - (phi[at] ** 2).sum() / len(at)
            assert loss <= view["trace_error"] + 0.02
        assert np.linalg.eigvalsh(kernel).min() > -1e-8
        for i in set(range(300)) - set(rows):
            assert f"s{i}{name[0]}" in missing
        assert truth.shape[0] == len(rows)
    assert mkc("embed", "out", "-o", "axes.tsv").code == 0
    assert mkc("combine", "out", "-o", "combined.npz").code == 0
    again = mkc("complete", "--config", "out/config.toml", "-o", "again")
    assert again.code == 0, again.err
    assert same_files(tmp_path / "out", tmp_path / "again", RESULT)


def test_threads_and_the_way_of_reading_do_not_change_bits(mkc, tables, tmp_path):
    for threads in (1, 2):
        assert mkc("complete", *VIEWS, "--form", "factor", *SIZES, "-t", threads, "-o", f"t{threads}").code == 0
    assert same_files(tmp_path / "t1", tmp_path / "t2", RESULT)


def test_a_killed_run_goes_on_to_the_same_bits(mkc, tables, tmp_path):
    command = ["complete", *VIEWS, "--form", "factor", *SIZES, "--no-progress"]
    assert mkc(*command, "-o", "whole").code == 0
    kept = tmp_path / ".out.checkpoint"
    for stage in ("key", "plan.npz", "model-1.npz", "model-2.npz", "model-3.npz"):
        run = subprocess.Popen(
            [BINARY, *map(str, command), "-o", "out"],
            cwd=tmp_path,
            stderr=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
        )
        while run.poll() is None and not (kept / stage).exists():
            time.sleep(0.0005)
        run.send_signal(signal.SIGKILL)
        run.wait()
        if (tmp_path / "out").exists():  # it was faster than the kill
            break
        assert kept.exists()
    if not (tmp_path / "out").exists():
        result = mkc(*command, "-o", "out")
        assert result.code == 0, result.err
    assert same_files(tmp_path / "whole", tmp_path / "out", RESULT)
    assert not kept.exists()
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".out")] == []


def test_another_input_does_not_go_on_with_what_is_kept(mkc, tables, tmp_path):
    command = ["complete", *VIEWS, "--form", "factor", *SIZES, "--no-progress"]
    kept = tmp_path / ".out.checkpoint"
    kept.mkdir(mode=0o700)
    (kept / "key").write_text("of another run")
    (kept / "plan.npz").write_text("not a plan")
    result = mkc(*command, "-o", "out")
    assert result.code == 0, result.err
    assert "going on" not in result.err


@pytest.mark.parametrize(
    ("options", "parts"),
    [
        (["--form", "factor", "-m", "knn"], ["--method knn", "--form dense"]),
        (["--form", "factor", "--format", "tsv"], ["--format tsv"]),
        (["--form", "dense", "--rank", "5"], ["--rank"]),
        (["--form", "factor", "--rank", "-1"], ["rank"]),
        (["--form", "factor", "--memory", "60M"], ["in factor form needs about", "--rank"]),
    ],
)
def test_options_that_do_not_go_together(mkc, tables, options, parts):
    result = mkc("complete", *VIEWS, *options, "-o", "out")
    assert result.code in (2, 5)
    for part in parts:
        assert part in result.err, result.err


def test_a_foreign_folder_in_the_way_of_the_checkpoint_is_not_touched(mkc, tables, tmp_path):
    (tmp_path / ".out.checkpoint").mkdir(mode=0o755)
    os.chmod(tmp_path / ".out.checkpoint", 0o755)
    (tmp_path / ".out.checkpoint/mine").write_text("")
    expect(mkc("complete", *VIEWS, "--form", "factor", *SIZES, "-o", "out"), 2, ".out.checkpoint", "in the way")
    assert (tmp_path / ".out.checkpoint/mine").exists()


def test_a_view_that_nothing_can_be_said_of_is_a_warning(mkc, tables, tmp_path):
    random = np.random.default_rng(6)
    ids = np.array([f"s{i}" for i in range(225)])
    np.savez(tmp_path / "noise.npz", noise=random.normal(size=(225, 6)), samples=ids)
    result = mkc("complete", "a.csv", "b.npy", "noise.npz", "--form", "factor", *SIZES, "-o", "out")
    assert result.code == 0, result.err
    warnings = [line for line in result.err.splitlines() if "warning: " in line]
    assert len(warnings) == 1, result.err
    assert "view 'noise'" in warnings[0] and "average row" in warnings[0]
    meta = json.loads((tmp_path / "out/meta_info.json").read_text())
    assert len(meta["warnings"]) == 1 and meta["warnings"][0] in warnings[0]
    assert meta["warnings"][0] in meta["notices"]
    noise = meta["quality"]["views"]["noise"]
    assert noise["verdict"] == "nothing beyond the average row"
    assert noise["held_out_error"] < 1.05 * noise["average_row_error"]  # it is one of what is mixed
    weights = {expert["method"]: expert["weights"][2] for expert in meta["experts"]}
    assert weights["average row"] > 0.2
    mean = meta["quality"]["views"]["b"]["mean_of_others_error"]
    assert mean > meta["quality"]["views"]["b"]["held_out_error"]
    lines = [line.split("\t") for line in (tmp_path / "out/quality.tsv").read_text().splitlines()]
    place = lines[0].index("interval")
    unknown = sum(line[1] == "noise" and line[place] == "unknown" for line in lines)
    told = [notice for notice in meta["notices"] if "'noise'" in notice and "is unknown" in notice]
    assert len(told) == (unknown > 0)
    assert unknown == 0 or f"{unknown} of 75 completed rows" in told[0]


def test_damaged_results_are_named(mkc, tables, tmp_path):
    assert mkc("complete", *VIEWS, "--form", "factor", *SIZES, "-o", "out", "--report", "none").code == 0
    path = tmp_path / "out" / "extra.npy"
    extra = np.load(path)
    np.save(path, np.where(np.arange(len(extra))[:, None] == 3, np.inf, extra))
    expect(mkc("cluster", "out", "-o", "c.tsv"), 3, "out, view 'a': its kernel is not complete")
    np.save(path, extra)
    path = tmp_path / "out" / "meta_info.json"
    path.write_text(path.read_text().replace('"ids": "exact"', '"ids": "exacv"'))
    expect(mkc("cluster", "out", "-o", "c.tsv"), 3, "out/meta_info.json: ids: 'exacv' is not a rule", "damaged")


def test_an_error_leaves_no_checkpoint(mkc, tables, tmp_path):
    (tmp_path / "b.samples").write_text("x\n")
    result = mkc("complete", *VIEWS, "--form", "factor", *SIZES, "-o", "out")
    expect(result, 3, "b.samples")
    assert not list(tmp_path.glob(".*")) and not (tmp_path / "out").exists()


def page_data(path):
    page = path.read_text()
    begin = page.index('id="data">') + len('id="data">')
    return json.loads(page[begin : page.index("</script>", begin)])


def test_a_report_shows_some_of_many_samples(mkc, tmp_path):
    random = np.random.default_rng(2)
    state = random.normal(size=(2100, 2))
    for name in "ab":
        x = state @ random.normal(size=(2, 3)) + 0.1 * random.normal(size=(2100, 3))
        x[random.permutation(2100)[:300]] = np.nan
        np.save(tmp_path / f"{name}.npy", x)
    sizes = ("--rank", 3, "--landmarks", 20, "--anchors", 50)
    result = mkc("complete", "a.npy", "b.npy", "--match-rows", "--form", "factor", *sizes, "-o", "out")
    assert result.code == 0 and "report: out/report.html" in result.err, result.err
    data = page_data(tmp_path / "out/report.html")
    assert data["meta"]["n_samples"] == 2100 and data["missing_pairs"] > 500
    assert data["kernels"]["n_samples"] == len(data["map"]["name"]) == 2000
    again = mkc("report", "out", "-o", "again.html")
    assert "2000 of 2100 samples" in again.err
    assert page_data(tmp_path / "again.html") == data
    samples = (tmp_path / "out/samples.txt").read_text().split()
    (tmp_path / "groups.tsv").write_text("".join(f"{s}\t{'even' if i % 2 else 'odd'}\n" for i, s in enumerate(samples)))
    assert mkc("report", "out", "--labels", "groups.tsv", "-o", "groups.html").code == 0
    shown = page_data(tmp_path / "groups.html")["map"]
    place = {sample: i for i, sample in enumerate(samples)}
    for name, group in zip(shown["name"], shown["class_of"]):
        assert shown["classes"][group] == ("even" if place[name] % 2 else "odd")


def test_new_samples_get_factors(mkc, tables, tmp_path):
    """Training samples given again as new ones get the factors they have; a view that is left out is completed."""
    command = ("complete", *VIEWS, "--form", "factor", *SIZES)
    result = mkc(*command, "-o", "out", "--save-model", "model.npz")
    assert result.code == 0 and "mkc predict" in result.out, result.err
    assert mkc(*command, "-o", "other", "--save-model", "same.npz").code == 0
    assert same_model(tmp_path)
    views = [part for name in VIEWS for part in ("--view", f"{name[0]}={name}")]
    result = mkc("predict", "model.npz", *views, "-o", "new")
    assert result.code == 0 and "factors of 300 new samples" in result.out, result.err
    old, new = ((tmp_path / folder / "samples.txt").read_text().split() for folder in ("out", "new"))
    order = [new.index(sample) for sample in old]
    for view in "abc":
        ours = np.load(tmp_path / f"out/factors/{view}.npy")
        assert np.allclose(np.load(tmp_path / f"new/factors/{view}.npy")[order], ours, atol=1e-8)
    extra = np.load(tmp_path / "new/extra.npy")[order]
    assert np.allclose(extra, np.load(tmp_path / "out/extra.npy"), atol=1e-8)
    assert mkc("predict", "model.npz", "--view", "a=a.csv", "-o", "few").code == 0
    order = [(tmp_path / "few/samples.txt").read_text().split().index(sample) for sample in old]
    meta = json.loads((tmp_path / "few/meta_info.json").read_text())
    assert [view["missing"] for view in meta["views"]] == [0, 300, 300]
    x, rows = tables["c.npz"]
    at = [old.index(f"s{i}") for i in rows]
    found = np.load(tmp_path / "few/factors/c.npy")[order][at] @ np.load(tmp_path / "out/factors/c.npy")[at].T
    truth = rbf(x[rows])
    off = ~np.eye(len(at), dtype=bool)
    assert np.linalg.norm((found - truth)[off]) < np.linalg.norm((truth - truth.mean(0))[off])
    expect(mkc("predict", "model.npz", "--view", "a=a.csv", "--format", "tsv", "-o", "t"), 2, "--format tsv")
    expect(mkc("predict", "model.npz", "--view", "z=a.csv", "-o", "t"), 3, "no view 'z'")


def same_model(folder):
    """But for the description of the run, which has times and names in it."""
    one, other = (np.load(folder / name) for name in ("model.npz", "same.npz"))
    differing = [name for name in one.files if one[name].tobytes() != other[name].tobytes()]
    return sorted(one.files) == sorted(other.files) and differing == ["views_words"]


def test_the_memory_that_is_allowed_is_kept(mkc, tmp_path):
    """Tables of half of it stay in their files; what the process reports is its peak."""
    random = np.random.default_rng(8)
    state = random.normal(size=(40000, 3))
    for name in "abc":
        x = np.tanh(state @ random.normal(size=(3, 50))) + 0.1 * random.normal(size=(40000, 50))
        x[random.random(40000) < 0.2] = np.nan
        np.save(tmp_path / f"{name}.npy", x)
    sizes = ("--rank", 8, "--landmarks", 20, "--anchors", 30, "--plan-sample", 400)
    files = ("a.npy", "b.npy", "c.npy", "--match-rows", "--form", "factor")
    result = mkc("complete", *files, *sizes, "--memory", "140M", "--report", "none", "-t", 1, "-v", "-o", "out")
    assert result.code == 0, result.err
    used = int(re.search(r"memory used at most: (\d+) MiB", result.err)[1])
    assert used <= 140 * 1e6 / 2**20, result.err


def test_kernels_in_files_are_read_by_blocks(mkc, tmp_path):
    random = np.random.default_rng(9)
    state = random.normal(size=(1600, 3))
    for name in "ab":
        x = np.tanh(state @ random.normal(size=(3, 6))) + 0.1 * random.normal(size=(1600, 6))
        kernel = np.exp(-0.2 * np.maximum(0, (x**2).sum(1)[:, None] + (x**2).sum(1) - 2 * x @ x.T))
        kernel = (kernel + kernel.T) / 2
        gone = random.random(1600) < 0.2
        kernel[gone] = kernel[:, gone] = np.nan
        np.save(tmp_path / f"{name}.npy", kernel)
    sizes = ("--rank", 8, "--landmarks", 20, "--anchors", 30, "--plan-sample", 300, "--block", 256)
    command = ("complete", "a.npy", "b.npy", "--match-rows", "--form", "factor", *sizes, "--report", "none", "-t", 1)
    assert mkc(*command, "-o", "whole").code == 0
    result = mkc(*command, "--memory", "115M", "-v", "-o", "blocks")
    assert result.code == 0, result.err
    assert "the tables are larger than the memory for them" in result.err
    assert int(re.search(r"memory used at most: (\d+) MiB", result.err)[1]) < 115 * 1e6 / 2**20
    names = ("factors/a.npy", "factors/b.npy", "extra.npy", "variance.npy", "observed.tsv", "quality.tsv")
    assert same_files(tmp_path / "whole", tmp_path / "blocks", names)


def test_whole_kernels_of_many_samples_are_never_made(mkc, tmp_path):
    """20,500 samples in two groups: their axes, clusters and combined kernel come from factors."""
    random = np.random.default_rng(4)
    n = 20500
    group = random.integers(0, 2, n)
    (tmp_path / "out/factors").mkdir(parents=True)
    factors = {view: random.normal(size=(n, 3)) * 0.2 + 2 * group[:, None] for view in "ab"}
    for view, values in factors.items():
        np.save(tmp_path / f"out/factors/{view}.npy", values)
    extra = np.full((n, 2), 0.1)
    np.save(tmp_path / "out/extra.npy", extra)
    (tmp_path / "out/samples.txt").write_text("".join(f"s{i}\n" for i in range(n)))
    meta = {"form": "factor", "method": "factor", "views": [{"name": view} for view in factors]}
    (tmp_path / "out/meta_info.json").write_text(json.dumps(meta))
    assert mkc("embed", "out", "-o", "axes.tsv").code == 0
    axis = np.loadtxt(tmp_path / "axes.tsv", skiprows=1, usecols=1)
    assert abs(np.corrcoef(axis, group)[0, 1]) > 0.95
    expect(mkc("embed", "out", "--method", "diffusion", "-o", "d.tsv"), 2, "every pair", "kernel-pca")
    result = mkc("cluster", "out", "--clusters", 2, "--resamples", 2, "-o", "clusters.tsv")
    assert result.code == 0 and "nearest" in result.err, result.err
    found = np.loadtxt(tmp_path / "clusters.tsv", skiprows=1, usecols=1)
    assert len({(a, b) for a, b in zip(found, group)}) == 2
    assert mkc("combine", "out", "-o", "K.npz").code == 0
    combined = np.load(tmp_path / "K.npz")
    rows = slice(0, 50)
    expected = sum(F[rows] @ F[rows].T / (2 * ((F - F.mean(0)) ** 2).sum(1).mean() + 0.2) for F in factors.values())
    assert np.allclose(combined["factors"][rows] @ combined["factors"][rows].T, expected, rtol=1e-4)
    expect(mkc("combine", "out", "-o", "K.tsv"), 2, ".npz")
    expect(mkc("combine", "out", "--weights", "relations", "-o", "K2.npz"), 2, "whole kernels")
