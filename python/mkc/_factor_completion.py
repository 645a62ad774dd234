"""The result of completion in factor form."""

from __future__ import annotations

import os
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pandas as pd

import mkc  # annotations name its model

from . import _core
from ._errors import InputError
from ._html import shown
from ._quality import quality_table, worth_table
from ._types import FloatArray


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
    >>> result = mkc.complete(tables, form="factor", kernel="auto", rank=20)
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
    _model: mkc.FactorModel | None = None

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
        >>> result = mkc.complete(tables, form="factor", kernel="auto", rank=20)
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
        >>> mkc.complete(tables, form="factor", kernel="auto", rank=20).save("factors.npz", force=True)
        >>> new = {"protein": tables["protein"].iloc[:3].rename(index=lambda name: f"new {name}")}
        >>> mkc.load_factors("factors.npz").complete(new).factors["expression"].shape
        (3, 20)
        """
        self.model._write(path, force=force)

    @property
    def model(self) -> mkc.FactorModel:
        """What gives new samples their factors."""
        if self._model is None:
            raise InputError(
                "this result was read from a folder, which does not hold its model",
                "mkc complete --form factor --save-model FILE writes one",
            )
        return self._model

    def _places(self, wanted: Sequence[Hashable] | None) -> Any:
        if wanted is None:
            return np.arange(len(self.samples))
        places = self.samples.get_indexer(pd.Index(wanted))
        if (places < 0).any():
            raise InputError(f"there is no sample '{list(wanted)[int(np.argmax(places < 0))]}'")
        return places


def completion_of(
    found: _core.CompletedFactors,
    index: pd.Index,
    names: list[str],
    seed: int,
    notices: list[str],
    model: mkc.FactorModel | None = None,
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
        experts=expert_table(found.experts, names),
        kernels_used=kernel_table(found.summaries, names),
        parameters=dict(found.parameters),
        seed=seed,
        notices=notices,
        _model=model,
    )


def kernel_table(summaries: Sequence[dict[str, Any]], names: list[str]) -> pd.DataFrame:
    columns = ["kernel", "rank", "landmarks", "trace_error"]
    return pd.DataFrame([[view[key] for key in columns] for view in summaries], pd.Index(names, name="view"), columns)


def expert_table(experts: Sequence[dict[str, Any]], names: list[str]) -> pd.DataFrame | None:
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
