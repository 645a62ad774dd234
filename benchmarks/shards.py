#!/usr/bin/env python3
"""What sharding costs, and what it would give on many machines.

    benchmarks/shards.py measure MKC FOLDER [N]     one machine: CPU seconds beside the plain command, two processes
                                                    beside one, sizes of files, times of steps -> FOLDER/times.json
    benchmarks/shards.py dask FOLDER               seconds of Dask for a task -> FOLDER/times.json (needs dask)
    benchmarks/shards.py dask FOLDER               seconds that Dask spends on a task (needs dask)

Tables as in benchmarks/scale.py: five views of 100 features, 30 % of the rows missing.
"""

import concurrent.futures
import heapq
import json
import pathlib
import resource
import shutil
import subprocess
import sys
import time

import numpy as np
from scale import write_tables

SIZES = ["--match-rows", "--rank", "100", "--landmarks", "400", "--anchors", "600", "--plan-sample", "2048"]
BLOCK, SHARDS, ROUNDS, WORKERS = 4096, 4, 3, 64


class Tool:
    def __init__(self, mkc, folder):
        self.mkc, self.folder = pathlib.Path(mkc).resolve(), folder

    def __call__(self, *arguments):
        """Wall-clock seconds of a command on one thread."""
        start = time.monotonic()
        command = [self.mkc, *map(str, arguments), "-t", "1", "--quiet"]
        subprocess.run(command, cwd=self.folder, check=True)
        return time.monotonic() - start


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def sharded(tool, tables, n_shards, processes):
    """All steps; wall-clock seconds of each by its name."""
    for path in tool.folder.glob("s-*"):
        shutil.rmtree(path) if path.is_dir() else path.unlink()
    seconds, fit = {}, []
    seconds["plan"] = tool("plan", *tables, *SIZES, "--block", BLOCK, "-o", "s-plan")
    with concurrent.futures.ThreadPoolExecutor(processes) as pool:

        def each(command):
            start = time.monotonic()
            own = list(pool.map(command, range(1, n_shards + 1)))
            return own, time.monotonic() - start

        for r in range(1, ROUNDS + 1):
            shard = [*fit, "--round", r, "--shard"]
            own, wall = each(
                lambda i, s=shard, r=r: tool("moments", "s-plan", *s, f"{i}/{n_shards}", "-o", f"s-m{r}-{i}.npz")
            )
            seconds[f"moments {r}"], seconds[f"wall {r}"] = own, wall
            parts = [f"s-m{r}-{i}.npz" for i in range(1, n_shards + 1)]
            seconds[f"merge {r}"] = tool("merge", "s-plan", *parts, *fit, "-o", f"s-fit{r}.npz")
            fit = ["--fit", f"s-fit{r}.npz"]
        own, wall = each(lambda i: tool("apply", "s-plan", *fit, "--shard", f"{i}/{n_shards}", "-o", f"s-rows{i}"))
        seconds["apply"], seconds["wall apply"] = own, wall
    rows = [f"s-rows{i}" for i in range(1, n_shards + 1)]
    seconds["gather"] = tool("gather", "s-plan", *rows, *fit, "-o", "s-result")
    return seconds


def size(path):
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def line(small, large, at_small, at_large):
    """What a step takes in any case, and for each of what it works on."""
    each = max(0.0, (large - small) / (at_large - at_small))
    return {"fixed": max(0.0, large - each * at_large), "each": each}


