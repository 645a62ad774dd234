#!/usr/bin/env python3
"""Remakes the table of docs/reference/cluster.md: clusters of real data, compared with their classes afterwards.

    MKC_DATA=../shared/data scripts/cluster_figures.py build/release/apps/mkc/mkc [SET ...] > table.md

SET: 3sources, mfeat, breast_tcga, nutrimouse; default: all. Needs NumPy and SciPy. Completed without any option,
clustered with the number of classes and ten seeds. Beside it: spectral clustering of the mean kernel, ten seeds of
k-means with 20 starts each.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.cluster.vq import kmeans2
from scipy.io import loadmat, mmread
from scipy.optimize import linear_sum_assignment

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))
SEEDS = range(10)


def three_sources():
    """The 416 stories as they come: word counts, 24 % of the rows missing."""
    views = {}
    for view in ("bbc", "guardian", "reuters"):
        X = mmread(DATA / "3sources" / f"3sources_{view}.mtx").T.toarray().astype(float)
        views[view] = ((DATA / "3sources" / f"3sources_{view}.docs").read_text().split(), X)
    classes = {}
    for line in (DATA / "3sources" / "3sources.disjoint.clist").read_text().splitlines():
        topic, *stories = [cell.strip() for cell in line.split(",")]
        classes.update({story: topic for story in stories if story})
    yield "3sources", views, classes


def mfeat():
    """Both protocol seeds, one to three of six views lost by half of 1000 digits."""
    file = loadmat(DATA / "mfeat" / "handwritten.mat")
    labels = file["Y"].ravel()
    for split in ("s0", "s1"):
        for lost in (1, 2, 3):
            with open(DATA / "mfeat" / f"protocol_{split}_miss{lost}.csv") as text:
                rows = [[int(cell) for cell in line] for line in list(csv.reader(text))[1:]]
            views = {}
            for m, X in enumerate(file["X"].ravel()):
                kept = [row[0] for row in rows if row[1 + m]]
                views[f"v{m}"] = ([f"r{i}" for i in kept], np.asarray(X, float)[kept])
            yield f"mfeat {split} miss{lost}", views, {f"r{row[0]}": int(labels[row[0]]) for row in rows}


def table(path):
    with open(path) as text:
        return list(csv.reader(text))[1:]


def breast_tcga():
    """220 patients, 70 without protein."""
    folder = DATA / "breast_tcga"
    views = {}
    for view in ("mrna", "mirna", "protein"):
        rows = [row for part in ("train", "test") for row in read_if_there(folder / f"data.{part}.{view}.csv")]
        views[view] = ([row[0] for row in rows], np.array([row[1:] for row in rows], float))
    classes = dict(row for part in ("train", "test") for row in table(folder / f"data.{part}.subtype.csv"))
    yield "breast_tcga", views, classes


def read_if_there(path):
    return table(path) if path.exists() else []


def nutrimouse():
    """40 mice in two complete views; classes are the genotypes."""
    folder = DATA / "nutrimouse"
    ids = [f"m{i}" for i in range(40)]
    views = {view: (ids, np.array(table(folder / f"{view}.csv"), float)) for view in ("gene", "lipid")}
    yield "nutrimouse", views, dict(zip(ids, (row[0] for row in table(folder / "genotype.csv"))))


SETS = {"3sources": three_sources, "mfeat": mfeat, "breast_tcga": breast_tcga, "nutrimouse": nutrimouse}


def scores(truth, found):
    """Accuracy after the best matching, and normalised mutual information."""
    counts = np.zeros((truth.max() + 1, found.max() + 1))
    np.add.at(counts, (truth, found), 1)
    rows, columns = linear_sum_assignment(-counts)
    p = counts / counts.sum()
    a, b = p.sum(axis=1), p.sum(axis=0)
    mutual = (p[p > 0] * np.log(p[p > 0] / np.outer(a, b)[p > 0])).sum()
    return counts[rows, columns].sum() / len(truth), 2 * mutual / -((a * np.log(a)).sum() + (b * np.log(b)).sum())


def spectral(kernels, k, seed):
    """Spectral clustering of the mean kernel, as by hand."""
    mean = sum(K / (np.diag(K).mean() - K.mean()) for K in kernels)
    rows = np.linalg.eigh(mean)[1][:, -k:]
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    rng = np.random.default_rng(seed)
    runs = [kmeans2(rows, k, minit="++", seed=rng) for _ in range(20)]
    return min(runs, key=lambda run: ((rows - run[0][run[1]]) ** 2).sum())[1]


def run(binary, *arguments):
    done = subprocess.run([binary, *map(str, arguments)], check=True, capture_output=True, text=True)
    return done.stdout


def measure(binary, folder, views, classes):
    files = []
    for name, (ids, values) in views.items():
        np.savez(f"{folder}/{name}.npz", **{name: values, "samples": ids})
        files.append(f"{folder}/{name}.npz:{name}")
    run(binary, "complete", *files, "-o", f"{folder}/out", "-q", "--report", "none")
    stored = np.load(f"{folder}/out/kernels.npz")
    names = sorted({classes[sample] for sample in stored["samples"]})
    truth = np.array([names.index(classes[sample]) for sample in stored["samples"]])
    kernels = [stored[name] for name in views]
    by_hand = [scores(truth, spectral(kernels, len(names), seed)) for seed in SEEDS]
    found, graphs = [], []
    for seed in SEEDS:
        output = f"{folder}/clusters.tsv"
        about = json.loads(
            run(binary, "cluster", f"{folder}/out", "-k", len(names), "--seed", seed, "-o", output, "-f", "--json")
        )
        with open(output) as text:
            rows = list(csv.DictReader(text, delimiter="\t"))
        found.append(scores(truth, np.array([int(row["cluster"]) - 1 for row in rows])))
        graphs.append(about["graph"])
    chosen = json.loads(run(binary, "cluster", f"{folder}/out", "-o", f"{folder}/auto.tsv", "-f", "--json"))
    return by_hand, found, graphs, len(names), chosen


def spread(values):
    return f"{np.mean(values):.3f} ± {np.std(values):.3f}"


def short_graphs(graphs):
    """ "mean kernel 10, 20; views fused 5": every graph once, with its numbers of neighbours."""
    kinds = {}
    for graph in graphs:
        kind, _, neighbours = graph.removesuffix(" neighbours").partition(", ")
        kinds.setdefault(kind, set()).update({int(neighbours)} if neighbours else ())
    return "; ".join(" ".join([kind, ", ".join(map(str, sorted(kinds[kind])))]).strip() for kind in sorted(kinds))


def main():
    binary, *wanted = sys.argv[1:]
    header = ["data", "samples", "classes", "mean kernel: accuracy", "NMI", "`mkc cluster`: accuracy", "NMI"]
    header += ["graph", "number by itself"]
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for name in wanted or SETS:
        for title, views, classes in SETS[name]():
            with tempfile.TemporaryDirectory() as folder:
                by_hand, found, graphs, k, chosen = measure(binary, folder, views, classes)
            cells = [title, len({i for ids, _ in views.values() for i in ids}), k]
            cells += [spread([a for a, _ in by_hand]), spread([n for _, n in by_hand])]
            cells += [spread([a for a, _ in found]), spread([n for _, n in found])]
            cells += [short_graphs(graphs), chosen["clusters"] if chosen["found"] else "none found"]
            print("| " + " | ".join(map(str, cells)) + " |", flush=True)


if __name__ == "__main__":
    main()
