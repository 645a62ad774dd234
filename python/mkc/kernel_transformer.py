"""MultiViewKernel: kernels from features with missing views, also for new samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar, overload

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._assemble import square
from ._errors import InputError
from ._inputs import Table, Views, by_position
from ._kernels import KERNEL_OPTIONS, CalledKernel, computed_kernels, kernel_plan, kernels_chosen, resolved
from ._predict import own_values, training_columns
from ._sklearn import MethodAndParameter, MultiViewTransformer, sample_names, with_missing_views
from ._types import (
    Array,
    FloatArray,
    KernelChoice,
    Kernels,
    MultiView,
    NaFeatures,
    Replicates,
    SampleMap,
    Sparse,
    Transform,
    ZeroRows,
)

TableT = TypeVar("TableT")


class CrossKernels(dict[str, TableT]):
    """Kernels of new samples against training samples, with k(x, x) of the new ones.

    Attributes
    ----------
    diagonals : per view k(x, x) of every new sample, NaN where it lacks the view
    """

    diagonals: dict[str, FloatArray]


class MultiViewKernel(MultiViewTransformer):
    """Kernels of feature tables. Types of values, transforms, means, deviations and widths are learnt from the
    training samples that have the view.

    Parameters
    ----------
    kernel
        The kernel of every view, or per view, as in :func:`mkc.compute_kernels`.
    transform, library_size, gamma, degree, coef0, components, scale
        Its options, as in :func:`mkc.compute_kernels`; None is the default.
    na_features
        Single missing values: ``"error"``, ``"mean"`` (of the feature among training samples) or ``"drop"``
        (the feature).
    ids, sample_map, replicates, zero_rows
        How rows name samples, as in :func:`mkc.complete`. New samples follow the same rules; their rows of zeros
        are what they were in training.

    Attributes
    ----------
    samples_, views_ : names of the training samples and of the views
    kernels_chosen_ : per view the type of its values with the evidence (where ``kernel`` is auto), the kernel, and
        why its width is not the median

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> kernel = mkc.MultiViewKernel({"mutations": "jaccard"})
    >>> kernel.fit_transform(example.features)["mutations"].shape
    (40, 40)
    >>> kernel.kernels_chosen_.loc["protein", "type"]
    'numbers of one unit'
    """

    kernels_chosen_: pd.DataFrame
    views_: list[str]
    samples_: pd.Index
    n_features_in_: int

    @property
    def _reads_features(self) -> bool:
        return True

    def __init__(
        self,
        kernel: KernelChoice = "auto",
        *,
        transform: Transform | None = None,
        library_size: float | str | None = None,
        gamma: float | str | None = None,
        degree: int | None = None,
        coef0: float | None = None,
        components: int | None = None,
        scale: str | None = None,
        na_features: NaFeatures = "error",
        ids: str = "auto",
        sample_map: SampleMap | None = None,
        replicates: Replicates = "error",
        zero_rows: ZeroRows = "auto",
    ) -> None:
        self.kernel = kernel
        self.__dict__["transform"] = transform  # the attribute is the method: see MethodAndParameter
        self.library_size = library_size
        self.gamma = gamma
        self.degree = degree
        self.coef0 = coef0
        self.components = components
        self.scale = scale
        self.na_features = na_features
        self.ids = ids
        self.sample_map = sample_map
        self.replicates = replicates
        self.zero_rows = zero_rows

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters and their values, as every estimator of scikit-learn has them.

        Parameters
        ----------
        deep
            Without effect: no parameter is an estimator.

        Examples
        --------
        >>> import mkc
        >>> mkc.MultiViewKernel(transform="log1p").get_params()["transform"]
        'log1p'
        """
        return {**super().get_params(deep), "transform": vars(self)["transform"]}

    def fit(self, X: MultiView, y: object = None) -> MultiViewKernel:
        """Learns the kernels from training samples.

        Parameters
        ----------
        X
            A dict or list of tables, samples in rows, NaN rows for samples that lack the view; or MuData.
        y
            Not used; a Series must be in the order of ``samples_``, since the next steps read it by position.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> mkc.MultiViewKernel("linear").fit(example.features).views_
        ['expression', 'methylation', 'protein', 'mutations']
        """
        self._fit(X, y)
        return self

    @overload
    def fit_transform(self, X: Kernels, y: object = None, **params: Any) -> Kernels: ...
    @overload
    def fit_transform(self, X: Mapping[str, Sparse], y: object = None, **params: Any) -> dict[str, FloatArray]: ...
    @overload
    def fit_transform(self, X: MultiView, y: object = None, **params: Any) -> Any: ...
    def fit_transform(self, X: MultiView, y: object = None, **params: Any) -> Any:
        """Per view the kernel of the training samples, NaN for samples that lack the view.

        Parameters
        ----------
        X, y
            As in ``fit``.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> mkc.MultiViewKernel("linear").fit_transform(example.features)["protein"].shape
        (40, 40)
        """
        given, kernels = self._fit(X, y)
        names = given.container
        return names.like(kernels, self._samples_of_view, self._columns_of_views(), self._output)

    def _fit(self, X: MultiView, y: object) -> tuple[Views, list[FloatArray]]:
        given = self._read(X, fitting=True)
        plan = kernel_plan(given.names, self.kernel, {key: vars(self)[key] for key in KERNEL_OPTIONS})
        given = self._resolved(given, plan.precomputed, fitting=True)
        self._check_order(y, given, given.samples)
        computed = computed_kernels(given, plan, self.na_features, keep_recipes=True)
        self.views_ = list(given.names)
        self._container = given.container
        self._samples_of_view = [table.index(given.container.index_name) for table in given.tables]
        self._trained: list[_TrainedView | _GivenKernel] = []
        for m, (table, rows) in enumerate(zip(given.tables, computed.rows)):
            function = plan.function(table.name)
            if table.name in plan.precomputed:
                self._trained.append(_GivenKernel(square(table)))
            elif function is not None:
                self._trained.append(_CalledView(table, function, rows, self.na_features))
            else:
                self._trained.append(_FeatureView(table, computed.assembled.recipe(m), rows))
        self.kernels_chosen_ = kernels_chosen(computed.assembled, self.views_)
        self.samples_ = given.index
        if not hasattr(self, "n_features_in_") or given.container.kind != "single":
            self.n_features_in_ = sum(table.values.shape[1] for table in given.tables)
        return given, computed.kernels

    @overload
    def transform(self, X: Mapping[str, pd.DataFrame]) -> CrossKernels[pd.DataFrame]: ...
    @overload
    def transform(self, X: Mapping[str, Array]) -> CrossKernels[FloatArray]: ...
    @overload
    def transform(self, X: MultiView) -> Any: ...
    def transform(self, X: MultiView) -> Any:
        """Per view (n_new, n_train): new samples in rows, training samples in columns; NaN where one of them
        lacks the view.

        Parameters
        ----------
        X
            Tables of the same views with new samples in rows; a view that no new sample has may be left out of
            a dict. Named views and columns are matched by name; additional columns are ignored. For a view
            that was given as a kernel (``"precomputed"``): kernel rows with training samples in columns.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> kernel = mkc.MultiViewKernel().fit({name: table.iloc[:30] for name, table in example.features.items()})
        >>> rows = kernel.transform({"protein": example.features["protein"].iloc[30:]})
        >>> rows["protein"].shape, bool(rows["mutations"].isna().all(axis=None))
        ((10, 30), True)
        """
        check_is_fitted(self, "views_")
        given = self._resolved(by_position(self._read(X, fitting=False), self.views_), [], fitting=False)
        lacking = set(self.views_) - set(given.names)
        given = with_missing_views(given, self.views_)
        rows, diagonals = [], {}
        for table, trained, samples in zip(given.tables, self._trained, self._samples_of_view):
            values, own = np.full((len(table.values), len(samples)), np.nan), np.full(len(table.values), np.nan)
            if table.name not in lacking:
                values, own = trained.of_new(table, samples)
            rows.append(values)
            diagonals[table.name] = own
        indexes = [table.index(given.container.index_name) for table in given.tables]
        result = given.container.like(rows, indexes, self._columns_of_views(), self._output)
        if not isinstance(result, dict):
            return result
        crossed: CrossKernels[Any] = CrossKernels(result)
        crossed.diagonals = diagonals
        return crossed

    def _recipes(self, views: list[str]) -> dict[str, tuple[_core.ViewRecipe, list[str]]]:
        """Per view the parameters in a model file: see :func:`mkc.save`."""
        check_is_fitted(self, "views_")
        unknown = [view for view in self.views_ if view not in views]
        if unknown:
            raise InputError(f"the kernel of view '{unknown[0]}' is not among the completed ones")
        return {str(view.name): (view.recipe, view.names) for view in self._trained if isinstance(view, _FeatureView)}

    def _columns_of_views(self) -> list[pd.Index]:
        if self._container.labelled:
            return self._samples_of_view
        return [pd.Index(sample_names(index, False)) for index in self._samples_of_view]

    def _columns_out(self) -> Any:
        return sample_names(self.samples_, self._container.labelled)


