"""Models in factor form, which give new samples factors."""

from __future__ import annotations

import json
import os
import pathlib
import tempfile
from typing import Any

import numpy as np

from . import _core
from ._factor_completion import FactorCompletion, completion_of
from ._inputs import Views, by_position, read_views
from ._run import flag_of, warn
from ._types import MultiView


class FactorModel:
    """A model in factor form from a file, which gives new samples factors.

    Attributes
    ----------
    views : names of the views
    about : metadata of the run that made it

    Examples
    --------
    >>> import mkc
    >>> tables = mkc.datasets.make_example(40, random_state=1).features
    >>> mkc.complete(tables, form="factor", kernel="auto", rank=20).save("factors.npz", force=True)
    >>> mkc.load_factors("factors.npz")
    Model in factor form: expression, methylation, protein, mutations
    """

    def __init__(self, saved: _core.FactorModel) -> None:
        self._saved = saved
        self.views: list[str] = saved.views
        self.about: dict[str, Any] = json.loads(saved.about) if saved.about else {}

    def __getstate__(self) -> bytes:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.npz"
            self._saved.write(os.fspath(file), False)
            return file.read_bytes()

    def __setstate__(self, state: bytes) -> None:
        with tempfile.TemporaryDirectory() as folder:
            file = pathlib.Path(folder) / "model.npz"
            file.write_bytes(state)
            FactorModel.__init__(self, _core.read_factor_model(os.fspath(file)))

    def __repr__(self) -> str:
        return f"Model in factor form: {', '.join(self.views)}"

    def complete(self, X: MultiView) -> FactorCompletion:
        """Factors of new samples in all views: with those of training, ``F_new @ F.T``, their kernel rows.

        Parameters
        ----------
        X
            A dict of tables of features with new samples in rows, for the views they have.

        Examples
        --------
        >>> import mkc
        >>> tables = mkc.datasets.make_example(40, random_state=1).features
        >>> known = {name: table.iloc[:30] for name, table in tables.items()}
        >>> old = mkc.complete(known, form="factor", kernel="auto", rank=20)
        >>> old.save("factors.npz", force=True)
        >>> new = mkc.load_factors("factors.npz").complete({"protein": tables["protein"].iloc[30:]})
        >>> (new.factors["expression"] @ old.factors["expression"].T).shape
        (10, 30)
        """
        return self._complete_views(by_position(read_views(X, features=True), self.views))

    def _complete_views(self, given: Views) -> FactorCompletion:
        """As ``complete``, of tables whose samples are resolved."""
        tables = []
        for table in given.tables:
            here = np.flatnonzero(table.present)
            columns = [] if table.columns is None else table.column_ids
            ids = [table.ids[i] for i in here]
            tables.append((str(table.name), table.source, table.ids, ids, columns, table.values[here], False))
        found = self._saved.complete(tables)
        warn(list(found.notices))
        return completion_of(found, given.container.index(found.samples), self.views, 0, list(found.notices))

    def _write(self, path: str | os.PathLike[str], *, force: bool = False) -> None:
        """Writes the file that :func:`mkc.load_factors` and ``mkc predict`` read."""
        self._saved.write(os.fspath(path), flag_of("force", force))


def load_factors(path: str | os.PathLike[str]) -> FactorModel:
    """Reads a model that :meth:`FactorCompletion.save` or ``mkc complete --form factor --save-model`` wrote.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import mkc
    >>> tables = mkc.datasets.make_example(40, random_state=1).features
    >>> mkc.complete(tables, form="factor", kernel="auto", rank=20).save("factors.npz", force=True)
    >>> mkc.load_factors("factors.npz").views
    ['expression', 'methylation', 'protein', 'mutations']
    """
    return FactorModel(_core.read_factor_model(os.fspath(path)))
