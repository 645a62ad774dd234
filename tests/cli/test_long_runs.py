"""Iterative methods: progress, interrupts, and runs that do not converge."""

import json
import os
import pty
import re
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


def run_on_terminal(arguments, folder, seconds=0.8):
    """Runs with a pseudo-terminal as standard error and returns what it shows."""
    main, side = pty.openpty()
    process = subprocess.Popen([BINARY, *arguments], cwd=folder, stderr=side, stdout=subprocess.DEVNULL)
    os.close(side)
    time.sleep(seconds)
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


@pytest.fixture(scope="module")
def large(tmp_path_factory):
    """1,500 samples in three kernels: single calls of LAPACK take seconds."""
    random = np.random.default_rng(3)
    state = random.normal(size=(1500, 4))
    arrays = {}
    for m, name in enumerate("abc"):
        x = np.tanh(state @ random.normal(size=(4, 8)))
        squares = (x * x).sum(1)
        kernel = np.exp(-0.3 * np.maximum(squares[:, None] + squares - 2 * x @ x.T, 0))
        kernel = (kernel + kernel.T) / 2
        lost = np.arange(1500) % 5 == m
        kernel[lost] = kernel[:, lost] = np.nan
        arrays[name] = kernel
    path = tmp_path_factory.mktemp("large") / "k.npz"
    np.savez(path, **arrays)
    return path


def start(folder, *arguments, **streams):
    return subprocess.Popen([BINARY, *map(str, arguments)], cwd=folder, text=True, **streams)


