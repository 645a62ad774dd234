"""Which row of a table is which sample: rules for ids, a sample map, several rows of one sample, rows of zeros."""

from __future__ import annotations

from collections.abc import Collection, Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._assemble import square
from ._errors import InputError, OptionError
from ._inputs import Table, Views
from ._run import check_texts
from ._types import Replicates, SampleMap, ZeroRows

_MAP_COLUMNS = ["assay", "primary", "colname"]


@dataclass(frozen=True)
class SampleRules:
    """How rows name samples, as the arguments of the public functions have it."""

    ids: str = "auto"
    sample_map: SampleMap | None = None
    replicates: Replicates = "error"
    zero_rows: ZeroRows | Mapping[str, ZeroRows] = "auto"  # for all views, or per view

    def zero_rows_of(self, view: str) -> str:
        return self.zero_rows if isinstance(self.zero_rows, str) else self.zero_rows[view]


def for_new_samples(rules: SampleRules, taken: Mapping[str, ZeroRows]) -> SampleRules:
    """The rules for samples beside those of training: views need not share any, and rows of zeros are what they were
    in training, since few samples do not show it."""
    return replace(rules, ids="exact" if rules.ids == "auto" else rules.ids, zero_rows=taken)


def resolve(
    views: Views, rules: SampleRules, kernels: Collection[str], taken: dict[str, ZeroRows] | None = None
) -> tuple[Views, list[str]]:
    """The views with one row per sample under the name of the sample, and notices. ``kernels``: names of the
    views that are kernels, not features. ``taken`` gets per view what its rows of zeros are taken for."""
    check_texts(ids=rules.ids, replicates=rules.replicates)
    if not isinstance(rules.zero_rows, Mapping):
        check_texts(zero_rows=rules.zero_rows)
    notices: list[str] = [notice for table in views.tables for notice in table.notices]
    are_kernels = [table.name in kernels for table in views.tables]
    tables = [square(table) if kernel else table for table, kernel in zip(views.tables, are_kernels)]
    for table, kernel in zip(tables, are_kernels):
        if not kernel:
            _check_side(table)
    marked = [
        _with_missing(table, rules.zero_rows_of(table.name), kernel, notices)
        for table, kernel in zip(tables, are_kernels)
    ]
    if taken is not None:
        for table, after in zip(tables, marked):
            taken[table.name] = "values" if after is table else "missing"
    tables = marked
    if views.container.labelled:
        if rules.ids != "exact":
            _check_row_numbers(tables, views.container.kind == "mudata")
        own = [table.ids for table in tables]
        if rules.sample_map is not None:
            tables, own = _mapped(tables, _read_map(rules.sample_map), notices)
        tables, own = _renamed(tables, own, rules.sample_map is not None, rules.ids, notices)
        tables = [
            _merged(table, mine, rules.replicates, kernel, notices)
            for table, mine, kernel in zip(tables, own, are_kernels)
        ]
    elif rules.sample_map is not None or rules.ids not in ("auto", "exact"):
        raise OptionError("ids and sample_map need sample names", "give the views as DataFrames")
    label_of: dict[str, Hashable] = {}
    for table in tables:
        for label in table.labels or []:
            label_of.setdefault(str(label), label)
    return Views(replace(views.container, label_of=label_of), tables), notices


def side_notices(views: Views) -> list[str]:
    """Which names are samples, with examples and the evidence; a line per view with names."""
    lines = []
    for table in views.tables:
        if table.labels is None:
            continue
        _, _, reasons, against = _core.side_evidence(table.ids, table.column_ids, "")
        if _are_row_numbers(table):
            reasons = ["row numbers, not names"]
        evidence = ", ".join(reasons) + (f"; against it: {', '.join(against)}" if against else "")
        examples = ", ".join(map(repr, table.ids[:3]))
        lines.append(f"view '{table.name}': samples are the index: {examples}" + (f" ({evidence})" if evidence else ""))
    return lines


def _place(table: Table) -> tuple[str, str]:
    return str(table.name), table.source


def _check_side(table: Table) -> None:
    """Genes in the index and barcodes in the columns are a table that stands on its side."""
    if table.labels is None or table.columns is None:
        return
    rows, columns, for_rows, for_columns = _core.side_evidence(table.ids, table.column_ids, "")
    if columns - rows >= 4:
        raise InputError(
            f"view '{table.name}' ({table.source}): samples seem to be in the columns "
            f"({', '.join(table.column_ids[:3])}), not in the index ({', '.join(table.ids[:3])}): "
            f"{', '.join(for_columns)}",
            "give df.T, with samples in the index",
        )


def _are_row_numbers(table: Table) -> bool:
    """What an index is that nobody set: 0, 1, 2, ... of pandas, or 1, 2, 3, ... of R. An index with a name was set."""
    if table.given_index is not None and table.given_index.name is not None:
        return False
    return table.ids[:1] in (["0"], ["1"]) and bool(_core.are_row_numbers(table.ids))


