"""Limits of the process (ulimit): a result, or one message that says what to do; never stuck."""

import os
import pathlib
import resource
import shutil
import subprocess

import numpy as np
import pytest
from conftest import BINARY

is_sanitized = b"__asan_init" in pathlib.Path(BINARY).read_bytes()


@pytest.fixture
def gaps(tmp_path):
    """60 samples in three kernels, a third of the rows of each missing."""
    random = np.random.default_rng(3)
    state = random.normal(size=(60, 4))
    arrays = {}
    for m, name in enumerate("abc"):
        x = np.tanh(state @ random.normal(size=(4, 8)))
        kernel = np.exp(-0.3 * ((x[:, None] - x[None]) ** 2).sum(-1))
        lost = np.arange(60) % 3 == m
        kernel[lost] = kernel[:, lost] = np.nan
        arrays[name] = kernel
    np.savez(tmp_path / "k.npz", **arrays)
    return "k.npz"


def run(folder, *arguments, binary=BINARY, before=(), **limits):
    def limit():
        for name, value in limits.items():
            resource.setrlimit(getattr(resource, f"RLIMIT_{name}"), (value, value))

    command = [*before, binary, *arguments]
    return subprocess.run(command, cwd=folder, preexec_fn=limit, capture_output=True, text=True, timeout=120)


def no_leftovers(folder):
    return not [path for path in folder.iterdir() if path.name.startswith(".")]


@pytest.mark.skipif(is_sanitized, reason="AddressSanitizer reserves terabytes")
def test_address_space(gaps, tmp_path):
    codes, results = {}, set()
    for mib in (90, 100, 200, 300, 400, 500, 1000, 2000):
        found = run(tmp_path, "complete", gaps, "-m", "transfer", "--threads", "4", "-o", f"out{mib}", AS=mib << 20)
        codes[mib] = found.returncode
        if found.returncode == 0:
            results.add((tmp_path / f"out{mib}" / "kernels.npz").read_bytes())
        else:
            assert found.returncode == 5 and found.stderr.count("error:") == 1, (mib, found.stderr)
            assert "hint: " in found.stderr and not (tmp_path / f"out{mib}").exists()
            assert "ulimit -v" in found.stderr or "out of memory" in found.stderr
    assert codes[100] == 5 and codes[1000] == codes[2000] == 0, codes
    assert len(results) == 1 and no_leftovers(tmp_path)
    assert run(tmp_path, "version", AS=100 << 20).returncode == 0


def test_file_size(gaps, tmp_path):
    found = run(tmp_path, "complete", gaps, "-m", "mean", "--report", "none", "-o", "out", FSIZE=1 << 14)
    assert found.returncode == 1, found.stderr
    assert found.stderr.count("error: cannot write") == 1 and "File too large" in found.stderr
    assert not (tmp_path / "out").exists() and no_leftovers(tmp_path)


def test_processes_and_threads(gaps, tmp_path):
    """The limit does not hold for root, so root runs the tool as another user."""
    before, binary = [], BINARY
    if os.geteuid() == 0:
        if shutil.which("setpriv") is None:
            pytest.skip("needs setpriv")
        before = ["setpriv", "--reuid=54321", "--regid=54321", "--clear-groups"]
        for folder in (tmp_path, *list(tmp_path.parents)[:2]):
            folder.chmod(0o777)
        binary = shutil.copy(BINARY, tmp_path / "mkc")
    limited = dict(binary=binary, before=before, NPROC=1)
    for method in ("knn", "transfer"):
        found = run(tmp_path, "complete", gaps, "-m", method, "--threads", "4", "-o", method, **limited)
        free = run(tmp_path, "complete", gaps, "-m", method, "--threads", "4", "-o", method + "_free")
        assert found.returncode == free.returncode == 0 and "OpenBLAS" not in found.stderr, found.stderr
        kernels = [(tmp_path / name / "kernels.npz").read_bytes() for name in (method, method + "_free")]
        assert kernels[0] == kernels[1]
    found = run(tmp_path, "evaluate", gaps, "-m", "knn", "-o", "trial", **limited)
    assert found.returncode == 1 and found.stderr.count("error: cannot start a process") == 1, found.stderr
    assert "ulimit -u" in found.stderr
