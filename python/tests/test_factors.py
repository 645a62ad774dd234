"""Completion in factor form from Python: the same as the tool, blocks of kernels, wrong input."""

import dataclasses
import json
import pickle

import numpy as np
import pandas as pd
import pytest

import mkc


def complete_factors(tables, kernel="auto", **options):
    return mkc.complete(tables, form="factor", kernel=kernel, **options)


@pytest.fixture(scope="module")
def tables():
    """Three views of 200 samples of one state; a quarter of the rows is missing, in orders of their own."""
    random = np.random.default_rng(3)
    state = random.normal(size=(200, 3))
    made = {}
    for place, name in enumerate(("a", "b", "c")):
        x = np.tanh(state @ random.normal(size=(3, 5))) + 0.1 * random.normal(size=(200, 5))
        rows = random.permutation(200)[: 200 if place == 0 else 150]
        made[name] = pd.DataFrame(x[rows], [f"s{i}" for i in rows], [f"f{j}" for j in range(5)])
    return made


SIZES = {"rank": 30, "landmarks": 60}


@pytest.fixture(scope="module")
def completed(tables):
    return complete_factors(tables, random_state=4, **SIZES)


def test_the_tool_gives_the_same_bits_and_its_folder_reads_back(tables, completed, tool, tmp_path):
    for name, table in tables.items():
        table.to_csv(tmp_path / f"{name}.csv")
    sizes = [part for name, value in SIZES.items() for part in (f"--{name}", value)]
    tool("complete", "a.csv", "b.csv", "c.csv", "--form", "factor", *sizes, "--seed", 4, "-t", 2, "-o", "out")
    found = mkc.read_factors(tmp_path / "out")
    assert list(found.samples) == list(completed.samples) and found.views == completed.views
    for view in found.views:
        assert isinstance(found.factors[view], np.memmap)
        assert np.array_equal(found.factors[view], completed.factors[view])
    for name in ("extra", "variance", "observed", "kernels_used"):
        pd.testing.assert_frame_equal(getattr(found, name), getattr(completed, name), check_names=False)
    assert found.seed == completed.seed == 4 and found.parameters == completed.parameters
    pd.testing.assert_frame_equal(found.worth, completed.worth)
    pd.testing.assert_frame_equal(found.experts, completed.experts)
    keys = ["view", "sample"]
    ours = completed.quality.sort_values(keys, ignore_index=True)
    stored = found.quality.sort_values(keys, ignore_index=True)
    pd.testing.assert_frame_equal(stored, ours, rtol=1e-5, check_dtype=False)


def test_threads_do_not_change_a_bit(tables, completed):
    again = complete_factors(tables, random_state=4, n_jobs=2, **SIZES)
    for view in again.views:
        assert np.array_equal(again.factors[view], completed.factors[view])


def test_a_block_of_the_kernel_is_its_definition(completed):
    F, extra = completed.factors["b"], completed.extra["b"].to_numpy()
    whole = F @ F.T + np.diag(extra)
    rows, columns = ["s7", "s3", "s150"], ["s3", "s199"]
    at = [list(completed.samples).index(name) for name in rows]
    across = [list(completed.samples).index(name) for name in columns]
    block = completed.kernel("b", rows, columns)
    assert list(block.index) == rows and list(block.columns) == columns
    assert np.allclose(block, whole[np.ix_(at, across)], rtol=0, atol=1e-12)
    everything = completed.kernel("b").to_numpy()
    assert np.allclose(everything, whole, rtol=0, atol=1e-12)
    assert np.linalg.eigvalsh(everything).min() > -1e-9


def test_with_full_rank_the_observed_kernel_comes_back(tables):
    found = complete_factors(tables, "linear", rank=5, landmarks=200)
    dense = mkc.compute_kernels(tables, "linear")
    for view, kernel in dense.items():
        names = list(kernel.index)
        assert np.allclose(found.kernel(view, names, names), kernel, rtol=0, atol=1e-9)
        assert found.kernels_used.loc[view, "trace_error"] == pytest.approx(0, abs=1e-12)


