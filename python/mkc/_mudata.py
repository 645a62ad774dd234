"""MuData: one modality per view, samples missing where a modality does not have them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ._errors import InputError
from ._types import KernelChoice, MuDataLike

if TYPE_CHECKING:
    from ._complete import Completion


def is_mudata(X: Any) -> bool:
    return type(X).__name__ == "MuData" and hasattr(X, "mod")


def _dense(values: Any) -> Any:
    return values.toarray() if hasattr(values, "toarray") else np.asarray(values)


def from_mudata(
    mdata: MuDataLike,
    *,
    use_rep: Mapping[str, str] | None = None,
    kernel: KernelChoice = "rbf",
    obsp: str = "kernel",
    features: bool = False,
    **options: Any,
) -> dict[str, pd.DataFrame]:
    """The views of a MuData as labelled kernels.

    Parameters
    ----------
    mdata
        One modality per view.
    use_rep
        Per modality the name of a table in its ``obsm``, to be used instead of ``X``.
    kernel
        How kernels are made, as in :func:`mkc.compute_kernels`.
    obsp
        A modality that has a kernel of this name in its ``obsp`` gives that one.
    features
        The tables themselves, no kernels.
    **options
        Further arguments of :func:`mkc.compute_kernels`: ``gamma``, ``na_features``, ...

    Returns a dict of DataFrames, each with the samples of its modality.
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


def to_mudata(
    kernels: Mapping[str, pd.DataFrame] | Completion,
    mdata: Any,
    *,
    key_added: str = "mkc",
    copy: bool = False,
) -> Any:
    """Puts completed kernels into ``mdata.obsp["mkc_<view>"]`` in the order of ``mdata.obs_names``.

    Parameters
    ----------
    kernels
        A dict of labelled DataFrames or what :func:`mkc.complete` returned; of the latter also the method,
        its parameters and the view relations go into ``mdata.uns["mkc"]``.
    mdata
        The MuData whose samples these are.
    key_added
        What the names in ``obsp`` and ``uns`` begin with.
    copy
        Leave ``mdata`` as it is.

    Returns ``mdata``, or a copy of it.
    """
    result = mdata.copy() if copy else mdata
    completed = kernels if isinstance(kernels, Mapping) else kernels.frames
    names = result.obs_names
    for view, frame in completed.items():
        missing = names.difference(frame.index)
        if len(missing) > 0:
            raise InputError(f"view '{view}': the kernel lacks the sample '{missing[0]}' of the MuData")
        result.obsp[f"{key_added}_{view}"] = frame.loc[names, names].to_numpy()
    if not isinstance(kernels, Mapping):
        facts: dict[str, Any] = {"method": kernels.method, "seed": kernels.seed}
        facts["parameters"] = dict(kernels.parameters)
        if kernels.view_relations is not None:
            facts["view_relations"] = np.asarray(kernels.view_relations)
            facts["views"] = list(kernels.views)
        result.uns[key_added] = facts
    return result


def without_samples(mdata: Any, lost: Mapping[str, Any]) -> Any:
    """A copy in which each modality lacks the samples that are marked for it."""
    result = type(mdata)({name: modality[~lost[name]].copy() for name, modality in mdata.mod.items()})
    own = [column for column in mdata.obs.columns if ":" not in column and column not in result.obs]
    result.obs = result.obs.join(mdata.obs[own])
    return result
