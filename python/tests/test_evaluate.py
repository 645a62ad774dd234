"""evaluate, ampute, inspect, combine."""

import os
import signal
import threading
import time

import numpy as np
import pandas as pd
import pytest

import mkc


def test_evaluate_is_a_tidy_table(kernels):
    table = mkc.evaluate(kernels, ["transfer", "wknn,k=4"], repeats=2)
    assert set(table["method"]) == {"mean", "knn", "transfer", "wknn,k=4"}
    assert set(table["repeat"]) == {1, 2} and set(table["view"]) == set(kernels)
    assert (table.dropna(subset="are")["are"] > 0).all()
    means = table.groupby("method")["are"].mean()
    assert means["transfer"] < means["mean"]


def test_evaluate_recomputed_from_the_definition(example, tmp_path):
    """A complete problem: hides the rows in hidden.tsv, completes them, and computes the errors."""
    truth = example.truth
    table = mkc.evaluate(
        truth, "transfer", mechanism="mcar", repeats=1, random_state=9, folder=tmp_path / "result"
    ).set_index(["method", "view"])
    assert len(table) == 12  # mean, knn and transfer
    hidden = pd.read_csv(tmp_path / "result" / "hidden.tsv", sep="\t")
    visible = {name: frame.copy() for name, frame in truth.items()}
    for _, view, sample in hidden.itertuples(index=False):
        visible[view].loc[sample] = visible[view].loc[:, sample] = np.nan
    for method in ("mean", "transfer"):
        completed = mkc.complete(visible, method=method, random_state=9)
        for view, K in truth.items():
            rows = [K.index.get_loc(sample) for sample in hidden.loc[hidden["view"] == view, "sample"]]
            K, found = K.to_numpy(), completed[view].loc[K.index, K.index].to_numpy()
            error = found[rows] - K[rows]
            centre = np.eye(len(K)) - 1 / len(K)
            a, b = (centre @ K @ centre)[rows], (centre @ found @ centre)[rows]
            score = table.loc[(method, view)]
            relative = np.linalg.norm(error, axis=1) / np.linalg.norm(K[rows], axis=1)
            assert score["hidden_rows"] == len(rows) > 0
            assert score["are"] == pytest.approx(100 * relative.mean(), rel=1e-9)
            assert score["rmse"] == pytest.approx(np.sqrt((error**2).mean()), rel=1e-9)
            cosine = (a * b).sum() / np.linalg.norm(a) / np.linalg.norm(b)
            assert score["alignment"] == pytest.approx(cosine, rel=1e-6)


def test_evaluate_reuses_finished_trials(kernels, tmp_path):
    folder = tmp_path / "result"
    first = mkc.evaluate(kernels, "transfer", repeats=1, folder=folder)
    assert len(list((folder / "cells").iterdir())) == 3
    methods = ["transfer", "wknn,k=4"]
    more = mkc.evaluate(kernels, methods, repeats=1, folder=folder, n_jobs=2)
    assert len(list((folder / "cells").iterdir())) == 4
    known = more["method"] != "wknn,k=4"
    pd.testing.assert_frame_equal(first, more[known].reset_index(drop=True))  # seconds and memory too
    plain = mkc.evaluate(kernels, methods, repeats=1)
    changing = ["seconds", "peak_mib"]
    pd.testing.assert_frame_equal(more.drop(columns=changing), plain.drop(columns=changing))
    again = mkc.evaluate(kernels, "mean", repeats=1, folder=folder, force=True)
    assert len(list((folder / "cells").iterdir())) == 2 and not again["seconds"].equals(first["seconds"])


def test_interrupted_evaluate_keeps_finished_trials(kernels, tmp_path):
    """There is no result, but the next call uses the finished trials."""
    endless = "embd_hm,c2=0.5,ridge=0.01,tol=0,max_iter=1000000"
    trials = tmp_path / ".result.cells"

    def stop_after_two():
        while len(list(trials.glob("*.json"))) < 2:
            time.sleep(0.05)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=stop_after_two, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        mkc.evaluate(kernels, endless, repeats=1, folder=tmp_path / "result")
    assert not (tmp_path / "result").exists()
    kept = list(trials.glob("*.json"))
    assert len(kept) == 2
    mkc.evaluate(kernels, "mean", repeats=1, folder=tmp_path / "result")
    assert {path.name for path in (tmp_path / "result" / "cells").iterdir()} == {path.name for path in kept}
    assert sorted(path.name for path in tmp_path.iterdir()) == ["result"]


