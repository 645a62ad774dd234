"""Tables of Dask, zarr and Parquet as NPY files that every worker sees. Workers write the blocks that they hold."""

from __future__ import annotations

import itertools
import os
import pathlib
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

import numpy as np

from . import _steps
from ._errors import InputError, OptionError

Run = Any  # distributed.Run: runs a list of calls on the workers


def collection_of(name: str, data: Any) -> Any:
    """A dask array or dataframe of what was given; None where it is a file for the tool."""
    module = type(data).__module__.partition(".")[0]
    if isinstance(data, (str, os.PathLike)):
        path = os.fspath(data)
        suffix = pathlib.PurePath(path.rstrip("/")).suffix.lower()
        if suffix == ".zarr":
            return _from_zarr(name, path)
        if suffix in (".parquet", ".pq"):
            import dask.dataframe

            return dask.dataframe.read_parquet(path)
        return None
    if module == "zarr":
        return _from_zarr(name, data)
    if hasattr(data, "__dask_graph__") and (hasattr(data, "chunks") or hasattr(data, "npartitions")):
        return data
    raise InputError(
        f"view '{name}': a {type(data).__name__} is in the memory of this process",
        "give a path, a dask array or a dask dataframe; mkc.complete(tables, form='factor') takes tables in memory",
    )


def _from_zarr(name: str, data: Any) -> Any:
    import dask.array

    try:
        return dask.array.from_zarr(data)
    except (TypeError, ValueError, OSError, KeyError, AttributeError, ImportError) as error:
        raise InputError(
            f"view '{name}': cannot be read as one zarr array: {error}", "give the array itself, not a group"
        ) from None


def write(run: Run, name: str, data: Any, samples: Sequence[Hashable] | None, table: pathlib.Path) -> None:
    """Writes a collection as an NPY file with the names of its samples, unless it is there."""
    if table.exists():
        return
    unfinished = str(table.with_suffix(".part"))
    lists: list[str] = []
    if hasattr(data, "chunks"):
        _write_array(run, name, data, unfinished)
        if samples is not None:
            if len(samples) != data.shape[0]:
                raise OptionError(f"samples: {len(samples)} names, view '{name}' has {data.shape[0]} rows")
            lists = [str(table.with_suffix(".ids"))]
            pathlib.Path(lists[0]).write_text("".join(f"{label}\n" for label in samples), encoding="utf-8")
    else:
        lists = _write_frame(run, name, data, unfinished)
    run(f"mkc_table_{name}_end", [(_steps.finish_table, unfinished, str(table), lists)])


def _write_array(run: Run, name: str, data: Any, path: str) -> None:
    if data.ndim != 2:
        raise InputError(f"view '{name}': a table with rows and columns is needed, this has {data.ndim} dimensions")
    if any(np.isnan(size) for size in data.shape):
        raise InputError(
            f"view '{name}': the sizes of its chunks are not known", "call its compute_chunk_sizes() first"
        )
    if data.dtype.kind not in "biuf":
        raise InputError(f"view '{name}': the values are of type {data.dtype}, not numbers")
    shape = (int(data.shape[0]), int(data.shape[1]))
    run(f"mkc_table_{name}_begin", [(_steps.create_table, path, shape, _stored(data.dtype))])
    starts = [np.concatenate([[0], np.cumsum(sizes)[:-1]]).astype(int) for sizes in data.chunks]
    blocks = data.to_delayed()
    places = list(itertools.product(range(blocks.shape[0]), range(blocks.shape[1])))
    run.collect(
        f"mkc_table_{name}",
        [(_steps.write_block, blocks[i, j], path, int(starts[0][i]), int(starts[1][j])) for i, j in places],
    )


def _stored(dtype: Any) -> str:
    return "<f4" if dtype in (np.float32, np.float16) else "<f8"


def _write_frame(run: Run, name: str, data: Any, path: str) -> list[str]:
    ids = _ids_of(data._meta)
    columns = data._meta.iloc[:, 1:] if ids == "column" else data._meta
    for column, dtype in zip(columns.columns, columns.dtypes):
        if dtype.kind not in "biuf":
            raise InputError(f"view '{name}': column '{column}' is of type {dtype}, not numbers")
    parts = data.to_delayed()
    sizes = run.collect(f"mkc_rows_{name}", [(len, part) for part in parts])
    shape = (int(sum(sizes)), len(columns.columns))
    run(f"mkc_table_{name}_begin", [(_steps.create_table, path, shape, "<f8")])
    starts = [0, *np.cumsum(sizes).tolist()]
    lists = [f"{path}.{k}.ids" for k in range(len(parts))]
    run.collect(
        f"mkc_table_{name}",
        [(_steps.write_partition, part, path, starts[k], ids, lists[k]) for k, part in enumerate(parts)],
    )
    return lists if ids else []


def _ids_of(meta: Any) -> str:
    """Where a DataFrame names its samples: a named or textual index, or a first column of texts."""
    texts = ("O", "T", "U")
    if meta.index.dtype.kind in texts or meta.index.name is not None or str(meta.index.dtype).startswith("str"):
        return "index"
    first = None if meta.shape[1] == 0 else meta.dtypes.iloc[0]
    return "column" if first is not None and (first.kind in texts or str(first).startswith("str")) else ""


def tokens_of(collections: Mapping[str, Any]) -> dict[str, str]:
    """What names the content of collections."""
    from dask.base import tokenize

    return {name: tokenize(data) for name, data in collections.items() if data is not None}
