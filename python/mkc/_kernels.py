"""Kernels from features."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from ._assemble import assemble, square
from ._errors import InputError
from ._inputs import FloatArray, Table, Views, read_views, single_view
from ._run import option_text, warn
from ._types import KernelChoice, MultiView, NaFeatures


def kernel_options(names: list[str], kernel: KernelChoice, options: Mapping[str, Any]) -> dict[str, dict[str, str]]:
    """Per view, every option as text. ``kernel``: a name, or per view a name or a dict of options."""
    if isinstance(kernel, Mapping):
        unknown = [name for name in kernel if name not in names]
        if unknown:
            raise InputError(f"kernel: there is no view '{unknown[0]}'", f"the views are {', '.join(map(str, names))}")
    result = {}
    for name in names:
        chosen = kernel.get(name, "rbf") if isinstance(kernel, Mapping) else kernel
        own = dict(chosen) if isinstance(chosen, Mapping) else {"kernel": chosen}
        merged = {**{key: value for key, value in options.items() if value is not None}, **own}
        result[name] = {key: option_text(value) for key, value in merged.items()}
    return result


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
) -> Any:
    """Kernels of feature tables; samples whose row is NaN stay missing.

    Parameters
    ----------
    views
        A dict or list of DataFrames or arrays, samples in rows, or a MuData.
    kernel
        ``"rbf"``, ``"linear"``, ``"poly"``, ``"laplacian"``, ``"cosine"``, ``"jaccard"``, ``"lsk"`` or
        ``"precomputed"``; per view as ``{"rna": "rbf", "mutations": "jaccard"}`` or with options,
        ``{"rna": {"kernel": "rbf", "gamma": 0.1}}``; other views get rbf.
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

    Returns the kind of container that was given: DataFrames with the samples of each view, or arrays; for a
    MuData a dict of DataFrames.
    """
    given = read_views(views, features=True)
    options = kernel_options(
        given.names,
        kernel,
        {"gamma": gamma, "degree": degree, "coef0": coef0, "components": components, "scale": scale},
    )
    kernels = [_kernel_of(table, order, na_features, options[table.name]) for table, order in in_common_order(given)]
    names = given.container
    indexes = [table.index(names.index_name) for table in given.tables]
    return names.like(kernels, indexes, indexes)


def in_common_order(views: Views) -> list[tuple[Table, list[int]]]:
    """Each view with the order of its rows in the union of samples: all views are summed in the same
    order, so that results are equal to the last bit."""
    rank = {name: i for i, name in enumerate(views.samples)}
    return [
        (table, sorted(range(len(table.values)), key=[rank[name] for name in table.ids].__getitem__))
        for table in views.tables
    ]


def _kernel_of(table: Table, order: list[int], na_features: str, options: dict[str, str]) -> FloatArray:
    """N x N, NaN where a sample has no values."""
    if options.get("kernel") == "precomputed":
        return square(table).values
    present = table.present
    rows = [i for i in order if present[i]]
    ids = table.ids
    part = replace(table, values=table.values[rows], labels=[ids[i] for i in rows])
    assembled = assemble(single_view(part), psd="unchecked", na_features=na_features, options={table.name: options})
    warn(assembled.notices)
    full = np.full((len(ids), len(ids)), np.nan)
    full[np.ix_(rows, rows)] = assembled.block(0)
    return full