def test_evaluate_keeps_other_files(kernels, tmp_path):
    mkc.evaluate(kernels, "mean", repeats=1, folder=tmp_path / "result")
    (tmp_path / "result" / "notes.txt").write_text("mine")
    with pytest.warns(UserWarning, match="not written by the earlier run: notes.txt"):
        mkc.evaluate(kernels, "mean", repeats=1, folder=tmp_path / "result", force=True)
    assert (tmp_path / "result" / "notes.txt").read_text() == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["result"]


def test_evaluate_does_not_replace_other_folders(kernels, tmp_path):
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis.tex").write_text("")
    with pytest.raises(mkc.OptionError, match="exists\n  hint: choose another name; force=True"):
        mkc.evaluate(kernels, "mean", folder=tmp_path / "mine")
    with pytest.raises(mkc.OptionError, match="is not replaced"):
        mkc.evaluate(kernels, "mean", folder=tmp_path / "mine", force=True)
    (tmp_path / "file").write_text("")
    with pytest.raises(OSError, match="cannot write"):
        mkc.evaluate(kernels, "mean", folder=tmp_path / "file" / "result")


def test_peak_memory_of_a_trial(kernels):
    table = mkc.evaluate(kernels, "mean", repeats=1)
    assert table["peak_mib"].between(20, 4000).all()
    assert mkc.evaluate(kernels, "mean", repeats=1, n_jobs=2)["peak_mib"].isna().all()


def test_evaluate_with_classes(kernels):
    y = pd.Series([f"group{i % 4}" for i in range(60)], kernels["protein"].index)
    table = mkc.evaluate(kernels, "transfer", y=y, repeats=1)
    scores = table.dropna(subset="accuracy")
    assert {"complete_cases", "transfer", "mean", "knn"} == set(scores["method"])
    assert scores["accuracy"].between(0.25, 1).all()
    shuffled = mkc.evaluate(kernels, "transfer", y=y.sample(frac=1, random_state=0), repeats=1)
    assert np.array_equal(shuffled["accuracy"], table["accuracy"], equal_nan=True)  # by name
    with pytest.raises(mkc.InputError, match="2 classes, but there are 60"):
        mkc.evaluate(kernels, "mean", y=["a", "b"])
    with pytest.raises(mkc.InputError, match="'X1', which no view has"):
        mkc.evaluate(kernels, "mean", y=pd.Series(["a"], ["X1"]))


def test_samples_without_a_class(kernels):
    """None, NaN and pandas' NA have the same meaning."""
    texts = [f"group{i % 4}" for i in range(60)]
    tables = []
    for unknown in (None, np.nan, pd.NA):
        y = pd.Series([unknown, unknown, *texts[2:]], kernels["protein"].index, dtype=object)
        tables.append(mkc.evaluate(kernels, "mean", y=y, repeats=1))
        assert tables[-1]["samples"].max() == 58
        assert np.array_equal(tables[-1]["accuracy"], tables[0]["accuracy"], equal_nan=True)


def test_failed_method_gives_a_warning(kernels):
    with pytest.warns(UserWarning, match="em.*complete"):
        table = mkc.evaluate(kernels, "em", repeats=1)
    assert (table.loc[table["method"] == "em", "status"] == "failed").all()


def test_parallel_evaluation_gives_the_same_scores(kernels):
    changing = ["seconds", "peak_mib"]
    one = mkc.evaluate(kernels, "transfer", repeats=2).drop(columns=changing)
    two = mkc.evaluate(kernels, "transfer", repeats=2, n_jobs=3).drop(columns=changing)
    pd.testing.assert_frame_equal(one, two)


def test_ampute_of_a_kernel_with_rounding_errors(example):
    kernel = np.asarray(next(iter(example.kernels.values()))).copy()
    scale = np.sqrt(np.diag(kernel)) * np.linspace(1, 1.3, len(kernel))
    kernel = kernel / scale[:, None] / scale[None, :]
    kernel[0, 1] = np.nextafter(kernel[1, 0], 2)
    hidden = mkc.ampute({"a": kernel, "b": kernel.T}, 0.3, random_state=1)["a"]
    gone = np.isnan(hidden).all(axis=1)
    assert gone.any() and np.array_equal(gone, np.isnan(hidden).all(axis=0))


