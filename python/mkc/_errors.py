"""Exceptions: the library's own text, and how to fix the input in Python's words."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Union

Advice = tuple[str, str, str]  # option, value, sentence: mkc/base/hint.hpp
Hint = Union[str, Sequence[Advice]]

# Options of the command line whose job pandas does, or another function or argument of this package. Those of a
# single value come first.
_OTHERWISE = {
    ("kind", "kernel"): "kernel_rows=True reads kernel rows against the training samples",
    ("samples", "FILE"): "samples is a list of samples that at least one view has",
}
_ELSEWHERE = {
    "samples_in": "the index of a DataFrame holds the sample names; where they are its columns, give df.T",
    "name": "give every view a name of its own",
    "categories": "df[column].astype('category') makes words of a column; of a file, its option 'categories'",
    "dates": "pandas.to_datetime(df[column], dayfirst=True) reads dates; of a file, its option 'dates'",
    "kind": "mkc.compute_kernels makes a kernel of measurements",
}


# What steers a terminal, as mkc/base/error.hpp has it: control characters (C0, DEL, C1), separators of lines,
# marks of the direction of writing, the byte order mark.
_STEERING = [*range(0x20), *range(0x7F, 0xA0), 0x61C, 0x200E, 0x200F, *range(0x2028, 0x202F), *range(0x2066, 0x206A)]
_ESCAPES = {code: f"\\u{code:04x}" for code in [*_STEERING, 0xFEFF]} | {10: "\\n", 13: "\\r", 9: "\\t"}


def printable(text: str) -> str:
    """One line that is safe to show: names from files may hold anything."""
    return text.translate(_ESCAPES)


def _sentence(option: str, value: str, sentence: str) -> str:
    """("psd", "clip", "takes ...") -> "psd='clip' takes ..."."""
    if not option:
        return sentence
    if (option, value) in _OTHERWISE:
        return _OTHERWISE[option, value]
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
    """Input that cannot be worked on. ``hint`` says how to fix it.

    Examples
    --------
    >>> import mkc, numpy as np
    >>> try:
    ...     mkc.complete([np.eye(3), np.eye(4)])
    ... except mkc.InputError as error:
    ...     print(error.hint)
    views with different samples are given as DataFrames with sample names
    """

    def __init__(self, what: str, hint: Hint = "") -> None:
        self.what = printable(what)
        self.hint = printable(in_python(hint))
        super().__init__(self.what, self.hint)

    def __str__(self) -> str:
        return f"{self.what}\n  hint: {self.hint}" if self.hint else self.what


class OptionError(InputError):
    """A name or an option that does not exist, or a value outside its range.

    Examples
    --------
    >>> import mkc, numpy as np
    >>> try:
    ...     mkc.complete([np.eye(3), np.eye(3)], "wknnn")
    ... except mkc.OptionError as error:
    ...     print(error.what)
    there is no method 'wknnn' (did you mean 'wknn'?)
    """


class WorkingMemoryError(MemoryError):
    """The work would need more memory than there is.

    Examples
    --------
    >>> import mkc
    >>> issubclass(mkc.WorkingMemoryError, MemoryError)
    True
    """

    def __init__(self, what: str, hint: Hint = "") -> None:
        what, advice = printable(what), printable(in_python(hint))
        super().__init__(f"{what}\n  hint: {advice}" if advice else what)
