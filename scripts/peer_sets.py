"""The data sets of peers.py: complete views with rows hidden from every method, and classes."""

import csv
import os
import pathlib
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))


@dataclass
class PeerSet:
    views: list  # (N, features) each, complete and prepared as its kind of data asks
    observed: np.ndarray  # (N, M): the rows that methods see
    classes: np.ndarray
    kernel: Callable  # prepared features -> kernel

    def tables(self):
        """What methods get: hidden rows are NaN."""
        return [np.where(seen[:, None], X, np.nan) for X, seen in zip(self.views, self.observed.T)]


def z_scores(X, seen):
    """By the rows that are seen; constant features go."""
    centre, scale = X[seen].mean(0), X[seen].std(0)
    keep = scale > 1e-9 * max(scale.max(), 1e-300)
    return ((X - centre) / np.where(keep, scale, 1))[:, keep]


def gaussian(Z):
    """exp(-||z - z'||^2 / features)"""
    squares = (Z**2).sum(1)
    return np.exp(-np.maximum(squares[:, None] + squares - 2 * Z @ Z.T, 0) / Z.shape[1])


def unit_rows(X):
    norms = np.linalg.norm(X, axis=1, keepdims=True)
    return X / np.where(norms > 0, norms, 1)


def cosine(Z):
    return unit_rows(Z) @ unit_rows(Z).T


def hidden_at_random(n, views, seed, share=0.5):
    """`share` of the samples lose one view each, drawn at random."""
    rng = np.random.default_rng(seed)
    observed = np.ones((n, views), bool)
    losing = rng.permutation(n)[: int(share * n)]
    observed[losing, rng.integers(views, size=len(losing))] = False
    return observed


def with_z_scores(views, observed, classes):
    return PeerSet([z_scores(X, seen) for X, seen in zip(views, observed.T)], observed, classes, gaussian)


def mfeat():
    from scipy.io import loadmat

    data = loadmat(DATA / "mfeat" / "handwritten.mat")
    with open(DATA / "mfeat" / "protocol_s0_miss2.csv") as text:
        rows = np.array([[int(cell) for cell in line] for line in list(csv.reader(text))[1:]])
    views = [np.asarray(X, float)[rows[:, 0]] for X in data["X"].ravel()]
    return with_z_scores(views, rows[:, 1:] > 0, data["Y"].ravel()[rows[:, 0]].astype(int))


def news():
    """Ids and square roots of the word counts of every source, and the topic of every story."""
    from scipy.io import mmread

    folder = DATA / "3sources"
    sources, topic_of = [], {}
    for view in ("bbc", "guardian", "reuters"):
        X = np.sqrt(mmread(folder / f"3sources_{view}.mtx").T.toarray().astype(float))
        sources.append(((folder / f"3sources_{view}.docs").read_text().split(), X))
    for number, line in enumerate((folder / "3sources.disjoint.clist").read_text().splitlines()):
        topic_of |= {story.strip(): number for story in line.split(",")}
    return sources, topic_of


def stories(names, observed, sources, topic_of):
    """Words that no visible story has tell nothing; stories a source lacks are rows of zeros."""
    views = []
    for m, (ids, X) in enumerate(sources):
        place = {name: i for i, name in enumerate(ids)}
        rows = np.zeros((len(names), X.shape[1]))
        for i, name in enumerate(names):
            if name in place:
                rows[i] = X[place[name]]
        views.append(unit_rows(rows[:, rows[observed[:, m]].sum(0) > 0]))
    return PeerSet(views, observed, np.array([topic_of[name] for name in names]), cosine)


def three_sources():
    """The 169 stories of all sources; half of them lose one."""
    sources, topic_of = news()
    names = sorted(set.intersection(*(set(ids) for ids, _ in sources)))
    return stories(names, hidden_at_random(len(names), 3, 0), sources, topic_of)


def three_sources_natural():
    """All 416 stories as they come; nobody knows the truth of missing rows."""
    sources, topic_of = news()
    names = sorted(set.union(*(set(ids) for ids, _ in sources)))
    observed = np.array([[name in set(ids) for ids, _ in sources] for name in names])
    return stories(names, observed, sources, topic_of)


def breast_tcga():
    folder = DATA / "breast_tcga"
    views, classes = [], None
    with open(folder / "data.train.subtype.csv") as text:
        names = {row[0]: row[1] for row in list(csv.reader(text))[1:]}
    for view in ("mrna", "mirna", "protein"):
        with open(folder / f"data.train.{view}.csv") as text:
            rows = {row[0]: np.array(row[1:], float) for row in list(csv.reader(text))[1:]}
        views.append(np.array([rows[name] for name in names]))
    classes = np.unique(list(names.values()), return_inverse=True)[1]
    return with_z_scores(views, hidden_at_random(len(names), 3, 0), classes)


SETS = {"mfeat": mfeat, "3sources": three_sources, "breast_tcga": breast_tcga, "natural": three_sources_natural}
