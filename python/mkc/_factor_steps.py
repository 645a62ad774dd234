"""What the estimators do in factor form: factors per view instead of kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd

from ._errors import InputError, OptionError
from ._factor_completion import FactorCompletion
from ._inputs import Container, Output, Views
from ._kernels import of_samples
from ._types import FloatArray

TableT = TypeVar("TableT")


class ViewFactors(dict[str, TableT]):
    """Factors of several views, one row per sample: the kernel of a view is F F' + diag(e).

    Attributes
    ----------
    extra : per view e, in the order of the rows
    """

    extra: dict[str, FloatArray]


def factors_like(container: Container, found: FactorCompletion, places: Any, output: Output) -> Any:
    """The factors of these rows of a completion, in the kind of the input."""
    arrays = [np.ascontiguousarray(found.factors[view][places]) for view in found.views]
    samples = found.samples[places]
    columns = [pd.Index(factor_names(view, F.shape[1])) for view, F in zip(found.views, arrays)]
    # All views, also those that no new sample has; not as a stack, since ranks may differ.
    kind = "arrays" if container.kind in ("stack", "mudata") else container.kind
    names = container.names if container.listed else found.views
    result = replace(container, kind=kind, names=names).like(arrays, samples, columns, output)
    if not isinstance(result, dict):
        return result
    factors: ViewFactors[Any] = ViewFactors(result)
    factors.extra = {view: found.extra[view].to_numpy()[places] for view in found.views}
    return factors


def factor_columns(found: FactorCompletion) -> list[str]:
    """The columns of all factors side by side."""
    return [name for view, F in found.factors.items() for name in factor_names(view, F.shape[1])]


def factor_names(view: str, rank: int) -> list[str]:
    return [f"{view} {k}" for k in range(rank)]


def stage_weights(found: FactorCompletion) -> pd.DataFrame | None:
    """Weights of the stages of the model (rows) in each view."""
    if found.experts is None:
        return None
    weights = found.experts.pivot(index="method", columns="view", values="weight")
    return weights.loc[found.experts["method"].unique(), found.views]


def hidden_factor_error(completion: FactorCompletion, given: Views) -> float:
    """Mean relative error of kernel rows of new samples against the training samples, each view hidden in turn and
    completed from the sample's others: |F_new F' - F^_new F'| / |F_new F'|."""
    model = completion.model
    known = model._complete_views(given)
    errors: list[float] = []
    for view in known.views:
        others = [table for table in given.tables if str(table.name) != view]
        elsewhere = {name for table in others for name, here in zip(table.ids, table.present) if here}
        own = known.samples[known.observed[view].to_numpy()]
        tested = [name for name in own if str(name) in elsewhere]
        if not tested:
            continue
        shown = {str(name) for name in tested}
        hidden = model._complete_views(Views(given.container, [of_samples(table, shown, False) for table in others]))
        F = np.asarray(completion.factors[view])
        moments = F.T @ F
        truth = np.asarray(known.factors[view])[known.samples.get_indexer(pd.Index(tested))]
        wrong = truth - np.asarray(hidden.factors[view])[hidden.samples.get_indexer(pd.Index(tested))]
        sizes, misses = (np.einsum("ij,jk,ik->i", rows, moments, rows) for rows in (truth, wrong))
        errors += np.sqrt(misses[sizes > 0].clip(min=0) / sizes[sizes > 0]).tolist()
    return float(np.mean(errors)) if errors else 0.0


def factor_variance(F: FloatArray, extra: FloatArray, view: str) -> float:
    """tr(HKH) / N of K = F F' + diag(extra), as of whole kernels."""
    n = len(F)
    variance = float((np.sum(F**2) + extra.sum()) / n - np.sum(F.mean(0) ** 2) - extra.sum() / n**2)
    if not variance > 1e-12 * float(np.max(np.sum(F**2, axis=1) + extra)):
        raise InputError(
            f"view '{view}': all rows of its factors are equal, so they have no variance to scale by",
            "remove the view, or use scale=False",
        )
    return variance


def check_weights_of_factors(weights: Any) -> None:
    if isinstance(weights, str) and weights != "mean":
        raise OptionError(f"weights='{weights}' needs whole kernels", "weights='mean' or numbers work on factors")


def extra_of(X: Any, names: list[str], n: int) -> Mapping[str, FloatArray]:
    """What the diagonals have beside the factors; zero where it is not known."""
    known = getattr(X, "extra", {})
    return {name: known.get(name, np.zeros(n)) for name in names}
