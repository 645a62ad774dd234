#!/usr/bin/env python3
"""What sharding costs, and what it would give on many machines.

    benchmarks/shards.py measure MKC FOLDER [N]     CPU seconds beside the plain command, sizes of files, CPU seconds of
                                                    each step -> FOLDER/times.json (131072 samples, at least 32768)
    benchmarks/shards.py two MKC FOLDER             after it: wall-clock seconds of two processes beside one
    benchmarks/shards.py dask FOLDER                seconds of Dask for a task -> FOLDER/times.json (needs dask)
    benchmarks/shards.py project FOLDER             64 workers, simulated from these times

Tables as in benchmarks/scale.py: five views of 100 features, 30 % of the rows missing. One thread each.
"""

import concurrent.futures
import filecmp
import heapq
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

import numpy as np
from scale import write_tables

SIZES = ["--match-rows", "--rank", "100", "--landmarks", "400", "--anchors", "600", "--plan-sample", "2048"]
BLOCK, SHARDS, ROUNDS, WORKERS = 4096, 4, 3, 64
SHARED = ("moments 1", "moments 2", "moments 3", "apply")  # steps of shards


class Tool:
    def __init__(self, mkc, folder):
        self.mkc, self.folder = pathlib.Path(mkc).resolve(), folder

    def __call__(self, *arguments):
        """CPU seconds of a command."""
        command = [self.mkc, *map(str, arguments), "-t", "1", "--quiet"]
        with subprocess.Popen(command, cwd=self.folder) as process:
            _, status, used = os.wait4(process.pid, 0)
            process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            sys.exit(f"failed: {shlex.join(map(str, command))}")
        return used.ru_utime + used.ru_stime

    def remove(self, pattern):
        for path in self.folder.glob(pattern):
            shutil.rmtree(path) if path.is_dir() else path.unlink()


def step_of_shard(tool, step, i, n_shards):
    """A step of SHARED for one shard, after the fit of the round before."""
    name, _, r = step.partition(" ")
    fit = [] if r == "1" else ["--fit", f"s-fit{int(r or ROUNDS + 1) - 1}.npz"]
    shard = [*fit, "--shard", f"{i}/{n_shards}"]
    if name == "apply":
        return tool("apply", "s-plan", *shard, "-o", f"s-rows{i}")
    return tool("moments", "s-plan", "--round", r, *shard, "-o", f"s-m{r}-{i}.npz")


def sharded(tool, tables, n_shards):
    """All steps; CPU seconds of each by its name."""
    tool.remove("s-*")
    shards = range(1, n_shards + 1)
    seconds = {"plan": tool("plan", *tables, *SIZES, "--block", BLOCK, "-o", "s-plan")}
    for r in range(1, ROUNDS + 1):
        step = f"moments {r}"
        seconds[step] = [step_of_shard(tool, step, i, n_shards) for i in shards]
        fit = [] if r == 1 else ["--fit", f"s-fit{r - 1}.npz"]
        parts = [f"s-m{r}-{i}.npz" for i in shards]
        seconds[f"merge {r}"] = tool("merge", "s-plan", *parts, *fit, "-o", f"s-fit{r}.npz")
    seconds["apply"] = [step_of_shard(tool, "apply", i, n_shards) for i in shards]
    rows = [f"s-rows{i}" for i in shards]
    seconds["gather"] = tool("gather", "s-plan", *rows, "--fit", f"s-fit{ROUNDS}.npz", "-o", "s-result")
    return seconds


def plan_from_files(tool, tables):
    tool.remove("s-files")
    return tool("plan", *tables, *SIZES, "--memory", "1G", "-o", "s-files")


def total(seconds):
    return sum(sum(s) if isinstance(s, list) else s for s in seconds.values())


def size(path):
    files = path.rglob("*") if path.is_dir() else [path]
    return sum(file.stat().st_size for file in files if file.is_file()) / 1e6


def line(at_small, small, at_large, large):
    """What a step takes in any case, and for each of what it works on."""
    each = max(0.0, (large - small) / (at_large - at_small))
    return {"fixed": max(0.0, large - each * at_large), "each": each}


