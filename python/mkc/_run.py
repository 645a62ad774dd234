"""Arguments of a run: method, seed, threads, progress; and its warnings."""

from __future__ import annotations

import os
import sys
import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Any

import numpy as np

from . import _core
from ._errors import OptionError, printable

Callback = Callable[[str, int, int, float], Any]


def option_text(value: Any) -> str:
    """An option's value in the syntax of the library."""
    if isinstance(value, (bool, np.bool_)):
        return "yes" if value else "no"
    if isinstance(value, (float, np.floating)):
        return repr(float(value))
    if isinstance(value, (list, tuple)):
        return "+".join(option_text(item) for item in value)
    return str(value)


def check_texts(**given: Any) -> None:
    """Arguments must be strings; the library checks their values."""
    for name, value in given.items():
        if not isinstance(value, str):
            raise OptionError(f"{name}: {value!r} is not a string")


def flag_of(name: str, value: Any) -> bool:
    if not isinstance(value, (bool, np.bool_)):
        raise OptionError(f"{name}: {value!r} is not True or False")
    return bool(value)


def count_of(name: str, value: Any, least: int) -> int:
    if isinstance(value, bool) or not isinstance(value, (int, np.integer)) or value < least:
        raise OptionError(f"{name}: {value!r} is not an integer >= {least}")
    return int(value)


def share_of(name: str, value: Any, *, open_ends: bool = False) -> float:
    """A number from 0 to 1; with ``open_ends`` strictly between them."""
    number = isinstance(value, (int, float, np.integer, np.floating))
    if not number or not 0 <= value <= 1 or (open_ends and value in (0, 1)):
        range_ = "between 0 and 1" if open_ends else "from 0 to 1"
        raise OptionError(f"{name}: {value!r} is not a number {range_}")
    return float(value)


def parsed_method(method: str) -> tuple[str, list[tuple[str, str]]]:
    """Name and options of ``"wknn,k=7"``."""
    if not isinstance(method, str):
        if not np.isscalar(method) and method is not None:
            raise OptionError(
                f"method: a {type(method).__name__} is not the name of a method", "observed=... is a mask"
            )
        raise OptionError(f"method: {method!r} is not the name of a method", "mkc.methods() lists them")
    return _core.parse_method(method)


def method_text(method: str, options: Mapping[str, Any]) -> str:
    """``"wknn"``, ``{"k": 7}`` -> ``"wknn,k=7"``; raises an error that names unknown methods and options. None
    is the default of an option."""
    name, known = parsed_method(method)
    known += [(key, option_text(value)) for key, value in options.items() if value is not None]
    text = _core.format_method(name, known)
    _core.parse_method(text)
    return text


@cache
def option_names() -> frozenset[str]:
    """The options of all methods."""
    return frozenset(option["name"] for method in _core.methods() for option in method["options"])


def has_option(method: str, option: str) -> bool:
    return any(known["name"] == option for one in _core.methods() if one["name"] == method for known in one["options"])


def seed_of(random_state: Any) -> int:
    """The seed of a run. ``None`` is 0, as on the command line, so that results are reproducible."""
    if random_state is None:
        return 0
    if isinstance(random_state, np.random.Generator):
        return int(random_state.integers(2**32))
    if isinstance(random_state, np.random.RandomState):
        return int(random_state.randint(2**32, dtype=np.uint64))
    if not isinstance(random_state, (int, np.integer)):
        raise TypeError(f"random_state: {random_state!r} is not None, an integer or a generator")
    if not 0 <= random_state < 2**64:
        raise OptionError(f"random_state: {random_state} is not from 0 to 2**64 - 1")
    return int(random_state)


def threads_of(n_jobs: int | None) -> int:
    """scikit-learn's ``n_jobs``: None is 1, -1 is all. It never changes the result."""
    if n_jobs is None:
        return 1
    if isinstance(n_jobs, bool) or not isinstance(n_jobs, (int, np.integer)) or n_jobs == 0:
        raise OptionError(f"n_jobs: {n_jobs!r} is not a number of threads", "None is 1, -1 is all")
    if n_jobs < 0:
        return max(1, _core.available_threads() + 1 + int(n_jobs))
    return int(n_jobs)


class Progress:
    """A progress bar by tqdm: a widget in a notebook, text on a terminal."""

    def __init__(self, verbose: int, callback: Callback | None = None) -> None:
        self.verbose = verbose
        self.callback = callback
        self._bar: Any = None
        self._phase = ""

    def __call__(self, phase: str, iteration: int, max_iterations: int, objective: float) -> Any:
        if self.verbose > 0:
            self._show(phase, iteration, max_iterations, objective)
        return None if self.callback is None else self.callback(phase, iteration, max_iterations, objective)

    def _show(self, phase: str, iteration: int, max_iterations: int, objective: float) -> None:
        if self._bar is None or phase != self._phase:
            from tqdm.auto import tqdm

            self.close()
            self._phase = phase
            self._bar = tqdm(desc=f"mkc: {phase}", total=max_iterations or None, leave=False)
        if np.isfinite(objective):
            self._bar.set_postfix_str(f"objective {objective:.6g}", refresh=False)
        self._bar.update(iteration - self._bar.n)

    def close(self) -> None:
        if self._bar is not None:
            self._bar.close()
            self._bar = None

    @property
    def listener(self) -> Progress | None:
        """The callback for the library; None if progress is not needed."""
        return self if self.verbose > 0 or self.callback is not None else None


def _warn_user(text: str, category: type[Warning]) -> None:
    """Warns at the user's line: the first caller outside this package."""
    package, frame, level = os.path.dirname(__file__), sys._getframe(), 1
    while frame.f_back is not None and os.path.dirname(frame.f_code.co_filename) == package:
        frame, level = frame.f_back, level + 1
    warnings.warn(printable(text), category, stacklevel=level)


def warn(notices: Sequence[str]) -> None:
    """Issues a warning for each notice."""
    for notice in notices:
        _warn_user(notice, UserWarning)


def warn_if_not_converged(completion: Any) -> None:
    if completion.status == "max_iterations":
        from sklearn.exceptions import ConvergenceWarning

        _warn_user(
            f"{completion.method}: not converged after {completion.iterations} iterations (relative residual "
            f"{completion.residual:.2g}); raise max_iter or tol",
            ConvergenceWarning,
        )