@pytest.mark.parametrize("signal_name", ["SIGINT", "SIGTERM"])
@pytest.mark.parametrize(
    "arguments",
    [
        ["complete", "-m", "auto", "-o", "out", "--save-model", "model.npz"],
        ["complete", "-m", "latent", "-o", "out"],
        ["evaluate", "-m", "latent", "-o", "out"],
        ["inspect"],
    ],
)
def test_interrupt_with_nothing_to_keep(large, tmp_path, arguments, signal_name):
    """Nobody has to wait until a matrix of this size is decomposed."""
    command, *options = arguments
    process = start(tmp_path, command, large, *options, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
    time.sleep(0.3)  # the kernels are read and checked for another second
    process.send_signal(getattr(signal, signal_name))
    sent = time.monotonic()
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130 and time.monotonic() - sent < 10, err
    if command == "evaluate" and "trials are in" in err:  # a quick machine has finished one of 'mean'
        assert [path.name for path in tmp_path.iterdir()] == ["out"]
    else:
        assert err.endswith("nothing was written\n") and not list(tmp_path.iterdir())


@pytest.fixture(scope="module")
def completed(large):
    """A result and a model of these samples, and rows of new ones."""
    folder = large.parent
    done = start(folder, "complete", large, "-m", "alone", "-o", "result", "--save-model", "model.npz", "-q")
    assert done.wait() == 0
    samples = np.load(folder / "result" / "kernels.npz")["samples"]
    known = samples[np.arange(1500) % 5 != 0]  # in view a
    rows = np.random.default_rng(4).random((200, len(known)))
    lines = [",".join(["id", *known]), *(f"new{i}," + ",".join(f"{x:.3f}" for x in row) for i, row in enumerate(rows))]
    (folder / "new.csv").write_text("\n".join(lines) + "\n")
    return folder


@pytest.mark.parametrize(
    "arguments",
    [
        ["kernel", "{}/k.npz", "-o", "out.npz"],
        ["combine", "{}/result", "-o", "out.npz"],
        ["report", "{}/result", "-o", "out.html"],
        ["predict", "{}/model.npz", "--view", "a={}/new.csv", "-o", "out"],
    ],
)
def test_interrupt_of_commands_without_a_method(completed, tmp_path, arguments):
    """They end at once, or with their whole result where they are writing it."""
    arguments = [argument.format(completed) for argument in arguments]
    codes = set()
    for delay in (0.05, 0.15, 0.4, 60):
        process = start(tmp_path, *arguments, "--force", stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            process.wait(delay)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGINT)
        sent = time.monotonic()
        _, err = process.communicate(timeout=120)
        if process.returncode == -signal.SIGINT and not err:  # the program was still being loaded
            continue
        assert process.returncode in (0, 130) and time.monotonic() - sent < 10, err
        assert process.returncode == 0 or "interrupted" in err
        codes.add(process.returncode)
        left = [path.name for path in tmp_path.iterdir() if not path.name.startswith("out")]
        assert not left and (process.returncode == 130 or list(tmp_path.iterdir())), err
    assert codes == {0, 130}


METHODS = ["auto", "transfer", "latent", "embd_ht", "embd_hm", "app", "sdp", "mkmc", "em", "knn"]


@pytest.mark.skipif(
    "MKC_INTERRUPT_SAMPLES" not in os.environ, reason="takes an hour: docs/decisions/0010-interrupts.md"
)
@pytest.mark.parametrize("method", [*METHODS, "inspect"])
def test_interrupt_at_random_times(tmp_path, method):
    """Prints the seconds from the signal to the first answer and to the end of the process."""
    n, random = int(os.environ["MKC_INTERRUPT_SAMPLES"]), np.random.default_rng()
    state = random.normal(size=(n, 4))
    arrays = {}
    for m, name in enumerate("abc"):
        x = np.tanh(state @ random.normal(size=(4, 8)))
        squares = (x * x).sum(1)
        kernel = np.exp(-0.3 * np.maximum(squares[:, None] + squares - 2 * x @ x.T, 0))
        kernel = (kernel + kernel.T) / 2
        if m > 0:  # em needs a complete view
            lost = random.permutation(n)[: n // 4]
            kernel[lost] = kernel[:, lost] = np.nan
        arrays[name] = kernel
    np.savez(tmp_path / "k.npz", **arrays)
    what = ["inspect", "k.npz"] if method == "inspect" else ["complete", "k.npz", "-m", method, "-o", "out", "--force"]
    for delay in (0.05, *random.exponential((n / 1000) ** 2 * 3, size=4)):
        process = start(tmp_path, *what, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL)
        try:
            process.wait(delay)
            continue
        except subprocess.TimeoutExpired:
            process.send_signal(random.choice([signal.SIGINT, signal.SIGTERM]))
        sent, answered = time.monotonic(), None
        for line in process.stderr:
            if line.startswith("interrupted") and answered is None:
                answered = time.monotonic() - sent
        process.wait()
        ended = time.monotonic() - sent
        print(
            f"{method} {n}: after {delay:.1f} s answered in {answered} s, ended in {ended:.2f} s: {process.returncode}"
        )
        assert min(answered or ended, ended) < 1 and process.returncode in (0, 130)


def wait_for(stream, pattern):
    """Reads until the pattern has come; what came before."""
    seen = ""
    while not re.search(pattern, seen):
        part = stream.readline()
        assert part, seen
        seen += part
    return seen


def test_slow_step_is_announced_and_can_be_left(large, tmp_path):
    """A result is at hand, but the step that is under way takes long."""
    options = ["-m", "transfer,gamma=0.5,ridge=0.02,intercept=yes,target=kernel,tol=0,max_iter=1000", "-o", "out"]
    main, side = pty.openpty()
    process = start(tmp_path, "complete", large, *options, "--threads", 1, stderr=side, stdout=subprocess.DEVNULL)
    os.close(side)
    with os.fdopen(main, errors="replace", newline="\r") as shown:
        wait_for(shown, "iteration [1-9][0-9]*/1000")  # which one is shown depends on the machine
        process.send_signal(signal.SIGINT)
        wait_for(shown, "interrupted")
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=60) in (-signal.SIGINT, 130)
    if process.returncode == -signal.SIGINT:  # else the step ended in time
        assert not (tmp_path / "out").exists()


def test_progress_moves_without_reports(large, tmp_path):
    """Also where the method is silent for long, the line on a terminal shows that it works."""
    shown = run_on_terminal(["complete", str(large), "-m", "auto", "-o", "out"], tmp_path, seconds=4.5)
    times = {part.split(" elapsed")[0][-5:] for part in shown.split("\r") if " elapsed" in part}
    assert len(times) >= 3, shown


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
