"""Results in factor form, read from folders of the tool."""

from __future__ import annotations

import json
import os
import pathlib
from typing import Any

import numpy as np
import pandas as pd

from ._errors import InputError
from ._factor_completion import FactorCompletion, expert_table, kernel_table


def read_factors(folder: str | os.PathLike[str]) -> FactorCompletion:
    """The result of ``mkc complete --form factor``. Its factors stay in their files, which are mapped into memory.

    Parameters
    ----------
    folder
        The output folder of the tool.

    Examples
    --------
    >>> import mkc, subprocess, sysconfig
    >>> example = mkc.datasets.make_example(60, random_state=1)
    >>> for view in ("expression", "protein"):
    ...     example.features[view][example.observed[view]].to_csv(f"{view}.csv")
    >>> tool = f"{sysconfig.get_path('scripts')}/mkc"
    >>> command = "complete expression.csv protein.csv --form factor --rank 20 -o result --quiet"
    >>> done = subprocess.run([tool, *command.split()], check=True)
    >>> result = mkc.read_factors("result")
    >>> result.kernel("protein", result.samples[:2], result.samples[:3]).shape
    (2, 3)
    """
    place = pathlib.Path(folder)
    try:
        meta = json.loads((place / "meta_info.json").read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(f"{place}: there is no meta_info.json", "give the folder of a result of the tool") from None
    if meta.get("form") != "factor":
        raise InputError(f"{place}: not a result in factor form", "mkc complete --form factor makes one")
    names = [view["name"] for view in meta["views"]]
    index = pd.Index((place / "samples.txt").read_text(encoding="utf-8").split("\n")[:-1], name="sample")
    observed = pd.read_csv(place / "observed.tsv", sep="\t", usecols=range(1, len(names) + 1)).to_numpy(dtype=bool)
    figures = meta.get("quality")
    return FactorCompletion(
        factors={view["name"]: np.load(place / view["factors"], mmap_mode="r") for view in meta["views"]},
        extra=pd.DataFrame(np.load(place / "extra.npy"), index, names),
        samples=index,
        views=names,
        observed=pd.DataFrame(observed, index, names),
        variance=pd.DataFrame(np.load(place / "variance.npy"), index, names),
        quality=None if figures is None else _stored_quality(place / "quality.tsv"),
        worth=None if figures is None else _stored_worth(figures["views"], names),
        experts=expert_table(meta.get("experts", []), names),
        kernels_used=kernel_table(meta["views"], names),
        parameters={name: str(value) for name, value in meta["parameters"].items()},
        seed=int(meta["seed"]),
        notices=list(meta["notices"]),
    )


_QUALITY = ("sample", "view", "observed_views", "relative_error", "low", "high", "interval")
_NUMBERS = dict.fromkeys(_QUALITY[3:6], np.float64)


def _stored_quality(path: pathlib.Path) -> pd.DataFrame:
    texts = {"sample": str, "view": str, "interval": str}
    table = pd.read_csv(
        path, sep="\t", usecols=list(_QUALITY), dtype={**texts, **_NUMBERS}, keep_default_na=False, na_values=_NA
    )
    return table[list(_QUALITY)]


_NA = {name: ["NA", "inf"] for name in _NUMBERS}


def _stored_worth(figures: dict[str, Any], names: list[str]) -> pd.DataFrame:
    rows = pd.DataFrame([figures[name] for name in names], pd.Index(names, name="view"))
    columns = [
        "held_out_error",
        "average_row_error",
        "mean_of_others_error",
        "recovered",
        "recovered_standard_error",
        "hidden_samples",
        "verdict",
    ]
    return rows[columns].astype(dict.fromkeys(columns[:5], np.float64))
