"""mkc experiment: the paper's protocol end to end, continuing after an interrupt, and mistakes."""

import json
import pathlib
import re
import signal
import subprocess
import sys
import time
import xml.etree.ElementTree as tree

import numpy as np
import pytest
from conftest import BINARY
from test_evaluate import read

SMALL = """
title = "small"
partitions = 2
views_missing = [1, 2]
methods = ["knn", "em", "mine", "mean"]

[[method]]
name = "mine"
spec = "embd_hm,ridge=0.01"
mkc = true
grid = { c2 = [0.1, 1] }

[[data]]
toy = "TOYG1"
recipe = "released"
paper = "TOYG1"
"""
STORED = """
views_missing = [1, 2]
partitions = 2
methods = ["knn", "em"]
[[data]]
name = "stored"
splits = "s.mat"
"""
FILES = ["errors.tsv", "ratios.tsv", "spectra.tsv", "spectra.svg"]  # these do not depend on the clock


@pytest.fixture
def small(tmp_path):
    (tmp_path / "small.toml").write_text(SMALL)
    return "small.toml"


def tables(folder):
    return [(folder / name).read_text() for name in FILES]


def test_list(mkc):
    result = mkc("experiment", "--list")
    assert result.code == 0
    assert [line.split()[0] for line in result.out.splitlines()] == [
        "authors",
        "dream",
        "literal",
        "more",
        "proportion",
        "rcv",
        "toy",
    ]


def test_from_beginning_to_end(mkc, small, tmp_path):
    result = mkc("experiment", small, "-o", "out", "-t", 2)
    assert result.code == 0, result.err
    assert "TOYG1:1" in result.out and "TOYG1:2" in result.out
    errors = read(tmp_path / "out" / "errors.tsv")
    assert len(errors) == 2 * 4
    assert {row["method"] for row in errors} == {"knn", "em", "mine", "mean"}
    for row in errors:
        assert float(row["are"]) > 0 and float(row["are_squared"]) > 0 and row["failed"] == "0"
    rows = read(tmp_path / "out" / "cells.tsv")
    for row in rows:
        if row["method"] in ("knn", "mine"):
            assert int(row["tried"]) == (6 if row["method"] == "knn" else 2)
        if row["method"] == "em":
            assert (row["hidden_rows"] == "0") == (row["view"] == "1"), "its first view is whole"
    # means in errors.tsv are over views, then over partitions
    partitions = {}
    for row in rows:
        if row["method"] == "knn" and row["views_missing"] == "2" and row["are"] != "NA":
            partitions.setdefault(row["partition"], []).append(float(row["are"]))
    mean = np.mean([np.mean(views) for views in partitions.values()])
    knn = next(r for r in errors if r["method"] == "knn" and r["views_missing"] == "2")
    assert float(knn["are"]) == pytest.approx(mean, rel=1e-4)
    assert float(knn["paper"]) == 52.18
    ratio = read(tmp_path / "out" / "ratios.tsv")[0]
    assert ratio["best"] == "mine" and float(ratio["paper"]) == pytest.approx(5.02 / 42.89, rel=1e-4)
    page = (tmp_path / "out" / "results.md").read_text()
    assert "`mkc experiment small.toml`" in page and "![spectra.svg](spectra.svg)" in page
    tree.parse(tmp_path / "out" / "spectra.svg")
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    assert meta["status"] == "finished" and meta["cells"] == 2 * 2 * 4
    stored = [json.loads(p.read_text()) for p in (tmp_path / "out" / "cells").iterdir()]
    assert len(stored) == 16
    for trial in stored:
        assert {"seed", "partition", "views_missing", "method"} <= trial["parameters"].keys()
        assert trial["seconds"] >= 0 and len(trial["views"]) == 5


def test_threads_do_not_change_the_tables(mkc, small, tmp_path):
    for threads in (1, 3):
        assert mkc("experiment", small, "-o", f"t{threads}", "-t", threads).code == 0
    assert tables(tmp_path / "t1") == tables(tmp_path / "t3")