if not TYPE_CHECKING:
    MultiViewKernel.transform = MethodAndParameter(MultiViewKernel.transform)


class _TrainedView:
    """A view of features: how new samples get their kernel rows."""

    def __init__(self, table: Table, places: list[int], columns: list[int], fill: FloatArray | None) -> None:
        self.name, self.width = table.name, table.values.shape[1]
        unique = table.columns is not None and len(set(table.column_ids)) == self.width
        self.names = [table.column_ids[j] for j in columns] if unique else []
        self.places = places  # training samples of the rows of the kernel
        self.columns, self.fill = columns, fill  # those used, and values for single missing entries

    def between(self, values: FloatArray, ids: list[str]) -> tuple[FloatArray, FloatArray]:
        """Kernel rows of new samples, and k(x, x)."""
        raise NotImplementedError

    def _features(self, table: Table) -> FloatArray:
        """The columns used in training: by name if both tables have names, else by position."""
        if self.names and table.columns is not None:
            place = {name: j for j, name in enumerate(table.column_ids)}
            lost = [name for name in self.names if name not in place]
            if lost:
                raise InputError(
                    f"view '{self.name}' ({table.source}): no column for feature '{lost[0]}' ({len(lost)} of "
                    f"{len(self.names)} are missing)",
                    "columns are matched by name with those of fit",
                )
            return table.values[:, [place[name] for name in self.names]]
        if table.values.shape[1] != self.width:
            raise InputError(
                f"view '{self.name}' ({table.source}): {table.values.shape[1]} features, but {self.width} were fitted"
            )
        return table.values[:, self.columns]

    def of_new(self, table: Table, samples: pd.Index) -> tuple[FloatArray, FloatArray]:
        rows = np.full((len(table.values), len(samples)), np.nan)
        diagonal = np.full(len(table.values), np.nan)
        features = self._features(table)
        present = np.flatnonzero(~np.isnan(features).all(axis=1))
        if len(present) == 0:
            return rows, diagonal
        values = features[present]
        holes = np.isnan(values)
        if holes.any():
            i, j = np.argwhere(holes)[0]
            if self.fill is None:
                column = self.names[j] if self.names else self.columns[j]
                raise InputError(
                    f"view '{self.name}': sample '{table.ids[present[i]]}' has no value in column '{column}'",
                    "choose na_features='mean'",
                )
            values = np.where(holes, self.fill, values)
        found, own = self.between(values, [table.ids[i] for i in present])
        rows[np.ix_(present, np.asarray(self.places))] = found
        diagonal[present] = own
        return rows, diagonal


