"""Tables of other packages as DataFrames and arrays, and back."""

from __future__ import annotations

import re
from collections.abc import Hashable
from typing import Any, Literal

import numpy as np
import pandas as pd

from ._errors import InputError

Package = Literal["pandas", "polars", "pyarrow"]

# The column of the sample names in a table without an index, if its first column holds no text.
_ID_NAMES = ("sample", "sample_id", "id")


def package_of(data: Any) -> Package | None:
    """The package of a labelled table, without importing it."""
    module = type(data).__module__.partition(".")[0]
    if isinstance(data, pd.DataFrame):
        return "pandas"
    if module == "polars" and type(data).__name__ in ("DataFrame", "LazyFrame"):
        return "polars"
    if module == "pyarrow" and type(data).__name__ in ("Table", "RecordBatch"):
        return "pyarrow"
    return None


def plain(data: Any, *, ids: bool = True) -> Any:
    """A table as DataFrame or array, whatever package it is of; masked entries become NaN. Tables without
    an index need a column of sample names; without ``ids`` their rows are numbered."""
    if type(data).__name__ == "AnnData":
        return pd.DataFrame(in_memory(data.X), data.obs_names, data.var_names)
    if package_of(data) in ("polars", "pyarrow"):
        return _frame(data, ids)
    if isinstance(data, (list, tuple)) and any(isinstance(row, np.ma.MaskedArray) for row in data):
        data = np.ma.stack([np.ma.asarray(row) for row in data])
    if isinstance(data, np.ma.MaskedArray):
        return unmasked(data)
    return data.toarray() if hasattr(data, "toarray") else data


def in_memory(data: Any) -> Any:
    """The matrix of an AnnData as array: it may be sparse, in a file (backed), or computed when it is needed (dask)."""
    for step in ("compute", "to_memory", "toarray"):
        if hasattr(data, step):
            data = getattr(data, step)()
    return np.asarray(data)


def unmasked(data: Any) -> Any:
    """An array with NaN for its masked entries; anything else unchanged."""
    if not isinstance(data, np.ma.MaskedArray):
        return data
    if data.dtype.kind in "biu":
        data = data.astype(np.float64)
    return data.filled(np.nan) if data.dtype.kind in "fO" else np.asarray(data)


def _frame(data: Any, ids: bool) -> pd.DataFrame:
    """A table of polars or pyarrow: its column of sample names becomes the index."""
    if hasattr(data, "collect"):  # LazyFrame
        data = data.collect()
    polars = package_of(data) == "polars"
    if type(data).__name__ == "RecordBatch":
        import pyarrow

        data = pyarrow.Table.from_batches([data])
    names = list(data.columns if polars else data.column_names)
    columns = [data[name] for name in names] if polars else [data.column(j) for j in range(len(names))]
    texts = [_is_text(column) for column in columns]
    where = next((j for j, name in enumerate(names) if str(name).lower() in _ID_NAMES), None)
    if texts and texts[0]:
        where = 0
    if where is None and ids:
        first = f"the first, '{names[0]}', holds numbers" if names else "it has no columns"
        raise InputError(
            f"a {'polars' if polars else 'pyarrow'} table has no column of sample names: {first}",
            "put the names first, as text, or call their column 'sample'; rows without names are given as an array",
        )
    index = None if where is None else pd.Index(_listed(columns[where]), name=names[where])
    kept = [j for j in range(len(names)) if j != where]
    frame = pd.DataFrame({j: _array(columns[j], texts[j]) for j in kept}, index=index)
    return frame.set_axis([names[j] for j in kept], axis=1)


def _is_text(column: Any) -> bool:
    kind = str(getattr(column, "dtype", getattr(column, "type", "")))
    return re.match(r"str(ing|$)|utf8|categorical|enum|(dictionary<values=)?(large_)?string", kind.lower()) is not None


def _listed(column: Any) -> list[Hashable]:
    return list(column.to_list() if hasattr(column, "to_list") else column.to_pylist())


def _array(column: Any, text: bool) -> Any:
    return np.asarray(_listed(column), dtype=object) if text else column.to_numpy()


def in_package(frame: pd.DataFrame, package: Package) -> Any:
    """A DataFrame as a table of another package, the sample names in its first column."""
    if package == "pandas":
        return frame
    name = next(n for n in (frame.index.name or "sample", *_ID_NAMES) if n not in frame.columns)
    names, values = [str(name), *map(str, frame.columns)], frame.to_numpy()
    columns = [[str(label) for label in frame.index], *values.T]
    if package == "polars":
        import polars

        return polars.DataFrame([polars.Series(n, column) for n, column in zip(names, columns)])
    import pyarrow

    return pyarrow.table([pyarrow.array(column) for column in columns], names=names)