def test_the_seed_decides(mkc, small, tmp_path):
    for name, seed in (("a", 1), ("b", 1), ("c", 2)):
        assert mkc("experiment", small, "-o", name, "--seed", seed, "-m", "knn").code == 0
    assert tables(tmp_path / "a") == tables(tmp_path / "b") != tables(tmp_path / "c")


def test_finished_trials_are_not_run_again(mkc, small, tmp_path):
    assert mkc("experiment", small, "-o", "out", "-m", "knn").code == 0
    before = (tmp_path / "out" / "cells.tsv").read_text()
    more = mkc("experiment", small, "-o", "out")
    assert more.code == 0 and "4 of 16 trials are already finished" in more.err
    again = mkc("experiment", small, "-o", "out", "-m", "knn")
    assert again.code == 0 and "4 of 4 trials are already finished" in again.err
    assert (tmp_path / "out" / "cells.tsv").read_text() == before, "seconds too"
    forced = mkc("experiment", small, "-o", "out", "-m", "knn", "--force")
    assert forced.code == 0 and "already" not in forced.err


def test_shards_share_the_trials_of_one_output(mkc, small, tmp_path):
    assert mkc("experiment", small, "-o", "alone").code == 0
    for i in (1, 2):
        done = mkc("experiment", small, "-o", "out", "--shard", f"{i}/2")
        assert done.code == 0 and f"shard {i}/2 is finished" in done.err, done.err
    assert not (tmp_path / "out").exists()
    done = mkc("experiment", small, "-o", "out")
    assert done.code == 0 and "trials are already finished" in done.err
    assert tables(tmp_path / "out") == tables(tmp_path / "alone")


@pytest.mark.parametrize("how", [signal.SIGINT, signal.SIGKILL])
def test_interrupted_runs_give_the_same_tables(mkc, small, tmp_path, how):
    slow = (
        SMALL.replace('"mean"]', '"mean", "slow"]')
        + """
[[method]]
name = "slow"
spec = "embd_hm,c2=0.5,ridge=0.01,tol=0,max_iter=1500"
"""
    )
    (tmp_path / "small.toml").write_text(slow)
    assert mkc("experiment", small, "-o", "whole", "-t", 2).code == 0
    command = [BINARY, "experiment", "small.toml", "-o", "out", "-t", "1"]
    process = subprocess.Popen(command, cwd=tmp_path, stderr=subprocess.PIPE, text=True)
    deadline = time.monotonic() + 60
    while len(list((tmp_path / ".out.cells").glob("*.json"))) < 3:
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.005)
    process.send_signal(how)
    process.wait(timeout=60)
    assert process.returncode != 0
    kept = len(list((tmp_path / ("out/cells" if how == signal.SIGINT else ".out.cells")).glob("*.json")))
    assert 3 <= kept < 20
    resumed = mkc("experiment", small, "-o", "out", "-t", 2)
    assert resumed.code == 0 and "of 20 trials are already finished" in resumed.err
    assert tables(tmp_path / "out") == tables(tmp_path / "whole")
    assert not (tmp_path / ".out.cells").exists()


def test_a_failed_trial_does_not_stop_the_others(mkc, tmp_path):
    text = (
        SMALL.replace('["knn", "em", "mine", "mean"]', '["em", "knn"]')
        + """
[[method]]
name = "em"
"""
    )
    (tmp_path / "fails.toml").write_text(text)  # em without a complete view
    result = mkc("experiment", "fails.toml", "-o", "out")
    assert result.code == 0
    assert "note: em on TOYG1: 2 of 2 trials failed" in result.err
    rows = read(tmp_path / "out" / "errors.tsv")
    assert [(row["method"], row["failed"]) for row in rows] == [("em", "2"), ("knn", "0")] * 2
    assert "failed in 2 of 2 trials" in (tmp_path / "out" / "results.md").read_text()


