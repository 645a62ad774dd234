"""Models that mkc 0.1 wrote can be loaded, and give the kernels that 0.1 gave; errors follow the rules of today."""

import pathlib

import numpy as np
import pandas as pd
import pytest

import mkc

OLD = pathlib.Path(__file__).parents[2] / "tests/fixtures/0.1"


@pytest.fixture(scope="module")
def model():
    return mkc.load(OLD / "model.npz")


@pytest.fixture(scope="module")
def new():
    return {name: pd.read_csv(OLD / f"new_{name}.csv", index_col=0) for name in ("rna", "protein")}


def test_kernels_of_the_training_samples(model):
    stored = np.load(OLD / "result/kernels.npz")
    assert model.about["mkc_version"] == "0.1.0" and model.samples == list(stored["samples"])
    for name, kernel in model.kernels.items():
        assert np.array_equal(kernel, stored[name])


def test_rows_of_new_samples(model, new):
    stored = np.load(OLD / "prediction/kernels.npz")
    for name, rows in model.transform(new).items():
        np.testing.assert_allclose(rows.loc[stored["samples"]], stored[name], rtol=1e-7, atol=1e-9)


def test_quality_of_new_samples(model, new):
    stored = pd.read_csv(OLD / "prediction/quality.tsv", sep="\t").set_index(["sample", "view"])
    found = model.estimate_quality(new).reset_index().set_index(["sample", "view"])
    assert set(found.index) == set(stored.index)
    assert (found["low"] <= found["relative_error"]).all() and (found["relative_error"] <= found["high"]).all()
