"""
Completing omics-like data
==========================

Expression, methylation, protein and mutation data of one disease, each measured on different
patients and with its own kernel. The data are simulated, so the truth is known.
"""

# %%
# A third of the (patient, view) pairs are missing.

import numpy as np
import pandas as pd

import mkc

example = mkc.datasets.make_example(n_samples=70, missing=0.33, random_state=3)
tables = {name: table[example.observed[name]] for name, table in example.features.items()}
mkc.plot.missingness(tables)

# %%
# Measurements get a Gaussian or Laplacian kernel, proteins the cosine kernel, sets of mutated genes
# the Jaccard index. A dict holds a kernel with its options.

kind = {
    "expression": {"kernel": "rbf", "gamma": 0.02},
    "methylation": {"kernel": "laplacian", "gamma": 0.03},
    "protein": "cosine",
    "mutations": "jaccard",
}
kernels = mkc.compute_kernels(tables, kind)
mkc.inspect(kernels)

# %%
# All views are completed together; each keeps its own scale.

completion = mkc.complete(kernels, random_state=0)
axes = mkc.plot.kernels(completion)

# %%
# The weights of the methods that ``auto`` combined in each view:

candidates = completion.candidates
candidates["method"] = candidates["candidate"].str.split(",").str[0]
weights = candidates.pivot_table(index="method", columns="view", values="weight", aggfunc="sum")
weights[weights.sum(axis=1) > 0.01].round(2)

# %%
# Here the truth is known: compare the true error of the completed rows with the estimate of mkc.
# (The true kernels scale the features by all patients, those above by the observed patients. This
# causes a small part of the true error.)

truth = mkc.compute_kernels(example.features, kind)


def true_error(sample, view):
    true = truth[view].loc[sample, completion.samples]
    return np.linalg.norm(completion[view].loc[sample] - true) / np.linalg.norm(true)


quality = completion.quality.copy()
quality["true_error"] = [true_error(s, v) for s, v in zip(quality["sample"], quality["view"])]
pd.DataFrame(
    {
        "estimated": quality.groupby("view")["relative_error"].mean(),
        "true": quality.groupby("view")["true_error"].mean(),
        "mean of the other views, estimated": completion.worth["mean_of_others_error"],
    }
).round(3)
