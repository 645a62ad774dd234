"""
Nested cross-validation without leakage
=======================================

One pipeline from tables with missing views to the class. scikit-learn repeats every step on the
training samples of each fold, so that nothing that is learnt (means, widths, completed rows,
weights, ``C``) uses the test samples.
"""

# %%
# Digits in five views; half of the samples lack two of them. :func:`mkc.stack_views` makes one
# table, which scikit-learn can split: one row per sample, NaN where it lacks a view.

import mkc

views, digit = mkc.datasets.load_digits_views(100)
views = mkc.ampute(views, 0.5, views_missing=2, random_state=0)
X = mkc.stack_views(views)
print(X.shape)
mkc.plot.missingness(views)

# %%
# One pipeline: table -> views -> kernels -> completed kernels -> one kernel -> class. ``transform``
# computes kernel values of test samples and training samples and completes the views that a test
# sample lacks.

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
# The inner cross-validation chooses ``C`` and the method; the outer one evaluates the pipeline. The
# grid may contain any parameter of any step.

inner = StratifiedKFold(2, shuffle=True, random_state=1)
outer = StratifiedKFold(3, shuffle=True, random_state=0)
grid = {"complete__method": ["transfer", "mean"], "svm__C": [1, 10]}
search = GridSearchCV(pipeline, grid, cv=inner)
scores = cross_validate(search, X, digit, cv=outer, return_estimator=True)
print(f"accuracy {scores['test_score'].mean():.3f} +- {scores['test_score'].std():.3f}")

# %%
# The choice of each fold, from its training samples alone:

import pandas as pd

chosen = pd.DataFrame([fold.best_params_ for fold in scores["estimator"]])
chosen.assign(accuracy=scores["test_score"].round(3))

# %%
# Completing before the cross-validation is faster. It is valid if all samples are available at
# once, because completion uses no classes. For samples that arrive later, the pipeline above gives
# the unbiased estimate.

completer = mkc.KernelCompleter("transfer")
K = mkc.combine(completer.fit_transform(mkc.compute_kernels(views)))
accuracy = cross_val_score(SVC(kernel="precomputed", C=10), K, digit[completer.samples_], cv=outer)
print(f"completed first: {accuracy.mean():.3f} +- {accuracy.std():.3f}")
