"""
Five minutes
============

From three tables of different patients to one classifier for all patients.

Install the package with ``scripts/bootstrap`` (once) and ``pip install .`` in the source folder.
"""

# %%
# The data
# --------
# One table per view, with its samples in rows. Tables may have different samples in any order: mkc
# joins them by name. Here the data are simulated: four groups of patients.

import mkc

example = mkc.datasets.make_example(n_samples=70, missing=0.3, random_state=1)
tables = {name: example.features[name][example.observed[name]] for name in ["expression", "methylation", "protein"]}
{name: table.shape for name, table in tables.items()}

# %%
# Without completion, only patients with all views could be used: the first columns of this plot.

mkc.plot.missingness(tables)

# %%
# Kernels
# -------
# A kernel measures the similarity of two samples. ``rbf`` suits measurements; its width is chosen
# from the data. Features are first scaled to mean 0 and variance 1. See
# :func:`mkc.compute_kernels` for other kernels, also per view. Skip this step if you have kernels.

kernels = mkc.compute_kernels(tables)
mkc.inspect(kernels)

# %%
# Complete
# --------
# By default (``method="auto"``) mkc hides known rows, tries its methods on them, and completes the
# real gaps with the best combination. Observed values do not change.

completer = mkc.KernelCompleter(random_state=0)
completed = completer.fit_transform(kernels)
completed["protein"].iloc[:4, :4].round(2)

# %%
# Completed rows are marked at the left edge.

axes = mkc.plot.kernels(completer)

# %%
# Was it worth it?
# ----------------
# Per view: the relative error on held-out rows, and that of the mean of the other views.

completer.completion_.worth.round(3)

# %%
# For every completed row: its estimated error, with a 90 % interval.

completer.quality_.head().round(3)

# %%
# Use it
# ------
# The sum of the completed kernels is a kernel of all patients, in the order of ``samples_``. (Here
# the classes are groups in the mutation data, which are not among the views above.)

from sklearn.cluster import SpectralClustering
from sklearn.model_selection import cross_val_score
from sklearn.svm import SVC

K = mkc.combine(completed)
mutations = example.truth["mutations"].loc[completer.samples_, completer.samples_]
y = SpectralClustering(4, affinity="precomputed", random_state=0).fit_predict(mutations)
accuracy = cross_val_score(SVC(kernel="precomputed"), K, y, cv=5)
print(f"accuracy {accuracy.mean():.2f} on {len(K)} patients")

# %%
# For an unbiased estimate, completion must be part of the cross-validation:
# :doc:`/gallery/nested_cross_validation`.
#
# Next
# ----
# * :doc:`/gallery/is_it_worth_it` compares methods.
# * :doc:`/gallery/new_samples` completes new patients.
# * :doc:`/gallery/coming_from` helps users of iMML, SNF, MOFA and MATLAB.
