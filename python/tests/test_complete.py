"""mkc.complete: input and output."""

import numpy as np
import pandas as pd
import pytest
from conftest import frame, random_problem
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning

import mkc


def test_frames_of_different_samples_are_aligned(kernels, example):
    parts = {name: k.loc[example.observed[name], example.observed[name]] for name, k in kernels.items()}
    parts["protein"] = parts["protein"].iloc[::-1, :]  # rows and columns in another order
    found = mkc.complete(parts, method="transfer")
    whole = mkc.complete(kernels, method="transfer")
    assert set(found.samples) == set(kernels["protein"].index)
    for name, kernel in found.kernels.items():
        assert isinstance(kernel, pd.DataFrame)
        assert kernel.notna().all(axis=None)
        same = whole.kernels[name].loc[kernel.index, kernel.columns]
        assert np.allclose(kernel, same, atol=1e-8)
        here = parts[name].index
        assert np.array_equal(kernel.loc[here, here], parts[name].loc[here, here])


def test_result_does_not_depend_on_the_kind_of_input(arrays):
    expected = mkc.complete(arrays, method="wknn", k=3).kernels
    as_list = mkc.complete(list(arrays.values()), method="wknn", k=3).kernels
    stack = mkc.complete(np.stack(list(arrays.values())), method="wknn", k=3).kernels
    assert isinstance(as_list, list) and isinstance(stack, np.ndarray)
    frames = mkc.complete(
        {n: frame(a, range(len(a))) for n, a in arrays.items()}, method="wknn", k=3, ids="exact"
    ).kernels
    for m, (name, kernel) in enumerate(expected.items()):
        assert np.array_equal(kernel, as_list[m])
        assert np.array_equal(kernel, stack[m])
        assert np.array_equal(kernel, frames[name])
        assert list(frames[name].index) == list(range(len(kernel)))  # labels stay what they were


@pytest.mark.parametrize("order", ["C", "F", "strided", "float32"])
def test_memory_layouts(arrays, order):
    expected = mkc.complete(arrays, method="mean").arrays
    if order == "strided":
        given = {n: np.repeat(np.repeat(a, 2, axis=0), 2, axis=1)[::2, ::2] for n, a in arrays.items()}
    elif order == "float32":
        given = {n: a.astype(np.float32) for n, a in arrays.items()}
    else:
        given = {n: np.array(a, order=order) for n, a in arrays.items()}
    for a, b in zip(expected, mkc.complete(given, method="mean").arrays):
        assert np.allclose(a, b, atol=1e-6) if order == "float32" else np.array_equal(a, b)


def test_rows_not_observed_are_not_read(example):
    truth = {name: k.to_numpy() for name, k in example.truth.items()}
    hidden = {name: k.to_numpy() for name, k in example.kernels.items()}
    mask = example.observed.to_numpy()
    poisoned = {name: np.where(np.isnan(hidden[name]), 1e30, truth[name]) for name in truth}
    a = mkc.complete(poisoned, "transfer", observed=mask)
    b = mkc.complete(hidden, method="transfer")
    for x, y in zip(a.arrays, b.arrays):
        assert np.array_equal(x, y)
    frames = {n: frame(k, example.observed.index) for n, k in poisoned.items()}
    c = mkc.complete(frames, "transfer", observed=example.observed.sample(frac=1, random_state=0))  # found by name
    for x, y in zip(c.arrays, mkc.complete(example.kernels, method="transfer").arrays):
        assert np.array_equal(x, y)


