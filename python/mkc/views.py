"""StackedViews: conversion between one table of all features and views."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import Any, overload

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted, validate_data

from ._errors import InputError
from ._inputs import read_views
from ._kernels import check_shared_samples
from ._run import warn
from ._samples import SampleRules, resolve
from ._sklearn import ViewsTransformer, check_order
from ._tables import in_package, package_of, plain
from ._types import Array, FloatArray, MultiView, Replicates, SampleMap, Table, ZeroRows


def stack_views(
    views: MultiView,
    *,
    ids: str = "auto",
    sample_map: SampleMap | None = None,
    replicates: Replicates = "error",
    zero_rows: ZeroRows = "auto",
) -> pd.DataFrame:
    """Views of different samples as one table: one row per sample, NaN where it lacks a view, columns
    (view, feature). scikit-learn can split such a table; :class:`StackedViews` converts it back.

    Parameters
    ----------
    views
        Features of any kind, samples in rows. They are joined by name, as in :func:`mkc.complete`.
    ids, sample_map, replicates, zero_rows
        How rows name samples, as in :func:`mkc.complete`.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> tables = {name: table[example.observed[name]] for name, table in example.features.items()}
    >>> mkc.stack_views(tables).shape
    (40, 175)
    """
    given = read_views(views, features=True, repeated=replicates != "error")
    given, notices = resolve(given, SampleRules(ids, sample_map, replicates, zero_rows), [])
    warn(notices)
    check_shared_samples(given)
    parts = {
        table.name: pd.DataFrame(table.values, given.container.index(table.ids), table.columns)
        for table in given.tables
    }
    return pd.concat(parts, axis=1, join="outer", sort=False)


class StackedViews(ViewsTransformer):
    """Splits one table with the features of all views into a dict of views.

    Parameters
    ----------
    views
        None: the first level of the table's columns names the views (:func:`stack_views`), or there is one
        view. Else a dict of columns per view: names, positions, slices of either, or True and False for
        every column, ``{"rna": slice(0, 50)}``.

    Attributes
    ----------
    views_ : dict, positions of the columns of each view

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> table = mkc.stack_views(example.features)
    >>> views = mkc.StackedViews().fit_transform(table)
    >>> list(views)
    ['expression', 'methylation', 'protein', 'mutations']
    """

    views_: dict[str, list[int]]
    n_features_in_: int

    def __init__(self, views: Mapping[str, slice | Sequence[Hashable]] | None = None) -> None:
        self.views = views

    def fit(self, X: Table, y: object = None) -> StackedViews:
        """Learns which columns belong to which view.

        Parameters
        ----------
        X
            A table, samples in rows; NaN where a sample lacks a view.
        y
            Not used; a Series must be in the order of the rows, since the next steps read it by position.

        Examples
        --------
        >>> import mkc, numpy as np
        >>> mkc.StackedViews({"rna": slice(0, 2), "protein": [2]}).fit(np.eye(3)).views_
        {'rna': [0, 1], 'protein': [2]}
        """
        X = plain(X, ids=False)
        if isinstance(X, pd.DataFrame):
            check_order(y, X.index, "y[X.index]")
        columns = X.columns if isinstance(X, pd.DataFrame) else None
        values = self._values(X, reset=True)
        self.views_ = _positions(self.views, columns, values.shape[1])
        self._columns: Any = columns
        return self

    @overload
    def transform(self, X: pd.DataFrame) -> dict[str, pd.DataFrame]: ...
    @overload
    def transform(self, X: Array) -> dict[str, FloatArray]: ...
    @overload
    def transform(self, X: Table) -> dict[str, Any]: ...
    def transform(self, X: Table) -> dict[str, Any]:
        """Per view a table with all samples; rows of samples that lack the view are NaN.

        Parameters
        ----------
        X
            A table with the columns of ``fit``.

        Examples
        --------
        >>> import mkc, numpy as np
        >>> mkc.StackedViews({"rna": slice(0, 2), "protein": [2]}).fit_transform(np.eye(3))["protein"].ravel()
        array([0., 0., 1.])
        """
        check_is_fitted(self)
        package = package_of(X)
        X = plain(X, ids=False)
        values = self._values(X, reset=False)
        parts = {name: values[:, where] for name, where in self.views_.items()}
        if package is None and self._output == "default":
            return parts
        rows: pd.Index = pd.RangeIndex(len(values))
        names: Any = pd.RangeIndex(values.shape[1]) if self._columns is None else self._columns
        if isinstance(X, pd.DataFrame):
            rows, names = X.index, X.columns
        out = self._output if self._output != "default" else package or "pandas"
        return {
            name: in_package(pd.DataFrame(part, rows, _own_names(names[self.views_[name]])), out)
            for name, part in parts.items()
        }

    @overload
    def inverse_transform(self, X: Mapping[str, pd.DataFrame]) -> pd.DataFrame: ...
    @overload
    def inverse_transform(self, X: Mapping[str, Array]) -> FloatArray: ...
    @overload
    def inverse_transform(self, X: Mapping[str, Table] | Sequence[Table]) -> Any: ...
    def inverse_transform(self, X: Mapping[str, Table] | Sequence[Table]) -> Any:
        """Joins a dict of views into one table.

        Parameters
        ----------
        X
            The output of ``transform``, or a list of its tables.

        Examples
        --------
        >>> import mkc, numpy as np
        >>> split = mkc.StackedViews({"rna": slice(0, 2), "protein": [2]}).fit(np.eye(3))
        >>> bool((split.inverse_transform(split.transform(np.eye(3))) == np.eye(3)).all())
        True
        """
        check_is_fitted(self)
        if isinstance(X, (list, tuple)) and len(X) == len(self.views_):
            X = dict(zip(self.views_, X))
        if not isinstance(X, Mapping):
            raise InputError(
                f"a dict of views is needed, not a {type(X).__name__}", f"its names are {list(self.views_)}"
            )
        first: pd.DataFrame | None = None
        parts: dict[str, FloatArray] = {}
        for name, where in self.views_.items():
            if name not in X:
                raise InputError(f"view '{name}' is missing", f"the fitted views are {list(self.views_)}")
            data = plain(X[name], ids=False)
            if first is None and isinstance(data, pd.DataFrame):
                first = data
            if isinstance(data, pd.DataFrame) and first is not None and list(data.index) != list(first.index):
                raise InputError(
                    f"view '{name}' has other samples than view '{next(iter(self.views_))}', or another order",
                    "mkc.stack_views joins views by sample name",
                )
            parts[name] = _checked_part(name, data, len(where), next(iter(parts.values()), None))
        if unknown := [name for name in X if name not in self.views_]:
            raise InputError(f"view {unknown[0]!r} is not among the fitted ones", f"they are {list(self.views_)}")
        rows = len(next(iter(parts.values())))
        table = np.full((rows, self.n_features_in_), np.nan)
        for name, where in self.views_.items():
            table[:, where] = parts[name]
        return table if first is None else pd.DataFrame(table, first.index, self._columns)

    def _values(self, X: Table, reset: bool) -> Any:
        if isinstance(X, pd.DataFrame) and isinstance(X.columns, pd.MultiIndex):
            if not reset and list(X.columns) != list(self._columns):
                raise InputError(*_other_columns(list(X.columns), list(self._columns)))
            X = X.to_numpy(dtype=np.float64)
        return validate_data(self, X, reset=reset, dtype=np.float64, ensure_all_finite="allow-nan")

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.sparse = True
        return tags


def _checked_part(name: str, data: Any, width: int, before: FloatArray | None) -> FloatArray:
    """The values of a view with the shape that its columns need."""
    try:
        values = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"view '{name}': the values are not numbers ({error})") from None
    if values.ndim != 2 or values.shape[1] != width:
        shape = " x ".join(map(str, values.shape)) or "a single value"
        raise InputError(
            f"view '{name}' is {shape}, but the fitted view has {width} columns", "one row per sample, all its columns"
        )
    if before is not None and len(values) != len(before):
        raise InputError(
            f"view '{name}' has {len(values)} rows, but the views before it have {len(before)}",
            "every view has a row for every sample, NaN where it lacks the view",
        )
    return values


def _own_names(columns: pd.Index) -> pd.Index:
    return columns.droplevel(0) if isinstance(columns, pd.MultiIndex) else columns


def _positions(views: Any, columns: pd.Index | None, width: int) -> dict[str, list[int]]:
    if views is None:
        if isinstance(columns, pd.MultiIndex):
            first = columns.get_level_values(0)
            return {name: np.flatnonzero(first == name).tolist() for name in first.unique()}
        return {"view0": list(range(width))}
    if not isinstance(views, Mapping) or not views:
        raise InputError(f"views: {views!r} is not a dict of columns per view")
    found = {view: _chosen(view, wanted, columns, list(range(width))) for view, wanted in views.items()}
    for view, where in found.items():
        if not where:
            raise InputError(f"views: view '{view}' has no column")
    return found


def _chosen(view: str, wanted: Any, columns: pd.Index | None, everything: list[int]) -> list[int]:
    names = {} if columns is None else {name: j for j, name in enumerate(columns)}
    try:
        if isinstance(wanted, slice):
            return everything[_positional(wanted, columns)]
        if all(isinstance(flag, (bool, np.bool_)) for flag in wanted):
            return _flagged(view, list(wanted), everything)
        return [names[w] if w in names else everything[w] for w in wanted]
    except (TypeError, IndexError, KeyError):
        raise InputError(f"views: view '{view}' names columns that do not exist: {wanted!r}") from None


def _positional(wanted: slice, columns: pd.Index | None) -> slice:
    """A slice between the names of two columns includes both."""
    ends = [end for end in (wanted.start, wanted.stop) if end is not None]
    if columns is None or all(isinstance(end, (int, np.integer)) for end in ends):
        return wanted
    for end in ends:
        columns.get_loc(end)  # pandas would accept an unknown name as a position between others
    found: slice = columns.slice_indexer(wanted.start, wanted.stop, wanted.step)
    return found


def _flagged(view: str, flags: list[bool], everything: list[int]) -> list[int]:
    if len(flags) not in (0, len(everything)):
        raise InputError(
            f"views: view '{view}' has True or False for {len(flags)} columns, but there are {len(everything)}"
        )
    return [j for j, flag in zip(everything, flags) if flag]


def _other_columns(given: list[Hashable], fitted: list[Hashable]) -> tuple[str, str]:
    """The difference of the columns, and how to fix it."""
    known, there = set(fitted), set(given)
    if unknown := [column for column in given if column not in known]:
        return f"column {unknown[0]!r} is not in the fitted table", "remove it"
    if lost := [column for column in fitted if column not in there]:
        return f"column {lost[0]!r} of the fitted table is missing", "add it, with NaN where it is unknown"
    if len(given) != len(fitted):
        return f"{len(given)} columns, but {len(fitted)} were fitted", "remove duplicate columns"
    return "the columns are not in the order of the fitted table", "X = X[fitted.columns]"
