"""Observed kernels are looked at where they stand; where they must be copied, it is once."""

import gc
import pathlib
import subprocess
import sys
import textwrap
import weakref

import numpy as np
import pytest
from conftest import frame, random_problem

import mkc
from mkc._assemble import assemble
from mkc._inputs import read_views


@pytest.fixture
def whole():
    """Two kernels without gaps, contiguous and symmetric."""
    random = np.random.default_rng(1)
    points = random.normal(size=(2, 20, 4))
    return [np.exp(-0.2 * ((x[:, None] - x[None]) ** 2).sum(-1)) for x in points]


def address(array):
    return array.__array_interface__["data"][0]


@pytest.mark.parametrize("order", ["C", "F"])
def test_a_contiguous_kernel_is_not_copied(whole, order):
    given = [np.array(K, order=order) for K in whole]
    problem = assemble(read_views(given))
    for m, K in enumerate(given):
        assert address(problem.block(m)) == address(K)
        assert np.array_equal(problem.block(m), K)
    stack = np.stack(whole)
    problem = assemble(read_views(stack))
    assert [address(problem.block(m)) for m in range(2)] == [address(K) for K in stack]


def test_a_frame_is_not_copied(whole):
    """Frames of different samples: none has a gap, so each stays where it is."""
    names = [f"s{i}" for i in range(22)]
    given = {"a": frame(whole[0], names[:20]), "b": frame(whole[1], names[2:])}
    problem = assemble(read_views(given))
    assert len(problem.samples) == 22
    for m, name in enumerate(given):
        assert np.shares_memory(problem.block(m), given[name].to_numpy())


def test_what_must_change_is_copied_and_nothing_that_was_given_changes(whole):
    gaps = whole[0].copy()
    gaps[3] = gaps[:, 3] = np.nan
    crooked = whole[0].copy()
    crooked[0, 1] *= 1 + 1e-12
    spaced = np.repeat(np.repeat(whole[0], 2, axis=0), 2, axis=1)[::2, ::2]
    room = np.zeros(whole[0].size + 2)
    start = 1 if address(room) % 16 == 0 else 0
    odd = room[start : start + whole[0].size].reshape(whole[0].shape)  # at 8 bytes, not at 16
    odd[:] = whole[0]
    for K in (gaps, crooked, spaced, odd, whole[0].astype(np.float32)):
        before = K.copy()
        problem = assemble(read_views([K, whole[1]]))
        assert not np.shares_memory(problem.block(0), K)
        assert np.shares_memory(problem.block(1), whole[1])
        assert np.array_equal(problem.block(0), problem.block(0).T)
        assert np.allclose(problem.block(0), K[np.ix_(problem.rows(0), problem.rows(0))])
        assert np.array_equal(K, before, equal_nan=True)


def test_the_kernel_lives_as_long_as_the_problem(whole):
    expected = whole[0].copy()
    seen = weakref.ref(whole[0])
    problem = assemble(read_views(whole))
    whole.clear()
    gc.collect()
    assert seen() is not None and np.array_equal(problem.block(0), expected)
    del problem
    gc.collect()
    assert seen() is None


def test_samples_that_are_left_out_let_go_of_the_kernel(whole):
    seen = weakref.ref(whole[0])
    problem = assemble(read_views(whole), samples=[0, 2, 5])
    whole.clear()
    gc.collect()
    assert seen() is None and problem.block(0).shape == (3, 3)


def test_results_are_never_the_memory_that_was_given(whole):
    found = mkc.complete(whole, method="mean")  # nothing is missing: the input comes back
    for K, result in zip(whole, found.arrays):
        assert np.array_equal(K, result) and not np.shares_memory(K, result)


def test_whose_memory_it_is_does_not_change_the_result():
    kernels, observed = random_problem(5, n=21)
    parts = {}
    for m, (name, K) in enumerate(kernels.items()):
        rows = np.flatnonzero(observed[:, m])
        parts[name] = frame(K[np.ix_(rows, rows)], rows)  # looked at
    gapped = {name: frame(K, range(21)) for name, K in kernels.items()}  # gathered
    for method in ("mean", "wknn,k=3", "transfer", "app,c2=0.1", "mkmc"):
        a, b = mkc.complete(parts, method=method), mkc.complete(gapped, method=method, samples=range(21))
        order = list(a.samples)
        if order == list(b.samples):
            assert all(np.array_equal(x, y) for x, y in zip(a.arrays, b.arrays))
        for name in kernels:
            same = a[name].loc[b.samples, b.samples]
            assert np.allclose(same, b[name], atol=1e-7)


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("gaps, blocks", [(0, 0.5), (1, 1.5)])
def test_peak_memory(gaps, blocks):
    """Of three kernels at a time, in a process of its own: none is copied, or one with gaps once."""
    code = """
        import numpy as np
        from mkc._assemble import assemble
        from mkc._inputs import read_views

        def peak():  # of this program; what getrusage tells includes the process it was started from
            with open("/proc/self/status") as status:
                return next(int(line.split()[1]) for line in status if line.startswith("VmHWM:"))

        n, gaps = 1500, GAPS
        kernels = [np.empty((n, n)) for _ in range(3)]
        for K in kernels:
            K[:] = 0.5
            np.fill_diagonal(K, 1)
        for i in range(gaps):
            kernels[0][i] = kernels[0][:, i] = np.nan
        assemble(read_views([K[:9, :9] for K in kernels[1:]]), psd="unchecked")
        before = peak()
        problem = assemble(read_views(kernels), psd="unchecked")
        rise = 1024 * (peak() - before)
        print(rise / (8 * n * n))
        """
    code = textwrap.dedent(code).replace("GAPS", str(gaps))
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True)
    assert done.returncode == 0, done.stderr
    rise = float(done.stdout)
    assert rise < blocks and (gaps == 0 or rise > 0.9), rise
