"""The problems of scripts/figures.py: kernels without gaps, and masks of the rows that are hidden.

Real data are in the folder MKC_DATA; they are not part of the repository.
"""

import os
import pathlib

import numpy as np
from scipy.io import loadmat, mmread

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))
SETS = [
    (f"cvkt_simulated missing{k}", "cvkt_simulated/sim_rbf_K.mat", f"cvkt_simulated/sim_rbf_missing{k}_MID.mat")
    for k in (1, 2, 3, 4)
]
SETS += [
    (f"cvkt_digits missing{p}", "cvkt_digits/digits_K_n200.mat", f"cvkt_digits/digits_MID_missing{p}_n200.mat")
    for p in (10, 30, 50)
]


def load(kernels, mask):
    array = loadmat(DATA / kernels)["K"]
    return np.moveaxis(np.asarray(array, float), -1, 0), loadmat(DATA / mask)["MID"] > 0


def protocol(folder, name):
    """Rows of the data file and the mask of one protocol: half of the rows lose views."""
    table = np.loadtxt(DATA / folder / f"{name}.csv", delimiter=",", skiprows=1, dtype=int)
    return table[:, 0], table[:, 1:] > 0


def mfeat():
    return [np.asarray(view, float) for view in loadmat(DATA / "mfeat" / "handwritten.mat")["X"].ravel()]


def reuters():
    return [view.toarray() for view in loadmat(DATA / "reuters_1200" / "Reuters.mat")["fea"].ravel()]


def standardised(x):
    return (x - x.mean(axis=0)) / np.where(x.std(axis=0) > 0, x.std(axis=0), 1)


def gaussian(x, gamma=1):
    """exp(-gamma d^2 / its median)"""
    squares = (x**2).sum(axis=1)
    d = np.maximum(squares[:, None] + squares[None, :] - 2 * x @ x.T, 0)
    return np.exp(-gamma * d / np.median(d[~np.eye(len(d), dtype=bool)]))


def load_reuters(level, split="s0"):
    """Latent semantic kernels: 100 singular vectors of the protocol's rows, rows of length 1."""
    rows, observed = protocol("reuters_1200", f"protocol_{split}_miss{level}")
    kernels = []
    for view in reuters():
        u, s, _ = np.linalg.svd(view[rows], full_matrices=False)
        features = u[:, :100] * s[:100]
        length = np.linalg.norm(features, axis=1, keepdims=True)
        features = np.divide(features, length, out=np.zeros_like(features), where=length > 1e-12)
        kernels.append(features @ features.T)
    return np.array(kernels), observed


def load_mfeat(level, split="s0"):
    """Gaussian kernels of z-scored features, gamma = 1 / median squared distance."""
    rows, observed = protocol("mfeat", f"protocol_{split}_miss{level}")
    return np.array([gaussian(standardised(view[rows])) for view in mfeat()]), observed


def load_authors(name, level, split):
    """An instance from the files of the paper's authors: complete training rows, test rows with stored masks."""
    file = loadmat(DATA / "mkc_authors" / f"{name}.mat")
    train, test = (file[key][split].astype(int) - 1 for key in ("IDtr", "IDts"))
    masks = file["IDmisTest"]
    mask = masks[split, :, :, level] if masks.ndim == 4 else masks[:, :, level]
    rows = np.r_[train, test]
    truth = np.moveaxis(file["K"][np.ix_(rows, rows)], -1, 0)
    return truth, np.vstack([np.ones((len(train), truth.shape[0])), mask]) > 0


# Data, kernels and masks on which nothing in mkc was tuned; docs/results/unseen.md names the exception.


def columns_of(path):
    """The numbers of a CSV file, without the header and a first column of names."""
    with open(path) as file:
        rows = [line.rstrip().split(",") for line in list(file)[1:]]
    return np.array([row[1:] if row[0].startswith('"') else row for row in rows], float)


def breast_tcga():
    return [columns_of(DATA / "breast_tcga" / f"data.train.{name}.csv") for name in ("mrna", "mirna", "protein")]


def nutrimouse():
    return [columns_of(DATA / "nutrimouse" / f"{name}.csv") for name in ("gene", "lipid")]


