"""Completion in factor form of tables in memory."""

from __future__ import annotations

import sys
from collections.abc import Hashable, Mapping, Sequence
from typing import Any

from . import _core
from ._assemble import gathered, listed_samples
from ._errors import OptionError
from ._factor_completion import FactorCompletion, completion_of
from ._factor_model import FactorModel
from ._inputs import Views
from ._kernels import KernelPlan, with_called_kernels
from ._run import Callback, Progress, check_texts, has_option, method_text, parsed_method, warn
from ._types import Observed


def is_factor_form(form: Any, method: str, options: dict[str, Any]) -> bool:
    """Some methods have an option `form` of their own, with other values: it goes to ``options``."""
    if form in ("dense", "factor"):
        return bool(form == "factor")
    if not has_option(parsed_method(method)[0], "form"):
        raise OptionError(f"form: {form!r} is not 'dense' or 'factor'")
    options["form"] = form
    return False


def factor_options(
    method: str, options: Mapping[str, Any], dense_only: Mapping[str, tuple[Any, Any]]
) -> list[tuple[str, str]]:
    """The options of a run in factor form, which has one method. ``dense_only``: arguments that only kernels in dense
    form have, with their values and defaults."""
    name, known = parsed_method(method)
    if name not in ("auto", "factor"):
        raise OptionError(f"form='factor' has a method of its own, not '{name}'", "leave out the method")
    for argument, (value, default) in dense_only.items():
        if value != default:
            raise OptionError(f"{argument}={value!r} is for kernels in dense form", "leave it out, or form='dense'")
    return parsed_method(method_text("factor", {**dict(known), **options}))[1]


def complete_in_factors(
    given: Views,
    plan: KernelPlan,
    options: list[tuple[str, str]],
    seed: int,
    threads: int,
    *,
    na_features: str = "error",
    observed: Observed | None = None,
    samples: str | Sequence[Hashable] = "union",
    notices: Sequence[str] = (),
    verbose: int = 0,
    callback: Callback | None = None,
) -> FactorCompletion:
    """Views whose samples are resolved; ``notices`` are what was said of them."""
    check_texts(na_features=na_features)
    ready, of_view = with_called_kernels(given, plan, na_features)
    progress = Progress(verbose, callback)
    try:
        found, model = _core.complete_factors(
            gathered(ready, observed, of_view, plan.common),
            options,
            na_features,
            *listed_samples(samples),
            seed,
            threads,
            progress.listener,
        )
    finally:
        progress.close()
    warn([*notices, *found.warnings])
    about = [*found.warnings, *found.notices]
    if verbose > 0:
        for notice in about:
            print(f"mkc: {notice}", file=sys.stderr)
    index, names = given.container.index(found.samples), list(given.names)
    return completion_of(found, index, names, seed, about, FactorModel(model))
