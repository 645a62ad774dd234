#!/usr/bin/env python3
"""Completion in factor form beside what else is at hand for many samples: error and CPU seconds.

    benchmarks/beside_imputers.py MKC FOLDER [TOOL=N ...]     (factor=100000 mean=100000 pca=100000 knn=5000
                                                              iterative=5000 mofa=5000)

The tables of benchmarks/scale.py, made complete once more to know the truth. A tool other than mkc fills the
features; the kernel of a view is that of mkc (z-scores, rbf). The error is the mean relative error of the kernel rows
of 1,000 missing (sample, view) pairs in 1,000 columns of samples that have the view. Needs NumPy, scikit-learn and
mofapy2.
"""

import json
import pathlib
import resource
import subprocess
import sys
import time

import numpy as np
import scale

PAIRS = COLUMNS = 1000
SIZES = {"factor": 100000, "mean": 100000, "pca": 100000, "knn": 5000, "iterative": 5000, "mofa": 5000}


def truth_and_tables(folder, n):
    tables = [np.load(path) for path in scale.write_tables(folder / str(n), n)]
    weights = np.random.default_rng(0).normal(size=(scale.VIEWS, 10, scale.FEATURES)) / np.sqrt(10)
    truth = [np.empty_like(table) for table in tables]
    for first in range(0, n, 10000):
        random = np.random.default_rng([1, first])
        state = random.normal(size=(10000, 10))
        random.random((10000, scale.VIEWS))
        for m, table in enumerate(truth):
            x = np.tanh(state @ weights[m]) + 0.3 * random.normal(size=(10000, scale.FEATURES))
            table[first : first + 10000] = x[: n - first]
    for table, whole in zip(tables, truth):
        there = ~np.isnan(table[:, 0])
        assert np.array_equal(table[there], whole[there])
    return truth, tables


def rows_and_columns(table, m):
    """Samples whose row is judged, and in which columns."""
    random = np.random.default_rng([2, m])
    missing = np.isnan(table[:, 0])
    rows, columns = np.flatnonzero(missing), np.flatnonzero(~missing)
    return (
        random.choice(rows, min(len(rows), PAIRS // scale.VIEWS), replace=False),
        random.choice(columns, min(len(columns), COLUMNS), replace=False),
    )


def rbf(x, y, gamma):
    squares = (x**2).sum(1)[:, None] + (y**2).sum(1) - 2 * x @ y.T
    return np.exp(-gamma * np.maximum(squares, 0))


def standardised(table, values):
    return (values - np.nanmean(table, 0)) / np.nanstd(table, 0)


def error(truth, tables, gammas, kernel_rows):
    """kernel_rows(m, rows, columns): the kernel of view m as a tool completes it."""
    errors = []
    for m, table in enumerate(tables):
        rows, columns = rows_and_columns(table, m)
        z = standardised(table, truth[m][np.r_[rows, columns]])
        exact = rbf(z[: len(rows)], z[len(rows) :], gammas[m])
        found = kernel_rows(m, rows, columns)
        errors += list(np.linalg.norm(found - exact, axis=1) / np.linalg.norm(exact, axis=1))
    return np.mean(errors)


def widths(tables):
    """gamma = 1 / median squared distance of some samples, as mkc chooses it."""
    gammas = []
    for table in tables:
        z = standardised(table, table[~np.isnan(table[:, 0])][:2000])
        squares = (z**2).sum(1)[:, None] + (z**2).sum(1) - 2 * z @ z.T
        gammas.append(1 / np.median(squares[np.triu_indices(len(z), 1)]))
    return gammas


def of_features(truth, tables, gammas, filled):
    def kernel_rows(m, rows, columns):
        return rbf(standardised(tables[m], filled[m][rows]), standardised(tables[m], truth[m][columns]), gammas[m])

    return error(truth, tables, gammas, kernel_rows)


def factor(mkc, folder, n, tables):
    paths = [f"{folder / str(n)}/view{m}.npy,kernel=rbf,gamma=median" for m in range(scale.VIEWS)]  # of z-scores
    out = folder / f"beside{n}"
    command = [mkc, "complete", *paths, "--match-rows", "--form", "factor", "--rank", "100", "--landmarks", "400"]
    subprocess.run([*command, "--report", "none", "--quiet", "--force", "-t", "1", "-o", str(out)], check=True)
    meta = json.loads((out / "meta_info.json").read_text())
    factors = [np.load(out / view["factors"], mmap_mode="r") for view in meta["views"]]
    gammas = [float(view["kernel"].split("gamma ")[1]) for view in meta["views"]]
    return gammas, lambda m, rows, columns: np.asarray(factors[m][rows]) @ np.asarray(factors[m][columns]).T


def mean(tables):
    return [np.where(np.isnan(table), np.nanmean(table, 0), table) for table in tables]


def pca(tables):
    from sklearn.decomposition import PCA

    together = np.hstack(mean(tables))
    model = PCA(100, svd_solver="randomized", random_state=0)
    found = model.inverse_transform(model.fit_transform(together))
    return np.hsplit(found, len(tables))


def imputed(imputer, tables):
    return np.hsplit(imputer.fit_transform(np.hstack(tables)), len(tables))


def knn(tables):
    from sklearn.impute import KNNImputer

    return imputed(KNNImputer(n_neighbors=10), tables)


def iterative(tables):
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return imputed(IterativeImputer(max_iter=3, n_nearest_features=50, random_state=0), tables)


def mofa(tables):
    from mofapy2.run.entry_point import entry_point

    model = entry_point()
    model.set_data_options(scale_views=False)
    model.set_data_matrix([[table] for table in tables])
    model.set_model_options(factors=20)
    model.set_train_options(iter=200, convergence_mode="fast", seed=0, verbose=False)
    model.build()
    model.run()
    nodes = model.model.nodes
    z = nodes["Z"].getExpectation()
    w = nodes["W"].getExpectation()
    return [z @ w[m].T + np.nanmean(table, 0) for m, table in enumerate(tables)]


def main():
    mkc, folder, *wanted = sys.argv[1:]
    folder = pathlib.Path(folder)
    sizes = {name: int(n) for name, n in (text.split("=") for text in wanted)} or SIZES
    print("| tool | N | error of missing kernel rows | CPU s | wall s |\n|---|---|---|---|---|")
    for name, n in sizes.items():
        truth, tables = truth_and_tables(folder, n)
        start = time.monotonic()
        before = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        if name == "factor":
            gammas, kernel_rows = factor(mkc, folder, n, tables)
        else:
            filled = globals()[name](tables)
        after = sum(sum(resource.getrusage(who)[:2]) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
        seconds = after - before, time.monotonic() - start
        if name == "factor":
            value = error(truth, tables, gammas, kernel_rows)
        else:
            value = of_features(truth, tables, widths(tables), filled)
        print(f"| {name} | {n:,} | {100 * value:.1f} % | {seconds[0]:.0f} | {seconds[1]:.0f} |", flush=True)


if __name__ == "__main__":
    main()
