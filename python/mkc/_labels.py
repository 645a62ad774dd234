"""Labels of samples: classes, numbers, or times with events."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ._classes import class_texts, classes_of
from ._errors import InputError, OptionError
from ._types import Labels

LABEL_TYPES = ("auto", "classes", "numbers", "survival")

LabelTexts = tuple[list[str], list[list[str]], str]


def label_texts(y: Labels, label_type: str, labelled: bool, samples: Sequence[str]) -> LabelTexts:
    """Names of the columns (one, or time and event), their texts in the order of the samples ("" = none), and the
    type: "auto" leaves it to the look of the texts."""
    if label_type not in LABEL_TYPES:
        raise OptionError(f"label_type: '{label_type}' is not one of {', '.join(LABEL_TYPES)}")
    columns = _columns_of(y)
    texts = [class_texts(classes_of(column, labelled, samples)) for _, column in columns]
    if label_type == "auto" and len(columns) == 1 and _is_categorical(columns[0][1]):
        label_type = "classes"
    return [name for name, _ in columns], texts, label_type


def _columns_of(y: Any) -> list[tuple[str, Any]]:
    columns: list[tuple[str, Any]]
    if isinstance(y, pd.DataFrame):
        columns = [(str(name), y[name]) for name in y.columns]
    elif isinstance(y, np.ndarray) and y.dtype.names:
        columns = [(name, y[name]) for name in y.dtype.names]
    elif isinstance(y, np.ndarray) and y.ndim == 2:
        columns = list(zip(("time", "event"), y.T)) if y.shape[1] == 2 else [("y", y[:, k]) for k in range(y.shape[1])]
    else:
        return [(str(getattr(y, "name", None) or "y"), y)]
    if len(columns) not in (1, 2):
        raise InputError(f"y has {len(columns)} columns", "one, or two for survival: time and event")
    # scikit-survival has the event first, as a truth value
    if len(columns) == 2 and _is_bool(columns[0][1]) and not _is_bool(columns[1][1]):
        columns.reverse()
    return columns


def _is_bool(column: Any) -> bool:
    return hasattr(column, "dtype") and bool(pd.api.types.is_bool_dtype(column.dtype))


def _is_categorical(column: Any) -> bool:
    return isinstance(getattr(column, "dtype", None), pd.CategoricalDtype) or _is_bool(column)
