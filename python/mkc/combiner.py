"""KernelCombiner: one kernel from those of several views."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._combine import aligned, choose_weights, rows_of
from ._errors import InputError
from ._inputs import Table
from ._predict import training_columns
from ._run import flag_of
from ._sklearn import MultiViewTransformer, in_fitted_order, sample_names
from ._types import FloatArray, Labels, LabelType, MultiView, PolarsLike, ViewWeights


class KernelCombiner(MultiViewTransformer):
    """The weighted sum of completed kernels, ready for ``SVC(kernel="precomputed")``: an array.

    Weights and scales are learnt from the training kernels and used for new samples.

    Parameters
    ----------
    weights
        ``"mean"`` (equal), ``"alignment"`` or ``"alignf"`` (with the labels ``y`` of ``fit``, see
        :func:`mkc.combine`) or numbers per view. In a pipeline they are learnt from the training folds only.
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

    def __init__(self, weights: ViewWeights = "mean", *, label_type: LabelType = "auto", scale: bool = True) -> None:
        self.weights = weights
        self.label_type = label_type
        self.scale = scale

    def fit(self, X: MultiView, y: Labels | None = None) -> KernelCombiner:
        """Learns weights and scales.

        Parameters
        ----------
        X
            Completed kernels of the training samples, of any kind.
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
        given = self._read(X, fitting=True)
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
        scaled = flag_of("scale", self.scale)
        weights = choose_weights(given, arrays, self.weights, y, self.label_type, None, samples, scaled)
        scales = [w / _variance(K, name) if scaled and w > 0 else w for w, K, name in zip(weights, arrays, given.names)]
        self.views_ = list(given.names)
        self.samples_ = given.container.index(samples)
        self.weights_ = pd.Series(weights, self.views_, name="weight")
        self.scales_ = pd.Series(scales, self.views_, name="scale")
        self._labelled = given.container.labelled
        if not hasattr(self, "n_features_in_"):
            self.n_features_in_ = len(samples)
        return self

    def transform(self, X: MultiView) -> FloatArray | pd.DataFrame | PolarsLike:
        """The combined kernel (n_new, n_train): an array, or a DataFrame with ``set_output``.

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
        total: FloatArray | None = None
        for table, scale in zip(given.tables, self.scales_):
            part = scale * self._block(table, first)
            total = part if total is None else total + part
        assert total is not None
        if self._output == "polars":
            import polars

            named: PolarsLike = polars.DataFrame(total, schema=list(map(str, self._columns_out())))
            return named
        if self._output == "pandas":
            return pd.DataFrame(total, first.index(), self._columns_out())
        return total  # always an array: scikit-learn cannot split DataFrames of kernels

    def _block(self, table: Table, first: Table) -> FloatArray:
        """The rows of the first view's samples against the training samples."""
        columns = training_columns(table, self.samples_, self._labelled)
        values = table.values[rows_of(table, first)][:, columns]
        if np.isnan(values).any():
            raise InputError(f"view '{table.name}' has NaN", "complete it first: KernelCompleter")
        return values

    def _columns_out(self) -> Any:
        return getattr(self, "feature_names_in_", sample_names(self.samples_, self._labelled))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = True
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
