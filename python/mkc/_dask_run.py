"""Named tasks on the workers of a Dask cluster, repeated where workers die."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from typing import Any

from . import _core
from ._errors import InputError
from ._run import warn

LOST_AT_MOST = 10  # times that Dask gives a task up because of dead workers, before we do
PATIENCE = 60.0  # seconds without any worker, before the user is told

Call = tuple[Any, ...]  # a function of mkc._steps and its arguments


class Run:
    """Runs lists of calls; their names stand on the dashboard."""

    def __init__(self, client: Any) -> None:
        self.client = client
        self._token = uuid.uuid4().hex
        self._told = False

    def threads(self) -> int:
        return sum(self.client.nthreads().values())

    def __call__(self, name: str, calls: Sequence[Call]) -> list[Any]:
        """The results in the order of the calls."""

        def submit(i: int, attempt: int) -> Any:
            function, *arguments = calls[i]
            return self.client.submit(function, *arguments, key=(f"{name}-{self._token}", attempt, i))

        return self._results(name, submit, len(calls))

    def collect(self, name: str, calls: Sequence[Call]) -> list[Any]:
        """The same for calls whose second entry is a delayed block of a collection: it is made where it is used."""
        from dask.delayed import delayed

        def submit(i: int, attempt: int) -> Any:
            function, block, *arguments = calls[i]
            key = f"{name}-{self._token}-{attempt}-{i}"
            return self.client.compute(delayed(function)(block, *arguments, dask_key_name=key))

        return self._results(name, submit, len(calls))

    def _results(self, name: str, submit: Callable[[int, int], Any], count: int) -> list[Any]:
        from distributed import KilledWorker

        futures = [submit(i, 0) for i in range(count)]
        results = []
        try:
            for i in range(count):
                for attempt in range(1, LOST_AT_MOST + 1):
                    try:
                        self._wait_for(futures[i])
                        results.append(futures[i].result())
                        break
                    except KilledWorker:  # Dask gives a task up when some workers died with it
                        if attempt == LOST_AT_MOST:
                            raise InputError(
                                f"{name}, task {i + 1} of {count}: its workers died again and again",
                                "their memory may be too small: give fewer threads to a worker, or memory='2G'",
                            ) from None
                        futures[i] = submit(i, attempt)
                    except ModuleNotFoundError as error:
                        raise InputError(
                            f"a worker cannot load the package mkc: {error}", "install mkc on every worker"
                        ) from None
        except BaseException:
            self.client.cancel(futures)
            raise
        return results

    def _wait_for(self, future: Any) -> None:
        """Waits, and says so where there is nobody who could do the work: a scheduler may bring workers back."""
        from distributed import wait

        while True:
            try:
                wait(future, timeout=PATIENCE)
                return
            except TimeoutError:
                if not self._told and not self.client.nthreads():
                    self._told = True
                    warn([f"the cluster has no worker for {PATIENCE:.0f} s or more; work goes on when one comes back"])

    def check_workers(self, file: str) -> None:
        """InputError where a worker lacks mkc, has another version of it, or does not see the folder of the run."""

        def look() -> tuple[str, bool]:  # inside a function, so that it travels by value
            import os

            try:
                from mkc import _core
            except ImportError as error:
                return f"no mkc ({error})", True
            return f"mkc {_core.version}", os.path.exists(file)

        found = self.client.run(look)
        if not found:
            raise InputError("the cluster has no worker", "start some, or wait for them: client.wait_for_workers(1)")
        for worker, (version, sees) in found.items():
            if version != f"mkc {_core.version}":
                raise InputError(
                    f"worker {worker} has {version}, this process mkc {_core.version}",
                    "install the same version of mkc on every worker",
                )
            if not sees:
                raise InputError(
                    f"worker {worker} does not see '{file}'", "give an output on a file system that all workers share"
                )
