"""
Five minutes
============

Three tables of different patients in, one classifier for all patients out.

Install the package with ``pip install .`` in the folder of the source (``scripts/bootstrap``
first, once).
"""

# %%
# The data
# --------
# One table per view, samples in rows, each with the samples it has. They need not be in the same
# order, nor be the same: mkc joins them by name. Here they are made up: four groups of patients.

import mkc

example = mkc.datasets.make_example(n_samples=70, missing=0.3, random_state=1)
tables = {
    name: example.features[name][example.observed[name]]
    for name in ["expression", "methylation", "protein"]
}
{name: table.shape for name, table in tables.items()}

# %%
# How many patients could be used without completion? Those in the last columns of this picture
# could not.

mkc.plot.missingness(tables)

# %%
# Kernels
# -------
# A kernel says how similar two samples are. ``rbf`` suits measurements; the width is chosen from
# the data. The features are brought to mean 0 and variance 1 first. Other kernels, also per view:
# :func:`mkc.compute_kernels`. If you have kernels of your own, skip this step.

kernels = mkc.compute_kernels(tables)
mkc.inspect(kernels)

# %%
# Complete
# --------
# By default (``method="auto"``) rows that are known are hidden, the methods are tried on them, and
# the best mixture completes the real gaps. What was observed comes back as it was.

completer = mkc.KernelCompleter(random_state=0)
completed = completer.fit_transform(kernels)
completed["protein"].iloc[:4, :4].round(2)

# %%
# Rows that were completed are marked at the left edge.

axes = mkc.plot.kernels(completer)

# %%
# Was it worth it?
# ----------------
# Per view: the relative error on rows that were hidden on purpose, beside filling in the mean of
# the other views.

completer.completion_.worth.round(3)

# %%
# And for every completed row: how large its error is likely to be, with a 90 % interval.

completer.quality_.head().round(3)

# %%
# Use it
# ------
# The sum of the completed kernels is a kernel of all patients, in the order of ``samples_``. (The
# classes are made up here: groups found in the mutations, which are not among the views above.)

from sklearn.cluster import SpectralClustering
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

K = mkc.combine(completed)
mutations = example.truth["mutations"].loc[completer.samples_, completer.samples_]
y = SpectralClustering(4, affinity="precomputed", random_state=0).fit_predict(mutations)
accuracy = cross_val_score(SVC(kernel="precomputed"), K, y, cv=5)
print(f"accuracy {accuracy.mean():.2f} on {len(K)} patients")

# %%
# To be strict, completion belongs inside the cross-validation as well:
# :doc:`/gallery/nested_cross_validation`.
#
# Next
# ----
# * :doc:`/gallery/is_it_worth_it` tries methods side by side.
# * :doc:`/gallery/new_samples` completes patients that come later.
# * :doc:`/gallery/coming_from` translates from iMML, SNF, MOFA and MATLAB.