def test_missing_data_sets_are_left_out(mkc, small, tmp_path):
    (tmp_path / "more.toml").write_text(
        SMALL
        + """
[[data]]
name = "absent"
[[data.view]]
file = "nothing/here.csv"
"""
    )
    result = mkc("experiment", "more.toml", "-o", "out", "-m", "knn", env={"MKC_DATA": str(tmp_path)})
    assert result.code == 0 and "note: absent is left out" in result.err
    assert {row["data"] for row in read(tmp_path / "out" / "errors.tsv")} == {"TOYG1"}
    alone = mkc("experiment", "dream", "-o", "none", env={"MKC_DATA": ""})
    assert alone.code == 3 and "MKC_DATA" in alone.err
    assert not (tmp_path / "none").exists()


def test_files_as_data(mkc, tmp_path):
    random = np.random.default_rng(0)
    ids = np.array([f"s{i}" for i in range(40)])
    state = random.normal(size=(40, 3))
    arrays = {}
    for name in "ab":
        x = state @ random.normal(size=(3, 4))
        arrays[name] = np.exp(-((x[:, None] - x[None]) ** 2).sum(-1) / 10)
    np.savez(tmp_path / "k.npz", samples=ids, **arrays)
    (tmp_path / "files.toml").write_text("""
views_missing = [1]
partitions = 1
methods = ["knn", "mean"]
[[data]]
name = "mine"
leave_out = ["s3"]
[[data.view]]
file = "k.npz"
""")
    result = mkc("experiment", "files.toml", "-o", "out", "--data", ".")
    assert result.code == 0, result.err
    spectra = read(tmp_path / "out" / "spectra.tsv")
    assert len(spectra) == 2 * 39
    values = np.linalg.eigvalsh(np.delete(np.delete(arrays["a"], 3, 0), 3, 1))[::-1]
    assert float(spectra[0]["eigenvalue"]) == pytest.approx(values[0] / 39, rel=1e-5)


@pytest.mark.parametrize("per_split", [False, True])
def test_stored_splits(mkc, tmp_path, per_split):
    """The layout of the authors' files: samples of each split, masks per level, 1 = observed."""
    savemat = pytest.importorskip("scipy.io").savemat
    random = np.random.default_rng(1)
    x = [random.normal(size=(20, 3)) for _ in range(3)]
    kernels = np.stack([np.exp(-((a[:, None] - a[None]) ** 2).sum(-1) / 6) for a in x], axis=-1)
    order = np.array([random.permutation(20) + 1 for _ in range(2)])
    masks = {"IDmisCv": (2, 5, 3, 2), "IDmisTest": (2, 10, 3, 2)}
    arrays = {}
    for name, shape in masks.items():
        stack = np.ones(shape)
        for split, sample, level in np.ndindex(2, shape[1], 2):
            lost = random.permutation(3)[: level + 1]
            stack[split, sample, lost, level] = 0
        arrays[name] = stack if per_split else stack[0]
    savemat(
        tmp_path / "s.mat",
        {"K": kernels, "IDtr": order[:, :5], "IDval": order[:, 5:10], "IDts": order[:, 10:], **arrays},
    )
    (tmp_path / "stored.toml").write_text(STORED)
    result = mkc("experiment", "stored.toml", "-o", "out", "--data", ".")
    assert result.code == 0, result.err
    for row in read(tmp_path / "out" / "cells.tsv"):
        split, view, level = (int(row[k]) - 1 for k in ("partition", "view", "views_missing"))
        if row["method"] == "knn":
            mask = arrays["IDmisTest"][split] if per_split else arrays["IDmisTest"]
            assert int(row["hidden_rows"]) == (mask[:, view, level] == 0).sum()
        elif view == 0:
            assert row["hidden_rows"] == "0"
    # the errors are those of the test rows, completed from whole and test rows alone
    rows = np.r_[order[0, :5], order[0, 10:]] - 1
    observed = np.vstack([np.ones((5, 3)), (arrays["IDmisTest"][0] if per_split else arrays["IDmisTest"])[:, :, 0]]) > 0
    truth = kernels[np.ix_(rows, rows)]
    gaps = {}
    for m in range(3):
        gaps[f"v{m}"] = truth[:, :, m].copy()
        gaps[f"v{m}"][~observed[:, m]] = np.nan
        gaps[f"v{m}"][:, ~observed[:, m]] = np.nan
    np.savez(tmp_path / "gaps.npz", samples=np.array([str(r) for r in rows]), **gaps)
    lines = [
        r
        for r in read(tmp_path / "out" / "cells.tsv")
        if r["method"] == "knn" and r["partition"] == "1" and r["views_missing"] == "1"
    ]
    assert mkc("complete", "gaps.npz", "-m", lines[0]["used"], "-o", "done").code == 0
    done = np.load(tmp_path / "done" / "kernels.npz")
    for m, line in enumerate(lines):
        lost = ~observed[:, m]
        if lost.any():
            ratio = np.linalg.norm((done[f"v{m}"] - truth[:, :, m])[lost], axis=1) / np.linalg.norm(
                truth[lost, :, m], axis=1
            )
            assert float(line["are"]) == pytest.approx(100 * ratio.mean(), rel=1e-4)


