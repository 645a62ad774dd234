"""transform of new samples with missing views; pipelines without leakage."""

import pickle
import warnings

import joblib
import numpy as np
import pandas as pd
import pytest
from sklearn.base import BaseEstimator, TransformerMixin
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import mkc


@pytest.fixture(scope="module")
def halves():
    """Kernels of 80 training samples with gaps, rows of 20 new ones with gaps, and the truth."""
    example = mkc.datasets.make_example(100, 0.25, 5)
    train, new = example.observed.index[:80], example.observed.index[80:]
    kernels = {n: k.loc[train, train] for n, k in example.kernels.items()}
    rows = {n: k.loc[new, train] for n, k in example.kernels.items()}
    truth = {n: k.loc[new, train] for n, k in example.truth.items()}
    return kernels, rows, truth, example.observed.loc[new]


@pytest.fixture(scope="module")
def fitted(halves):
    return mkc.KernelCompleter("transfer").fit(halves[0])


def errors(found, truth, rows):
    found, truth = found.to_numpy()[rows], truth.to_numpy()[rows]
    return np.linalg.norm(found - truth, axis=1) / np.linalg.norm(truth, axis=1)


def test_rows_have_no_gaps_and_keep_observed_values(halves, fitted):
    kernels, rows, truth, observed = halves
    found = fitted.transform(rows)
    assert list(found) == list(kernels)
    for name, values in found.items():
        assert values.shape == (20, 80) and values.notna().all(axis=None)
        assert list(values.index) == list(observed.index) and list(values.columns) == list(fitted.samples_)
        given = rows[name].loc[observed[name]].dropna(axis=1)
        assert np.allclose(values.loc[given.index, given.columns], given, atol=1e-9)


def test_predicted_rows_are_better_than_the_mean(halves, fitted):
    """The mean of the other views' rows, as in the method 'mean'."""
    _, rows, truth, observed = halves
    found = fitted.transform(rows)
    ours, naive = [], []
    for name in found:
        lost = ~observed[name].to_numpy()
        ours.append(errors(found[name], truth[name], lost))
        scale = {n: np.abs(fitted.kernels_[n]).to_numpy().mean() for n in found}
        others = np.mean([found[n] / scale[n] for n in found if n != name], axis=0) * scale[name]
        naive.append(errors(pd.DataFrame(others), truth[name], lost))
    assert np.concatenate(ours).mean() < 0.8 * np.concatenate(naive).mean()


def test_training_samples_get_their_completed_rows(halves, fitted):
    kernels = halves[0]
    for name, values in fitted.transform(kernels).items():
        assert np.allclose(values, fitted.kernels_[name], atol=1e-9)


def test_intervals_contain_most_errors(halves, fitted):
    _, rows, truth, observed = halves
    table = fitted.estimate_quality(rows)
    assert len(table) == (~observed.to_numpy()).sum()
    found = fitted.transform(rows)
    inside = [
        row.low <= errors(found[row.view], truth[row.view], [observed.index.get_loc(row.sample)])[0] <= row.high
        for row in table.itertuples()
    ]
    assert np.mean(inside) > 0.7  # nominal 0.9, about twenty rows


def test_columns_of_missing_training_samples_are_not_read(halves):
    kernels, rows, *_ = halves
    fitted = mkc.KernelCompleter("transfer").fit({n: k.to_numpy() for n, k in kernels.items()})
    arrays = {n: r.to_numpy().copy() for n, r in rows.items()}
    expected = fitted.transform(arrays)
    for name, values in arrays.items():
        lost = kernels[name].isna().all(axis=1).to_numpy()
        values[np.ix_(~np.isnan(values).all(axis=1), lost)] = 1e30
    for name, values in fitted.transform(arrays).items():
        assert np.array_equal(values, expected[name])


def test_column_self(halves, fitted):
    """A column "self" holds k(x, x), as on the command line."""
    kernels, rows, *_ = halves
    table = {name: values.copy() for name, values in rows.items()}
    table["protein"]["self"] = 10.0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        found = fitted.transform(table)
        table["protein"]["self"] = 40.0
        other = fitted.transform(table)
    assert list(found["protein"].columns) == list(fitted.samples_)
    assert not np.allclose(found["expression"], other["expression"])


