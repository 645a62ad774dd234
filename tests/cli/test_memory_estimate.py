"""The memory that mkc announces is within a factor of 1.5 of the peak that it measures of itself."""

import re

import numpy as np
import pytest

# N, M, threads, method: iterations after the first few take no more memory
CASES = [
    *((500, 4, threads, name) for threads in (1, 2) for name in ("mean", "alone", "affine", "knn", "wknn", "cvkt")),
    *((400, 3, 2, name) for name in ("transfer", "latent", "mkmc,max_iter=2", "em,max_iter=2")),
    (400, 3, 2, "mkmc,model=fa,max_iter=2"),
    *((400, 3, 2, name) for name in ("mkkm,k=10,eps=0.01,max_iter=2", "mkkm,k=10,mutual=1,max_iter=2")),
    (400, 3, 2, "app,c2=0.01,max_iter=2"),
    (400, 3, 2, "sdp,c=0.1,max_iter=2"),
    (400, 3, 2, "embd_hm,max_iter=2,c2=0.1,ridge=0.01"),
    (400, 3, 2, "embd_ht,max_iter=2,c1=0.1,c2=0.03,ridge=0.01"),
    *((150, 3, 2, f"{name},max_iter=2") for name in ("app", "sdp", "embd_hm", "embd_ht")),
    (61, 3, 2, "auto"),
    (400, 3, 2, "auto,candidates=alone+mean"),
    (400, 3, 2, "auto,budget=0.1"),
]


def write_kernels(path, n, m):
    """Kernels of one state of the samples; the first view has all of them, as em needs it."""
    random = np.random.default_rng(0)
    state = random.normal(size=(n, 5))
    arrays = {}
    for view in range(m):
        x = np.tanh(state @ random.normal(size=(5, 8))) + 0.3 * random.normal(size=(n, 8))
        kept = np.sort(random.permutation(n)[: n if view == 0 else int(0.8 * n)])
        square = (x[kept] ** 2).sum(axis=1)
        kernel = np.exp(-0.1 * np.maximum(0, square[:, None] + square - 2 * x[kept] @ x[kept].T))
        arrays[f"v{view}"] = (kernel + kernel.T) / 2
        arrays[f"samples_v{view}"] = np.array([f"s{i}" for i in kept])
    np.savez(path, **arrays)


@pytest.mark.parametrize("n, m, threads, method", CASES)
def test_announced_memory(mkc, tmp_path, n, m, threads, method):
    write_kernels(tmp_path / "k.npz", n, m)
    check(mkc("complete", "k.npz", "-m", method, "-t", threads, "-v", "-o", "out"))


def test_announced_memory_with_quality(mkc, tmp_path):
    write_kernels(tmp_path / "k.npz", 400, 3)
    check(mkc("complete", "k.npz", "-m", "mean", "-t", 2, "--quality", "-v", "-o", "out"))


def check(result):
    assert result.code == 0, result.err
    announced, used = (
        int(re.search(text + r" (\d+) MiB", result.err)[1]) for text in ("memory needed: about", "memory used at most:")
    )
    assert announced / 1.5 <= used <= 1.5 * announced, (announced, used)


def test_a_limit_below_the_announced_memory_stops_the_run(mkc, tmp_path):
    write_kernels(tmp_path / "k.npz", 500, 4)
    run = ["complete", "k.npz", "-m", "mean", "-t", 1, "-o", "out"]
    result = mkc(*run, "--memory", "45M")
    assert result.code == 5 and "--memory allows 45 MiB" in result.err, result.err
    assert mkc(*run, "--memory", "55M").code == 0
