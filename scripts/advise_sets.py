"""The problems of scripts/advise_study.py: kernels (n, n) with NaN for samples that lack a view, and classes.

Real data are in the folder MKC_DATA; they are not part of the repository. A sample without a class has "".
"""

import csv
import os
import pathlib

import numpy as np
from figure_sets import cosine, gaussian, mfeat, reuters, standardised

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))


def spread(kernel, rows, n):
    full = np.full((n, n), np.nan)
    full[np.ix_(rows, rows)] = kernel
    return full


def some_mfeat(random):
    from scipy.io import loadmat

    rows = random.permutation(2000)[:200]
    classes = loadmat(DATA / "mfeat" / "handwritten.mat")["Y"].ravel()[rows]
    return [gaussian(standardised(view[rows])) for view in mfeat()], classes.astype(str)


def some_reuters(random):
    from scipy.io import loadmat

    views = reuters()
    known = np.flatnonzero(np.all([view.any(axis=1) for view in views], axis=0))
    rows = random.permutation(known)[:200]
    classes = loadmat(DATA / "reuters_1200" / "Reuters.mat")["gt"].ravel()[rows]
    kernels = []
    for view in views:
        u, s, _ = np.linalg.svd(view[rows], full_matrices=False)
        kernels.append(cosine(u[:, :100] * s[:100]))
    return kernels, classes.astype(str)


def table(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return [row[0] for row in rows[1:]], rows[0][1:], [row[1:] for row in rows[1:]]


def breast_tcga(_):
    folder = DATA / "breast_tcga"
    classes, views = {}, []
    for name in ("mrna", "mirna", "protein"):
        ids, numbers = [], []
        for part in ("train", "test"):
            path = folder / f"data.{part}.{name}.csv"
            if path.exists():
                more, _, cells = table(path)
                ids += more
                numbers += cells
        views.append((ids, np.array(numbers, float)))
    for part in ("train", "test"):
        ids, _, cells = table(folder / f"data.{part}.subtype.csv")
        classes.update({sample: row[0] for sample, row in zip(ids, cells)})
    return joined(views, classes)


def joined(views, classes):
    samples = list(dict.fromkeys(sample for ids, _ in views for sample in ids))
    place = {sample: i for i, sample in enumerate(samples)}
    kernels = [spread(gaussian(standardised(X)), [place[sample] for sample in ids], len(samples)) for ids, X in views]
    return kernels, np.array([classes.get(sample, "") for sample in samples])


def mini_acc(_):
    folder = DATA / "miniacc"
    with open(folder / "sampleMap.csv") as file:
        patient = {(row["assay"], row["colname"]): row["primary"] for row in csv.DictReader(file)}
    with open(folder / "colData.csv") as file:
        classes = {row["patientID"]: row["C1A.C1B"] for row in csv.DictReader(file)}
    views = []
    for name in ("RNASeq2GeneNorm", "gistict", "RPPAArray", "Mutations", "miRNASeqGene"):
        _, columns, cells = table(folder / f"{name}.csv")
        X = np.array([[np.nan if c in ("NA", "") else float(c) for c in row] for row in cells]).T
        ids = [patient.get((name, column), column[:12]) for column in columns]
        first = [i for i, sample in enumerate(ids) if sample not in ids[:i]]
        X = X[first][:, ~np.isnan(X).any(axis=0)]
        if name in ("RNASeq2GeneNorm", "miRNASeqGene"):
            X = np.log1p(np.maximum(X, 0))
        views.append(([ids[i] for i in first], X))
    return joined(views, {sample: "" if label == "NA" else label for sample, label in classes.items()})


def three_sources(_):
    from scipy.io import mmread

    folder = DATA / "3sources"
    stories, views, classes = {}, [], {}
    for line in (folder / "3sources.disjoint.clist").read_text().splitlines():
        topic, *ids = line.replace(":", ",").split(",")
        classes.update({int(story): topic for story in ids if story.strip()})
    for name in ("bbc", "guardian", "reuters"):
        ids = [int(story) for story in (folder / f"3sources_{name}.docs").read_text().split()]
        X = np.sqrt(mmread(folder / f"3sources_{name}.mtx").toarray().T.astype(float))
        views.append((ids, X))
        stories.update(dict.fromkeys(ids))
    samples = list(stories)
    place = {story: i for i, story in enumerate(samples)}
    kernels = [spread(cosine(X), [place[story] for story in ids], len(samples)) for ids, X in views]
    return kernels, np.array([classes.get(story, "") for story in samples])


SETS = {
    "mfeat": some_mfeat,
    "reuters_1200": some_reuters,
    "breast_tcga": breast_tcga,
    "MiniACC": mini_acc,
    "3sources": three_sources,
}
