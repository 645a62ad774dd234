"""Which missing (sample, view) pair to measure next."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Union

import numpy as np
import pandas as pd

from . import _core
from ._complete import Completion
from ._errors import InputError, OptionError
from ._factor_completion import FactorCompletion
from ._labels import label_texts
from ._run import Callback, Progress, flag_of, seed_of, threads_of, warn
from ._types import FloatArray, Labels, LabelType, RandomState

Costs = Union[Mapping[str, float], pd.Series]
Candidates = Union[pd.DataFrame, Iterable[tuple[Any, str]]]


@dataclass(repr=False)
class Advice:
    """Missing pairs, best first: the result of :func:`mkc.advise`.

    Attributes
    ----------
    ranking
        One row per candidate: ``sample``, ``view``, ``cost``; ``gain``, the expected error that measuring it removes,
        and its parts ``own`` (its own row), ``same_sample`` (the sample's rows in other views) and ``others`` (rows of
        other samples); ``gain_per_cost`` and ``within_budget``.
    curve
        ``expected_error`` and ``money`` once the first 0, 1, 2, ... assays of the ranking are measured.
    enough
        The number of assays after which more pay clearly less; None where all pay about the same.
    observed
        Observed pairs, those that told least first: ``value`` is what their loss would add to the error.
    sample_gains
        The largest gain among a sample's candidates; 0 = none.
    expected_error, expected_error_after
        The sum over all completed rows, now and once the assays within the budget are measured.
    spent
        Money of the assays within the budget.
    error_of
        ``"completed rows"`` (relative errors) or ``"labels"``.
    calibration
        The hidden rows that the effects were set on, and the two powers that were found.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> advice = mkc.advise(mkc.complete(example.kernels, "mean", quality=True), budget=5)
    >>> len(advice.ranking), int(advice.ranking["within_budget"].sum())
    (32, 5)
    """

    ranking: pd.DataFrame
    curve: pd.DataFrame
    enough: int | None
    observed: pd.DataFrame
    sample_gains: pd.Series
    expected_error: float
    expected_error_after: float
    spent: float
    error_of: str
    calibration: dict[str, float]

    def __repr__(self) -> str:
        return (
            f"Advice(candidates={len(self.ranking)}, expected_error={self.expected_error:.4g}, "
            f"expected_error_after={self.expected_error_after:.4g}, spent={self.spent:g})"
        )


def advise(
    result: Completion[Any] | FactorCompletion,
    *,
    budget: float | None = None,
    cost: Costs | None = None,
    y: Labels | None = None,
    label_type: LabelType = "auto",
    candidates: Candidates | None = None,
    batch: bool = False,
    random_state: RandomState | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
    callback: Callback | None = None,
) -> Advice:
    """Which missing (sample, view) pair to measure next.

    Ranks the pairs by the expected reduction of the error of all completed rows per unit of cost. It assumes that
    assays are missing at random and that costs add up.

    Parameters
    ----------
    result
        The result of :func:`mkc.complete` with error estimates: the method ``"auto"``, ``quality=True`` or
        ``form="factor"``; or of :func:`mkc.read_factors`.
    budget
        Money to spend, in the unit of ``cost``; without costs the number of assays. Default: no limit.
    cost
        Cost of one assay by view, above 0; views that are not named cost 1.
    y
        Labels (classes, numbers, or time and event): rank by what a model of them gains instead.
    label_type
        ``"auto"``, ``"classes"``, ``"numbers"`` or ``"survival"``.
    candidates
        Only these pairs can be measured: a DataFrame with the columns ``sample`` and ``view``, or pairs
        (sample, view). Default: all missing pairs.
    batch
        Choose jointly: every pair is ranked as if those before it were measured.
    random_state
        Decides which observed rows are hidden for calibration. None is 0.
    n_jobs
        Threads, as in scikit-learn: None is 1, -1 is all. The result does not depend on it.
    verbose
        1 shows a progress bar.
    callback
        Called as ``callback(phase, iteration, max_iterations, objective)``; False stops the work.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> result = mkc.complete(example.kernels, "mean", quality=True)
    >>> advice = mkc.advise(result, budget=6, cost={"protein": 3}, batch=True)
    >>> bool(advice.spent <= 6)
    True
    """
    if not isinstance(result, (Completion, FactorCompletion)):
        raise InputError(
            f"result is a {type(result).__name__}, not the result of mkc.complete",
            "advice needs the error estimates: mkc.complete(kernels, quality=True)",
        )
    if result.quality is None:
        raise InputError("the result has no error estimates", "mkc.complete(kernels, method, quality=True)")
    samples = [str(name) for name in result.samples]
    progress = Progress(verbose, callback)
    try:
        found = _core.advise(
            _tables_of(result),
            isinstance(result, FactorCompletion),
            result.observed.to_numpy(dtype=np.float64),
            result.views,
            samples,
            _errors_of(result, samples),
            _view_errors(result),
            _costs_of(cost, result.views),
            _budget_of(budget),
            _pairs_of(candidates, samples, result.views),
            flag_of("batch", batch),
            None if y is None else label_texts(y, label_type, _has_names(result), samples),
            seed_of(random_state),
            threads_of(n_jobs),
            progress.listener,
        )
    finally:
        progress.close()
    warn(found["notices"])
    return _advice_of(found, result)


def _tables_of(result: Completion[Any] | FactorCompletion) -> list[FloatArray]:
    if isinstance(result, Completion):
        return list(result.arrays)
    return [np.asarray(result.factors[view], dtype=np.float64) for view in result.views]


def _has_names(result: Completion[Any] | FactorCompletion) -> bool:
    if isinstance(result, Completion):
        return result._given.labelled
    return not isinstance(result.samples, pd.RangeIndex)


def _errors_of(result: Completion[Any] | FactorCompletion, samples: list[str]) -> FloatArray:
    """Estimated relative errors, samples x views; NaN where observed."""
    assert result.quality is not None
    rows = {name: i for i, name in enumerate(samples)}
    columns = {name: m for m, name in enumerate(result.views)}
    errors = np.full((len(samples), len(columns)), np.nan)
    table = result.quality.reset_index()
    for sample, view, error in zip(table["sample"], table["view"], table["relative_error"]):
        errors[rows[str(sample)], columns[str(view)]] = error
    return errors


def _view_errors(result: Completion[Any] | FactorCompletion) -> list[float]:
    if result.worth is None:
        return []
    return [float(error) for error in result.worth["held_out_error"]]


def _costs_of(cost: Costs | None, views: list[str]) -> list[float]:
    given = {} if cost is None else dict(cost.items())
    unknown = [name for name in given if name not in views]
    if unknown:
        raise OptionError(f"cost: there is no view {unknown[0]!r}", f"the views are {', '.join(views)}")
    for view, value in given.items():
        if isinstance(value, bool) or not isinstance(value, (int, float, np.integer, np.floating)) or not value > 0:
            raise OptionError(f"cost of view {view!r}: {value!r} is not a number above 0")
    return [float(given.get(view, 1)) for view in views]


def _budget_of(budget: float | None) -> float:
    if budget is None:
        return float("inf")
    number = isinstance(budget, (int, float, np.integer, np.floating)) and not isinstance(budget, bool)
    if not number or not budget > 0:
        raise OptionError(f"budget: {budget!r} is not a number above 0", "None is no limit")
    return float(budget)


def _pairs_of(candidates: Candidates | None, samples: list[str], views: list[str]) -> list[tuple[int, int]]:
    if candidates is None:
        return []
    if isinstance(candidates, pd.DataFrame):
        missing = [name for name in ("sample", "view") if name not in candidates]
        if missing:
            raise InputError(f"candidates have no column '{missing[0]}'", "the columns are sample and view")
        pairs = list(zip(candidates["sample"], candidates["view"]))
    else:
        pairs = [(sample, view) for sample, view in candidates]
    if not pairs:
        raise InputError("candidates: there are none", "None ranks all missing pairs")
    rows = {name: i for i, name in enumerate(samples)}
    columns = {name: m for m, name in enumerate(views)}
    for sample, view in pairs:
        if str(sample) not in rows:
            raise InputError(f"candidates: there is no sample {str(sample)!r}")
        if str(view) not in columns:
            raise InputError(f"candidates: there is no view {str(view)!r}", f"the views are {', '.join(views)}")
    return [(rows[str(sample)], columns[str(view)]) for sample, view in pairs]


def _advice_of(found: dict[str, Any], result: Completion[Any] | FactorCompletion) -> Advice:
    def named(columns: dict[str, Any]) -> pd.DataFrame:
        table = pd.DataFrame(columns)
        table["sample"] = result.samples.to_numpy()[np.asarray(columns["sample"], dtype=int)]
        table["view"] = np.asarray(result.views, dtype=object)[np.asarray(columns["view"], dtype=int)]
        return table

    ranking = named(found["ranking"])
    ranking["within_budget"] = ranking["within_budget"] > 0
    curve = pd.DataFrame(found["curve"])
    curve["assays"] = curve["assays"].astype(int)
    return Advice(
        ranking,
        curve,
        found["enough"],
        named(found["observed"]),
        pd.Series(found["sample_gains"], result.samples, name="gain"),
        found["expected_error"],
        found["expected_error_after"],
        found["spent"],
        "labels" if found["of_labels"] else "completed rows",
        {name: found[name] for name in ("hidden_rows", "pattern_power", "sample_rate")},
    )
