"""The estimators in factor form: conventions of scikit-learn, a pipeline, what their factors are."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import LinearSVC
from sklearn.utils.estimator_checks import parametrize_with_checks

import mkc

SIZES = {"rank": 12, "landmarks": 30, "anchors": 30}


@pytest.mark.filterwarnings("ignore")
@parametrize_with_checks(
    [
        mkc.KernelCompleter(form="factor", kernel="linear", na_features="mean", options=SIZES),
        mkc.KernelCombiner(form="factor"),
    ]
)
def test_checks_of_scikit_learn(estimator, check):
    check(estimator)


@pytest.fixture(scope="module")
def tables():
    """Three views of 90 samples of two groups; a quarter of the rows is missing in two of them."""
    random = np.random.default_rng(7)
    state = random.normal(size=(90, 3))
    state[:, 0] += 2.5 * (np.arange(90) % 2)
    made = {}
    for place, name in enumerate(("a", "b", "c")):
        x = np.tanh(state @ random.normal(size=(3, 5)) / 2) + 0.1 * random.normal(size=(90, 5))
        rows = np.sort(random.permutation(90)[: 90 if place == 0 else 68])
        made[name] = pd.DataFrame(x[rows], [f"s{i}" for i in rows], [f"f{j}" for j in range(5)])
    return made


def completer(**options):
    return mkc.KernelCompleter(form="factor", kernel="auto", **{**SIZES, **options})


def test_factors_are_those_of_complete(tables):
    step = completer(random_state=2)
    factors = step.fit_transform(tables)
    found = mkc.complete(tables, form="factor", kernel="auto", random_state=2, **SIZES)
    for view, F in factors.items():
        assert list(F.index) == list(found.samples)
        assert list(F.columns) == [f"{view} {k}" for k in range(F.shape[1])]
        assert np.array_equal(F, found.factors[view])
        assert np.array_equal(factors.extra[view], found.extra[view])
    assert np.allclose(step.weights_.sum(), 1) and list(step.weights_.columns) == ["a", "b", "c"]
    assert step.quality_.equals(found.quality) and step.converged_ and not hasattr(step, "kernels_")
    block = step.completion_.kernel("b", ["s3", "s4"], ["s3"])
    F = found.factors["b"][found.samples.get_indexer(["s3", "s4"])]
    assert np.allclose(block, F @ F[:1].T + [[found.extra.loc["s3", "b"]], [0]])


def test_a_linear_model_on_the_factors_is_one_on_the_mean_kernel(tables):
    steps = make_pipeline(completer(), mkc.KernelCombiner(form="factor"))
    F = steps.fit_transform(tables)
    found = steps[0].completion_
    kernels = {view: found.kernel(view) for view in found.views}
    mean = mkc.combine(kernels)
    off = ~np.eye(len(F), dtype=bool)
    assert np.allclose((F @ F.T)[off], mean[off])
    assert F.shape[1] == len(steps.get_feature_names_out())
    chosen = tables["a"].index[:20]  # every sample has view a
    new = steps.transform({name: table[table.index.isin(chosen)] for name, table in tables.items()})
    assert np.allclose(new, F[found.samples.get_indexer(chosen)], atol=1e-8)
    weights = mkc.KernelCombiner({"a": 2, "c": 1}, form="factor", scale=False).fit(steps[0].transform(tables))
    assert weights.scales_.tolist() == [2, 0, 1]


def test_a_pipeline_is_cross_validated_and_its_rank_chosen(tables):
    X = mkc.stack_views(tables)
    y = np.array([int(name[1:]) % 2 for name in X.index])
    model = make_pipeline(mkc.StackedViews(), completer(), mkc.KernelCombiner(form="factor"), LinearSVC())
    assert cross_val_score(model, X, y, cv=3).mean() > 0.8
    grid = GridSearchCV(model, {"kernelcompleter__rank": [2, 8]}, cv=2).fit(X, y)
    assert grid.best_params_["kernelcompleter__rank"] in (2, 8)
    views = make_pipeline(mkc.StackedViews(), completer())
    assert -1 < GridSearchCV(views, {"kernelcompleter__rank": [8]}, cv=2).fit(X).best_score_ < 0


def test_score_hides_each_view(tables):
    """Recomputed from kernel rows: |K^ - K| / |K| of every view of new samples, completed from their others."""
    old = {name: table.iloc[:50] for name, table in tables.items()}
    new = {name: table.loc[table.index.isin(tables["a"].index[80:])] for name, table in tables.items()}
    step = completer().fit(old)
    errors = []
    known = step.transform(new)
    for view in "abc":
        hidden = step.transform({name: table for name, table in new.items() if name != view})
        elsewhere = set().union(*(new[name].index for name in new if name != view))
        for sample in [name for name in new[view].index if name in elsewhere]:
            F = step.completion_.factors[view]
            truth, found = (np.asarray(part[view].loc[sample]) @ F.T for part in (known, hidden))
            errors.append(np.linalg.norm(found - truth) / np.linalg.norm(truth))
    assert step.score(new) == pytest.approx(-np.mean(errors), rel=1e-9)
    table = step.estimate_quality({"a": new["a"]})
    assert len(table) == 2 * len(new["a"]) and set(table["view"]) == {"b", "c"}


def test_clone_pickle_and_save(tables, tmp_path):
    step = completer(random_state=1).fit(tables)
    assert clone(step).get_params() == step.get_params() and step.get_params()["rank"] == 12
    few = {"a": tables["a"].iloc[:4]}
    rows = step.transform(few)["b"]
    assert pickle.loads(pickle.dumps(step)).transform(few)["b"].equals(rows)
    step.save(tmp_path / "model.npz")
    assert np.array_equal(mkc.load_factors(tmp_path / "model.npz").complete(few).factors["b"], rows)


def test_kinds_of_tables(tables):
    X = mkc.stack_views(tables)
    arrays = {view: X[view].to_numpy() for view in tables}
    step = completer()
    assert isinstance(step.fit_transform(arrays)["a"], np.ndarray)
    assert isinstance(step.fit_transform(list(arrays.values())), list)
    framed = step.set_output(transform="pandas").fit_transform(arrays)
    assert list(framed["b"].columns[:2]) == ["b 0", "b 1"]
    combined = mkc.KernelCombiner(form="factor").set_output(transform="pandas").fit_transform(framed)
    assert list(combined.columns) == list(step.get_feature_names_out())


def test_what_does_not_go_together_is_named(tables):
    kernels = mkc.compute_kernels(tables, "linear")
    for wrong, words in [
        (mkc.KernelCompleter("knn", form="factor", kernel="auto"), "method of its own"),
        (mkc.KernelCompleter(form="factor", kernel="auto", center=True), "center"),
        (mkc.KernelCompleter(form="fast"), "'dense' or 'factor'"),
        (mkc.KernelCompleter(form="factor", kernel="auto", k=3), "k"),
    ]:
        with pytest.raises(mkc.OptionError, match=words):
            wrong.fit(tables)
    with pytest.raises(mkc.OptionError, match="MultiViewKernel"):
        mkc.KernelCompleter(kernel="auto").fit(kernels)
    with pytest.raises(mkc.OptionError, match="whole kernels"):
        mkc.KernelCombiner("alignment", form="factor").fit({"a": np.eye(4)}, [0, 1, 0, 1])
    with pytest.raises(mkc.OptionError, match="'dense' or 'factor'"):
        mkc.KernelCombiner(form="thin").fit({"a": np.eye(4)})
    with pytest.raises(mkc.InputError, match="no variance"):
        mkc.KernelCombiner(form="factor").fit({"a": np.ones((4, 2))})
    assert mkc.KernelCompleter("embd_hm", form="paper", max_iter=1).get_params()["form"] == "paper"
