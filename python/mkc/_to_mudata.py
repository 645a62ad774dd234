"""Storage of completed kernels in a MuData."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ._complete import Completion
from ._errors import InputError


def to_mudata(
    kernels: Mapping[str, pd.DataFrame] | Completion, mdata: Any, *, key_added: str = "mkc", copy: bool = False
) -> Any:
    """Stores completed kernels in ``mdata.obsp["mkc_<view>"]`` in the order of ``mdata.obs_names``.

    Parameters
    ----------
    kernels
        A dict of labelled DataFrames or the result of :func:`mkc.complete`, whose method, parameters and view
        relations are also stored, in ``mdata.uns["mkc"]``.
    mdata
        The MuData with the same samples.
    key_added
        Prefix of the names in ``obsp`` and ``uns``.
    copy
        Change a copy of ``mdata``.

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
