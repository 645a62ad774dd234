#!/usr/bin/env python3
"""Remakes the tables of docs/results.md: errors and seconds of the methods on published kernels.

    MKC_DATA=../shared/data scripts/figures.py build/release/apps/mkc/mkc > tables.md

Average relative error in percent over the hidden rows, mean over views; hidden rows are NaN before
anything reads them; every option is chosen by the method itself on held-out observed rows.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.io import loadmat

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))
METHODS = ["mean", "wknn", "embd_ht", "embd_hm", "app", "sdp"]
SETS = [(f"cvkt_simulated missing{k}", "cvkt_simulated/sim_rbf_K.mat",
         f"cvkt_simulated/sim_rbf_missing{k}_MID.mat") for k in (1, 2, 3, 4)]
SETS += [(f"cvkt_digits missing{p}", "cvkt_digits/digits_K_n200.mat",
          f"cvkt_digits/digits_MID_missing{p}_n200.mat") for p in (10, 30, 50)]


def load(kernels, mask):
    array = loadmat(DATA / kernels)["K"]
    return np.moveaxis(np.asarray(array, float), -1, 0), loadmat(DATA / mask)["MID"] > 0


def load_authors(name, level, split):
    """An instance of the paper's own files: training rows complete, test rows with stored masks."""
    file = loadmat(DATA / "mkc_authors" / f"{name}.mat")
    train, test = (file[key][split].astype(int) - 1 for key in ("IDtr", "IDts"))
    masks = file["IDmisTest"]
    mask = masks[split, :, :, level] if masks.ndim == 4 else masks[:, :, level]
    rows = np.r_[train, test]
    truth = np.moveaxis(file["K"][np.ix_(rows, rows)], -1, 0)
    return truth, np.vstack([np.ones((len(train), truth.shape[0])), mask]) > 0


def error(truth, estimate, observed, power=1):
    views = []
    for m in range(len(truth)):
        rows = ~observed[:, m]
        if not rows.any():
            continue
        ratio = (np.linalg.norm(estimate[m][rows] - truth[m][rows], axis=1)
                 / np.linalg.norm(truth[m][rows], axis=1))
        views.append(100 * (ratio ** power).mean())
    return np.mean(views)


def run(binary, method, truth, observed, power=1):
    hidden = truth.copy()
    for m in range(len(truth)):
        hidden[m][~observed[:, m]] = np.nan
        hidden[m][:, ~observed[:, m]] = np.nan
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/k.npz", **{f"v{m}": k for m, k in enumerate(hidden)})
        command = [binary, "complete", f"{folder}/k.npz", "-m", method, "-o", f"{folder}/out", "--json"]
        meta = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        completed = np.load(f"{folder}/out/kernels.npz")
        estimate = [completed[f"v{m}"] for m in range(len(truth))]
        return error(truth, estimate, observed, power), meta["seconds"]["fit"], meta["status"]


def published_kernels(binary):
    print("| data | " + " | ".join(METHODS) + " |")
    print("|---|" + "---|" * len(METHODS))
    for name, kernels, mask in SETS:
        cells = []
        for method in METHODS:
            value, seconds, status = run(binary, method, *load(kernels, mask))
            star = "" if status == "converged" else "*"
            cells.append(f"{value:.2f}{star} ({seconds:.2f} s)")
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


def authors_files(binary, methods=("wknn", "embd_ht", "embd_hm")):
    print("\n| authors' file, squared, 1 / 2 / 3 | " + " | ".join(methods) + " |")
    print("|---|" + "---|" * len(methods))
    for name in ("TOYL", "TOYG1", "TOYG10", "TOYLG1", "DRM25"):
        cells = []
        for method in methods:
            levels = [np.mean([run(binary, method, *load_authors(name, level, split), power=2)[0]
                               for split in range(10)]) for level in range(3)]
            cells.append(" / ".join(f"{value:.3g}" for value in levels))
        print(f"| {name} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    published_kernels(sys.argv[1])
    authors_files(sys.argv[1])
