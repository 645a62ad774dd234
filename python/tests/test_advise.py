"""advise: which missing pair to measure next."""

import json
import warnings

import numpy as np
import pandas as pd
import pytest

import mkc


@pytest.fixture(scope="module")
def example():
    return mkc.datasets.make_example(40, random_state=1)


@pytest.fixture(scope="module")
def result(example):
    return mkc.complete(example.kernels, "mean", quality=True)


def missing_pairs(result):
    table = ~result.observed
    return {(sample, view) for view in table for sample in table.index[table[view]]}


def test_every_missing_pair_is_ranked(result):
    advice = mkc.advise(result)
    assert set(zip(advice.ranking["sample"], advice.ranking["view"])) == missing_pairs(result)
    assert advice.ranking["gain_per_cost"].is_monotonic_decreasing
    parts = advice.ranking[["own", "same_sample", "others"]].sum(axis=1)
    np.testing.assert_allclose(advice.ranking["gain"], parts)
    own = advice.ranking.set_index(["sample", "view"])["own"].sort_index()
    estimates = result.quality.reset_index().set_index(["sample", "view"])["relative_error"]
    np.testing.assert_allclose(own, estimates.loc[own.index])
    assert advice.expected_error == pytest.approx(own.sum())
    assert advice.curve["expected_error"].is_monotonic_decreasing
    assert len(advice.curve) == len(advice.ranking) + 1
    assert not set(zip(advice.observed["sample"], advice.observed["view"])) & missing_pairs(result)
    assert advice.sample_gains.max() == advice.ranking["gain"].max()


def test_threads_change_nothing(result):
    one, two = (mkc.advise(result, batch=True, n_jobs=n) for n in (1, 2))
    pd.testing.assert_frame_equal(one.ranking, two.ranking)
    pd.testing.assert_frame_equal(one.observed, two.observed)


def test_costs_and_budget(result):
    advice = mkc.advise(result, budget=7, cost={"protein": 3, "mutations": 0.5}, batch=True)
    within = advice.ranking[advice.ranking["within_budget"]]
    assert within["cost"].sum() == advice.spent <= 7
    assert set(advice.ranking.loc[advice.ranking["view"] == "protein", "cost"]) == {3.0}
    assert advice.expected_error_after < advice.expected_error


def test_candidates(result):
    some = sorted(missing_pairs(result))[:5]
    assert set(zip(*mkc.advise(result, candidates=some).ranking[["sample", "view"]].T.to_numpy())) == set(some)
    table = pd.DataFrame(some, columns=["sample", "view"])
    assert len(mkc.advise(result, candidates=table).ranking) == 5


@pytest.mark.parametrize("kind", ["classes", "numbers", "survival"])
def test_labels(result, kind):
    n = len(result.samples)
    y = {
        "classes": pd.Series([f"g{i % 3}" for i in range(n)], result.samples),
        "numbers": pd.Series(np.sqrt(np.arange(n) + 0.1), result.samples),
        "survival": pd.DataFrame({"days": 10.0 + np.arange(n) * 7 % 31, "died": np.arange(n) % 2}, result.samples),
    }[kind]
    with warnings.catch_warnings():  # such labels may be hard to predict
        warnings.simplefilter("ignore", UserWarning)
        advice = mkc.advise(result, y=y, label_type=kind)
    assert advice.error_of == "labels" and len(advice.ranking) == len(missing_pairs(result))


@pytest.mark.parametrize(
    "arguments, part",
    [
        ({"cost": {"rna": 1}}, "there is no view 'rna'"),
        ({"cost": {"protein": -1}}, "-1 is not a number above 0"),
        ({"budget": 0}, "0 is not a number above 0"),
        ({"budget": 1, "cost": dict.fromkeys(["expression", "methylation", "protein", "mutations"], 2)}, "cheapest"),
        ({"candidates": [("nobody", "protein")]}, "no sample 'nobody'"),
        ({"candidates": []}, "there are none"),
        ({"candidates": pd.DataFrame({"sample": ["a"]})}, "no column 'view'"),
        ({"batch": "yes"}, "not True or False"),
    ],
)
def test_bad_arguments(result, arguments, part):
    with pytest.raises(mkc.InputError, match=part):
        mkc.advise(result, **arguments)


def test_observed_candidates_and_results_without_estimates(example, result):
    view = result.views[0]
    known = result.observed.index[result.observed[view]][0]
    with pytest.raises(mkc.InputError, match="already observed"):
        mkc.advise(result, candidates=[(known, view)])
    with pytest.raises(mkc.InputError, match="no error estimates"):
        mkc.advise(mkc.complete(example.kernels, "mean"))
    with pytest.raises(mkc.InputError, match="not the result of mkc.complete"):
        mkc.advise(result.kernels)


def test_a_result_in_factor_form():
    example = mkc.datasets.make_example(120, random_state=2)
    tables = {view: table[example.observed[view]] for view, table in example.features.items()}
    result = mkc.complete(tables, form="factor", kernel="auto", rank=20)
    y = pd.Series(np.arange(len(result.samples)) % 7, result.samples, dtype=float)
    for labels in ({}, {"y": y[::-1], "label_type": "numbers"}):
        with warnings.catch_warnings():  # such labels may be hard to predict
            warnings.simplefilter("ignore", UserWarning)
            advice = mkc.advise(result, budget=10, batch=True, **labels)
        assert set(zip(advice.ranking["sample"], advice.ranking["view"])) == missing_pairs(result)
        assert advice.ranking["within_budget"].sum() == 10
        assert advice.expected_error_after < advice.expected_error
    assert mkc.advise(result).expected_error == pytest.approx(result.quality["relative_error"].sum())


def test_a_callback_stops_it():
    example = mkc.datasets.make_example(200, random_state=1)
    result = mkc.complete(example.kernels, "mean", quality=True)

    def stop(*_):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        mkc.advise(result, batch=True, callback=stop)


def test_same_as_the_tool(example, result, tool, tmp_path):
    for view, kernel in example.kernels.items():
        kernel.to_csv(tmp_path / f"{view}.csv", index_label="sample")
    views = [f"{view}={view}.csv,kind=kernel" for view in example.kernels]
    tool("advise", *views, "-m", "mean", "-o", "advice", "-q", "--batch")
    stored = json.loads((tmp_path / "advice" / "advice.json").read_text())["ranking"]
    here = mkc.advise(result, batch=True).ranking
    assert [(one["sample"], one["view"]) for one in stored] == list(zip(here["sample"].map(str), here["view"]))
    np.testing.assert_allclose([one["gain"] for one in stored], here["gain"], rtol=1e-6)
