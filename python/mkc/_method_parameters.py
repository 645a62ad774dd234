"""Options of methods as parameters of an estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

from sklearn.base import BaseEstimator

from ._factor import is_factor_form
from ._run import method_text, option_names

SelfT = TypeVar("SelfT", bound="MethodParameters")


class MethodParameters(BaseEstimator):
    """``get_params`` and ``set_params`` know the options of methods, beside the parameters of the class."""

    method: str
    form: str
    options: Mapping[str, Any] | None

    def _take_options(self, options: Mapping[str, Any]) -> None:
        for name, value in options.items():
            if name in option_names():
                setattr(self, name, value)
            else:  # fit refuses it: scikit-learn constructs with anything
                self._unknown = {**getattr(self, "_unknown", {}), name: value}

    @property
    def _method_options(self) -> dict[str, Any]:
        known = {name: value for name, value in vars(self).items() if name in _further_options()}
        return {**known, **getattr(self, "_unknown", {})}

    @property
    def _method_text(self) -> str:
        options = {**(self.options or {}), **self._method_options}
        is_factor_form(self.form, self.method, options)
        return method_text(self.method, options)

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The parameters by name, options of the method among them.

        Parameters
        ----------
        deep
            Not used: no parameter is an estimator.

        Examples
        --------
        >>> import mkc
        >>> mkc.KernelCompleter("wknn", k=5).get_params()["k"]
        5
        """
        return {**super().get_params(deep), **self._method_options}

    def set_params(self: SelfT, **params: Any) -> SelfT:
        """Sets parameters and options of methods.

        Parameters
        ----------
        **params
            Their names and values.

        Examples
        --------
        >>> import mkc
        >>> mkc.KernelCompleter().set_params(method="wknn", k=5)
        KernelCompleter(k=5, method='wknn')
        """
        options = {name: params.pop(name) for name in list(params) if name in _further_options()}
        super().set_params(**params)
        for name, value in options.items():
            setattr(self, name, value)
        return self


def _further_options() -> frozenset[str]:
    """``form`` is a parameter of the estimator already."""
    return option_names() - {"form"}
