"""The list of methods."""

from __future__ import annotations

import pandas as pd

from . import _core
from ._run import parsed_method


def methods(name: str | None = None) -> pd.DataFrame:
    """All methods with their cost and memory (N samples, M views), or the options of one.

    Parameters
    ----------
    name
        A method; options after its name are ignored. None lists all methods.

    Returns a table by name: ``summary``, ``cost`` and ``memory`` of methods, or ``default``, ``range`` and
    ``meaning`` of options.

    Examples
    --------
    >>> import mkc
    >>> "transfer" in mkc.methods().index
    True
    >>> mkc.methods("wknn").loc["k", "default"]
    '5'
    """
    if name is None:
        return pd.DataFrame(_core.methods()).drop(columns="options").set_index("name")
    name, _ = parsed_method(name)
    (found,) = [method for method in _core.methods() if method["name"] == name]
    return pd.DataFrame(found["options"], columns=["name", "default", "range", "meaning"]).set_index("name")
