"""KernelCombiner: one kernel from those of several views."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._combine import aligned, choose_weights, rows_of
from ._errors import InputError, OptionError
from ._factor_steps import check_weights_of_factors, extra_of, factor_names, factor_variance
from ._inputs import Table, Views
from ._predict import training_columns
from ._run import flag_of
from ._sklearn import MultiViewTransformer, in_fitted_order, sample_names
from ._types import FloatArray, Labels, LabelType, MultiView, PolarsLike, ViewWeights

_Learnt = tuple[list[str], FloatArray, Callable[[int], float]]  # samples, weights, variance of a view by its place


class KernelCombiner(MultiViewTransformer):
    """The weighted sum of completed kernels, ready for ``SVC(kernel="precomputed")``: an array.

    In factor form: the factors of all views side by side, each times the root of its weight. A linear model on them
    (``LinearSVC``) is the kernel model on the weighted sum. Weights and scales are learnt from the training kernels and
    used for new samples.

    Parameters
    ----------
    form
        ``"dense"``: kernels. ``"factor"``: factors of ``KernelCompleter(form="factor")``.
    weights
        ``"mean"`` (equal), ``"alignment"`` or ``"alignf"`` (with the labels ``y`` of ``fit``, see
        :func:`mkc.combine`) or numbers per view. In a pipeline they are learnt from the training folds only. In factor
        form: ``"mean"`` or numbers.
    label_type
        Of ``y``: ``"auto"`` (by its look), ``"classes"``, ``"numbers"`` or ``"survival"``.
    scale
        Divide each kernel by its variance first, so that every view counts the same.

    Attributes
    ----------
    weights_ : Series of the weights by view
    scales_ : Series of the factors of the kernels, weights included
    views_, samples_ : names of the views and of the training samples

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> combiner = mkc.KernelCombiner().fit(example.truth)
    >>> combiner.weights_.to_dict()
    {'expression': 0.25, 'methylation': 0.25, 'protein': 0.25, 'mutations': 0.25}
    """

    views_: list[str]
    samples_: pd.Index
    weights_: pd.Series
    scales_: pd.Series
    n_features_in_: int

    _nan_is_missing = False

    def __init__(
        self,
        weights: ViewWeights = "mean",
        *,
        form: Literal["dense", "factor"] = "dense",
        label_type: LabelType = "auto",
        scale: bool = True,
    ) -> None:
        self.form = form
        self.weights = weights
        self.label_type = label_type
        self.scale = scale

    def fit(self, X: MultiView, y: Labels | None = None) -> KernelCombiner:
        """Learns weights and scales.

        Parameters
        ----------
        X
            Completed kernels (in factor form: factors) of the training samples, of any kind.
        y
            Their labels for ``weights="alignment"`` and ``"alignf"``: classes, numbers or survival, one per
            sample, in the order of ``samples_``.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> y = [name < "S020" for name in example.observed.index]
        >>> round(float(mkc.KernelCombiner("alignment").fit(example.truth, y).weights_.sum()), 6)
        1.0
        """
        if self.form not in ("dense", "factor"):
            raise OptionError(f"form: {self.form!r} is not 'dense' or 'factor'")
        given = self._read(X, fitting=True)
        scaled = flag_of("scale", self.scale)
        if self.form == "factor":
            samples, weights, variance = self._of_factors(X, given)
        else:
            samples, weights, variance = self._of_kernels(given, y, scaled)
        self._check_order(y, given, samples)
        scales = [w / variance(k) if scaled and w > 0 else w for k, w in enumerate(weights)]
        self.views_ = list(given.names)
        self.samples_ = given.container.index(samples)
        self.weights_ = pd.Series(weights, self.views_, name="weight")
        self.scales_ = pd.Series(scales, self.views_, name="scale")
        self._labelled = given.container.labelled
        self._ranks = [table.values.shape[1] for table in given.tables]
        if not hasattr(self, "n_features_in_"):
            self.n_features_in_ = len(samples) if self.form == "dense" else sum(self._ranks)
        return self

    def _of_kernels(self, given: Views, y: Labels | None, scaled: bool) -> _Learnt:
        for table in given.tables:
            if table.values.shape[0] != table.values.shape[1]:
                raise InputError(
                    f"view '{table.name}': a kernel is square, this has {table.values.shape[0]} rows and "
                    f"{table.values.shape[1]} columns"
                )
        arrays, samples = aligned(given)
        if len(samples) < 2:
            raise InputError("a kernel with n_samples = 1 has no variance: at least 2 samples are needed")
        self._check_order(y, given, samples)
        weights = choose_weights(given, arrays, self.weights, y, self.label_type, None, samples, scaled)
        return samples, weights, lambda k: _variance(arrays[k], given.names[k])

    def _of_factors(self, X: Any, given: Views) -> _Learnt:
        check_weights_of_factors(self.weights)
        first = given.tables[0]
        if len(first.values) < 2:
            raise InputError("factors of n_samples = 1 have no variance: at least 2 samples are needed")
        arrays = [self._block(table, first) for table in given.tables]
        weights = choose_weights(given, arrays, self.weights, None, self.label_type, None, first.ids, True)
        extra = extra_of(X, given.names, len(first.values))
        return first.ids, weights, lambda k: factor_variance(arrays[k], extra[given.names[k]], given.names[k])

    def transform(self, X: MultiView) -> FloatArray | pd.DataFrame | PolarsLike:
        """The combined kernel (n_new, n_train), in factor form the factors side by side: an array, or a DataFrame with
        ``set_output``.

        Parameters
        ----------
        X
            Per view (n_new, n_train) without gaps, new samples in rows, training samples in columns; in any
            order if they have names.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> combiner = mkc.KernelCombiner().fit(example.truth)
        >>> combiner.transform({name: kernel.iloc[:3] for name, kernel in example.truth.items()}).shape
        (3, 40)
        """
        check_is_fitted(self)
        given = in_fitted_order(self._read(X, fitting=False), self.views_)
        first = given.tables[0]
        blocks = [self._block(table, first) for table in given.tables]
        total: FloatArray
        if self.form == "factor":
            total = np.hstack([np.sqrt(scale) * block for block, scale in zip(blocks, self.scales_)])
        else:
            total = self.scales_.iloc[0] * blocks[0]
            for block, scale in zip(blocks[1:], self.scales_.iloc[1:]):
                total += scale * block
        if self._output == "polars":
            import polars

            named: PolarsLike = polars.DataFrame(total, schema=list(map(str, self._columns_out())))
            return named
        if self._output == "pandas":
            return pd.DataFrame(total, first.index(), self._columns_out())
        return total  # always an array: scikit-learn cannot split DataFrames of kernels

    def _block(self, table: Table, first: Table) -> FloatArray:
        """The rows of the first view's samples: against the training samples, or their factors."""
        values = table.values[rows_of(table, first)]
        if self.form == "dense":
            values = values[:, training_columns(table, self.samples_, self._labelled)]
        if np.isnan(values).any():
            raise InputError(f"view '{table.name}' has NaN", "complete it first: KernelCompleter")
        return values

    def _columns_out(self) -> Any:
        if self.form == "factor":
            return [name for view, rank in zip(self.views_, self._ranks) for name in factor_names(view, rank)]
        return getattr(self, "feature_names_in_", sample_names(self.samples_, self._labelled))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = self.form != "factor"
        tags.target_tags.required = isinstance(self.weights, str) and self.weights in ("alignment", "alignf")
        return tags


def _variance(K: FloatArray, name: str) -> float:
    variance = _core.kernel_variance(K)
    if not variance > 1e-12 * np.abs(np.diag(K)).max():
        raise InputError(
            f"view '{name}': all rows of its kernel are equal, so it has no variance to scale by",
            "remove the view, or use scale=False",
        )
    return float(variance)
