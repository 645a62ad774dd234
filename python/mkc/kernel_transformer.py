"""MultiViewKernel: features with missing views -> kernels, also of new samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._errors import InputError
from ._inputs import FloatArray, Table, Views
from ._kernels import in_common_order, kernel_options
from ._sklearn import MultiViewTransformer, sample_names
from ._types import KernelChoice, MultiView, NaFeatures


class CrossKernels(dict[str, Any]):
    """Kernels of new samples against training samples, with k(x, x) of the new ones.

    Attributes
    ----------
    diagonals : per view k(x, x) of every new sample, NaN where it lacks the view
    """

    diagonals: dict[str, FloatArray]


class MultiViewKernel(MultiViewTransformer):
    """Kernels of feature tables. What a kernel learns from its features (means and deviations, gamma) it
    learns from the training samples that have the view.

    Parameters
    ----------
    kernel
        The kernel of every view, or per view, as in :func:`mkc.compute_kernels`.
    gamma, degree, coef0, components, scale
        Its options, as in :func:`mkc.compute_kernels`; None is the default.
    na_features
        Single missing cells: ``"error"``, ``"mean"`` (of the feature among training samples) or ``"drop"``
        (the feature).

    Attributes
    ----------
    samples_, views_ : names of the training samples and of the views
    """

    _reads_features = True

    def __init__(
        self,
        kernel: KernelChoice = "rbf",
        *,
        gamma: float | str | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        components: int | None = None,
        scale: str | None = None,
        na_features: NaFeatures = "error",
    ) -> None:
        self.kernel = kernel
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.components = components
        self.scale = scale
        self.na_features = na_features

    def fit(self, X: MultiView, y: object = None) -> MultiViewKernel:
        """Learns the kernels from training samples.

        Parameters
        ----------
        X
            A dict or list of tables, samples in rows, rows of NaN where one lacks the view; or MuData.
        y
            Is not used.
        """
        self._fit(X)
        return self

    def fit_transform(self, X: MultiView, y: object = None, **params: Any) -> Any:
        """Per view the kernel of the training samples, NaN where one lacks the view.

        Parameters
        ----------
        X, y
            As of ``fit``.
        """
        given, kernels = self._fit(X)
        names = given.container
        return names.like(kernels, self._samples_of_view, self._columns_of_views(), self._pandas)

    def _fit(self, X: MultiView) -> tuple[Views, list[FloatArray]]:
        given = self._read(X, fitting=True)
        options = kernel_options(
            given.names,
            self.kernel,
            {key: getattr(self, key) for key in ("gamma", "degree", "coef0", "components", "scale")},
        )
        self.views_ = list(given.names)
        self._container = given.container
        self._samples_of_view = [_index(table, given) for table in given.tables]
        self._trained = []
        kernels = []
        for table, order in in_common_order(given):
            trained, kernel = _train(table, order, options[table.name], self.na_features)
            self._trained.append(trained)
            kernels.append(kernel)
        names = list(dict.fromkeys(name for table in given.tables for name in table.ids))
        self.samples_ = given.container.index(names)
        if not hasattr(self, "n_features_in_") or given.container.kind != "single":
            self.n_features_in_ = sum(table.values.shape[1] for table in given.tables)
        return given, kernels

    def transform(self, X: MultiView) -> Any:
        """Per view (n_new, n_train): new samples in rows, training samples in columns; NaN where either
        lacks the view.

        Parameters
        ----------
        X
            Tables of the same views with new samples in rows.
        """
        check_is_fitted(self, "views_")
        given = self._read(X, fitting=False)
        if given.names != self.views_:
            raise InputError(f"the views are {given.names}, but {self.views_} were fitted")
        rows, diagonals = [], {}
        for table, trained, samples in zip(given.tables, self._trained, self._samples_of_view):
            values, diagonals[table.name] = trained.of_new(table, len(samples))
            rows.append(values)
        result = given.container.like(
            rows, [_index(table, given) for table in given.tables], self._columns_of_views(), self._pandas
        )
        if not isinstance(result, dict):
            return result
        crossed = CrossKernels(result)
        crossed.diagonals = diagonals
        return crossed

    def _recipes(self, views: list[str]) -> dict[str, tuple[Any, ...]]:
        """Per view what a model file keeps: see :func:`mkc.save`."""
        check_is_fitted(self, "views_")
        unknown = [view for view in self.views_ if view not in views]
        if unknown:
            raise InputError(f"the kernel of view '{unknown[0]}' is not among the completed ones")
        return {
            view.name: (view.kernel, view.width, view.columns, view.names, view.fill)
            for view in self._trained
        }

    def _columns_of_views(self) -> list[pd.Index]:
        if self._container.labelled:
            return self._samples_of_view
        return [pd.Index(sample_names(index, False)) for index in self._samples_of_view]

    def _columns_out(self) -> Any:
        return sample_names(self.samples_, self._container.labelled)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _index(table: Table, given: Views) -> pd.Index:
    if table.labels is None:
        return pd.RangeIndex(len(table.values))
    return pd.Index(table.labels, name=given.container.index_name)


class _TrainedView:
    """One view: its trained kernel, and how single missing cells are filled."""

    def __init__(
        self,
        table: Table,
        kernel: _core.TrainedKernel,
        places: list[int],
        columns: list[int],
        fill: FloatArray | None,
    ) -> None:
        self.name, self.kernel, self.width = table.name, kernel, table.values.shape[1]
        self.names = [] if table.columns is None else [str(table.columns[j]) for j in columns]
        self.places = places  # of the rows of the kernel among the training samples
        self.columns, self.fill = columns, fill

    def of_new(self, table: Table, n_train: int) -> tuple[FloatArray, FloatArray]:
        rows = np.full((len(table.values), n_train), np.nan)
        diagonal = np.full(len(table.values), np.nan)
        present = np.flatnonzero(table.present)
        if len(present) == 0:
            return rows, diagonal
        values = table.values[present][:, self.columns]
        holes = np.isnan(values)
        if holes.any():
            i, j = np.argwhere(holes)[0]
            if self.fill is None:
                raise InputError(
                    f"view '{self.name}': sample '{table.ids[present[i]]}' has no value in column "
                    f"{self.columns[j]}",
                    "choose na_features='mean'",
                )
            values = np.where(holes, self.fill, values)
        found, own = _core.kernel_of_new(self.kernel, values, [table.ids[i] for i in present])
        rows[np.ix_(present, np.asarray(self.places))] = found
        diagonal[present] = own
        return rows, diagonal


def _train(
    table: Table, order: list[int], options: Mapping[str, str], na_features: str
) -> tuple[_TrainedView, FloatArray]:
    present = table.present
    rows = [i for i in order if present[i]]
    if not rows:
        raise InputError(f"view '{table.name}': no sample has a value", "leave the view out")
    names = [table.ids[i] for i in rows]
    given = table.values[rows]
    if not np.isfinite(given[~np.isnan(given)]).all():
        raise InputError(f"view '{table.name}': infinite values", "replace them with NaN or a number")
    try:
        resolved, columns = _core.resolve_missing_cells(given, na_features, names)
        kernel, trained = _core.train_kernel(resolved, list(options.items()), names)
    except InputError as error:
        raise type(error)(f"view '{table.name}' ({table.source}): {error.what}", error.hint) from None
    fill = None
    if na_features == "mean":
        fill = np.nanmean(given[:, columns], axis=0)
    full = np.full((len(table.values),) * 2, np.nan)
    full[np.ix_(rows, rows)] = kernel
    return _TrainedView(table, trained, rows, list(columns), fill), full