@pytest.mark.parametrize("kind", ["frames", "arrays", "kernels", "stack"])
def test_ampute(example, kind):
    given = {
        "frames": example.features,
        "arrays": {n: f.to_numpy() for n, f in example.features.items()},
        "kernels": example.truth,
        "stack": np.stack([k.to_numpy() for k in example.truth.values()]),
    }[kind]
    hidden = mkc.ampute(given, 0.3, random_state=1)
    assert type(hidden) is type(given)
    views = list(hidden.values()) if isinstance(hidden, dict) else list(hidden)
    before = list(given.values()) if isinstance(given, dict) else list(given)
    gone = np.column_stack([np.isnan(np.asarray(v)).all(axis=1) for v in views])
    assert np.allclose(gone.mean(axis=0), 0.3, atol=0.02) and (~gone).any(axis=1).all()
    for m, (view, full) in enumerate(zip(views, before)):
        assert not np.isnan(np.asarray(full)).any()  # a copy
        view, full = np.asarray(view), np.asarray(full)
        here = np.ix_(~gone[:, m], ~gone[:, m]) if kind in ("kernels", "stack") else ~gone[:, m]
        assert np.array_equal(view[here], full[here])
        if kind in ("kernels", "stack"):
            assert np.isnan(view[:, gone[:, m]]).all()
    again = mkc.ampute(given, 0.3, random_state=1)
    other = mkc.ampute(given, 0.3, random_state=2)
    first = lambda x: np.asarray(next(iter(x.values())) if isinstance(x, dict) else x[0])  # noqa: E731
    assert np.array_equal(first(again), first(hidden), equal_nan=True)
    assert not np.array_equal(first(other), first(hidden), equal_nan=True)


def test_ampute_views_of_samples(example):
    hidden = mkc.ampute(example.features, 0.5, views_missing=2, random_state=0)
    gone = np.column_stack([v.isna().all(axis=1) for v in hidden.values()]).sum(axis=1)
    assert set(gone) == {0, 2} and (gone == 2).sum() == 30


def test_inspect(kernels, example, features):
    found = mkc.inspect(kernels)
    assert found.n_samples == 60 and found.n_complete == int(example.observed.all(axis=1).sum())
    assert np.array_equal(found.observed, example.observed)
    assert (found.views["samples"] == example.observed.sum()).all()
    assert (
        found.shared.loc["protein", "expression"]
        == (example.observed["protein"] & example.observed["expression"]).sum()
    )
    assert found.patterns["samples"].sum() == 60
    assert "complete cases alone would lose" in str(found) and "#" in str(found)
    block = kernels["protein"].dropna(how="all").dropna(axis=1, how="all")
    assert found.views.loc["protein", "largest_eigenvalue"] == pytest.approx(np.linalg.eigvalsh(block)[-1])
    found = mkc.inspect(features, kernel="rbf")
    assert (found.views["kind"] == "features").all() and found.views.loc["protein", "features"] == 25


def test_combine_from_the_definition(example):
    truth = {n: k.to_numpy() for n, k in example.truth.items()}
    variance = {n: np.trace(k) / 60 - k.mean() for n, k in truth.items()}
    expected = sum(k / variance[n] for n, k in truth.items()) / 4
    assert np.allclose(mkc.combine(truth), expected, rtol=1e-12)
    assert np.allclose(mkc.combine(example.truth), expected, rtol=1e-12)
    assert list(mkc.combine(example.truth, as_frame=True).index) == list(example.truth["protein"].index)
    weights = {"protein": 2.0, "mutations": 1.0}
    assert np.allclose(mkc.combine(truth, weights, scale=False), 2 * truth["protein"] + truth["mutations"])
    y = np.arange(60) % 4
    same = (y[:, None] == y[None]).astype(float)
    centre = np.eye(60) - 1 / 60
    alignment = np.array(
        [
            np.sum((centre @ k @ centre) * (centre @ same @ centre))
            / np.linalg.norm(centre @ k @ centre)
            / np.linalg.norm(centre @ same @ centre)
            for k in truth.values()
        ]
    )
    expected = sum(a / alignment.sum() * k for a, k in zip(alignment, truth.values()))
    assert np.allclose(mkc.combine(truth, "alignment", y=y, scale=False), expected, rtol=1e-9)


def test_invalid_arguments_of_combine(kernels, example):
    with pytest.raises(mkc.InputError, match="NaN"):
        mkc.combine(kernels)
    with pytest.raises(mkc.OptionError, match="needs y"):
        mkc.combine(example.truth, "alignment")
    with pytest.raises(mkc.OptionError, match="no view 'x'"):
        mkc.combine(example.truth, {"x": 1})
    with pytest.raises(mkc.OptionError, match="view relations"):
        mkc.combine(example.truth, "relations")


def test_options_of_a_single_method(arrays):
    found, expected = (mkc.evaluate(arrays, *a, repeats=1, **o) for a, o in ((["wknn"], {"k": 3}), (["wknn,k=3"], {})))
    assert "wknn,k=3" in set(found["method"])
    assert found["are"].equals(expected["are"])
    with pytest.raises(mkc.OptionError, match="option 'k': 2 methods are given"):
        mkc.evaluate(arrays, ["wknn", "mean"], k=3)
    with pytest.raises(mkc.OptionError, match="wknn has no option 'fractions'"):
        mkc.evaluate(arrays, "wknn", fractions=0.1)
