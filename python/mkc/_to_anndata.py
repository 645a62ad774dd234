"""Storage of results in an AnnData, with the graph of neighbours that scanpy works on."""

from __future__ import annotations

from typing import Any

import numpy as np

import mkc  # annotations name its estimators, which are imported when they are used

from ._combine import combine
from ._complete import Completion
from ._errors import InputError, OptionError
from ._inputs import read_views
from ._run import count_of
from ._to_mudata import details_of, ordered
from ._types import AnnDataT, FloatArray, MultiView


def to_anndata(
    kernels: MultiView | Completion[Any] | mkc.KernelCompleter,
    adata: AnnDataT,
    *,
    key_added: str = "mkc",
    n_neighbors: int = 15,
    copy: bool = False,
) -> AnnDataT:
    """Stores completed kernels in ``adata.obsp``, and their neighbours as ``scanpy.pp.neighbors`` does.

    ``obsp["mkc_<view>"]`` are the kernels and ``obsp["mkc_kernel"]`` is one kernel of all, by :func:`mkc.combine`.
    ``obsp["mkc_distances"]`` has the distances in that kernel, d(i, j)^2 = k(i, i) + k(j, j) - 2 k(i, j), of every
    sample to its nearest ones, ``obsp["mkc_connectivities"]`` their weights, and ``uns["mkc"]`` names both, so that
    functions of scanpy take them: ``sc.tl.leiden(adata, neighbors_key="mkc")``, ``sc.tl.umap``, ``sc.tl.diffmap``.

    Parameters
    ----------
    kernels
        As in :func:`mkc.to_mudata`; of a single kernel there is only ``obsp["mkc_kernel"]``.
    adata
        The AnnData with the same samples, or some of them.
    key_added
        Prefix of the names in ``obsp``, and name in ``uns``.
    n_neighbors
        Neighbours of a sample, itself among them, as in scanpy.
    copy
        Change a copy of ``adata``.

    Returns ``adata``, or a copy of it.

    Examples
    --------
    >>> import anndata, mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> adata = anndata.AnnData(example.features["protein"])
    >>> adata = mkc.to_anndata(mkc.complete(example.kernels, "mean"), adata, n_neighbors=8)
    >>> adata.obsp["mkc_kernel"].shape, adata.uns["mkc"]["connectivities_key"]
    ((40, 40), 'mkc_connectivities')
    """
    from scipy.sparse import csr_matrix  # comes with anndata

    result: Any = adata
    names = result.obs_names
    completion = getattr(kernels, "completion_", kernels)
    given = read_views(completion.frames if isinstance(completion, Completion) else kernels)
    views = {str(table.name): ordered(table, names, "AnnData") for table in given.tables}
    if count_of("n_neighbors", n_neighbors, 2) > len(names):
        raise OptionError(f"n_neighbors: {n_neighbors} is more than the {len(names)} samples")
    taken = {"kernel", "distances", "connectivities"} & set(views)
    if taken and len(views) > 1:
        raise InputError(f"view '{min(taken)}': obsp has this name for all views together", "rename the view")
    total = next(iter(views.values())) if len(views) == 1 else combine(views)
    distances = _neighbours(total, n_neighbors)
    shown = views if len(views) > 1 else {}
    stored: dict[str, Any] = {f"{key_added}_{name}": values for name, values in shown.items()}
    stored[f"{key_added}_kernel"] = total
    stored[f"{key_added}_distances"] = csr_matrix(distances)
    stored[f"{key_added}_connectivities"] = csr_matrix(_connectivities(distances))
    if copy:
        result = result.copy()
    for name, values in stored.items():
        result.obsp[name] = values
    result.uns[key_added] = {
        **(details_of(completion) if isinstance(completion, Completion) else {}),
        "connectivities_key": f"{key_added}_connectivities",
        "distances_key": f"{key_added}_distances",
        "params": {"n_neighbors": n_neighbors, "method": "gauss", "metric": "kernel"},
    }
    stored_in: AnnDataT = result
    return stored_in


def _neighbours(K: FloatArray, n_neighbors: int) -> FloatArray:
    """Row i: the distances of sample i to its n_neighbors - 1 nearest others, elsewhere 0."""
    diagonal = np.diag(K)
    squared = np.maximum(diagonal[:, None] + diagonal - 2 * K, 0)
    np.fill_diagonal(squared, np.inf)
    nearest = np.argsort(squared, axis=1, kind="stable")[:, : n_neighbors - 1]
    distances = np.zeros_like(squared)
    # A duplicate has distance 0, but is a neighbour, which a sparse matrix shows only by an entry.
    near = np.sqrt(np.take_along_axis(squared, nearest, axis=1))
    np.put_along_axis(distances, nearest, np.maximum(near, np.finfo(float).tiny), axis=1)
    return distances


def _connectivities(distances: FloatArray) -> FloatArray:
    """Weights of neighbours: w(i, j) = sqrt(2 s_i s_j / (s_i^2 + s_j^2)) exp(-d(i, j)^2 / (s_i^2 + s_j^2)), where s_i
    is half the distance of sample i to its farthest neighbour; ``method="gauss"`` of scanpy (Haghverdi et al. 2016)."""
    pair = np.maximum(distances, distances.T)  # neighbours of either side
    width = distances.max(axis=1) / 2
    squares = width[:, None] ** 2 + width**2
    same = squares == 0  # duplicates of each other
    squares[same] = 1
    weights = np.sqrt(2 * np.outer(width, width) / squares) * np.exp(-(pair**2) / squares)
    weights[same] = 1
    return np.where(pair > 0, weights, 0.0)
