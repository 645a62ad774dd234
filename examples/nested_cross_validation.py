"""Is completion worth it for a classifier? Nested cross-validation of support vector machines.

    python3 examples/nested_cross_validation.py digits            # scikit-learn's digits, views hidden
    MKC_DATA=... python3 examples/nested_cross_validation.py mfeat 3sources

For every data set: the accuracy of an SVM on held-out samples in five folds. An inner cross-validation on the
training samples chooses C. The kernels are

* of all samples, completed together by `transfer`, by neighbours (`knn`) or by the mean of the other views (`mean`):
  completion uses no labels, but it uses the views of test samples;
* `transfer, fold by fold`: one Pipeline fitted on the training samples alone; test samples are completed by
  `transform`;
* `complete cases`: trained and tested on the samples that have all views; the others cannot be classified.
"""

from __future__ import annotations

import os
import pathlib
import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_predict
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import mkc

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))


def digits(count=300):
    """Handwritten digits; half of them lack two of five views."""
    views, y = mkc.datasets.load_digits_views(count)
    return mkc.ampute(views, 0.5, views_missing=2, random_state=0), y, "rbf"


def mfeat(rows=1000):
    """UCI Multiple Features, split s0: half of the rows lack two of six views."""
    from scipy.io import loadmat

    mask = pd.read_csv(DATA / "mfeat" / "protocol_s0_miss2.csv")
    stored = loadmat(next((DATA / "mfeat").glob("*.mat")))
    where = mask["row"].to_numpy()[:rows]
    y = pd.Series(stored["Y"].ravel()[where], where.astype(str))
    views = {}
    for m, name in enumerate(["pix", "fou", "fac", "zer", "kar", "mor"]):
        values = np.asarray(stored["X"].ravel()[m], dtype=float)
        table = pd.DataFrame(values[where] if len(values) == 2000 else values.T[where], y.index)
        views[name] = table[mask.iloc[:rows, m + 1].to_numpy() == 1]
    return views, y, "rbf"


def three_sources():
    """News stories from three sources, naturally incomplete."""
    from scipy.io import mmread

    folder = DATA / "3sources"
    views = {}
    for source in ["bbc", "guardian", "reuters"]:
        counts = mmread(next(folder.glob(f"*{source}*.mtx"))).T.toarray()
        ids = next(folder.glob(f"*{source}*.docs")).read_text().split()
        views[source] = pd.DataFrame(np.log1p(counts), ids)
    y = {}
    for line in next(folder.glob("*disjoint.clist")).read_text().splitlines():
        name, *members = [word.strip() for word in line.split(",")]
        y.update(dict.fromkeys(members, name))
    return views, pd.Series(y), "cosine"


def svm():
    """An SVM whose C is chosen by the inner cross-validation."""
    folds = StratifiedKFold(3, shuffle=True, random_state=1)
    return GridSearchCV(SVC(kernel="precomputed"), {"C": [0.1, 1, 10, 100]}, cv=folds)


def pipeline(kernel):
    """One estimator from the stacked table to the predicted class."""
    return make_pipeline(
        mkc.StackedViews(), mkc.MultiViewKernel(kernel), mkc.KernelCompleter("transfer"), mkc.KernelCombiner(), svm()
    )


def together(views, kernel, method, samples):
    """One kernel of all samples, completed without labels."""
    completion = mkc.complete(mkc.compute_kernels(views, kernel), method=method, n_jobs=-1)
    return mkc.combine(completion, as_frame=True).loc[samples, samples].to_numpy()


def table(name, load):
    views, y, kernel = load()
    X = mkc.stack_views(views)
    y = y.loc[[label for label in X.index if label in y.index]]
    X = X.loc[y.index]
    whole = np.column_stack([X[view].notna().any(axis=1) for view in views]).all(axis=1)
    outer = StratifiedKFold(5, shuffle=True, random_state=0)

    def show(label, right):
        """`right`: per sample 1 or 0, NaN if it was not classified."""
        row = [name, len(y), label, np.isfinite(right).sum(), f"{np.nanmean(right):.3f}"]
        print("| " + " | ".join(map(str, [*row, f"{np.nanmean(right[whole]):.3f}"])) + " |", flush=True)

    for label, method in [("completed", "transfer"), ("knn-filled", "knn"), ("mean-filled", "mean")]:
        found = cross_val_predict(svm(), together(views, kernel, method, y.index), y, cv=outer)
        show(f"{label} ({method})", (found == y).to_numpy(dtype=float))
    found = cross_val_predict(pipeline(kernel), X, y, cv=outer)
    show("transfer, fold by fold", (found == y).to_numpy(dtype=float))
    right = np.full(len(y), np.nan)
    found = cross_val_predict(pipeline(kernel), X[whole], y[whole], cv=outer)  # nothing is missing there
    right[whole] = found == y[whole]
    show("complete cases", right)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print("| data | samples | kernels | classified | accuracy | on samples that lack nothing |")
    print("|---|---|---|---|---|---|")
    for name in sys.argv[1:] or ["digits"]:
        table(name, {"digits": digits, "mfeat": mfeat, "3sources": three_sources}[name])
