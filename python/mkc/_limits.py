"""Loads the library with one thread of OpenBLAS.

While it is loaded, OpenBLAS starts a thread for every core and maps memory for each. Under limits of the
process (ulimit) it may not, and ends the process or tries again for ever. mkc never uses more than one of
these threads.
"""

from __future__ import annotations

import importlib
import os

_VARIABLE = "OPENBLAS_NUM_THREADS"


def _load() -> None:
    before = os.environ.get(_VARIABLE)
    os.environ[_VARIABLE] = "1"
    try:
        importlib.import_module("mkc._core")
    finally:
        if before is None:
            del os.environ[_VARIABLE]
        else:
            os.environ[_VARIABLE] = before


_load()