def measure(mkc, folder, n):
    folder = pathlib.Path(folder).resolve()
    tables, tool = write_tables(folder / str(n), n), Tool(mkc, folder)
    few = n // 4
    some_shards = -(-few // BLOCK)  # of one block each: more sums are merged than below
    small = sharded(tool, write_tables(folder / str(few), few), some_shards)
    tool.remove("plain")
    plain = tool("complete", *tables, "--form", "factor", *SIZES, "--block", BLOCK, "-o", "plain")
    seconds = sharded(tool, tables, SHARDS)
    shards = total(seconds)
    files = [*(f"factors/view{m}.npy" for m in range(len(tables))), "extra.npy", "variance.npy", "quality.tsv"]
    if filecmp.cmpfiles(folder / "plain", folder / "s-result", files, shallow=False)[0] != files:
        sys.exit("OTHER BITS than those of the plain command")
    print(f"{n:,} x 5, block {BLOCK}, {SHARDS} shards, one thread, the same bits\n")
    print(f"CPU seconds: plain {plain:.1f}, sharded {shards:.1f}: {100 * (shards / plain - 1):+.1f} %\n")
    print("| step | CPU s, all shards |\n|---|---|")
    for name, s in seconds.items():
        print(f"| {name} | {sum(s) if isinstance(s, list) else s:.2f} |")
    sizes = {"plan without tables": size(folder / "s-plan") - size(folder / "s-plan/tables")}
    sizes |= {f"part of round {r}": size(folder / f"s-m{r}-2.npz") for r in range(1, ROUNDS + 1)}
    sizes |= {f"fit of round {r}": size(folder / f"s-fit{r}.npz") for r in range(1, ROUNDS + 1)}
    print("\n| file | MB |\n|---|---|")
    for name, megabytes in sizes.items():
        print(f"| {name} | {megabytes:.1f} |")
    # What a step takes beside its blocks: a shard without any.
    start = tool("moments", "s-plan", "--round", 1, "--shard", "1/100000", "-o", "s-nothing.npz")
    blocks = -(-n // BLOCK) / SHARDS
    times = {"n": n, "block": BLOCK, "start": start}
    times["block seconds"] = {name: [max(0.0, s - start) / blocks for s in seconds[name]] for name in SHARED}
    times["gather"] = line(few, small["gather"], n, seconds["gather"])
    # Where tables are larger than the memory they stay in their files, which is another way to read them.
    from_files = [plan_from_files(tool, write_tables(folder / str(rows), rows)) for rows in (few, n)]
    times["plan"] = line(few, from_files[0], n, from_files[1])
    for r in range(1, ROUNDS + 1):
        times[f"merge {r}"] = line(SHARDS, seconds[f"merge {r}"], some_shards, small[f"merge {r}"])
    (folder / "times.json").write_text(json.dumps(times, indent=1))


def two(mkc, folder):
    """Steps of shards of what measure() left, by one process at a time and by two."""
    tool = Tool(mkc, pathlib.Path(folder).resolve())
    walls = {}
    for processes in (1, 2):
        walls[processes] = 0.0
        for step in SHARED:
            tool.remove("s-m?-*.npz")
            tool.remove("s-rows*")
            with concurrent.futures.ThreadPoolExecutor(processes) as pool:
                start = time.monotonic()
                list(pool.map(lambda i, s=step: step_of_shard(tool, s, i, SHARDS), range(1, SHARDS + 1)))
                walls[processes] += time.monotonic() - start
    print(f"moments and apply, wall-clock: one process {walls[1]:.1f} s, two {walls[2]:.1f} s", end="")
    print(f": {walls[1] / walls[2]:.2f} times")


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


def nodes_of(first, last):
    """Into how many subtrees of the tree of blocks a range falls: so many sums its part holds."""
    count = 0
    while first < last:
        width = first & -first or 1 << last.bit_length()
        while first + width > last:
            width //= 2
        first, count = first + width, count + 1
    return count


def ranges_of(blocks, shards):
    """As src/files/shards.cpp cuts them."""
    unit = 1

    def units(u):
        return -(-blocks // u)

    while units(2 * unit) >= shards and 10 * -(-units(2 * unit) // shards) * 2 * unit * shards <= 11 * blocks:
        unit *= 2
    ends = [min(blocks, units(unit) * i // shards * unit) for i in range(shards + 1)]
    return list(zip(ends, ends[1:]))


def shown(seconds):
    return f"{seconds / 3600:.1f} h" if seconds > 5400 else f"{seconds / 60:.1f} min"


def project(folder):
    """Rounds that wait for each other. Tasks leave the scheduler one by one; each starts up, and its blocks take times
    drawn from those measured. Plan, merges and gather are one task each."""
    times = json.loads((pathlib.Path(folder) / "times.json").read_text())
    drawn = np.random.default_rng(0)
    print(f"Projection for {WORKERS} workers of one thread, from CPU seconds measured at {times['n']:,} samples;")
    print(f"Dask takes {1000 * times['task']:.1f} ms a task\n")
    print("| N | shards | plan | moments, apply | merge | all, rows left in shards | gather | one worker | times |")
    print("|---|---|---|---|---|---|---|---|---|")
    for n in (10**5, 10**6, 10**7, 10**8):
        blocks = -(-n // times["block"])
        ranges = ranges_of(blocks, min(blocks, 4 * WORKERS))
        parallel = serial = 0.0
        for measured in times["block seconds"].values():
            free = [0.0] * WORKERS  # when each worker is free
            sent = 0.0
            for first, last in ranges:
                work = times["start"] + drawn.choice(measured, last - first).sum()
                sent += times["task"]
                heapq.heappush(free, max(sent, heapq.heappop(free)) + work)
                serial += work
            parallel += max(free)
        plan, gather = (times[step]["fixed"] + n * times[step]["each"] for step in ("plan", "gather"))
        nodes = sum(nodes_of(*one) for one in ranges)
        merges = [times[f"merge {r}"] for r in range(1, ROUNDS + 1)]
        merge = sum(one["fixed"] + nodes * one["each"] for one in merges)
        many, one = plan + parallel + merge, plan + serial + merge
        columns = [shown(s) for s in (plan, parallel, merge, many, gather, one)]
        print(f"| {n:,} | {len(ranges)} | {' | '.join(columns)} | {one / many:.0f} |")


def main():
    step, *arguments = sys.argv[1:]
    if step == "measure":
        mkc, folder, n = [*arguments, "131072"][:3]
        measure(mkc, folder, int(n))
    else:
        {"two": two, "dask": dask, "project": project}[step](*arguments)


if __name__ == "__main__":
    main()
