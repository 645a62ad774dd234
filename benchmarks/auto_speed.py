#!/usr/bin/env python3
"""Compares two builds of the tool in one run: seconds, CPU seconds and error of `auto`, or of another method.

    MKC_DATA=... benchmarks/auto_speed.py OLD NEW [--only NAME+NAME] [--repeat 3] [--method auto] [--threads 2]

OLD and NEW are two programs `mkc`. Both complete the same files, in turn, with error intervals; the hidden truth is
known here alone. Prints a Markdown table: median seconds and CPU seconds of both, old over new, the mean relative
error of the hidden rows in percent, new over old, and the share of hidden rows in their 90 % interval. `demo` is
`mkc demo`, which measures its own error. NAME: one of those below, or a part of it (`mfeat` = all of mfeat); default:
SHOWN. Needs NumPy and SciPy.
"""

import argparse
import json
import os
import pathlib
import resource
import statistics
import subprocess
import sys
import tempfile
import time

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "scripts"))
from figure_sets import SETS, load, load_authors, load_mfeat, load_reuters  # noqa: E402
from figures import coverage, error  # noqa: E402


def many_views():
    """30 samples x 30 views: Gaussian kernels of noisy looks at one state, 30 % of the pairs hidden."""
    random = np.random.default_rng(1)
    state, views = random.standard_normal((30, 4)), []
    for _ in range(30):
        x = np.tanh(state @ random.standard_normal((4, 8))) + 0.3 * random.standard_normal((30, 8))
        d = ((x[:, None] - x[None]) ** 2).sum(axis=2)
        views.append(np.exp(-d / np.median(d[d > 0])))
    observed = random.random((30, 30)) > 0.3
    observed[np.arange(30), np.arange(30)] = True
    return np.array(views), observed


PROBLEMS = {"30 x 30": many_views}
PROBLEMS.update({name: lambda k=k, m=m: load(k, m) for name, k, m in SETS})
PROBLEMS.update({f"reuters {s} miss{k}": lambda s=s, k=k: load_reuters(k, s) for s in ("s0", "s1") for k in (1, 2, 3)})
PROBLEMS.update({f"mfeat {s} miss{k}": lambda s=s, k=k: load_mfeat(k, s) for s in ("s0", "s1") for k in (1, 2, 3)})
PROBLEMS.update(
    {
        f"{name} level{level + 1} split{split}": lambda n=name, lv=level, s=split: load_authors(n, lv, s)
        for name in ("TOYL", "TOYG1", "TOYG10", "TOYLG1", "DRM25")
        for level in range(3)
        for split in range(10)
    }
)
SHOWN = ["demo", "cvkt_digits missing30", "mfeat s0 miss2", "reuters s0 miss2", "30 x 30"]


def timed(command):
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    output = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    seconds, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return output, seconds, cpu


def run_demo(binary, method, threads, folder):
    command = [binary, "demo", "-m", method, "-t", threads, "-o", f"{folder}/demo", "-f", "--json"]
    output, seconds, cpu = timed(command)
    value = np.mean([view["are"] for view in json.loads(output)["views"]])
    return {"seconds": seconds, "cpu": cpu, "error": value, "inside": (0, 0)}


def run_kernels(binary, method, threads, folder, problem):
    truth, observed = problem
    extra = [] if method.startswith("auto") else ["--quality"]
    files = [f"{folder}/k.npz", "-o", f"{folder}/out", "-f", "--json"]
    command = [binary, "complete", *files, "-m", method, "-t", threads, *extra]
    _, seconds, cpu = timed(command)
    completed = np.load(f"{folder}/out/kernels.npz")
    estimate = [completed[f"v{m}"] for m in range(len(truth))]
    inside = coverage(folder, truth, estimate) if (pathlib.Path(folder) / "out" / "quality.tsv").exists() else (0, 0)
    value = error(truth, estimate, observed)
    return {"seconds": seconds, "cpu": cpu, "error": value, "inside": inside}


def write(problem, folder):
    truth, observed = problem
    hidden = truth.copy()
    for m in range(len(truth)):
        hidden[m][~observed[:, m]] = np.nan
        hidden[m][:, ~observed[:, m]] = np.nan
    np.savez(f"{folder}/k.npz", **{f"v{m}": k for m, k in enumerate(hidden)})


def compare(name, binaries, method, threads, repeat):
    """One list of runs per binary, taken in turn."""
    runs = [[] for _ in binaries]
    with tempfile.TemporaryDirectory() as folder:
        problem = None if name == "demo" else PROBLEMS[name]()
        if problem is not None:
            write(problem, folder)
        for _ in range(repeat):
            for binary, list_of_runs in zip(binaries, runs, strict=True):
                if problem is None:
                    list_of_runs.append(run_demo(binary, method, threads, folder))
                else:
                    list_of_runs.append(run_kernels(binary, method, threads, folder, problem))
    return runs


def row_of(name, runs):
    old, new = ({k: statistics.median(run[k] for run in part) for k in ("seconds", "cpu", "error")} for part in runs)
    inside = ["-" if not part[0]["inside"][1] else f"{100 * np.divide(*part[0]['inside']):.1f}" for part in runs]
    return (
        f"| {name} | {old['seconds']:.2f} | {new['seconds']:.2f} | {old['seconds'] / new['seconds']:.2f} "
        f"| {old['cpu']:.2f} | {new['cpu']:.2f} | {old['cpu'] / new['cpu']:.2f} "
        f"| {old['error']:.3f} | {new['error']:.3f} | {new['error'] / old['error']:.4f} | {inside[0]} | {inside[1]} |"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("old")
    parser.add_argument("new")
    parser.add_argument("--only", help="NAME+NAME")
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--method", default="auto")
    parser.add_argument("--threads", default=str(os.cpu_count()))
    arguments = parser.parse_args()
    names = SHOWN
    if arguments.only:
        wanted = arguments.only.split("+")
        names = [name for name in ["demo", *PROBLEMS] if any(part in name for part in wanted)]
    columns = ["data", "s old", "s new", "ratio", "CPU s old", "CPU s new", "ratio", "error old", "error new", "ratio"]
    columns += ["in, old", "in, new"]
    print("| " + " | ".join(columns) + " |\n|" + "---|" * len(columns))
    sums = np.zeros(2)
    inside = np.zeros((2, 2))
    for name in names:
        runs = compare(name, (arguments.old, arguments.new), arguments.method, arguments.threads, arguments.repeat)
        print(row_of(name, runs), flush=True)
        sums += [np.log(part[0]["error"]) for part in runs]
        inside += [part[0]["inside"] for part in runs]
    ratio = np.exp((sums[1] - sums[0]) / len(names))
    covered = " and ".join(f"{100 * a / b:.1f} %" for a, b in inside if b)
    print(f"\nMean of the error ratios {ratio:.4f}; rows in their interval: {covered}.")


if __name__ == "__main__":
    main()
