"""Model files, in the format of the command line."""

from __future__ import annotations

import json
import os
from typing import Any

import numpy as np
import pandas as pd

import mkc  # annotations name its estimators, which are imported when they are used

from . import _core
from ._complete import Completion
from ._errors import InputError
from ._inputs import by_position, read_views
from ._predict import relevant_notices, trained_views
from ._quality import quality_table
from ._run import flag_of, threads_of, warn
from ._types import MultiView


def save(
    fitted: mkc.KernelCompleter | Completion[Any],
    path: str | os.PathLike[str],
    *,
    kernel: mkc.MultiViewKernel | None = None,
    force: bool = False,
) -> None:
    """Writes a model from which new samples can be completed, by :func:`mkc.load` or ``mkc predict``.

    Parameters
    ----------
    fitted
        A fitted :class:`mkc.KernelCompleter` or the result of :func:`mkc.complete`.
    path
        The file, ``model.npz``.
    kernel
        The fitted :class:`mkc.MultiViewKernel` of its kernels, if new samples will be given as features.
    force
        Replace an existing file.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> result = mkc.complete(example.kernels, "mean")
    >>> mkc.save(result, "model.npz", force=True)
    >>> mkc.load("model.npz").views
    ['expression', 'methylation', 'protein', 'mutations']
    """
    completion = getattr(fitted, "completion_", fitted)
    if not isinstance(completion, Completion):
        raise InputError(f"a {type(fitted).__name__} cannot be saved", "give a fitted KernelCompleter or a completion")
    about = {
        "mkc_version": _core.version,
        "method": completion.method,
        "parameters": completion.parameters,
        "seed": completion.seed,
        "status": completion.status,
        "n_samples": len(completion.samples),
        "n_views": len(completion.views),
    }
    saved = _core.SavedModel([str(name) for name in completion.samples], json.dumps(about, indent=2))
    recipes = {} if kernel is None else kernel._recipes(completion.views)
    for name, rows, values in trained_views(completion):
        saved.add_view(name, rows, values)
        if name in recipes:
            saved.of_features(*recipes[name])
    saved.write(os.fspath(path), flag_of("force", force))


class Model:
    """A model from a file, which completes new samples.

    Attributes
    ----------
    samples : names of the training samples
    views : names of the views
    kinds : per view the expected form of new samples: ``"features"`` or ``"kernel"`` rows
    about : metadata of the file: method, parameters, seed, status, version

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> mkc.save(mkc.complete(example.kernels, "mean"), "model.npz", force=True)
    >>> mkc.load("model.npz")
    Model of 40 samples: expression (kernel), methylation (kernel), protein (kernel), mutations (kernel)
    """

    def __init__(self, saved: _core.SavedModel) -> None:
        self._saved = saved
        self.samples: list[str] = saved.samples
        self.views: list[str] = [name for name, _, _ in saved.views()]
        self.kinds: dict[str, str] = dict(zip(self.views, saved.kinds))
        self.about: dict[str, Any] = json.loads(saved.about) if saved.about else {}

    def __repr__(self) -> str:
        kinds = ", ".join(f"{view} ({kind})" for view, kind in self.kinds.items())
        return f"Model of {len(self.samples)} samples: {kinds}"

    @property
    def kernels(self) -> dict[str, pd.DataFrame]:
        """The completed kernels of the training samples."""
        return {name: pd.DataFrame(values, self.samples, self.samples) for name, _, values in self._saved.views()}

    @property
    def observed(self) -> pd.DataFrame:
        """Training samples x views: True where the sample had the view."""
        table = pd.DataFrame(False, self.samples, self.views)
        for name, rows, _ in self._saved.views():
            table.iloc[rows, self.views.index(name)] = True
        return table

    def transform(
        self, X: MultiView, *, kernel_rows: bool = False, n_jobs: int | None = None
    ) -> dict[str, pd.DataFrame]:
        """Kernel rows of new samples, per view (n_new, n_train).

        Parameters
        ----------
        X
            A dict of tables with new samples in rows, for the views they have, or a list of all: features if the
            model was trained on features, else kernel rows with training samples in columns.
        kernel_rows
            X holds kernel rows although the model was trained on features.
        n_jobs
            Number of threads; None is 1, -1 is all.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> old, new = example.features["protein"].iloc[:30], example.features["protein"].iloc[30:]
        >>> kernel = mkc.MultiViewKernel()
        >>> kernels = kernel.fit_transform({"protein": old, "half": old.iloc[:20, :9]})
        >>> mkc.save(mkc.complete(kernels, "mean"), "model.npz", kernel=kernel, force=True)
        >>> rows = mkc.load("model.npz").transform({"protein": new})
        >>> rows["half"].shape  # of a view that the new samples lack
        (10, 30)
        """
        samples, found = self._predict(X, kernel_rows, n_jobs)
        return {
            name: pd.DataFrame(np.asarray(values), samples, self.samples)
            for name, values in zip(self.views, found["rows"])
        }

    def estimate_quality(self, X: MultiView, *, kernel_rows: bool = False, n_jobs: int | None = None) -> pd.DataFrame:
        """Estimated error of every row that ``transform`` would predict, with its interval.

        Parameters
        ----------
        X, kernel_rows, n_jobs
            As in ``transform``.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> mkc.save(mkc.complete(example.kernels, "mean"), "model.npz", force=True)
        >>> rows = {"mutations": example.truth["mutations"].rename(index=lambda name: f"new {name}")}
        >>> table = mkc.load("model.npz").estimate_quality(rows)
        >>> table["view"].unique().tolist()
        ['expression', 'methylation', 'protein']
        """
        samples, found = self._predict(X, kernel_rows, n_jobs)
        return quality_table(found, np.asarray(found["observed"]), samples, self.views)

    def _predict(self, X: MultiView, kernel_rows: bool, n_jobs: int | None) -> tuple[pd.Index, dict[str, Any]]:
        given = by_position(read_views(X, features=True), self.views)
        tables = []
        for table in given.tables:
            here = np.flatnonzero(table.present)
            columns = [] if table.columns is None else table.column_ids
            ids = [table.ids[i] for i in here]
            values = table.values[here]
            tables.append((str(table.name), table.source, table.ids, ids, columns, values, kernel_rows))
        found = self._saved.predict(tables, threads_of(n_jobs))
        warn(relevant_notices(found["notices"], given))
        return given.index, found


def load(path: str | os.PathLike[str]) -> Model:
    """Reads a model that :func:`mkc.save` or ``mkc complete --save-model`` wrote; one in factor form is for
    :func:`mkc.load_factors`.

    Parameters
    ----------
    path
        The file.

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> mkc.save(mkc.complete(example.kernels, "mean"), "model.npz", force=True)
    >>> mkc.load("model.npz").about["method"]
    'mean'
    """
    name = os.fspath(path)
    if _core.is_factor_model(name):
        raise InputError(f"'{name}' is a model in factor form", "mkc.load_factors reads it")
    return Model(_core.read_model(name))