def test_invalid_new_samples(halves, fitted):
    _, rows, *_ = halves
    with pytest.raises(mkc.InputError, match="no view 'x'"):
        fitted.transform({"x": rows["protein"]})
    with pytest.raises(mkc.InputError, match="no column for the training sample"):
        fitted.transform({n: r.iloc[:, :40] for n, r in rows.items()})
    with pytest.raises(mkc.InputError, match="none of the model's views"):
        fitted.transform({n: r * np.nan for n, r in rows.items()})
    broken = {n: r.copy() for n, r in rows.items()}
    row = broken["protein"].notna().any(axis=1).idxmax()
    column = broken["protein"].loc[row].first_valid_index()
    broken["protein"].loc[row, column] = np.nan
    with pytest.raises(mkc.InputError, match="partly missing"):
        fitted.transform(broken)


def pipeline(**svc):
    return make_pipeline(
        mkc.StackedViews(),
        mkc.MultiViewKernel(),
        mkc.KernelCompleter("transfer"),
        mkc.KernelCombiner(),
        SVC(kernel="precomputed", **svc),
    )


@pytest.fixture(scope="module")
def table():
    example = mkc.datasets.make_example(80, 0.25, 2)
    parts = {n: f[example.observed[n]] for n, f in example.features.items()}
    stacked = mkc.stack_views(parts).sort_index()
    return stacked, np.array([int(name[1:]) % 4 for name in stacked.index])


def test_pipeline_from_table_to_class(table):
    X, y = table
    scores = cross_val_score(pipeline(), X, y, cv=4)
    assert scores.mean() > 0.7  # four groups: chance is a quarter
    search = GridSearchCV(
        pipeline(),
        {"svc__C": [0.1, 10], "kernelcompleter__method": ["transfer", "mean"], "multiviewkernel__kernel": ["rbf"]},
        cv=2,
    )
    search.fit(X, y)
    assert search.best_score_ > 0.7 and search.predict(X[:5]).shape == (5,)
    of_array = pipeline().set_params(
        stackedviews__views={
            name: np.flatnonzero(X.columns.get_level_values(0) == name).tolist() for name in X.columns.levels[0]
        }
    )
    order = dict.fromkeys(X.columns.get_level_values(0))
    of_array.set_params(stackedviews__views={name: of_array[0].views[name] for name in order})
    found = cross_val_score(of_array, X.to_numpy(), y, cv=4)
    assert np.abs(found - scores).max() <= 0.1  # random numbers depend on names, so not identical


def test_grid_search_as_last_step(table):
    """scikit-learn splits rows and columns of the combined kernel."""
    X, y = table
    search = GridSearchCV(SVC(kernel="precomputed"), {"C": [1, 10]}, cv=3)
    model = make_pipeline(*(step for _, step in pipeline().steps[:-1]), search).fit(X[:60], y[:60])
    assert model.score(X[60:], y[60:]) > 0.6
    kernel = mkc.combine(mkc.complete(mkc.compute_kernels(mkc.StackedViews().fit_transform(X)), method="transfer"))
    assert cross_val_score(SVC(kernel="precomputed"), kernel, y, cv=4).mean() > 0.7


def test_grid_search_without_classes(table):
    """GridSearchCV with KernelCompleter.score: views of the test samples are hidden and predicted."""
    X, _ = table
    steps = pipeline()[:3]
    search = GridSearchCV(steps, {"multiviewkernel__kernel": ["rbf", "linear"]}, cv=3).fit(X)
    scores = search.cv_results_["mean_test_score"]
    assert (scores < 0).all() and (scores > -1).all()


def test_score_of_new_samples_from_the_definition(halves, fitted):
    """One sample and one view at a time."""
    _, rows, _, observed = halves
    few = {name: values.iloc[:6] for name, values in rows.items()}
    errors = []
    for sample in observed.index[:6]:
        for view in few:
            if not observed.loc[sample, view] or observed.loc[sample].sum() < 2:
                continue
            alone = {n: v.loc[[sample]].rename(index={sample: "x"}) for n, v in few.items()}
            truth = alone[view].dropna(axis=1).iloc[0]
            alone[view] = alone[view] * np.nan
            found = fitted.transform(alone)[view].loc["x", truth.index]
            errors.append(np.linalg.norm(found - truth) / np.linalg.norm(truth))
    assert fitted.score(few) == pytest.approx(-np.mean(errors), rel=1e-6)


