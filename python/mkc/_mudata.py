"""MuData as input: each modality is a view and may lack samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ._errors import InputError, OptionError
from ._tables import in_memory, plain
from ._types import AnnDataLike, KernelArguments, KernelChoice, MuDataLike, Unpack


def is_mudata(X: Any) -> bool:
    return type(X).__name__ == "MuData" and hasattr(X, "mod")


def from_mudata(
    mdata: MuDataLike | Mapping[str, AnnDataLike],
    *,
    use_rep: Mapping[str, str] | None = None,
    layer: str | Mapping[str, str] | None = None,
    kernel: KernelChoice = "auto",
    obsp: str = "kernel",
    features: bool = False,
    **options: Unpack[KernelArguments],
) -> dict[str, pd.DataFrame]:
    """The views of a MuData as labelled kernels.

    Parameters
    ----------
    mdata
        One modality per view; also backed (``mudata.read_h5mu(path, backed=True)``): of the file only what is used
        is read. Or a dict of AnnData.
    use_rep
        Per modality the name of a table in its ``obsm``, used instead of ``X``.
    layer
        Name of a layer used instead of ``X``: one for all modalities, or per modality.
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

    modalities = _modalities(mdata)
    layers = layer if isinstance(layer, Mapping) else {} if layer is None else dict.fromkeys(modalities, layer)
    _check_names(modalities, use_rep or {}, layers)
    kernels, tables = _stored(modalities, use_rep or {}, None if features else obsp, layers)
    if features or not tables:
        return tables or kernels
    # Kernels that are stored take part, since views are compared to choose widths.
    if kernels:
        own = kernel if isinstance(kernel, Mapping) else dict.fromkeys(tables, kernel)
        kernel = {**own, **dict.fromkeys(kernels, "precomputed")}
    views = {name: kernels[name] if name in kernels else tables[name] for name in modalities}
    return compute_kernels(views, kernel, **options)


def stored_views(mdata: MuDataLike) -> dict[str, pd.DataFrame]:
    """Per modality the kernel in its ``obsp``, or its table."""
    kernels, tables = _stored(mdata.mod, {}, "kernel", {})
    return {name: kernels[name] if name in kernels else tables[name] for name in mdata.mod}


def _modalities(mdata: MuDataLike | Mapping[str, AnnDataLike]) -> Mapping[str, Any]:
    modalities: Any = mdata if isinstance(mdata, Mapping) else getattr(mdata, "mod", None)
    if not isinstance(modalities, Mapping) or not all(hasattr(one, "obsm") for one in modalities.values()):
        raise InputError(
            f"a {type(mdata).__name__} is no MuData and no dict of AnnData", "mkc.compute_kernels reads tables"
        )
    return modalities


def _check_names(modalities: Mapping[str, Any], use_rep: Mapping[str, str], layers: Mapping[str, str]) -> None:
    """What is selected must exist, and be one thing per modality."""
    for argument, chosen in (("use_rep", use_rep), ("layer", layers)):
        unknown = [name for name in chosen if name not in modalities]
        if unknown:
            raise OptionError(f"{argument}: there is no modality '{unknown[0]}'", f"there are {sorted(modalities)}")
    for name, modality in modalities.items():
        if name in use_rep and name in layers:
            raise OptionError(f"modality '{name}' has a use_rep and a layer", "give one of them")
        if name in use_rep and use_rep[name] not in modality.obsm:
            raise InputError(
                f"modality '{name}' has no obsm['{use_rep[name]}']", f"it has {sorted(modality.obsm.keys())}"
            )
        if name in layers and layers[name] not in modality.layers:
            raise InputError(
                f"modality '{name}' has no layer '{layers[name]}'",
                f"it has {sorted(filter(None, modality.layers.keys()))}; a dict names the layer of single modalities",
            )


def _stored(
    modalities: Mapping[str, Any], use_rep: Mapping[str, str], obsp: str | None, layers: Mapping[str, str]
) -> tuple[dict[str, pd.DataFrame], dict[str, pd.DataFrame]]:
    """The kernels in ``obsp``, and the tables of the other modalities. What was chosen goes before a kernel."""
    kernels: dict[str, pd.DataFrame] = {}
    tables: dict[str, pd.DataFrame] = {}
    for name, modality in modalities.items():
        if name in use_rep:
            tables[name] = pd.DataFrame(np.asarray(plain(modality.obsm[use_rep[name]])), modality.obs_names)
        elif name not in layers and obsp is not None and obsp in modality.obsp:
            values = np.asarray(plain(modality.obsp[obsp]))
            kernels[name] = pd.DataFrame(values, modality.obs_names, modality.obs_names)
        else:
            values = in_memory(modality.layers[layers[name]] if name in layers else modality.X)
            tables[name] = pd.DataFrame(values, modality.obs_names, modality.var_names)
    return kernels, tables


def copied(mdata: Any) -> Any:
    """A copy. Of a backed MuData, whose own copy would be a file: samples, kernels and details, matrices in memory."""
    if not getattr(mdata, "isbacked", False):
        return mdata.copy()
    result = type(mdata)({name: modality.to_memory() for name, modality in mdata.mod.items()})
    order = mdata.obs_names.get_indexer(result.obs_names)
    result.obs = mdata.obs.iloc[order].copy()
    for name, values in mdata.obsp.items():
        result.obsp[name] = values[order][:, order]
    result.uns.update(mdata.uns)
    return result


def without_samples(mdata: Any, lost: Mapping[str, Any]) -> Any:
    """A copy without the samples that are marked per modality."""
    result = type(mdata)({name: modality[~lost[name]].copy() for name, modality in mdata.mod.items()})
    own = [column for column in mdata.obs.columns if ":" not in column and column not in result.obs]
    result.obs = result.obs.join(mdata.obs[own])
    return result
