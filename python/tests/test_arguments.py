"""Arguments that several functions share."""

import sys

import numpy as np
import pytest

import mkc
from mkc._run import option_text, seed_of, threads_of


def test_samples(kernels, example):
    whole = example.observed.index[example.observed.all(axis=1)]
    some = [*example.observed.index[5:40]]
    with_all = mkc.complete(kernels, method="mean", samples="intersection")
    assert list(with_all.samples) == list(whole)
    listed = mkc.complete(kernels, method="mean", samples=some)
    assert list(listed.samples) == some and listed["protein"].shape == (35, 35)
    with pytest.raises(mkc.InputError, match="'S999'"):
        mkc.complete(kernels, samples=["S001", "S999"])
    with pytest.raises(mkc.InputError, match="neither 'union'"):
        mkc.complete(kernels, samples="all")


def test_seeds(arrays):
    assert seed_of(None) == 0 and seed_of(np.int64(7)) == 7
    first = seed_of(np.random.default_rng(3))
    assert first == seed_of(np.random.default_rng(3)) != seed_of(np.random.default_rng(4))
    assert seed_of(np.random.RandomState(3)) == seed_of(np.random.RandomState(3))
    a, b = (
        mkc.complete(arrays, method="transfer", random_state=np.random.RandomState(1)).seed for _ in range(2)
    )
    assert a == b > 0


def test_threads():
    every = threads_of(-1)
    assert threads_of(None) == 1 and threads_of(3) == 3 and every >= 1
    assert threads_of(-2) == max(1, every - 1)


def test_values_as_the_library_reads_them():
    assert option_text(True) == "yes" and option_text(np.bool_(False)) == "no"
    assert option_text(0.1) == "0.1" and option_text(np.float64(1e-8)) == "1e-08" and option_text(7) == "7"
    assert option_text(["knn", "mean"]) == "knn+mean"


def test_nothing_that_was_given_is_changed(arrays, kernels):
    before = {name: kernel.copy() for name, kernel in arrays.items()}
    for kernel in arrays.values():
        kernel.flags.writeable = False
    found = mkc.complete(arrays, method="transfer")
    mkc.evaluate(arrays, "mean", repeats=1)
    found.arrays[0][:] = 0  # the result is the caller's own
    for name, kernel in arrays.items():
        assert np.array_equal(kernel, before[name], equal_nan=True)


def test_importing_is_light():
    """Plots and containers are loaded where they are used."""
    import subprocess

    wanted = ("matplotlib", "mudata", "tqdm", "sklearn.datasets")
    code = f"import sys, mkc; print([m for m in {wanted} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, cwd="/")
    assert done.stdout.strip() == "[]", done
