"""
Nested cross-validation without leakage
=======================================

From tables with missing views to the class in one pipeline, so that scikit-learn repeats every
step on the training samples of each fold. Whatever is learnt (means, widths, completed rows,
weights, ``C``) never sees the test samples.
"""

# %%
# Digits in five views; half of the samples lost two of them. :func:`mkc.stack_views` makes one
# table, which scikit-learn can split: a row per sample, NaN where it lacks a view.

import mkc

views, digit = mkc.datasets.load_digits_views(100)
views = mkc.ampute(views, 0.5, views_missing=2, random_state=0)
X = mkc.stack_views(views)
print(X.shape)
mkc.plot.missingness(views)

# %%
# One pipeline: table -> views -> kernels -> completed kernels -> one kernel -> class. Test samples
# enter by ``transform``: rows of kernel values against the training samples, completed in the
# views they lack.

from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score, cross_validate
from sklearn.pipeline import Pipeline
from sklearn.svm import SVC

pipeline = Pipeline(
    [
        ("views", mkc.StackedViews()),
        ("kernels", mkc.MultiViewKernel("rbf")),
        ("complete", mkc.KernelCompleter("transfer")),
        ("combine", mkc.KernelCombiner()),
        ("svm", SVC(kernel="precomputed")),
    ]
)

# %%
# The inner cross-validation chooses ``C`` and the method; the outer one judges the whole. Any
# parameter of any step can stand in the grid.

inner = StratifiedKFold(2, shuffle=True, random_state=1)
outer = StratifiedKFold(3, shuffle=True, random_state=0)
grid = {"complete__method": ["transfer", "mean"], "svm__C": [1, 10]}
search = GridSearchCV(pipeline, grid, cv=inner)
scores = cross_validate(search, X, digit, cv=outer, return_estimator=True)
print(f"accuracy {scores['test_score'].mean():.3f} +- {scores['test_score'].std():.3f}")

# %%
# What each fold chose, from its training samples alone:

import pandas as pd

chosen = pd.DataFrame([fold.best_params_ for fold in scores["estimator"]])
chosen.assign(accuracy=scores["test_score"].round(3))

# %%
# Completing first and cross-validating afterwards is quicker and may be what you want: completion
# uses no classes, and if all samples are at hand it may see their kernel rows. For samples that
# come later, the pipeline above gives the honest figure.

completer = mkc.KernelCompleter("transfer")
K = mkc.combine(completer.fit_transform(mkc.compute_kernels(views)))
accuracy = cross_val_score(SVC(kernel="precomputed", C=10), K, digit[completer.samples_], cv=outer)
print(f"completed first: {accuracy.mean():.3f} +- {accuracy.std():.3f}")
