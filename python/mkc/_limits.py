"""Loads the library under limits of the process (ulimit) that OpenBLAS would not survive.

While it is loaded, OpenBLAS starts a thread for every core and maps memory for each. If it may not, it
ends the process or tries again for ever. mkc never uses more than one of these threads.
"""

from __future__ import annotations

import importlib
import os
import resource

_FEW_PROCESSES = 4096
_VARIABLE = "OPENBLAS_NUM_THREADS"


def _is_limited() -> bool:
    memory, processes = (resource.getrlimit(kind)[0] for kind in (resource.RLIMIT_AS, resource.RLIMIT_NPROC))
    return memory != resource.RLIM_INFINITY or (processes != resource.RLIM_INFINITY and processes < _FEW_PROCESSES)


def _load() -> None:
    before = os.environ.get(_VARIABLE)
    if _is_limited():
        os.environ[_VARIABLE] = "1"
    try:
        importlib.import_module("mkc._core")
    finally:
        if before is None:
            os.environ.pop(_VARIABLE, None)
        else:
            os.environ[_VARIABLE] = before


_load()
