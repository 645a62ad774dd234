"""Summary of an input: observed and missing samples, properties of the kernels."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._assemble import are_same_names, assemble, is_kernel
from ._html import shown
from ._inputs import Table, Views, read_views
from ._kernels import KERNEL_OPTIONS, KernelPlan, kernel_plan, with_called_kernels
from ._samples import SampleRules, resolve, side_notices
from ._types import (
    KernelChoice,
    KernelOptions,
    MultiView,
    NaFeatures,
    Observed,
    Replicates,
    SampleMap,
    Unpack,
    ZeroRows,
)

_SHOWN = ["samples", "missing", "kind", "type", "kernel", "positive_semidefinite"]


@dataclass(repr=False)
class Inspection:
    """Tables about a multi-view input; ``print`` it.

    Attributes
    ----------
    views : per view the number of its samples, the type of its values with the evidence, and scale and spectrum
        of its kernel
    patterns : how many samples have which views
    shared : how many samples two views have in common
    observed : samples x views, True where the sample has the view
    notices : warnings about the input
    map : per view a line of text, samples from left to right: ``#`` observed, ``.`` missing, ``+`` both

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> summary = mkc.inspect(example.kernels)
    >>> summary.n_samples, summary.n_complete
    (40, 16)
    >>> summary.views["missing"].to_dict()
    {'expression': 11, 'methylation': 8, 'protein': 4, 'mutations': 9}
    """

    views: pd.DataFrame
    patterns: pd.DataFrame
    shared: pd.DataFrame
    observed: pd.DataFrame = field(repr=False)
    notices: list[str]
    map: dict[str, str]

    @property
    def n_samples(self) -> int:
        """Number of samples."""
        return len(self.observed)

    @property
    def n_complete(self) -> int:
        """Number of samples that have all views."""
        return int(self.observed.all(axis=1).sum())

    @property
    def _summary(self) -> str:
        n, whole = self.n_samples, self.n_complete
        return (
            f"{len(self.views)} views, {n} samples, {whole} in all views: complete cases alone would lose "
            f"{n - whole} of {n} ({(n - whole) / n:.0%})"
        )

    @property
    def _chosen(self) -> list[str]:
        """A line per view whose kernel was chosen by its values."""
        lines = []
        for view, row in self.views.iterrows():
            if row["type"]:
                lines.append(f"values of {view} look like {row['type']} ({row['evidence']}): {row['kernel']}")
            if row["width"]:
                lines.append(f"width of {view}: {row['width']}")
        return lines

    def _repr_html_(self) -> str:
        return shown(self._summary, self.views[self._columns], [*self._chosen, *self.notices])

    @property
    def _columns(self) -> list[str]:
        return [name for name in _SHOWN if name != "type" or self.views["type"].any()]

    def __repr__(self) -> str:
        width = max(len(str(view)) for view in self.map)
        lines = [f"{view!s:<{width}}  {marks}" for view, marks in self.map.items()]
        return "\n".join(
            [
                self.views[self._columns].to_string(),
                self._summary,
                *self._chosen,
                "samples from left to right, most views first: # observed, . missing",
                *lines,
                *self.notices,
            ]
        )


def inspect(
    views: MultiView,
    observed: Observed | None = None,
    *,
    kernel: KernelChoice | None = "auto",
    na_features: NaFeatures = "error",
    ids: str = "auto",
    sample_map: SampleMap | None = None,
    replicates: Replicates = "error",
    zero_rows: ZeroRows = "auto",
    **options: Unpack[KernelOptions],
) -> Inspection:
    """Summarizes kernels or features: samples, types of values, kernels. Changes nothing.

    A kernel that is not positive semi-definite is reported here and refused by :func:`mkc.complete`.

    Parameters
    ----------
    views
        Kernels or features, of any kind.
    observed
        N x M table, False where a sample lacks a view.
    kernel
        How features become kernels, as in :func:`mkc.compute_kernels`. With ``"auto"`` (default) a table with the
        same samples in rows and columns is a kernel; None: all views are kernels.
    na_features
        Single missing values of features, as in :func:`mkc.compute_kernels`.
    ids, sample_map, replicates, zero_rows
        How rows name samples, as in :func:`mkc.complete`.
    **options
        Further options of the kernels: ``transform``, ``gamma``, ..., as in :func:`mkc.compute_kernels`.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> summary = mkc.inspect(example.kernels)
    >>> print(str(summary).splitlines()[6])
    4 views, 40 samples, 16 in all views: complete cases alone would lose 24 of 40 (60%)
    >>> mkc.inspect(example.features).views.loc["mutations", ["type", "evidence"]].tolist()
    ['two values', 'only 0 and 1, 54 % zeros']
    """
    given = read_views(
        views,
        features=None if kernel == "auto" else kernel is not None,
        repeated=replicates != "error",
        words=kernel is not None,
    )
    plan = _plan(given, kernel, options)
    sides = side_notices(given)
    given, notices = resolve(given, SampleRules(ids, sample_map, replicates, zero_rows), plan.precomputed)
    ready, of_view = with_called_kernels(given, plan, na_features)
    assembled = assemble(
        ready, observed=observed, psd="unchecked", na_features=na_features, options=of_view, common=plan.common
    )
    names, index = list(given.names), given.container.index(assembled.samples)
    here = np.asarray(assembled.observed)
    facts = pd.DataFrame([_facts(assembled, m) for m in range(len(names))], index=pd.Index(names, name="view"))
    counts = here.astype(int)
    return Inspection(
        views=facts,
        patterns=pd.DataFrame(
            [{**dict(zip(names, marks)), "samples": samples} for marks, samples in _core.missing_patterns(assembled)]
        ),
        shared=pd.DataFrame(counts.T @ counts, names, names),
        observed=pd.DataFrame(here, index, names),
        notices=[*notices, *assembled.notices, *sides],
        map=dict(zip(names, _core.missingness_map(assembled, 72))),
    )


def _plan(given: Views, kernel: KernelChoice | None, options: Mapping[str, Any]) -> KernelPlan:
    unknown = [option for option in options if option not in KERNEL_OPTIONS]
    if unknown:
        raise TypeError(f"inspect() got an unexpected keyword argument '{unknown[0]}'")
    choice: KernelChoice = "precomputed" if kernel is None else kernel
    if kernel == "auto":
        kernels = [table for table in given.tables if _looks_like_kernel(table, given.container.kind)]
        choice = {table.name: "precomputed" for table in kernels}
    return kernel_plan(given.names, choice, options)


def _looks_like_kernel(table: Table, kind: str) -> bool:
    """Names decide where there are some, so that a kernel that is not symmetric is reported as one."""
    return kind == "stack" or are_same_names(table) or (table.columns is None and is_kernel(table))


def _facts(assembled: _core.Assembled, m: int) -> dict[str, Any]:
    summary, check = assembled.summaries[m], _core.check_kernel(assembled, m)
    samples = len(assembled.rows(m))
    return {
        "samples": samples,
        "missing": len(assembled.samples) - samples,
        "kind": summary["kind"],
        "features": summary["features"],
        "type": summary["type"],
        "kernel": summary["kernel"],
        "evidence": summary["evidence"],
        "width": summary["width"],
        **check,
    }
