"""Plots: each function draws into ``ax``, or into a new figure, and returns the axes.

They take kernels of any kind (some also features), the result of :func:`mkc.complete` or a fitted
:class:`mkc.KernelCompleter`.

>>> import mkc
>>> ax = mkc.plot.missingness(mkc.datasets.make_example(40).kernels)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Literal, Union

import numpy as np
import pandas as pd

from . import _combine
from ._assemble import assemble
from ._classes import class_texts, classes_of
from ._complete import Completion
from ._errors import InputError, OptionError
from ._inputs import BoolArray, read_views
from ._inspect import Inspection
from ._plot_parts import (
    DARK,
    LINES,
    axes_or_new,
    class_colours,
    class_legend,
    class_strip,
    grid_of_axes,
    is_scale,
    largest_value,
    numbers_of,
    scale_colours,
    wrapped,
)
from ._types import Classes, FloatArray, MultiView

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from .completer import KernelCompleter

    Result = Union[Completion[Any], KernelCompleter]

_OBSERVED, _MISSING = "#2f6690", "#e8e4dc"
_INTERVALS = 24  # per view: more would merge into a block
_ORDERS = ("similarity", "observed", "input")


def _is_result(data: Any) -> bool:
    return hasattr(data, "completion_") or isinstance(data, Completion)


def _completion(result: Any) -> Completion[Any]:
    found = getattr(result, "completion_", result)
    if not isinstance(found, Completion):
        raise InputError(
            f"a completion is needed, not a {type(result).__name__}",
            "give the result of mkc.complete or a fitted KernelCompleter",
        )
    return found


def _observed(data: Any) -> pd.DataFrame:
    if isinstance(getattr(data, "observed", None), pd.DataFrame):
        return data.observed
    if hasattr(data, "completion_"):
        return _completion(data).observed
    views = read_views(data, features=True)  # no kernels are computed from a MuData
    places = {name: i for i, name in enumerate(views.samples)}
    observed = np.zeros((len(places), len(views.tables)), dtype=bool)
    for m, table in enumerate(views.tables):
        observed[[places[name] for name in table.ids], m] = table.present
    return pd.DataFrame(observed, views.index, views.names)


def missingness(data: MultiView | Inspection | Result, *, sort: bool = True, ax: Axes | None = None) -> Axes:
    """Which sample has which view.

    Parameters
    ----------
    data
        Features or kernels of any kind, the result of :func:`mkc.inspect` or :func:`mkc.complete`, or a
        fitted :class:`mkc.KernelCompleter`.
    sort
        Samples with most views first, grouped by their views; else in the order of the input.
    ax
        Axes to draw into; None makes a figure.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> mkc.plot.missingness(example.kernels).get_title()
    '40 samples, 16 have all 4 views'
    """
    observed = _observed(data)
    here: BoolArray = observed.to_numpy()
    if sort:
        keys = tuple(~here[:, m] for m in reversed(range(here.shape[1]))) + (-here.sum(axis=1),)
        here = here[np.lexsort(keys)]
    n, views = here.shape
    ax = axes_or_new(ax, (7, 0.9 + 0.38 * views))
    from matplotlib.colors import ListedColormap

    ax.imshow(
        here.T, aspect="auto", interpolation="nearest", cmap=ListedColormap([_MISSING, _OBSERVED]), vmin=0, vmax=1
    )
    ax.set_yticks(range(views), [f"{view}  {count} of {n}" for view, count in zip(observed.columns, here.sum(axis=0))])
    ax.set_yticks(np.arange(views + 1) - 0.5, minor=True)
    ax.grid(which="minor", axis="y", color="white", linewidth=2)
    ax.tick_params(which="both", length=0)
    ax.spines[:].set_visible(False)
    whole = int(here.all(axis=1).sum())
    ax.set_xlabel("samples" + (", most views first" if sort else ""))
    ax.set_title(f"{n} samples, {whole} have all {views} views", fontsize="medium")
    return ax


def _order(arrays: Sequence[FloatArray], classes: list[Any] | None) -> Any:
    """By class, else by the leading eigenvector of the mean kernel, which puts similar samples together."""
    if classes is not None:
        keys = numbers_of(classes) if is_scale(classes) else np.asarray(class_texts(classes))
        return np.argsort(keys, kind="stable")
    total = np.sum([K / (np.abs(K).max() or 1.0) for K in map(np.nan_to_num, arrays)], axis=0)
    total = total - total.mean(axis=0) - total.mean(axis=1)[:, None] + total.mean()
    return np.argsort(np.linalg.eigh(total)[1][:, -1], kind="stable")


def kernels(
    data: MultiView | Result,
    *,
    y: Classes | None = None,
    order: Literal["similarity", "observed", "input"] = "similarity",
    ax: Axes | Sequence[Axes] | None = None,
) -> list[Axes]:
    """Heat maps, one per view; missing or completed rows are marked at the left edge, NaN is blank. The colours
    end at the 99 % quantile of the entries off the diagonal.

    Parameters
    ----------
    data
        Kernels of any kind, the result of :func:`mkc.complete`, or a fitted :class:`mkc.KernelCompleter`.
    y
        Classes, one per sample (a Series by sample name, or in their order), to sort the samples by; a strip
        above each heat map shows them. More than ten different numbers get a colour scale.
    order
        ``"similarity"``: by class if ``y`` is given, else similar samples together; ``"observed"``: the same,
        but completed samples last, behind a line; ``"input"``: the order of the input.
    ax
        One axes per view; None makes a figure.

    Returns the list of axes.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> axes = mkc.plot.kernels(mkc.complete(example.kernels, "mean"))
    >>> axes[2].get_title()
    'protein: 4 completed'
    """
    if order not in _ORDERS:
        raise OptionError(f"order: {order!r} is not one of {', '.join(_ORDERS)}")
    completed = _is_result(data)
    if completed:
        completion = _completion(data)
        arrays, names, observed = completion.arrays, completion.views, completion.observed.to_numpy()
        labelled, samples = completion._given.labelled, list(map(str, completion.samples))
    else:
        views = read_views(data)
        problem = assemble(views, psd="unchecked")
        observed, names = np.asarray(problem.observed), views.names
        labelled, samples = views.container.labelled, problem.samples
        arrays = [np.full((len(observed),) * 2, np.nan) for _ in names]
        for m, full in enumerate(arrays):
            full[np.ix_(problem.rows(m), problem.rows(m))] = problem.block(m)
    classes = None if y is None else classes_of(y, labelled, samples)
    axes = grid_of_axes(len(names), ax, below=0.0 if classes is None else 0.4)
    colours: Sequence[Any] = []
    named: dict[str, str] = {}
    if classes is not None and is_scale(classes):
        colours = list(scale_colours(axes, classes))
    elif classes is not None:
        colours, named = class_colours(class_texts(classes))
    shared = np.arange(len(observed)) if order == "input" else _order(arrays, classes)
    for m, (axis, name) in enumerate(zip(axes, names)):
        rows = shared[np.argsort(~observed[shared, m], kind="stable")] if order == "observed" else shared
        values = arrays[m][np.ix_(rows, rows)]
        largest = largest_value(values)
        signed = np.nanmin(values) < -0.05 * largest
        image = axis.imshow(
            values,
            cmap="RdBu_r" if signed else "cividis",
            vmin=-largest if signed else 0,
            vmax=largest,
            interpolation="nearest",
        )
        beyond = "max" if np.nanmax(values, initial=0.0) > largest else "neither"
        bar = axis.figure.colorbar(image, ax=axis, fraction=0.046, pad=0.02, extend=beyond)
        bar.ax.tick_params(labelsize="x-small")
        lost = np.flatnonzero(~observed[rows, m])
        if len(lost):
            axis.plot(
                np.full(len(lost), -0.03),
                lost,
                "_",
                color=DARK,
                transform=axis.get_yaxis_transform(),
                clip_on=False,
                markersize=5,
            )
            if order == "observed":
                edge = len(observed) - len(lost) - 0.5
                axis.axhline(edge, color=DARK, linewidth=1)
                axis.axvline(edge, color=DARK, linewidth=1)
        if colours:
            class_strip(axis, [colours[i] for i in rows])
        what = "completed" if completed else "missing"
        axis.set_title(f"{wrapped(name)}: {len(lost)} {what}", fontsize="small", y=1.07 if colours else None)
        axis.set_xticks([])
        axis.set_yticks([])
    if named:
        class_legend(axes, named)
    return axes


def spectra(data: MultiView | Result, *, count: int = 30, ax: Axes | None = None) -> Axes:
    """The largest eigenvalues of each kernel (of the observed block if it has gaps), in % of their sum.

    Parameters
    ----------
    data
        As in :func:`kernels`.
    count
        Number of eigenvalues.
    ax
        Axes to draw into; None makes a figure.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> ax = mkc.plot.spectra(example.kernels, count=10)
    """
    if _is_result(data):
        completion = _completion(data)
        blocks, names = completion.arrays, completion.views
    else:
        views = read_views(data)
        problem = assemble(views, psd="unchecked")
        names = views.names
        blocks = [problem.block(m) for m in range(len(names))]
    ax = axes_or_new(ax, (5.5, 3.6))
    for m, (name, K) in enumerate(zip(names, blocks)):
        values = np.clip(np.linalg.eigvalsh(K)[::-1], 0, None)
        shares = 100 * values / (values.sum() or 1.0)
        shown = shares[:count]
        shown = np.where(shown > 1e-6, shown, np.nan)  # rounding of zeros
        ax.semilogy(np.arange(1, len(shown) + 1), shown, ".-", label=name, color=LINES[m % len(LINES)])
    ax.set_xlabel("eigenvalue")
    ax.set_ylabel("% of the trace")
    ax.legend(frameon=False, fontsize="small")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def convergence(result: Result, *, ax: Axes | None = None) -> Axes:
    """The objective of an iterative method, iteration by iteration.

    Parameters
    ----------
    result
        The result of :func:`mkc.complete`, or a fitted :class:`mkc.KernelCompleter`.
    ax
        Axes to draw into; None makes a figure.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> result = mkc.complete(example.kernels, "app", c2=0.1)
    >>> ax = mkc.plot.convergence(result)
    """
    completion = _completion(result)
    ax = axes_or_new(ax, (5.5, 3.2))
    values = completion.objective
    ax.set_title(f"{completion.method}: {completion.status}, {completion.n_iter} iterations", fontsize="medium")
    if len(values) == 0:
        ax.text(0.5, 0.5, f"'{completion.method}' has no iterations", ha="center", transform=ax.transAxes)
        ax.set_axis_off()
        return ax
    ax.plot(np.arange(1, len(values) + 1), values, color=_OBSERVED)
    if np.nanmin(values) > 0 and np.nanmax(values) > 20 * np.nanmin(values):
        ax.set_yscale("log")
    if len(values) > 200:
        ax.set_xscale("log")
    ax.set_xlabel("iteration")
    ax.set_ylabel("objective")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def relations(result: Result, *, ax: Axes | None = None) -> Axes:
    """The view relations S: row m holds the weights of the other views for view m.

    Parameters
    ----------
    result
        A completion by a method that learns them: embd_ht, app, sdp, transfer or latent.
    ax
        Axes to draw into; None makes a figure.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> ax = mkc.plot.relations(mkc.complete(example.kernels, "app", c2=0.1))
    """
    completion = _completion(result)
    if completion.view_relations is None:
        raise InputError(
            f"method '{completion.method}' learns no relations between views",
            "complete with embd_ht, app, sdp, transfer or latent",
        )
    S = completion.view_relations.to_numpy()
    n = len(S)
    ax = axes_or_new(ax, (2.4 + 0.7 * n, 1.2 + 0.6 * n))
    image = ax.imshow(S, cmap="Blues", vmin=0, vmax=max(1.0, float(S.max())))
    for i in range(n):
        for j in range(n):
            if S[i, j] > 0:
                dark = S[i, j] > 0.6
                ax.text(
                    j,
                    i,
                    f"{S[i, j]:.2f}",
                    ha="center",
                    va="center",
                    fontsize="small",
                    color="white" if dark else "black",
                )
    ax.set_xticks(range(n), completion.views, rotation=45, ha="right", rotation_mode="anchor")
    ax.set_yticks(range(n), completion.views)
    ax.set_xlabel("weight of this view for the view of the row")
    ax.figure.colorbar(image, ax=ax, fraction=0.046, label="weight")
    return ax


def quality(result: Result, *, ax: Axes | None = None) -> Axes:
    """Estimated error of every completed row, intervals (of views with many rows, of every few), and the errors of
    the average row of the view and of the mean of the other views.

    Parameters
    ----------
    result
        A completion by ``"auto"``, or by any method with ``quality=True``.
    ax
        Axes to draw into; None makes a figure.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> ax = mkc.plot.quality(mkc.complete(example.kernels, "wknn", quality=True))
    """
    completion = _completion(result)
    if completion.quality is None or completion.worth is None:
        why = [text for text in completion.notices if text.startswith("nothing is") or "not estimated" in text]
        if why:
            raise InputError(f"there are no error estimates: {why[0]}")
        raise InputError("there are no error estimates", "complete with method='auto' or quality=True")
    ax = axes_or_new(ax, (1.5 + 1.5 * len(completion.views), 3.8))
    for m, view in enumerate(completion.views):
        rows = completion.quality[completion.quality["view"] == view].sort_values("relative_error")
        if rows.empty:
            continue
        where = m + np.linspace(-0.36, 0.36, len(rows)) if len(rows) > 1 else np.array([float(m)])
        shown = np.unique(np.linspace(0, len(rows) - 1, min(len(rows), _INTERVALS)).round().astype(int))
        low, high = (100 * rows[end].to_numpy()[shown] for end in ("low", "high"))
        ax.vlines(where[shown], low, high, color=_OBSERVED, alpha=0.35, linewidth=1)
        ax.plot(
            where,
            100 * rows["relative_error"],
            ".",
            color=_OBSERVED,
            markersize=4,
            label="completed row, 90 % interval" if m == 0 else None,
        )
    place = np.arange(len(completion.views))
    for column, colour, legend in (
        ("mean_of_others_error", "#d1603d", "mean of the other views"),
        ("average_row_error", "#6b6b60", "average row"),
    ):
        errors = 100 * completion.worth[column].to_numpy()
        ax.hlines(errors, place - 0.42, place + 0.42, color=colour, label=legend)
    names = [wrapped(view) for view in completion.views]
    ax.set_xticks(range(len(names)), names)
    if max(map(len, names)) > 12:
        for label in ax.get_xticklabels():
            label.set(rotation=30, ha="right", rotation_mode="anchor")
    ax.set_ylim(bottom=0)
    ax.set_ylabel("relative error %")
    ax.legend(frameon=False, fontsize="small", loc="lower center", bbox_to_anchor=(0.5, 1), ncols=3)
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def embedding(data: MultiView | Result, *, y: Classes | None = None, ax: Axes | None = None) -> Axes:
    """Samples in the two leading directions of the combined kernel (kernel PCA); open circles lacked a view.

    Parameters
    ----------
    data
        Kernels without gaps, a single one, the result of :func:`mkc.complete`, or a fitted
        :class:`mkc.KernelCompleter`.
    y
        Classes, one per sample (a Series by sample name, or in their order), shown by colour. More than ten
        different numbers get a colour scale; of more than ten classes the smallest share a colour.
    ax
        Axes to draw into; None makes a figure.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> result = mkc.complete(example.kernels, "mean")
    >>> ax = mkc.plot.embedding(result, y=["a", "b"] * 20)
    """
    whole: BoolArray | None = None
    if _is_result(data):
        data = _completion(data)
        whole = np.asarray(data.observed.to_numpy().all(axis=1))
    given = _combine.completed_views(data)
    labelled, samples = given.container.labelled, given.tables[0].ids
    values = None if y is None else classes_of(y, labelled, samples)
    K = _combine.combine(data)
    centred = K - K.mean(axis=0) - K.mean(axis=1)[:, None] + K.mean()
    eigenvalues, vectors = np.linalg.eigh(centred)
    places = vectors[:, [-1, -2]] * np.sqrt(np.clip(eigenvalues[[-1, -2]], 0, None))
    shares = 100 * eigenvalues[[-1, -2]] / np.clip(eigenvalues, 0, None).sum()
    ax = axes_or_new(ax, (5, 4.2))
    beside: dict[str, Any] = {"loc": "center left", "bbox_to_anchor": (1, 0.5)}
    if values is None:
        colours = [LINES[0]] * len(K)
    elif is_scale(values):
        beside = {"loc": "lower center", "bbox_to_anchor": (0.5, 1)}  # the bar is at the side
        colours = scale_colours(ax, values)
    else:
        colours, named = class_colours(class_texts(values))
        for name, colour in named.items():
            ax.scatter([], [], s=18, color=colour, label=name)
    full = np.ones(len(K), dtype=bool) if whole is None else whole
    for chosen, filled in ((full, True), (~full, False)):
        edges = [colour for colour, here in zip(colours, chosen) if here]
        faces = edges if filled else "none"
        across, up = places[chosen].T
        ax.scatter(across, up, s=18, facecolors=faces, edgecolors=edges, linewidths=0.9)
    if not full.all():
        ax.scatter([], [], s=18, facecolors="none", edgecolors=DARK, label="lacked a view")
    if ax.get_legend_handles_labels()[0]:
        ax.legend(frameon=False, fontsize="small", **beside)
    ax.set_xlabel(f"direction 1 ({shares[0]:.0f} %)")
    ax.set_ylabel(f"direction 2 ({shares[1]:.0f} %)")
    ax.spines[["top", "right"]].set_visible(False)
    return ax
