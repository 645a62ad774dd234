"""Completion in factor form on a Dask cluster.

The steps ``mkc plan``, ``moments``, ``merge``, ``apply`` and ``gather`` are tasks of workers that see the same folders.
Only paths and texts travel between client, scheduler and workers. The bits of the result are those of
``mkc complete --form factor`` on one machine, whatever the number of workers, and whatever was killed and repeated on
the way. Needs ``pip install 'mkc[dask]'``.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import pathlib
import shutil
from collections.abc import Hashable, Iterator, Mapping, Sequence
from typing import Any

from . import _core, _dask_tables, _steps
from ._dask_run import Run
from ._errors import InputError, OptionError
from ._factor_completion import FactorCompletion
from ._factor_folder import read_factors
from ._run import count_of, seed_of, warn
from ._types import NaFeatures, RandomState

__all__ = ["complete"]

_KEY = "key.txt"  # of a folder of unfinished work: all that decides its content


def complete(
    views: Mapping[str, Any] | Sequence[str | os.PathLike[str]],
    output: str | os.PathLike[str],
    *,
    client: Any = None,
    samples: Sequence[Hashable] | None = None,
    kernel: str | Mapping[str, str] | None = None,
    na_features: NaFeatures = "error",
    ids: str = "auto",
    match_rows: bool = False,
    rank: int | None = None,
    landmarks: int | None = None,
    anchors: int | None = None,
    plan_sample: int | None = None,
    block: int | None = None,
    memory: str | None = None,
    random_state: RandomState | None = None,
    shards: int | None = None,
) -> FactorCompletion:
    """Completes views on the workers of a Dask cluster, in factor form.

    Every task is a function of files. A worker that dies costs the shard at which it was; the task is repeated by
    another. Where the client dies, the same call goes on with what is finished.

    Parameters
    ----------
    views
        One per view, by name or as a list: a path as the tool takes it (``.npy``, ``.csv``, ``.h5ad``, ...,
        ``PATH:ARRAY``, ``PATH,option=value``), a ``.zarr`` or ``.parquet`` path, a dask array, a zarr array or a dask
        dataframe. Clients and workers see paths under the same names. Rows that are NaN are missing.
    output
        Folder of the result, which must not exist. What is in work lies beside it, in ``.<output>.shards``.
    client
        A ``distributed.Client``; None starts a ``LocalCluster`` with one process for each core.
    samples
        Names of the rows of dask and zarr arrays; None: row i of every view is the same sample. Dataframes name them
        in their index or their first column of texts.
    kernel
        Of all views, or by view, as the option ``kernel`` of a view of the tool; None lets the values decide.
    na_features, ids, match_rows
        As the options of the tool.
    rank, landmarks, anchors, plan_sample, block, memory
        Sizes of the method, as the options of the tool; None chooses.
    random_state
        Seed or generator of the random numbers; None is 0.
    shards
        Into how many parts blocks are divided; None: 64, or four for each thread of the workers, and at most one for
        each block. It does not change the result.

    Returns
    -------
    FactorCompletion
        Its factors stay in the files of ``output``.

    Examples
    --------
    A cluster of one worker in this process:

    >>> import mkc
    >>> from distributed import Client
    >>> example = mkc.datasets.make_example(60, random_state=1)
    >>> for view in ("expression", "protein"):
    ...     example.features[view][example.observed[view]].to_csv(f"{view}.csv")
    >>> with Client(processes=False, n_workers=1, threads_per_worker=1, dashboard_address=":0") as client:
    ...     result = mkc.distributed.complete(["expression.csv", "protein.csv"], "result", client=client, rank=20)
    >>> result.factors["protein"].shape
    (59, 20)
    """
    target = pathlib.Path(output).absolute()
    if target.exists():
        raise OptionError(f"output '{output}' exists", "choose another name")
    if shards is not None:
        count_of("shards", shards, 1)
    with _client_of(client) as cluster:
        named = _named(views)
        collections = {name: _dask_tables.collection_of(name, data) for name, data in named.items()}
        sizes = {"rank": rank, "landmarks": landmarks, "anchors": anchors, "plan-sample": plan_sample, "block": block}
        options = {"na-features": na_features, "ids": ids, "memory": memory, "seed": seed_of(random_state), **sizes}
        arguments = [word for name, value in options.items() if value is not None for word in (f"--{name}", str(value))]
        unnamed = samples is None and any(hasattr(data, "chunks") for data in collections.values())
        arguments += ["--match-rows"] if match_rows or unnamed else []
        listed = None if samples is None else [str(sample) for sample in samples]
        content = [_core.version, arguments, kernel, _contents(named, collections), listed, os.getcwd()]
        folder = _work_folder(target, hashlib.sha256(json.dumps(content).encode()).hexdigest())
        run = Run(cluster)
        run.check_workers(str(folder / _KEY))
        specs = [
            _spec(run, place, name, named[name], collections[name], listed, folder)
            + _kernel_option(kernel, name, isinstance(views, Mapping))
            for place, name in enumerate(named)
        ]
        plan, fit, rows, notices = _fitted_rows(run, [*specs, *arguments], folder, shards)
        run("mkc_gather", [(_steps.gather, plan, fit, rows, os.getcwd(), str(target))])
    shutil.rmtree(folder, ignore_errors=True)
    meta = json.loads((target / "meta_info.json").read_text(encoding="utf-8"))
    warn([*meta["warnings"], *(notice for notice in notices if notice not in meta["notices"])])
    return read_factors(target)


@contextlib.contextmanager
def _client_of(client: Any) -> Iterator[Any]:
    """The client that was given, or one of a cluster of this machine."""
    try:
        from distributed import Client, LocalCluster
    except ImportError:
        raise InputError(
            "mkc.distributed needs Dask, which is not installed", "pip install 'mkc[dask]', or the shell: mkc plan"
        ) from None
    if client is not None:
        if not isinstance(client, Client):
            raise OptionError(f"client: a {type(client).__name__} is not a distributed.Client")
        with _workers_come_back(client.cluster):
            yield client
        return
    workers = max(1, _core.available_threads())
    with (
        LocalCluster(n_workers=workers, threads_per_worker=1, dashboard_address=":0") as cluster,
        Client(cluster) as own,
        _workers_come_back(cluster),
    ):
        yield own


@contextlib.contextmanager
def _workers_come_back(cluster: Any) -> Iterator[None]:
    """A LocalCluster gives a worker up for good that is not back 15 s after it died, as on a busy machine or where it
    died twice; after the last one nothing would ever go on. Others know better whether a worker comes back."""
    import dask
    from distributed import LocalCluster

    patient = {"distributed.deploy.lost-worker-timeout": "1000 days"} if isinstance(cluster, LocalCluster) else {}
    with dask.config.set(patient):
        yield


def _named(views: Mapping[str, Any] | Sequence[Any]) -> dict[str, Any]:
    """Views by name; those of a list of files by their place, since the tool names them."""
    if isinstance(views, Mapping):
        named = {str(name): data for name, data in views.items()}
    elif isinstance(views, (list, tuple)):
        named = {f"view{m}": data for m, data in enumerate(views)}
    else:
        raise OptionError(f"views: a {type(views).__name__} is neither a dict nor a list of views")
    if not named:
        raise InputError("there is no view", "give at least one")
    return named


def _contents(named: Mapping[str, Any], collections: Mapping[str, Any]) -> dict[str, Any]:
    """What names the content of the views: the plan compares the values themselves."""
    tokens: dict[str, Any] = _dask_tables.tokens_of(collections)
    for name, data in named.items():
        if name not in tokens:
            tokens[name] = os.fspath(data)
    return tokens


def _work_folder(target: pathlib.Path, key: str) -> pathlib.Path:
    """The folder of unfinished work; that of a run of other views or options is emptied."""
    folder = target.with_name(f".{target.name}.shards")
    stored = folder / _KEY
    if folder.exists() and not (stored.exists() and stored.read_text() == key):
        if not stored.exists() and any(folder.iterdir()):
            raise OptionError(f"'{folder}' exists and was not made by mkc.distributed", "remove it")
        shutil.rmtree(folder)
    folder.mkdir(parents=True, exist_ok=True)
    stored.write_text(key)
    return folder


def _spec(
    run: Run, place: int, name: str, data: Any, collection: Any, samples: list[str] | None, folder: pathlib.Path
) -> str:
    """A view as the tool takes it; a collection is written to a file first."""
    if collection is None:
        text = os.fspath(data)
        return text if name == f"view{place}" else f"{name}={text}"
    table = folder / f"table-{place}.npy"
    _dask_tables.write(run, name, collection, samples if hasattr(collection, "chunks") else None, table)
    return f"{name}={table}"


def _kernel_option(kernel: str | Mapping[str, str] | None, name: str, named: bool) -> str:
    if isinstance(kernel, Mapping):
        if not named:
            raise OptionError("kernel: a dict of kernels needs a dict of views")
        return f",kernel={kernel[name]}" if name in kernel else ""
    return "" if kernel is None else f",kernel={kernel}"


def _fitted_rows(
    run: Run, arguments: Sequence[str], folder: pathlib.Path, shards: int | None
) -> tuple[str, str, list[str], list[str]]:
    """The plan, its fit, the completed rows of all shards, and what merging has to say."""
    plan, fit = str(folder / "plan"), ""
    notices: list[str] = []
    ((rounds, blocks, _),) = run("mkc_plan", [(_steps.plan, list(arguments), os.getcwd(), plan)])
    count = min(blocks, max(64, 4 * run.threads()) if shards is None else shards)
    names = [f"{i}/{count}" for i in range(1, count + 1)]
    for number in range(1, rounds + 1):
        step, last = folder / f"round-{number}-of-{count}", fit
        fit = f"{step}.npz"
        if pathlib.Path(fit).exists():  # its moments have been removed
            continue
        sums = [
            (_steps.moments, plan, number, last, name, f"{step}-moments-{i}.npz") for i, name in enumerate(names, 1)
        ]
        parts = run(f"mkc_moments_{number}", sums)
        notices += run(f"mkc_merge_{number}", [(_steps.merge, plan, last, parts, fit)])[0]
        for part in parts:
            pathlib.Path(part).unlink(missing_ok=True)
    rows = [(_steps.apply, plan, fit, name, str(folder / f"rows-{i}-of-{count}")) for i, name in enumerate(names, 1)]
    return plan, fit, run("mkc_apply", rows), notices
