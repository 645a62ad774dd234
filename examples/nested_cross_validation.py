"""Is completion worth it for a classifier? Nested cross-validation of support vector machines.

    python3 examples/nested_cross_validation.py digits            # scikit-learn's digits, views hidden
    MKC_DATA=... python3 examples/nested_cross_validation.py mfeat 3sources

For every data set, the accuracy on held-out samples of an SVM (C chosen by an inner cross-validation on the
training kernel) with kernels that were

* completed (KernelCompleter, method `transfer`), filled by neighbours (`knn`), filled by the mean of the other
  views (`mean`): fitted on the training samples of each fold, the test samples come in by `transform`;
* and `complete cases`: trained on the training samples that lack no view, tested on the test samples that lack
  none. The others cannot be classified: the table says how many.

Test samples are never seen by anything that is fitted, views they lack stay missing.
"""

from __future__ import annotations

import os
import pathlib
import sys
import warnings

import numpy as np
import pandas as pd
from sklearn.model_selection import GridSearchCV, StratifiedKFold
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import mkc

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))


def digits():
    """600 digits, half of which lost two of five views."""
    views, y = mkc.datasets.load_digits_views(600)
    return mkc.ampute(views, 0.5, views_missing=2, random_state=0), y, "rbf"


def mfeat(rows=1000):
    """UCI Multiple Features, split s0: half of the rows lost two of six views."""
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
    """News stories of three sources, naturally incomplete."""
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


def pipeline(kernel, method):
    """One estimator from the stacked table to the class; the inner cross-validation is its last step."""
    svm = GridSearchCV(
        SVC(kernel="precomputed"),
        {"C": [0.1, 1, 10, 100]},
        cv=StratifiedKFold(3, shuffle=True, random_state=1),
    )
    return make_pipeline(
        mkc.StackedViews(),
        mkc.MultiViewKernel(kernel),
        mkc.KernelCompleter(method),
        mkc.KernelCombiner(),
        svm,
    )


def accuracy(model, X, y, folds, complete_only):
    """Share of correct test samples, the same of those that lack nothing, and how many were classified."""
    whole = np.column_stack([X[view].notna().any(axis=1) for view in X.columns.levels[0]]).all(axis=1)
    right, of_whole, tested = [], [], 0
    for train, test in folds.split(X, y):
        if complete_only:
            train, test = train[whole[train]], test[whole[test]]
        hits = model.fit(X.iloc[train], y.iloc[train]).predict(X.iloc[test]) == y.iloc[test].to_numpy()
        right += hits.tolist()
        of_whole += hits[whole[test]].tolist()
        tested += len(test)
    return np.mean(right), np.mean(of_whole), tested


def table(name, load):
    views, y, kernel = load()
    X = mkc.stack_views(views)
    y = y.loc[[label for label in X.index if label in y.index]]
    X = X.loc[y.index]
    folds = StratifiedKFold(5, shuffle=True, random_state=0)
    for label, method in [
        ("completed (transfer)", "transfer"),
        ("knn-filled", "knn"),
        ("mean-filled", "mean"),
        ("complete cases", "mean"),
    ]:
        share, of_whole, tested = accuracy(pipeline(kernel, method), X, y, folds, label == "complete cases")
        row = [name, len(y), label, tested, f"{share:.3f}", f"{of_whole:.3f}"]
        print("| " + " | ".join(map(str, row)) + " |", flush=True)


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    print("| data | samples | kernels | classified | accuracy | on samples that lack nothing |")
    print("|---|---|---|---|---|---|")
    for asked in sys.argv[1:] or ["digits"]:
        table(asked, {"digits": digits, "mfeat": mfeat, "3sources": three_sources}[asked])
