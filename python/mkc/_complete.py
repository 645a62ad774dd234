"""mkc.complete and its result."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Generic, Literal, Union, overload

import numpy as np
import pandas as pd

from . import _core
from ._assemble import assemble
from ._errors import OptionError
from ._factor import complete_in_factors, factor_options, is_factor_form
from ._factor_completion import FactorCompletion
from ._html import shown
from ._inputs import Container, read_views
from ._kernels import kernel_plan, with_called_kernels
from ._quality import quality_table, worth_table
from ._run import (
    Callback,
    Progress,
    check_texts,
    flag_of,
    method_text,
    seed_of,
    threads_of,
    warn,
    warn_if_not_converged,
)
from ._samples import SampleRules, resolve
from ._types import (
    FloatArray,
    Form,
    KernelChoice,
    Kernels,
    KernelsT,
    MultiView,
    NaFeatures,
    Normalize,
    Observed,
    Psd,
    RandomState,
    Replicates,
    SampleMap,
    Transform,
    ZeroRows,
)


@dataclass(repr=False)
class Completion(Generic[KernelsT]):
    """Completed kernels, with error estimates and details of the run.

    Attributes
    ----------
    arrays : the completed kernels, N x N each, in the order of ``views``
    samples : the samples, in the order of the kernels
    views : names of the views
    observed : samples x views, False where a row was completed
    method : its name
    parameters : its options with the values used, including those it chose itself
    seed : seed of the random numbers
    status : ``"converged"``, ``"max_iterations"`` or ``"interrupted"``
    n_iter : iterations of the method; 0 for closed forms
    objective : one value per iteration; empty for closed forms
    residual : relative distance to a stationary point at the end; 0 for closed forms
    view_relations : S, row m holds the weights of the other views for view m; None if the method has none
    uncertainty : samples x views, the method's own measure: larger is less certain, 0 where observed; None if
        the method has none
    quality : per completed row (sample, view) its estimated relative error ``relative_error``, the 90 %
        interval from ``low`` to ``high``, and whether it is ``"known"``: ``"unknown"`` where it reaches above 1;
        None unless requested (``"auto"`` always has it)
    worth : per view the error on held-out rows, that of the average row and that of the mean of the other
        views, the share of what distinguishes rows that is recovered (R^2 of centred rows) with its standard
        error, and the verdict: ``"strong"``, ``"useful"``, ``"weak"``, ``"nothing beyond the average row"`` or
        ``"unknown"``; None without ``quality``
    candidates : of ``"auto"``: per candidate and view its weight and held-out error; else None
    seconds : per phase of the work
    notices : messages about choices that were made

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> result = mkc.complete(example.kernels, "wknn", k=5)
    >>> result
    Completion of 40 samples by wknn: expression (11 completed), methylation (8 completed), protein (4 completed),
    mutations (9 completed)
    >>> result["protein"].shape, result.kernels["protein"].equals(result["protein"])
    ((40, 40), True)
    """

    arrays: list[FloatArray]
    samples: pd.Index
    views: list[str]
    observed: pd.DataFrame
    method: str
    parameters: dict[str, str]
    seed: int
    status: str
    n_iter: int
    objective: FloatArray
    residual: float
    view_relations: pd.DataFrame | None
    uncertainty: pd.DataFrame | None
    quality: pd.DataFrame | None
    worth: pd.DataFrame | None
    candidates: pd.DataFrame | None
    seconds: dict[str, float]
    notices: list[str]
    _given: Container

    def __repr__(self) -> str:
        lost = (~self.observed).sum()
        views = ", ".join(f"{view} ({count} completed)" for view, count in lost.items())
        status = "" if self.converged else f" ({self.status})"
        return f"Completion of {len(self.samples)} samples by {self.method}{status}: {views}"

    def _repr_html_(self) -> str:
        here = self.observed.sum()
        table = pd.DataFrame({"observed": here, "completed": len(self.samples) - here})
        if self.worth is not None:
            figures = self.worth.drop(columns=["hidden_samples", "verdict"])
            table = table.join(100 * figures.rename(columns=lambda name: f"{name.replace('_', ' ')} %"))
            table = table.join(self.worth["verdict"])
        status = "" if self.converged else f" ({self.status})"
        title = f"Completion of {len(self.samples)} samples by {self.method}{status}"
        return shown(title, table.rename_axis("view"), self.notices)

    @property
    def converged(self) -> bool:
        """Whether the method met its tolerance (closed forms always do)."""
        return self.status == "converged"

    @cached_property
    def kernels(self) -> KernelsT:
        """The completed kernels, in the kind of container that was given."""
        found: KernelsT
        if self._given.kind == "mudata":
            from ._to_mudata import to_mudata

            found = to_mudata(self, self._given.mudata, copy=True)
        else:
            found = self._given.like(self.arrays, self.samples, self.samples)
        return found

    @cached_property
    def frames(self) -> dict[str, pd.DataFrame]:
        """The completed kernels as labelled DataFrames, for any kind of input."""
        return {view: pd.DataFrame(values, self.samples, self.samples) for view, values in zip(self.views, self.arrays)}

    def __getitem__(self, view: str) -> pd.DataFrame | FloatArray:
        """The completed kernel of a view: a DataFrame where samples have names, else an array."""
        return self.frames[view] if self._given.labelled else dict(zip(self.views, self.arrays))[view]


@overload
def complete(
    kernels: MultiView,
    method: str = ...,
    *,
    form: Literal["factor"],
    observed: Observed | None = ...,
    random_state: RandomState | None = ...,
    n_jobs: int | None = ...,
    samples: str | Sequence[Hashable] = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
    kernel: KernelChoice | None = ...,
    transform: Transform | None = ...,
    na_features: NaFeatures = ...,
    verbose: int = ...,
    callback: Callback | None = ...,
    **options: Any,
) -> FactorCompletion: ...
@overload
def complete(
    kernels: Kernels,
    method: str = ...,
    *,
    observed: Observed | None = ...,
    random_state: RandomState | None = ...,
    n_jobs: int | None = ...,
    quality: bool = ...,
    normalize: Normalize = ...,
    center: bool = ...,
    psd: Psd = ...,
    fitted: bool = ...,
    samples: str | Sequence[Hashable] = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
    kernel: KernelChoice | None = ...,
    transform: Transform | None = ...,
    form: Literal["dense", "identity", "features", "paper"] = ...,
    na_features: NaFeatures = ...,
    verbose: int = ...,
    callback: Callback | None = ...,
    **options: Any,
) -> Completion[Kernels]: ...
@overload
def complete(
    kernels: MultiView,
    method: str = ...,
    *,
    observed: Observed | None = ...,
    random_state: RandomState | None = ...,
    n_jobs: int | None = ...,
    quality: bool = ...,
    normalize: Normalize = ...,
    center: bool = ...,
    psd: Psd = ...,
    fitted: bool = ...,
    samples: str | Sequence[Hashable] = ...,
    ids: str = ...,
    sample_map: SampleMap | None = ...,
    replicates: Replicates = ...,
    zero_rows: ZeroRows = ...,
    kernel: KernelChoice | None = ...,
    transform: Transform | None = ...,
    form: Literal["dense", "identity", "features", "paper"] = ...,
    na_features: NaFeatures = ...,
    verbose: int = ...,
    callback: Callback | None = ...,
    **options: Any,
) -> Completion[Any]: ...
def complete(
    kernels: MultiView,
    method: str = "auto",
    *,
    observed: Observed | None = None,
    random_state: RandomState | None = None,
    n_jobs: int | None = None,
    quality: bool = False,
    normalize: Normalize = "none",
    center: bool = False,
    psd: Psd = "error",
    fitted: bool = False,
    samples: str | Sequence[Hashable] = "union",
    ids: str = "auto",
    sample_map: SampleMap | None = None,
    replicates: Replicates = "error",
    zero_rows: ZeroRows = "auto",
    kernel: KernelChoice | None = None,
    transform: Transform | None = None,
    na_features: NaFeatures = "error",
    form: Form = "dense",
    verbose: int = 0,
    callback: Callback | None = None,
    **options: Any,
) -> Union[Completion[Any], FactorCompletion]:
    """Completes the kernels of several views.

    Parameters
    ----------
    kernels
        A dict of DataFrames (rows = columns = the samples the view has), a dict or list of arrays
        (N x N, missing samples with their whole row and column NaN or masked), an array (M, N, N), or a
        MuData. They are not changed, and must not change while this runs: kernels without gaps are not
        copied.
    method
        ``"auto"`` or one of :func:`mkc.methods`, with options as text (``"wknn,k=7"``) or as
        further arguments (``method="wknn", k=7``).
    observed
        N x M table, False where a sample lacks a view; such rows of ``kernels`` are not read.
    random_state
        Seed or generator of the random numbers; None is 0.
    n_jobs
        Number of threads; None is 1, -1 is all. Never changes the result.
    quality
        Estimate the error of every completed row; ``"auto"`` always does.
    normalize
        ``"none"``, ``"unit"`` (unit diagonal) or ``"trace"``, before completion; undone on the result.
    center
        Centre the kernels before completion; undone on the result.
    psd
        What to do with a kernel that is not positive semi-definite: ``"error"``, ``"clip"`` or ``"ignore"``.
    fitted
        Return the model's own matrices, in which observed entries are not restored.
    samples
        ``"union"``, ``"intersection"`` or a list of samples.
    ids
        How the index names samples: ``"exact"``; ``"loose"`` (up to case, separators and an ending that all ids of
        a view share); ``"tcga-patient"`` (or with the sample types to keep, ``"tcga-patient:01"``),
        ``"tcga-sample"``; ``"prefix:N"`` (the first N characters); ``"regex:PATTERN"`` (its first group).
        ``"auto"``: as they are, or an error where a rule finds many more samples in common, or where separate tables
        have only row numbers (0, 1, 2, ...): ``"exact"`` takes these as names.
    sample_map
        A table with the columns assay (view), primary (sample) and colname (name in the view), or its file.
    replicates
        Several rows of one sample: ``"error"``, ``"first"``, ``"mean"``, or ``"broad"`` (of TCGA aliquots the one
        that the Broad Institute's GDAC prefers).
    zero_rows
        Rows of zeros (of a kernel: rows and columns): ``"missing"``, ``"values"`` or ``"error"``; ``"auto"``: what
        the other rows make plain.
    kernel, transform
        The tables are features: their kernels are computed first, as :func:`mkc.compute_kernels` does with these
        arguments. None for both: the tables are kernels.
    na_features
        Single missing values of features: ``"error"``, ``"mean"`` (of the feature) or ``"drop"`` (the feature).
    form
        ``"dense"``: whole kernels, by any method. ``"factor"``: factors F with the kernel F F' + diag(e), by a method
        of its own, in time and memory linear in the number of samples (give ``kernel``, mostly); observed entries come
        back up to the trace error of their view. Its options are those of ``mkc.methods("factor")``, such as ``rank``.
        For tables larger than memory there is the tool, and :func:`mkc.read_factors`.
    verbose
        1 shows progress and notices.
    callback
        ``callback(phase, iteration, max_iterations, objective)``; returning False stops with the best so far.
    **options
        Options of the method, see :func:`mkc.methods`.

    Returns
    -------
    The completed kernels in ``kernels``, in the kind of container that was given, and details of the run; in factor
    form a :class:`mkc.FactorCompletion`, whose ``kernel(view, rows, columns)`` makes a block of a kernel.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> int(example.kernels["protein"].isna().all(axis=1).sum())  # samples that lack the view
    4
    >>> result = mkc.complete(example.kernels, "wknn", k=5, quality=True)
    >>> bool(result.kernels["protein"].isna().any(axis=None))
    False
    >>> list(result.quality.columns)
    ['sample', 'view', 'observed_views', 'relative_error', 'low', 'high', 'interval']
    >>> result.worth["verdict"].tolist()
    ['strong', 'strong', 'strong', 'strong']
    >>> result = mkc.complete(example.features, "transfer", kernel="auto")  # from tables of features
    >>> result = mkc.complete(example.features, form="factor", kernel="auto", rank=30)
    >>> result.factors["expression"].shape  # what a linear model, k-means or PCA takes
    (40, 30)
    """
    check_texts(na_features=na_features)
    in_factors = is_factor_form(form, method, options)
    if in_factors:
        dense_only = {"normalize": (normalize, "none"), "center": (center, False), "psd": (psd, "error")}
        chosen = factor_options(method, options, {**dense_only, "fitted": (fitted, False)})
    else:
        text = method_text(method, options)
    are_features = kernel is not None or transform is not None
    given = read_views(kernels, features=are_features, repeated=replicates != "error", words=are_features)
    if not are_features and na_features != "error":
        raise OptionError(
            "na_features is for tables of features, these are kernels", "give their kernel: kernel='auto'"
        )
    # "precomputed" for kernels: only the other form needs a plan of them
    plan = kernel_plan(given.names, (kernel or "auto") if are_features else "precomputed", {"transform": transform})
    given, notices = resolve(given, SampleRules(ids, sample_map, replicates, zero_rows), plan.precomputed)
    seed, threads = seed_of(random_state), threads_of(n_jobs)
    if in_factors:
        return complete_in_factors(
            given,
            plan,
            chosen,
            seed,
            threads,
            na_features=na_features,
            observed=observed,
            samples=samples,
            notices=notices,
            verbose=verbose,
            callback=callback,
        )
    ready, of_view = with_called_kernels(given, plan, na_features) if are_features else (given, None)
    assembled = assemble(
        ready,
        observed=observed,
        psd=psd,
        normalize=normalize,
        center=center,
        samples=samples,
        na_features=na_features,
        options=of_view,
        common=plan.common if are_features else None,
    )
    warn([*notices, *assembled.notices])
    return run_completion(given.container, assembled, text, seed, threads, fitted, quality, verbose, callback)


def run_completion(
    given: Container,
    assembled: _core.Assembled,
    text: str,
    seed: int,
    threads: int,
    fitted: bool = False,
    quality: bool = False,
    verbose: int = 0,
    callback: Callback | None = None,
) -> Completion[Any]:
    fitted, quality = flag_of("fitted", fitted), flag_of("quality", quality)
    progress = Progress(verbose, callback)
    try:
        found = _core.complete(assembled, text, seed, threads, fitted, quality, progress.listener)
    finally:
        progress.close()
    warn_if_not_converged(found)
    warn(found.warnings)
    notices = [*found.warnings, *found.notices]
    if verbose > 0:
        for notice in notices:
            print(f"mkc: {notice}", file=sys.stderr)
    index, views = given.index(assembled.samples), list(given.names)
    observed = np.asarray(assembled.observed)
    return Completion(
        arrays=list(found.take_kernels()),
        samples=index,
        views=views,
        observed=pd.DataFrame(observed, index, views),
        method=found.method,
        parameters=dict(found.parameters),
        seed=found.seed,
        status=found.status,
        n_iter=found.iterations,
        objective=np.asarray(found.objective, dtype=np.float64),
        residual=found.residual,
        view_relations=None if found.relations is None else pd.DataFrame(found.relations, views, views),
        uncertainty=None if found.uncertainty is None else pd.DataFrame(found.uncertainty, index, views),
        quality=None if found.quality is None else quality_table(found.quality, observed, index, views),
        worth=worth_table(found.quality, views),
        candidates=_candidate_table(found.candidates, views),
        seconds=dict(found.seconds),
        notices=notices,
        _given=given,
    )


def _candidate_table(candidates: list[dict[str, Any]], views: list[str]) -> pd.DataFrame | None:
    if not candidates:
        return None
    rows = [
        {
            "candidate": candidate["method"],
            "view": view,
            "weight": candidate["weights"][m] if len(candidate["weights"]) else 0.0,
            "held_out_error": candidate["held_out_errors"][m] if len(candidate["held_out_errors"]) else np.nan,
            "seconds": candidate["seconds"],
            "skipped": candidate["skipped"],
        }
        for candidate in candidates
        for m, view in enumerate(views)
    ]
    return pd.DataFrame(rows)
