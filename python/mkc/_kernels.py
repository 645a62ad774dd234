"""Kernels from features."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, replace
from typing import Any, overload

import numpy as np
import pandas as pd

from . import _core
from ._assemble import assemble, square
from ._errors import InputError, OptionError
from ._inputs import Table, Views, read_views
from ._run import option_text, warn
from ._samples import SampleRules, resolve
from ._tables import plain
from ._types import (
    FloatArray,
    KernelArguments,
    KernelChoice,
    KernelFunction,
    Kernels,
    MuDataLike,
    MultiView,
    NaFeatures,
    Replicates,
    SampleMap,
    Sparse,
    Transform,
    Unpack,
    ZeroRows,
)

# Options of a kernel that are arguments too, where they are for all views.
KERNEL_OPTIONS = ("transform", "library_size", "gamma", "degree", "coef0", "components", "scale")


class CalledKernel:
    """A function of the user as kernel of a view: ``function(A, B)`` returns (rows of A, rows of B)."""

    def __init__(self, function: KernelFunction, view: str) -> None:
        self.function, self.view = function, view

    def between(self, A: FloatArray, B: FloatArray) -> FloatArray:
        name = getattr(self.function, "__name__", type(self.function).__name__)
        found = plain(self.function(A, B))
        try:
            values = np.ascontiguousarray(found, dtype=np.float64)
        except (TypeError, ValueError):
            raise InputError(f"view '{self.view}': the kernel function '{name}' does not return numbers") from None
        if values.shape != (len(A), len(B)):
            raise InputError(
                f"view '{self.view}': the kernel function '{name}' returned shape {values.shape} for {len(A)} and "
                f"{len(B)} samples",
                "function(A, B) returns one row per row of A, one column per row of B",
            )
        if not np.isfinite(values).all():
            raise InputError(f"view '{self.view}': the kernel function '{name}' returned NaN or infinite values")
        return values

    def own(self, A: FloatArray) -> FloatArray:
        """k(x, x) of every row, a few rows at a time."""
        parts = [A[i : i + 64] for i in range(0, len(A), 64)]
        return np.concatenate([np.diag(self.between(part, part)) for part in parts])


@dataclass
class KernelPlan:
    """How the views become kernels."""

    of_view: dict[str, dict[str, Any]]  # options as text; only "kernel" may be a CalledKernel
    common: dict[str, str]  # options of all views, which those without a use for them skip

    @property
    def precomputed(self) -> list[str]:
        """The views that are kernels already."""
        return [name for name, own in self.of_view.items() if own.get("kernel") == "precomputed"]

    def function(self, view: str) -> CalledKernel | None:
        kernel = self.of_view[view].get("kernel")
        return kernel if isinstance(kernel, CalledKernel) else None


def kernel_plan(names: list[str], kernel: KernelChoice, options: Mapping[str, Any]) -> KernelPlan:
    """``kernel``: a name or a function, or per view a name, a function or a dict of options. ``options``: of all
    views; None is the default."""
    if isinstance(kernel, Mapping):
        unknown = [name for name in kernel if name not in names]
        if unknown:
            raise InputError(f"kernel: there is no view '{unknown[0]}'", f"the views are {', '.join(map(str, names))}")
    common = {key: option_text(value) for key, value in options.items() if value is not None}
    of_view: dict[str, dict[str, Any]] = {}
    for name in names:
        chosen = kernel.get(name, "auto") if isinstance(kernel, Mapping) else kernel
        own: dict[str, Any] = dict(chosen) if isinstance(chosen, Mapping) else {"kernel": chosen}
        for option in ("normalize", "center"):
            if option in own:
                raise OptionError(f"view '{name}': '{option}' is no option of a kernel", f"mkc.complete has {option}=")
        if callable(own.get("kernel")):
            _check_no_options({**own, **({} if isinstance(kernel, Mapping) else common)}, name)
            of_view[name] = {"kernel": CalledKernel(own["kernel"], name)}
        else:
            of_view[name] = {key: option_text(value) for key, value in own.items() if value is not None}
    return KernelPlan(of_view, common)


def _check_no_options(given: Mapping[str, Any], view: str) -> None:
    for option in given:
        if option != "kernel":
            raise OptionError(
                f"view '{view}': the kernel is a function, which has no option '{option}'",
                "set it in the function itself, for example with functools.partial",
            )


@overload
def compute_kernels(
    views: MuDataLike, kernel: KernelChoice = ..., **options: Unpack[KernelArguments]
) -> dict[str, pd.DataFrame]: ...
@overload
def compute_kernels(views: Kernels, kernel: KernelChoice = ..., **options: Unpack[KernelArguments]) -> Kernels: ...
@overload
def compute_kernels(
    views: Mapping[str, Sparse], kernel: KernelChoice = ..., **options: Unpack[KernelArguments]
) -> dict[str, FloatArray]: ...
@overload
def compute_kernels(views: MultiView, kernel: KernelChoice = ..., **options: Unpack[KernelArguments]) -> Any: ...
def compute_kernels(
    views: MultiView,
    kernel: KernelChoice = "auto",
    *,
    transform: Transform | None = None,
    library_size: float | str | None = None,
    gamma: float | str | None = None,
    degree: int | None = None,
    coef0: float | None = None,
    components: int | None = None,
    scale: str | None = None,
    na_features: NaFeatures = "error",
    ids: str = "auto",
    sample_map: SampleMap | None = None,
    replicates: Replicates = "error",
    zero_rows: ZeroRows = "auto",
) -> Any:
    """Kernels of feature tables; samples whose row is NaN stay missing.

    Parameters
    ----------
    views
        A dict or list of DataFrames or arrays, samples in rows, or a MuData. In DataFrames, columns whose words
        repeat, and those of dtype category, are categories; dates are days since 1970-01-01; names and free text
        are left out. A ``UserWarning`` names them.
    kernel
        ``"auto"`` (default): transform and kernel by the type of the values of a view (counts, word counts,
        0/1, ...); :func:`mkc.inspect` says which type and why. Or ``"rbf"``, ``"linear"``, ``"poly"``,
        ``"laplacian"``, ``"cosine"``, ``"jaccard"``, ``"lsk"``, ``"chi2"``, ``"braycurtis"``, ``"ruzicka"``,
        ``"tanimoto"``, ``"spectral_angle"``, ``"ordinal"``, ``"categorical"`` or ``"precomputed"``; per view as
        ``{"rna": "rbf", "mutations": "jaccard"}`` or with options, ``{"rna": {"kernel": "rbf", "gamma": 0.1}}``;
        other views get auto. Or a function of two tables of features, ``function(A, B)``, which returns one row
        per row of A and one column per row of B; it gets the features as they are, not scaled.
    transform
        Of every value, before columns are scaled: ``"none"``, ``"log"``, ``"log1p"``, ``"log2p1"``, ``"clr"``,
        ``"tfidf"``, ``"sqrt"``, ``"rank"``, ``"zscore"``, ``"minmax"`` or ``"arcsinh"``. Default: with auto by the
        type of the values, else none.
    library_size
        The sum that every row is brought to before the transform: ``"none"``, ``"median"`` (of the sums) or a
        number. Default: with auto by the type of the values, else none.
    gamma
        For rbf, poly, laplacian and chi2, larger is narrower: ``"median"`` (1 / median of the squared distance,
        for laplacian of the absolute one), ``"scale"`` (1 / (features x variance)) or a number. Default
        ``"auto"``: the median, unless other views clearly agree better with another width.
    degree, coef0
        For poly, (gamma x'y + coef0) ** degree: default 3 and 1.
    components
        For lsk, the latent semantic kernel: the number of leading components; default 100.
    scale
        ``"zscore"``: features are scaled to mean 0 and deviation 1; ``"none"``: they are not. Default: zscore
        for linear, rbf, poly and laplacian, none for the others.
    na_features
        Single missing values: ``"error"``, ``"mean"`` (of the feature) or ``"drop"`` (the feature).
    ids, sample_map, replicates, zero_rows
        How rows name samples, as in :func:`mkc.complete`.

    An option that is given for all views is for those whose kernel has it; one that has no effect in any view is
    an error.

    Returns the kind of container that was given: DataFrames with the samples of each view, or arrays; for a
    MuData a dict of DataFrames.

    Examples
    --------
    >>> import mkc, numpy as np
    >>> rna, mutations = np.random.default_rng(0).normal(size=(2, 10, 4))
    >>> rna[3] = np.nan  # the fourth sample lacks the view
    >>> kernels = mkc.compute_kernels({"rna": rna, "mutations": mutations > 0}, {"mutations": "jaccard"})
    >>> kernels["rna"].shape, bool(np.isnan(kernels["rna"][3]).all())
    ((10, 10), True)
    >>> kernels = mkc.compute_kernels({"rna": rna, "mutations": mutations}, lambda A, B: A @ B.T)
    """
    given = read_views(views, features=True, repeated=replicates != "error", words=True)
    values = (transform, library_size, gamma, degree, coef0, components, scale)
    plan = kernel_plan(given.names, kernel, dict(zip(KERNEL_OPTIONS, values)))
    given, notices = resolve(given, SampleRules(ids, sample_map, replicates, zero_rows), plan.precomputed)
    computed = computed_kernels(given, plan, na_features)
    warn([*notices, *computed.notices])
    names = given.container
    indexes = [table.index(names.index_name) for table in given.tables]
    return names.like(computed.kernels, indexes, indexes)


@dataclass
class ComputedKernels:
    """The kernels of all views: see :func:`computed_kernels`."""

    assembled: _core.Assembled
    rows: list[list[int]]  # per view the rows of its table in the order of the kernel of ``assembled``
    kernels: list[FloatArray]  # N x N in the order of the table, NaN where a sample has no values
    notices: list[str]  # about the features; what concerns completion is not among them


def computed_kernels(views: Views, plan: KernelPlan, na_features: str, keep_recipes: bool = False) -> ComputedKernels:
    """The kernels of all views by one call of the library, since views are compared to choose widths."""
    about_samples = check_shared_samples(views)
    ready, options = with_called_kernels(views, plan, na_features)
    ready = _without_empty_samples(ready, options)
    assembled = assemble(
        ready, psd="unchecked", na_features=na_features, options=options, common=plan.common, keep_recipes=keep_recipes
    )
    samples = assembled.samples
    rows, kernels = [], []
    for m, table in enumerate(views.tables):
        place = {name: i for i, name in enumerate(table.ids)}
        rows.append([place[samples[i]] for i in assembled.rows(m)])
        if table.name in plan.precomputed:
            kernels.append(square(table).values)
            continue
        full = np.full((len(table.values),) * 2, np.nan)
        full[np.ix_(rows[m], rows[m])] = assembled.block(m)
        kernels.append(full)
    notices = [notice for notice in assembled.notices if notice not in about_samples]
    return ComputedKernels(assembled, rows, kernels, notices)


def present_rows(table: Table) -> list[int]:
    return [i for i, here in enumerate(table.present) if here]


def _without_empty_samples(views: Views, options: Mapping[str, Mapping[str, Any]]) -> Views:
    """The views without samples that no view has: they are refused where views are completed, here they stay NaN."""
    seen = {table.ids[i] for table in views.tables for i in present_rows(table)}
    tables = [of_samples(table, seen, options[table.name].get("kernel") == "precomputed") for table in views.tables]
    return Views(views.container, tables)


def of_samples(table: Table, samples: set[str], is_kernel: bool) -> Table:
    """The table with these samples only."""
    ids = table.ids
    rows = [i for i, name in enumerate(ids) if name in samples]
    if len(rows) == len(ids):
        return table
    if is_kernel:
        table = square(table)
    labels: list[Hashable] = [ids[i] for i in rows]
    values = table.values[np.ix_(rows, rows)] if is_kernel else table.values[rows]
    return replace(table, values=values, labels=labels, columns=labels if is_kernel else table.columns)


def kernels_chosen(assembled: _core.Assembled, names: list[str]) -> pd.DataFrame:
    """Per view what its values were taken for and why, its kernel, and why its width is not the median."""
    shown = ("type", "evidence", "kernel", "width")
    rows = [[summary[key] for key in shown] for summary in assembled.summaries]
    return pd.DataFrame(rows, pd.Index(names, name="view"), shown)


def check_shared_samples(views: Views) -> list[str]:
    """Views without a common sample cannot be completed from one another. Returns notices on views that share few."""
    named = []
    for table in views.tables:
        ids = [name for name, here in zip(table.ids, table.present) if here]
        if not ids:
            raise InputError(f"view '{table.name}': no sample has a value", "remove the view")
        named.append((str(table.name), table.source, ids))
    return _core.check_shared_samples(named)


def with_called_kernels(views: Views, plan: KernelPlan, na_features: str) -> tuple[Views, dict[str, dict[str, Any]]]:
    """Views whose kernel is a function become precomputed kernels; also the options of every view."""
    tables, options = [], dict(plan.of_view)
    rank = {name: i for i, name in enumerate(views.samples)}
    for table in views.tables:
        function = plan.function(table.name)
        if function is not None:
            # In the common order of all views, so that results do not depend on the order of the rows.
            ranks = [rank[name] for name in table.ids]
            rows = sorted(present_rows(table), key=ranks.__getitem__)
            features, _ = resolved(table, rows, na_features)
            kernel = np.full((len(table.values),) * 2, np.nan)
            kernel[np.ix_(rows, rows)] = function.between(features, features)
            table, options[table.name] = replace(table, values=kernel, columns=table.labels), {"kernel": "precomputed"}
        tables.append(table)
    return Views(views.container, tables), options


def resolved(table: Table, rows: list[int], na_features: str) -> tuple[FloatArray, list[int]]:
    """These rows of the features without NaN, and the columns that are left."""
    if table.categories:
        raise InputError(
            f"view '{table.name}': columns of words, and the kernel is a function", "give the function numbers only"
        )
    given = table.values[rows]
    if not np.isfinite(given[~np.isnan(given)]).all():
        raise InputError(f"view '{table.name}': infinite values", "replace them with NaN or a number")
    ids = table.ids
    try:
        values, columns = _core.resolve_missing_cells(given, na_features, [ids[i] for i in rows])
    except InputError as error:
        raise type(error)(f"view '{table.name}' ({table.source}): {error.what}", error.hint) from None
    return values, list(columns)
