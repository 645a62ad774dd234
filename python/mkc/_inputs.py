"""The kinds of multi-view input, and results of the same kind.

======================  ====================================================================
kind                    what it is
======================  ====================================================================
frames                  dict (or list) of DataFrames, each with the samples it has
arrays                  dict (or list) of arrays, one row per sample; rows of NaN are missing
stack                   one array (views, samples, samples)
single                  one array or DataFrame: one view
mudata                  MuData: one modality per view
======================  ====================================================================
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Union

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core, _mudata
from ._errors import InputError
from ._run import check_texts, flag_of

FloatArray = npt.NDArray[np.float64]
BoolArray = npt.NDArray[np.bool_]
Indexes = Union[pd.Index, Sequence[pd.Index]]
Kind = Literal["frames", "arrays", "stack", "single", "mudata"]


@dataclass
class Table:
    """One view as it was given."""

    name: str  # as the user wrote it; its text is what the library knows it by
    values: FloatArray
    labels: list[Hashable] | None  # None: rows are numbered
    source: str
    columns: list[Hashable] | None = None
    single: bool = False  # given in less than double precision

    @property
    def ids(self) -> list[str]:
        labels = range(len(self.values)) if self.labels is None else self.labels
        return [str(label) for label in labels]

    @property
    def column_ids(self) -> list[str]:
        columns = range(self.values.shape[1]) if self.columns is None else self.columns
        return [str(column) for column in columns]

    @property
    def present(self) -> BoolArray:
        """Which rows hold any value."""
        return np.asarray(np.any(~np.isnan(self.values), axis=1), dtype=np.bool_)


@dataclass
class Container:
    """How views were given, so that results can be given in the same way."""

    kind: Kind
    names: list[str]
    labelled: bool  # samples have names
    listed: bool = False  # a list was given, not a dict
    index_name: Hashable = None
    mudata: Any = field(default=None, repr=False)
    label_of: dict[str, Hashable] = field(default_factory=dict, repr=False)

    def index(self, samples: Sequence[str]) -> pd.Index:
        """Samples as the user named them."""
        if not self.labelled:
            return pd.RangeIndex(len(samples))
        return pd.Index([self.label_of[name] for name in samples], name=self.index_name)

    def like(
        self, arrays: Sequence[FloatArray], rows: Indexes, columns: Indexes, pandas: bool = False
    ) -> Any:
        """One array per view, as the kind that was given; indexes of all views or of each."""
        results: list[Any] = list(arrays)
        if self.labelled or pandas:
            results = [
                pd.DataFrame(values, index=_of_view(rows, m), columns=_of_view(columns, m))
                for m, values in enumerate(arrays)
            ]
        if self.kind == "single":
            return results[0]
        if self.kind == "stack" and not pandas:
            return np.stack(results)
        if self.listed:
            return results
        return dict(zip(self.names, results))


@dataclass
class Views:
    """All views of an input."""

    container: Container
    tables: list[Table]

    @property
    def names(self) -> list[str]:
        return self.container.names

    @property
    def samples(self) -> list[str]:
        """Those of any view, in the order in which they are first seen."""
        return list(dict.fromkeys(name for table in self.tables for name in table.ids))


def _views(
    kind: Kind, tables: list[Table], listed: bool = False, index_name: Hashable = None, mudata: Any = None
) -> Views:
    label_of: dict[str, Hashable] = {}
    for table in tables:
        for label in table.labels or []:
            label_of.setdefault(str(label), label)
    names = [table.name for table in tables]
    labelled = tables[0].labels is not None
    return Views(Container(kind, names, labelled, listed, index_name, mudata, label_of), tables)


def _of_view(indexes: Indexes, m: int) -> pd.Index:
    return indexes if isinstance(indexes, pd.Index) else indexes[m]


def single_view(table: Table) -> Views:
    return _views("single", [table])


_NO_NUMBERS = {"M": "dates", "m": "spans of time", "c": "complex numbers"}  # by the kind of their dtype


def _values(data: Any, name: str) -> FloatArray:
    data = _mudata.dense(data)
    kind = getattr(getattr(data, "dtype", None), "kind", "")
    if kind in _NO_NUMBERS:
        raise InputError(f"view '{name}': the values are {_NO_NUMBERS[kind]}, not numbers")
    try:
        values = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"view '{name}': the values are not numbers ({error})") from None
    if values.ndim != 2:
        raise InputError(
            f"view '{name}': a table with rows and columns is needed, this has {values.ndim} dimensions"
        )
    return values


def _frame_values(data: pd.DataFrame, name: str) -> FloatArray:
    for column, dtype in zip(data.columns, data.dtypes):
        if dtype.kind in _NO_NUMBERS:
            raise InputError(
                f"view '{name}' (DataFrame): column '{column}' holds {_NO_NUMBERS[dtype.kind]}, not numbers",
                "leave the column out, or make numbers of it",
            )
    try:
        return np.asarray(data.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        for j, column in enumerate(data.columns):
            for sample, value in data.iloc[:, j].dropna().items():
                try:
                    float(value)
                except (TypeError, ValueError):
                    raise InputError(
                        f"view '{name}' (DataFrame): column '{column}' is {value!r} for sample '{sample}', "
                        "not a number",
                        "leave the column out, or make numbers of it (pandas.get_dummies)",
                    ) from None
        raise


def _check_ids(table: Table) -> None:
    """Every row has an id, and one of its own."""
    seen: dict[str, int] = {}
    for row, (label, name) in enumerate(zip(table.labels or [], table.ids), 1):
        if label is None or label is pd.NA or label != label:
            raise InputError(
                f"view '{table.name}' (DataFrame): row {row} has no id",
                "the index of a DataFrame holds the sample names: name the row or leave it out",
            )
        if seen.setdefault(name, row) != row:
            raise InputError(
                f"view '{table.name}' (DataFrame): sample '{name}' appears twice, as rows {seen[name]} and "
                f"{row}",
                "one row per sample: merge or remove the repeated ones",
            )


def _table(name: str, data: Any) -> Table:
    if isinstance(data, pd.DataFrame):
        table = Table(
            name,
            _values(_frame_values(data, name), name),
            list(data.index),
            "DataFrame",
            list(data.columns),
            bool(data.dtypes.isin([np.float32, np.float16]).any()),
        )
        _check_ids(table)
        return table
    single = getattr(data, "dtype", None) in (np.float32, np.float16)
    return Table(name, _values(data, name), None, "array", None, single)


def _check_names(names: Sequence[str]) -> None:
    """The library knows views by the text of their names."""
    texts: dict[str, Any] = {}
    for name in names:
        if texts.setdefault(str(name), name) is not name:
            raise InputError(
                f"the views {texts[str(name)]!r} and {name!r} have the same name as text",
                "name one of them otherwise",
            )


def _several(named: Mapping[str, Any], listed: bool) -> Views:
    if not named:
        raise InputError("there is no view", "give at least one")
    _check_names(list(named))
    named = {name: _mudata.as_frame(data) for name, data in named.items()}
    frames = [isinstance(data, pd.DataFrame) for data in named.values()]
    if any(frames) and not all(frames):
        raise InputError(
            "some views are DataFrames and some are arrays: which rows belong together is not known",
            "give all as DataFrames with sample names, or all as arrays",
        )
    tables = [_table(name, data) for name, data in named.items()]
    first = tables[0]
    if not frames[0]:
        for table in tables[1:]:
            if len(table.values) != len(first.values):
                raise InputError(
                    f"view '{first.name}' has {len(first.values)} rows, view '{table.name}' has "
                    f"{len(table.values)}: arrays must have one row per sample, NaN where it is missing",
                    "DataFrames with sample names may have different samples",
                )
        return _views("arrays", tables, listed)
    index_name = next(iter(named.values())).index.name
    return _views("frames", tables, listed, index_name)


def read_views(X: Any, *, features: bool = False) -> Views:
    """What the user gave, whatever its kind; of a MuData the kernels, or the ``features``."""
    if _mudata.is_mudata(X):
        views = _several(_mudata.from_mudata(X, features=features), listed=False)
        views.container.kind, views.container.mudata = "mudata", X
        return views
    if isinstance(X, Mapping):
        return _several(X, listed=False)
    X = _mudata.as_frame(X)
    if isinstance(X, (list, tuple)) and not X:
        raise InputError("there is no view", "give at least one")
    if isinstance(X, (list, tuple)) and np.ndim(_mudata.as_frame(X[0])) == 2:
        return _several({f"view{m}": data for m, data in enumerate(X)}, listed=True)
    if isinstance(X, pd.DataFrame):
        table = _table("view0", X)
        return _views("single", [table], index_name=X.index.name)
    array = np.asarray(X)
    if array.ndim == 3:
        views = _several({f"view{m}": data for m, data in enumerate(array)}, listed=True)
        views.container.kind = "stack"
        return views
    return _views("single", [_table("view0", X)])


def is_kernel(table: Table) -> bool:
    """Whether a table is a kernel: the same samples in rows and columns, and symmetric."""
    order = _column_order(table)
    if order is None:
        return False
    values = table.values[:, order]
    largest = np.nanmax(np.abs(values), initial=0.0, where=np.isfinite(values))
    return bool(np.allclose(values, values.T, rtol=0, atol=1e-6 * largest, equal_nan=True))


def _column_order(table: Table) -> list[int] | None:
    """Where the sample of each row stands among the columns; None where these are not the same samples."""
    rows, columns = table.values.shape
    if rows != columns:
        return None
    if table.labels is None or table.labels == table.columns:
        return list(range(rows))
    where = {name: j for j, name in enumerate(table.column_ids)}
    order = [where[name] for name in table.ids if name in where]
    return order if len(set(order)) == rows else None


def square(table: Table) -> Table:
    """A kernel with its columns in the order of its rows."""
    rows, columns = table.values.shape
    if rows != columns:
        raise InputError(
            f"view '{table.name}' ({table.source}): the kernel is not square: {rows} rows, {columns} columns",
            "a table of measurements becomes a kernel with mkc.compute_kernels",
        )
    order = _column_order(table)
    if order is None:
        known = set(table.ids)
        stranger = next((name for name in table.column_ids if name not in known), table.column_ids[0])
        raise InputError(
            f"view '{table.name}' (DataFrame): a kernel has the same samples in rows and columns, but column "
            f"'{stranger}' is not among the rows",
            "a table of measurements becomes a kernel with mkc.compute_kernels",
        )
    if order == list(range(rows)):
        return table  # not copied
    return replace(table, values=table.values[:, order], columns=table.labels)


def _observed_column(observed: Any, views: Views, m: int) -> list[bool] | None:
    if observed is None:
        return None
    table = views.tables[m]
    values = (
        _named_column(observed, table)
        if isinstance(observed, pd.DataFrame)
        else _numbered_column(observed, views, m)
    )
    for sample, value in zip(table.ids, values):
        if not (isinstance(value, (bool, np.bool_, int, float, np.number)) and value in (0, 1)):
            raise InputError(
                f"'observed' is {value!r} for sample '{sample}' in view '{table.name}', not True or False",
                "True or 1 where the sample has the view, False or 0 where it lacks it",
            )
    return [bool(value) for value in values]


def _named_column(observed: pd.DataFrame, table: Table) -> list[Any]:
    if table.name not in observed.columns:
        raise InputError(
            f"'observed' has no column '{table.name}'", f"its columns are {list(observed.columns)}"
        )
    column = list(observed[table.name])
    if table.labels is None:
        return column
    by_name = dict(zip(map(str, observed.index), column))
    lost = [name for name in table.ids if name not in by_name]
    if lost:
        raise InputError(
            f"'observed' has no row for sample '{lost[0]}' of view '{table.name}'",
            "its index holds the sample names, as that of the views does",
        )
    return [by_name[name] for name in table.ids]


def _numbered_column(observed: Any, views: Views, m: int) -> list[Any]:
    if isinstance(observed, str):
        raise InputError(
            f"'observed' is the text '{observed}', not a table", f'method="{observed}" names a method'
        )
    table = views.tables[m]
    if any(other.ids != table.ids for other in views.tables):
        raise InputError(
            "'observed' has no sample names, but the DataFrames have different samples, or another order: "
            "which row is whose is not known",
            "give a DataFrame, sample names in its index and the views in its columns",
        )
    mask = np.asarray(observed, dtype=object)
    shape = (len(table.values), len(views.tables))
    if mask.shape != shape:
        raise InputError(
            f"'observed' is {' x '.join(map(str, mask.shape))}, but there are {shape[0]} samples and "
            f"{shape[1]} views",
            "one row per sample, one column per view, True where the sample has the view",
        )
    return list(mask[:, m])


def assemble(
    views: Views,
    *,
    observed: Any = None,
    psd: str = "error",
    normalize: str = "none",
    center: bool = False,
    samples: str | Sequence[Hashable] = "union",
    na_features: str = "error",
    options: Mapping[str, Mapping[str, str]] | None = None,
) -> _core.Assembled:
    """The problem: aligned by sample name, checked. With ``options`` (per view, as kernels are made)
    the tables are features, else kernels."""
    check_texts(psd=psd, normalize=normalize, na_features=na_features)
    centred = flag_of("center", center)
    gathered = _core.Views()
    for m, table in enumerate(views.tables):
        is_kernel = options is None or options[table.name].get("kernel") == "precomputed"
        if is_kernel:
            table = square(table)
        pairs = list((options or {}).get(table.name, {}).items()) if not is_kernel else []
        gathered.add(
            str(table.name),
            table.source,
            table.ids,
            [] if is_kernel or table.columns is None else table.column_ids,
            table.values,
            is_kernel,
            _observed_column(observed, views, m),
            pairs,
        )
    listed = None if isinstance(samples, str) else [str(sample) for sample in samples]
    if isinstance(samples, str) and samples not in ("union", "intersection"):
        raise InputError(f"samples: '{samples}' is neither 'union' nor 'intersection' nor a list of samples")
    # Rounding of single precision is no reason to refuse a kernel.
    tolerance = 1e-5 if any(table.single for table in views.tables) else 1e-8
    return _core.assemble(
        gathered, psd, tolerance, normalize, centred, na_features, listed, samples == "intersection"
    )
