"""Exceptions: the library's own text, and how to mend it."""

from __future__ import annotations

import re

_VALUES = "clip|error|ignore|union|intersection|mcar|pattern|rows|columns|mean|drop|unit|trace|none|auto"


# What the tool does with options of its own, Python does with pandas.
_ELSEWHERE = [
    (
        r"--normalize-ids takes (ids as equal that|them as one).*",
        "the names in the index of every DataFrame must be written alike",
    ),
    (
        r"--samples-in columns where.*",
        "the index of a DataFrame holds the sample names; where they are its columns, give df.T",
    ),
    (
        r"--sample-map FILE where.*",
        "the index of every DataFrame holds the sample names, written alike in all",
    ),
    (r"is read with kind=features", "is made a kernel by mkc.compute_kernels"),
    (r"read them with kind=features", "make a kernel of them with mkc.compute_kernels"),
]


def in_python(hint: str) -> str:
    """Options as Python writes them: "--psd clip" -> "psd='clip'", "--na-features" -> "na_features"."""
    for pattern, here in _ELSEWHERE:
        hint = re.sub(pattern, here, hint)
    hint = hint.replace("another -o", "another name").replace("add --force", "force=True")
    hint = re.sub(
        rf"--([a-z][a-z-]*) ({_VALUES})\b",
        lambda match: f"{match[1].replace('-', '_')}='{match[2]}'",
        hint,
    )
    return re.sub(r"--([a-z][a-z-]*)", lambda match: match[1].replace("-", "_"), hint)


class InputError(ValueError):
    """Input that cannot be worked on. ``hint`` says how to mend it."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what, hint)
        self.what = what
        self.hint = in_python(hint)

    def __str__(self) -> str:
        return f"{self.what}\n  hint: {self.hint}" if self.hint else self.what


class OptionError(InputError):
    """A name or an option that does not exist, or a value outside its range."""


class WorkingMemoryError(MemoryError):
    """The work would need more memory than there is."""

    def __init__(self, what: str, hint: str = "") -> None:
        super().__init__(what)
