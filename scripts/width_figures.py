#!/usr/bin/env python3
"""Remakes the table of docs/decisions/0013-width-of-kernels.md: rules for the width of rbf kernels, compared.

    MKC_DATA=../shared/data scripts/width_figures.py build/release/apps/mkc/mkc [SET ...] > table.md

Default: all of SETS. Needs NumPy and SciPy. Every view has the same multiple of its median gamma. `recovered` is what
mkc uses (src/problem/kernel_width.cpp), `aligned` the debiased centred alignment; both without labels. The rest is for
judging: what embd_ht recovers of hidden rows, and the accuracy of an SVM on the mean of the completed kernels.
"""

import csv
import pathlib
import subprocess
import sys
import tempfile

import figure_sets as sets
import numpy as np
from scipy.io import loadmat

FACTORS = (1 / 16, 1 / 4, 1, 4, 16)


def first_rows(views, labels, n, seed=0):
    rows = np.random.default_rng(seed).permutation(len(labels))[:n]
    return [view[rows] for view in views], np.asarray(labels)[rows]


def classes(path, column):
    with open(path) as text:
        return [row[column] for row in csv.reader(text)][1:]


def breast_tcga():
    return sets.breast_tcga(), classes(sets.DATA / "breast_tcga" / "data.train.subtype.csv", 1)


def nutrimouse():
    return sets.nutrimouse(), classes(sets.DATA / "nutrimouse" / "diet.csv", 0)


def mfeat():
    return first_rows(sets.mfeat(), loadmat(sets.DATA / "mfeat" / "handwritten.mat")["Y"].ravel(), 200)


def reuters():
    views = sets.reuters()
    known = np.all([view.any(axis=1) for view in views], axis=0)
    labels = loadmat(sets.DATA / "reuters_1200" / "Reuters.mat")["gt"].ravel()
    return first_rows([view[known] for view in views], labels[known], 200)


def three_sources():
    """The stories that all sources have; rows of length 1."""
    folder = sets.DATA / "3sources"
    ids = [set((folder / f"3sources_{view}.docs").read_text().split()) for view in ("bbc", "guardian", "reuters")]
    topics = {}
    for line in (folder / "3sources.disjoint.clist").read_text().splitlines():
        topic, *stories = [cell.strip() for cell in line.split(",")]
        topics.update({int(story): topic for story in stories if story})
    views = [view / np.linalg.norm(view, axis=1, keepdims=True) for view in sets.three_sources()]
    return views, [topics[story] for story in sorted(map(int, set.intersection(*ids)))]


def winding():
    """Made up: a closed curve that returns near itself eight times, classes are its parts."""
    random = np.random.default_rng(0)
    t = random.uniform(size=200)
    views = []
    for _ in range(3):
        start, turns = random.uniform(0, 6, size=8), random.integers(4, 9, size=8)
        views.append(np.cos(2 * np.pi * t[:, None] * turns + start) + 0.1 * random.normal(size=(200, 8)))
    return views, (8 * t).astype(int)


def linear_relations():
    """Made up: three coordinates, seen through random matrices and noise."""
    random = np.random.default_rng(0)
    u = random.normal(size=(200, 3))
    views = [u @ random.normal(size=(3, 20)) + 1.5 * random.normal(size=(200, 20)) for _ in range(3)]
    return views, 2 * (u[:, 0] > 0) + (u[:, 1] > 0)


SETS = [breast_tcga, nutrimouse, mfeat, three_sources, reuters, winding, linear_relations]


def centred(K):
    K = K - K.mean(axis=0)
    return K - K.mean(axis=1, keepdims=True)


def recovered(K, L, coordinates=50):
    """Share of L that kernel ridge regression on K recovers, each sample predicted from the others."""
    n = len(K)
    values, vectors = np.linalg.eigh(centred(L))
    Y = vectors[:, -coordinates:] * np.sqrt(np.maximum(values[-coordinates:], 0))
    v, Q = np.linalg.eigh(centred(K))
    v, errors = np.maximum(v, 0), []
    for ridge in (1e-3, 1e-2, 1e-1, 1, 10):
        f = v / (v + ridge * v.mean())
        left = 1 - 1 / n - Q**2 @ f
        errors.append((((Y - Q @ (f[:, None] * (Q.T @ Y))) / left[:, None]) ** 2).sum())
    return 1 - min(errors) / ((Y * n / (n - 1)) ** 2).sum()


def aligned(K, L):
    """Debiased centred alignment (Song et al. 2012): the cosine of kernels without diagonals, centred without bias."""

    def unbiased(A):
        n = len(A)
        A = A - np.diag(np.diag(A))
        rows = A.sum(axis=1) / (n - 2)
        A = A - rows[:, None] - rows + rows.sum() / (n - 1)
        return A - np.diag(np.diag(A))

    K, L = unbiased(K), unbiased(L)
    return (K * L).sum() / np.sqrt((K * K).sum() * (L * L).sum())


def judged(binary, kernels, labels):
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        ids = [f"s{i}" for i in range(len(labels))]
        files = []
        for m, K in enumerate(kernels):
            np.savez(folder / f"v{m}.npz", **{f"v{m}": K, "samples": ids})
            files.append(f"{folder}/v{m}.npz:v{m},kernel=precomputed")
        rows = [f"{i}\tclass {label}" for i, label in zip(ids, labels)]
        (folder / "labels.tsv").write_text("\n".join(["id\tclass", *rows]) + "\n")
        command = [
            binary,
            "evaluate",
            *files,
            "-m",
            "embd_ht",
            "--mechanism",
            "mcar",
            "-t",
            "1",
            "-q",
            "--report",
            "none",
        ]
        command += ["--labels", f"{folder}/labels.tsv:class", "-o", f"{folder}/out"]
        subprocess.run(command, check=True, capture_output=True)
        with open(folder / "out" / "summary.tsv") as text:
            row = next(row for row in csv.DictReader(text, delimiter="\t") if row["method"] == "embd_ht")
    return float(row["recovered"]), float(row["all_accuracy"]), float(row["all_standard_error"])


def mean_of_pairs(measure, kernels, others):
    m = range(len(kernels))
    return np.mean([measure(kernels[a], others[b]) for a in m for b in m if a != b])


def main():
    binary, *wanted = sys.argv[1:]
    print("| data | gamma / median | recovered | aligned | rows recovered by embd_ht | accuracy |\n" + "|---" * 6 + "|")
    for load in SETS:
        if wanted and load.__name__ not in wanted:
            continue
        views, labels = load()
        scale = (lambda x: x) if load is three_sources else sets.standardised
        median = [sets.gaussian(scale(view)) for view in views]
        for factor in FACTORS:
            kernels = [K**factor for K in median]
            cells = [
                f"{mean_of_pairs(recovered, kernels, median):.3f}",
                f"{mean_of_pairs(aligned, kernels, kernels):.3f}",
            ]
            rows, accuracy, error = judged(binary, kernels, labels)
            cells += [f"{rows:.2f}", f"{accuracy:.3f} ± {error:.3f}"]
            print(f"| {load.__name__} | {factor:g} | " + " | ".join(cells) + " |", flush=True)


if __name__ == "__main__":
    main()
