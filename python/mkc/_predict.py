"""Completion of new samples."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core
from ._complete import Completion
from ._errors import InputError
from ._inputs import BoolArray, Table, Views
from ._types import FloatArray

TrainedView = tuple[str, list[int], FloatArray]
NewView = tuple[list[int], FloatArray, FloatArray]  # numbers of the new samples, rows, k(x, x)


def trained_views(completion: Completion[Any]) -> list[TrainedView]:
    observed = completion.observed.to_numpy()
    return [
        (str(name), np.flatnonzero(observed[:, m]).tolist(), kernel)
        for m, (name, kernel) in enumerate(zip(completion.views, completion.arrays))
    ]


def new_views(
    given: Views, completion: Completion[Any], names: list[str], diagonals: Mapping[str, FloatArray]
) -> list[NewView]:
    """Per view of the model the observed rows of the new samples."""
    unknown = [table.name for table in given.tables if table.name not in completion.views]
    if unknown:
        raise InputError(f"the fitted model has no view '{unknown[0]}'", f"its views are {completion.views}")
    where = {name: i for i, name in enumerate(names)}
    tables = {table.name: table for table in given.tables}
    observed = completion.observed.to_numpy()
    result: list[NewView] = []
    for m, view in enumerate(completion.views):
        train = np.flatnonzero(observed[:, m])
        if view not in tables:
            result.append(([], np.empty((0, len(train))), np.empty(0)))
            continue
        table = tables[view]
        labelled = completion._given.labelled
        columns = training_columns(table, completion.samples, labelled, observed[:, m])
        rows = table.values[:, columns[train]]
        present = np.flatnonzero(~np.isnan(rows).all(axis=1))
        rows = rows[present]
        if np.isnan(rows).any():
            i = int(np.argwhere(np.isnan(rows))[0][0])
            raise InputError(
                f"view '{view}': row '{table.ids[present[i]]}' is partly missing: "
                f"{int(np.isnan(rows[i]).sum())} of {rows.shape[1]} entries are NaN",
                "if a new sample lacks the view, its whole row must be NaN",
            )
        places = np.asarray([where[table.ids[i]] for i in present], dtype=np.int64)
        order = np.argsort(places)
        own = diagonals.get(view, own_values(table, completion.samples))[present]
        result.append((places[order].tolist(), np.ascontiguousarray(rows[order]), own[order]))
    return result


def own_values(table: Table, samples: pd.Index) -> FloatArray:
    """k(x, x) of new samples, from a column "self"; NaN if unknown."""
    names = table.column_ids
    if "self" in names and "self" not in map(str, samples):
        return table.values[:, names.index("self")]
    return np.full(len(table.values), np.nan)


def hidden_view_error(given: Views, completion: Completion[Any], X: Any, threads: int) -> float:
    """Mean relative error of rows of new samples, each hidden and predicted from the sample's other views."""
    names = given.samples
    known = new_views(given, completion, names, getattr(X, "diagonals", {}))
    trained, samples = trained_views(completion), [str(s) for s in completion.samples]
    having = np.zeros(len(names), dtype=int)
    for which, _, _ in known:
        having[which] += 1
    errors: list[float] = []
    for m, (which, rows, _) in enumerate(known):
        tested = [i for i, x in enumerate(which) if having[x] > 1]
        if not tested:
            continue
        chosen = [which[i] for i in tested]
        place = {x: i for i, x in enumerate(chosen)}
        others = [_part(view, {} if k == m else place) for k, view in enumerate(known)]
        # new names, so that no sample is recognised as a training sample
        found = _core.predict(samples, trained, [f"new {x}" for x in chosen], others, threads)
        predicted = np.asarray(found["rows"][m])[:, trained[m][1]]
        truth = rows[tested]
        norms = np.linalg.norm(truth, axis=1)
        errors += (np.linalg.norm(predicted - truth, axis=1)[norms > 0] / norms[norms > 0]).tolist()
    return float(np.mean(errors)) if errors else 0.0


def _part(view: NewView, place: Mapping[int, int]) -> NewView:
    """The new samples in ``place``, renumbered."""
    which, rows, diagonal = view
    kept = [i for i, x in enumerate(which) if x in place]
    return [place[which[i]] for i in kept], np.ascontiguousarray(rows[kept]), diagonal[kept]


def training_columns(
    table: Table, samples: pd.Index, labelled: bool, needed: BoolArray | None = None
) -> npt.NDArray[np.int64]:
    """The column of each training sample, by name if samples have names; -1 for one that has no column and
    is not ``needed`` because it lacks the view."""
    n = len(samples)
    if table.columns is None or not labelled:
        if table.values.shape[1] != n:
            raise InputError(
                f"view '{table.name}': {table.values.shape[1]} columns, but there were {n} training samples",
                "new samples are in rows, training samples in columns",
            )
        return np.arange(n)
    place = {name: j for j, name in enumerate(table.column_ids)}
    found = np.asarray([place.get(str(sample), -1) for sample in samples], dtype=np.int64)
    lost = np.flatnonzero((found < 0) & (True if needed is None else needed))
    if len(lost):
        raise InputError(
            f"view '{table.name}': no column for the training sample '{samples[lost[0]]}'",
            "new samples are in rows, training samples in columns",
        )
    return found


def relevant_notices(notices: list[str], given: Views) -> list[str]:
    """Rows of arrays are numbered, also after ``set_output``: that a new sample shares its number with a training
    sample is no news."""
    named = given.container.labelled and given.samples != [str(i) for i in range(len(given.samples))]
    return [text for text in notices if named or "have the name of a training sample" not in text]
