"""SIGKILL at system calls that change files: the earlier result stays whole or the new one is, and the next run
succeeds and leaves nothing behind.

The short version kills at the first call of every kind, at every rename and at the last call. MKC_ALL_KILLS=1 kills at
every call of the run, more than 1,000 times:

    MKC_ALL_KILLS=1 MKC_BINARY=$PWD/build/release/apps/mkc/mkc python3 -m pytest -q -s tests/cli/test_kills.py
"""

import io
import json
import os
import pathlib
import shutil
import subprocess
import zipfile

import pytest
from conftest import BINARY

KILL_AT = pathlib.Path(os.environ.get("MKC_KILL_AT", pathlib.Path(BINARY).resolve().parents[2] / "tests" / "kill_at"))
NO_PTRACE = 77
SIGKILLED = 137

EVALUATE = ["evaluate", "a.csv", "b.csv", "-m", "mean", "--repeats", 1, "-t", 1, "-o", "trial", "--report", "none"]
COMPLETE = ["complete", "a.csv", "b.csv", "-m", "knn", "-t", 1, "-o", "out"]
PREDICT = ["predict", "model.npz", "--view", "a=a.csv", "-t", 1, "-o", "new"]
PLAIN = "--plain-renames"  # a file system without the flags of renameat2


def replaced(form):
    return [COMPLETE], [*COMPLETE, "--force", "--format", form, "--report", "none"], ["out"]


# name: what exists before (commands), the command, its targets
SCENARIOS = {
    "new folder": ([], [*COMPLETE, "--format", "tsv"], ["out"]),
    "folder, model and report": (
        [[*COMPLETE, "--quality", "--format", "tsv", "--save-model", "m.npz", "--report", "r.html"]],
        [*COMPLETE, "--force", "--save-model", "m.npz", "--report", "r.html"],
        ["out", "m.npz", "r.html"],
    ),
    "continued evaluation": ([EVALUATE], [*EVALUATE, "-m", "wknn"], ["trial"]),
    "file": ([["kernel", "a.csv", "-o", "k.npz"]], ["kernel", "a.csv", "b.csv", "-o", "k.npz", "--force"], ["k.npz"]),
    "tsv": replaced("tsv"),
    "hdf5": replaced("hdf5"),
    "h5mu": replaced("h5mu"),
    "mat": replaced("mat"),
    "evaluation": ([EVALUATE], [*EVALUATE, "-m", "wknn", "--force"], ["trial"]),
    "prediction": (
        [[*COMPLETE, "--save-model", "model.npz", "--report", "none"], PREDICT],
        [*PREDICT, "--force", "--format", "tsv"],
        ["new"],
    ),
    "combined kernel": ([COMPLETE], ["combine", "out", "-o", "out/K.tsv"], ["out/K.tsv"]),
    "converted file": ([], ["convert", "a.csv", "b.csv", "-o", "views.h5"], ["views.h5"]),
}
ALL = "MKC_ALL_KILLS" in os.environ
SHORT = [("new folder", ""), ("folder, model and report", ""), ("folder, model and report", PLAIN)]
SHORT += [("continued evaluation", ""), ("file", "")]


class Watched:
    """Runs mkc in copies of a prepared folder."""

    def __init__(self, before, work, arguments, options):
        self.before, self.work, self.arguments, self.options = before, work, arguments, options

    def run(self, *tool, fresh=True, arguments=None):
        if fresh:
            shutil.rmtree(self.work, ignore_errors=True)
            shutil.copytree(self.before, self.work)
        process = subprocess.run(
            [*map(str, tool), BINARY, *map(str, arguments or self.arguments)],
            cwd=self.work,
            capture_output=True,
            text=True,
            timeout=120,
            env={**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "OPENBLAS_NUM_THREADS": "1"},
        )
        if process.returncode == NO_PTRACE:
            pytest.skip("this system does not allow ptrace")
        return process

    def start_from(self, folder):
        shutil.rmtree(self.before, ignore_errors=True)
        folder.rename(self.before)

    def calls(self):
        """The names of the calls that change files, in a run to the end."""
        result = self.kill_at(0)
        assert result.returncode == 0, result.stderr
        calls = [line.split()[2] for line in result.stderr.splitlines() if line.startswith("call ")]
        assert {"open", "write", "fsync", "rename", "mkdir", "unlink"} <= set(calls)
        return calls

    def kill_at(self, number, **more):
        return self.run(KILL_AT, number, *self.options, **more)


