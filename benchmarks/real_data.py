#!/usr/bin/env python3
"""Writes real problems for the benchmarks as kernels in NPZ files; missing rows and columns are NaN.

    benchmarks/real_data.py cvkt DATA OUT.npz            cvkt_simulated missing1, N = 100, M = 7
    benchmarks/real_data.py reuters DATA OUT.npz N MKC   reuters_1200, M = 5, latent semantic kernels

Needs NumPy and SciPy (the files are .mat). `reuters` also writes OUT.complete.npz, in which the first
view has all samples, for methods that need a complete view. The tool computes the kernels.
"""

import csv
import pathlib
import subprocess
import sys

import numpy as np
from scipy.io import loadmat


def cvkt(data, out):
    folder = pathlib.Path(data) / "cvkt_simulated"
    kernels = np.moveaxis(np.asarray(loadmat(folder / "sim_rbf_K.mat")["K"], float), -1, 0)
    observed = loadmat(folder / "sim_rbf_missing1_MID.mat")["MID"] > 0
    for m, kernel in enumerate(kernels):
        kernel[~observed[:, m]] = np.nan
        kernel[:, ~observed[:, m]] = np.nan
    np.savez(out, samples=names(len(observed)), **{f"v{m}": k for m, k in enumerate(kernels)})


def names(count):
    return np.array([f"s{i}" for i in range(count)])


def reuters_mask(folder, n):
    """Rows and mask: the stored protocol (half of its 720 rows lack two views), or for more rows the same
    rule with a fixed seed."""
    with open(folder / "protocol_s0_miss2.csv", newline="") as file:
        table = np.array([[int(cell) for cell in row] for row in list(csv.reader(file))[1:]])
    if n <= len(table):
        return table[:n, 0], table[:n, 1:] > 0
    observed = np.ones((n, table.shape[1] - 1), bool)
    random = np.random.default_rng(0)
    for i in random.permutation(n)[: n // 2]:
        observed[i, random.permutation(observed.shape[1])[:2]] = False
    return np.arange(n), observed


def reuters(data, out, n, mkc):
    folder = pathlib.Path(data) / "reuters_1200"
    rows, observed = reuters_mask(folder, int(n))
    views = [matrix[rows].toarray() for matrix in loadmat(folder / "Reuters.mat")["fea"][0]]
    for m, features in enumerate(views):
        observed[~features.any(axis=1), m] = False  # a row of zeros has no latent semantic kernel
    with_complete_view = observed.copy()
    with_complete_view[:, 0] = views[0].any(axis=1)
    for mask, target in ((observed, out), (with_complete_view, f"{out[:-4]}.complete.npz")):
        write_kernels(views, mask, target, mkc)


def write_kernels(views, mask, out, mkc):
    features = {}
    for m, values in enumerate(views):
        features[f"v{m}"] = np.where(mask[:, [m]], values, np.nan)
    table = f"{out[:-4]}.features.npz"
    np.savez(table, samples=names(len(mask)), **features)
    subprocess.run(
        [mkc, "kernel", f"{table},kind=features,kernel=lsk,components=100", "-o", out, "--force", "--quiet"], check=True
    )
    pathlib.Path(table).unlink()


if __name__ == "__main__":
    {"cvkt": cvkt, "reuters": reuters}[sys.argv[1]](*sys.argv[2:])
