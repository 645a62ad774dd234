"""Shared by the tests of the tool: running the binary, and small simulated data."""

import gzip
import json
import os
import pathlib
import subprocess

import numpy as np
import pytest

BINARY = os.environ["MKC_BINARY"]
DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))


class Result:
    def __init__(self, process):
        self.code = process.returncode
        self.out = process.stdout
        self.err = process.stderr

    @property
    def json(self):
        return json.loads(self.out)


@pytest.fixture
def mkc(tmp_path):
    """mkc("complete", "a.csv", "-o", "out") runs in a folder of its own."""

    def run(*arguments, env=None, timeout=120):
        environment = {**os.environ, **(env or {})}
        return Result(
            subprocess.run(
                [BINARY, *map(str, arguments)],
                cwd=tmp_path,
                text=True,
                capture_output=True,
                timeout=timeout,
                env=environment,
            )
        )

    return run


@pytest.fixture
def data():
    if not DATA.is_dir():
        pytest.skip(f"no data folder at {DATA} (set MKC_DATA)")
    return DATA


def expect(result, code, *parts):
    """The tool failed with this exit code and one error message that has all parts."""
    assert result.code == code, result.err
    assert result.err.count("error:") == 1, result.err
    for part in parts:
        assert part in result.err, result.err


def read_tsv(path):
    with (gzip.open if str(path).endswith(".gz") else open)(path, "rt") as file:
        return [line.rstrip("\n").split("\t") for line in file]


def psd(n=4, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, n + 2))
    k = x @ x.T
    return (k + k.T) / 2


def write_table(path, ids, names, values, separator=","):
    lines = [separator.join(["sample", *names])]
    for name, row in zip(ids, np.asarray(values)):
        lines.append(separator.join([name, *("" if np.isnan(v) else repr(float(v)) for v in row)]))
    pathlib.Path(path).write_text("\n".join(lines) + "\n")


def write_kernel(path, ids, kernel):
    write_table(path, ids, ids, kernel)


@pytest.fixture
def views(tmp_path):
    """Three feature tables a.csv, b.csv, c.csv over s0..s19, each without some samples."""
    random = np.random.default_rng(0)
    state = random.normal(size=(20, 3))
    kept = {"a": range(16), "b": range(4, 20), "c": [*range(8), *range(12, 20)]}
    for name, rows in kept.items():
        values = np.tanh(state @ random.normal(size=(3, 5))) + 0.1 * random.normal(size=(20, 5))
        write_table(
            tmp_path / f"{name}.csv", [f"s{i}" for i in rows], [f"{name}{j}" for j in range(5)], values[list(rows)]
        )
    return ["a.csv", "b.csv", "c.csv"]


@pytest.fixture
def kernels(tmp_path):
    """kernels.npz with two complete 6 x 6 kernels, and the arrays."""
    random = np.random.default_rng(1)
    arrays = {}
    for name in ("x", "y"):
        features = random.normal(size=(6, 4))
        arrays[name] = features @ features.T
        arrays[name] = (arrays[name] + arrays[name].T) / 2
    np.savez(tmp_path / "kernels.npz", samples=np.array([f"s{i}" for i in range(6)]), **arrays)
    return arrays
