"""FactorCompleter: completion in factor form as a scikit-learn transformer."""

from __future__ import annotations

from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted

from ._factor import FactorCompletion, FactorModel, complete_factors
from ._types import FloatArray, KernelChoice, MultiView, NaFeatures, RandomState


class FactorCompleter(TransformerMixin, BaseEstimator):
    """Tables of views with missing rows to one table without: the factors of all views side by side.

    It does the work of MultiViewKernel, KernelCompleter and KernelCombiner without any kernel of all pairs: a linear
    model on its output is the kernel model on the mean of the completed kernels. Time and memory are linear in the
    number of samples.

    Parameters
    ----------
    kernel, na_features, rank, landmarks, random_state, n_jobs
        As in :func:`mkc.complete_factors`.
    scale
        Divide the kernel of each view by its variance, so that every view counts the same.

    Attributes
    ----------
    completion_ : the result of :func:`mkc.complete_factors`
    model_ : the :class:`mkc.FactorModel` of new samples
    scales_ : what the factors of each view are multiplied with

    Examples
    --------
    >>> import mkc
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.svm import LinearSVC
    >>> example = mkc.datasets.make_example(60, random_state=1)
    >>> tables = {view: table[example.observed[view]] for view, table in example.features.items()}
    >>> mkc.FactorCompleter(rank=20).fit_transform(tables).shape
    (60, 80)
    """

    completion_: FactorCompletion
    model_: FactorModel
    scales_: FloatArray

    def __init__(
        self,
        kernel: KernelChoice = "auto",
        *,
        na_features: NaFeatures = "error",
        rank: int | None = None,
        landmarks: int | None = None,
        scale: bool = True,
        random_state: RandomState | None = None,
        n_jobs: int | None = None,
    ) -> None:
        self.kernel = kernel
        self.na_features = na_features
        self.rank = rank
        self.landmarks = landmarks
        self.scale = scale
        self.random_state = random_state
        self.n_jobs = n_jobs

    def fit(self, X: MultiView, y: object = None) -> FactorCompleter:
        """Completes the training samples.

        Parameters
        ----------
        X
            A dict of tables of features, as in :func:`mkc.complete_factors`.
        y
            Not used.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> mkc.FactorCompleter(rank=20).fit(tables).scales_.shape
        (4,)
        """
        self.fit_transform(X, y)
        return self

    def fit_transform(self, X: MultiView, y: object = None, **params: Any) -> FloatArray:
        """Completes the training samples and returns their factors, N x (views times rank).

        Parameters
        ----------
        X, y
            As in ``fit``.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> mkc.FactorCompleter(rank=20).fit_transform(tables).shape
        (40, 80)
        """
        found = complete_factors(
            X,
            self.kernel,
            na_features=self.na_features,
            rank=self.rank,
            landmarks=self.landmarks,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        self.completion_, self.model_ = found, found.model
        variances = [_variance(found.factors[view], found.extra[view].to_numpy()) for view in found.views]
        weights = np.full(len(variances), 1 / len(variances))
        self.scales_ = np.sqrt(weights / variances if self.scale else weights)
        return self._side_by_side(found)

    def transform(self, X: MultiView) -> FloatArray:
        """Factors of new samples, also in views that they lack.

        Parameters
        ----------
        X
            A dict of tables of features with new samples in rows.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> completer = mkc.FactorCompleter(rank=20).fit({name: table.iloc[:30] for name, table in tables.items()})
        >>> completer.transform({"protein": tables["protein"].iloc[30:]}).shape
        (10, 80)
        """
        check_is_fitted(self, "model_")
        return self._side_by_side(self.model_.complete(X))

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of the output, ``"VIEW 0"``, ``"VIEW 1"``, ...

        Parameters
        ----------
        input_features
            Not used.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> mkc.FactorCompleter(rank=2).fit(tables).get_feature_names_out()[:3].tolist()
        ['expression 0', 'expression 1', 'methylation 0']
        """
        check_is_fitted(self, "model_")
        ranks = self.completion_.kernels_used["rank"]
        return np.asarray([f"{view} {k}" for view, rank in ranks.items() for k in range(rank)], dtype=object)

    def _side_by_side(self, found: FactorCompletion) -> FloatArray:
        return np.hstack([scale * np.asarray(found.factors[view]) for view, scale in zip(found.views, self.scales_)])


def _variance(F: FloatArray, extra: FloatArray) -> float:
    """tr(HKH) / N of K = F F' + diag(extra)."""
    n = len(F)
    return float((np.sum(F**2) + extra.sum()) / n - np.sum(F.mean(0) ** 2) - extra.sum() / n**2)
