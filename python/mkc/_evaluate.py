"""Try methods on rows that are known but hidden; hide rows to try something else."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._assemble import assemble, is_kernel
from ._classes import class_texts, classes_of
from ._inputs import BoolArray, FloatArray, Table, Views, read_views
from ._mudata import is_mudata, without_samples
from ._run import (
    Progress,
    check_texts,
    count_of,
    flag_of,
    method_text,
    say,
    seed_of,
    share_of,
    threads_of,
)
from ._types import Classes, Mechanism, MultiView, Normalize, Observed, Psd, RandomState

_SCORES = ["hidden_rows", "are", "are_squared", "rmse", "alignment", "coverage"]
_OF_CELL = ["seconds", "peak_mib", "status", "spec"]
_LABEL_SCORES = ["on", "samples", "accuracy", "balanced_accuracy", "nmi", "ari"]


def evaluate(
    kernels: MultiView,
    methods: str | Sequence[str] = "auto",
    *,
    observed: Observed | None = None,
    y: Classes | None = None,
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
) -> pd.DataFrame:
    """How well methods complete rows that are known but hidden, beside the mean and neighbours.

    Parameters
    ----------
    kernels, observed, normalize, center, psd, random_state
        As in :func:`mkc.complete`.
    methods
        ``"auto"``, ``["transfer", "knn,k=7"]``, ...; ``mean`` and ``knn`` are always there.
    y
        Classes, one per sample (a Series by sample name, or an array): SVM accuracy and clustering too.
        None or NaN where a sample has no class.
    mechanism
        ``"pattern"`` hides as real samples miss views, ``"mcar"`` at random.
    fraction
        Of each view's rows, between 0 and 1; with ``views_missing`` of the samples.
    views_missing
        With ``"mcar"``: so many views are hidden from each of the chosen samples; 0 hides rows of every
        view by themselves.
    repeats
        How often other rows are hidden.
    quality
        Intervals, and their coverage, of every method; ``"auto"`` has them in any case.
    n_jobs
        So many methods and repeats at a time. Never changes a score.
    folder
        Finished cells (a method on a copy) are kept there, so that the same call, after Ctrl-C or with
        more methods, goes on from there. At the end it is a result of ``mkc evaluate``: the tool can go on
        too, and ``mkc report`` makes a page of it.
    force
        Run everything again; replace another result in ``folder``.
    verbose
        1 shows progress.

    Returns
    -------
    One row per method, repeat and view:

    ``hidden_rows``, ``are``, ``are_squared``, ``rmse``, ``alignment``, ``coverage``
        Scores of the hidden rows; ``are`` is their average relative error in percent, ``coverage`` the share
        whose error lies in its interval.
    ``seconds``, ``peak_mib``
        Of the completion. ``peak_mib`` is the largest resident memory of this process meanwhile, Python and
        the input included; NaN with ``n_jobs`` > 1, where several completions share the process, and outside
        Linux (``mkc evaluate`` runs each in a process of its own).
    ``status``, ``spec``
        How it ended, and the method with the options that were used.

    With ``y`` also rows without a view: ``accuracy`` and ``balanced_accuracy`` of a cross-validated SVM on the
    combined kernel, ``nmi`` and ``ari`` of clusters, ``on`` all labelled samples or the ``complete`` ones;
    ``complete_cases`` is what is possible without completion.
    """
    asked = [methods] if isinstance(methods, str) else list(methods)
    check_texts(mechanism=mechanism)
    given = read_views(kernels)
    assembled = assemble(given, observed=observed, psd=psd, normalize=normalize, center=center)
    say(assembled.notices)
    plan = _core.plan_evaluation(
        assembled,
        [method_text(method, {}) for method in asked],
        mechanism,
        share_of("fraction", fraction, open_ends=True),
        count_of("views_missing", views_missing, 0),
        count_of("repeats", repeats, 1),
        flag_of("quality", quality),
        seed_of(random_state),
        None if y is None else class_texts(classes_of(y, given.container.labelled, assembled.samples)),
    )
    jobs = threads_of(n_jobs)
    if folder is not None:
        plan.keep_in(os.fspath(folder), flag_of("force", force))
    start = time.monotonic()
    cells = _run_cells(plan, jobs, Progress(verbose))
    if folder is not None:
        plan.write(jobs, time.monotonic() - start)
    for failure in dict.fromkeys(f"{cell['method']}: {cell['failure']}" for cell in cells if cell["failure"]):
        say([failure])
    table = pd.DataFrame(_rows(cells))
    columns = ["method", "repeat", "view", *_SCORES, *_OF_CELL]
    table = table.reindex(columns=columns + (_LABEL_SCORES if y is not None else []))
    return table.assign(view=table["view"].map({str(name): name for name in given.names}))


def _rows(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    rows = []
    for cell in cells:
        common = {key: cell[key] for key in ("method", "repeat", *_OF_CELL)}
        rows += [{**common, **scores} for scores in cell["views"]]
        rows += [{**common, **scores} for scores in cell["labels"]]
        if cell["failure"]:
            rows.append(common)
    return rows


def _run_cells(plan: _core.Evaluation, jobs: int, progress: Progress) -> list[dict[str, Any]]:
    """All cells, ``jobs`` at a time, in the order of the plan. Ctrl-C stops those that run."""
    stop = threading.Event()
    threads = max(1, jobs // plan.n_cells)

    def run(number: int) -> dict[str, Any]:
        return plan.run(number, threads, jobs == 1, lambda *_: not stop.is_set())

    results: dict[int, dict[str, Any]] = {}
    with ThreadPoolExecutor(jobs) as pool:
        futures = {pool.submit(run, number): number for number in range(plan.n_cells)}
        try:
            for done in as_completed(futures):
                results[futures[done]] = done.result()
                if progress.listener:
                    progress("evaluating", len(results), plan.n_cells, np.nan)
        except BaseException:
            stop.set()
            pool.shutdown(cancel_futures=True)
            raise
        finally:
            progress.close()
    return [results[number] for number in sorted(results)]


def ampute(
    views: MultiView,
    p: float = 0.3,
    *,
    mechanism: Mechanism = "mcar",
    views_missing: int = 0,
    random_state: RandomState | None = None,
) -> Any:
    """Hides observed (sample, view) pairs: whole rows (of a kernel: and columns) become NaN.

    Every sample keeps a view, every view at least half of its samples and 3, so that less than asked for
    may be hidden; with ``views_missing=0`` at least 2 rows of every view that can lose them.

    Parameters
    ----------
    views
        Features or kernels of any kind.
    p
        Share of the rows of every view, or with ``views_missing`` of the samples, from 0 (nothing is hidden)
        to 1.
    mechanism
        ``"mcar"``: at random; ``"pattern"``: as other samples miss views.
    views_missing
        With ``"mcar"``: so many views are hidden from each of the chosen samples; 0 hides rows of every
        view by themselves.
    random_state
        Decides what is hidden; None is 0.

    Returns a copy of the kind that was given; of a MuData, one whose modalities lack what is hidden.
    """
    given = read_views(views, features=True)
    hidden, samples = hidden_pairs(given, p, mechanism, views_missing, random_state)
    where = {name: i for i, name in enumerate(samples)}
    if is_mudata(views):
        lost = {
            table.name: hidden[[where[name] for name in table.ids], m] for m, table in enumerate(given.tables)
        }
        return without_samples(views, lost)
    results = [
        _without(table, {name for name, gone in zip(samples, hidden[:, m]) if gone})
        for m, table in enumerate(given.tables)
    ]
    names = given.container
    rows_of = [_index(table, names.index_name, table.labels, len(table.values)) for table in given.tables]
    columns = [_index(table, None, table.columns, table.values.shape[1]) for table in given.tables]
    return names.like(results, rows_of, columns)


def _without(table: Table, lost: set[str]) -> FloatArray:
    """A copy whose rows (of a kernel: and columns) of lost samples are NaN."""
    values: FloatArray = table.values.copy()
    values[[name in lost for name in table.ids]] = np.nan
    if is_kernel(table):
        values[:, [name in lost for name in table.column_ids]] = np.nan
    return values


def _index(table: Table, name: Any, labels: Any, size: int) -> pd.Index:
    return pd.RangeIndex(size) if labels is None else pd.Index(labels, name=name)


def hidden_pairs(
    given: Views, fraction: float, mechanism: str, views_missing: int, random_state: RandomState | None
) -> tuple[BoolArray, list[str]]:
    """Which pairs to hide (N, M), and the samples. The draw needs names and gaps only, so identities
    stand for the kernels."""
    check_texts(mechanism=mechanism)
    share, count = share_of("p", fraction), count_of("views_missing", views_missing, 0)
    samples = given.samples
    hidden = np.zeros((len(samples), len(given.tables)), dtype=bool)
    if share == 0:  # the library hides a few rows of every view in any case
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