class _FeatureView(_TrainedView):
    """Its kernel is one of the library."""

    def __init__(self, table: Table, recipe: _core.ViewRecipe, places: list[int]) -> None:
        super().__init__(table, places, list(recipe.columns), recipe.fill)
        self.recipe, self.source = recipe, table.source

    def between(self, values: FloatArray, ids: list[str]) -> tuple[FloatArray, FloatArray]:
        try:
            return _core.kernel_of_new(self.recipe.kernel, values, ids)
        except InputError as error:
            raise type(error)(f"view '{self.name}' ({self.source}): {error.what}", error.hint) from None


class _CalledView(_TrainedView):
    """Its kernel is a function of the user, which needs the features of the training samples."""

    def __init__(self, table: Table, function: CalledKernel, places: list[int], na_features: str) -> None:
        self.function = function
        self.points, columns = resolved(table, places, na_features)
        fill = np.nanmean(table.values[np.ix_(places, columns)], axis=0) if na_features == "mean" else None
        super().__init__(table, places, columns, fill)

    def between(self, values: FloatArray, ids: list[str]) -> tuple[FloatArray, FloatArray]:
        return self.function.between(values, self.points), self.function.own(values)


class _GivenKernel:
    """A precomputed kernel: new samples are given as its rows, matched by sample name if there are names."""

    def __init__(self, table: Table) -> None:
        self.name, self.labelled, self.present = table.name, table.labels is not None, table.present

    def of_new(self, table: Table, samples: pd.Index) -> tuple[FloatArray, FloatArray]:
        columns = training_columns(table, samples, self.labelled, self.present)[self.present]
        rows = np.full((len(table.values), len(samples)), np.nan)
        rows[:, self.present] = table.values[:, columns]
        return rows, own_values(table, samples)
