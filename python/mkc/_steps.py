"""Steps of :mod:`mkc.distributed` that run on workers: files in, files out; small texts travel."""

from __future__ import annotations

import ctypes
import os
import pathlib
import signal
import subprocess
import sysconfig
import time
from collections.abc import Sequence
from typing import Any

import numpy as np

from . import _core
from ._errors import InputError

ONE_THREAD = ("-t", "1", "--quiet")


def tool() -> str:
    """The command line tool that was installed with this package."""
    places = [pathlib.Path(__file__).with_name("mkc"), pathlib.Path(sysconfig.get_path("scripts")) / "mkc"]
    for place in places:
        if os.access(place, os.X_OK):
            return str(place)
    raise InputError(
        f"the command mkc is not where the package was installed ({places[-1]})", "pip install mkc again there"
    )


def _end_with_parent() -> None:
    """A worker that is killed leaves no process behind that works beside the repeated task."""
    end_of_parent = 1  # PR_SET_PDEATHSIG of Linux
    ctypes.CDLL(None).prctl(end_of_parent, signal.SIGKILL)


def run_tool(arguments: Sequence[str], folder: str) -> None:
    """Runs a command of the tool in a folder; its error message becomes an exception."""
    run = subprocess.run(
        [tool(), *arguments],
        cwd=folder,
        text=True,
        stdin=subprocess.DEVNULL,
        capture_output=True,
        preexec_fn=_end_with_parent,
    )
    if run.returncode == 0:
        return
    lines = [line for line in run.stderr.splitlines() if line.startswith(("error: ", "hint: "))]
    if not lines:
        raise RuntimeError(f"mkc {arguments[0]} ended with code {run.returncode}: {run.stderr[-2000:]}")
    hints = [line.removeprefix("hint: ") for line in lines if line.startswith("hint: ")]
    raise InputError(lines[0].removeprefix("error: "), "; ".join(hints))


def wait_for(*paths: str, seconds: float = 60) -> None:
    """Waits for files that another machine has written and a network file system does not show yet."""
    end = time.monotonic() + seconds
    while not all(os.path.exists(path) for path in paths if path) and time.monotonic() < end:
        time.sleep(0.1)


def plan(arguments: Sequence[str], folder: str, output: str) -> tuple[int, int, int]:
    """Makes a plan; its rounds, blocks and samples."""
    run_tool(["plan", *arguments, *ONE_THREAD, "-o", output], folder)
    return _core.plan_size(output)


def moments(plan: str, number: int, fit: str, shard: str, output: str) -> str:
    wait_for(plan, fit)
    _core.moments(plan, number, fit, shard, output)
    return output


def merge(plan: str, fit: str, parts: Sequence[str], output: str) -> list[str]:
    wait_for(plan, fit, *parts)
    return list(_core.merge(plan, fit, list(parts), output)[1])


def apply(plan: str, fit: str, shard: str, output: str) -> str:
    wait_for(plan, fit)
    _core.apply(plan, fit, shard, output, f"mkc apply --shard {shard}")
    return output


def gather(plan: str, fit: str, shards: Sequence[str], folder: str, output: str) -> None:
    wait_for(plan, fit, *shards)
    run_tool(["gather", plan, *shards, "--fit", fit, *ONE_THREAD, "-o", output], folder)


def create_table(path: str, shape: tuple[int, int], dtype: str) -> None:
    np.lib.format.open_memmap(path, "w+", dtype, shape).flush()


def write_block(block: Any, path: str, row: int, column: int) -> None:
    """One block of a table into its NPY file. Written again, it leaves the same bytes."""
    values = np.ma.filled(block.astype(np.float64), np.nan) if np.ma.isMaskedArray(block) else np.asarray(block)
    table = np.lib.format.open_memmap(path, "r+")
    table[row : row + values.shape[0], column : column + values.shape[1]] = values
    table.flush()


def write_partition(frame: Any, path: str, row: int, ids: str, names: str) -> None:
    """One partition of a DataFrame; ``ids``: where its samples are named, "index", "column" or "" for nowhere."""
    if ids:
        labels = frame.index if ids == "index" else frame.iloc[:, 0]
        with open(f"{names}.part", "w", encoding="utf-8") as file:
            file.writelines(f"{label}\n" for label in labels)
        os.replace(f"{names}.part", names)
    values = frame.iloc[:, 1:] if ids == "column" else frame
    if len(values):
        write_block(values.to_numpy(dtype=np.float64, na_value=np.nan), path, row, 0)


def finish_table(path: str, table: str, lists: Sequence[str]) -> None:
    """Puts a table that is complete under its name, with the names of its samples beside it."""
    if lists:
        with open(f"{path}.names", "wb") as names:
            for part in lists:
                names.write(pathlib.Path(part).read_bytes())
        os.replace(f"{path}.names", str(pathlib.Path(table).with_suffix(".samples")))
    os.replace(path, table)