def copied_into_docs(tmp_path):
    """The script in a repository of its own, and its docs folder."""
    source = pathlib.Path(__file__).resolve().parents[2] / "experiments" / "into_docs.py"
    (tmp_path / "repo" / "experiments").mkdir(parents=True)
    for name in ("images", "results"):
        (tmp_path / "repo" / "docs" / name).mkdir(parents=True)
    script = tmp_path / "repo" / "experiments" / "into_docs.py"
    script.write_text(source.read_text())
    return script, tmp_path / "repo" / "docs"


def test_ratios_of_the_full_versions_are_in_one_table(tmp_path):
    script, docs = copied_into_docs(tmp_path)
    page = docs / "results.md"
    page.write_text("<!-- ratios: begin -->\n<!-- ratios: end -->\n")
    (docs / "results" / "toy.md").write_text(
        "".join(f"<!-- experiment {name}: begin -->\n<!-- experiment {name}: end -->\n" for name in ("toy-full", "toy"))
    )
    head = "data\tviews_missing\tbest\tbest_over_knn\tpaper\tauto_over_knn\n"
    for name, rows in (
        ("toy-full", "TOYL\t1\tapp\t0.25\t0.2\t0.125\nTOYL\t2\tsdp\t0.5\t0.3\t0.25\nmine\t1\tapp\t1\tNA\t1\n"),
        ("toy", "TOYL\t1\tapp\t9\t9\t9\n"),
    ):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.md").write_text("text\n")
        (tmp_path / name / "ratios.tsv").write_text(head + rows)
    subprocess.run([sys.executable, script, tmp_path / "toy", tmp_path / "toy-full"], check=True)
    lines = [line for line in page.read_text().splitlines() if line.startswith("| ")]
    assert lines[1:] == ["| TOYL | 0.25 / 0.5 | `app` / `sdp` | 0.2 / 0.3 | 0.12 / 0.25 |"]


def test_results_are_put_into_their_page(mkc, small, tmp_path):
    assert mkc("experiment", small, "-o", "toy", "-m", "knn").code == 0
    assert "| level |" in (tmp_path / "toy" / "results.md").read_text()
    script, docs = copied_into_docs(tmp_path)
    page = docs / "results" / "toy.md"
    page.write_text("before\n<!-- experiment toy: begin -->\nold\n<!-- experiment toy: end -->\nafter\n")
    for _ in range(2):  # a second time changes nothing
        subprocess.run([sys.executable, script, tmp_path / "toy"], check=True)
        text = page.read_text()
        assert text.startswith("before\n") and text.endswith("-->\nafter\n") and "old" not in text
        assert "| `knn` |" in text and "![spectra.svg](../images/toy-spectra.svg)" in text
        assert "| level |" not in text and "seconds" not in text
    tree.parse(docs / "images" / "toy-spectra.svg")


