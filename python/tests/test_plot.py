"""Pictures say what the data say; what they look like was looked at."""

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pytest

import mkc


@pytest.fixture(scope="module")
def completion():
    return mkc.complete(mkc.datasets.make_example(50, 0.25, 3).kernels, candidates=["transfer", "mean"])


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_missingness(kernels, features, example):
    for data in (kernels, features, mkc.inspect(kernels)):
        ax = mkc.plot.missingness(data)
        shown = np.asarray(ax.images[0].get_array())
        assert np.array_equal(shown.sum(axis=1), example.observed.sum())
        assert (np.diff(shown.sum(axis=0)) <= 0).all()  # most views first
    figure, own = plt.subplots()
    assert mkc.plot.missingness(kernels, sort=False, ax=own) is own
    assert np.array_equal(np.asarray(own.images[0].get_array()).T, example.observed)


def test_kernels(completion, kernels):
    for order in ("similarity", "observed", "input"):
        axes = mkc.plot.kernels(completion, order=order)
        assert [a.get_title().split(":")[0] for a in axes] == completion.views
        assert sorted(np.ravel(axes[0].images[0].get_array())) == sorted(np.ravel(completion.arrays[0]))
    with_gaps = mkc.plot.kernels(kernels, y=np.arange(60) % 3)
    assert np.isnan(np.asarray(with_gaps[0].images[0].get_array().filled(np.nan))).any()
    with pytest.raises(mkc.InputError, match="4 axes"):
        mkc.plot.kernels(kernels, ax=plt.subplots()[1])


def test_spectra(completion, kernels):
    ax = mkc.plot.spectra(completion, count=5)
    values = np.linalg.eigvalsh(completion.arrays[0])[::-1]
    assert np.allclose(ax.lines[0].get_ydata(), 100 * values[:5] / values[values > 0].sum())
    assert len(mkc.plot.spectra(kernels).lines) == 4


@pytest.mark.filterwarnings("ignore")
def test_convergence(kernels, completion):
    found = mkc.complete(kernels, method="embd_ht", c1=1, c2=0.01, max_iter=20)
    assert np.array_equal(mkc.plot.convergence(found).lines[0].get_ydata(), found.objective)
    assert "no iterations" in mkc.plot.convergence(mkc.complete(kernels, method="mean")).texts[0].get_text()


def test_relations(kernels):
    found = mkc.complete(kernels, method="app", c2=0.1)
    assert np.array_equal(mkc.plot.relations(found).images[0].get_array(), found.view_relations)
    with pytest.raises(mkc.InputError, match="learns no relations"):
        mkc.plot.relations(mkc.complete(kernels, method="mean"))
    with pytest.raises(mkc.InputError, match="a completion is needed"):
        mkc.plot.relations(kernels)


def test_quality(completion, kernels):
    ax = mkc.plot.quality(completion)
    shown = np.concatenate([line.get_ydata() for line in ax.lines])
    assert sorted(shown) == sorted(100 * completion.quality["relative_error"])
    with pytest.raises(mkc.InputError, match="quality=True"):
        mkc.plot.quality(mkc.complete(kernels, method="mean"))


def test_embedding(completion):
    ax = mkc.plot.embedding(completion, y=np.arange(50) % 4)
    drawn = sum(len(c.get_offsets()) for c in ax.collections)
    assert drawn == 50
    K = np.asarray(mkc.combine(completion))
    mkc.plot.embedding(K)
