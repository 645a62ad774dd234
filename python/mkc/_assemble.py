"""From tables to a problem: kernels are checked, samples are aligned by name."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._errors import InputError
from ._inputs import Table, Views
from ._run import check_texts, flag_of
from ._tables import plain

_MAKE_KERNEL = "make a kernel from a table of features with mkc.compute_kernels"


def are_same_names(table: Table) -> bool:
    """Whether the same names are in rows and columns."""
    return table.labels is not None and table.columns is not None and _column_order(table) is not None


def is_kernel(table: Table) -> bool:
    """Whether a table is a kernel: the same samples in rows and columns, and symmetric."""
    order = _column_order(table)
    if order is None:
        return False
    values = table.values[:, order]
    largest = np.nanmax(np.abs(values), initial=0.0, where=np.isfinite(values))
    return bool(np.allclose(values, values.T, rtol=0, atol=1e-6 * largest, equal_nan=True))


def _column_order(table: Table) -> list[int] | None:
    """The column of each row's sample; None if rows and columns have different samples."""
    rows, columns = table.values.shape
    if rows != columns:
        return None
    if table.labels is None or table.labels == table.columns:
        return list(range(rows))
    where = {name: j for j, name in enumerate(table.column_ids)}
    order = [where[name] for name in table.ids if name in where]
    return order if len(set(order)) == rows else None


def square(table: Table) -> Table:
    """A kernel with its columns in the order of its rows."""
    rows, columns = table.values.shape
    if rows != columns:
        raise InputError(
            f"view '{table.name}' ({table.source}): the kernel is not square: {rows} rows, {columns} columns",
            _MAKE_KERNEL,
        )
    order = _column_order(table)
    if order is None:
        known = set(table.ids)
        unknown = next((name for name in table.column_ids if name not in known), table.column_ids[0])
        raise InputError(
            f"view '{table.name}' (DataFrame): a kernel has the same samples in rows and columns, but column "
            f"'{unknown}' is not among the rows",
            _MAKE_KERNEL,
        )
    if order == list(range(rows)):
        return table  # not copied
    return replace(table, values=table.values[:, order], columns=table.labels)


def _observed_column(observed: Any, views: Views, m: int) -> list[bool] | None:
    if observed is None:
        return None
    if isinstance(observed, np.ma.MaskedArray):
        observed = np.ma.filled(observed.astype(object), "masked")
    observed = plain(observed)
    table = views.tables[m]
    values = (
        _named_column(observed, table) if isinstance(observed, pd.DataFrame) else _numbered_column(observed, views, m)
    )
    for sample, value in zip(table.ids, values):
        if not (isinstance(value, (bool, np.bool_, int, float, np.number)) and value in (0, 1)):
            raise InputError(
                f"'observed' is {value!r} for sample '{sample}' in view '{table.name}', not True or False",
                "True or 1 where the sample has the view, False or 0 where it lacks it",
            )
    return [bool(value) for value in values]


def _named_column(observed: pd.DataFrame, table: Table) -> list[Any]:
    if table.name not in observed.columns:
        raise InputError(f"'observed' has no column '{table.name}'", f"its columns are {list(observed.columns)}")
    column = list(observed[table.name])
    if table.labels is None:
        return column
    by_name = dict(zip(map(str, observed.index), column))
    lost = [name for name in table.ids if name not in by_name]
    if lost:
        raise InputError(
            f"'observed' has no row for sample '{lost[0]}' of view '{table.name}'",
            "its index must hold the sample names, like those of the views",
        )
    return [by_name[name] for name in table.ids]


def _numbered_column(observed: Any, views: Views, m: int) -> list[Any]:
    if isinstance(observed, str):
        raise InputError(f"'observed' is the text '{observed}', not a table", f'method="{observed}" names a method')
    table = views.tables[m]
    if any(other.ids != table.ids for other in views.tables):
        raise InputError(
            "'observed' has no sample names, but the DataFrames differ in samples or order: the sample of a "
            "row is not known",
            "give a DataFrame with sample names in its index and views in its columns",
        )
    mask = np.asarray(observed, dtype=object)
    shape = (len(table.values), len(views.tables))
    if mask.shape != shape:
        raise InputError(
            f"'observed' is {' x '.join(map(str, mask.shape))}, but there are {shape[0]} samples and {shape[1]} views",
            "one row per sample, one column per view, True where the sample has the view",
        )
    return list(mask[:, m])


def assemble(
    views: Views,
    *,
    observed: Any = None,
    psd: str = "error",
    normalize: str = "none",
    center: bool = False,
    samples: str | Sequence[Hashable] = "union",
    na_features: str = "error",
    options: Mapping[str, Mapping[str, str]] | None = None,
    common: Mapping[str, str] | None = None,
    keep_recipes: bool = False,
) -> _core.Assembled:
    """The problem, aligned by sample name and checked. With ``options`` (kernel options per view) the
    tables are features, else kernels. ``common``: options of all views, which need an effect in one of them.
    ``keep_recipes``: what new samples need."""
    check_texts(psd=psd, normalize=normalize, na_features=na_features)
    centred = flag_of("center", center)
    # Kernels rounded to single precision are accepted.
    tolerance = 1e-5 if any(table.single for table in views.tables) else 1e-8
    return _core.assemble(
        gathered(views, observed, options, common),
        psd,
        tolerance,
        normalize,
        centred,
        na_features,
        *listed_samples(samples),
        keep_recipes,
    )


def gathered(
    views: Views, observed: Any, options: Mapping[str, Mapping[str, str]] | None, common: Mapping[str, str] | None
) -> _core.Views:
    """The views as the library takes them: see :func:`assemble`."""
    all_views = _core.Views()
    for m, table in enumerate(views.tables):
        own = dict((options or {}).get(table.name, {}))
        is_kernel = options is None or own.get("kernel") == "precomputed"
        if is_kernel:
            table = square(table)
            own.pop("kernel", None)
        all_views.add(
            str(table.name),
            table.source,
            table.ids,
            [] if is_kernel or table.columns is None else table.column_ids,
            table.values,
            is_kernel,
            _observed_column(observed, views, m),
            list(own.items()),
            list(table.categories.items()),
            list((common or {}).items()),
        )
    return all_views


def listed_samples(samples: str | Sequence[Hashable]) -> tuple[list[str] | None, bool]:
    """A list of samples, and whether they are those of the intersection."""
    if not isinstance(samples, str):
        return [str(sample) for sample in samples], False
    if samples not in ("union", "intersection"):
        raise InputError(f"samples: '{samples}' is neither 'union' nor 'intersection' nor a list of samples")
    return None, samples == "intersection"
