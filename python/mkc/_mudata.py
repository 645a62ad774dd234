"""MuData: one modality per view, samples missing where a modality does not have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ._errors import InputError


def is_mudata(X: Any) -> bool:
    return type(X).__name__ == "MuData" and hasattr(X, "mod")


def _dense(values: Any) -> Any:
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values)


def from_mudata(
    mdata: Any,
    *,
    use_rep: Mapping[str, str] | None = None,
    kernel: str | Mapping[str, Any] = "rbf",
    obsp: str = "kernel",
    features: bool = False,
    **options: Any,
) -> dict[str, pd.DataFrame]:
    """The views of a MuData as labelled kernels.

    A modality with ``obsp["kernel"]`` gives that kernel; of the others a kernel is made of ``X``, or
    of ``obsm[use_rep[modality]]``, as :func:`mkc.compute_kernels` does with ``kernel`` and
    ``options``. With ``features=True`` the tables themselves are given, no kernels.
    """
    from ._kernels import compute_kernels

    views: dict[str, pd.DataFrame] = {}
    tables: dict[str, pd.DataFrame] = {}
    for name, modality in mdata.mod.items():
        rep = (use_rep or {}).get(name)
        if rep is None and not features and obsp in modality.obsp:
            values = _dense(modality.obsp[obsp])
            views[name] = pd.DataFrame(values, modality.obs_names, modality.obs_names)
            continue
        if rep is not None and rep not in modality.obsm:
            raise InputError(
                f"modality '{name}' has no obsm['{rep}']", f"it has {sorted(modality.obsm.keys())}"
            )
        values = _dense(modality.X if rep is None else modality.obsm[rep])
        tables[name] = pd.DataFrame(values, modality.obs_names)
    if features or not tables:
        return tables or views
    views.update(compute_kernels(tables, kernel, **options))
    return {name: views[name] for name in mdata.mod}


def to_mudata(kernels: Any, mdata: Any, *, key_added: str = "mkc", copy: bool = False) -> Any:
    """Puts completed kernels into ``mdata.obsp["mkc_<view>"]`` in the order of ``mdata.obs_names``.

    ``kernels``: a dict of labelled DataFrames or what :func:`mkc.complete` returned; of the latter
    also the method, its parameters and the view relations go into ``mdata.uns["mkc"]``. Returns
    ``mdata``, or a copy of it.
    """
    result = mdata.copy() if copy else mdata
    completed = getattr(kernels, "kernels", kernels)
    if is_mudata(completed):
        completed = kernels.frames
    names = result.obs_names
    for view, frame in completed.items():
        missing = names.difference(frame.index)
        if len(missing) > 0:
            raise InputError(f"view '{view}': the kernel lacks the sample '{missing[0]}' of the MuData")
        result.obsp[f"{key_added}_{view}"] = frame.loc[names, names].to_numpy()
    if hasattr(kernels, "parameters"):
        facts: dict[str, Any] = {"method": kernels.method, "seed": kernels.seed}
        facts["parameters"] = dict(kernels.parameters)
        if kernels.view_relations is not None:
            facts["view_relations"] = np.asarray(kernels.view_relations)
            facts["views"] = list(kernels.views)
        result.uns[key_added] = facts
    return result
