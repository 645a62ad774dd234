"""MuData as input: each modality is a view and may lack samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ._errors import InputError
from ._tables import plain
from ._types import KernelArguments, KernelChoice, MuDataLike, Unpack


def is_mudata(X: Any) -> bool:
    return type(X).__name__ == "MuData" and hasattr(X, "mod")


def from_mudata(
    mdata: MuDataLike,
    *,
    use_rep: Mapping[str, str] | None = None,
    kernel: KernelChoice = "auto",
    obsp: str = "kernel",
    features: bool = False,
    **options: Unpack[KernelArguments],
) -> dict[str, pd.DataFrame]:
    """The views of a MuData as labelled kernels.

    Parameters
    ----------
    mdata
        One modality per view.
    use_rep
        Per modality the name of a table in its ``obsm``, used instead of ``X``.
    kernel
        The kernel, as in :func:`mkc.compute_kernels`.
    obsp
        Name of a kernel in ``obsp``, which is used where a modality has it.
    features
        Return the tables instead of kernels.
    **options
        Further arguments of :func:`mkc.compute_kernels`: ``transform``, ``na_features``, ...

    Returns a dict of DataFrames, each with the samples of its modality.

    Examples
    --------
    >>> import anndata, mkc, mudata
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> mdata = mudata.MuData({name: anndata.AnnData(table) for name, table in example.features.items()})
    >>> kernels = mkc.from_mudata(mdata, kernel="linear")
    >>> kernels["protein"].shape
    (40, 40)
    """
    from ._kernels import compute_kernels

    kernels, tables = _stored(mdata, use_rep or {}, None if features else obsp)
    if features or not tables:
        return tables or kernels
    # Kernels that are stored take part, since views are compared to choose widths.
    if kernels:
        own = kernel if isinstance(kernel, Mapping) else dict.fromkeys(tables, kernel)
        kernel = {**own, **dict.fromkeys(kernels, "precomputed")}
    views = {name: kernels[name] if name in kernels else tables[name] for name in mdata.mod}
    return compute_kernels(views, kernel, **options)


def stored_views(mdata: MuDataLike) -> dict[str, pd.DataFrame]:
    """Per modality the kernel in its ``obsp``, or its table."""
    kernels, tables = _stored(mdata, {}, "kernel")
    return {name: kernels[name] if name in kernels else tables[name] for name in mdata.mod}


def _stored(
    mdata: MuDataLike, use_rep: Mapping[str, str], obsp: str | None
) -> tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
    """The kernels in ``obsp``, and the tables of the other modalities."""
    kernels: dict[str, pd.DataFrame] = {}
    tables: dict[str, pd.DataFrame] = {}
    for name, modality in mdata.mod.items():
        rep = use_rep.get(name)
        if rep is None and obsp is not None and obsp in modality.obsp:
            values = np.asarray(plain(modality.obsp[obsp]))
            kernels[name] = pd.DataFrame(values, modality.obs_names, modality.obs_names)
            continue
        if rep is not None and rep not in modality.obsm:
            raise InputError(f"modality '{name}' has no obsm['{rep}']", f"it has {sorted(modality.obsm.keys())}")
        values = np.asarray(plain(modality.X if rep is None else modality.obsm[rep]))
        columns = modality.var_names if rep is None else None
        tables[name] = pd.DataFrame(values, modality.obs_names, columns)
    return kernels, tables


def without_samples(mdata: Any, lost: Mapping[str, Any]) -> Any:
    """A copy without the samples that are marked per modality."""
    result = type(mdata)({name: modality[~lost[name]].copy() for name, modality in mdata.mod.items()})
    own = [column for column in mdata.obs.columns if ":" not in column and column not in result.obs]
    result.obs = result.obs.join(mdata.obs[own])
    return result
