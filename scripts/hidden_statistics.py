#!/usr/bin/env python3
"""What it changes that statistics of features see rows which are hidden afterwards (docs/experiments.md).

    MKC_DATA=../shared/data build/peers/env/bin/python scripts/hidden_statistics.py build/release/apps/mkc/mkc

Kernels of the same rows are made twice, with means, deviations, the median width (breast_tcga) and the singular vectors
(3sources) of all rows, and of those that stay visible. Each time hidden rows are completed and compared with the kernel
of the same statistics. Needs NumPy, SciPy and scikit-learn; three draws of the mask.
"""

import sys
import tempfile

import numpy as np
import peer_sets
from peer_runs import centred_error, complete_by_mkc

METHODS = ["knn", "transfer", "embd_hm,c2=0.1,ridge=0.01"]
DRAWS = range(3)


def median_gaussian(X, rows):
    """z-scores and exp(-d^2 / median d^2), both by these rows."""
    Z = peer_sets.z_scores(X, rows)
    squares = (Z**2).sum(1)
    d2 = np.maximum(squares[:, None] + squares - 2 * Z @ Z.T, 0)
    seen = d2[np.ix_(rows, rows)]
    return np.exp(-d2 / np.median(seen[np.triu_indices(len(seen), 1)]))


def latent_semantic(X, rows, components=50):
    """Cosines of the projections on the leading right singular vectors of these rows."""
    directions = np.linalg.svd(X[rows], full_matrices=False)[2][:components]
    return peer_sets.cosine(X @ directions.T)


def relative_error(truth, found, observed):
    errors = []
    for K, E, seen in zip(truth, found, observed.T):
        errors.append(np.mean(np.linalg.norm((E - K)[~seen], axis=1) / np.linalg.norm(K[~seen], axis=1)))
    return 100 * float(np.mean(errors))


def main(binary):
    print("| data | method | error, all rows | error, visible rows | centred, all | centred, visible |")
    print("|---|---|---|---|---|---|")
    for name, make in (("breast_tcga", median_gaussian), ("3sources", latent_semantic)):
        data = peer_sets.SETS[name]()
        for method in METHODS:
            results = []
            for seed in DRAWS:
                observed = peer_sets.hidden_at_random(len(data.classes), len(data.views), seed)
                for visible in (False, True):
                    rows = observed if visible else np.ones_like(observed)
                    truth = [make(X, seen) for X, seen in zip(data.views, rows.T)]
                    with tempfile.TemporaryDirectory() as folder:
                        found, _ = complete_by_mkc(binary, method, folder, truth, observed)
                    results.append([relative_error(truth, found, observed), centred_error(truth, found, observed)])
            figures = np.array(results).reshape(len(DRAWS), 2, 2).mean(0)
            print(f"| {name} | `{method}` | " + " | ".join(f"{x:.1f}" for x in figures.T.ravel()) + " |", flush=True)


if __name__ == "__main__":
    main(sys.argv[1])