def test_errors_are_those_of_rows_that_were_really_hidden(tables):
    """The estimate, against rows that are taken away here and known."""
    whole = tables["a"]
    elsewhere = set(tables["b"].index) | set(tables["c"].index)
    gone = [name for name in whole.index if name in elsewhere][::5]
    shown = {**tables, "a": whole.drop(index=gone)}
    found = complete_factors(shown, rank=60, landmarks=160)
    truth = mkc.compute_kernels({"a": whole})["a"]
    ours = found.kernel("a", gone, list(whole.index)).to_numpy()
    real = truth.loc[gone].to_numpy()
    errors = np.linalg.norm(ours - real, axis=1) / np.linalg.norm(real, axis=1)
    assert found.worth.loc["a", "held_out_error"] == pytest.approx(errors.mean(), rel=0.35)
    told = found.quality.set_index(["view", "sample"]).loc["a"].loc[gone]
    inside = (errors >= told["low"]) & (errors <= told["high"])
    assert inside.mean() > 0.75


def test_arrays_without_names_and_a_mask(tables):
    random = np.random.default_rng(0)
    x, y = random.normal(size=(2, 60, 4))
    observed = np.ones((60, 2), dtype=bool)
    observed[:9, 1] = False
    found = complete_factors([x, y], observed=observed, rank=8)
    assert list(found.samples) == list(range(60)) and found.views == ["view0", "view1"]
    assert np.array_equal(found.observed.to_numpy(), observed)
    blank = y.copy()
    blank[:9] = np.nan
    same = complete_factors([x, blank], rank=8)
    assert np.array_equal(same.factors["view1"], found.factors["view1"])


def test_kernels_and_functions_as_kernels(tables):
    kernels = mkc.compute_kernels(tables)
    given = complete_factors(kernels, "precomputed", rank=40, landmarks=200)
    made = complete_factors(tables, rank=40, landmarks=200)
    names = list(tables["b"].index[:20])
    assert np.allclose(given.kernel("b", names, names), made.kernel("b", names, names), atol=0.02)
    called = complete_factors(tables, {"b": lambda A, B: A @ B.T}, rank=20)
    assert called.kernels_used.loc["b", "kernel"] == "precomputed"


def test_a_view_of_noise_is_a_warning(tables):
    random = np.random.default_rng(1)
    noise = pd.DataFrame(random.normal(size=(150, 5)), [f"s{i}" for i in range(150)])
    with pytest.warns(UserWarning, match="'noise'.*average row"):
        found = complete_factors({"a": tables["a"], "b": tables["b"], "noise": noise}, **SIZES)
    assert found.worth.loc["noise", "verdict"] == "nothing beyond the average row"


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"rank": 0}, "rank"),
        ({"landmarks": "many"}, "landmarks"),
        ({"samples": "all"}, "samples"),
        ({"na_features": "zero"}, "na_features"),
        ({"kernel": "rfb"}, "rfb"),
        ({"coverage": 2}, "coverage"),
    ],
)
def test_wrong_arguments_are_named(tables, arguments, words):
    with pytest.raises((mkc.OptionError, mkc.InputError), match=words):
        complete_factors(tables, **arguments)


def test_cells_without_a_value_are_named_or_filled(tables):
    holed = {name: table.copy() for name, table in tables.items()}
    holed["b"].loc["s3", "f2"] = np.nan
    with pytest.raises(mkc.InputError, match="'b'.*na_features|s3"):
        complete_factors(holed, **SIZES)
    for policy in ("mean", "drop"):
        found = complete_factors(holed, na_features=policy, **SIZES)
        assert np.isfinite(found.factors["b"]).all()


