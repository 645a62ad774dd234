"""
Coming from iMML, SNF, MOFA or the MATLAB code
==============================================

.. list-table::
   :header-rows: 1
   :widths: 16 42 42

   * - coming from
     - there
     - in mkc
   * - iMML
     - ``Xs``: a list of tables with the same samples, rows of NaN for a missing modality
     - the same list, or a dict of tables with their observed samples
   * -
     - modality
     - view
   * -
     - ``Amputer(p=0.3, mechanism="mcar")``
     - :func:`mkc.ampute` ``(Xs, 0.3, mechanism="mcar")``
   * -
     - an observed-modality indicator
     - ``observed`` of :func:`mkc.complete`; ``completion.observed``
   * -
     - ``kernel=`` a function of the features
     - :func:`mkc.compute_kernels`, or your own kernels, which may be incomplete
   * - SNF (snfpy, SNFtool)
     - one affinity matrix per data type, of the same patients
     - kernels of the patients that have the data type; after completion, input of ``snf.snf``
   * -
     - patients that lack a data type are removed
     - they are completed
   * -
     - the fused network
     - :func:`mkc.combine`: a weighted sum, which stays a kernel
   * - MOFA2
     - a long table ``sample, feature, view, value``
     - a dict of tables: ``pivot`` per view
   * -
     - views must have the same samples, filled with NA
     - views are joined by name; no filling
   * -
     - factors, variance explained per view
     - leading eigenvectors of the combined kernel; ``worth`` per view
   * - MATLAB (MKC)
     - ``K`` (N x N x M), ``MID`` (N x M, 0 = missing)
     - ``mkc.complete(K.transpose(2, 0, 1), observed=MID)``; the command line reads the ``.mat`` file
   * -
     - ``PredK``, ``S``
     - ``completion.kernels``, ``completion.view_relations``
   * -
     - MKC embd(ht), embd(hm), app, sdp
     - ``method="embd_ht"``, ``"embd_hm"``, ``"app"``, ``"sdp"``; more in :func:`mkc.methods`

The code below needs only mkc and starts from data in the format of the other tool.
"""

import numpy as np
import pandas as pd

import mkc

example = mkc.datasets.make_example(n_samples=60, missing=0.3, random_state=5)
samples, names = example.observed.index, list(example.features)

# %%
# From iMML
# ---------
# A list of tables of all samples, with rows of NaN. The result is a list, too.

Xs = [example.features[name].where(example.observed[name]) for name in names]
completed = mkc.KernelCompleter("transfer").fit_transform(mkc.compute_kernels(Xs))
print(type(completed).__name__, completed[0].shape, "no NaN:", completed[0].notna().all(axis=None))

# %%
# Hide more rows, like ``Amputer``:

more = mkc.ampute(Xs, 0.2, mechanism="mcar", random_state=0)
print([int(X[0].isna().sum()) for X in Xs], "->", [int(X[0].isna().sum()) for X in more])

# %%
# From SNF
# --------
# Affinities of the patients of each data type. SNF's scaled affinity may not be positive semi-
# definite: ``psd="clip"`` sets negative eigenvalues to zero first. The result has no gaps, so it can
# be used in ``snf.snf``, or in spectral clustering of the combined kernel.

from sklearn.cluster import SpectralClustering


def scaled_affinity(table, k=15, mu=0.5):
    """exp(-d^2 / (mu e)); e is the mean of d and both samples' mean distances to k neighbours."""
    values = table.to_numpy()
    d = np.sqrt(((values[:, None] - values[None]) ** 2).sum(axis=2))
    near = np.sort(d, axis=1)[:, 1 : k + 1].mean(axis=1)
    e = (near[:, None] + near[None] + d) / 3
    return pd.DataFrame(np.exp(-(d**2) / (mu * e)), table.index, table.index)


affinities = {}
for name in ["expression", "methylation", "protein"]:
    table = example.features[name][example.observed[name]]
    affinities[name] = scaled_affinity((table - table.mean()) / table.std())
completion = mkc.complete(affinities, method="transfer", psd="clip")
K = mkc.combine(completion)
clustering = SpectralClustering(4, affinity="precomputed", random_state=0)
groups = clustering.fit_predict(np.clip(K, 0, None))
print([len(frame) for frame in affinities.values()], "->", len(K), "patients")
print("groups of", np.bincount(groups))

# %%
# From MOFA
# ---------
# A long table, the input of ``create_mofa_from_df``, becomes one table per view. Kernel principal
# components of the combined kernel correspond to MOFA's factors.

long = pd.concat(
    table[example.observed[name]].melt(ignore_index=False, var_name="feature").assign(view=name)
    for name, table in example.features.items()
)
long = long.reset_index()
long.sample(3, random_state=0)

# %%
tables = {
    view: rows.pivot(index="sample", columns="feature", values="value")
    for view, rows in long.groupby("view", sort=False)
}
completer = mkc.KernelCompleter("transfer").fit(mkc.compute_kernels(tables))
mkc.plot.embedding(completer)

# %%
# From MATLAB
# -----------
# ``scipy.io.loadmat`` gives ``K`` as N x N x M and ``MID`` as N x M; mkc expects the views first.
# Rows of ``K`` that are missing in ``MID`` are not read. On the command line: ``mkc complete
# data.mat -m embd_ht -o result``.

stored = {
    "K": np.stack([example.truth[name].to_numpy() for name in names], axis=2),
    "MID": example.observed.to_numpy().astype(float),
}
completion = mkc.complete(stored["K"].transpose(2, 0, 1), "embd_ht", observed=stored["MID"])
PredK = completion.kernels.transpose(1, 2, 0)
print(PredK.shape, completion.status)
completion.view_relations.round(2)
