"""Parts of plots: axes, long names, colours of classes."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd

from ._errors import InputError
from ._types import FloatArray

if TYPE_CHECKING:
    from matplotlib.axes import Axes

LINES = ["#2f6690", "#d1603d", "#5b8e7d", "#9a6fb0", "#c9a227", "#6b705c", "#b5446e", "#3a86a8"]
LINES += ["#4b3f72", "#a3b18a"]
GREY = "#b8b4ab"
DARK = "#222222"  # of marks that stand for no class


def axes_or_new(ax: Axes | None, size: tuple[float, float]) -> Axes:
    if ax is not None:
        return ax
    import matplotlib.pyplot as plt

    return plt.subplots(figsize=size, layout="constrained")[1]


def grid_of_axes(count: int, ax: Axes | Sequence[Axes] | None, size: float = 2.6, below: float = 0.0) -> list[Axes]:
    """``count`` axes: those of ``ax``, or new ones with room ``below`` them."""
    if ax is not None:
        axes: list[Axes] = list(np.ravel(np.asarray(ax)))
        if len(axes) < count:
            raise InputError(f"ax: {count} axes are needed, {len(axes)} are given")
        return axes[:count]
    import matplotlib.pyplot as plt

    columns = min(count, 4)
    rows = -(-count // columns)
    figure, made = plt.subplots(
        rows, columns, figsize=(size * columns + 0.6, size * rows + 0.3 + below), squeeze=False, layout="constrained"
    )
    flat = list(made.ravel())
    for spare in flat[count:]:
        figure.delaxes(spare)
    return flat[:count]


def wrapped(name: Any) -> str:
    """A view's name, wrapped so that it does not overlap its neighbours."""
    return textwrap.fill(str(name), 22)


def is_scale(values: Sequence[Any]) -> bool:
    """Whether there are more different numbers than a legend can hold."""
    known = {value for value in values if not pd.isna(value)}
    return len(known) > len(LINES) and all(isinstance(v, (int, float, np.number)) for v in known)


def _few(classes: list[str]) -> list[str]:
    """Classes for a legend: if there are too many, the smallest are merged."""
    counts = pd.Series(classes).value_counts()
    if len(counts) <= len(LINES):
        return classes
    kept = set(counts.index[: len(LINES) - 2])
    return [text if text in kept else f"{len(counts) - len(kept)} other classes" for text in classes]


def class_colours(classes: list[str]) -> tuple[list[str], dict[str, str]]:
    """A colour per sample, and the colour of each class for a legend."""
    groups = _few(classes)
    own = [group for group in sorted(set(groups)) if group in classes and group]
    colour_of = dict(zip(own, LINES))
    rest = {group: GREY for group in sorted(set(groups)) if group not in own}
    named = {group or "no class": colour for group, colour in {**colour_of, **rest}.items()}
    return [colour_of.get(group, GREY) for group in groups], named


def class_strip(ax: Axes, colours: Sequence[Any]) -> None:
    """The classes of the samples, as a strip above a heat map."""
    from matplotlib.colors import to_rgb

    strip = ax.inset_axes((0, 1.015, 1, 0.045))
    strip.imshow([[to_rgb(colour) for colour in colours]], aspect="auto", interpolation="nearest")
    strip.set_axis_off()


def class_legend(axes: list[Axes], named: dict[str, str]) -> None:
    """The colours of the classes, below the plots."""
    from matplotlib.patches import Patch

    patches = [Patch(color=colour, label=name) for name, colour in named.items()]
    columns = min(len(patches), 5)
    style: dict[str, Any] = {"frameon": False, "fontsize": "small", "handlelength": 1, "ncols": columns}
    figure: Any = axes[0].figure
    if figure.get_layout_engine() is None:  # of the user: no room can be made
        axes[0].legend(handles=patches, loc="upper left", bbox_to_anchor=(0, -0.02), **style)
    else:
        figure.legend(handles=patches, loc="outside lower center", **style)


def largest_value(values: Any) -> float:
    """The end of the colour scale of a kernel: the diagonal is often much larger than all else."""
    n = len(values)
    others = np.abs(values[~np.eye(n, dtype=bool)]) if n > 1 else np.abs(values)
    others = others[np.isfinite(others)]
    end = float(np.quantile(others, 0.99)) if others.size else 0.0
    return end or float(np.nanmax(np.abs(values), initial=0.0)) or 1.0


def numbers_of(values: list[Any]) -> FloatArray:
    return np.asarray([np.nan if pd.isna(value) else value for value in values], dtype=np.float64)


def scale_colours(axes: Axes | list[Axes], values: list[Any]) -> Any:
    """A colour per sample, explained by a colour bar."""
    import matplotlib.pyplot as plt
    from matplotlib.cm import ScalarMappable

    numbers = numbers_of(values)
    scale = ScalarMappable(cmap=plt.get_cmap("viridis").with_extremes(bad=GREY))
    scale.set_clim(np.nanmin(numbers), np.nanmax(numbers))
    if isinstance(axes, list):
        figure: Any = axes[0].figure
        figure.colorbar(scale, ax=axes, location="bottom", fraction=0.03, aspect=60, pad=0.02)
    else:
        axes.figure.colorbar(scale, ax=axes, fraction=0.046, pad=0.02)
    return scale.to_rgba(numbers)
