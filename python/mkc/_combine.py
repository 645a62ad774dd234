"""One kernel from those of several views."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, overload

import numpy as np
import pandas as pd

from . import _core
from ._assemble import square
from ._complete import Completion
from ._errors import InputError, OptionError
from ._factor_completion import FactorCompletion
from ._inputs import Table, Views, read_views
from ._labels import label_texts
from ._run import flag_of
from ._tables import plain
from ._types import FloatArray, Labels, LabelType, MultiView, ViewWeights
from ._types import Table as Relations

_RULES = ("mean", "relations", "alignment", "alignf")


@overload
def combine(
    kernels: MultiView | Completion[Any] | FactorCompletion,
    weights: ViewWeights = ...,
    *,
    y: Labels | None = ...,
    label_type: LabelType = ...,
    relations: Relations | None = ...,
    scale: bool = ...,
    as_frame: Literal[False] = ...,
) -> FloatArray: ...
@overload
def combine(
    kernels: MultiView | Completion[Any] | FactorCompletion,
    weights: ViewWeights = ...,
    *,
    y: Labels | None = ...,
    label_type: LabelType = ...,
    relations: Relations | None = ...,
    scale: bool = ...,
    as_frame: Literal[True],
) -> pd.DataFrame: ...
def combine(
    kernels: MultiView | Completion[Any] | FactorCompletion,
    weights: ViewWeights = "mean",
    *,
    y: Labels | None = None,
    label_type: LabelType = "auto",
    relations: Relations | None = None,
    scale: bool = True,
    as_frame: bool = False,
) -> FloatArray | pd.DataFrame:
    """The weighted sum of completed kernels, each divided by its variance first (``scale``).

    Parameters
    ----------
    kernels
        Completed kernels of any kind, or the result of :func:`mkc.complete`: of one in factor form whole kernels are
        made, of up to 20,000 samples.
    weights
        ``"mean"``: equal; ``"relations"``: the mean weight of each view for the others (needs a method with
        view relations); ``"alignment"``: the centred alignment of each view with the labels ``y``;
        ``"alignf"``: the weights whose sum of kernels is best aligned with them; or numbers, one per view, as a
        dict or in order. Labels must be those of training samples only (None or NaN for the others): weights
        that have seen test labels make the test too optimistic.
    y
        Labels, one per sample, for ``"alignment"`` and ``"alignf"``: classes, numbers, or two columns with times
        and events (a DataFrame by sample name, or a structured array as of scikit-survival).
    label_type
        ``"auto"`` recognises the type of the labels by their look, and asks where the evidence is weak;
        ``"classes"``, ``"numbers"`` or ``"survival"``.
    relations
        View relations S, M x M, for ``"relations"``, if ``kernels`` is not a completion that has them.
    scale
        Divide each kernel by its variance first, so that every view counts the same.
    as_frame
        Return a labelled DataFrame instead of an array. ``cross_val_score`` and ``GridSearchCV`` can only
        split arrays of kernels.

    Returns an array for ``SVC(kernel="precomputed")``, samples in the order of the first kernel.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> K = mkc.combine(mkc.complete(example.kernels, "mean"))
    >>> K.shape
    (40, 40)
    >>> mkc.combine(example.truth, {"protein": 2, "mutations": 1}, as_frame=True).index[0]
    'S001'
    """
    if isinstance(kernels, Completion) and relations is None:
        relations = kernels.view_relations
    given = completed_views(kernels)
    arrays, samples = aligned(given)
    scaled = flag_of("scale", scale)
    chosen = choose_weights(given, arrays, weights, y, label_type, relations, samples, scaled)
    names = [str(name) for name in given.names]
    combined = _core.combine_kernels(arrays, [float(w) for w in chosen], names, scaled)
    if not as_frame:
        return combined
    index = given.container.index(samples)
    return pd.DataFrame(combined, index, index)


_MOST_WHOLE = 20000  # samples, as in the tool


def completed_views(kernels: MultiView | Completion[Any] | FactorCompletion) -> Views:
    if isinstance(kernels, FactorCompletion):
        if len(kernels.samples) > _MOST_WHOLE:
            raise InputError(
                f"whole kernels of {len(kernels.samples)} samples are too large",
                "KernelCombiner(form='factor') and mkc combine, embed and cluster of the tool work on factors",
            )
        return read_views({view: kernels.kernel(view) for view in kernels.views})
    if not isinstance(kernels, Completion):
        return read_views(kernels)
    return read_views(kernels.frames if kernels._given.labelled else dict(zip(kernels.views, kernels.arrays)))


def aligned(given: Views) -> tuple[list[FloatArray], list[str]]:
    """Kernels of the same samples without gaps, in the order of the first view."""
    samples = given.tables[0].ids
    arrays = []
    for table in given.tables:
        values = table.values
        if table.labels is not None:
            values = square(table).values
            rows = rows_of(table, given.tables[0])
            values = values[np.ix_(rows, rows)]
        if not np.isfinite(values).all():
            raise InputError(
                f"view '{table.name}': the kernel has NaN or infinite entries", "complete it first: mkc.complete"
            )
        arrays.append(values)
    return arrays, samples


def rows_of(table: Table, first: Table) -> list[int]:
    """The rows of the first view's samples in another view, which must have the same samples."""
    where = {name: i for i, name in enumerate(table.ids)}
    lost = [name for name in first.ids if name not in where]
    if lost or len(table.ids) != len(first.ids):
        raise InputError(
            f"views '{first.name}' and '{table.name}' have different samples"
            + (f": the second lacks '{lost[0]}'" if lost else ""),
            "complete the kernels first: mkc.complete",
        )
    return [where[name] for name in first.ids]


def choose_weights(
    given: Views,
    arrays: list[FloatArray],
    weights: ViewWeights,
    y: Labels | None,
    label_type: str,
    relations: Relations | None,
    samples: list[str],
    scale: bool,
) -> FloatArray:
    """Weights >= 0; those of a rule sum to one."""
    names = given.names
    if not isinstance(weights, str):
        return _numbers(weights, names)
    if weights not in _RULES:
        raise OptionError(f"weights: '{weights}' is not one of {', '.join(_RULES)}")
    if weights == "mean":
        return np.full(len(names), 1 / len(names))
    if weights in ("alignment", "alignf"):
        if y is None:
            raise OptionError(f"weights='{weights}' needs y, the labels of the training samples")
        labels = label_texts(y, label_type, given.container.labelled, samples)
        return np.asarray(_core.alignment_weights(arrays, labels, samples, weights == "alignf", scale))
    if relations is None:
        raise OptionError(
            "weights='relations' needs the view relations", "complete with embd_ht, app, sdp, transfer or latent"
        )
    return np.asarray(_core.relation_weights(np.asarray(plain(relations), dtype=np.float64)))


def _numbers(weights: ViewWeights, names: list[str]) -> FloatArray:
    if isinstance(weights, (Mapping, pd.Series)):
        unknown = [name for name in weights.keys() if name not in names]
        if unknown:
            raise OptionError(
                f"weights: there is no view '{unknown[0]}'", f"the views are {', '.join(map(str, names))}"
            )
        weights = [weights.get(name, 0.0) for name in names]
    numbers = np.asarray(plain(weights), dtype=np.float64)
    if numbers.shape != (len(names),) or not np.isfinite(numbers).all() or (numbers < 0).any():
        raise OptionError(f"weights: {len(names)} numbers >= 0 are needed, one per view")
    return numbers
