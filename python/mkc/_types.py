"""Types of common arguments."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypeVar, Union

import numpy as np
import numpy.typing as npt
import pandas as pd


class MuDataLike(Protocol):
    """A MuData, without importing the package mudata."""

    @property
    def mod(self) -> Mapping[str, Any]: ...
    @property
    def obs_names(self) -> pd.Index: ...


MuDataT = TypeVar("MuDataT")  # a MuData goes in and comes out

Table = Union[pd.DataFrame, npt.NDArray[Any]]
MultiView = Union[Mapping[str, Table], Sequence[Table], Table, MuDataLike]

Observed = Union[pd.DataFrame, npt.NDArray[Any], Sequence[Sequence[bool]]]  # N x M
Classes = Union[pd.Series, npt.NDArray[Any], Sequence[Any]]  # one per sample
ViewWeights = Union[str, Mapping[str, float], pd.Series, npt.NDArray[np.float64], Sequence[float]]
RandomState = Union[int, np.random.Generator, np.random.RandomState]

KernelFunction = Callable[[npt.NDArray[np.float64], npt.NDArray[np.float64]], Any]  # (n, d), (m, d) -> (n, m)
_Kernel = Union[str, KernelFunction]
KernelChoice = Union[_Kernel, Mapping[str, Union[_Kernel, Mapping[str, Any]]]]
Normalize = Literal["none", "unit", "trace"]
Psd = Literal["error", "clip", "ignore"]
NaFeatures = Literal["error", "mean", "drop"]
Mechanism = Literal["pattern", "mcar"]
