"""Exceptions: the library's own text, and how to fix the input in Python's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

Advice = tuple[str, str, str]  # option, value, sentence: mkc/base/hint.hpp
Hint = Union[str, Sequence[Advice]]

# Options of the command line whose job pandas does, or another function of this package.
_ELSEWHERE = {
    "normalize_ids": "the names in the index of every DataFrame must be written alike",
    "samples_in": "the index of a DataFrame holds the sample names; where they are its columns, give df.T",
    "sample_map": "give every DataFrame the same sample names in its index",
    "name": "give every view a name of its own",
    "kind": "mkc.compute_kernels makes a kernel of measurements",
}


def _sentence(option: str, value: str, sentence: str) -> str:
    """("psd", "clip", "takes ...") -> "psd='clip' takes ..."."""
    if not option:
        return sentence
    if option in _ELSEWHERE:
        return _ELSEWHERE[option]
    if option == "command":
        return f"mkc.{value} {sentence}"
    if not value:
        return f"{option}=True {sentence}"
    return f"{option} {sentence}" if value.isupper() else f"{option}='{value}' {sentence}"


def in_python(hint: Hint) -> str:
    """A hint as one line: options as arguments of Python, each sentence once."""
    if isinstance(hint, str):
        return hint
    return "; ".join(dict.fromkeys(_sentence(*advice) for advice in hint))


class InputError(ValueError):
    """Input that cannot be worked on. ``hint`` says how to fix it."""

    def __init__(self, what: str, hint: Hint = "") -> None:
        self.what = what
        self.hint = in_python(hint)
        super().__init__(what, self.hint)

    def __str__(self) -> str:
        return f"{self.what}\n  hint: {self.hint}" if self.hint else self.what


class OptionError(InputError):
    """A name or an option that does not exist, or a value outside its range."""


class WorkingMemoryError(MemoryError):
    """The work would need more memory than there is."""

    def __init__(self, what: str, hint: Hint = "") -> None:
        super().__init__(what)
