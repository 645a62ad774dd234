#!/usr/bin/env python3
"""Seconds and memory of completion in factor form over the number of samples.

    benchmarks/scale.py MKC FOLDER [N ...]             (10000 100000; FOLDER holds the tables: 4 KB a sample)
    benchmarks/scale.py MKC FOLDER --analyses [N ...]  (the same of what works on the results, which must be there)
    benchmarks/scale.py MKC FOLDER --ids [N ...]       (of aligning ids: 'mkc plan' of three small shuffled tables)

Five views of 100 features from one ten-dimensional state, rbf, rank 100, 400 landmarks, 30 % of the rows missing, NPY
files.
Prints a table of wall-clock and CPU seconds, peak memory and errors, and the slopes of log seconds over log N.
"""

import json
import pathlib
import re
import resource
import subprocess
import sys
import time

import numpy as np
from waiting import timed

VIEWS, FEATURES, MISSING = 5, 100, 0.3


def write_tables(folder, n):
    """The same samples for every n: a smaller table is the beginning of a larger one."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = [folder / f"view{m}.npy" for m in range(VIEWS)]
    if all(path.exists() for path in paths):
        return paths
    weights = np.random.default_rng(0).normal(size=(VIEWS, 10, FEATURES)) / np.sqrt(10)
    tables = [np.lib.format.open_memmap(path, mode="w+", dtype="<f8", shape=(n, FEATURES)) for path in paths]
    for first in range(0, n, 10000):
        random = np.random.default_rng([1, first])
        state = random.normal(size=(10000, 10))
        gone = random.random((10000, VIEWS)) < MISSING
        gone[gone.all(1), 0] = False
        for m, table in enumerate(tables):
            x = np.tanh(state @ weights[m]) + 0.3 * random.normal(size=(10000, FEATURES))
            x[gone[:, m]] = np.nan
            table[first : first + 10000] = x[: n - first]
    return paths


def run(mkc, folder, n):
    paths = write_tables(folder / str(n), n)
    out = folder / f"result{n}"
    command = [
        mkc,
        "complete",
        *map(str, paths),
        "--match-rows",
        "--form",
        "factor",
        "--rank",
        "100",
        "--landmarks",
        "400",
    ]
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run([*command, "--memory", "4G", "-o", str(out), "--force", "--quiet"], check=True)
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    meta = json.loads((out / "meta_info.json").read_text())
    errors = [view["held_out_error"] for view in meta["quality"]["views"].values()]
    return {
        "N": n,
        "wall s": wall,
        "CPU s": after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime,
        "peak MiB": int(re.search(r"memory used at most: (\d+) MiB", (out / "mkc.log").read_text())[1]),
        "error": float(np.mean(errors)),
        "trace error": max(view["trace_error"] for view in meta["views"]),
    }


def analyses(mkc, folder, sizes):
    """What a user does with a result: axes, clusters, one kernel; two threads where there is a choice."""
    commands = {
        "embed": ["embed", "{result}", "--dimensions", "10", "-o", "{out}.tsv"],
        "embed --method latent": ["embed", "{result}", "--method", "latent", "--dimensions", "10", "-o", "{out}.tsv"],
        "cluster": ["cluster", "{result}", "-o", "{out}.tsv"],
        "combine": ["combine", "{result}", "-o", "{out}.npz"],
    }
    print("| command | N | wall s | CPU s | peak MiB |\n|---|---|---|---|---|")
    for name, command in commands.items():
        for n in sizes:
            places = {"result": folder / f"result{n}", "out": folder / f"analysis{n}"}
            filled = [part.format(**places) for part in command]
            wall, cpu, peak = timed([mkc, *filled, "--force", "--quiet"], 3600)
            print(f"| `{name}` | {n:,} | {wall:.0f} | {cpu:.0f} | {peak:.0f} |", flush=True)


def ids(mkc, folder, sizes):
    """Three tables of four columns, each with 80 % of N ids in an order of its own; the plan is small."""
    small = ["--rank", "4", "--landmarks", "20", "--anchors", "30", "--plan-sample", "500"]
    print("| N | wall s | CPU s | peak MiB |\n|---|---|---|---|")
    for n in sizes:
        random = np.random.default_rng(0)
        state, names = random.normal(size=(n, 3)), np.array([f"patient-{i:08d}" for i in range(n)])
        paths = [folder / f"ids{n}-{m}.npy" for m in range(3)]
        for path in paths:
            rows = random.permutation(n)[: n * 4 // 5]
            x = np.tanh(state[rows] @ random.normal(size=(3, 4))) + 0.3 * random.normal(size=(len(rows), 4))
            np.save(path, x)
            path.with_suffix(".samples").write_text("\n".join(names[rows]) + "\n")
        plan = [mkc, "plan", *map(str, paths), *small, "-o", str(folder / "ids-plan"), "--force", "--quiet"]
        wall, cpu, peak = timed(plan, 3600)
        print(f"| {n:,} | {wall:.0f} | {cpu:.0f} | {peak:.0f} |", flush=True)


def main():
    mkc, folder, *sizes = sys.argv[1:]
    for name, measure in {"--analyses": analyses, "--ids": ids}.items():
        if name in sizes:
            sizes.remove(name)
            return measure(mkc, pathlib.Path(folder), [int(size) for size in sizes or (10000, 100000)])
    rows = []
    print("| N | wall s | CPU s | peak MiB | error of hidden rows | trace error |\n|---|---|---|---|---|---|")
    for n in sorted(int(size) for size in sizes or (10000, 100000)):
        row = run(mkc, pathlib.Path(folder), n)
        rows.append(row)
        print(
            f"| {n:,} | {row['wall s']:.0f} | {row['CPU s']:.0f} | {row['peak MiB']:.0f} "
            f"| {100 * row['error']:.1f} % | {100 * row['trace error']:.1f} % |",
            flush=True,
        )
    if len(rows) > 1:
        for what in ("wall s", "CPU s"):
            logs = np.log([[row["N"], row[what]] for row in rows])
            print(f"\nslope of log {what} over log N: {np.polyfit(logs[:, 0], logs[:, 1], 1)[0]:.2f}")


if __name__ == "__main__":
    main()