def test_no_leakage(table):
    """Predictions do not depend on other test samples, and fitting does not depend on any test sample."""
    X, y = table
    model = pipeline().fit(X[:60], y[:60])
    together = model.decision_function(X[60:])
    alone = np.vstack([model.decision_function(X[i : i + 1]) for i in range(60, 80)])
    assert np.allclose(together, alone, atol=1e-8)

    class Spy(TransformerMixin, BaseEstimator):
        seen = []

        def fit(self, X, y=None):
            self.seen.append(len(next(iter(X.values()))))
            return self

        def transform(self, X):
            return X

    spied = pipeline()
    spied.steps.insert(1, ("spy", Spy()))
    cross_val_score(spied, X, y, cv=4)
    assert Spy.seen == [60] * 4


def test_random_labels_are_not_learnt(table):
    X, _ = table
    y = np.random.default_rng(0).integers(2, size=len(X))
    assert abs(cross_val_score(pipeline(), X, y, cv=5).mean() - 0.5) < 0.2


def test_save_and_load(halves, fitted, tmp_path):
    _, rows, *_ = halves
    mkc.save(fitted, tmp_path / "model.npz")
    model = mkc.load(tmp_path / "model.npz")
    assert model.views == fitted.views_ and model.about["method"] == "transfer"
    assert np.array_equal(model.observed, fitted.completion_.observed)
    for name, kernel in model.kernels.items():
        assert np.array_equal(kernel, fitted.kernels_[name])
    found = model.transform(rows)
    for name, values in fitted.transform(rows).items():
        assert np.array_equal(found[name], values)
    assert model.estimate_quality(rows).equals(fitted.estimate_quality(rows))
    with pytest.raises(Exception, match="exists"):
        fitted.save(tmp_path / "model.npz")
    fitted.save(tmp_path / "model.npz", force=True)
    (tmp_path / "model.npz").write_bytes(b"no model")
    with pytest.raises(mkc.InputError):
        mkc.load(tmp_path / "model.npz")


def test_models_can_be_pickled(features, tmp_path):
    features["mutations"].iloc[3, 1] = np.nan
    kernel = mkc.MultiViewKernel({"mutations": "jaccard", "protein": "lsk"}, na_features="mean")
    completer = mkc.KernelCompleter("transfer").fit(kernel.fit_transform(features))
    completer.save(tmp_path / "features.npz", kernel=kernel)
    completer.save(tmp_path / "kernels.npz")
    new = {name: frame.iloc[:4].rename(index=lambda n: f"new {n}") for name, frame in features.items()}
    for file, rows in (("features.npz", new), ("kernels.npz", kernel.transform(new))):
        model = mkc.load(tmp_path / file)
        joblib.dump(model, tmp_path / "model.joblib")
        for again in (pickle.loads(pickle.dumps(model)), joblib.load(tmp_path / "model.joblib")):
            assert (again.samples, again.views, again.kinds) == (model.samples, model.views, model.kinds)
            assert again.about == model.about and again.observed.equals(model.observed)
            expected = model.transform(rows)
            for name, values in again.transform(rows).items():
                assert values.equals(expected[name])
            assert again.estimate_quality(rows).equals(model.estimate_quality(rows))


def test_model_files_of_tool_and_python_are_exchangeable(tool, tmp_path, features):
    """Models of features, trained by the tool or by Python, and used by both."""
    for name, table in features.items():
        table[table.index <= "S045"].to_csv(tmp_path / f"{name}.csv")
        table[table.index > "S045"].to_csv(tmp_path / f"new_{name}.csv")
    train = {n: pd.read_csv(tmp_path / f"{n}.csv", index_col=0, float_precision="round_trip") for n in features}
    new = {
        n: pd.read_csv(tmp_path / f"new_{n}.csv", index_col=0, float_precision="round_trip") for n in list(features)[:2]
    }
    tool(
        "complete",
        *(f"{n}.csv" for n in features),
        "-m",
        "transfer",
        "-o",
        "out",
        "--save-model",
        "tool.npz",
        "--samples-in",
        "rows",
    )
    kernel = mkc.MultiViewKernel()
    fitted = mkc.KernelCompleter("transfer").fit(kernel.fit_transform(train))
    mkc.save(fitted, tmp_path / "python.npz", kernel=kernel)
    results = []
    for model in ("tool.npz", "python.npz"):
        results.append(mkc.load(tmp_path / model).transform(new))
        tool("predict", model, *(f"--view={n}=new_{n}.csv" for n in new), "-o", f"from_{model}")
        stored = np.load(tmp_path / f"from_{model}" / "kernels.npz")
        results.append({n: stored[n] for n in features})
    for other in results[1:]:
        for name, values in results[0].items():
            assert np.array_equal(values, other[name])