def test_rows_of_some_methods_are_added_to_the_tables(mkc, small, tmp_path):
    assert mkc("experiment", small, "-o", "toy", "-m", "knn").code == 0
    assert mkc("experiment", small, "-o", "toy+rows", "-m", "mean").code == 0
    script, docs = copied_into_docs(tmp_path)
    page = docs / "results" / "toy.md"
    page.write_text("<!-- experiment toy: begin -->\n<!-- experiment toy: end -->\n")
    subprocess.run([sys.executable, script, tmp_path / "toy"], check=True)
    alone = page.read_text()
    for _ in range(2):  # a second time changes nothing
        subprocess.run([sys.executable, script, tmp_path / "toy+rows"], check=True)
        text = page.read_text()
        assert text.count("Rows `mean` are of another run") == 1 and "-m mean" in text
        both = re.findall(r"\| `knn` \|[^\n]+\n\| `mean` \|", text)
        assert len(both) == alone.count("| `knn` |") == text.count("| `mean` |") == 4


def test_results_without_a_page_are_reported(tmp_path):
    script, docs = copied_into_docs(tmp_path)
    (docs / "results" / "toy.md").write_text("<!-- experiment toy-full: begin -->\n<!-- experiment toy-full: end -->\n")
    for name in ("toy", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "results.md").write_text("text\n")
    done = subprocess.run(
        [sys.executable, script, tmp_path / "toy", tmp_path / "other"], check=True, capture_output=True, text=True
    )
    assert "for 'toy'" in done.stderr and "for 'other'" in done.stderr
    assert "text" not in (docs / "results" / "toy.md").read_text()


def test_mistakes(mkc, small, tmp_path):
    assert mkc("experiment").code == 2
    wrong = mkc("experiment", "toi")
    assert wrong.code == 2 and "did you mean 'toy'" in wrong.err
    assert mkc("experiment", "absent.toml").code == 3
    method = mkc("experiment", "toy", "-m", "kn", "-o", "out")
    assert method.code == 2 and "did you mean 'knn'" in method.err
    (tmp_path / "bad.toml").write_text(SMALL.replace("partitions", "partition"))
    bad = mkc("experiment", "bad.toml", "-o", "out")
    assert bad.code == 2 and "bad.toml, line 3" in bad.err and "partitions" in bad.err
    assert mkc("experiment", small, "--recipe", "other").code == 2
    (tmp_path / "taken").mkdir()
    (tmp_path / "taken" / "file").write_text("x")
    assert mkc("experiment", small, "-o", "taken").code == 2
    assert (tmp_path / "taken" / "file").read_text() == "x"
    dry = mkc("experiment", small, "--dry-run")
    assert dry.code == 0 and "16 trials" in dry.err
    assert not (tmp_path / "mkc_experiments").exists()


@pytest.mark.parametrize(
    "change, message",
    [
        ({"IDts": slice(0, 1)}, "IDts 1"),
        ({"IDmisCv": np.s_[..., :1]}, "no level 2"),
        ({"IDmisCv": slice(0, 1)}, "no split 2"),
    ],
)
def test_splits_that_do_not_fit_one_another_are_refused(mkc, tmp_path, change, message):
    savemat = pytest.importorskip("scipy.io").savemat
    random = np.random.default_rng(1)
    order = np.array([random.permutation(20) + 1 for _ in range(2)])
    arrays = {
        "K": np.stack([np.eye(20)] * 3, axis=-1),
        "IDtr": order[:, :5],
        "IDval": order[:, 5:10],
        "IDts": order[:, 10:],
        "IDmisCv": np.ones((2, 5, 3, 2)),
        "IDmisTest": np.ones((2, 10, 3, 2)),
    }
    for name, part in change.items():
        arrays[name] = arrays[name][part]
    savemat(tmp_path / "s.mat", arrays)
    (tmp_path / "stored.toml").write_text(STORED)
    result = mkc("experiment", "stored.toml", "-o", "out", "--data", ".")
    assert result.code != 0 and message in result.err, result.err
