"""The kinds of multi-view input, and results in the same kind of container.

======================  ====================================================================
kind                    what it is
======================  ====================================================================
frames                  dict (or list) of DataFrames, each with the samples it has; of pandas, polars
                        or pyarrow
arrays                  dict (or list) of arrays, one row per sample; rows that are NaN or masked are missing
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

from . import _mudata
from ._errors import InputError
from ._tables import Package, in_package, package_of, plain
from ._types import FloatArray
from ._words import read_words

BoolArray = npt.NDArray[np.bool_]
Indexes = Union[pd.Index, Sequence[pd.Index]]
Kind = Literal["frames", "arrays", "stack", "single", "mudata"]
Output = Literal["default", "pandas", "polars"]  # as in set_output of scikit-learn


@dataclass
class Table:
    """One view of the input."""

    name: str  # as given by the user; the library identifies views by str(name)
    values: FloatArray
    labels: list[Hashable] | None  # None: rows are numbered
    source: str
    columns: list[Hashable] | None = None
    single: bool = False  # less than double precision
    categories: dict[int, list[str]] = field(default_factory=dict)  # columns of words: values count these
    notices: list[str] = field(default_factory=list)
    given_index: pd.Index | None = field(default=None, repr=False, compare=False)  # of the DataFrame it came from

    @property
    def ids(self) -> list[str]:
        labels = range(len(self.values)) if self.labels is None else self.labels
        return [str(label) for label in labels]

    @property
    def column_ids(self) -> list[str]:
        columns = range(self.values.shape[1]) if self.columns is None else self.columns
        return [str(column) for column in columns]

    def index(self, name: Hashable = None) -> pd.Index:
        """The labels of the rows; numbers where they have none."""
        return pd.RangeIndex(len(self.values)) if self.labels is None else pd.Index(self.labels, name=name)

    @property
    def present(self) -> BoolArray:
        """Which rows have at least one value."""
        return np.asarray(np.any(~np.isnan(self.values), axis=1), dtype=np.bool_)


@dataclass
class Container:
    """The kind of the input, so that results can be returned in the same kind."""

    kind: Kind
    names: list[str]
    labelled: bool  # samples have names
    listed: bool = False  # a list was given, not a dict
    index_name: Hashable = None
    package: Package = "pandas"  # of labelled tables
    mudata: Any = field(default=None, repr=False)
    label_of: dict[str, Hashable] = field(default_factory=dict, repr=False)

    def index(self, samples: Sequence[str]) -> pd.Index:
        """The samples with the labels of the user."""
        if not self.labelled:
            return pd.RangeIndex(len(samples))
        return pd.Index([self.label_of[name] for name in samples], name=self.index_name)

    def like(self, arrays: Sequence[FloatArray], rows: Indexes, columns: Indexes, output: Output = "default") -> Any:
        """One array per view, in the kind that was given; indexes common to all views, or one per view."""
        results: list[Any] = list(arrays)
        if self.labelled or output != "default":
            package = self.package if output == "default" else output
            if package == "polars" and not self.labelled:  # has no index: named as the columns are
                rows = [pd.Index([f"sample{i}" for i in range(len(values))]) for values in arrays]
            rows, columns = _common_objects(rows), _common_objects(columns)
            results = [
                in_package(pd.DataFrame(values, index=_of_view(rows, m), columns=_of_view(columns, m)), package)
                for m, values in enumerate(arrays)
            ]
        if self.kind == "single":
            return results[0]
        if self.kind == "stack" and output == "default":
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
        """The samples of all views, in order of first appearance."""
        return list(dict.fromkeys(name for table in self.tables for name in table.ids))

    @property
    def index(self) -> pd.Index:
        """The samples of all views, with the labels of the user."""
        return self.container.index(self.samples)


def _views(
    kind: Kind, tables: list[Table], listed: bool = False, index_name: Hashable = None, package: Package = "pandas"
) -> Views:
    label_of: dict[str, Hashable] = {}
    for table in tables:
        for label in table.labels or []:
            label_of.setdefault(str(label), label)
    names = [table.name for table in tables]
    labelled = tables[0].labels is not None
    return Views(Container(kind, names, labelled, listed, index_name, package, None, label_of), tables)


def _common_objects(indexes: Indexes) -> Indexes:
    """Equal indexes as one object: tables of one index belong together row by row, also where it only counts rows."""
    if isinstance(indexes, pd.Index):
        return indexes
    different: list[pd.Index] = []
    common = []
    for index in indexes:
        known = next((one for one in different if one.equals(index) and one.name == index.name), None)
        if known is None:
            different.append(index)
        common.append(index if known is None else known)
    return common


def _of_view(indexes: Indexes, m: int) -> pd.Index:
    return indexes if isinstance(indexes, pd.Index) else indexes[m]


def single_view(table: Table) -> Views:
    return _views("single", [table])


_NOT_REAL = {"M": "dates", "m": "time differences", "c": "complex numbers"}  # by the kind of their dtype


def _values(data: Any, name: str) -> FloatArray:
    kind = getattr(getattr(data, "dtype", None), "kind", "")
    if kind in _NOT_REAL:
        raise InputError(f"view '{name}': the values are {_NOT_REAL[kind]}, not numbers")
    try:
        values = np.asarray(data, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"view '{name}': the values are not numbers ({error})") from None
    if values.ndim != 2:
        raise InputError(f"view '{name}': a table with rows and columns is needed, this has {values.ndim} dimensions")
    return values


def _frame_values(data: pd.DataFrame, name: str) -> FloatArray:
    for column, dtype in zip(data.columns, data.dtypes):
        if dtype.kind in _NOT_REAL:
            raise InputError(
                f"view '{name}' (DataFrame): column '{column}' holds {_NOT_REAL[dtype.kind]}, not numbers",
                "remove the column, or convert it to numbers",
            )
    try:
        return np.asarray(data.to_numpy(dtype=np.float64, na_value=np.nan))
    except (TypeError, ValueError):
        for j, column in enumerate(data.columns):
            for sample, value in data.iloc[:, j].dropna().items():
                try:
                    float(value)
                except (TypeError, ValueError):
                    hint = "remove the column, or convert it to numbers (pandas.get_dummies)"
                    if j == 0 and isinstance(data.index, pd.RangeIndex):
                        hint = f"if it holds the sample names, give df.set_index({column!r}); else {hint}"
                    raise InputError(
                        f"view '{name}' (DataFrame): column '{column}' is {value!r} for sample '{sample}', "
                        "not a number",
                        hint,
                    ) from None
        raise


def _check_ids(table: Table, repeated: bool) -> None:
    """Every row must have an id, unless ``repeated`` a unique one."""
    seen: dict[str, int] = {}
    for row, (label, name) in enumerate(zip(table.labels or [], table.ids), 1):
        if label is None or label is pd.NA or label != label:
            raise InputError(
                f"view '{table.name}' (DataFrame): row {row} has no id",
                "the index of a DataFrame holds the sample names: name the row or remove it",
            )
        if not repeated and seen.setdefault(name, row) != row:
            raise InputError(
                f"view '{table.name}' (DataFrame): sample '{name}' appears twice, as rows {seen[name]} and {row}",
                "one row per sample: replicates='mean' merges them, or remove the duplicates",
            )


def _table(name: str, data: Any, repeated: bool = False, words: bool = False) -> Table:
    if isinstance(data, pd.DataFrame):
        found = read_words(data, name) if words else None
        columns: list[Hashable] = list(data.columns)
        table = Table(
            name,
            _values(_frame_values(data, name), name) if found is None else found.values,
            list(data.index),
            "DataFrame",
            columns if found is None else [columns[j] for j in found.kept],
            bool(data.dtypes.isin([np.float32, np.float16]).any()),
            {} if found is None else found.categories,
            [] if found is None else found.notices,
            data.index,
        )
        _check_ids(table, repeated)
        return table
    single = getattr(data, "dtype", None) in (np.float32, np.float16)
    return Table(name, _values(data, name), None, "array", None, single)


def _plain(name: str, data: Any) -> Any:
    try:
        return plain(data)
    except InputError as error:
        raise InputError(f"view '{name}': {error.what}", error.hint) from None


def _check_names(names: Sequence[str]) -> None:
    """The library identifies views by the text of their names."""
    texts: dict[str, Any] = {}
    for name in names:
        if texts.setdefault(str(name), name) is not name:
            raise InputError(
                f"the views {texts[str(name)]!r} and {name!r} have the same name as text", "rename one of them"
            )


def _several(named: Mapping[str, Any], listed: bool, repeated: bool = False, words: bool = False) -> Views:
    if not named:
        raise InputError("there is no view", "give at least one")
    _check_names(list(named))
    package = package_of(next(iter(named.values()))) or "pandas"
    named = {name: _plain(name, data) for name, data in named.items()}
    frames = [isinstance(data, pd.DataFrame) for data in named.values()]
    if any(frames) and not all(frames):
        raise InputError(
            "some views are DataFrames and some are arrays: their rows cannot be matched",
            "give all views as DataFrames with sample names, or all as arrays",
        )
    tables = [_table(name, data, repeated, words) for name, data in named.items()]
    first = tables[0]
    if not frames[0]:
        for table in tables[1:]:
            if len(table.values) != len(first.values):
                raise InputError(
                    f"view '{first.name}' has {len(first.values)} rows, view '{table.name}' has "
                    f"{len(table.values)}: arrays must have one row per sample, NaN for missing samples",
                    "views with different samples are given as DataFrames with sample names",
                )
        return _views("arrays", tables, listed)
    index_name = next(iter(named.values())).index.name
    return _views("frames", tables, listed, index_name, package)


def by_position(given: Views, names: Sequence[str]) -> Views:
    """Views without names are those of ``names``, in their order."""
    unnamed = given.container.listed or given.container.kind in ("stack", "single")
    if not unnamed or len(given.tables) != len(names):
        return given
    tables = [replace(table, name=name) for table, name in zip(given.tables, names)]
    return Views(replace(given.container, names=list(names)), tables)


def are_named(X: Any) -> bool:
    """Whether X is a dict of views; some sparse matrices are dicts too."""
    return isinstance(X, Mapping) and not hasattr(X, "toarray")


def read_views(X: Any, *, features: bool | None = False, repeated: bool = False, words: bool = False) -> Views:
    """Reads input of any kind; from a MuData the kernels, or the ``features``, with None the kernels that it has
    and features of the rest. ``repeated``: ids may appear twice; ``words``: DataFrames may hold words and dates."""
    if _mudata.is_mudata(X):
        tables = _mudata.stored_views(X) if features is None else _mudata.from_mudata(X, features=features)
        views = _several(tables, listed=False, repeated=repeated)
        views.container.kind, views.container.mudata = "mudata", X
        return views
    if are_named(X):
        return _several(X, listed=False, repeated=repeated, words=words)
    if isinstance(X, (list, tuple)) and not X:
        raise InputError("there is no view", "give at least one")
    if isinstance(X, (list, tuple)) and np.ndim(plain(X[0])) == 2:
        return _several({f"view{m}": data for m, data in enumerate(X)}, listed=True, repeated=repeated, words=words)
    data = _plain("view0", X)
    if isinstance(data, pd.DataFrame):
        table = _table("view0", data, repeated, words)
        return _views("single", [table], False, data.index.name, package_of(X) or "pandas")
    array = np.asarray(data)
    if array.ndim == 3:
        views = _several({f"view{m}": data for m, data in enumerate(array)}, listed=True)
        views.container.kind = "stack"
        return views
    return _views("single", [_table("view0", data)])
