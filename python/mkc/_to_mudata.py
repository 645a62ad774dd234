"""Storage of results in a MuData."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

import mkc  # annotations name its estimators, which are imported when they are used

from ._assemble import square
from ._complete import Completion
from ._errors import InputError
from ._inputs import Table, read_views
from ._mudata import copied
from ._types import FloatArray, MuDataT, MultiView


def to_mudata(
    kernels: MultiView | Completion[Any] | mkc.KernelCompleter,
    mdata: MuDataT,
    *,
    key_added: str = "mkc",
    copy: bool = False,
) -> MuDataT:
    """Stores completed kernels in ``mdata.obsp["mkc_<view>"]`` in the order of ``mdata.obs_names``.

    Parameters
    ----------
    kernels
        Kernels of any kind (arrays in the order of ``mdata.obs_names``), the result of :func:`mkc.complete` or a
        fitted :class:`mkc.KernelCompleter`. Of the last two also the details are stored, in ``mdata.uns["mkc"]``:
        method, parameters, seed, status and notices, and the tables ``observed``, ``view_relations``, ``quality``,
        ``worth`` and ``candidates`` that there are.
    mdata
        The MuData with the same samples.
    key_added
        Prefix of the names in ``obsp`` and ``uns``.
    copy
        Change a copy of ``mdata``; of a backed one, a copy in memory.

    Returns ``mdata``, or a copy of it.

    Examples
    --------
    >>> import anndata, mkc, mudata
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> tables = {name: table[example.observed[name]] for name, table in example.features.items()}
    >>> mdata = mudata.MuData({name: anndata.AnnData(table) for name, table in tables.items()})
    >>> result = mkc.complete(mkc.from_mudata(mdata), "mean")
    >>> mdata = mkc.to_mudata(result, mdata)
    >>> mdata.obsp["mkc_protein"].shape, mdata.uns["mkc"]["method"]
    ((40, 40), 'mean')
    """
    result: Any = copied(mdata) if copy else mdata
    completion = getattr(kernels, "completion_", kernels)
    given = read_views(completion.frames if isinstance(completion, Completion) else kernels)
    stored = {f"{key_added}_{table.name}": ordered(table, result.obs_names) for table in given.tables}
    for name, values in stored.items():  # nothing is stored if one kernel lacks a sample
        result.obsp[name] = values
    if isinstance(completion, Completion):
        result.uns[key_added] = details_of(completion)
    stored_in: MuDataT = result
    return stored_in


def ordered(table: Table, names: pd.Index, kind: str = "MuData") -> FloatArray:
    """The kernel in the order of the samples of the MuData or AnnData."""
    table = square(table)
    if table.labels is None:
        if len(table.values) != len(names):
            raise InputError(
                f"view '{table.name}': {len(table.values)} rows, but the {kind} has {len(names)} samples",
                "give DataFrames with sample names, or arrays in the order of its obs_names",
            )
        return table.values
    where = {name: i for i, name in enumerate(table.ids)}
    missing = [name for name in names if str(name) not in where]
    if missing:
        raise InputError(f"view '{table.name}': the kernel lacks the sample '{missing[0]}' of the {kind}")
    rows = [where[str(name)] for name in names]
    return table.values[np.ix_(rows, rows)]


def details_of(completion: Completion[Any]) -> dict[str, Any]:
    """What an h5mu file can hold: text, numbers, and tables with text as names."""
    details: dict[str, Any] = {
        "method": completion.method,
        "parameters": dict(completion.parameters),
        "seed": completion.seed,
        "status": completion.status,
        "notices": np.asarray(completion.notices, dtype=object),
        "views": np.asarray([str(view) for view in completion.views], dtype=object),
        "observed": _writable(completion.observed),
    }
    for name in ("view_relations", "quality", "worth", "candidates"):
        table = getattr(completion, name)
        if table is not None:
            details[name] = np.asarray(table) if name == "view_relations" else _writable(table)
    return details


def _writable(table: pd.DataFrame) -> pd.DataFrame:
    table = table.rename(index=str, columns=str)
    return table.assign(**{name: table[name].map(str) for name in table.columns if table[name].dtype.kind == "O"})
