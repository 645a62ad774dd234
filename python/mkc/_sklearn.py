"""Common parts of the estimators: output containers, names, checks."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace
from typing import Any, TypeVar

import numpy as np
import pandas as pd
from sklearn import get_config
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.utils.validation import check_is_fitted, validate_data

from ._errors import InputError
from ._inputs import Output, Table, Views, are_named, by_position, read_views
from ._mudata import is_mudata
from ._run import warn
from ._samples import SampleRules, for_new_samples, resolve
from ._tables import package_of, plain
from ._types import Replicates, SampleMap, ZeroRows

SelfT = TypeVar("SelfT", bound="ViewsTransformer")

_OUTPUTS = ("default", "pandas", "polars")


class MethodAndParameter:
    """A method of an estimator that has the name of a parameter: reading the attribute gives the method, setting
    it (as ``set_params`` does) the parameter, which stays in the ``__dict__`` of the estimator."""

    def __init__(self, method: Callable[..., Any]) -> None:
        self.method = method
        self.name = method.__name__

    def __get__(self, estimator: Any, owner: type | None = None) -> Any:
        return self.method if estimator is None else self.method.__get__(estimator, owner)

    def __set__(self, estimator: Any, value: Any) -> None:
        estimator.__dict__[self.name] = value


class ViewsTransformer(TransformerMixin, BaseEstimator):
    """Output in the kind of the input: DataFrames for DataFrames, arrays for arrays;
    ``set_output(transform="pandas")`` always gives DataFrames, ``"polars"`` those of polars."""

    def __init_subclass__(cls, **kwargs: Any) -> None:
        # scikit-learn would wrap the output of transform, but does not support a dict of views.
        super().__init_subclass__(auto_wrap_output_keys=None, **kwargs)

    def set_output(self: SelfT, *, transform: Output | None = None) -> SelfT:
        """``"pandas"`` or ``"polars"``: DataFrames, those of polars with the sample names in their first
        column; ``"default"``: the kind of the input."""
        if transform is not None:
            if transform not in _OUTPUTS:
                raise ValueError(f"set_output: '{transform}' is not one of {', '.join(map(repr, _OUTPUTS))}")
            self._sklearn_output_config = {"transform": transform}
        return self

    @property
    def _output(self) -> Output:
        own = getattr(self, "_sklearn_output_config", {}).get("transform")
        found: Output = own or get_config()["transform_output"]
        return found


class MultiViewTransformer(ViewsTransformer):
    """A transformer of several views."""

    ids: str
    sample_map: SampleMap | None
    replicates: Replicates
    zero_rows: ZeroRows

    _nan_is_missing = True

    @property
    def _reads_features(self) -> bool:
        """From a MuData: features, not kernels."""
        return False

    def _resolved(self, given: Views, kernels: Collection[str], *, fitting: bool) -> Views:
        """The views with one row per sample, under its name. New samples follow the rules of fit."""
        rules = SampleRules(self.ids, self.sample_map, self.replicates, self.zero_rows)
        if not fitting:
            known = getattr(self, "_zero_rows", {})
            taken = {table.name: known.get(table.name, "values") for table in given.tables}
            rules = for_new_samples(rules, taken)
        elif rules.zero_rows == "auto" and len(given.tables) == 1 and kernels:
            rules = replace(rules, zero_rows="values")  # no other view could complete a single kernel
        taken = {}
        given, notices = resolve(given, rules, kernels, taken)
        warn(notices)
        if fitting:
            self._zero_rows = taken
        return given

    def _read(self, X: Any, *, fitting: bool) -> Views:
        """The views; a single table is checked as scikit-learn checks it."""
        repeated = getattr(self, "replicates", "error") != "error"
        package = package_of(X) or "pandas"
        if is_mudata(X) or are_named(X) or isinstance(X, (list, tuple)):
            return read_views(X, features=self._reads_features, repeated=repeated)
        X = plain(X)
        if len(getattr(X, "shape", ())) in (1, 2):
            checked = validate_data(
                self,
                X,
                reset=fitting,
                dtype=np.float64,
                ensure_all_finite="allow-nan" if self._nan_is_missing else True,
            )
            if isinstance(X, pd.DataFrame):
                X = pd.DataFrame(checked, index=X.index, columns=X.columns)
            else:
                X = np.asarray(checked, dtype=getattr(X, "dtype", None) if _is_single(X) else np.float64)
        views = read_views(X, features=self._reads_features)
        views.container.package = package
        return views

    def _check_order(self, y: object, given: Views, samples: list[str]) -> None:
        if given.container.labelled:
            check_order(y, given.container.index(samples), "y[samples_] (of this step, fitted without y)")

    def get_feature_names_out(self, input_features: Any = None) -> Any:
        """The columns of the output of ``transform``: the training samples."""
        check_is_fitted(self)
        return np.asarray([str(name) for name in self._columns_out()], dtype=object)

    def _columns_out(self) -> Any:
        raise NotImplementedError

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.sparse = True
        tags.input_tags.allow_nan = self._nan_is_missing
        return tags


def in_fitted_order(given: Views, names: list[str]) -> Views:
    """The views in the order of fit; they must be the same. Those of a list are taken by position."""
    given = by_position(given, names)
    if set(given.names) != set(names):
        raise InputError(f"the views are {given.names}, but {names} were fitted")
    tables = {table.name: table for table in given.tables}
    return Views(replace(given.container, names=list(names)), [tables[name] for name in names])


def with_missing_views(given: Views, names: list[str]) -> Views:
    """The views in the order of fit; those that are not given have the same samples, but no columns."""
    given = by_position(given, names)
    known = given.container
    if known.listed or known.kind == "single" or not set(given.names) <= set(names):
        return in_fitted_order(given, names)
    tables = {table.name: table for table in given.tables}
    samples = given.samples
    labels = [known.label_of[name] for name in samples] if known.labelled else None
    empty = Table("", np.empty((len(samples), 0)), labels, given.tables[0].source, [] if labels else None)
    return Views(replace(known, names=list(names)), [tables.get(name) or replace(empty, name=name) for name in names])


def check_order(y: object, samples: pd.Index, replacement: str) -> None:
    """scikit-learn reads ``y`` by position: a Series with the samples in another order would give them wrong
    classes. A Series that names none of them is read by position."""
    if not isinstance(y, pd.Series):
        return
    wanted, given = list(map(str, samples)), list(map(str, y.index))
    if given == wanted or set(given).isdisjoint(wanted):
        return
    what = f"y has {len(given)} entries, but there are {len(wanted)} samples"
    if len(given) == len(wanted):
        row = next(i for i, (a, b) in enumerate(zip(given, wanted)) if a != b)
        what = f"y is not in the order of the samples: entry {row} is of '{given[row]}', not '{wanted[row]}'"
    raise InputError(what, f"give {replacement}, or y.to_numpy() if its order is right")


def _is_single(X: Any) -> bool:
    return getattr(X, "dtype", None) in (np.float32, np.float16)


def sample_names(samples: pd.Index, labelled: bool) -> list[str]:
    return [str(s) for s in samples] if labelled else [f"sample{i}" for i in range(len(samples))]
