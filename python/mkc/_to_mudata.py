"""Completed kernels into a MuData."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pandas as pd

from ._complete import Completion
from ._errors import InputError


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
