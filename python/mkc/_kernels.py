"""Kernels from features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, overload

import numpy as np
import pandas as pd

from . import _core
from ._assemble import assemble, square
from ._errors import InputError, OptionError
from ._inputs import Table, Views, read_views, single_view
from ._run import option_text, warn
from ._samples import SampleRules, resolve
from ._tables import plain
from ._types import (
    FloatArray,
    KernelChoice,
    KernelFunction,
    Kernels,
    MuDataLike,
    MultiView,
    NaFeatures,
    Replicates,
    SampleMap,
    Sparse,
    ZeroRows,
)


class CalledKernel:
    """A function of the user as kernel of a view: ``function(A, B)`` returns (rows of A, rows of B)."""

    def __init__(self, function: KernelFunction, view: str) -> None:
        self.function, self.view = function, view

    def between(self, A: FloatArray, B: FloatArray) -> FloatArray:
        name = getattr(self.function, "__name__", type(self.function).__name__)
        found = plain(self.function(A, B))
        try:
            values = np.ascontiguousarray(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"view '{self.view}': the kernel function '{name}' does not return numbers") from None
        if values.shape != (len(A), len(B)):
            raise InputError(
                f"view '{self.view}': the kernel function '{name}' returned shape {values.shape} for {len(A)} and "
                f"{len(B)} samples",
                "function(A, B) returns one row per row of A, one column per row of B",
            )
        if not np.isfinite(values).all():
            raise InputError(f"view '{self.view}': the kernel function '{name}' returned NaN or infinite values")
        return values

    def own(self, A: FloatArray) -> FloatArray:
        """k(x, x) of every row, a few rows at a time."""
        parts = [A[i : i + 64] for i in range(0, len(A), 64)]
        return np.concatenate([np.diag(self.between(part, part)) for part in parts])


def kernel_options(names: list[str], kernel: KernelChoice, options: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """Per view, every option as text; only ``"kernel"`` may be a :class:`CalledKernel`. ``kernel``: a name or a
    function, or per view a name, a function or a dict of options."""
    if isinstance(kernel, Mapping):
        unknown = [name for name in kernel if name not in names]
        if unknown:
            raise InputError(f"kernel: there is no view '{unknown[0]}'", f"the views are {', '.join(map(str, names))}")
    result: dict[str, dict[str, Any]] = {}
    for name in names:
        chosen = kernel.get(name, "rbf") if isinstance(kernel, Mapping) else kernel
        own: dict[str, Any] = dict(chosen) if isinstance(chosen, Mapping) else {"kernel": chosen}
        common = {key: value for key, value in options.items() if value is not None}
        if callable(own.get("kernel")):
            _check_no_options({**own, **({} if isinstance(kernel, Mapping) else common)}, name)
            result[name] = {"kernel": CalledKernel(own["kernel"], name)}
        else:
            result[name] = {key: option_text(value) for key, value in {**common, **own}.items()}
    return result


def _check_no_options(given: Mapping[str, Any], view: str) -> None:
    for option in given:
        if option != "kernel":
            raise OptionError(
                f"view '{view}': the kernel is a function, which has no option '{option}'",
                "set it in the function itself, for example with functools.partial",
            )


@overload
def compute_kernels(
    views: MuDataLike,
    kernel: KernelChoice = ...,
    *,
    gamma: float | str | None = ...,
    degree: int | None = ...,
    coef0: float | None = ...,
    components: int | None = ...,
    scale: str | None = ...,
    na_features: NaFeatures = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
) -> dict[str, pd.DataFrame]: ...
@overload
def compute_kernels(
    views: Kernels,
    kernel: KernelChoice = ...,
    *,
    gamma: float | str | None = ...,
    degree: int | None = ...,
    coef0: float | None = ...,
    components: int | None = ...,
    scale: str | None = ...,
    na_features: NaFeatures = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
) -> Kernels: ...
@overload
def compute_kernels(
    views: Mapping[str, Sparse],
    kernel: KernelChoice = ...,
    *,
    gamma: float | str | None = ...,
    degree: int | None = ...,
    coef0: float | None = ...,
    components: int | None = ...,
    scale: str | None = ...,
    na_features: NaFeatures = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
) -> dict[str, FloatArray]: ...
@overload
def compute_kernels(
    views: MultiView,
    kernel: KernelChoice = ...,
    *,
    gamma: float | str | None = ...,
    degree: int | None = ...,
    coef0: float | None = ...,
    components: int | None = ...,
    scale: str | None = ...,
    na_features: NaFeatures = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
) -> Any: ...
def compute_kernels(
    views: MultiView,
    kernel: KernelChoice = "rbf",
    *,
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
) -> Any:
    """Kernels of feature tables; samples whose row is NaN stay missing.

    Parameters
    ----------
    views
        A dict or list of DataFrames or arrays, samples in rows, or a MuData. In DataFrames, columns whose words
        repeat, and those of dtype category, are categories; dates are days since 1970-01-01; names and free text
        are left out. A ``UserWarning`` names them.
    kernel
        ``"rbf"``, ``"linear"``, ``"poly"``, ``"laplacian"``, ``"cosine"``, ``"jaccard"``, ``"lsk"`` or
        ``"precomputed"``; per view as ``{"rna": "rbf", "mutations": "jaccard"}`` or with options,
        ``{"rna": {"kernel": "rbf", "gamma": 0.1}}``; other views get rbf. Or a function of two tables of
        features, ``function(A, B)``, which returns one row per row of A and one column per row of B; it gets
        the features as they are, not scaled.
    gamma
        For rbf, poly and laplacian, larger is narrower: ``"median"`` (default: 1 / median of the squared
        distance, for laplacian of the absolute one), ``"scale"`` (1 / (features x variance)) or a number.
    degree, coef0
        For poly, (gamma x'y + coef0) ** degree: default 3 and 1.
    components
        For lsk, the latent semantic kernel: the number of leading components; default 100.
    scale
        ``"zscore"``: features are scaled to mean 0 and deviation 1; ``"none"``: they are not. Default: zscore
        for linear, rbf, poly and laplacian, none for cosine, jaccard and lsk.
    na_features
        Single missing values: ``"error"``, ``"mean"`` (of the feature) or ``"drop"`` (the feature).
    ids, sample_map, replicates, zero_rows
        How rows name samples, as in :func:`mkc.complete`.

    Returns the kind of container that was given: DataFrames with the samples of each view, or arrays; for a
    MuData a dict of DataFrames.

    Examples
    --------
    >>> import mkc, numpy as np
    >>> rna, mutations = np.random.default_rng(0).normal(size=(2, 10, 4))
    >>> rna[3] = np.nan  # the fourth sample lacks the view
    >>> kernels = mkc.compute_kernels({"rna": rna, "mutations": mutations > 0}, {"mutations": "jaccard"})
    >>> kernels["rna"].shape, bool(np.isnan(kernels["rna"][3]).all())
    ((10, 10), True)
    >>> kernels = mkc.compute_kernels({"rna": rna, "mutations": mutations}, lambda A, B: A @ B.T)
    """
    given = read_views(views, features=True, repeated=replicates != "error", words=True)
    options = kernel_options(
        given.names,
        kernel,
        {"gamma": gamma, "degree": degree, "coef0": coef0, "components": components, "scale": scale},
    )
    given, notices = resolve(given, SampleRules(ids, sample_map, replicates, zero_rows), precomputed(options))
    warn(notices)
    check_shared_samples(given)
    kernels = [_kernel_of(table, order, na_features, options[table.name]) for table, order in in_common_order(given)]
    names = given.container
    indexes = [table.index(names.index_name) for table in given.tables]
    return names.like(kernels, indexes, indexes)


def precomputed(options: Mapping[str, Mapping[str, Any]]) -> list[str]:
    """The views that are kernels already."""
    return [name for name, own in options.items() if own.get("kernel") == "precomputed"]


def check_shared_samples(views: Views) -> None:
    """Views without a common sample cannot be completed from one another."""
    named = []
    for table in views.tables:
        ids = [name for name, here in zip(table.ids, table.present) if here]
        if not ids:
            raise InputError(f"view '{table.name}': no sample has a value", "remove the view")
        named.append((str(table.name), table.source, ids))
    _core.check_shared_samples(named)


def with_called_kernels(views: Views, options: dict[str, dict[str, Any]], na_features: str) -> Views:
    """Views whose kernel is a function become precomputed kernels, also in ``options``."""
    tables = []
    for table, order in in_common_order(views):
        if isinstance(options[table.name].get("kernel"), CalledKernel):
            kernel = _kernel_of(table, order, na_features, options[table.name])
            table, options[table.name] = replace(table, values=kernel, columns=table.labels), {"kernel": "precomputed"}
        tables.append(table)
    return Views(views.container, tables)


def in_common_order(views: Views) -> list[tuple[Table, list[int]]]:
    """Each view with the order of its rows in the union of samples: all views are summed in the same
    order, so that results are equal to the last bit."""
    rank = {name: i for i, name in enumerate(views.samples)}
    return [
        (table, sorted(range(len(table.values)), key=[rank[name] for name in table.ids].__getitem__))
        for table in views.tables
    ]


def _kernel_of(table: Table, order: list[int], na_features: str, options: dict[str, Any]) -> FloatArray:
    """N x N, NaN where a sample has no values."""
    if options.get("kernel") == "precomputed":
        return square(table).values
    present = table.present
    rows = [i for i in order if present[i]]
    ids = table.ids
    part = replace(table, values=table.values[rows], labels=[ids[i] for i in rows])
    if isinstance(options.get("kernel"), CalledKernel):
        part, options = called(part, na_features, options["kernel"]), {"kernel": "precomputed"}
    assembled = assemble(single_view(part), psd="unchecked", na_features=na_features, options={table.name: options})
    warn(assembled.notices)
    full = np.full((len(ids), len(ids)), np.nan)
    full[np.ix_(rows, rows)] = assembled.block(0)
    return full


def called(part: Table, na_features: str, kernel: CalledKernel) -> Table:
    """The kernel of a table of features, by a function."""
    values, _ = resolved(part, na_features)
    return replace(part, values=kernel.between(values, values), columns=part.labels)


def resolved(part: Table, na_features: str) -> tuple[FloatArray, list[int]]:
    """Features without NaN, and the columns that are left."""
    given = part.values
    if part.categories:
        raise InputError(
            f"view '{part.name}': columns of words, and the kernel is a function", "give the function numbers only"
        )
    if not np.isfinite(given[~np.isnan(given)]).all():
        raise InputError(f"view '{part.name}': infinite values", "replace them with NaN or a number")
    try:
        values, columns = _core.resolve_missing_cells(given, na_features, part.ids)
    except InputError as error:
        raise type(error)(f"view '{part.name}' ({part.source}): {error.what}", error.hint) from None
    return values, list(columns)
