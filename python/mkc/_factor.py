"""Completion in factor form: mkc.complete_factors, mkc.read_factors and their result."""

from __future__ import annotations

import json
import os
import pathlib
import sys
import tempfile
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._assemble import gathered, listed_samples
from ._complete import quality_table, worth_table
from ._errors import InputError
from ._html import shown
from ._inputs import by_position, read_views
from ._kernels import kernel_plan, with_called_kernels
from ._run import Callback, Progress, check_texts, flag_of, option_text, seed_of, threads_of, warn
from ._samples import SampleRules, resolve
from ._types import (
    FloatArray,
    KernelChoice,
    MultiView,
    NaFeatures,
    Observed,
    RandomState,
    Replicates,
    SampleMap,
    Transform,
    ZeroRows,
)


@dataclass(repr=False)
class FactorCompletion:
    """Completed kernels as factors: the kernel of a view is F F' + diag(e), F with one row per sample.

    Attributes
    ----------
    factors : per view F, samples x rank; read from a folder, they stay in their files
    extra : samples x views, e
    samples : the samples, in the order of the factors
    views : names of the views
    observed : samples x views, False where a row was completed
    variance : samples x views, the conditional variance of completed rows, 0 where observed
    quality : per completed row (sample, view) its estimated relative error ``relative_error``, the 90 %
        interval from ``low`` to ``high``, and whether it is ``"known"``; None where no row could be hidden
    worth : per view the errors of hidden rows and of simpler answers, and the verdict, as in :class:`Completion`;
        None where no row could be hidden
    experts : per stage of the model and view its weight and its error on hidden rows; None as ``quality``
    kernels_used : per view its kernel, rank, number of landmarks, and the trace error: the share of the trace of
        the kernel that the factors leave out
    parameters : the options with the values used
    seed : seed of the random numbers
    notices : messages about choices that were made

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> tables = {view: table[example.observed[view]] for view, table in example.features.items()}
    >>> result = mkc.complete_factors(tables, rank=20)
    >>> result
    FactorCompletion of 40 samples: expression (11 completed), methylation (8 completed), protein (4 completed),
    mutations (9 completed)
    >>> result.factors["protein"].shape[0], result.kernel("protein", result.samples[:2]).shape
    (40, (2, 40))
    """

    factors: dict[str, FloatArray]
    extra: pd.DataFrame
    samples: pd.Index
    views: list[str]
    observed: pd.DataFrame
    variance: pd.DataFrame
    quality: pd.DataFrame | None
    worth: pd.DataFrame | None
    experts: pd.DataFrame | None
    kernels_used: pd.DataFrame
    parameters: dict[str, str]
    seed: int
    notices: list[str]
    _model: _core.FactorModel | None = None

    def __repr__(self) -> str:
        lost = (~self.observed).sum()
        views = ", ".join(f"{view} ({count} completed)" for view, count in lost.items())
        return f"FactorCompletion of {len(self.samples)} samples: {views}"

    def _repr_html_(self) -> str:
        here = self.observed.sum()
        table = pd.DataFrame({"observed": here, "completed": len(self.samples) - here}).join(self.kernels_used)
        if self.worth is not None:
            table = table.join(self.worth[["held_out_error", "verdict"]])
        title = f"Completion of {len(self.samples)} samples in factor form"
        return shown(title, table.rename_axis("view"), self.notices)

    def kernel(
        self, view: str, rows: Sequence[Hashable] | None = None, columns: Sequence[Hashable] | None = None
    ) -> pd.DataFrame:
        """A block of the completed kernel of a view.

        Parameters
        ----------
        view
            Its name.
        rows, columns
            Samples; None is all of them.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> result = mkc.complete_factors(tables, rank=20)
        >>> result.kernel("protein", result.samples[:2]).shape
        (2, 40)
        """
        if view not in self.factors:
            raise InputError(f"there is no view '{view}'", f"the views are {', '.join(self.views)}")
        down, across = self._places(rows), self._places(columns)
        F = self.factors[view]
        block = np.asarray(F[down]) @ np.asarray(F[across]).T
        same = down[:, None] == across[None, :]
        extra = self.extra[view].to_numpy()
        block[same] += np.broadcast_to(extra[down][:, None], block.shape)[same]
        return pd.DataFrame(block, self.samples[down], self.samples[across])

    def save(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes a model from which new samples get factors, by :func:`mkc.load_factors` or ``mkc predict``.

        Parameters
        ----------
        path
            The file, ``model.npz``.
        force
            Replace an existing file.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> mkc.complete_factors(tables, rank=20).save("factors.npz", force=True)
        >>> new = {"protein": tables["protein"].iloc[:3].rename(index=lambda name: f"new {name}")}
        >>> mkc.load_factors("factors.npz").complete(new).factors["expression"].shape
        (3, 20)
        """
        self.model._saved.write(os.fspath(path), flag_of("force", force))

    @property
    def model(self) -> FactorModel:
        """What gives new samples their factors."""
        if self._model is None:
            raise InputError(
                "this result was read from a folder, which does not hold its model",
                "mkc complete --form factor --save-model FILE writes one",
            )
        return FactorModel(self._model)

    def _places(self, wanted: Sequence[Hashable] | None) -> Any:
        if wanted is None:
            return np.arange(len(self.samples))
        places = self.samples.get_indexer(pd.Index(wanted))
        if (places < 0).any():
            raise InputError(f"there is no sample '{list(wanted)[int(np.argmax(places < 0))]}'")
        return places


def complete_factors(
    views: MultiView,
    kernel: KernelChoice = "auto",
    *,
    transform: Transform | None = None,
    na_features: NaFeatures = "error",
    observed: Observed | None = None,
    rank: int | None = None,
    landmarks: int | None = None,
    coverage: float | None = None,
    random_state: RandomState | None = None,
    n_jobs: int | None = None,
    samples: str | Sequence[Hashable] = "union",
    ids: str = "auto",
    sample_map: SampleMap | None = None,
    replicates: Replicates = "error",
    zero_rows: ZeroRows = "auto",
    verbose: int = 0,
    callback: Callback | None = None,
) -> FactorCompletion:
    """Completes many samples: factors instead of kernels, in time and memory linear in their number.

    Observed entries come back up to the trace error of their view, not bit for bit as in :func:`mkc.complete`.
    For tables larger than memory there is the tool, ``mkc complete --form factor``, and :func:`mkc.read_factors`.

    Parameters
    ----------
    views
        Tables of features, samples in rows, as in :func:`mkc.compute_kernels`; kernels among them are
        ``kernel={"view": "precomputed"}``.
    kernel, transform, na_features
        How kernels are made, as in :func:`mkc.compute_kernels`.
    observed
        N x M table, False where a sample lacks a view; such rows of ``views`` are not read.
    rank
        Features per view: larger is finer and slower; None chooses by the number of samples.
    landmarks
        Samples that span the features of a view: larger is finer and slower.
    coverage
        Nominal probability of the intervals; None is 0.9.
    random_state
        Seed or generator of the random numbers; None is 0.
    n_jobs
        Number of threads; None is 1, -1 is all. Never changes the result.
    samples, ids, sample_map, replicates, zero_rows
        Which rows belong together, as in :func:`mkc.complete`.
    verbose
        1 shows progress and notices.
    callback
        ``callback(phase, iteration, max_iterations, objective)``; returning False stops the work with an error:
        there is nothing to keep before its end.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(60, random_state=1)
    >>> tables = {view: table[example.observed[view]] for view, table in example.features.items()}
    >>> result = mkc.complete_factors(tables, rank=30, landmarks=60)
    >>> F = result.factors["expression"]  # rows of samples: what a linear model, k-means or PCA takes
    >>> F.shape
    (60, 30)
    >>> list(result.worth.columns[:3])
    ['held_out_error', 'average_row_error', 'mean_of_others_error']
    """
    check_texts(na_features=na_features)
    given = read_views(views, features=True, repeated=replicates != "error", words=True)
    plan = kernel_plan(given.names, kernel, {"transform": transform})
    given, notices = resolve(given, SampleRules(ids, sample_map, replicates, zero_rows), plan.precomputed)
    ready, of_view = with_called_kernels(given, plan, na_features)
    options = {"rank": rank, "landmarks": landmarks, "coverage": coverage}
    seed, progress = seed_of(random_state), Progress(verbose, callback)
    try:
        found, model = _core.complete_factors(
            gathered(ready, observed, of_view, plan.common),
            [(name, option_text(value)) for name, value in options.items() if value is not None],
            na_features,
            *listed_samples(samples),
            seed,
            threads_of(n_jobs),
            progress.listener,
        )
    finally:
        progress.close()
    warn([*notices, *found.warnings])
    about = [*found.warnings, *found.notices]
    if verbose > 0:
        for notice in about:
            print(f"mkc: {notice}", file=sys.stderr)
    completion = _completion(found, given.container.index(found.samples), list(given.names), seed, about)
    completion._model = model
    return completion


def _completion(
    found: _core.CompletedFactors, index: pd.Index, names: list[str], seed: int, notices: list[str]
) -> FactorCompletion:
    here, quality = np.asarray(found.observed), found.quality
    return FactorCompletion(
        factors=dict(zip(names, found.take_features())),
        extra=pd.DataFrame(found.extra, index, names),
        samples=index,
        views=names,
        observed=pd.DataFrame(here, index, names),
        variance=pd.DataFrame(found.variance, index, names),
        quality=None if quality is None else quality_table(quality, here, index, names),
        worth=worth_table(quality, names),
        experts=_expert_table(found.experts, names),
        kernels_used=_kernel_table(found.summaries, names),
        parameters=dict(found.parameters),
        seed=seed,
        notices=notices,
    )


class FactorModel:
    """A model in factor form from a file, which gives new samples factors.

    Attributes
    ----------
    views : names of the views
    about : metadata of the run that made it

    Examples
    --------
    >>> import mkc
    >>> tables = mkc.datasets.make_example(40, random_state=1).features
    >>> mkc.complete_factors(tables, rank=20).save("factors.npz", force=True)
    >>> mkc.load_factors("factors.npz")
    Model in factor form: expression, methylation, protein, mutations
    """

    def __init__(self, saved: _core.FactorModel) -> None:
        self._saved = saved
        self.views: list[str] = saved.views
        self.about: dict[str, Any] = json.loads(saved.about) if saved.about else {}

    def __getstate__(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.npz"
            self._saved.write(os.fspath(file), False)
            return file.read_bytes()

    def __setstate__(self, state: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.npz"
            file.write_bytes(state)
            FactorModel.__init__(self, _core.read_factor_model(os.fspath(file)))

    def __repr__(self) -> str:
        return f"Model in factor form: {', '.join(self.views)}"

    def complete(self, X: MultiView) -> FactorCompletion:
        """Factors of new samples in all views: with those of training, ``F_new @ F.T``, their kernel rows.

        Parameters
        ----------
        X
            A dict of tables of features with new samples in rows, for the views they have.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> old = mkc.complete_factors({name: table.iloc[:30] for name, table in tables.items()}, rank=20)
        >>> old.save("factors.npz", force=True)
        >>> new = mkc.load_factors("factors.npz").complete({"protein": tables["protein"].iloc[30:]})
        >>> (new.factors["expression"] @ old.factors["expression"].T).shape
        (10, 30)
        """
        given = by_position(read_views(X, features=True), self.views)
        tables = []
        for table in given.tables:
            here = np.flatnonzero(table.present)
            columns = [] if table.columns is None else table.column_ids
            ids = [table.ids[i] for i in here]
            tables.append((str(table.name), table.source, table.ids, ids, columns, table.values[here], False))
        found = self._saved.complete(tables)
        warn(list(found.notices))
        return _completion(found, given.container.index(found.samples), self.views, 0, list(found.notices))


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
        experts=_expert_table(meta.get("experts", []), names),
        kernels_used=_kernel_table(meta["views"], names),
        parameters={name: str(value) for name, value in meta["parameters"].items()},
        seed=int(meta["seed"]),
        notices=list(meta["notices"]),
    )


def load_factors(path: str | os.PathLike[str]) -> FactorModel:
    """Reads a model that :meth:`FactorCompletion.save` or ``mkc complete --form factor --save-model`` wrote.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import mkc
    >>> tables = mkc.datasets.make_example(40, random_state=1).features
    >>> mkc.complete_factors(tables, rank=20).save("factors.npz", force=True)
    >>> mkc.load_factors("factors.npz").views
    ['expression', 'methylation', 'protein', 'mutations']
    """
    return FactorModel(_core.read_factor_model(os.fspath(path)))


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


def _kernel_table(summaries: Sequence[dict[str, Any]], names: list[str]) -> pd.DataFrame:
    columns = ["kernel", "rank", "landmarks", "trace_error"]
    return pd.DataFrame([[view[key] for key in columns] for view in summaries], pd.Index(names, name="view"), columns)


def _expert_table(experts: Sequence[dict[str, Any]], names: list[str]) -> pd.DataFrame | None:
    if not experts:
        return None
    rows = [
        {
            "method": expert["method"],
            "view": view,
            "weight": expert["weights"][m],
            "held_out_error": expert["held_out_errors"][m],
        }
        for expert in experts
        for m, view in enumerate(names)
    ]
    return pd.DataFrame(rows)
