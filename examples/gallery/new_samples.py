"""
Completing new samples
======================

Fit once, save the model in a file, and complete new samples without fitting again.
"""

# %%
# Sixty patients for training, and twenty new ones that have only some of the views.

import pathlib
import tempfile

import mkc

example = mkc.datasets.make_example(n_samples=80, missing=0.25, random_state=4)
names = example.observed.index
old, new = names[:60], names[60:]


def tables(samples):
    has = example.observed.loc[samples]
    return {name: table.loc[samples[has[name]]] for name, table in example.features.items()}


make_kernels = mkc.MultiViewKernel({"mutations": "jaccard"})  # rbf for the others
completer = mkc.KernelCompleter("transfer", quality=True)
completer.fit(make_kernels.fit_transform(tables(old)))

# %%
# ``mkc complete --save-model`` writes such a file, and ``mkc predict`` reads it. It includes the
# fitted kernels, so new samples are given as features.

path = pathlib.Path(tempfile.mkdtemp()) / "model.npz"
mkc.save(completer, path, kernel=make_kernels)
model = mkc.load(path)
model

# %%
# Kernel values of the new patients and the sixty training patients, in all views:

rows = model.transform(tables(new))
{view: frame.shape for view, frame in rows.items()}

# %%
import matplotlib.pyplot as plt

fig, ax = plt.subplots(figsize=(7, 2.8), layout="constrained")
image = ax.imshow(rows["protein"], cmap="cividis", aspect="auto")
ax.set(title="protein, all rows complete", xlabel="training patients", ylabel="new patients")
fig.colorbar(image)

# %%
# The estimated error of the completed rows:

model.estimate_quality(tables(new)).head().round(3)
