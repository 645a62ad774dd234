"""``python -m mkc convert FILE... -o OUT``: files that only Python reads, for the command line tool."""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import warnings
from typing import Any

import numpy as np
import pandas as pd

from ._errors import InputError, printable
from ._read import read_views

_TABLES = (".csv", ".csv.gz", ".tsv", ".tsv.gz")


def _write(views: dict[str, pd.DataFrame], path: str) -> None:
    output = f"output '{os.path.basename(path)}'"
    if path.endswith(_TABLES):
        if len(views) != 1:
            raise InputError(f"{output}: a table holds one view, there are {len(views)}", "write .npz")
        (frame,) = views.values()
        separator = "," if ".csv" in path[-7:] else "\t"
        bits = frame.select_dtypes("bool").columns
        frame.astype(dict.fromkeys(bits, int)).to_csv(path, sep=separator, na_rep="NA", index_label="sample")
        return
    if not path.endswith(".npz"):
        raise InputError(f"{output}: a file of this kind is not written", f"write {', '.join(_TABLES)} or .npz")
    arrays: dict[str, Any] = {}
    for name, frame in views.items():
        try:
            arrays[name] = frame.to_numpy(dtype=np.float64, na_value=np.nan)
        except (TypeError, ValueError) as error:
            raise InputError(
                f"view '{name}' holds more than numbers: {error}", "write .csv, which keeps words"
            ) from None
        arrays[f"samples_{name}"] = np.array([str(sample) for sample in frame.index])
    np.savez(path, **arrays)


def main(arguments: list[str] | None = None) -> int:
    """Runs the command and returns its exit code, which is that of the tool."""
    parser = argparse.ArgumentParser(prog="python -m mkc", description=__doc__)
    commands = parser.add_subparsers(dest="command", required=True)
    convert = commands.add_parser("convert", help="write views of any file that Python reads, .parquet too")
    convert.add_argument("views", nargs="+", metavar="VIEW", help="[NAME=]PATH")
    convert.add_argument("-o", "--output", required=True, metavar="FILE", help=".csv, .tsv (also .gz) or .npz")
    convert.add_argument("--force", action="store_true", help="replace the output")
    given = parser.parse_args(arguments)
    if os.path.exists(given.output) and not given.force:
        print(f"error: output '{printable(given.output)}' exists\nhint: --force replaces it", file=sys.stderr)
        return 2
    try:
        views: dict[str, pd.DataFrame] = {}
        with warnings.catch_warnings(record=True) as notes:
            warnings.simplefilter("always")
            for text in given.views:
                name, equals, path = text.partition("=")
                named = bool(equals) and not os.path.exists(text) and "/" not in name and "," not in name
                views |= read_views({name: path} if named else text)
        # A run that is stopped leaves no half of a file under the name of the whole.
        with tempfile.TemporaryDirectory(dir=os.path.dirname(given.output) or ".") as folder:
            unfinished = os.path.join(folder, os.path.basename(given.output))
            _write(views, unfinished)
            os.replace(unfinished, given.output)
    except InputError as error:
        print(f"error: {error.what}", file=sys.stderr)
        if error.hint:
            print(f"hint: {error.hint}", file=sys.stderr)
        return 3
    for note in notes:
        print(f"note: {note.message}", file=sys.stderr)
    for name, frame in views.items():
        print(f"{name}: {len(frame)} samples, {frame.shape[1]} columns")
    return 0


if __name__ == "__main__":
    sys.exit(main())
