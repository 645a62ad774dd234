"""
How reliable is a completed row?
================================

Every completed row has an estimate of its relative error and a 90 % interval, based on held-out
rows. Here the truth is known, so both can be checked.
"""

import numpy as np

import mkc

example = mkc.datasets.make_example(n_samples=70, missing=0.3, random_state=2)
completer = mkc.KernelCompleter(random_state=0).fit(example.kernels)
completer.quality_.head().round(3)

# %%
# Each dot is a completed row; the lines show the errors of the average row and of the mean of
# the other views:

mkc.plot.quality(completer)

# %%
# How often is the true error inside the interval? It should be about 90 %.

quality = completer.quality_.copy()
for i, row in quality.iterrows():
    true = example.truth[row["view"]].loc[row["sample"], completer.samples_]
    found = completer.kernels_[row["view"]].loc[row["sample"], completer.samples_]
    quality.loc[i, "true_error"] = np.linalg.norm(found - true) / np.linalg.norm(true)
inside = quality["true_error"].between(quality["low"], quality["high"])
print(f"{inside.mean():.0%} of {len(quality)} rows inside")

# %%
# Rows with a larger estimate have a larger true error. A row outside its interval can be far
# outside.

import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(4.6, 4.2), layout="constrained")
colours = ["#2f6690", "#d1603d", "#5b8e7d", "#9a6fb0"]
for (view, rows), colour in zip(quality.groupby("view", sort=False), colours):
    estimated, true = 100 * rows["relative_error"], 100 * rows["true_error"]
    ax.plot(estimated, true, "o", ms=4, color=colour, label=view)
ax.set(xscale="log", yscale="log", xlim=(4, 130), ylim=(4, 130))
ax.plot([4, 130], [4, 130], color="#6b705c", linewidth=1)
ax.set_xlabel("estimated error of the row, %")
ax.set_ylabel("true error, %")
ax.legend(frameon=False, fontsize="small")
ax.spines[["top", "right"]].set_visible(False)

# %%
# One use of the estimates: exclude rows with a large error from training. Another is to weight
# samples by ``1 - error``.

doubtful = quality[quality["relative_error"] > 0.2]
doubtful.groupby("view").size().rename("rows above 20 %").to_frame()

# %%
# Methods other than ``auto`` also give estimates, with ``quality=True``. ``mkc.evaluate(...,
# quality=True)`` measures the coverage of the intervals on your own data.
