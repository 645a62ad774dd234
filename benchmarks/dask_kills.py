#!/usr/bin/env python3
"""Kills workers at random while mkc.distributed.complete runs, and compares the bits with those of the tool.

    benchmarks/dask_kills.py FOLDER [N] [KILLS]      (200000 samples, 4 views of 20 features, 20 kills, 2 workers)

Run by the Python in which mkc[dask] is installed. Small sizes of the method: the blocks take a second each.
"""

import filecmp
import os
import pathlib
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
from distributed import Client, LocalCluster

import mkc
from mkc import _steps

SIZES = {"rank": 20, "landmarks": 60, "anchors": 100, "plan_sample": 1000, "block": 4096}
VIEWS, FEATURES = 4, 20


def write_tables(folder, n):
    random = np.random.default_rng(0)
    state, paths = random.normal(size=(n, 6)), {}
    for m in range(VIEWS):
        x = np.tanh(state @ random.normal(size=(6, FEATURES))) + 0.3 * random.normal(size=(n, FEATURES))
        if m > 0:
            x[random.random(n) < 0.25] = np.nan
        paths[f"v{m}"] = folder / f"v{m}.npy"
        np.save(paths[f"v{m}"], x)
    return paths


def main():
    folder, n, kills = pathlib.Path(sys.argv[1]), *map(int, [*sys.argv[2:], *("200000", "20")[len(sys.argv) - 2 :]])
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("plain", "result", ".result.shards"):
        shutil.rmtree(folder / name, ignore_errors=True)
    paths = write_tables(folder, n)
    sizes = [word for name, value in SIZES.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    command = ["complete", *(f"{name}={path}" for name, path in paths.items()), "--match-rows", "--form", "factor"]
    start = time.monotonic()
    subprocess.run([_steps.tool(), *command, *sizes, "-t", "1", "--quiet", "-o", "plain"], cwd=folder, check=True)
    plain = time.monotonic() - start
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        done, killed, between = threading.Event(), [], (0.5, 3.5)  # seconds between kills

        def kill():
            drawn = np.random.default_rng(1)
            while len(killed) < kills and not done.wait(drawn.uniform(*between)):
                workers = client.run(os.getpid, on_error="ignore")
                if workers:
                    killed.append(workers[drawn.choice(sorted(workers))])
                    os.kill(killed[-1], signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        start = time.monotonic()
        try:
            mkc.distributed.complete(paths, folder / "result", client=client, match_rows=True, **SIZES)
            wall = time.monotonic() - start
        finally:
            done.set()
            killer.join()
    files = [*(f"factors/v{m}.npy" for m in range(VIEWS)), "extra.npy", "variance.npy", "quality.tsv", "samples.txt"]
    same = filecmp.cmpfiles(folder / "plain", folder / "result", files, shallow=False)[0] == files
    print(f"{n:,} x {VIEWS}: {len(killed)} workers killed, {'the same bits' if same else 'OTHER BITS'}; ", end="")
    print(f"wall-clock: tool, one thread {plain:.0f} s; two workers with kills {wall:.0f} s")
    sys.exit(0 if same and len(killed) == kills else 1)


if __name__ == "__main__":
    main()
