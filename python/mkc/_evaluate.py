"""Evaluation of methods on held-out rows, and hiding of rows."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from typing import Any, Literal, overload

import numpy as np
import pandas as pd

from . import _core
from ._assemble import assemble, is_kernel
from ._errors import OptionError
from ._inputs import BoolArray, Table, Views, read_views
from ._labels import label_texts
from ._mudata import is_mudata, without_samples
from ._run import Progress, check_texts, count_of, flag_of, method_text, seed_of, share_of, threads_of, warn
from ._types import FloatArray, Kernels, Labels, LabelType, Mechanism, MultiView, Normalize, Observed, Psd, RandomState

_SCORES = ["hidden_rows", "are", "are_squared", "rmse", "alignment", "coverage", "average_row", "recovered"]
_OF_TRIAL = ["seconds", "peak_mib", "status", "spec"]
_LABEL_SCORES = ["accuracy", "balanced_accuracy", "nmi", "ari", "r2", "concordance"]


def evaluate(
    kernels: MultiView,
    methods: str | Sequence[str] = "auto",
    *,
    observed: Observed | None = None,
    y: Labels | None = None,
    label_type: LabelType = "auto",
    weights: Literal["mean", "alignment", "alignf"] = "mean",
    mechanism: Mechanism = "pattern",
    fraction: float = 0.15,
    views_missing: int = 0,
    repeats: int = 3,
    quality: bool = False,
    normalize: Normalize = "none",
    center: bool = False,
    psd: Psd = "error",
    random_state: RandomState | None = None,
    n_jobs: int | None = None,
    folder: str | os.PathLike[str] | None = None,
    force: bool = False,
    verbose: int = 0,
    **options: Any,
) -> pd.DataFrame:
    """Errors of methods on held-out rows, compared with the baselines ``mean`` and ``knn``.

    Parameters
    ----------
    kernels, observed, normalize, center, psd, random_state
        As in :func:`mkc.complete`.
    methods
        ``"auto"``, ``["transfer", "knn,k=7"]``, ...; ``mean`` and ``knn`` are always included.
    y
        Labels, one per sample (a Series by sample name, or an array), to score how well they are predicted:
        classes, numbers, or two columns with times and events (a DataFrame, or a structured array as of
        scikit-survival). None or NaN where a sample has none.
    label_type
        ``"auto"`` recognises the type of ``y`` by its look, and asks where the evidence is weak; ``"classes"``,
        ``"numbers"`` or ``"survival"``.
    weights
        Of the views where labels are predicted: ``"mean"``, or ``"alignment"`` or ``"alignf"``
        (:func:`mkc.combine`), learnt from the training samples of every fold.
    mechanism
        ``"pattern"`` hides rows in the missing patterns of the data, ``"mcar"`` at random.
    fraction
        Share of each view's rows to hide, between 0 and 1; with ``views_missing`` the share of samples.
    views_missing
        With ``"mcar"``: the number of views hidden from each chosen sample; 0 hides rows of every view
        independently.
    repeats
        Number of repeats; each hides other rows.
    quality
        Compute intervals and their coverage for every method; ``"auto"`` always has them.
    n_jobs
        Number of trials that run at the same time. Never changes a score.
    folder
        Keeps finished trials (one method on one repeat): the same call, after Ctrl-C or with more methods,
        continues there. A finished folder is a result of ``mkc evaluate``: the tool can continue it, and
        ``mkc report`` makes its report.
    force
        Run everything again; replace an evaluation of other data in ``folder``. Files that mkc did not write stay.
    verbose
        1 shows progress.
    **options
        Options of a single method: ``evaluate(kernels, "wknn", k=7)``.

    Returns
    -------
    One row per method, repeat and view:

    ``hidden_rows``, ``are``, ``are_squared``, ``rmse``, ``alignment``, ``coverage``, ``average_row``, ``recovered``
        Scores of the hidden rows; ``are`` is their average relative error in percent, ``average_row`` that of the
        average row of the view, ``recovered`` the share of what distinguishes rows (R^2 of centred rows),
        ``coverage`` the share whose error lies in its interval.
    ``seconds``, ``peak_mib``
        Time of the completion, and the peak resident memory of this process during it, including Python and
        the input. ``peak_mib`` is NaN with ``n_jobs`` > 1, where several completions share the process, and
        outside Linux (``mkc evaluate`` runs each trial in its own process).
    ``status``, ``spec``
        How it ended, and the method with the options used.

    With ``y`` also rows without a view, of nested cross-validation on the combined kernel: ``accuracy`` and
    ``balanced_accuracy`` of an SVM, ``nmi`` and ``ari`` of clusters (classes), ``r2`` of kernel ridge regression
    (numbers) or ``concordance`` of kernel Cox regression (survival), and the ``standard_error`` of the first over
    samples; ``on`` all labelled samples or the ``complete`` ones. ``complete_cases`` is the score without completion.
    ``attrs["labels"]`` says what ``y`` was taken for, and why.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> table = mkc.evaluate(example.kernels, "wknn", repeats=1)
    >>> errors = table.groupby("method")["are"].mean()
    >>> bool(errors["wknn"] < errors["mean"])
    True
    """
    requested = [methods] if isinstance(methods, str) else list(methods)
    if options and len(requested) != 1:
        raise OptionError(
            f"option '{next(iter(options))}': {len(requested)} methods are given",
            'each has its own options, as text: ["wknn,k=7", "transfer"]',
        )
    check_texts(mechanism=mechanism, weights=weights)
    given = read_views(kernels)
    assembled = assemble(given, observed=observed, psd=psd, normalize=normalize, center=center)
    warn(assembled.notices)
    plan = _core.plan_evaluation(
        assembled,
        [method_text(method, options) for method in requested],
        mechanism,
        share_of("fraction", fraction, open_ends=True),
        count_of("views_missing", views_missing, 0),
        count_of("repeats", repeats, 1),
        flag_of("quality", quality),
        seed_of(random_state),
        None if y is None else label_texts(y, label_type, given.container.labelled, assembled.samples),
        weights,
    )
    jobs = threads_of(n_jobs)
    if folder is not None:
        plan.keep_in(os.fspath(folder), flag_of("force", force))
    start = time.monotonic()
    trials = _run_trials(plan, jobs, Progress(verbose))
    if folder is not None:
        warn(plan.write(jobs, time.monotonic() - start))
    failures = dict.fromkeys(f"{trial['method']}: {trial['failure']}" for trial in trials if trial["failure"])
    warn(list(failures))
    table = pd.DataFrame(_rows(trials))
    columns = ["method", "repeat", "view", *_SCORES, *_OF_TRIAL]
    of_labels = ["on", "samples", *(name for name in _LABEL_SCORES if name in table), "standard_error"]
    table = table.reindex(columns=columns + (of_labels if y is not None else []))
    table = table.assign(view=table["view"].map({str(name): name for name in given.names}))
    if y is not None:
        table.attrs["labels"] = plan.label_evidence
    return table


def _rows(trials: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for trial in trials:
        common = {key: trial[key] for key in ("method", "repeat", *_OF_TRIAL)}
        rows += [{**common, **scores} for scores in [*trial["views"], *trial["labels"]]]
        if trial["failure"]:
            rows.append(common)
    return rows


def _run_trials(plan: _core.Evaluation, jobs: int, progress: Progress) -> list[dict[str, Any]]:
    """Results of all trials in the order of the plan, ``jobs`` run at a time. Ctrl-C stops running ones."""
    threads = max(1, jobs // plan.n_trials)

    def run(number: int) -> dict[str, Any]:
        return plan.run(number, threads, jobs == 1, None)

    results: dict[int, dict[str, Any]] = {}
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(run, number): number for number in range(plan.n_trials)}
        pending: set[Future[dict[str, Any]]] = set(futures)
        try:
            while pending:
                # Not for ever: a signal that another thread received would not end the wait.
                done, pending = wait(pending, timeout=0.2, return_when=FIRST_COMPLETED)
                for future in done:
                    results[futures[future]] = future.result()
                    if progress.listener:
                        progress("evaluating", len(results), plan.n_trials, np.nan)
        except BaseException:
            plan.cancel()
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            progress.close()
    return [results[number] for number in sorted(results)]


@overload
def ampute(
    views: Kernels,
    p: float = ...,
    *,
    mechanism: Mechanism = ...,
    views_missing: int = ...,
    random_state: RandomState | None = ...,
) -> Kernels: ...
@overload
def ampute(
    views: MultiView,
    p: float = ...,
    *,
    mechanism: Mechanism = ...,
    views_missing: int = ...,
    random_state: RandomState | None = ...,
) -> Any: ...
def ampute(
    views: MultiView,
    p: float = 0.3,
    *,
    mechanism: Mechanism = "mcar",
    views_missing: int = 0,
    random_state: RandomState | None = None,
) -> Any:
    """Hides observed (sample, view) pairs: whole rows (in kernels also columns) become NaN.

    Every sample keeps at least one view, every view at least half of its samples and at least 3, so less than
    requested may be hidden. With ``views_missing=0`` every view loses at least 2 rows if it can.

    Parameters
    ----------
    views
        Features or kernels of any kind.
    p
        Share of the rows of every view, or with ``views_missing`` of the samples, from 0 (nothing is hidden)
        to 1.
    mechanism
        ``"mcar"``: at random; ``"pattern"``: in the missing patterns of the data.
    views_missing
        With ``"mcar"``: the number of views hidden from each chosen sample; 0 hides rows of every view
        independently.
    random_state
        Seed or generator of the random numbers; None is 0.

    Returns a copy of the same kind; in a MuData the modalities lack the hidden samples.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> hidden = mkc.ampute(example.features, 0.3, random_state=0)
    >>> int(hidden["protein"].isna().all(axis=1).sum())
    12
    """
    given = read_views(views, features=True)
    hidden, samples = hidden_pairs(given, p, mechanism, views_missing, random_state)
    where = {name: i for i, name in enumerate(samples)}
    if is_mudata(views):
        lost = {table.name: hidden[[where[name] for name in table.ids], m] for m, table in enumerate(given.tables)}
        return without_samples(views, lost)
    results = [
        _without(table, {name for name, gone in zip(samples, hidden[:, m]) if gone})
        for m, table in enumerate(given.tables)
    ]
    names = given.container
    rows = [table.index(names.index_name) for table in given.tables]
    columns = [
        pd.RangeIndex(table.values.shape[1]) if table.columns is None else pd.Index(table.columns)
        for table in given.tables
    ]
    return names.like(results, rows, columns)


def _without(table: Table, lost: set[str]) -> FloatArray:
    """A copy in which the rows (in a kernel also the columns) of lost samples are NaN."""
    values: FloatArray = table.values.copy()
    values[[name in lost for name in table.ids]] = np.nan
    if is_kernel(table):
        values[:, [name in lost for name in table.column_ids]] = np.nan
    return values


def hidden_pairs(
    given: Views, fraction: float, mechanism: str, views_missing: int, random_state: RandomState | None
) -> tuple[BoolArray, list[str]]:
    """Which pairs to hide (N, M), and the samples. The draw depends on names and gaps only, so identity
    matrices replace the kernels."""
    check_texts(mechanism=mechanism)
    share, count = share_of("p", fraction), count_of("views_missing", views_missing, 0)
    samples = given.samples
    hidden = np.zeros((len(samples), len(given.tables)), dtype=bool)
    if share == 0:  # the library always hides a few rows of every view
        return hidden, samples
    empty = _core.Views()
    for table in given.tables:
        ids = [name for name, here in zip(table.ids, table.present) if here]
        empty.add(str(table.name), table.source, ids, [], np.eye(len(ids)), True, None, [])
    assembled = _core.assemble(empty, "unchecked", 1e-8, "none", False, "error", None, False)
    drawn = _core.hidden_pairs(assembled, mechanism, share, count, seed_of(random_state))
    place = {name: i for i, name in enumerate(samples)}
    hidden[[place[name] for name in assembled.samples]] = drawn
    return hidden, samples
