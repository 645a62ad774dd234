"""Observed kernels are used in place; where a copy is needed, there is only one."""

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
def test_contiguous_kernels_are_not_copied(whole, order):
    given = [np.array(K, order=order) for K in whole]
    problem = assemble(read_views(given))
    for m, K in enumerate(given):
        assert address(problem.block(m)) == address(K)
        assert np.array_equal(problem.block(m), K)
    stack = np.stack(whole)
    problem = assemble(read_views(stack))
    assert [address(problem.block(m)) for m in range(2)] == [address(K) for K in stack]


def test_frames_are_not_copied(whole):
    """Frames of different samples, none of which has a gap."""
    names = [f"s{i}" for i in range(22)]
    given = {"a": frame(whole[0], names[:20]), "b": frame(whole[1], names[2:])}
    problem = assemble(read_views(given))
    assert len(problem.samples) == 22
    for m, name in enumerate(given):
        assert np.shares_memory(problem.block(m), given[name].to_numpy())


def test_kernels_that_need_changes_are_copied(whole):
    gaps = whole[0].copy()
    gaps[3] = gaps[:, 3] = np.nan
    asymmetric = whole[0].copy()
    asymmetric[0, 1] *= 1 + 1e-12
    spaced = np.repeat(np.repeat(whole[0], 2, axis=0), 2, axis=1)[::2, ::2]
    room = np.zeros(whole[0].size + 2)
    start = 1 if address(room) % 16 == 0 else 0
    odd = room[start : start + whole[0].size].reshape(whole[0].shape)  # aligned to 8 bytes, not to 16
    odd[:] = whole[0]
    for K in (gaps, asymmetric, spaced, odd, whole[0].astype(np.float32)):
        before = K.copy()
        problem = assemble(read_views([K, whole[1]]))
        assert not np.shares_memory(problem.block(0), K)
        assert np.shares_memory(problem.block(1), whole[1])
        assert np.array_equal(problem.block(0), problem.block(0).T)
        assert np.allclose(problem.block(0), K[np.ix_(problem.rows(0), problem.rows(0))])
        assert np.array_equal(K, before, equal_nan=True)


def test_problem_keeps_the_kernel_alive(whole):
    expected = whole[0].copy()
    seen = weakref.ref(whole[0])
    problem = assemble(read_views(whole))
    whole.clear()
    gc.collect()
    assert seen() is not None and np.array_equal(problem.block(0), expected)
    del problem
    gc.collect()
    assert seen() is None


def test_subset_of_samples_does_not_keep_the_kernel_alive(whole):
    seen = weakref.ref(whole[0])
    problem = assemble(read_views(whole), samples=[0, 2, 5])
    whole.clear()
    gc.collect()
    assert seen() is None and problem.block(0).shape == (3, 3)


def test_results_do_not_share_memory_with_the_input(whole):
    found = mkc.complete(whole, method="mean")  # nothing is missing: the result equals the input
    for K, result in zip(whole, found.arrays):
        assert np.array_equal(K, result) and not np.shares_memory(K, result)


def test_copied_and_shared_kernels_give_the_same_result():
    kernels, observed = random_problem(5, n=21)
    parts = {}
    for m, (name, K) in enumerate(kernels.items()):
        rows = np.flatnonzero(observed[:, m])
        parts[name] = frame(K[np.ix_(rows, rows)], rows)  # shared
    gapped = {name: frame(K, range(21)) for name, K in kernels.items()}  # copied
    for method in ("mean", "wknn,k=3", "transfer", "app,c2=0.1", "mkmc"):
        a, b = mkc.complete(parts, method=method), mkc.complete(gapped, method=method, samples=range(21), ids="exact")
        order = list(a.samples)
        if order == list(b.samples):
            assert all(np.array_equal(x, y) for x, y in zip(a.arrays, b.arrays))
        for name in kernels:
            same = a[name].loc[b.samples, b.samples]
            assert np.allclose(same, b[name], atol=1e-7)


@pytest.mark.skipif(not pathlib.Path("/proc/self/status").exists(), reason="no /proc")
@pytest.mark.parametrize("gaps, blocks", [(0, 0.5), (1, 1.5)])
def test_peak_memory(gaps, blocks):
    """Three kernels, in a new process: none is copied, or the one with gaps once."""
    code = """
        import numpy as np
        from mkc._assemble import assemble
        from mkc._inputs import read_views

        def peak():  # getrusage would include the parent process
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


def test_little_address_space_is_an_error_of_ours():
    """OpenBLAS itself would try for ever to map its buffer."""
    code = textwrap.dedent(
        """
        import resource, sys
        import matplotlib.pyplot, pandas, sklearn.metrics, numpy as np
        used = int(open("/proc/self/statm").read().split()[0]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_AS, (used + (int(sys.argv[1]) << 20),) * 2)
        import mkc
        K = np.exp(-0.1 * np.subtract.outer(np.arange(12.0), np.arange(12.0)) ** 2)
        L = K.copy()
        L[3] = L[:, 3] = np.nan
        try:
            print(mkc.complete([K, L], method="transfer").status)
        except mkc.WorkingMemoryError as error:
            print("refused:", error)
        """
    )
    said = {}
    for mib in (150, 2000):
        run = [sys.executable, "-c", code, str(mib)]
        said[mib] = subprocess.run(run, capture_output=True, text=True, timeout=120, check=True).stdout
    assert said[150].startswith("refused: the linear algebra library needs") and "ulimit -v" in said[150]
    assert "refused" not in said[2000]