def three_sources():
    """Stories that all three sources have; log counts, weighted by inverse document frequency."""
    folder, names = DATA / "3sources", ("bbc", "guardian", "reuters")
    stories = {name: np.loadtxt(folder / f"3sources_{name}.docs", dtype=int) for name in names}
    common = sorted(set.intersection(*(set(ids) for ids in stories.values())))
    views = []
    for name in names:
        place = {story: i for i, story in enumerate(stories[name])}
        counts = mmread(folder / f"3sources_{name}.mtx").toarray().T[[place[story] for story in common]]
        views.append(np.log1p(counts) * np.log(len(common) / np.maximum(1, (counts > 0).sum(axis=0))))
    return views


def reuters_without_empty_rows():
    views = reuters()
    known = np.all([view.any(axis=1) for view in views], axis=0)
    return [view[known] for view in views]


def linear(x):
    return x @ x.T / np.sum(x**2) * len(x)


def cosine(x):
    length = np.linalg.norm(x, axis=1, keepdims=True)
    return (x / length) @ (x / length).T


KERNELS = {
    "linear": lambda x: linear(standardised(x)),
    "uncentred": linear,
    "cosine": cosine,
    "polynomial": lambda x: (linear(standardised(x)) + 1) ** 2,
    "gaussian": lambda x: gaussian(standardised(x)),
    "narrow gaussian": lambda x: gaussian(standardised(x), 4),
}


def lose(count, share=0.5):
    """A mask in which this share of the samples lacks `count` views each."""

    def mask(random, n, m):
        observed = np.ones((n, m), bool)
        for row in observed:
            if random.uniform() < share:
                row[random.choice(m, count, replace=False)] = False
        return observed

    return mask


def lose_independently(first, last):
    """A mask of independent pairs; the probability goes from `first` in the first view to `last` in the last."""

    def mask(random, n, m):
        observed = random.uniform(size=(n, m)) >= np.linspace(first, last, m)
        observed[~observed.any(axis=1), 0] = True
        return observed

    return mask


FURTHER = [  # name, data, number of rows, kernel, mask
    ("breast_tcga, half lose 1 of 3", breast_tcga, 150, "gaussian", lose(1)),
    ("breast_tcga, half lose 1 of 3", breast_tcga, 150, "linear", lose(1)),
    ("breast_tcga, 60 % lose 2 of 3", breast_tcga, 150, "polynomial", lose(2, 0.6)),
    ("nutrimouse, half lose 1 of 2", nutrimouse, 40, "gaussian", lose(1)),
    ("nutrimouse, half lose 1 of 2", nutrimouse, 40, "linear", lose(1)),
    ("3sources, half lose 1 of 3", three_sources, 169, "cosine", lose(1)),
    ("3sources, 60 % lose 2 of 3", three_sources, 169, "cosine", lose(2, 0.6)),
    ("mfeat, half lose 2 of 6", mfeat, 150, "linear", lose(2)),
    ("mfeat, 80 % lose 3 of 6", mfeat, 150, "narrow gaussian", lose(3, 0.8)),
    ("mfeat, half lose 2 of 6", mfeat, 120, "polynomial", lose(2)),
    ("mfeat, half lose 3 of 6", mfeat, 100, "uncentred", lose(3)),
    ("mfeat, 40 % of all pairs lost", mfeat, 200, "gaussian", lose_independently(0.4, 0.4)),
    ("mfeat, views lost with 0 to 90 %", mfeat, 150, "cosine", lose_independently(0, 0.9)),
    ("reuters_1200, half lose 2 of 5", reuters_without_empty_rows, 120, "cosine", lose(2)),
    ("reuters_1200, 90 % lose 3 of 5", reuters_without_empty_rows, 200, "cosine", lose(3, 0.9)),
    ("reuters_1200, views lost with 0 to 60 %", reuters_without_empty_rows, 150, "cosine", lose_independently(0, 0.6)),
]


def load_further(seed):
    """Problem number `seed` of FURTHER; its rows and mask are drawn with this seed."""
    _, data, n, kernel, mask = FURTHER[seed]
    random = np.random.default_rng(seed)
    views = data()
    rows = random.permutation(len(views[0]))[:n]
    return np.array([KERNELS[kernel](view[rows]) for view in views]), mask(random, n, len(views))
