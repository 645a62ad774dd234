"""KernelCompleter in factor form."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from ._factor import complete_in_factors, factor_options
from ._factor_completion import FactorCompletion
from ._factor_steps import factors_like, hidden_factor_error, stage_weights
from ._inputs import Views, by_position
from ._kernels import kernel_plan
from ._method_parameters import MethodParameters
from ._run import seed_of, threads_of
from ._sklearn import MultiViewTransformer
from ._types import FloatArray, KernelChoice, MultiView, NaFeatures, Normalize, Psd, RandomState


class FactorForm(MethodParameters, MultiViewTransformer):
    """What KernelCompleter does with ``form="factor"``."""

    kernel: KernelChoice | None
    na_features: NaFeatures
    normalize: Normalize
    center: bool
    psd: Psd
    random_state: RandomState | None
    n_jobs: int | None
    verbose: int
    completion_: Any
    samples_: pd.Index
    views_: list[str]
    view_relations_: pd.DataFrame | None
    quality_: pd.DataFrame | None
    weights_: pd.DataFrame | None
    objective_: FloatArray
    n_iter_: int
    converged_: bool
    seed_: int
    n_features_in_: int

    @property
    def _in_factors(self) -> bool:
        return self.form == "factor"

    @property
    def _reads_features(self) -> bool:
        return self._in_factors and self.kernel is not None

    def _fit_factors(self, X: MultiView, y: object) -> None:
        dense_only = {"normalize": (self.normalize, "none"), "center": (self.center, False), "psd": (self.psd, "error")}
        options = factor_options(self.method, {**(self.options or {}), **self._method_options}, dense_only)
        given = self._read(X, fitting=True)
        plan = kernel_plan(given.names, "precomputed" if self.kernel is None else self.kernel, {})
        given = self._resolved(given, plan.precomputed, fitting=True)
        self._check_order(y, given, given.samples)
        found = complete_in_factors(
            given,
            plan,
            options,
            seed_of(self.random_state),
            threads_of(self.n_jobs),
            na_features=self.na_features,
            verbose=self.verbose,
        )
        self.completion_ = found
        self._container = given.container
        self.samples_, self.views_, self.seed_ = found.samples, found.views, found.seed
        self.quality_, self.weights_ = found.quality, stage_weights(found)
        self.view_relations_, self.objective_, self.n_iter_, self.converged_ = None, np.empty(0), 0, True
        if not hasattr(self, "n_features_in_") or given.container.kind != "single":
            self.n_features_in_ = sum(table.values.shape[1] for table in given.tables)

    def _complete_new(self, X: MultiView) -> tuple[Views, FactorCompletion]:
        """In factor form."""
        check_is_fitted(self, "completion_")
        given = by_position(self._read(X, fitting=False), self.views_)
        given = self._resolved(given, [], fitting=False)
        return given, self.completion_.model._complete_views(given)

    def _training_factors(self) -> Any:
        return factors_like(self._container, self.completion_, slice(None), self._output)

    def _new_factors(self, X: MultiView) -> Any:
        given, found = self._complete_new(X)
        return factors_like(given.container, found, found.samples.get_indexer(given.index), self._output)

    def _score_of_factors(self, views: Views) -> float:
        check_is_fitted(self, "completion_")
        views = self._resolved(by_position(views, self.views_), [], fitting=False)
        return -hidden_factor_error(self.completion_, views)
