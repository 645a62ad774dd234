"""Files as DataFrames, read as the command line tool reads them."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Literal, Union

import pandas as pd

from . import _core
from ._errors import InputError
from ._inputs import read_views as as_tables
from ._run import warn
from ._samples import SampleRules, resolve
from ._tables import plain
from ._types import Replicates, ZeroRows

File = Union[str, "os.PathLike[str]"]


def read_views(
    files: File | Iterable[File] | Mapping[str, File],
    *,
    samples_in: Literal["auto", "rows", "columns"] = "auto",
    ids: str = "auto",
    match_rows: bool = False,
    replicates: Replicates = "error",
    zero_rows: ZeroRows = "auto",
    na_values: Sequence[str] = (),
) -> dict[str, pd.DataFrame]:
    """Reads views from files of every format that the command line tool reads, and from Parquet files.

    Formats are CSV and TSV (also with gzip), Excel, R (``.rds``, ``.RData``), NumPy, MATLAB, Matrix Market, HDF5,
    AnnData and MuData, by the extension of the file. The rules are those of the tool: the ids in the first column,
    several views in one file, samples in rows or in columns. Parquet files (with pyarrow installed) have the sample
    names in the index that pandas stored, or in their first column of texts.

    Parameters
    ----------
    files
        One file or several, each ``PATH``, or as on the command line ``PATH:ARRAY`` for one view of a file
        and ``PATH,samples_in=columns`` for options; or a dict of them by the names of the views.
    samples_in
        On which side the samples are; ``"auto"``: the side that all evidence speaks for.
    ids, replicates, zero_rows
        How ids name samples, as in :func:`mkc.complete`.
    match_rows
        Files without sample ids: row i of every file is the same sample.
    na_values
        Further words for a missing value.

    Returns
    -------
    dict of DataFrame
        One per view, samples in rows; columns of words are categories. What was assumed is issued as a
        ``UserWarning``.

    Examples
    --------
    >>> import mkc, pathlib, tempfile
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "rna.csv").write_text("patient,g1,g2\\nP1,1,2\\nP2,3,4\\n")
    >>> mkc.read_views(folder / "rna.csv")["rna"]
         g1   g2
    P1  1.0  2.0
    P2  3.0  4.0
    """
    named = [(str(name), file) for name, file in files.items()] if isinstance(files, Mapping) else _listed(files)
    others = [(name, os.fspath(file)) for name, file in named if not _is_parquet(file)]
    with_parquet = len(others) < len(named)
    options = [("samples_in", samples_in), ("replicates", replicates), ("zero_rows", zero_rows)]
    # With Parquet files among them, ids are compared when all tables are there.
    rule = "exact" if with_parquet else ids
    entries = _core.read_views(others, options, list(na_values), rule, match_rows) if others else []
    views: dict[str, pd.DataFrame] = {}
    for entry in entries:
        warn([f"view '{entry['name']}' ({entry['source']}): {notice}" for notice in entry["notices"]])
        views[entry["name"]] = _frame(entry, views)
    if not with_parquet:
        return views
    kernels = [entry["name"] for entry in entries if entry["kernel"]]
    policies: dict[str, ZeroRows] = dict.fromkeys(views, "values")  # read by the tool's rules already
    for name, file in named:
        if _is_parquet(file):
            name = name or _stem(file)
            if name in views:
                raise InputError(f"two views are named '{name}'", "give a dict of names and files")
            table = read_parquet(os.fspath(file))
            views[name] = table.T if _samples_are_in_columns(table, samples_in) else table
            policies[name] = zero_rows
    order = _in_given_order(named, list(views))
    has_words = any(not pd.api.types.is_numeric_dtype(kind) for frame in views.values() for kind in frame.dtypes)
    if len(views) == 1 and has_words and ids in ("auto", "exact"):
        return views  # there is nothing to compare, and words are no zeros
    given = as_tables(views, features=True, repeated=replicates != "error")
    given, notices = resolve(given, SampleRules(ids, None, replicates, policies), kernels)
    warn([notice for notice in notices if not notice.endswith("taken as values")])
    found = {t.name: pd.DataFrame(t.values, t.index(), t.columns) for t in given.tables}
    return {name: found[name] for name in order}


def _samples_are_in_columns(table: pd.DataFrame, samples_in: str) -> bool:
    if samples_in != "auto":
        return samples_in == "columns"
    names = [str(name) for name in table.index], [str(name) for name in table.columns]
    rows, columns, _, _ = _core.side_evidence(*names, "")
    return bool(columns - rows >= 4)  # as much as the tool needs without other views


def _in_given_order(named: Sequence[tuple[str, File]], views: list[str]) -> list[str]:
    """Parquet files in their places among the views of other files, unless one of those holds several."""
    parquet = [name or _stem(file) for name, file in named if _is_parquet(file)]
    rest = [view for view in views if view not in parquet]
    if len(rest) + len(parquet) != len(named):
        return views
    others = iter(rest)
    return [name or _stem(file) if _is_parquet(file) else next(others) for name, file in named]


def _stem(file: File) -> str:
    return os.path.splitext(os.path.basename(os.fspath(file)))[0]


def _listed(files: File | Iterable[File]) -> list[tuple[str, File]]:
    return [("", file) for file in ([files] if isinstance(files, (str, os.PathLike)) else files)]


def _is_parquet(file: File) -> bool:
    return os.fspath(file).lower().endswith((".parquet", ".pq"))


def _frame(entry: Mapping[str, Any], earlier: Mapping[str, pd.DataFrame]) -> pd.DataFrame:
    index = pd.Index([int(name) for name in entry["ids"]] if entry["numbered"] else entry["ids"])
    # Rows that reading has matched have one index: views that share it belong together.
    index = next((frame.index for frame in earlier.values() if frame.index.equals(index)), index)
    columns = index if entry["kernel"] else entry["features"] or None
    frame = pd.DataFrame(entry["values"], index=index, columns=columns)
    for column, words in entry["categories"]:
        codes = frame.iloc[:, column].fillna(-1).astype(int)
        frame.isetitem(column, pd.Categorical.from_codes(codes, words))
    return frame


def read_parquet(path: str) -> pd.DataFrame:
    """A Parquet file with its sample names as index."""
    try:
        from pyarrow import ArrowException, parquet
    except ImportError:
        raise InputError(f"'{path}': reading Parquet files needs pyarrow", "pip install pyarrow") from None
    try:
        table = parquet.read_table(path)
    except FileNotFoundError:
        raise InputError(f"cannot open '{path}': no such file", "check the spelling and the current folder") from None
    except (ArrowException, OSError) as error:
        raise InputError(f"{path}: not a Parquet file, or damaged: {error}", "save or copy it again") from None
    stored = [name for name in (table.schema.pandas_metadata or {}).get("index_columns", []) if isinstance(name, str)]
    if len(stored) > 1:
        raise InputError(f"{path}: the index has {len(stored)} levels", "give one id per sample")
    try:
        frame: pd.DataFrame = table.to_pandas() if stored else plain(table)
    except InputError as error:
        raise InputError(f"{path}: {error.what}", error.hint) from None
    if frame.index.has_duplicates:
        twice = frame.index[frame.index.duplicated()][0]
        raise InputError(f"{path}: sample '{twice}' appears twice", "give every sample one row")
    return frame