@settings(max_examples=10, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(seed=st.integers(0, 10_000), method=st.sampled_from(["mean", "wknn,k=3", "transfer", "app", "mkmc"]))
@pytest.mark.filterwarnings("ignore")
def test_contract_on_random_problems(seed, method):
    kernels, observed = random_problem(seed)
    found = mkc.complete(kernels, method=method, random_state=seed)
    assert np.array_equal(found.observed, observed)
    for m, (name, kernel) in enumerate(found.kernels.items()):
        rows = np.flatnonzero(observed[:, m])
        assert np.array_equal(kernel[np.ix_(rows, rows)], kernels[name][np.ix_(rows, rows)])
        assert np.array_equal(kernel, kernel.T)
        assert kernel.flags.c_contiguous
        values = np.linalg.eigvalsh(kernel)
        assert values[0] > -1e-7 * values[-1]
    permuted = np.random.default_rng(seed).permutation(len(observed))
    names = [f"s{i}" for i in range(len(observed))]
    a = mkc.complete({n: frame(k, names) for n, k in kernels.items()}, method=method, random_state=seed)
    moved = [names[i] for i in permuted]
    b = mkc.complete(
        {n: frame(k, names).loc[moved, moved] for n, k in kernels.items()}, method=method, random_state=seed
    )
    for name in kernels:
        assert np.allclose(a[name], b[name].loc[names, names], atol=1e-5)


def test_attributes_of_the_result(arrays):
    found = mkc.complete(arrays, method="app", c2=0.1, random_state=3, quality=True)
    assert found.converged and found.status == "converged" and found.seed == 3
    assert found.method == "app" and "tol" in found.parameters
    assert len(found.objective) > 0 and found.n_iter >= 1
    assert list(found.view_relations.columns) == list(arrays)
    assert len(found.quality) == (~found.observed.to_numpy()).sum()
    assert (found.quality["low"] <= found.quality["high"]).all()
    assert list(found.worth.index) == list(arrays)
    assert (found.quality["interval"] == np.where(found.quality["high"] <= 1, "known", "unknown")).all()
    assert "verdict" in found._repr_html_()


def test_repr_and_unknown_view(arrays):
    found = mkc.complete(arrays, method="mean")
    lost = ", ".join(f"{name} ({n} completed)" for name, n in (~found.observed).sum().items())
    assert repr(found) == f"Completion of 60 samples by mean: {lost}"
    for result in (
        found,
        mkc.complete({n: frame(k, range(60)) for n, k in arrays.items()}, method="mean", ids="exact"),
    ):
        with pytest.raises(KeyError, match="zz"):
            result["zz"]


def test_threads_do_not_change_the_result(arrays):
    arrays = {name: kernel[:35, :35] for name, kernel in arrays.items()}
    few = ["transfer", "wknn", "mean"]
    one = mkc.complete(arrays, candidates=few, n_jobs=1)
    two = mkc.complete(arrays, candidates=few, n_jobs=2)
    for a, b in zip(one.arrays, two.arrays):
        assert np.array_equal(a, b)
    assert one.candidates.drop(columns="seconds").equals(two.candidates.drop(columns="seconds"))


def test_not_converged_is_a_warning(arrays):
    with pytest.warns(ConvergenceWarning, match="not converged after 3 iterations"):
        found = mkc.complete(arrays, method="embd_ht", max_iter=3, tol=0)
    assert not found.converged and found.status == "max_iterations"


def test_notice_if_nothing_is_missing(example):
    found = mkc.complete(example.truth)
    assert "nothing is missing" in found.notices[0]
    for name, kernel in example.truth.items():
        assert np.array_equal(found[name], kernel)


def test_notice_names_a_method_that_runs(arrays):
    found = mkc.complete(arrays, candidates=["knn", "mean"])
    notice = next(notice for notice in found.notices if "repeat it alone" in notice)
    method = notice.split("the method '")[1].rstrip("'")
    assert "--" not in notice
    assert mkc.complete(arrays, method=method).method in ("knn", "mean")


def test_methods_are_listed():
    table = mkc.methods()
    assert {"auto", "transfer", "embd_ht", "app", "sdp", "knn", "mean"} <= set(table.index)
    assert mkc.methods("wknn").loc["k", "meaning"]
    assert mkc.methods("wknn,k=3").equals(mkc.methods("wknn"))


def test_results_as_html(kernels):
    evil = {{"protein": "<script>alert(1)</script>", "mutations": "b&b"}.get(n, n): k for n, k in kernels.items()}
    found = mkc.complete(evil, candidates=["mean", "knn"])
    for result in (found, mkc.inspect(evil)):
        html = result._repr_html_()
        assert "<script" not in html and "&lt;script&gt;" in html and "b&amp;b" in html
        assert len(html) < 5000 and html.count("<table") == 1
    assert f"{(~found.observed['b&b']).sum()}</td>" in found._repr_html_()
    assert "held out error %" in found._repr_html_() and found.notices[0].split(":")[0] in found._repr_html_()


def flat_views():
    """Two equal kernels, one of which lacks rows, and one that is constant but for independent noise."""
    random = np.random.default_rng(0)
    x, y = random.normal(size=(40, 3)), random.normal(size=(40, 30))
    kernels = {"whole": x @ x.T, "signal": x @ x.T, "flat": 1 + 0.002 * y @ y.T}
    for name, start in (("signal", 0), ("flat", 1)):
        gone = np.arange(start, 40, 4)
        kernels[name][gone] = kernels[name][:, gone] = np.nan
    return kernels


def test_constant_part_of_a_kernel_does_not_flatter():
    with pytest.warns(UserWarning, match="view 'flat': completed rows .* the average row .* another kernel") as caught:
        found = mkc.complete(flat_views(), "transfer", quality=True)
    assert not any("signal" in str(one.message) for one in caught)
    worth = found.worth
    assert list(worth.columns) == [
        *("held_out_error", "average_row_error", "mean_of_others_error", "recovered", "recovered_standard_error"),
        *("hidden_samples", "verdict"),
    ]
    assert worth.loc["flat", "held_out_error"] < 0.05 and worth.loc["flat", "recovered"] < 0.1
    assert worth.loc["flat", "verdict"] == "nothing beyond the average row"
    assert worth.loc["signal", "verdict"] == "strong" and worth.loc["signal", "recovered"] > 0.95
