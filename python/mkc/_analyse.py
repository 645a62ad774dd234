"""What completed kernels tell about the samples: axes, clusters, and the features behind them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal, Union

import numpy as np
import numpy.typing as npt
import pandas as pd

from . import _core
from ._combine import aligned, completed_views
from ._complete import Completion
from ._errors import InputError, OptionError
from ._factor_completion import FactorCompletion
from ._inputs import Table, Views, read_views
from ._run import Progress, check_texts, count_of, seed_of, threads_of, warn
from ._types import Classes, FloatArray, MultiView, RandomState

EmbedMethod = Literal["kernel-pca", "diffusion", "latent"]


@dataclass(repr=False)
class Embedding:
    """Coordinates of samples: the result of :func:`mkc.embed`.

    Attributes
    ----------
    method
        ``"kernel-pca"``, ``"diffusion"`` or ``"latent"``.
    coordinates
        One row per sample, columns ``axis_1``, ``axis_2``, ... The entry of an axis with the largest absolute
        value is positive.
    weights
        What each axis is worth: its share of the variance (kernel-pca), its eigenvalue (diffusion), how far the
        views share it (latent).

    Examples
    --------
    >>> import mkc
    >>> found = mkc.embed(mkc.datasets.make_example(40, random_state=1).truth)
    >>> found
    Embedding(method='kernel-pca', samples=40, axes=2)
    >>> list(found.coordinates.columns)
    ['axis_1', 'axis_2']
    """

    method: str
    coordinates: pd.DataFrame
    weights: pd.Series

    def __repr__(self) -> str:
        samples, axes = self.coordinates.shape
        return f"Embedding(method={self.method!r}, samples={samples}, axes={axes})"


@dataclass(repr=False)
class Clustering:
    """Clusters of samples: the result of :func:`mkc.cluster`.

    Attributes
    ----------
    clusters
        The number of clusters; 1 where it was to be chosen and none were found.
    found
        Whether the clusters are clearly more stable than those of samples without clusters.
    samples
        One row per sample: ``cluster`` (1, 2, ...; 1 is the largest), ``strength`` (mean share of resamples in which
        the sample is with the others of its cluster), ``next_cluster`` and ``next_strength`` (the other cluster
        it is with most often).
    graph
        What the clusters were found in, for example ``"views fused, 10 neighbours"``; empty where there is one.
    stability, reference
        Mean adjusted Rand index of two resamples, of these kernels and of kernels without clusters; NaN where
        there is one cluster.
    tried
        One row per number of clusters tried: the most stable graph and how it compares with the reference.
    graphs
        The stability of every graph with every number of clusters.

    Examples
    --------
    >>> import mkc
    >>> found = mkc.cluster(mkc.datasets.make_example(60, random_state=1).truth, 2, resamples=5)
    >>> len(found.samples), sorted(found.samples["cluster"].unique().tolist())
    (60, [1, 2])
    """

    clusters: int
    found: bool
    samples: pd.DataFrame
    graph: str
    stability: float
    reference: float
    tried: pd.DataFrame
    graphs: pd.DataFrame

    def __repr__(self) -> str:
        return (
            f"Clustering(clusters={self.clusters}, found={self.found}, samples={len(self.samples)}, "
            f"graph={self.graph!r}, stability={self.stability:.3f}, reference={self.reference:.3f})"
        )


@dataclass(repr=False)
class Drivers:
    """Views and features behind axes and clusters: the result of :func:`mkc.drivers`.

    Attributes
    ----------
    features
        One row per view, feature and target: ``measure`` (``correlation`` with an axis, ``eta2``, the share of its
        variance between clusters, or ``difference`` of means inside and outside a cluster in standard deviations),
        ``association``, ``samples`` with a value, and ``rank`` within view and target.
    view_shares
        One row per view: the share of its variance along each axis, along all of them, and between clusters.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> tables = {"protein": example.features["protein"].iloc[:, :5]}
    >>> mkc.drivers(example.truth, tables, dimensions=2)
    Drivers(views=4, features=5, targets=['axis_1', 'axis_2'])
    """

    features: pd.DataFrame
    view_shares: pd.DataFrame

    def __repr__(self) -> str:
        named = self.features[["view", "feature"]].drop_duplicates()
        targets = list(dict.fromkeys(self.features["target"]))
        return f"Drivers(views={len(self.view_shares)}, features={len(named)}, targets={targets})"


@dataclass
class _Given:
    """Completed kernels of the same samples."""

    views: Views
    arrays: list[FloatArray]
    samples: list[str]

    @property
    def names(self) -> list[str]:
        return [str(name) for name in self.views.names]

    @property
    def index(self) -> pd.Index:
        return self.views.container.index(self.samples)

    @property
    def labelled(self) -> bool:
        return self.views.container.labelled


def _given(kernels: MultiView | Completion[Any] | FactorCompletion) -> _Given:
    views = completed_views(kernels)
    arrays, samples = aligned(views)
    return _Given(views, arrays, samples)


def embed(
    kernels: MultiView | Completion[Any] | FactorCompletion, method: EmbedMethod = "kernel-pca", *, dimensions: int = 2
) -> Embedding:
    """Coordinates of all samples: few axes that keep what the kernels tell.

    Parameters
    ----------
    kernels
        Completed kernels of any kind, or the result of :func:`mkc.complete`. Several kernels are divided by their
        variance and averaged; one alone is taken as it is.
    method
        ``"kernel-pca"``: the directions of most variance; ``"diffusion"``: a diffusion map, which keeps
        neighbourhoods; ``"latent"``: axes that as many views as possible share (needs two views).
    dimensions
        Number of axes. Axes that are only rounding error are left out, with a warning.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> found = mkc.embed(mkc.complete(example.kernels, "mean"), "latent", dimensions=3)
    >>> found.coordinates.shape
    (40, 3)
    """
    check_texts(method=method)
    given = _given(kernels)
    wanted = count_of("dimensions", dimensions, 1)
    coordinates, weights = _core.embed(given.arrays, given.names, given.samples, method, wanted)
    if len(weights) < wanted:
        warn([f"the kernel has only {len(weights)} of {wanted} axes"])
    axes = [f"axis_{a + 1}" for a in range(len(weights))]
    return Embedding(method, pd.DataFrame(coordinates, given.index, axes), pd.Series(weights, axes, name="weight"))


def cluster(
    kernels: MultiView | Completion[Any] | FactorCompletion,
    clusters: int | Literal["auto"] = "auto",
    *,
    max_clusters: int = 10,
    resamples: int = 20,
    random_state: RandomState | None = None,
    n_jobs: int | None = None,
    verbose: int = 0,
) -> Clustering:
    """Clusters of samples without labels, and how surely each sample is in its cluster.

    The graph, and with ``"auto"`` the number of clusters, are those that are most stable over resamples,
    compared with kernels without clusters. A warning says where the clusters are not clearly more stable.

    Parameters
    ----------
    kernels
        Completed kernels of any kind, or the result of :func:`mkc.complete`.
    clusters
        The number of clusters from 2, or ``"auto"``: the largest that is about as stable as any.
    max_clusters
        The largest number that ``"auto"`` tries; at most one cluster per four samples is tried.
    resamples
        How often samples are drawn. Larger: strengths are less random, slower.
    random_state
        Seed or generator that decides the draws, keyed by sample. None is 0.
    n_jobs
        Threads, as in scikit-learn: None is 1, -1 is all. The result does not depend on it.
    verbose
        1 shows a progress bar.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(60, random_state=1)
    >>> found = mkc.cluster(mkc.complete(example.kernels, "mean"), 3, resamples=5)
    >>> list(found.samples.columns)
    ['cluster', 'strength', 'next_cluster', 'next_strength']
    >>> int(found.samples["cluster"].max())
    3
    """
    if clusters == "auto":
        wanted = 0
    elif isinstance(clusters, str):
        raise OptionError(f"clusters: {clusters!r} is not 'auto' or an integer >= 2")
    else:
        wanted = count_of("clusters", clusters, 2)
    most = count_of("max_clusters", max_clusters, 2)
    draws = count_of("resamples", resamples, 2)
    given = _given(kernels)
    progress = Progress(verbose)
    try:
        found = _core.cluster(
            given.arrays,
            given.names,
            given.samples,
            wanted,
            most,
            draws,
            seed_of(random_state),
            threads_of(n_jobs),
            progress.listener,
        )
    finally:
        progress.close()
    warn(found["notices"])
    of_next = np.array(found["next"])
    samples = pd.DataFrame(
        {
            "cluster": np.array(found["of_sample"]) + 1,
            "strength": found["strength"],
            "next_cluster": pd.array(np.where(of_next < 0, 0, of_next + 1), dtype="Int64"),
            "next_strength": found["next_strength"],
        },
        index=given.index,
    )
    samples.loc[of_next < 0, ["next_cluster", "next_strength"]] = pd.NA
    return Clustering(
        found["clusters"],
        found["found"],
        samples,
        found["graph"],
        found["stability"],
        found["reference"],
        pd.DataFrame(found["tried"]),
        pd.DataFrame(found["graphs"]),
    )


def drivers(
    kernels: MultiView | Completion[Any] | FactorCompletion,
    views: MultiView,
    *,
    clusters: Clustering | Classes | None = None,
    embedding: Union[Embedding, pd.DataFrame, FloatArray, None] = None,
    dimensions: int = 5,
    top: int | None = None,
) -> Drivers:
    """Which views, and which features of a view, carry the axes and the clusters.

    Associations describe: clusters were found in the same data, so that a test of a feature between clusters
    would be too optimistic.

    Parameters
    ----------
    kernels
        Completed kernels of any kind, or the result of :func:`mkc.complete`.
    views
        The features that the kernels were made from, samples in rows, as for :func:`mkc.compute_kernels`.
        DataFrames are matched by sample name; rows of arrays are the samples of the kernels.
    clusters
        The result of :func:`mkc.cluster`, or one cluster or class per sample (a Series by sample name); None or NaN
        is in no cluster.
    embedding
        The result of :func:`mkc.embed`, or one row per sample; default: kernel principal components.
    dimensions
        Number of these components.
    top
        Only so many features per view and target; default: all.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(60, random_state=1)
    >>> found = mkc.cluster(example.truth, 2, resamples=5)
    >>> behind = mkc.drivers(example.truth, example.features, clusters=found, dimensions=2, top=3)
    >>> list(behind.features.columns)
    ['view', 'feature', 'target', 'measure', 'association', 'samples', 'rank']
    >>> list(behind.view_shares.columns)
    ['axis_1', 'axis_2', 'all_axes', 'clusters']
    """
    given = _given(kernels)
    axes, axis_names = _axes(given, embedding, count_of("dimensions", dimensions, 1))
    of_sample, cluster_names = ([], []) if clusters is None else _clusters(given, clusters)
    targets = (axes, axis_names, of_sample, cluster_names)
    place = {name: i for i, name in enumerate(given.samples)}
    tables = read_views(views, features=True).tables
    columns = _core.feature_drivers([_features(table, given, place) for table in tables], *targets)
    names = ["view", "feature", "target", "measure", "association", "samples", "rank"]
    features = pd.DataFrame(dict(zip(names, columns)))
    if top is not None:
        features = features[features["rank"] <= count_of("top", top, 1)].reset_index(drop=True)
    along, along_all, between = _core.view_shares(given.arrays, given.names, given.samples, *targets)
    shares = pd.DataFrame(along, pd.Index(given.views.names, name="view"), axis_names)
    shares["all_axes"] = along_all
    if cluster_names:
        shares["clusters"] = between
    return Drivers(features, shares)


def _axes(given: _Given, embedding: Any, dimensions: int) -> tuple[FloatArray, list[str]]:
    """(N, a) and the names of the axes."""
    if embedding is None:
        found, _ = _core.embed(
            given.arrays, given.names, given.samples, "kernel-pca", min(dimensions, len(given.samples) - 1)
        )
        return found, [f"axis_{a + 1}" for a in range(found.shape[1])]
    table = read_views(embedding.coordinates if isinstance(embedding, Embedding) else embedding).tables[0]
    values = table.values[_rows("embedding", table, given)]
    if not np.isfinite(values).all():
        raise InputError("embedding: some samples have NaN or infinite coordinates")
    numbered = [f"axis_{a + 1}" for a in range(values.shape[1])]
    return values, numbered if table.columns is None else table.column_ids


def _rows(what: str, table: Table, given: _Given) -> list[int]:
    """The row of every sample of the kernels."""
    if table.labels is None or not given.labelled:
        if len(table.values) != len(given.samples):
            raise InputError(f"{what}: {len(table.values)} rows, the kernels have {len(given.samples)} samples")
        return list(range(len(given.samples)))
    where = {name: i for i, name in enumerate(table.ids)}
    lost = [name for name in given.samples if name not in where]
    if lost:
        raise InputError(f"{what}: sample '{lost[0]}' of the kernels is not in it")
    return [where[name] for name in given.samples]


def _clusters(given: _Given, clusters: Any) -> tuple[list[int], list[str]]:
    """The cluster of every sample, -1 for none, and the names of the clusters."""
    if isinstance(clusters, Clustering):
        clusters = clusters.samples["cluster"]
    if isinstance(clusters, pd.Series) and given.labelled:
        named = {str(name): value for name, value in clusters.items()}
        if len(named) < len(clusters):
            raise InputError("clusters: a sample is there twice")
        lost = [name for name in given.samples if name not in named]
        if lost:
            raise InputError(f"clusters: sample '{lost[0]}' of the kernels is not in it")
        clusters = [named[name] for name in given.samples]
    values = np.asarray(clusters, dtype=object)
    if values.shape != (len(given.samples),):
        raise InputError(f"clusters: one per sample is needed, {len(given.samples)}; this has shape {values.shape}")
    codes, found = pd.factorize(pd.Series(values).infer_objects(), sort=True)
    return [int(code) for code in codes], [f"cluster {name}" for name in found]


def _features(table: Table, given: _Given, place: dict[str, int]) -> tuple[str, list[str], list[int], FloatArray]:
    """A view, its features, the samples of its rows, and the values of those."""
    if table.labels is None or not given.labelled:
        rows: npt.NDArray[np.intp] = np.array(_rows(f"view '{table.name}'", table, given))
        places = list(range(len(rows)))
    else:
        ids = table.ids
        rows = np.array([i for i, name in enumerate(ids) if name in place], dtype=np.intp)
        places = [place[ids[i]] for i in rows]
        if not places:
            raise InputError(
                f"view '{table.name}': none of its samples is in the kernels, the first is '{ids[0] if ids else ''}'",
                "give the features that the kernels were made from",
            )
    present = table.present[rows]
    return (
        str(table.name),
        table.column_ids,
        [p for p, here in zip(places, present) if here],
        np.ascontiguousarray(table.values[rows[present]]),
    )
