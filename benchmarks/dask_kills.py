#!/usr/bin/env python3
"""Kills workers at random while mkc.distributed.complete runs, and compares the bits with those of the tool.

    benchmarks/dask_kills.py FOLDER [N] [KILLS]      (200000 samples, 4 views of 20 features, 20 kills, 2 workers)

Run by the Python in which mkc[dask] is installed. Small sizes of the method: the blocks take a second each. The kills
are spread over the run: each waits for another share of the outputs, drawn at random, and up to a second more, whatever
the speed of the machine.
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
VIEWS, FEATURES, ROUNDS = 4, 20, 3


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


def outputs_of(work, shards):
    """How many outputs of tasks there have been: a plan, moments and a fit in each round, rows."""
    found = {path.name for path in work.glob("*")} if work.exists() else set()
    count = int("plan" in found)
    for r in range(1, ROUNDS + 1):
        merged = f"round-{r}-of-{shards}.npz" in found
        count += shards + 1 if merged else sum(name.startswith(f"round-{r}-of-{shards}-moments") for name in found)
    return count + sum(name.startswith("rows-") for name in found)


class Killer(threading.Thread):
    def __init__(self, client, work, shards, kills):
        super().__init__()
        self.client, self.work, self.shards = client, work, shards
        self.random, self.over, self.killed = np.random.default_rng(1), threading.Event(), []
        last = ROUNDS * (shards + 1) + shards
        self.moments = sorted(self.random.integers(0, last, kills).tolist())
        self.moments[0] = 0  # the first one while there is no plan

    def run(self):
        for moment in self.moments:
            while outputs_of(self.work, self.shards) < moment:
                if self.over.wait(0.05):
                    return
            if self.over.wait(self.random.uniform(0, 1)):
                return
            while not (workers := self.client.run(os.getpid, on_error="ignore")):
                if self.over.wait(0.2):
                    return
            self.killed.append(workers[self.random.choice(sorted(workers))])
            os.kill(self.killed[-1], signal.SIGKILL)


def main():
    given = [int(number) for number in sys.argv[2:]]
    folder, (n, kills) = pathlib.Path(sys.argv[1]).resolve(), [*given, *(200000, 20)[len(given) :]]
    folder.mkdir(parents=True, exist_ok=True)
    for name in ("plain", "result", ".result.shards"):
        shutil.rmtree(folder / name, ignore_errors=True)
    paths = write_tables(folder, n)
    sizes = [word for name, value in SIZES.items() for word in (f"--{name.replace('_', '-')}", str(value))]
    command = ["complete", *(f"{name}={path}" for name, path in paths.items()), "--match-rows", "--form", "factor"]
    start = time.monotonic()
    subprocess.run([_steps.tool(), *command, *sizes, "-t", "1", "--quiet", "-o", "plain"], cwd=folder, check=True)
    plain = time.monotonic() - start
    shards = -(-n // SIZES["block"])
    with LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        killer = Killer(client, folder / ".result.shards", shards, kills)
        killer.start()
        start = time.monotonic()
        try:
            mkc.distributed.complete(paths, folder / "result", client=client, match_rows=True, shards=shards, **SIZES)
            wall = time.monotonic() - start
        finally:
            killer.over.set()
            killer.join()
    files = [*(f"factors/v{m}.npy" for m in range(VIEWS)), "extra.npy", "variance.npy", "quality.tsv", "samples.txt"]
    same = filecmp.cmpfiles(folder / "plain", folder / "result", files, shallow=False)[0] == files
    killed = len(killer.killed)
    print(f"{n:,} x {VIEWS}: {killed} workers killed, {'the same bits' if same else 'OTHER BITS'}; ", end="")
    print(f"wall-clock: tool, one thread {plain:.0f} s; two workers with kills {wall:.0f} s")
    sys.exit(0 if same and killed == kills else 1)


if __name__ == "__main__":
    main()
