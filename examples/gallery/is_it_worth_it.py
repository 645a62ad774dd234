"""
Is completion worth it?
=======================

Measure it on your data: hide known rows, complete them, and compare. With classes, also compare the
accuracy of a classifier.
"""

# %%
# 120 digits in five views; half of the digits lack two views.

import mkc

views, digit = mkc.datasets.load_digits_views(120)
views = mkc.ampute(views, 0.5, views_missing=2, random_state=0)
kernels = mkc.compute_kernels(views)

# %%
# The baselines ``mean`` (the mean of the other views) and ``knn`` (the nearest samples that have the
# view) are always included: another method should be better. ``are`` is the average relative error
# of hidden rows in percent.

scores = mkc.evaluate(kernels, ["transfer"], y=digit, repeats=2, random_state=0)
per_view = scores[scores["view"].notna()]
per_view.pivot_table(index="method", columns="view", values="are").round(1)

# %%
# With classes: the accuracy of a cross-validated SVM on the combined kernel. ``on`` names the tested
# samples: ``all``, or only the ``complete`` ones. ``complete_cases`` uses complete samples only,
# without completion. Here the classifier gains from any completion, because it can learn from every
# sample. The choice of the method matters more for the kernels than for the classes.

with_classes = scores[scores["accuracy"].notna()]
with_classes.pivot_table(index="method", columns="on", values=["samples", "accuracy"]).round(3)

# %%
# A plot of the first table.

import matplotlib.pyplot as plt

errors = per_view.pivot_table(index="view", columns="method", values="are")
colours = ["#b8b8aa", "#d9d4c7", "#2f6690"]
ax = errors.plot.bar(figsize=(7, 3.2), rot=0, color=colours, width=0.75)
ax.set_ylabel("error of hidden rows, %")
ax.set_xlabel("")
ax.spines[["top", "right"]].set_visible(False)
ax.legend(frameon=False, ncols=3, loc="lower center", bbox_to_anchor=(0.5, 1))
plt.tight_layout()

# %%
# When it is not
# --------------
# A view that is unrelated to the others cannot be predicted from them. mkc shows this: for
# ``noise`` the held-out error is that of the average row, the verdict says so, and a warning says
# what may help. Completing such a view does not.

import warnings

import numpy as np
import pandas as pd

random = np.random.default_rng(0)
noise = pd.DataFrame(random.normal(size=(120, 20)), digit.index)
noise[random.uniform(size=120) < 0.3] = np.nan
part = {name: views[name] for name in ["upper", "profiles", "spectrum"]}
kernels = mkc.compute_kernels({**part, "noise": noise})
with warnings.catch_warnings(record=True) as caught:
    warnings.simplefilter("always")
    completion = mkc.complete(kernels, method="transfer", quality=True)
print(*[warning.message for warning in caught], sep="\n")
completion.worth.round(3)
