"""Example data."""

import numpy as np
import pytest

import mkc


def test_example_equals_the_demo(tool, tmp_path):
    tool("demo", "-m", "mean", "-o", "demo", "--force")
    example = mkc.datasets.make_example()
    assert example.observed.shape == (150, 4)
    for name, kernel in example.kernels.items():
        lost = ~example.observed[name]
        assert kernel[lost].isna().all(axis=None) and kernel.T[lost].isna().all(axis=None)
        here = example.observed[name]
        assert np.array_equal(kernel.loc[here, here], example.truth[name].loc[here, here])
    found = sorted(tmp_path.glob("demo/**/observed.tsv"))
    assert found, list(tmp_path.glob("demo/**/*"))
    stored = [line.split("\t") for line in found[0].read_text().splitlines()]
    assert stored[0][1:] == list(example.observed.columns)
    assert len(stored) == 151
    for row in stored[1:]:
        assert [cell == "1" for cell in row[1:]] == example.observed.loc[row[0]].tolist()


@pytest.mark.parametrize("name", ["TOYL", "TOYG1", "TOYG0.1", "TOYLG1"])
def test_toy_data_match_the_paper(name):
    toy = mkc.datasets.make_toy(name, views_missing=2, random_state=4)
    assert list(toy.truth) == [f"view{m}" for m in range(1, 6)]
    assert (toy.observed.sum(axis=1)[10:] == 3).all() and toy.observed[:10].all(axis=None)
    for m, (view, kernel) in enumerate(toy.truth.items()):
        assert np.allclose(np.diag(kernel), 1)
        rank = np.linalg.matrix_rank(toy.features[view])
        assert rank == (5 if m < 2 else 10)
        linear = name == "TOYL" or (name == "TOYLG1" and m < 3)
        assert (np.linalg.matrix_rank(kernel, tol=1e-8) <= 10) == linear
        basis, rest = toy.features[view].to_numpy()[:10], toy.features[view].to_numpy()[10:]
        assert np.abs(basis).max() <= 1
        if m in (3, 4):  # views 3 to 5 share the mixing weights
            weights = np.linalg.lstsq(basis.T, rest.T, rcond=None)[0]
            shared = np.linalg.lstsq(
                toy.features["view3"].to_numpy()[:10].T, toy.features["view3"].to_numpy()[10:].T, rcond=None
            )[0]
            assert np.allclose(weights, shared) and weights.min() >= -1e-9 and weights.max() <= 1 + 1e-9


def test_unknown_toy_data_are_refused():
    with pytest.raises(mkc.OptionError, match="no toy data set 'TOYX'"):
        mkc.datasets.make_toy("TOYX")


def test_digits():
    views, y = mkc.datasets.load_digits_views(200)
    assert {name: table.shape for name, table in views.items()} == {
        "upper": (200, 32),
        "lower": (200, 32),
        "profiles": (200, 25),
        "edges": (200, 112),
        "spectrum": (200, 40),
    }
    assert set(y) == set(range(10)) and list(y.index) == list(views["upper"].index)
    assert len(mkc.datasets.load_digits_views()[1]) == 1797