def test_unknown_views_and_samples_and_folders_are_named(completed, tmp_path):
    with pytest.raises(mkc.InputError, match="no view 'z'"):
        completed.kernel("z")
    with pytest.raises(mkc.InputError, match="no sample 'nobody'"):
        completed.kernel("a", ["s1", "nobody"])
    with pytest.raises(mkc.InputError, match="meta_info"):
        mkc.read_factors(tmp_path)
    (tmp_path / "meta_info.json").write_text(json.dumps({"form": "dense"}))
    with pytest.raises(mkc.InputError, match="factor form"):
        mkc.read_factors(tmp_path)


def test_a_callback_stops_the_work(tables):
    seen = []

    def stop(phase, *_):
        seen.append(phase)
        return False

    with pytest.raises(RuntimeError, match="interrupted"):
        complete_factors(tables, callback=stop, **SIZES)
    assert seen


def test_shown_in_a_notebook(completed):
    assert "trace_error" in completed._repr_html_() and "factor form" in completed._repr_html_()
    assert repr(completed).startswith("FactorCompletion of 200 samples: a (0 completed)")


def test_new_samples_get_the_factors_of_their_model(tables, tmp_path):
    """Training samples given again as new ones get what they have; of a view that is left out, something close."""
    found = complete_factors(tables, **SIZES)
    found.save(tmp_path / "model.npz")
    model = mkc.load_factors(tmp_path / "model.npz")
    assert model.views == found.views
    again = pickle.loads(pickle.dumps(model)).complete(tables)
    places = again.samples.get_indexer(found.samples)
    for view in found.views:
        assert np.allclose(np.asarray(again.factors[view])[places], found.factors[view], atol=1e-8)
    missing = again.observed.to_numpy()[places] == found.observed.to_numpy()
    assert missing.all()
    assert np.allclose(again.quality["relative_error"].mean(), found.quality["relative_error"].mean(), atol=1e-8)
    few = {name: table for name, table in tables.items() if name != "b"}
    rows = model.complete(few).factors["b"] @ np.asarray(found.factors["b"]).T
    assert np.isfinite(rows).all()
    with pytest.raises(mkc.InputError, match="no view 'z'"):
        model.complete({"z": tables["a"]})
    with pytest.raises(mkc.InputError, match="factor form"):
        mkc.load(tmp_path / "model.npz")
    with pytest.raises(mkc.InputError, match="exist"):
        found.save(tmp_path / "model.npz")


def test_form_and_what_goes_with_it(tables):
    kernels = mkc.compute_kernels(tables)
    assert mkc.complete(kernels, form="factor", rank=8).kernels_used["kernel"].eq("precomputed").all()
    with pytest.raises(mkc.InputError, match="kernel"):  # tables without a word on their kernel
        mkc.complete(tables, form="factor")
    for wrong, words in [
        ({"form": "sparse"}, "'dense' or 'factor'"),
        ({"form": "factor", "method": "knn"}, "method of its own"),
        ({"form": "factor", "center": True}, "center"),
        ({"form": "factor", "psd": "clip"}, "psd"),
        ({"form": "factor", "k": 3}, "k"),
        ({"na_features": "mean"}, "na_features"),
    ]:
        with pytest.raises(mkc.OptionError, match=words):
            mkc.complete(kernels, **wrong)
    assert mkc.complete(kernels, "embd_hm", form="paper", max_iter=1).parameters["form"] == "paper"


def test_a_pickled_result_still_completes_new_samples(tables, completed):
    again = pickle.loads(pickle.dumps(completed))
    few = {"a": tables["a"].iloc[:3]}
    ours, theirs = completed.model.complete(few), again.model.complete(few)
    assert np.array_equal(ours.factors["c"], theirs.factors["c"])


def test_analyses_take_the_result(completed):
    kernels = {view: completed.kernel(view) for view in completed.views}
    assert np.array_equal(mkc.combine(completed), mkc.combine(kernels))
    pd.testing.assert_frame_equal(mkc.embed(completed).coordinates, mkc.embed(kernels).coordinates)
    many = dataclasses.replace(completed, samples=pd.RangeIndex(20001))
    with pytest.raises(mkc.InputError, match="20001 samples are too large"):
        mkc.combine(many)