def _check_row_numbers(tables: list[Table], of_one_object: bool) -> None:
    """Row numbers do not say which rows of two tables belong together. Columns of one DataFrame share its index."""
    numbered = [table for table in tables if _are_row_numbers(table)]
    for table in numbered[1:]:
        first = numbered[0]
        as_many = table.ids == first.ids
        if as_many and (of_one_object or _share_index(first, table)):
            continue
        rows_match = "if row i of every table is the same sample, give ids='exact'; else "
        raise InputError(
            f"views '{first.name}' and '{table.name}' have no sample names, only row numbers "
            f"({first.ids[0]} to {first.ids[-1]} and {table.ids[0]} to {table.ids[-1]}): which rows belong "
            "together?",
            (rows_match if as_many else "")
            + "give the sample names as index: df.set_index(...)"
            + ("" if as_many else "; ids='exact' takes the numbers as names"),
        )


def _share_index(a: Table, b: Table) -> bool:
    return a.given_index is not None and b.given_index is not None and a.given_index.is_(b.given_index)


def _with_missing(table: Table, policy: str, is_kernel: bool, notices: list[str]) -> Table:
    numbers = table.values
    if table.categories:  # the first word of a column is not a zero
        numbers = np.array(numbers)
        words = numbers[:, list(table.categories)]
        numbers[:, list(table.categories)] = np.where(np.isnan(words), np.nan, 1.0)
    zeros = np.diagonal(numbers) == 0 if is_kernel else ~numbers.any(axis=1)  # NaN is not zero
    if not zeros.any():
        return table
    rows, notice = _core.zero_rows((*_place(table), table.ids), numbers, is_kernel, policy)
    if notice:
        notices.append(f"view '{table.name}' ({table.source}): {notice}")
    if not rows:
        return table
    values = np.array(table.values)
    values[rows] = np.nan
    if is_kernel:
        values[:, rows] = np.nan
    return replace(table, values=values)


def _read_map(given: SampleMap) -> pd.DataFrame:
    frame = given if isinstance(given, pd.DataFrame) else pd.read_csv(given, sep=None, engine="python", dtype=str)
    lost = [name for name in _MAP_COLUMNS if name not in frame.columns]
    if lost:
        raise InputError(
            f"sample_map has no column '{lost[0]}'", "its columns are assay (view), primary (sample) and colname"
        )
    texts: pd.DataFrame = frame[_MAP_COLUMNS].astype(str)
    twice = texts[texts.duplicated(["assay", "colname"])]
    if len(twice):
        raise InputError(
            f"sample_map: '{twice['colname'].iloc[0]}' of assay '{twice['assay'].iloc[0]}' appears twice",
            "give every colname of an assay one row",
        )
    return texts


def _mapped(tables: list[Table], frame: pd.DataFrame, notices: list[str]) -> tuple[list[Table], list[list[str]]]:
    results, own = [], []
    for table in tables:
        rows = frame[frame["assay"] == str(table.name)]
        primary = dict(zip(rows["colname"], rows["primary"]))
        if not primary:
            if not set(table.ids) & set(frame["primary"]):
                raise InputError(
                    f"view '{table.name}': sample_map has no assay '{table.name}', and no id of the view is one of its "
                    "samples",
                    f"its assays are {', '.join(dict.fromkeys(frame['assay']))}",
                )
            results.append(table)
            own.append(table.ids)
            continue
        kept = [i for i, name in enumerate(table.ids) if name in primary]
        unknown = [name for name in table.ids if name not in primary]
        if not kept or (unknown and set(primary) - set(table.ids)):
            raise InputError(
                f"view '{table.name}': {len(unknown)} ids are not in sample_map ({', '.join(unknown[:3])}), and "
                f"{len(set(primary) - set(table.ids))} of its colnames are not in the view",
                f"correct the rows of assay '{table.name}'",
            )
        if unknown:
            notices.append(f"view '{table.name}': {len(unknown)} of {len(table.ids)} ids are not in sample_map")
        names = table.ids
        own.append([names[i] for i in kept])
        results.append(_picked(table, kept, [primary[names[i]] for i in kept]))
    return results, own


def _picked(table: Table, rows: list[int], labels: list[Any]) -> Table:
    """These rows under other names; of a kernel also the columns."""
    everything = rows == list(range(len(table.values)))
    if table.columns is not None and table.columns == table.labels:
        values = table.values if everything else table.values[np.ix_(rows, rows)]
        return replace(table, values=values, labels=labels, columns=labels)
    return replace(table, values=table.values if everything else table.values[rows], labels=labels)


def _renamed(
    tables: list[Table], own: list[list[str]], mapped: bool, rule: str, notices: list[str]
) -> tuple[list[Table], list[list[str]]]:
    named = [(*_place(table), table.ids) for table in tables]
    rows, samples, found = _core.samples_of(named, own if mapped else [], rule)
    notices += found
    results, kept_own = [], []
    for table, kept, names, mine in zip(tables, rows, samples, own):
        kept_own.append([mine[i] for i in kept])
        same = list(names) == table.ids
        results.append(table if same else _picked(table, list(kept), list(names)))
    return results, kept_own


def _merged(table: Table, own: list[str], replicates: str, is_kernel: bool, notices: list[str]) -> Table:
    if len(set(table.ids)) == len(table.ids):
        return table
    values, samples, found = _core.merge_replicates(
        (*_place(table), table.ids), own, table.values, is_kernel, replicates, list(table.categories)
    )
    notices += [f"view '{table.name}' ({table.source}): {notice}" for notice in found]
    labels: list[Hashable] = list(samples)
    return replace(
        table, values=np.ascontiguousarray(values), labels=labels, columns=labels if is_kernel else table.columns
    )
