#!/usr/bin/env python3
"""What a user waits for: seconds and memory of `mkc complete` from files, error estimates and report included.

    MKC_DATA=... benchmarks/waiting.py MKC [--only NAME+NAME] [--methods auto+transfer] [--threads 2] [--large]
    benchmarks/waiting.py --into docs/benchmarks.md TABLE

Prints a Markdown table; real data that are not there are left out, with a note. --large: dense kernels of 2,000, 5,000
and 10,000 samples in three views instead, and the slopes of log CPU seconds over log N. A run that takes longer than
--limit seconds is stopped and said to be. The second form puts a table between the marker lines of a page. Needs NumPy
and SciPy.
"""

import argparse
import math
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

from report import put_into

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from figure_sets import SETS, load, load_mfeat, load_reuters  # noqa: E402

COLUMNS = ["data", "samples x views", "method", "seconds", "CPU seconds", "MiB"]
LARGE = (2000, 5000, 10000)


def synthetic(n, views=3):
    """Gaussian kernels of noisy looks at one five-dimensional state, 30 % of the pairs hidden."""
    random = np.random.default_rng(n)
    state = random.standard_normal((n, 5))
    for m in range(views):
        x = np.tanh(state @ random.standard_normal((5, 20))) + 0.3 * random.standard_normal((n, 20))
        squares = (x**2).sum(axis=1)
        kernel = squares[:, None] + squares[None, :]
        kernel -= 2 * x @ x.T
        kernel *= -1 / np.median(kernel[: min(n, 1000), : min(n, 1000)])
        np.fill_diagonal(kernel, 0)
        gone = random.random(n) < 0.3
        gone[m::views] = False  # no sample lacks all views
        yield kernel_without(np.exp(kernel, out=kernel), gone)


def kernel_without(kernel, gone):
    kernel[gone] = np.nan
    kernel[:, gone] = np.nan
    return kernel


def hidden(truth, observed):
    return [kernel_without(kernel.copy(), ~observed[:, m]) for m, kernel in enumerate(truth)]


def problems(large):
    """Name, and a function that gives the kernels with their gaps."""
    if large:
        return {f"synthetic {n}": lambda n=n: synthetic(n) for n in LARGE}
    shown = [one for one in SETS if one[0].endswith(("missing1", "missing30"))]
    found = {name: lambda k=k, m=m: hidden(*load(k, m)) for name, k, m in shown}
    found["reuters, two views missing"] = lambda: hidden(*load_reuters(2))
    found["mfeat, two views missing"] = lambda: hidden(*load_mfeat(2))
    found["synthetic 2000"] = lambda: synthetic(2000)
    return found


def peak_memory(pid):
    """In MiB, so far. Not that of getrusage, which counts this program too: a child begins as a copy of it."""
    try:
        lines = pathlib.Path(f"/proc/{pid}/status").read_text().splitlines()
    except OSError:
        return 0
    return sum(int(line.split()[1]) for line in lines if line.startswith("VmHWM")) / 1024


def timed(command, limit):
    """Wall-clock and CPU seconds and peak memory in MiB of one process; None where it was stopped."""
    start, peak = time.monotonic(), 0
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    while True:
        peak = max(peak, peak_memory(process.pid))
        pid, status, usage = os.wait4(process.pid, os.WNOHANG)
        seconds = time.monotonic() - start
        if pid:
            break
        if seconds > limit:
            process.kill()
            os.wait4(process.pid, 0)
            return None
        time.sleep(min(0.05, seconds / 50 + 0.001))
    if status:
        raise RuntimeError(f"{' '.join(map(str, command))}: {process.stderr.read().strip()}")
    return seconds, usage.ru_utime + usage.ru_stime, peak


def wait_for(mkc, folder, method, threads, limit):
    files = sorted(folder.glob("*.npy"))
    options = ["-m", method, "-t", str(threads), "--form", "dense", "--match-rows"]
    return timed([mkc, "complete", *files, "-o", folder / "out", "-f", *options], limit)


def row_text(name, size, method, figures, limit):
    if figures is None:
        return f"| {name} | {size} | `{method}` | more than {limit:.0f} | | |"
    seconds, cpu, memory = figures
    return f"| {name} | {size} | `{method}` | {seconds:.2f} | {cpu:.2f} | {memory:.0f} |"


def slopes(runs):
    """Of log CPU seconds over log N, for every method that finished at two sizes or more."""
    for method in dict.fromkeys(method for method, _, _ in runs):
        points = [(math.log(n), math.log(cpu)) for name, n, cpu in runs if name == method]
        if len(points) > 1:
            yield f"`{method}` {np.polyfit(*zip(*points), 1)[0]:.2f}"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("mkc", help="the tool, or with --into the table")
    parser.add_argument("--into", metavar="PAGE")
    parser.add_argument("--only", help="NAME+NAME: parts of the names of the data")
    parser.add_argument("--methods", default="auto+transfer+latent+knn")
    parser.add_argument("--threads", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=float, default=1200)
    parser.add_argument("--large", action="store_true")
    arguments = parser.parse_args()
    if arguments.into:
        put_into(arguments.into, pathlib.Path(arguments.mkc).read_text())
        return
    print("| " + " | ".join(COLUMNS) + " |\n|" + "---|" * len(COLUMNS))
    runs = []
    for name, kernels in problems(arguments.large).items():
        if arguments.only and not any(part in name for part in arguments.only.split("+")):
            continue
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            try:
                for m, kernel in enumerate(kernels()):
                    np.save(folder / f"view{m}.npy", kernel)
            except OSError as error:
                print(f"{name}: left out, {error}", file=sys.stderr)
                continue
            n, views = len(kernel), m + 1
            del kernel
            for method in arguments.methods.split("+"):
                figures = wait_for(arguments.mkc, folder, method, arguments.threads, arguments.limit)
                print(row_text(name, f"{n:,} x {views}", method, figures, arguments.limit), flush=True)
                if figures:
                    runs.append((method, n, figures[1]))
    if arguments.large:
        print("\nSlopes of log CPU seconds over log N: " + ", ".join(slopes(runs)) + ".")


if __name__ == "__main__":
    main()
