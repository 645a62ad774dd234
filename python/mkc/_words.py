"""Words and dates in DataFrames, read by the rules for files."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._errors import InputError
from ._types import FloatArray

_EPOCH = np.datetime64("1970-01-01", "ns")


@dataclass
class WordColumns:
    """A DataFrame with words as numbers."""

    values: FloatArray  # of a column of words: places in its words
    kept: list[int]  # columns
    categories: dict[int, list[str]]  # words of columns of the values
    notices: list[str]


def read_words(data: pd.DataFrame, name: str) -> WordColumns | None:
    """None where all columns are numbers."""
    kinds = [_kind(dtype) for dtype in data.dtypes]
    if "other" in kinds or not {"text", "factor", "date"} & set(kinds):
        return None
    if set(kinds) <= {"number", "text"} and _are_numbers(data):
        return None
    values = np.full(data.shape, np.nan)
    texts: list[tuple[int, list[str], bool]] = []
    dates: list[str] = []
    for j, kind in enumerate(kinds):
        column = data.iloc[:, j]
        if kind == "number":
            values[:, j] = column.to_numpy(dtype=np.float64, na_value=np.nan)
        elif kind == "date":
            values[:, j] = _days(column)
            dates.append(str(data.columns[j]))
        else:
            repeat = kind == "factor" and bool(2 * column.nunique() <= column.count())
            texts.append((j, [_cell(value) for value in column], repeat))
    try:
        found = _core.read_text_columns(
            str(name), "DataFrame", [str(label) for label in data.index], [str(c) for c in data.columns], values, texts
        )
    except InputError as error:
        raise _with_ids_hint(error, data) from None
    notices = list(found["notices"])
    if dates:
        notices.append(f"dates are read as days since 1970-01-01: {', '.join(dates)}")
    return WordColumns(
        np.asarray(found["values"]),
        list(found["kept"]),
        dict(found["categories"]),
        [f"view '{name}' (DataFrame): {notice}" for notice in notices],
    )


def _kind(dtype: Any) -> str:
    if isinstance(dtype, pd.CategoricalDtype):
        return "factor"
    kind = getattr(dtype, "kind", "O")
    if kind in "biuf":
        return "number"
    return "date" if kind == "M" else "other" if kind in "mc" else "text"


def _are_numbers(data: pd.DataFrame) -> bool:
    """Objects may be numbers, too."""
    try:
        data.to_numpy(dtype=np.float64, na_value=np.nan)
    except (TypeError, ValueError):
        return False
    return True


def _days(column: pd.Series) -> FloatArray:
    """Days since 1970-01-01, in UTC where there is a time zone."""
    if getattr(column.dt, "tz", None) is not None:
        column = column.dt.tz_convert("UTC").dt.tz_localize(None)
    stamps = column.to_numpy(dtype="datetime64[ns]")
    days: FloatArray = (stamps - _EPOCH) / np.timedelta64(1, "D")
    days[np.isnat(stamps)] = np.nan
    return days


def _cell(value: Any) -> str:
    """A cell as text; "" where it is missing."""
    if isinstance(value, (bool, np.bool_)):
        return str(int(value))
    if isinstance(value, (datetime.date, np.datetime64, pd.Timestamp)):
        return "" if pd.isna(value) else pd.Timestamp(value).isoformat()
    if pd.api.types.is_scalar(value):
        return "" if pd.isna(value) else " ".join(str(value).split())
    raise InputError(f"a cell is a {type(value).__name__}, not a number or a word")


def _with_ids_hint(error: InputError, data: pd.DataFrame) -> InputError:
    """The first column of a DataFrame without index may hold the sample names."""
    if not isinstance(data.index, pd.RangeIndex) or f"column '{data.columns[0]}'" not in error.what:
        return error
    return InputError(error.what, f"if it holds the sample names, give df.set_index({data.columns[0]!r}); {error.hint}")
