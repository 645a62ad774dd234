"""Fixtures and helpers of the tests of the package."""

import os
import pathlib
import signal
import subprocess
import sys

import numpy as np
import pandas as pd
import pytest

import mkc

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))


def pytest_collection_modifyitems(config, items):
    """Deselects scikit-learn's check of other array libraries, which the estimators do not support."""
    other = [item for item in items if "check_array_api_input" in item.name]
    items[:] = [item for item in items if item not in other]
    config.hook.pytest_deselected(items=other)


@pytest.fixture(scope="session", autouse=True)
def interrupts_enabled():
    """Processes in the background of a shell ignore SIGINT, and so would their children."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


@pytest.fixture(scope="session")
def binary():
    """The command line tool, as installed by the package."""
    return pathlib.Path(sys.prefix) / "bin" / "mkc"


@pytest.fixture
def tool(binary, tmp_path):
    def run(*arguments):
        done = subprocess.run([binary, *map(str, arguments)], cwd=tmp_path, text=True, capture_output=True)
        assert done.returncode == 0, done.stderr
        return done

    return run


@pytest.fixture(scope="session")
def example():
    """Sixty samples in four views, a quarter of the (sample, view) pairs hidden."""
    return mkc.datasets.make_example(60, 0.25, 3)


@pytest.fixture
def kernels(example):
    return {name: frame.copy() for name, frame in example.kernels.items()}


@pytest.fixture
def arrays(kernels):
    return {name: frame.to_numpy() for name, frame in kernels.items()}


@pytest.fixture
def features(example):
    """Feature tables, each with its observed samples only."""
    return {
        name: frame[example.observed[name]].rename(columns=lambda j, name=name: f"{name}{j}")
        for name, frame in example.features.items()
    }


@pytest.fixture
def three_views():
    """Features of twenty samples p0 to p19; every view lacks some, so the first row of the first is p4."""
    random = np.random.default_rng(0)
    state, names = random.normal(size=(20, 3)), [f"p{i}" for i in range(20)]
    whole = {
        name: pd.DataFrame(
            state @ random.normal(size=(3, width)) + 0.1 * random.normal(size=(20, width)),
            names,
            [f"{name}{j}" for j in range(width)],
        )
        for name, width in zip("abc", (4, 5, 6))
    }
    lost = {"a": names[:4], "b": names[-4:], "c": names[8:11]}
    return {name: table.drop(lost[name]) for name, table in whole.items()}


SAMPLES = [f"s{i}" for i in range(60)]
GROUPS = np.arange(60) % 3


def of_samples(values, prefix):
    return pd.DataFrame(values, SAMPLES, [f"{prefix}{j}" for j in range(values.shape[1])])


@pytest.fixture
def counts():
    """Reads of 40 genes, whose depth differs between samples."""
    random = np.random.default_rng(1)
    mean = np.exp(random.normal(3, 1, (3, 40)))[GROUPS] * random.uniform(0.5, 2, (60, 1))
    return of_samples(random.negative_binomial(4, 4 / (4 + mean)).astype(float), "gene")


@pytest.fixture
def words():
    """How often 600 words are in a story of one of three topics."""
    random = np.random.default_rng(2)
    topics = random.dirichlet(np.full(600, 0.5), 3)
    return of_samples(
        np.array([random.multinomial(random.integers(40, 120), topics[g]) for g in GROUPS]).astype(float), "word"
    )


@pytest.fixture
def measured():
    random = np.random.default_rng(3)
    values = random.normal(0, 1, (3, 12))[GROUPS] + random.normal(size=(60, 12))
    return of_samples(values * 10 ** np.linspace(-3, 3, 12) + 5, "m")


@pytest.fixture
def marks():
    random = np.random.default_rng(4)
    return of_samples(
        (random.uniform(size=(60, 25)) < random.uniform(0.05, 0.6, (3, 25))[GROUPS]).astype(float), "gene"
    )


@pytest.fixture
def typed_tables(counts, words, measured, marks):
    """Views of four types, each lacks other samples."""
    whole = {"rna": counts, "text": words, "measured": measured, "marks": marks}
    return {name: table.drop(SAMPLES[5 * m : 5 * m + 4]) for m, (name, table) in enumerate(whole.items())}


def random_problem(seed, n=14, n_views=3):
    """Small kernels with NaN rows; every sample has a view, every view at least four samples."""
    random = np.random.default_rng(seed)
    state = random.normal(size=(n, 3))
    observed = random.uniform(size=(n, n_views)) < 0.75
    observed[np.arange(n), random.integers(n_views, size=n)] = True
    observed[:4] = True
    kernels = {}
    for m in range(n_views):
        x = np.tanh(state @ random.normal(size=(3, 6)))
        kernel = np.exp(-0.2 * ((x[:, None] - x[None]) ** 2).sum(-1))
        kernel[~observed[:, m]] = kernel[:, ~observed[:, m]] = np.nan
        kernels[f"v{m}"] = kernel
    return kernels, observed


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip(f"no data folder at {DATA} (set MKC_DATA)")
    return DATA


def frame(values, names):
    return pd.DataFrame(values, names, names)
