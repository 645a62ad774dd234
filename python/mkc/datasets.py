"""Small example data; nothing is downloaded.

>>> import mkc
>>> example = mkc.datasets.make_example(40)
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pandas as pd

from . import _core
from ._errors import OptionError
from ._kernels import compute_kernels
from ._types import FloatArray


@dataclass
class Example:
    """Data with known truth, to compare completed with true kernels.

    Attributes
    ----------
    kernels : per view the kernel of all samples, rows and columns of hidden samples NaN
    truth : the same kernels with nothing hidden
    observed : samples x views, False where hidden
    features : per view the feature table of all samples

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> list(example.truth)
    ['expression', 'methylation', 'protein', 'mutations']
    >>> example.observed.shape
    (40, 4)
    """

    kernels: dict[str, pd.DataFrame] = field(repr=False)
    truth: dict[str, pd.DataFrame] = field(repr=False)
    observed: pd.DataFrame = field(repr=False)
    features: dict[str, pd.DataFrame] = field(repr=False)


def _hidden(truth: dict[str, pd.DataFrame], observed: pd.DataFrame) -> dict[str, pd.DataFrame]:
    kernels = {}
    for view, frame in truth.items():
        lost = ~observed[view].to_numpy()
        values = frame.to_numpy().copy()
        values[lost] = values[:, lost] = np.nan
        kernels[view] = pd.DataFrame(values, frame.index, frame.columns)
    return kernels


def make_example(n_samples: int = 150, missing: float = 0.25, random_state: int = 1) -> Example:
    """The example of ``mkc demo``: four groups of samples in four views (expression, methylation, protein,
    mutations) with different kernels.

    Parameters
    ----------
    n_samples
        Number of samples.
    missing
        Share of the (sample, view) pairs to hide.
    random_state
        Seed of the random numbers.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, missing=0.25)
    >>> example.kernels["protein"].shape
    (40, 40)
    """
    samples, views, observed = _core.make_example(n_samples, missing, random_state)
    index = pd.Index(samples, name="sample")
    features = {name: pd.DataFrame(values, index) for name, values, _ in views}
    truth = compute_kernels(features, {name: dict(options) for name, _, options in views})
    mask = pd.DataFrame(np.asarray(observed), index, list(features))
    return Example(_hidden(truth, mask), truth, mask, features)


# The kernel of each of the five views: None is linear, a number is the gamma of exp(-gamma d^2).
_TOYS: dict[str, list[float | None]] = {
    "TOYL": [None] * 5,
    "TOYG1": [1.0] * 5,
    "TOYG0.1": [10.0] * 5,
    "TOYLG1": [None, None, None, 1.0, 1.0],
}


def make_toy(name: str = "TOYG1", n_samples: int = 100, views_missing: int = 1, random_state: int = 0) -> Example:
    """Data like the paper's TOY sets: five views of samples that are mixtures of ten basis points.

    The basis points are uniform on [-1, 1], in 5 dimensions for the first two views and in 10 for the
    others; the mixing weights are uniform on [0, 1], one set for the first two views and one for the
    others. ``TOYL``: linear kernels; ``TOYG1`` and ``TOYG0.1``: Gaussian of width 1 and 0.1; ``TOYLG1``:
    three linear, two Gaussian. All have a unit diagonal.

    Parameters
    ----------
    name
        ``"TOYL"``, ``"TOYG1"``, ``"TOYG0.1"`` or ``"TOYLG1"``.
    n_samples
        Number of samples, including the ten basis points.
    views_missing
        Number of random views hidden from every sample except the basis points.
    random_state
        Seed of the random numbers.

    Examples
    --------
    >>> import mkc
    >>> toy = mkc.datasets.make_toy("TOYL", n_samples=30, views_missing=2)
    >>> int((~toy.observed).sum(axis=1).max())
    2
    """
    if name not in _TOYS:
        raise OptionError(f"there is no toy data set '{name}'", f"choose one of {', '.join(_TOYS)}")
    if not 0 <= views_missing < 5:
        raise OptionError(f"views_missing: {views_missing} is not from 0 to 4")
    if n_samples < 12:
        raise OptionError(f"n_samples: {n_samples} is less than 12")
    random = np.random.default_rng(random_state)
    mixing = [random.uniform(size=(n_samples - 10, 10)) for _ in range(2)]
    index = pd.Index([f"S{i + 1:03}" for i in range(n_samples)], name="sample")
    features, truth = {}, {}
    for m, gamma in enumerate(_TOYS[name]):
        basis = random.uniform(-1, 1, size=(10, 5 if m < 2 else 10))
        values = np.vstack([basis, mixing[0 if m < 2 else 1] @ basis])
        view = f"view{m + 1}"
        features[view] = pd.DataFrame(values, index)
        truth[view] = pd.DataFrame(_toy_kernel(values, gamma), index, index)
    observed = np.ones((n_samples, 5), dtype=bool)
    for i in range(10, n_samples):
        observed[i, random.choice(5, size=views_missing, replace=False)] = False
    mask = pd.DataFrame(observed, index, list(truth))
    return Example(_hidden(truth, mask), truth, mask, features)


def _toy_kernel(values: FloatArray, gamma: float | None) -> FloatArray:
    options: dict[str, Any] = {"kernel": "cosine"}  # linear with a unit diagonal
    if gamma is not None:
        options = {"kernel": "rbf", "gamma": gamma, "scale": "none"}
    kernel: FloatArray = compute_kernels({"view": values}, {"view": options})["view"]
    return kernel


def load_digits_views(n_samples: int | None = None) -> tuple[dict[str, pd.DataFrame], pd.Series]:
    """scikit-learn's 1797 handwritten digits (8 x 8 pixels) in five views: the upper and the lower half,
    profiles (sums of rows, columns and diagonals), edges (differences of neighbours) and spectrum (absolute
    Fourier coefficients).

    Parameters
    ----------
    n_samples
        Take the first n_samples; None is all.

    Returns the complete views and the digits.

    Examples
    --------
    >>> import mkc
    >>> views, y = mkc.datasets.load_digits_views(50)
    >>> views["edges"].shape, y.nunique()
    ((50, 112), 10)
    """
    from sklearn.datasets import load_digits

    bunch = load_digits()
    images, digits = bunch.images[:n_samples], bunch.target[:n_samples]
    count = len(images)
    index = pd.Index([f"digit{i:04}" for i in range(count)], name="sample")
    diagonals = [images.trace(k, axis1=1, axis2=2) for k in range(-4, 5)]
    parts = {
        "upper": images[:, :4].reshape(count, -1),
        "lower": images[:, 4:].reshape(count, -1),
        "profiles": np.column_stack([images.sum(axis=1), images.sum(axis=2), *diagonals]),
        "edges": np.column_stack([np.diff(images, axis=a).reshape(count, -1) for a in (1, 2)]),
        "spectrum": np.abs(np.fft.rfft2(images)).reshape(count, -1),
    }
    return {name: pd.DataFrame(values, index) for name, values in parts.items()}, pd.Series(digits, index, name="digit")
