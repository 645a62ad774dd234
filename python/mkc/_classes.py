"""Classes of samples."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pandas as pd

from ._errors import InputError
from ._types import Classes


def classes_of(y: Classes, labelled: bool, samples: Sequence[str]) -> list[Any]:
    """Classes in the order of the samples: a Series by its index where samples have names."""
    if isinstance(y, np.ma.MaskedArray):
        y = y.tolist()  # None where masked
    elif hasattr(y, "to_pylist"):  # of pyarrow
        y = y.to_pylist()
    if not (isinstance(y, pd.Series) and labelled):
        if len(y) != len(samples):
            raise InputError(
                f"y has {len(y)} classes, but there are {len(samples)} samples",
                "one per sample, or a Series by sample name",
            )
        return list(y)
    unknown = set(map(str, y.index)) - set(samples)
    if unknown:
        raise InputError(f"y names the sample '{min(unknown)}', which no view has")
    by_name = {str(name): value for name, value in y.items()}
    return [by_name.get(name) for name in samples]


def class_texts(classes: Sequence[Any]) -> list[str]:
    """Classes as text; "" for a sample without a class."""
    return ["" if pd.isna(value) else str(value) for value in classes]