def measure(mkc, folder, n):
    folder = pathlib.Path(folder).resolve()
    tables = write_tables(folder / str(n), n)
    tool = Tool(mkc, folder)
    small = sharded(tool, write_tables(folder / str(n // 4), n // 4), SHARDS // 2, 1)
    shutil.rmtree(folder / "plain", ignore_errors=True)
    before = cpu_seconds()
    tool("complete", *tables, "--form", "factor", *SIZES, "--block", BLOCK, "-o", "plain")
    plain, before = cpu_seconds() - before, cpu_seconds()
    one = sharded(tool, tables, SHARDS, 1)
    shards, before = cpu_seconds() - before, cpu_seconds()
    two = sharded(tool, tables, SHARDS, 2)
    walls = ["wall 1", "wall 2", "wall 3", "wall apply"]
    alone, both = (sum(run[name] for name in walls) for run in (one, two))
    print(f"{n:,} x 5, block {BLOCK}, {SHARDS} shards, one thread each\n")
    print(f"CPU seconds: plain {plain:.1f}, sharded {shards:.1f}: {100 * (shards / plain - 1):+.1f} %")
    print(f"moments and apply, wall-clock: one process {alone:.1f} s, two {both:.1f} s: {alone / both:.2f} times\n")
    files = {
        "plan without tables": size(folder / "s-plan") - size(folder / "s-plan/tables"),
        "fit": size(folder / "s-fit3.npz"),
    }
    files |= {f"part of round {r}": size(folder / f"s-m{r}-2.npz") for r in (1, 2, 3)}
    print("| file | MB |\n|---|---|")
    for name, megabytes in files.items():
        print(f"| {name} | {megabytes:.1f} |")
    # What a step takes beside its blocks: a shard without any.
    start = tool("moments", "s-plan", "--round", 1, "--shard", "1/100000", "-o", "s-nothing.npz")
    blocks = -(-n // BLOCK) / SHARDS
    steps = {
        name: [max(0.0, s - start) / blocks for s in one[name]]
        for name in ("moments 1", "moments 2", "moments 3", "apply")
    }
    times = {"n": n, "block": BLOCK, "start": start, "block seconds": steps}
    for step in ("plan", "gather"):
        times[step] = line(small[step], one[step], n // 4, n)
    for r in range(1, ROUNDS + 1):
        times[f"merge {r}"] = line(small[f"merge {r}"], one[f"merge {r}"], SHARDS // 2, SHARDS)
    (folder / "times.json").write_text(json.dumps(times, indent=1))


def dask(folder):
    from distributed import Client, LocalCluster

    path = pathlib.Path(folder) / "times.json"
    times = json.loads(path.read_text())
    count = 5000
    with LocalCluster(n_workers=1, threads_per_worker=1, dashboard_address=":0") as cluster, Client(cluster) as client:
        client.gather(client.map(abs, range(100), pure=False))
        start = time.monotonic()
        client.gather([client.submit(abs, i, key=f"task-{i}") for i in range(count)])
        times["task"] = (time.monotonic() - start) / count
    path.write_text(json.dumps(times, indent=1))
    print(f"{1000 * times['task']:.2f} ms of Dask a task")


def project(folder):
    """Shards of the largest size that gives every worker some, in rounds that wait for each other. Tasks leave the
    scheduler one by one; each starts up, and its blocks take times drawn from those measured."""
    times = json.loads((pathlib.Path(folder) / "times.json").read_text())
    drawn = np.random.default_rng(0)
    print(f"Projection for {WORKERS} workers of one thread, from times measured at {times['n']:,} samples\n")
    print(
        "| N | shards | plan | moments, apply | merge | gather | all | one worker |\n|---|---|---|---|---|---|---|---|"
    )
    for n in (10**5, 10**6, 10**7, 10**8):
        blocks = -(-n // times["block"])
        shards = min(blocks, 4 * WORKERS)
        parallel = serial = 0.0
        for measured in times["block seconds"].values():
            free = [0.0] * WORKERS  # when each worker is free
            sent = 0.0
            for i in range(shards):
                own = blocks * (i + 1) // shards - blocks * i // shards
                work = times["start"] + drawn.choice(measured, own).sum()
                sent += times["task"]
                heapq.heappush(free, max(sent, heapq.heappop(free)) + work)
                serial += work
            parallel += max(free)
        plan, gather = (times[step]["fixed"] + n * times[step]["each"] for step in ("plan", "gather"))
        merges = [times[f"merge {r}"] for r in range(1, ROUNDS + 1)]
        merge = sum(one["fixed"] + shards * one["each"] for one in merges)
        shown = [plan, parallel, merge, gather, plan + parallel + merge + gather, plan + serial + merge + gather]
        print(
            f"| {n:,} | {shards} | "
            + " | ".join(f"{s / 3600:.1f} h" if s > 5400 else f"{s / 60:.1f} min" for s in shown)
            + " |"
        )


def main():
    step, *arguments = sys.argv[1:]
    if step == "measure":
        mkc, folder, n = [*arguments, "32768"][:3]
        measure(mkc, folder, int(n))
    elif step == "dask":
        dask(*arguments)
    else:
        project(*arguments)


if __name__ == "__main__":
    main()