def snapshot(path):
    """The bytes of a file, or of all files of a folder by name; None where there is nothing."""
    if not path.is_dir():
        return path.read_bytes() if path.exists() else None
    return {str(p.relative_to(path)): p.read_bytes() for p in sorted(path.rglob("*")) if not p.is_dir()}


def holds_times(name):
    """Whether two runs of one command may write other bytes into this file."""
    return name.startswith("cells/") or name in {"meta_info.json", "mkc.log", "report.html", "runs.tsv", "summary.tsv"}


def is_whole(found, expected, target):
    """Whether a target is what the command writes, up to times."""
    if found is None or target == "r.html":
        return found is not None and found.rstrip().endswith(b"</html>")
    if target == "m.npz":
        archive = zipfile.ZipFile(io.BytesIO(found))
        return archive.testzip() is None and archive.namelist() == zipfile.ZipFile(io.BytesIO(expected)).namelist()
    if not isinstance(expected, dict):
        return found == expected
    own = sorted(set(found) - {"notes.txt"})
    return (
        found.keys() == expected.keys()
        and all(found[name] == expected[name] for name in expected if not holds_times(name))
        and json.loads(found["meta_info.json"])["files"] == own
    )


def chosen(calls):
    """The numbers of the calls to kill at, from 1 on."""
    numbered = list(enumerate(calls, 1))
    first = {name: number for number, name in reversed(numbered)}
    renames = [number for number, name in numbered if name == "rename"]
    return [number for number, _ in numbered] if ALL else sorted({*first.values(), *renames, len(calls)})


def check_after_kill(watched, before, whole, number):
    for target, earlier in before.items():
        found = snapshot(watched.work / target)
        if found is None and earlier is not None:
            # Only without an exchange of two names: the next start puts the earlier result back.
            assert watched.options, f"call {number}: {target} is gone"
            unforced = [word for word in watched.arguments if word != "--force"]
            again = watched.run(fresh=False, arguments=unforced)
            assert again.returncode == 2 and "is back" in again.stderr, again.stderr
            found = snapshot(watched.work / target)
        assert found == earlier or is_whole(found, whole[target], target), f"call {number}: {target} is damaged"


def kill_and_check(watched, before):
    """Kills runs, each from the same state; before: the targets as they were at first. Returns the number of kills."""
    calls = watched.calls()
    whole = {target: snapshot(watched.work / target) for target in before}
    names = sorted(os.listdir(watched.work))
    numbers = chosen(calls)
    for number in numbers:
        assert watched.kill_at(number).returncode == SIGKILLED, f"call {number} of {len(calls)}"
        check_after_kill(watched, before, whole, number)
        again = watched.run(fresh=False)
        exists = "--force" not in watched.arguments and again.returncode == 2 and "exists" in again.stderr
        assert again.returncode == 0 or exists, again.stderr
        for target in before:
            assert is_whole(snapshot(watched.work / target), whole[target], target), f"call {number}: {target}"
        assert sorted(os.listdir(watched.work)) == names, f"call {number}: files are left"
    return len(numbers)


def prepared(mkc, folder, name, option):
    """What exists before, and the runs of a scenario."""
    earlier, arguments, targets = SCENARIOS[name]
    for command in earlier:
        assert mkc(*command).code == 0
    for target in targets:
        if (folder / target).is_dir():
            (folder / target / "notes.txt").write_text("mine")
    watched = Watched(folder.with_name("before"), folder.with_name("work"), arguments, [option] if option else [])
    watched.start_from(folder)
    return watched, {target: snapshot(watched.before / target) for target in targets}


@pytest.mark.parametrize(
    "name, option", [(name, option) for name in SCENARIOS for option in ("", PLAIN)] if ALL else SHORT
)
def test_killed_runs_lose_nothing_and_leave_nothing(mkc, views, tmp_path, name, option):
    kills = kill_and_check(*prepared(mkc, tmp_path, name, option))
    print(f"{name} {option}: {kills} kills")


def test_killed_recovery_loses_nothing(mkc, views, tmp_path):
    """A run is killed between the two renames; the run that puts the earlier result back is killed too."""
    watched, before = prepared(mkc, tmp_path, "tsv", PLAIN)
    renames = [number for number, name in enumerate(watched.calls(), 1) if name == "rename"]
    for number in renames:
        assert watched.kill_at(number).returncode == SIGKILLED
        if not (watched.work / "out").exists():
            break
    else:
        pytest.fail("no kill left the folder absent")
    watched.start_from(watched.work)
    print(f"recovery: {kill_and_check(watched, before)} kills")
