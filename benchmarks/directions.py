#!/usr/bin/env python3
"""What the directions of a sample lose beside those of all rows, for linear kernels in factor form.

    benchmarks/directions.py MKC FOLDER [N]      (100000 samples; FOLDER holds the tables)

Two tables: one of 400 columns whose spectrum falls as 1 / i, one of counts of 1,000 words, most of them zero. Prints
the trace error that mkc measures on its sample, and the smallest one possible: that of the leading eigenvectors of the
whole table.
"""

import json
import pathlib
import subprocess
import sys

import numpy as np


def falling(random, n):
    turn = np.linalg.qr(random.normal(size=(400, 400)))[0]
    return (random.normal(size=(n, 400)) / np.sqrt(np.arange(1, 401))) @ turn


def counts(random, n):
    topics = random.gamma(0.3, size=(40, 1000))
    topics /= topics.sum(1, keepdims=True)
    return random.poisson(30 * random.dirichlet(np.full(40, 0.1), n) @ topics).astype(float)


def trace_error(mkc, folder, path, rank):
    views = [f"{path},kernel=linear,transform=none", f"other={folder}/other.npy,kernel=linear"]
    options = ["--match-rows", "--form", "factor", "--rank", str(rank), "--report", "none", "-q", "-f"]
    subprocess.run([mkc, "complete", *views, *options, "-o", folder / "result"], check=True)
    return json.loads((folder / "result/meta_info.json").read_text())["views"][0]["trace_error"]


def main():
    mkc, folder, n = sys.argv[1], pathlib.Path(sys.argv[2]), int((sys.argv[3:] or [100000])[0])
    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(0)
    np.save(folder / "other.npy", random.normal(size=(n, 5)))
    print("| table | rank | of a sample | smallest |\n|---|---|---|---|")
    for make in (falling, counts):
        X = make(random, n)
        path = folder / f"{make.__name__}.npy"
        np.save(path, X)
        eigenvalues = np.linalg.eigvalsh(X.T @ X)[::-1]
        for rank in (50, 100):
            least = 1 - eigenvalues[:rank].sum() / eigenvalues.sum()
            error = trace_error(mkc, folder, path, rank)
            print(f"| {make.__name__} | {rank} | {100 * error:.1f} % | {100 * least:.1f} % |", flush=True)


if __name__ == "__main__":
    main()
