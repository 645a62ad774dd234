"""mkc evaluate: hidden rows, comparison of methods, labels, and continuing after an interrupt."""

import csv
import json
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import BINARY, write_table
from test_bad_input import expect


def read(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


@pytest.fixture
def labels(tmp_path):
    (tmp_path / "y.tsv").write_text(
        "sample\tclass\n" + "".join(f"s{i}\t{'odd' if i % 2 else 'even'}\n" for i in range(20))
    )
    return "y.tsv"


def scores(folder):
    """Everything that does not depend on the clock."""
    return [(folder / name).read_text() for name in ("scores.tsv", "hidden.tsv")]


def test_methods_and_baselines(mkc, views, tmp_path):
    result = mkc("evaluate", *views, "-o", "out", "-m", "wknn,k=3", "--repeats", 2, "-t", 2)
    assert result.code == 0, result.err
    lines = [line for line in result.out.splitlines() if not line.startswith("samples of ")]
    assert [line.split()[0] for line in lines[2:5]] == ["mean", "knn", "wknn,k=3"]
    assert lines[5].startswith("the average row of each view has an are of ")
    rows = read(tmp_path / "out" / "scores.tsv")
    assert len(rows) == 3 * 2 * 3
    for row in rows:
        assert int(row["hidden_rows"]) >= 2 and 0 < float(row["are"]) < 200
        assert -1 <= float(row["alignment"]) <= 1 and row["coverage"] == "NA"
        assert float(row["average_row"]) > 0 and float(row["recovered"]) < 1
    hidden = read(tmp_path / "out" / "hidden.tsv")
    per_view = [row for row in hidden if row["repeat"] == "1" and row["view"] == "a"]
    assert len(per_view) == int(rows[0]["hidden_rows"])
    for row in read(tmp_path / "out" / "runs.tsv"):
        assert float(row["seconds"]) >= 0 and float(row["peak_mib"]) > 1
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    assert meta["command"] == "evaluate" and meta["status"] == "finished"
    assert [m["method"] for m in meta["methods"]] == ["mean", "knn", "wknn,k=3"]
    assert len(meta["inputs"]) == 3
    assert not [p for p in tmp_path.iterdir() if p.name.startswith(".")]


def test_threads_do_not_change_the_scores(mkc, views, tmp_path):
    for threads in (1, 3):
        assert (
            mkc("evaluate", *views, "-o", f"t{threads}", "-m", "embd_hm,c2=0.1", "-t", threads, "--repeats", 2).code
            == 0
        )
    assert scores(tmp_path / "t1") == scores(tmp_path / "t3")


def test_auto_is_the_default_and_has_intervals(mkc, views, tmp_path):
    assert mkc("evaluate", *views, "-o", "out", "--repeats", 1, "-m", "auto,candidates=wknn+mean").code == 0
    coverage = {row["method"]: row["coverage"] for row in read(tmp_path / "out" / "scores.tsv")}
    assert coverage["knn"] == "NA" and 0 <= float(coverage["auto,candidates=wknn+mean"]) <= 1
    assert mkc("evaluate", *views, "-o", "q", "--repeats", 1, "-m", "wknn", "--quality").code == 0
    assert all(0 <= float(row["coverage"]) <= 1 for row in read(tmp_path / "q" / "scores.tsv"))
    assert "auto" in mkc("evaluate", *views, "--dry-run", "--help").out


def test_the_scores_are_those_of_the_hidden_rows(mkc, kernels, tmp_path):
    random = np.random.default_rng(3)
    state = random.normal(size=(24, 3))
    truth = {}
    for name in "xy":
        x = state @ random.normal(size=(3, 6))
        truth[name] = (x @ x.T + (x @ x.T).T) / 2
    ids = np.array([f"s{i}" for i in range(24)])
    np.savez(tmp_path / "k.npz", samples=ids, **truth)
    assert mkc("evaluate", "k.npz", "--mechanism", "mcar", "-m", "mean", "--repeats", 1, "-o", "out").code == 0
    gaps = {name: kernel.copy() for name, kernel in truth.items()}
    hidden = {"x": [], "y": []}
    for row in read(tmp_path / "out" / "hidden.tsv"):
        i = list(ids).index(row["sample"])
        hidden[row["view"]].append(i)
        gaps[row["view"]][i, :] = gaps[row["view"]][:, i] = np.nan
    np.savez(tmp_path / "gaps.npz", samples=ids, **gaps)
    assert mkc("complete", "gaps.npz", "-m", "mean", "-o", "done").code == 0
    done = np.load(tmp_path / "done" / "kernels.npz")
    for row in read(tmp_path / "out" / "scores.tsv"):
        if row["method"] != "mean":
            continue
        name, rows = row["view"], hidden[row["view"]]
        error = np.linalg.norm((done[name] - truth[name])[rows], axis=1)
        are = 100 * np.mean(error / np.linalg.norm(truth[name][rows], axis=1))
        assert float(row["are"]) == pytest.approx(are, rel=1e-5)


def test_views_missing(mkc, kernels, tmp_path):
    random = np.random.default_rng(4)
    for name in "abc":
        write_table(
            tmp_path / f"{name}.csv", [f"s{i}" for i in range(30)], ["f", "g", "h"], random.normal(size=(30, 3))
        )
    assert (
        mkc(
            "evaluate",
            "a.csv",
            "b.csv",
            "c.csv",
            "--mechanism",
            "mcar",
            "--fraction",
            "0.4",
            "--views-missing",
            2,
            "-m",
            "mean",
            "--repeats",
            1,
            "-o",
            "out",
        ).code
        == 0
    )
    samples = [row["sample"] for row in read(tmp_path / "out" / "hidden.tsv")]
    assert len(samples) == 24 and all(samples.count(s) == 2 for s in samples)


def test_labels(mkc, views, labels, tmp_path):
    result = mkc("evaluate", *views, "-o", "out", "-m", "wknn", "--labels", labels, "--repeats", 2)
    assert result.code == 0, result.err
    assert "complete_cases" in result.out
    rows = read(tmp_path / "out" / "labels.tsv")
    assert {row["method"] for row in rows} == {"mean", "knn", "wknn"}
    assert "note: complete_cases: 8 labelled samples" in result.err
    for row in rows:
        assert int(row["samples"]) == (20 if row["on"] == "all" else 8)
        assert 0 <= float(row["accuracy"]) <= 1 and -1 <= float(row["ari"]) <= 1


def test_labels_of_a_complete_problem(mkc, tmp_path, labels):
    random = np.random.default_rng(5)
    for name in "ab":
        values = random.normal(size=(20, 4)) + 4 * (np.arange(20) % 2)[:, None]
        write_table(tmp_path / f"{name}.csv", [f"s{i}" for i in range(20)], [name + c for c in "wxyz"], values)
    result = mkc(
        "evaluate",
        "a.csv",
        "b.csv",
        "-o",
        "out",
        "-m",
        "wknn",
        "--labels",
        labels,
        "--mechanism",
        "mcar",
        "--repeats",
        2,
    )
    assert result.code == 0, result.err
    rows = read(tmp_path / "out" / "labels.tsv")
    assert {row["method"] for row in rows} == {"mean", "knn", "wknn", "complete_cases"}
    assert all(float(row["accuracy"]) > 0.8 for row in rows)
    assert "made no clear difference on the" in result.out and "standard error" in result.out


def test_finished_trials_are_not_run_again(mkc, views, tmp_path):
    command = ["evaluate", *views, "-o", "out", "-m", "wknn", "--repeats"]
    assert mkc(*command, 2).code == 0
    before = (tmp_path / "out" / "runs.tsv").read_text()
    again = mkc(*command, 2)
    assert again.code == 0 and "6 of 6 trials are already finished" in again.err
    assert (tmp_path / "out" / "runs.tsv").read_text() == before
    more = mkc(*command, 3, "-m", "mean")
    assert more.code == 0 and "6 of 9 trials are already finished" in more.err
    assert (tmp_path / "out" / "runs.tsv").read_text().startswith(before)
    other = mkc(*command, 2, "--seed", 1)
    assert other.code == 0 and "already" not in other.err
    assert "6 of 6" in mkc(*command, 2).err, "trials of other plans are kept"
    assert "already" not in mkc(*command, 2, "--force").err


def test_shards_share_the_trials_of_one_output(mkc, views, tmp_path):
    """Several processes at once; the last command writes what a single one would have written."""
    command = ["evaluate", *views, "-m", "wknn", "--repeats", "3", "-t", "1", "-o"]
    assert mkc(*command, "alone").code == 0
    shards = [
        subprocess.Popen(
            [BINARY, *command, "out", "--shard", f"{i}/3"], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        for i in (1, 2, 3)
    ]
    for i, shard in enumerate(shards, 1):
        _, err = shard.communicate(timeout=60)
        assert shard.returncode == 0 and f"shard {i}/3 is finished" in err, err
    assert not (tmp_path / "out").exists()
    assert len(list((tmp_path / ".out.cells").glob("*.json"))) == 9
    done = mkc(*command, "out", "--shard", "2/3")  # a job that is repeated
    assert done.code == 0 and "shard 2/3 is finished, 9 of 9 trials are" in done.err
    done = mkc(*command, "out")
    assert done.code == 0 and "9 of 9 trials are already finished" in done.err
    assert scores(tmp_path / "out") == scores(tmp_path / "alone")
    assert not [path for path in tmp_path.iterdir() if path.name.startswith(".")]
    expect(mkc(*command, "out", "--shard", "4/3"), 2, "'4/3' is not a shard")
    expect(mkc(*command, "out", "--shard", "1/3", "--force"), 2, "--force would remove the trials of other shards")


def test_changed_input_is_run_again(mkc, views, tmp_path):
    command = ["evaluate", *views, "-o", "out", "-m", "wknn", "--repeats", 1]
    assert mkc(*command).code == 0
    text = (tmp_path / "a.csv").read_text()
    (tmp_path / "a.csv").write_text(text.replace(text.split(",")[-1], "0.5\n"))
    assert mkc(*command).code == 2  # the folder holds an evaluation of other data
    again = mkc(*command, "--force")
    assert again.code == 0 and "already" not in again.err


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_runs_are_continued(mkc, views, tmp_path, how):
    endless = "embd_hm,c2=0.5,ridge=0.01,tol=0,max_iter=1000000"
    command = [BINARY, "evaluate", *views, "-o", "out", "-m", endless, "--repeats", "1", "-t", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while not list((tmp_path / ".out.cells").glob("*.json")):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.02)
    time.sleep(0.3)  # mean and knn take milliseconds
    process.send_signal(how)
    _, err = process.communicate(timeout=60)
    if how == signal.SIGINT:
        assert process.returncode == 130 and "of 3 trials are in out" in err
        meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
        assert meta["status"] == "interrupted"
    else:
        assert not (tmp_path / "out").exists()
    again = mkc("evaluate", *views, "-o", "out", "--repeats", 1, "-m", "mean")
    assert again.code == 0 and "trials are already finished" in again.err
    assert not [p for p in tmp_path.iterdir() if p.name == ".out.cells"]


def test_other_results_are_not_replaced(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "mean", "-o", "out").code == 0
    refused = mkc("evaluate", *views, "-m", "mean", "-o", "out")
    assert refused.code == 2 and "exists" in refused.err
    assert (tmp_path / "out" / "kernels.npz").exists()


def test_status_of_every_method_is_in_runs(mkc, views, tmp_path):
    result = mkc("evaluate", *views, "-m", "sdp,max_iter=1", "--repeats", 1, "-o", "out")
    assert result.code == 0
    status = {row["method"]: row["status"] for row in read(tmp_path / "out" / "runs.tsv")}
    assert status["sdp,max_iter=1"] == "max_iterations" and status["mean"] == "converged"


def test_labels_of_other_samples_are_left_out(mkc, views, tmp_path):
    lines = [f"s{i}\t{'ab'[i % 2]}" for i in range(20)] + ["zz\tb", "yy\tc"]
    (tmp_path / "y.tsv").write_text("sample\tclass\n" + "\n".join(lines) + "\n")
    result = mkc("evaluate", *views, "-m", "knn", "--repeats", 1, "-o", "out", "--labels", "y.tsv")
    assert result.code == 0 and "2 of 22 rows are left out" in result.err, result.err


@pytest.mark.parametrize(
    "text, parts",
    [
        ("sample\tclass\nzz\tb\n", ["y.tsv, line 2", "no view has the sample 'zz'"]),
        ("sample\tclass\ns0\ta\ns1\ta\ns2\tb\n", ["class 'b'", "one member", "'s2'", "merge"]),
        ("sample\tclass\ns0\ta\ns1\ta\n", ["class 'a'", "two classes"]),
        ("sample\tclass\ns0\tNA\n", ["no sample has a class"]),
        ("sample\tclass\tage\ns0\ta\t1\n", ["2 columns", "--labels y.tsv:class"]),
        ("sample\tclass\ns0\ta\ns0\tb\n", ["line 3", "already has a label in line 2"]),
        ("", ["y.tsv"]),
    ],
)
def test_bad_labels(mkc, views, tmp_path, text, parts):
    (tmp_path / "y.tsv").write_text(text)
    expect(mkc("evaluate", *views, "-o", "out", "--labels", "y.tsv"), 3, *parts)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv", "c.csv", "y.tsv"]


@pytest.mark.parametrize(
    "arguments, code, parts",
    [
        (["--mechanism", "mnar"], 2, ["'mnar'", "pattern"]),
        (["--fraction", "1.5"], 2, ["--fraction", "'1.5'"]),
        (["--views-missing", "1"], 2, ["--mechanism mcar"]),
        (["--views-missing", "3", "--mechanism", "mcar"], 2, ["3 views cannot be missing"]),
        (["--repeats", "0"], 2, ["'0'"]),
        (["-m", "wkn"], 2, ["'wkn'", "did you mean"]),
        (["--labels", "none.tsv"], 3, ["none.tsv"]),
    ],
)
def test_bad_arguments(mkc, views, tmp_path, arguments, code, parts):
    expect(mkc("evaluate", *views, "-o", "out", *arguments), code, *parts)
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv", "c.csv"]


def test_nothing_to_hide(mkc, kernels):
    expect(mkc("evaluate", "kernels.npz", "-o", "out"), 3, "nothing is missing", "--mechanism mcar")
    expect(mkc("evaluate", "kernels.npz:x", "-o", "out", "--mechanism", "mcar"), 3, "one view only")


def test_edited_trials_are_run_again(mkc, views, tmp_path):
    arguments = ("evaluate", *views, "-o", "out", "-m", "knn", "--repeats", 2)
    assert mkc(*arguments).code == 0
    before = scores(tmp_path / "out")
    cells = sorted((tmp_path / "out/cells").iterdir())
    text = cells[0].read_text()
    stored = json.loads(text)
    assert len(stored["digest"]) == 64
    stored["views"][0]["are"] = 0.001
    cells[0].write_text(json.dumps(stored))
    again = mkc(*arguments)
    assert again.code == 0, again.err
    assert f"{len(cells) - 1} of {len(cells)} trials are already finished" in again.err
    assert scores(tmp_path / "out") == before


def test_trials_without_a_digest_are_those_of_version_0_1(mkc, views, tmp_path):
    arguments = ("evaluate", *views, "-o", "out", "-m", "knn", "--repeats", 2)
    assert mkc(*arguments).code == 0
    for path in (tmp_path / "out/cells").iterdir():
        stored = json.loads(path.read_text())
        del stored["digest"]
        path.write_text(json.dumps(stored, indent=1))
    again = mkc(*arguments)
    assert "trials are already finished" in again.err
