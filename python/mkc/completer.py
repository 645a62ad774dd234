"""KernelCompleter: completion of kernels as a scikit-learn transformer."""

from __future__ import annotations

import os
from collections.abc import Hashable, Mapping
from dataclasses import replace
from typing import Any, overload

import numpy as np
import pandas as pd
from sklearn.utils.validation import check_is_fitted

from . import _core
from ._assemble import assemble, is_kernel
from ._complete import Completion, run_completion
from ._errors import OptionError
from ._evaluate import evaluate
from ._factor_form import FactorForm
from ._factor_steps import factor_columns
from ._inputs import Views, by_position
from ._predict import hidden_view_error, new_views, relevant_notices, trained_views
from ._quality import quality_table
from ._run import seed_of, threads_of, warn
from ._sklearn import sample_names
from ._types import (
    Form,
    KernelChoice,
    Kernels,
    MultiView,
    NaFeatures,
    Normalize,
    Psd,
    RandomState,
    Replicates,
    SampleMap,
    ZeroRows,
)
from .kernel_transformer import MultiViewKernel


class KernelCompleter(FactorForm):
    """Completes the kernels of several views: as whole kernels, or as factors of many samples (``form="factor"``).

    Parameters
    ----------
    method
        ``"auto"`` (combines the methods with the smallest held-out error) or one of :func:`mkc.methods`;
        options as text (``"wknn,k=7"``) or as further arguments (``KernelCompleter("wknn", k=7)``).
    options
        Options of the method as a dict.
    form
        ``"dense"``: kernels in, kernels out. ``"factor"``: tables of features in, per view their factors out, one row
        per sample, in time and memory linear in the number of samples. There is no kernel to be made, so this step
        follows the tables directly, with ``kernel``.
    kernel, na_features
        In factor form: the kernel of tables of features, as in :class:`MultiViewKernel`; None: the views are kernels,
        and new samples cannot have them.
    normalize, center, psd, quality, random_state, n_jobs, verbose, ids, sample_map, replicates, zero_rows
        As in :func:`mkc.complete`. New samples follow the same rules for ids.
    **method_options
        Options of the method, see :func:`mkc.methods`; ``get_params`` and ``set_params`` know them, so a grid
        can search them as ``completer__k``. None is the default.

    Attributes
    ----------
    view_relations_ : DataFrame or None, row m holds the weights of the other views for view m
    quality_ : DataFrame or None, estimated error of every completed row with its interval
    weights_ : DataFrame or None, of "auto": weights of the candidates (rows) in each view; of the stages in factor form
    objective_ : array of one value per iteration; empty for closed forms
    n_iter_ : iterations of the method
    converged_ : whether the method met its tolerance
    samples_, views_ : names of the training samples and of the views
    seed_ : the seed that was used
    completion_ : the result of :func:`mkc.complete`: whole kernels, or factors with ``completion_.kernel(view, rows,
        columns)`` for a block

    Examples
    --------
    >>> import mkc
    >>> example = mkc.datasets.make_example(40, random_state=1)
    >>> completer = mkc.KernelCompleter("wknn", k=5)
    >>> completer.fit_transform(example.kernels)["protein"].shape
    (40, 40)
    >>> completer.get_params()["k"]
    5
    >>> completer = mkc.KernelCompleter(form="factor", kernel="auto", rank=20)
    >>> completer.fit_transform(example.features)["protein"].shape
    (40, 20)
    """

    def __init__(
        self,
        method: str = "auto",
        *,
        options: Mapping[str, Any] | None = None,
        form: Form = "dense",
        kernel: KernelChoice | None = None,
        na_features: NaFeatures = "error",
        normalize: Normalize = "none",
        center: bool = False,
        psd: Psd = "error",
        quality: bool = False,
        random_state: RandomState | None = None,
        n_jobs: int | None = None,
        verbose: int = 0,
        ids: str = "auto",
        sample_map: SampleMap | None = None,
        replicates: Replicates = "error",
        zero_rows: ZeroRows = "auto",
        **method_options: Any,
    ) -> None:
        self.method = method
        self.options = options
        self.form = form
        self.kernel = kernel
        self.na_features = na_features
        self.normalize = normalize
        self.center = center
        self.psd = psd
        self.quality = quality
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose
        self.ids = ids
        self.sample_map = sample_map
        self.replicates = replicates
        self.zero_rows = zero_rows
        self._take_options(method_options)

    def fit(self, X: MultiView, y: object = None) -> KernelCompleter:
        """Completes the kernels of the training samples.

        Parameters
        ----------
        X
            A dict of DataFrames, a dict or list of arrays with rows of NaN, an array (M, N, N) or MuData. In factor
            form with ``kernel``: tables of features.
        y
            Not used; a Series must be in the order of ``samples_``, since the next steps read it by position.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> mkc.KernelCompleter("mean").fit(example.kernels).views_
        ['expression', 'methylation', 'protein', 'mutations']
        """
        if self._in_factors:
            self._fit_factors(X, y)
            return self
        text = self._method_text
        if self.kernel is not None or self.na_features != "error":
            raise OptionError(
                "kernel and na_features are for form='factor'", "in dense form MultiViewKernel makes kernels"
            )
        given = self._read(X, fitting=True)
        given = self._resolved(given, given.names, fitting=True)
        assembled = assemble(given, psd=self.psd, normalize=self.normalize, center=self.center)
        warn(assembled.notices)
        self._check_order(y, given, assembled.samples)
        self._keep(
            run_completion(
                given.container,
                assembled,
                text,
                seed_of(self.random_state),
                threads_of(self.n_jobs),
                quality=self.quality,
                verbose=self.verbose,
            )
        )
        return self

    def _keep(self, completion: Completion[Any]) -> None:
        self.completion_ = completion
        self.samples_ = completion.samples
        self.views_ = completion.views
        self.view_relations_ = completion.view_relations
        self.quality_ = completion.quality
        self.weights_ = _weights(completion.candidates, completion.views)
        self.objective_ = completion.objective
        self.n_iter_ = completion.n_iter
        self.converged_ = completion.converged
        self.seed_ = completion.seed
        if not hasattr(self, "n_features_in_") or completion._given.kind != "single":
            self.n_features_in_ = len(completion.samples)

    @property
    def kernels_(self) -> Any:
        """The completed kernels, in the kind of container that was given; not in factor form."""
        if self._in_factors:
            raise AttributeError("kernels_: in factor form completion_.kernel(view, rows, columns) makes a block")
        return self.completion_.kernels

    @overload
    def fit_transform(self, X: Kernels, y: object = None, **params: Any) -> Kernels: ...
    @overload
    def fit_transform(self, X: MultiView, y: object = None, **params: Any) -> Any: ...
    def fit_transform(self, X: MultiView, y: object = None, **params: Any) -> Any:
        """Completes the kernels and returns them in the kind of the input: N x N for every view, in factor form the
        factors, N x rank.

        Parameters
        ----------
        X, y
            As in ``fit``.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> completed = mkc.KernelCompleter("mean").fit_transform(example.kernels)
        >>> bool(completed["protein"].isna().any(axis=None))
        False
        """
        self.fit(X, y)
        completion = self.completion_
        if self._in_factors:
            return self._training_factors()
        if self._output == "default" or completion._given.kind == "mudata":
            return completion.kernels
        columns = pd.Index(self._columns_out())
        return completion._given.like(completion.arrays, completion.samples, columns, self._output)

    @overload
    def transform(self, X: Kernels) -> Kernels: ...
    @overload
    def transform(self, X: MultiView) -> Any: ...
    def transform(self, X: MultiView) -> Any:
        """Completes kernel rows of new samples: per view (n_new, n_train), in the kind of the input. In factor form:
        their factors, (n_new, rank).

        Parameters
        ----------
        X
            New samples in rows, training samples in columns. A row is NaN in a view that the sample lacks;
            columns of training samples that lack the view are not read. Training samples get their completed
            rows. A column ``"self"`` of a DataFrame holds k(x, x). In factor form: tables of features.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> train, new = example.observed.index[:30], example.observed.index[30:]
        >>> completer = mkc.KernelCompleter("mean").fit({n: k.loc[train, train] for n, k in example.kernels.items()})
        >>> rows = completer.transform({"mutations": example.truth["mutations"].loc[new, train]})
        >>> rows["expression"].shape  # predicted: the new samples lack this view
        (10, 30)
        """
        if self._in_factors:
            return self._new_factors(X)
        given, found = self._predict(X)
        columns = self.samples_ if self.completion_._given.labelled else pd.Index(self._columns_out())
        rows = [np.asarray(values) for values in found["rows"]]
        if given.container.kind != "single" and not given.container.listed:
            given.container.names = self.views_  # also views that no new sample has
        return given.container.like(rows, given.index, columns, self._output)

    def estimate_quality(self, X: MultiView) -> pd.DataFrame | None:
        """Estimated error of every row that ``transform`` would predict, with its interval.

        Parameters
        ----------
        X
            As in ``transform``.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> train, new = example.observed.index[:30], example.observed.index[30:]
        >>> completer = mkc.KernelCompleter("mean").fit({n: k.loc[train, train] for n, k in example.kernels.items()})
        >>> table = completer.estimate_quality({"mutations": example.truth["mutations"].loc[new, train]})
        >>> len(table)  # ten samples lack three views
        30
        """
        if self._in_factors:
            return self._complete_new(X)[1].quality
        given, found = self._predict(X)
        return quality_table(found, np.asarray(found["observed"]), given.index, self.views_)

    def _by_sample(self, given: Views) -> Views:
        """Kernel rows whose columns have the names of training samples."""
        samples = [str(sample) for sample in self.completion_.samples]
        if self.ids in ("auto", "exact") or not given.container.labelled:
            return given
        tables = []
        for table in given.tables:
            columns: list[Hashable] = list(_core.as_samples(table.column_ids, samples, self.ids))
            tables.append(replace(table, columns=columns))
        return Views(given.container, tables)

    def _predict(self, X: MultiView) -> tuple[Views, dict[str, Any]]:
        check_is_fitted(self, "completion_")
        completion = self.completion_
        given = by_position(self._read(X, fitting=False), completion.views)
        given = self._resolved(self._by_sample(given), [], fitting=False)
        trained, samples = trained_views(completion), [str(s) for s in completion.samples]
        names = given.samples
        new = new_views(given, completion, names, getattr(X, "diagonals", {}))
        found = _core.predict(samples, trained, names, new, threads_of(self.n_jobs))
        warn(relevant_notices(found["notices"], given))
        return given, found

    def save(self, path: str | os.PathLike[str], *, kernel: MultiViewKernel | None = None, force: bool = False) -> None:
        """As :func:`mkc.save`.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> mkc.KernelCompleter("mean").fit(example.kernels).save("model.npz", force=True)
        """
        from ._model import save

        if self._in_factors:
            if kernel is not None:
                raise OptionError("kernel=... is for kernels in dense form", "leave it out")
            check_is_fitted(self, "completion_")
            return self.completion_.save(path, force=force)
        save(self, path, kernel=kernel, force=force)

    def score(self, X: MultiView, y: object = None) -> float:
        """Minus the mean relative error of held-out rows; larger is better.

        Parameters
        ----------
        X
            Kernels, as in ``fit``: rows are hidden in the missing patterns of the data, at random if nothing is
            missing, and completed. Or new samples, as in ``transform``: each of their views is hidden in turn
            and predicted from the others, as ``GridSearchCV`` needs, always in factor form. 0 for a single view.
        y
            Not used.

        Examples
        --------
        >>> import mkc
        >>> example = mkc.datasets.make_example(40, random_state=1)
        >>> K = example.kernels
        >>> mkc.KernelCompleter("mean").fit(K).score(K) < mkc.KernelCompleter("wknn").fit(K).score(K) < 0
        True
        """
        views = self._read(X, fitting=False)
        if len(views.tables) < 2:
            return 0.0
        if self._in_factors:
            return self._score_of_factors(views)
        if not all(is_kernel(table) for table in views.tables):
            check_is_fitted(self, "completion_")
            views = by_position(views, self.completion_.views)
            return -hidden_view_error(views, self.completion_, X, threads_of(self.n_jobs))
        assembled = assemble(views, psd=self.psd)
        text = self._method_text
        table = evaluate(
            X,
            text,
            mechanism="mcar" if assembled.observed.all() else "pattern",
            repeats=1,
            normalize=self.normalize,
            center=self.center,
            psd=self.psd,
            random_state=self.random_state,
            n_jobs=self.n_jobs,
        )
        return float(-table.loc[table["method"] == text, "are"].mean() / 100)

    def _columns_out(self) -> Any:
        if self._in_factors:
            return factor_columns(self.completion_)
        return getattr(self, "feature_names_in_", sample_names(self.samples_, self.completion_._given.labelled))

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.pairwise = not self._reads_features
        return tags


def _weights(candidates: pd.DataFrame | None, views: list[str]) -> pd.DataFrame | None:
    if candidates is None:
        return None
    weights = candidates.groupby(["candidate", "view"], sort=False)["weight"].sum()
    return weights.unstack("view")[views]
