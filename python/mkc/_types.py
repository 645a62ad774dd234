"""Types of common arguments and results."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Literal, Protocol, TypedDict, TypeVar, Union

import numpy as np
import numpy.typing as npt
import pandas as pd

if sys.version_info >= (3, 11):
    from typing import Unpack as Unpack
else:
    from typing_extensions import Unpack as Unpack


FloatArray = npt.NDArray[np.float64]


# Containers of other packages, without importing them.


class MuDataLike(Protocol):
    """A MuData."""

    @property
    def mod(self) -> Mapping[str, Any]: ...
    @property
    def obs_names(self) -> pd.Index: ...
    @property
    def obsp(self) -> Any: ...
    @property
    def uns(self) -> Any: ...
    def copy(self) -> Any: ...


class AnnDataLike(Protocol):
    """An AnnData: one view."""

    def to_df(self) -> Any: ...


class Sparse(Protocol):
    """A sparse matrix or array of scipy."""

    def toarray(self) -> Any: ...


class PolarsLike(Protocol):
    """A DataFrame of polars. Tables of pyarrow have no types."""

    def lazy(self) -> Any: ...


Array = Union[npt.NDArray[Any], Sparse]
Table = Union[pd.DataFrame, Array, PolarsLike, AnnDataLike]
MultiView = Union[Mapping[str, Table], Sequence[Table], Table, MuDataLike]

# The usual containers: kernels come back in the one that was given.
Kernels = TypeVar(
    "Kernels",
    dict[str, pd.DataFrame],
    dict[str, FloatArray],
    list[pd.DataFrame],
    list[FloatArray],
    pd.DataFrame,
    FloatArray,
    MuDataLike,
)
KernelsT = TypeVar("KernelsT")
AnnDataT = TypeVar("AnnDataT", bound=AnnDataLike)
MuDataT = TypeVar("MuDataT", bound=MuDataLike)

Observed = Union[pd.DataFrame, npt.NDArray[Any], PolarsLike, Sequence[Sequence[bool]]]  # N x M
Classes = Union[pd.Series, npt.NDArray[Any], Sequence[Any]]  # one per sample
# Classes, numbers, or two columns: time and event.
Labels = Union[Classes, pd.DataFrame]
LabelType = Literal["auto", "classes", "numbers", "survival"]
ViewWeights = Union[str, Mapping[str, float], pd.Series, FloatArray, Sequence[float]]
RandomState = Union[int, np.random.Generator, np.random.RandomState]

KernelFunction = Callable[[FloatArray, FloatArray], Any]  # (n, d), (m, d) -> (n, m)
_Kernel = Union[str, KernelFunction]
KernelChoice = Union[_Kernel, Mapping[str, Union[str, KernelFunction, Mapping[str, Any]]]]
Transform = Literal[
    "auto", "none", "log", "log1p", "log2p1", "clr", "tfidf", "sqrt", "rank", "zscore", "minmax", "arcsinh"
]
Normalize = Literal["none", "unit", "trace"]
Psd = Literal["error", "clip", "ignore"]
NaFeatures = Literal["error", "mean", "drop"]
Form = Literal["dense", "factor", "identity", "features", "paper"]  # the last are options of methods
Replicates = Literal["error", "first", "mean", "broad"]
ZeroRows = Literal["auto", "missing", "values", "error"]
SampleMap = Union[pd.DataFrame, str, os.PathLike[str]]
Mechanism = Literal["pattern", "mcar"]


class KernelOptions(TypedDict, total=False):
    """Options of kernels of features: None is the default."""

    transform: Transform | None
    library_size: float | str | None
    gamma: float | str | None
    degree: int | None
    coef0: float | None
    components: int | None
    scale: str | None


class KernelArguments(KernelOptions, total=False):
    """What :func:`mkc.compute_kernels` takes beside views and kernel."""

    na_features: NaFeatures
    ids: str
    sample_map: SampleMap | None
    replicates: Replicates
    zero_rows: ZeroRows
