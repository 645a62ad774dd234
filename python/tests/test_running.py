"""Long runs: Ctrl-C, callbacks, progress, and other threads that keep running."""

import os
import signal
import subprocess
import sys
import textwrap
import threading
import time

import numpy as np
import pytest
from conftest import random_problem

import mkc

ENDLESS = dict(method="embd_hm", c2=0.5, ridge=0.01, tol=0, max_iter=1_000_000)


@pytest.fixture
def problem():
    return random_problem(2, n=80)[0]


@pytest.mark.filterwarnings("ignore")
def test_ctrl_c(problem):
    timer = threading.Timer(0.5, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    start = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        mkc.complete(problem, **ENDLESS)
    assert time.monotonic() - start < 20
    assert mkc.complete(problem, method="mean").converged  # the next call works


@pytest.mark.filterwarnings("ignore")
def test_callback_gets_progress_and_can_stop(problem):
    seen = []

    def callback(phase, iteration, max_iterations, objective):
        seen.append((phase, iteration, max_iterations, objective))
        return len(seen) < 3

    found = mkc.complete(problem, callback=callback, **ENDLESS)
    assert found.status == "interrupted" and not found.converged
    assert len(seen) == 3 and seen[0][1] <= seen[1][1] <= seen[2][1]
    assert all(np.isfinite(k).all() for k in found.arrays)


@pytest.mark.filterwarnings("ignore")
def test_exception_of_a_callback_is_raised(problem):
    def callback(*_):
        raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        mkc.complete(problem, callback=callback, **ENDLESS)


@pytest.mark.filterwarnings("ignore")
def test_other_threads_keep_running(problem):
    ticks = []
    done = threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.monotonic())
            time.sleep(0.01)

    thread = threading.Thread(target=tick, daemon=True)
    thread.start()
    stop_at = time.monotonic() + 0.6
    mkc.complete(problem, callback=lambda *_: time.monotonic() < stop_at, **ENDLESS)
    done.set()
    thread.join()
    assert len(ticks) > 10  # one or two if the global interpreter lock were held


@pytest.mark.filterwarnings("ignore")
def test_progress_is_shown_on_standard_error(problem, capfd):
    stop_at = time.monotonic() + 0.4
    mkc.complete(problem, verbose=1, callback=lambda *_: time.monotonic() < stop_at, **ENDLESS)
    out, err = capfd.readouterr()
    assert "mkc:" in err and out == ""


def test_interrupt_of_an_evaluation():
    """In a new process, like a script that the user stops."""
    code = textwrap.dedent(
        """
        import sys; sys.path.insert(0, sys.argv[1])
        from conftest import random_problem
        import mkc
        print("started", flush=True)
        mkc.evaluate(random_problem(2, n=80)[0], "embd_hm,c2=0.5,ridge=0.01,tol=0,max_iter=1000000", n_jobs=2)
        """
    )
    process = subprocess.Popen(
        [sys.executable, "-c", code, os.path.dirname(__file__)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert process.stdout.readline() == "started\n"
    time.sleep(1.0)
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert "KeyboardInterrupt" in err and process.returncode != 0


def test_long_calls_of_blas_are_left_behind():
    """Each call takes much longer, most of it in single calls of LAPACK and between reports."""
    code = textwrap.dedent(
        """
        import os, signal, threading, time
        import numpy as np
        import mkc
        points = np.random.default_rng(0).normal(size=(3, 2000))
        kernels = [np.exp(-0.1 * np.subtract.outer(x, x) ** 2) for x in points]
        for m, K in enumerate(kernels):
            K[m::9] = K[:, m::9] = np.nan
        small = [K[:30, :30] for K in kernels]
        for call in (
            lambda: mkc.complete(kernels),
            lambda: mkc.complete(kernels, method="latent"),
            lambda: mkc.evaluate(kernels, "transfer", n_jobs=2),
            lambda: mkc.inspect(kernels),
        ):
            threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
            start = time.monotonic()
            try:
                call()
            except KeyboardInterrupt:
                print(time.monotonic() - start - 0.3, mkc.complete(small, method="mean").status, flush=True)
        os.kill(os.getpid(), signal.SIGINT)
        """
    )
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=120)
    answers = [line.split() for line in run.stdout.splitlines()]
    assert len(answers) == 4 and run.returncode == -signal.SIGINT, (run.stdout, run.stderr)
    assert all(float(seconds) < 10 and status == "converged" for seconds, status in answers), answers
