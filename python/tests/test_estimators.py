"""The estimators follow the conventions of scikit-learn."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn import config_context
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV
from sklearn.pipeline import Pipeline, make_pipeline
from sklearn.svm import SVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import mkc
from mkc._run import option_names

# The checks use one table X, or the kernel X X' for estimators of kernels (pairwise): a single complete view.
# Checks that cannot pass with such input are listed here.
NEGATIVE = "the check uses a table that is not a kernel (its diagonal is negative), which is refused"
HOLES = "the check sets single entries to NaN; in a kernel whole rows and columns of missing samples are NaN"
ROUNDED = "the check rounds a kernel to single precision and to integers, after which it is not a kernel"
DICT_OUT = "the purpose of the class is to return a dict of views, not a table"
EXPECTED = {
    "StackedViews": dict.fromkeys(
        (
            "check_transformer_general",
            "check_transformer_data_not_an_array",
            "check_methods_sample_order_invariance",
            "check_methods_subset_invariance",
            "check_pipeline_consistency",
            "check_estimators_pickle",
            "check_transformer_preserve_dtypes",
            "check_fit_idempotent",
        ),
        DICT_OUT,
    ),
    "KernelCompleter": {
        "check_positive_only_tag_during_fit": NEGATIVE,
        "check_estimators_pickle": HOLES,
        "check_estimators_dtypes": ROUNDED,
    },
    "KernelCombiner": {},
    "MultiViewKernel": {},
}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [mkc.KernelCompleter("mean"), mkc.KernelCombiner(), mkc.MultiViewKernel(na_features="mean"), mkc.StackedViews()],
    expected_failed_checks=lambda estimator: EXPECTED[type(estimator).__name__],
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


def test_fit_transform_returns_the_kind_of_the_input(kernels, arrays):
    done = mkc.KernelCompleter("transfer").fit_transform(kernels)
    assert all(isinstance(k, pd.DataFrame) and k.notna().all(axis=None) for k in done.values())
    assert isinstance(mkc.KernelCompleter("transfer").fit_transform(list(arrays.values())), list)
    stack = np.stack(list(arrays.values()))
    assert mkc.KernelCompleter("transfer").fit_transform(stack).shape == stack.shape


def test_attributes(kernels):
    fitted = mkc.KernelCompleter("app", options={"c2": 0.1}, random_state=4, quality=True).fit(kernels)
    assert fitted.views_ == list(kernels) and len(fitted.samples_) == 60
    assert fitted.view_relations_.shape == (4, 4) and fitted.converged_ and fitted.n_iter_ > 0
    assert len(fitted.objective_) > 0 and fitted.seed_ == 4 and fitted.weights_ is None
    assert set(fitted.quality_.columns) >= {"sample", "view", "relative_error", "low", "high"}
    auto = mkc.KernelCompleter(options={"candidates": ["transfer", "wknn", "mean"]}).fit(kernels)
    assert np.allclose(auto.weights_.sum(), 1)  # of every view


def test_clone_and_pickle(kernels):
    fitted = mkc.KernelCompleter("wknn", options={"k": 3}, random_state=1).fit(kernels)
    assert clone(fitted).get_params() == fitted.get_params() and not hasattr(clone(fitted), "samples_")
    again = pickle.loads(pickle.dumps(fitted))
    for name, kernel in fitted.kernels_.items():
        assert kernel.equals(again.kernels_[name])


def test_set_output(arrays):
    estimator = mkc.KernelCompleter("mean").set_output(transform="pandas")
    done = estimator.fit_transform(arrays)
    assert all(isinstance(k, pd.DataFrame) for k in done.values())
    assert list(done["protein"].columns) == list(estimator.get_feature_names_out())
    assert isinstance(clone(estimator).fit_transform(arrays)["protein"], pd.DataFrame)
    with config_context(transform_output="pandas"):
        assert isinstance(mkc.KernelCompleter("mean").fit_transform(arrays)["protein"], pd.DataFrame)


def test_set_output_of_a_pipeline(features):
    table = mkc.stack_views(features)
    views = {name: np.flatnonzero(table.columns.get_level_values(0) == name) for name in features}
    steps = [mkc.StackedViews(views), mkc.MultiViewKernel(), mkc.KernelCompleter("mean"), mkc.KernelCombiner()]
    pipeline = make_pipeline(*steps).set_output(transform="pandas")
    values = table.to_numpy()
    done = pipeline.fit_transform(values)
    assert isinstance(done, pd.DataFrame) and done.shape == (60, 60)
    split = pipeline[0].transform(values)
    assert all(isinstance(part, pd.DataFrame) for part in split.values())
    new = values[:20] + 0.1
    rows = pipeline.transform(new)
    pipeline.set_output(transform="polars")
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # numbers of rows are no names of training samples
        pipeline.fit(values)
        assert np.array_equal(pipeline.transform(new), rows)
    pipeline.set_output(transform="default")
    assert np.array_equal(pipeline.fit_transform(values), done)


def test_score_is_larger_for_better_methods(kernels):
    good = mkc.KernelCompleter("transfer").fit(kernels).score(kernels)
    poor = mkc.KernelCompleter("mean").fit(kernels).score(kernels)
    assert poor < good < 0


def test_stacked_views_both_ways(features):
    table = mkc.stack_views(features)
    assert len(table) == 60 and table.columns.nlevels == 2
    split = mkc.StackedViews().fit(table)
    views = split.transform(table)
    assert list(views) == list(features)
    for name, view in views.items():
        here = features[name].index
        assert np.array_equal(view.loc[here], features[name]) and view.drop(here).isna().all(axis=None)
    pd.testing.assert_frame_equal(split.inverse_transform(views), table)
    array = table.to_numpy()
    by_slice = mkc.StackedViews({"a": slice(0, 60), "b": [60, 61, -1]}).fit(array)
    assert by_slice.transform(array)["b"].shape == (60, 3)
    with pytest.raises(mkc.InputError, match="do not exist"):
        mkc.StackedViews({"a": [1000]}).fit(array)
    with pytest.raises(mkc.InputError, match="has no column"):
        mkc.StackedViews({"a": slice(5, 5)}).fit(array)


def test_columns_of_stacked_views_by_flag_name_and_position():
    table = pd.DataFrame(np.arange(12.0).reshape(3, 4), columns=list("abcd"))
    flags = [False, True, True, False]
    for wanted in (flags, np.array(flags), pd.Series(flags), slice("b", "c"), ["b", "c"], slice(1, 3), [1, 2]):
        assert mkc.StackedViews({"x": wanted}).fit(table).views_ == {"x": [1, 2]}
    for wanted, message in (
        (flags[:3], "True or False for 3 columns, but there are 4"),
        (slice("b", "z"), "do not exist"),
        (flags[:0], "has no column"),
    ):
        with pytest.raises(mkc.InputError, match=message):
            mkc.StackedViews({"x": wanted}).fit(table)
    with pytest.raises(mkc.InputError, match="do not exist"):
        mkc.StackedViews({"x": slice("b", "c")}).fit(table.to_numpy())


@pytest.mark.parametrize("kernel", ["linear", "rbf", "poly", "laplacian", "cosine", "lsk"])
def test_kernel_rows_of_new_samples_from_the_definition(features, kernel):
    table = features["expression"]
    train, new = table.iloc[:30], table.iloc[30:36]
    fitted = mkc.MultiViewKernel(kernel, scale="none").fit({"x": train})
    square = fitted.fit_transform({"x": train})["x"]
    assert np.array_equal(square, mkc.compute_kernels({"x": train}, kernel, scale="none")["x"])
    rows = fitted.transform({"x": new})["x"]
    assert rows.shape == (6, 30) and list(rows.columns) == list(train.index) and list(rows.index) == list(new.index)
    assert np.allclose(fitted.transform({"x": train})["x"], square, atol=1e-9)
    a, b = new.to_numpy(), train.to_numpy()
    if kernel == "linear":
        assert np.allclose(rows, a @ b.T)
    elif kernel == "cosine":
        norm = np.linalg.norm
        assert np.allclose(rows, (a @ b.T) / norm(a, axis=1)[:, None] / norm(b, axis=1))
    elif kernel == "rbf":
        gamma = -np.log(square.iloc[0, 1]) / ((b[0] - b[1]) ** 2).sum()
        assert np.allclose(rows, np.exp(-gamma * ((a[:, None] - b[None]) ** 2).sum(-1)))


def test_multi_view_kernel_with_gaps(features):
    views = mkc.StackedViews().fit_transform(mkc.stack_views(features))
    fitted = mkc.MultiViewKernel({"mutations": "jaccard"}).fit(views)
    rows = fitted.transform(views)
    for name, values in rows.items():
        gone = views[name].isna().all(axis=1)
        assert values[gone].isna().all(axis=None) and values.loc[:, gone].isna().all(axis=None)
        assert values.loc[~gone, ~gone].notna().all(axis=None)
    assert pickle.loads(pickle.dumps(fitted)).transform(views)["protein"].equals(rows["protein"])


def test_missing_values_of_new_samples(features):
    train, new = features["protein"].iloc[:30].copy(), features["protein"].iloc[30:].copy()
    new.iloc[0, 3] = np.nan
    with pytest.raises(mkc.InputError, match="has no value in column 'protein3'"):
        mkc.MultiViewKernel().fit({"x": train}).transform({"x": new})
    rows = mkc.MultiViewKernel(na_features="mean").fit({"x": train}).transform({"x": new})["x"]
    filled = new.fillna(train.mean())
    expected = mkc.MultiViewKernel().fit({"x": train}).transform({"x": filled})["x"]
    assert np.allclose(rows, expected)


def test_combined_rows_of_new_samples(example):
    truth = {n: k.to_numpy() for n, k in example.truth.items()}
    train = {n: k[:40, :40] for n, k in truth.items()}
    combiner = mkc.KernelCombiner().fit(train)
    new = combiner.transform({n: k[40:, :40] for n, k in truth.items()})
    expected = sum(truth[n][40:, :40] / (np.trace(k) / 40 - k.mean()) for n, k in train.items()) / 4
    assert np.allclose(new, expected)
    y = np.arange(40) % 4
    aligned = mkc.KernelCombiner("alignment").fit(train, y)
    assert aligned.weights_.sum() == pytest.approx(1)
    with pytest.raises(mkc.InputError, match="30 columns"):
        combiner.transform({n: k[40:, :30] for n, k in truth.items()})


def test_completer_weights_have_unique_rows():
    """transfer may choose the options of a fixed candidate: both share a row in the table of weights."""
    random = np.random.default_rng(0)
    state = random.normal(size=(20, 2))
    kernels = {}
    for name in "ab":
        x = np.tanh(state @ random.normal(size=(2, 4)))
        kernels[name] = x @ x.T
    kernels["a"][:5] = kernels["a"][:, :5] = np.nan
    completer = mkc.KernelCompleter().fit(kernels)
    assert completer.weights_.index.is_unique and list(completer.weights_.columns) == ["a", "b"]
    assert np.allclose(completer.weights_.sum(), 1)


def test_columns_that_differ_from_the_fitted_ones(features):
    table = mkc.stack_views(features)
    views = mkc.StackedViews().fit(table)
    first, last = table.columns[0], table.columns[-1]
    for wrong, message in (
        (table.drop(columns=[first]), f"column {first!r} of the fitted table is missing"),
        (table.rename(columns={last[1]: "other"}, level=1), "is not in the fitted table"),
        (table[table.columns[::-1]], "not in the order of the fitted table"),
    ):
        with pytest.raises(mkc.InputError) as caught:
            views.transform(wrong)
        assert message in str(caught.value) and caught.value.hint


# Options of the method as parameters


def test_options_are_the_same_in_every_call(kernels):
    expected = mkc.complete(kernels, "wknn", k=3).arrays
    for completer in (
        mkc.KernelCompleter("wknn", k=3),
        mkc.KernelCompleter("wknn,k=3"),
        mkc.KernelCompleter("wknn", options={"k": 3}),
        mkc.KernelCompleter("wknn", options={"k": 9}, k=3),
        mkc.KernelCompleter().set_params(method="wknn", k=3),
        clone(mkc.KernelCompleter("wknn", k=3)),
        pickle.loads(pickle.dumps(mkc.KernelCompleter("wknn", k=3))),
    ):
        for a, b in zip(completer.fit(kernels).completion_.arrays, expected):
            assert np.array_equal(a, b)
    default = mkc.complete(kernels, "wknn").arrays
    for a, b in zip(mkc.KernelCompleter("wknn", k=None).fit(kernels).completion_.arrays, default):
        assert np.array_equal(a, b)


def test_options_are_parameters(kernels):
    completer = mkc.KernelCompleter("wknn", k=3)
    assert completer.get_params()["k"] == 3 and "k" not in mkc.KernelCompleter("wknn").get_params()
    assert "k=3" in repr(completer) and "k" in completer._repr_html_()
    fitted = completer.fit(kernels)
    assert fitted.get_params() == clone(fitted).get_params() == mkc.KernelCompleter("wknn", k=3).get_params()
    with pytest.raises(ValueError, match="Invalid parameter 'kk'"):
        completer.set_params(kk=3)
    for name in ("kk", "k_", "_k"):
        with pytest.raises(mkc.OptionError, match=f"wknn has no option '{name}'"):
            clone(mkc.KernelCompleter("wknn", **{name: 3})).fit(kernels)
    with pytest.raises(mkc.OptionError, match="mean has no option 'k'"):
        mkc.KernelCompleter("mean", k=3).fit(kernels)


def test_names_of_options_are_free():
    """An option of a method becomes an attribute: it must not hide a method or a parameter."""
    taken = set(dir(mkc.KernelCompleter())) | set(mkc.KernelCompleter().get_params())
    assert option_names() & taken == {"form"}  # one parameter: "dense", "factor", or the option of a method


def test_grid_over_options(features):
    y = np.arange(60) % 2
    pipeline = Pipeline(
        [
            ("views", mkc.StackedViews()),
            ("kernel", mkc.MultiViewKernel()),
            ("completer", mkc.KernelCompleter("wknn")),
            ("combiner", mkc.KernelCombiner()),
            ("classifier", SVC(kernel="precomputed")),
        ]
    )
    grid = [{"completer__k": [1, 9]}, {"completer__method": ["mean"], "completer__k": [None]}]
    search = GridSearchCV(pipeline, grid, cv=2, error_score="raise").fit(mkc.stack_views(features), y)
    assert [params.get("completer__k") for params in search.cv_results_["params"]] == [1, 9, None]


# The way back from views to a table


def test_shapes_that_cannot_be_stacked(features):
    table = mkc.stack_views(features)
    split = mkc.StackedViews().fit(table)
    views = split.transform(table)
    arrays = {name: view.to_numpy() for name, view in views.items()}
    wide = views["protein"].shape[1]
    for change, message in (
        ({"protein": arrays["protein"][:, 1:]}, f"view 'protein' is 60 x {wide - 1}, but .* {wide} columns"),
        ({"protein": arrays["protein"][:, 0]}, "view 'protein' is 60, but"),
        ({"protein": arrays["protein"][1:]}, "view 'protein' has 59 rows, but the views before it have 60"),
        ({"protein": np.full((60, wide), "x")}, "view 'protein': the values are not numbers"),
        ({"other": arrays["protein"]}, "view 'other' is not among the fitted ones"),
    ):
        with pytest.raises(mkc.InputError, match=message):
            split.inverse_transform({**arrays, **change})
    with pytest.raises(mkc.InputError, match="view 'protein' is missing"):
        split.inverse_transform({name: view for name, view in arrays.items() if name != "protein"})
    with pytest.raises(mkc.InputError, match="a dict of views is needed, not a ndarray"):
        split.inverse_transform(table.to_numpy())
    with pytest.raises(mkc.InputError, match="view 'protein' has other samples.*or another order"):
        split.inverse_transform({**views, "protein": views["protein"][::-1]})
    assert np.array_equal(split.inverse_transform(arrays), table, equal_nan=True)
