"""Samples, views and features are matched by name, in any order."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import mkc


@pytest.fixture
def views(three_views):
    return three_views


@pytest.fixture
def completion(views):
    return mkc.complete(mkc.compute_kernels(views), method="mean")


def shuffled(frame, seed=0, columns=True):
    random = np.random.default_rng(seed)
    rows, places = random.permutation(len(frame)), np.arange(frame.shape[1])
    return frame.iloc[rows, random.permutation(places) if columns else places]


def backwards(views):
    return dict(reversed(views.items()))


# Features and kernels of new samples


def test_features_of_new_samples_are_matched_by_name(views):
    fitted = mkc.MultiViewKernel().fit(views)
    expected = fitted.transform(views)
    moved = {name: frame.iloc[:, ::-1].assign(further=1.0) for name, frame in views.items()}
    found = fitted.transform(backwards(moved))
    assert list(found) == list(views)
    for name, rows in expected.items():
        pd.testing.assert_frame_equal(found[name], rows)
        assert np.array_equal(found.diagonals[name], expected.diagonals[name], equal_nan=True)
    for change in ({"columns": {"b1": "other"}}, {"columns": {"b1": 1}}):
        with pytest.raises(mkc.InputError, match="view 'b'.*no column for feature 'b1' .1 of 5"):
            fitted.transform({**views, "b": views["b"].rename(**change)})


def test_features_without_names_are_matched_by_position(views):
    arrays = {name: frame.to_numpy()[:10] for name, frame in views.items()}
    fitted = mkc.MultiViewKernel().fit(arrays)
    with pytest.raises(mkc.InputError, match="view 'a'.*3 features, but 4 were fitted"):
        fitted.transform({**arrays, "a": arrays["a"][:, :3]})
    twice = {name: frame.set_axis(["x"] * frame.shape[1], axis=1) for name, frame in views.items()}
    fitted = mkc.MultiViewKernel().fit(twice)  # duplicate names are not used
    assert np.array_equal(fitted.transform(twice)["b"], mkc.MultiViewKernel().fit(views).transform(views)["b"])


def test_views_of_new_samples_must_be_the_fitted_ones(views):
    whole = mkc.complete(mkc.compute_kernels(views), method="mean").kernels
    with pytest.raises(mkc.InputError, match="the views are .'a', 'b'., but .'a', 'b', 'c'. were fitted"):
        mkc.KernelCombiner().fit(whole).transform({name: whole[name] for name in "ab"})
    fitted = mkc.MultiViewKernel().fit(views)
    with pytest.raises(mkc.InputError, match="the views are .'a', 'd'., but .'a', 'b', 'c'. were fitted"):
        fitted.transform({"a": views["a"], "d": views["b"]})
    with pytest.raises(mkc.InputError, match="were fitted"):
        mkc.MultiViewKernel().fit(list(views.values())).transform(list(views.values())[:2])


def test_new_samples_may_lack_a_view_altogether(views):
    fitted = mkc.MultiViewKernel().fit(views)
    completer = mkc.KernelCompleter("transfer").fit(fitted.fit_transform(views))
    new = {name: frame.loc[["p12", "p13"]].rename(index=lambda n: f"new {n}") for name, frame in views.items()}
    lacking = {**new, "b": new["b"] * np.nan}
    expected, found = fitted.transform(lacking), fitted.transform({name: new[name] for name in "ca"})
    assert list(found) == list(views) and list(found["b"].index) == ["new p12", "new p13"]
    for name, rows in expected.items():
        assert found[name].loc[rows.index].equals(rows)
        assert np.array_equal(found.diagonals[name], expected.diagonals[name], equal_nan=True)
    for name, rows in completer.transform(expected).items():
        assert np.array_equal(completer.transform(found)[name].loc[rows.index], rows)
    arrays = {name: frame.to_numpy()[:10] for name, frame in views.items()}
    by_array = mkc.MultiViewKernel().fit(arrays).transform({"a": arrays["a"][:3]})
    assert np.isnan(by_array["b"]).all() and by_array["b"].shape == (3, 10)


def test_combined_rows_are_matched_by_name(completion):
    fitted = mkc.KernelCombiner().fit(completion.kernels)
    expected = mkc.combine(completion, as_frame=True)
    new = {name: shuffled(frame, seed) for seed, (name, frame) in enumerate(completion.kernels.items())}
    found = fitted.set_output(transform="pandas").transform(backwards(new))
    assert list(found.index) == list(new["a"].index) and list(found.columns) == list(expected.columns)
    assert np.allclose(found, expected.loc[found.index], rtol=1e-12)
    with pytest.raises(mkc.InputError, match="no column for the training sample 'p4'"):
        fitted.transform({**new, "c": new["c"].drop(columns="p4")})
    with pytest.raises(mkc.InputError, match="'a' and 'c' have different samples: the second lacks 'p4'"):
        fitted.transform({**new, "c": new["c"].drop(index="p4")})


# Precomputed kernels


@pytest.fixture
def kernels(views):
    return mkc.compute_kernels(views)


@pytest.fixture
def moved(kernels):
    """Rows and columns in different orders."""
    return {name: shuffled(frame, 1) for name, frame in kernels.items()}


@pytest.mark.parametrize(
    "make", [mkc.compute_kernels, lambda views, kernel: mkc.MultiViewKernel(kernel).fit_transform(views)]
)
def test_precomputed_kernels_are_matched_by_name(kernels, moved, make):
    for name, kernel in make(moved, "precomputed").items():
        assert list(kernel.index) == list(kernel.columns) == list(moved[name].index)
        assert kernel.equals(kernels[name].loc[kernel.index, kernel.columns])
    with pytest.raises(mkc.InputError, match="view 'a'.*not square: 16 rows, 15 columns"):
        make({**moved, "a": moved["a"].iloc[:, 1:]}, "precomputed")
    gone = kernels["a"].copy()
    gone.loc["p7"] = gone.loc[:, "p7"] = np.nan
    assert make({**kernels, "a": gone}, "precomputed")["a"].equals(gone)


def test_new_rows_of_precomputed_kernels(kernels):
    kernels["a"].loc["p7"] = kernels["a"].loc[:, "p7"] = np.nan
    fitted = mkc.MultiViewKernel("precomputed").fit(kernels)
    new = {name: shuffled(frame.iloc[:3]) for name, frame in kernels.items()}
    for frame in new.values():
        frame["self"] = 2.0
    new["a"] = new["a"].drop(columns="p7")  # not needed: p7 lacks the view
    rows = fitted.transform(new)
    for name, values in rows.items():
        assert list(values.columns) == list(kernels[name].index)
        assert values.equals(kernels[name].loc[values.index]) and (rows.diagonals[name] == 2).all()
    with pytest.raises(mkc.InputError, match="no column for the training sample 'p3'"):
        fitted.transform({**new, "b": new["b"].drop(columns="p3")})
    array = kernels["b"].to_numpy()
    assert np.array_equal(mkc.MultiViewKernel("precomputed").fit([array]).transform([array[:2]])[0], array[:2])


def test_model_of_precomputed_kernels_expects_kernel_rows(kernels, tmp_path):
    maker = mkc.MultiViewKernel("precomputed")
    mkc.save(mkc.KernelCompleter("mean").fit(maker.fit_transform(kernels)), tmp_path / "m.npz", kernel=maker)
    assert set(mkc.load(tmp_path / "m.npz").kinds.values()) == {"kernel"}


def test_rows_and_columns_of_a_kernel_are_hidden_together(moved):
    for name, kernel in mkc.ampute(moved, 0.3).items():
        gone = kernel.isna().all(axis=1)
        assert gone.any() and set(gone.index[gone]) == set(kernel.columns[kernel.isna().all(axis=0)]), name


# Classes


def test_classes_in_another_order_are_refused(views, completion):
    y = pd.Series(np.arange(20) % 2, [f"p{i}" for i in range(20)])
    steps = [mkc.MultiViewKernel(), mkc.KernelCompleter("mean"), mkc.KernelCombiner()]
    for estimator, X in zip(steps, (views, mkc.compute_kernels(views), completion.kernels)):
        with pytest.raises(mkc.InputError, match="entry 0 is of 'p0', not 'p4'") as caught:
            estimator.fit(X, y)
        assert "y[samples_]" in caught.value.hint
        samples = estimator.fit(X).samples_
        estimator.fit(X, y[samples])
        with pytest.raises(mkc.InputError, match="19 entries, but there are 20 samples"):
            estimator.fit(X, y[samples[1:]])
        estimator.fit(X, y.reset_index(drop=True))  # names no sample: read by position
    table = mkc.stack_views(views)
    with pytest.raises(mkc.InputError) as caught:
        mkc.StackedViews().fit(table, y)
    assert "y[X.index]" in caught.value.hint
    model = make_pipeline(*steps, SVC(kernel="precomputed")).fit(views, y[completion.samples])
    assert model.predict(views).shape == (20,)


# Names of views and samples


@pytest.mark.filterwarnings("ignore")
def test_views_keep_their_names(views):
    numbered = {1: views["a"], 2.5: views["b"], "c": views["c"]}
    kernels = mkc.compute_kernels(numbered, {1: "linear", 2.5: {"kernel": "rbf"}})
    assert list(kernels) == list(numbered)
    observed = pd.DataFrame(True, [f"p{i}" for i in range(20)], list(numbered))
    found = mkc.complete(kernels, "mean", observed=observed, quality=True)
    assert list(found.kernels) == found.views == list(found.observed.columns) == list(numbered)
    assert found[1].equals(found.kernels[1]) and set(found.quality["view"]) == set(numbered)
    assert mkc.combine(found, {1: 1.0, 2.5: 2.0}).shape == (20, 20)
    assert set(mkc.evaluate(kernels, "mean", repeats=1)["view"]) == set(numbered)
    assert list(mkc.inspect(kernels).views.index) == list(numbered) and str(mkc.inspect(kernels))
    assert list(mkc.ampute(numbered)) == list(numbered)
    completer = mkc.KernelCompleter("mean").fit(kernels)
    assert list(completer.transform(found.kernels)) == list(numbered)
    table = mkc.stack_views(numbered)
    assert list(mkc.StackedViews().fit_transform(table)) == list(numbered)


def test_names_of_views_with_equal_text_are_refused(views):
    for call in (mkc.compute_kernels, mkc.complete, mkc.stack_views):
        with pytest.raises(mkc.InputError, match="views 1 and '1' have the same name"):
            call({1: views["a"], "1": views["b"]})


def test_stack_views_joins_samples_by_text():
    first = pd.DataFrame({"x": [1.0, 2.0, 3.0, 4.0]}, [1, 2, 3, 4])
    second = pd.DataFrame({"x": [5.0, 6.0, 7.0, 8.0]}, ["2", "3", "4", "5"])
    table = mkc.stack_views({"a": first, "b": second})
    assert list(table.index) == [1, 2, 3, 4, "5"] and list(table.loc[2]) == [2.0, 5.0]


def test_words_are_named_where_numbers_are_needed(views):
    views["a"].insert(0, "sex", "f")
    for call in (mkc.stack_views, mkc.MultiViewKernel().fit):
        with pytest.raises(mkc.InputError, match="view 'a'.*column 'sex' is 'f' for sample 'p4'"):
            call(views)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda v: v.clear(), "there is no view"),
        (lambda v: v.update(a=pd.concat([v["a"]] * 2)), "view 'a'.*'p4' appears twice, as rows 1 and 17"),
        (lambda v: v.update(a=v["a"].rename(index={"p5": np.nan})), "view 'a'.*row 2 has no id"),
        (lambda v: v.update(a=v["a"].rename(index={"p5": None})), "view 'a'.*row 2 has no id"),
    ],
)
@pytest.mark.parametrize("call", [mkc.stack_views, mkc.compute_kernels, mkc.MultiViewKernel().fit])
def test_tables_that_cannot_be_joined(views, change, message, call):
    change(views)
    with pytest.raises(mkc.InputError, match=message):
        call(views)
