"""Iterative methods: progress, interrupts, and runs that do not converge."""

import json
import os
import pty
import signal
import subprocess
import time

import numpy as np
import pytest
from conftest import BINARY

ENDLESS = "embd_hm,c2=0.5,ridge=0.01,tol=0,max_iter=1000000"


@pytest.fixture
def gaps(tmp_path):
    """A kernel problem of 80 samples in three views, a third of the rows missing."""
    random = np.random.default_rng(2)
    state = random.normal(size=(80, 4))
    arrays = {}
    for m, name in enumerate("abc"):
        x = np.tanh(state @ random.normal(size=(4, 8)))
        squared = ((x[:, None] - x[None]) ** 2).sum(-1)
        kernel = np.exp(-0.3 * squared)
        lost = np.arange(80) % 3 == m
        kernel[lost] = kernel[:, lost] = np.nan
        arrays[name] = kernel
    np.savez(tmp_path / "k.npz", **arrays)
    return "k.npz"


def test_interrupt_keeps_the_best_so_far(gaps, tmp_path):
    process = subprocess.Popen(
        [BINARY, "complete", gaps, "-m", ENDLESS, "-o", "out"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130, err
    assert "the best result so far is in out" in err
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    assert meta["status"] == "interrupted"
    assert all(np.isfinite(np.load(tmp_path / "out" / "kernels.npz")[v]).all() for v in "abc")


def interrupt(folder, *arguments):
    """Runs mkc and interrupts it when there is a first result."""
    for seconds in (0.5, 3, 15, 60):  # a loaded machine may need more
        process = subprocess.Popen(
            [BINARY, *arguments], cwd=folder, stderr=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        time.sleep(seconds)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate(timeout=120)
        assert process.returncode in (130, -signal.SIGINT), err
        if process.returncode == 130 and "before the first result" not in err:
            return out + err
    pytest.fail("no result after a minute")


def test_interrupt_does_not_replace_a_finished_result(mkc, gaps, tmp_path):
    outputs = ["-o", "out", "--save-model", "m.npz", "--report", "r.html"]
    assert mkc("complete", gaps, "-m", "knn", "--quality", *outputs).code == 0
    (tmp_path / "out" / "notes.txt").write_text("mine")
    names = ("out/kernels.npz", "out/quality.tsv", "out/meta_info.json", "out/notes.txt", "m.npz", "r.html")
    before = {name: (tmp_path / name).read_bytes() for name in names}

    said = interrupt(tmp_path, "complete", gaps, "-m", ENDLESS, *outputs, "--force")
    assert f"the best result so far is in {tmp_path}/out.interrupted; the finished one in out is kept" in said
    assert "report: r.interrupted.html" in said and "m.interrupted.npz" in said
    assert before == {name: (tmp_path / name).read_bytes() for name in names}
    meta = json.loads((tmp_path / "out.interrupted" / "meta_info.json").read_text())
    assert meta["status"] == "interrupted" and meta["files"] == sorted(os.listdir(tmp_path / "out.interrupted"))
    assert (tmp_path / "m.interrupted.npz").exists() and (tmp_path / "r.interrupted.html").exists()

    interrupt(tmp_path, "complete", gaps, "-m", ENDLESS, "-o", "out", "--force")
    assert (tmp_path / "out.interrupted-2" / "kernels.npz").exists()
    said = interrupt(tmp_path, "complete", gaps, "-m", ENDLESS, "-o", "out.interrupted", "--force")
    assert "is in out.interrupted" in said and not list(tmp_path.glob("out.interrupted.*")), "it was interrupted too"
    assert mkc("complete", gaps, "-m", "knn", "-o", "out.interrupted", "--force").code == 0
    assert not [name for name in os.listdir(tmp_path) if name.startswith(".")]


def test_interrupted_evaluation_does_not_replace_a_finished_one(mkc, gaps, tmp_path):
    command = ["evaluate", gaps, "--repeats", "1", "-t", "1", "-o", "trial"]
    assert mkc(*command, "-m", "mean").code == 0
    before = (tmp_path / "trial" / "summary.tsv").read_bytes()

    def interrupt_trial(new_trials, *more):
        process = subprocess.Popen(
            [BINARY, *command, "-m", "wknn", "-m", ENDLESS, *more], cwd=tmp_path, stderr=subprocess.PIPE, text=True
        )
        deadline = time.monotonic() + 120
        while len(list((tmp_path / ".trial.cells").glob("*.json"))) < new_trials:
            assert time.monotonic() < deadline and process.poll() is None
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        err = process.communicate(timeout=120)[1]
        assert process.returncode == 130 and (tmp_path / "trial" / "summary.tsv").read_bytes() == before, err
        return err

    said = interrupt_trial(1)
    place = f"{tmp_path}/trial.interrupted"
    assert f"trials are in {place}; the finished one in trial is kept; run the same command again" in said
    assert json.loads((tmp_path / "trial.interrupted" / "meta_info.json").read_text())["status"] == "interrupted"
    again = mkc(*command, "-m", "wknn")  # the same trials, without the endless one
    assert again.code == 0 and "3 of 3 trials are already finished" in again.err, again.err
    before = (tmp_path / "trial" / "summary.tsv").read_bytes()

    said = interrupt_trial(2, "--force")  # the second one starts when the first one is known to be finished
    assert f"to continue, run it with -o {place}-2" in said
    assert sorted(os.listdir(tmp_path)) == [gaps, "trial", "trial.interrupted", "trial.interrupted-2"]


def run_on_terminal(arguments, folder):
    """Runs with a pseudo-terminal as standard error and returns what it shows."""
    main, side = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], cwd=folder, stderr=side, stdout=subprocess.DEVNULL)
    os.close(side)
    time.sleep(0.8)
    process.send_signal(signal.SIGINT)
    shown = b""
    while True:
        try:
            part = os.read(main, 65536)
        except OSError:  # the other end is closed
            break
        if not part:
            break
        shown += part
    process.wait(timeout=60)
    return shown.decode()


def test_progress_is_a_live_line_on_a_terminal(gaps, tmp_path):
    shown = run_on_terminal(["complete", gaps, "-m", ENDLESS, "-o", "out"], tmp_path)
    assert "\r" in shown and "iteration" in shown and "objective" in shown and "elapsed" in shown
    assert "left" in shown
    quiet = run_on_terminal(["complete", gaps, "-m", ENDLESS, "-o", "two", "--no-progress"], tmp_path)
    assert "iteration" not in quiet


def test_no_live_line_when_piped(mkc, gaps):
    result = mkc("complete", gaps, "-m", "embd_ht", "-o", "out")
    assert result.code == 0
    assert "\r" not in result.err and "\x1b" not in result.err


def test_not_converged(mkc, gaps, tmp_path):
    method = "embd_hm,c2=0.5,ridge=0.01,tol=0,max_iter=2"
    result = mkc("complete", gaps, "-m", method, "-o", "out")
    assert result.code == 0 and "not converged after 2 iterations" in result.err
    assert json.loads((tmp_path / "out" / "meta_info.json").read_text())["status"] == "max_iterations"
    assert mkc("complete", gaps, "-m", method, "-o", "strict", "--strict").code == 4
    assert (tmp_path / "strict" / "kernels.npz").exists()


def test_relations_are_written(mkc, gaps, tmp_path):
    assert mkc("complete", gaps, "-m", "embd_ht", "-o", "out").code == 0
    rows = [line.split("\t") for line in (tmp_path / "out" / "view_relations.tsv").read_text().splitlines()]
    assert rows[0] == ["view", "a", "b", "c"] and [r[0] for r in rows[1:]] == ["a", "b", "c"]
    weights = np.array([[float(v) for v in row[1:]] for row in rows[1:]])
    assert np.allclose(weights.sum(1), 1) and (weights >= 0).all() and (np.diag(weights) == 0).all()


def test_em_needs_a_complete_view(mkc, gaps):
    result = mkc("complete", gaps, "-m", "em", "-o", "out")
    assert result.code == 3
    assert "no view is complete" in result.err and "of 80" in result.err
