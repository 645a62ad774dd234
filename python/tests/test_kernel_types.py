"""The type of a view gives its transform and kernel; both are learnt from training samples only."""

import pickle

import numpy as np
import pandas as pd
import pytest
from sklearn.base import clone
from sklearn.model_selection import GridSearchCV, cross_val_score
from sklearn.pipeline import make_pipeline
from sklearn.svm import SVC

import mkc

GROUPS = np.arange(60) % 3  # of the samples of the fixtures


def cosine(X):
    norms = np.linalg.norm(X, axis=1)
    return X @ X.T / np.outer(norms, norms)


def tfidf(X, n, documents):
    raised = np.where(X > 1, 1 + np.log(np.maximum(X, 1)), X)
    return raised * (1 + np.log((1 + n) / (1 + documents)))


def test_word_counts_get_tfidf_and_cosine(words):
    X = words.to_numpy()
    expected = cosine(tfidf(X, len(X), (X > 0).sum(axis=0)))
    assert np.allclose(mkc.compute_kernels({"text": words})["text"], expected, rtol=1e-12)


def test_counts_get_a_logarithm(counts):
    chosen = mkc.inspect({"rna": counts}).views.loc["rna"]
    assert chosen["type"] == "counts" and "whole numbers" in chosen["evidence"]
    assert chosen["kernel"].startswith("library size median, log1p, zscore, rbf")
    sums = counts.sum(axis=1)
    Z = np.log1p(counts.mul(sums.median() / sums, axis=0))
    by_hand = mkc.compute_kernels({"rna": Z}, "rbf")["rna"]
    assert np.allclose(mkc.compute_kernels({"rna": counts})["rna"], by_hand, rtol=1e-9)


def test_transforms_by_hand(counts):
    X = counts.to_numpy()

    def linear(values):
        return values @ values.T

    def found(**options):
        return mkc.compute_kernels({"x": X}, "linear", scale="none", **options)["x"]

    sums = X.sum(axis=1, keepdims=True)
    assert np.allclose(found(transform="log1p"), linear(np.log1p(X)))
    assert np.allclose(found(transform="log2p1"), linear(np.log2(1 + X)))
    assert np.allclose(found(transform="sqrt"), linear(np.sqrt(X)))
    assert np.allclose(found(transform="arcsinh"), linear(np.arcsinh(X)))
    assert np.allclose(found(library_size=1000), linear(1000 * X / sums))
    assert np.allclose(found(transform="log1p", library_size="median"), linear(np.log1p(np.median(sums) * X / sums)))
    assert np.array_equal(found(transform="none", library_size="none"), found())


def test_options_per_view(typed_tables):
    both = mkc.compute_kernels(
        typed_tables, {"rna": {"kernel": "linear", "transform": "sqrt"}, "text": {"kernel": "chi2", "gamma": 0.5}}
    )
    alone = mkc.compute_kernels({"rna": typed_tables["rna"]}, "linear", transform="sqrt")
    pd.testing.assert_frame_equal(both["rna"], alone["rna"])
    alone = mkc.compute_kernels({"text": typed_tables["text"]}, "chi2", gamma=0.5)
    pd.testing.assert_frame_equal(both["text"], alone["text"])


def test_what_was_recognised_is_shown(typed_tables):
    found = mkc.inspect(typed_tables)
    assert found.views["type"].to_dict() == {
        "rna": "counts",
        "text": "word counts",
        "measured": "numbers of different units",
        "marks": "two values",
    }
    for view, row in found.views.iterrows():
        line = f"values of {view} look like {row['type']} ({row['evidence']}): {row['kernel']}"
        assert line in str(found).splitlines()
    assert "values of text look like" in found._repr_html_()
    fitted = mkc.MultiViewKernel().fit(typed_tables)
    shown = ["type", "evidence", "kernel", "width"]
    pd.testing.assert_frame_equal(fitted.kernels_chosen_, found.views[shown])
    named = mkc.MultiViewKernel("linear").fit(typed_tables).kernels_chosen_
    assert (named["type"] == "").all() and (named["kernel"] == "zscore, linear").all()


def test_kernels_and_features_in_one_inspection(typed_tables):
    kernel = mkc.compute_kernels({"text": typed_tables["text"]})["text"]
    found = mkc.inspect({**typed_tables, "text": kernel}).views
    assert found["kind"].to_dict() == {"rna": "features", "text": "kernel", "measured": "features", "marks": "features"}
    assert found.loc["text", "type"] == ""
    with pytest.raises(mkc.InputError, match="not square"):
        mkc.inspect(typed_tables, kernel=None)
    with pytest.raises(TypeError, match="colour"):
        mkc.inspect(typed_tables, colour=1)


@pytest.mark.parametrize("kernel", ["auto", "rbf", "chi2", "braycurtis", "ruzicka", "tanimoto", "spectral_angle"])
def test_new_samples_are_rows_of_a_joint_kernel(kernel, counts):
    """Where nothing is learnt from samples, rows of new ones are those of the kernel of all."""
    options = {} if kernel == "auto" else {"transform": "sqrt"}
    if kernel in ("rbf", "chi2"):
        options["gamma"] = 0.01
    if kernel == "auto":
        options["gamma"], options["scale"], options["library_size"] = 0.01, "none", "none"
    elif kernel == "rbf":
        options["scale"] = "none"
    joint = mkc.compute_kernels({"x": counts}, kernel, **options)["x"].to_numpy()
    fitted = mkc.MultiViewKernel(kernel, **options).fit({"x": counts[:40]})
    rows = fitted.transform({"x": counts[40:]})
    assert np.allclose(rows["x"], joint[40:, :40], rtol=1e-12)
    assert np.allclose(rows.diagonals["x"], np.diag(joint)[40:], rtol=1e-12)


def test_weights_of_words_are_those_of_training_samples(words):
    X = words.to_numpy()
    documents = (X[:40] > 0).sum(axis=0)
    expected = cosine(tfidf(X, 40, documents))
    fitted = mkc.MultiViewKernel().fit({"text": words[:40]})
    assert np.allclose(fitted.transform({"text": words[40:]})["text"], expected[40:, :40], rtol=1e-12)


def test_fit_transform_is_compute_kernels(typed_tables):
    computed, fitted = mkc.compute_kernels(typed_tables), mkc.MultiViewKernel()
    for name, kernel in fitted.fit_transform(typed_tables).items():
        pd.testing.assert_frame_equal(kernel, computed[name], check_names=False)


@pytest.mark.parametrize("package", ["polars", "pyarrow"])
def test_tables_of_other_packages_have_the_same_types(package, typed_tables):
    polars = pytest.importorskip("polars")
    expected = mkc.compute_kernels(typed_tables)
    given = {
        name: polars.from_pandas(table.rename_axis("sample").reset_index()) for name, table in typed_tables.items()
    }
    if package == "pyarrow":
        pytest.importorskip("pyarrow")
        given = {name: table.to_arrow() for name, table in given.items()}
    for name, kernel in mkc.compute_kernels(given).items():
        values = kernel.to_pandas().set_index("sample")
        assert np.array_equal(values, expected[name])
    types = mkc.inspect(given).views["type"]
    assert types.equals(mkc.inspect(typed_tables).views["type"])


def test_pickled_estimator_and_model(typed_tables, tmp_path):
    old = {name: table[:40] for name, table in typed_tables.items()}
    new = {name: table[40:].rename(index=lambda name: f"new {name}") for name, table in typed_tables.items()}
    fitted = mkc.MultiViewKernel()
    completion = mkc.complete(fitted.fit_transform(old), "mean")
    again = pickle.loads(pickle.dumps(fitted))
    expected = fitted.transform(new)
    for name, rows in again.transform(new).items():
        pd.testing.assert_frame_equal(rows, expected[name])
    pd.testing.assert_frame_equal(again.kernels_chosen_, fitted.kernels_chosen_)
    mkc.save(completion, tmp_path / "model.npz", kernel=again)
    model = mkc.load(tmp_path / "model.npz")
    rows = model.transform(new)
    for name, same in pickle.loads(pickle.dumps(model)).transform(new).items():
        pd.testing.assert_frame_equal(same, rows[name])
    for name in typed_tables:
        here = [sample for sample in new[name].index if sample in expected[name].index]
        trained = list(old[name].index)
        assert np.allclose(rows[name].loc[here, trained], expected[name].loc[here, trained], rtol=1e-9, atol=1e-9)


def test_pipeline_and_grid_over_transforms(counts, words):
    X = mkc.stack_views({"rna": counts, "text": words})
    model = make_pipeline(
        mkc.StackedViews(),
        mkc.MultiViewKernel({"rna": {"kernel": "linear"}}, transform="log1p"),
        mkc.KernelCompleter("mean"),
        mkc.KernelCombiner(),
        SVC(kernel="precomputed"),
    )
    assert cross_val_score(model, X, GROUPS, cv=3).mean() > 0.9
    search = GridSearchCV(model, {"multiviewkernel__transform": ["none", "log1p", "sqrt"]}, cv=3).fit(X, GROUPS)
    assert len(search.cv_results_["params"]) == 3 and np.isfinite(search.cv_results_["mean_test_score"]).all()
    assert search.best_estimator_[1].get_params()["transform"] == search.best_params_["multiviewkernel__transform"]


def test_the_parameter_transform_beside_the_method(counts):
    kernel = mkc.MultiViewKernel("linear", transform="sqrt", scale="none")
    assert kernel.get_params()["transform"] == "sqrt" and clone(kernel).get_params() == kernel.get_params()
    assert "transform='sqrt'" in repr(kernel)
    values = np.sqrt(counts.to_numpy())
    kernel.fit({"x": counts[:40]})
    assert np.allclose(kernel.transform({"x": counts[40:]})["x"], values[40:] @ values[:40].T)
    kernel.set_params(transform="log1p").fit({"x": counts[:40]})
    values = np.log1p(counts.to_numpy())
    assert np.allclose(kernel.transform({"x": counts[40:]})["x"], values[40:] @ values[:40].T)
    assert pickle.loads(pickle.dumps(kernel)).get_params()["transform"] == "log1p"


def test_common_options_are_for_kernels_that_have_them(typed_tables):
    views = {name: typed_tables[name] for name in ("measured", "marks")}
    found = mkc.compute_kernels(views, {"measured": "rbf", "marks": "jaccard"}, gamma=0.1)
    expected = mkc.compute_kernels(views, {"measured": {"kernel": "rbf", "gamma": 0.1}, "marks": "jaccard"})
    for name in views:
        pd.testing.assert_frame_equal(found[name], expected[name])
    own = mkc.compute_kernels(views, {"measured": {"kernel": "rbf", "gamma": 0.1}, "marks": "rbf"}, gamma=3.0)
    pd.testing.assert_frame_equal(own["measured"], expected["measured"])


@pytest.mark.parametrize(
    "kernel, options, said",
    [
        ("linear", {"gamma": 0.1}, "option 'gamma' has no effect with kernel=linear"),
        ({"measured": "linear", "marks": "jaccard"}, {"gamma": 0.1}, "with kernel=linear or kernel=jaccard"),
        ({"measured": {"kernel": "linear", "gamma": 1}}, {}, "view 'measured' .*option 'gamma' has no effect"),
        ("rbf", {"degree": 2}, "option 'degree' has no effect with kernel=rbf"),
        ("auto", {"transform": "lgo1p"}, "'lgo1p' is not .*did you mean 'log1p'"),
        ("auto", {"library_size": -3}, "option 'library_size': '-3' is not"),
        ("auto", {"library_size": "meidan"}, "did you mean 'median'"),
        ({"marks": {"transform": "cosine"}}, {}, "view 'marks' .*option 'transform'"),
        ({"marks": {"kernel": "jaccard", "normalize": "unit"}}, {}, "'normalize' is no option of a kernel"),
        ("rbff", {}, "did you mean 'rbf'"),
    ],
)
def test_options_without_effect_or_with_wrong_values(kernel, options, said, typed_tables):
    views = {name: typed_tables[name] for name in ("measured", "marks")}
    for call in (
        lambda: mkc.compute_kernels(views, kernel, **options),
        lambda: mkc.MultiViewKernel(kernel, **options).fit(views),
        lambda: mkc.inspect(views, kernel=kernel, **options),
    ):
        with pytest.raises(mkc.OptionError, match=said):
            call()


def test_options_of_kernels_that_are_given(typed_tables):
    kernels = mkc.compute_kernels(typed_tables)
    with pytest.raises(mkc.OptionError, match="option 'gamma' has no effect with kernels that are given"):
        mkc.compute_kernels(kernels, "precomputed", gamma=1.0)
    with pytest.raises(mkc.OptionError, match="view 'rna' .*'gamma' does not apply to a finished kernel"):
        mkc.compute_kernels(kernels, {name: {"kernel": "precomputed", "gamma": 1} for name in kernels})


def test_values_outside_the_domain_of_a_transform(measured):
    with pytest.raises(mkc.InputError, match="view 'x' .*sample 's0'.*must be at least 0"):
        mkc.compute_kernels({"x": measured - 100}, "rbf", transform="sqrt")
    kernel = mkc.MultiViewKernel("rbf", transform="sqrt").fit({"x": measured.abs()[:40]})
    with pytest.raises(mkc.InputError, match="view 'x' .*s40"):
        kernel.transform({"x": -measured.abs()[40:]})


def test_widths_depend_on_all_views(measured):
    """A view whose groups are seen at a narrow width only: the other view says so."""
    random = np.random.default_rng(5)
    angle = random.uniform(0, 2 * np.pi, 200)
    ring = np.column_stack([np.cos(angle), np.sin(angle)])
    near = np.exp(-30 * ((ring[:, None] - ring[None]) ** 2).sum(-1))
    names = [f"p{i}" for i in range(200)]
    views = {"ring": pd.DataFrame(ring, names), "near": pd.DataFrame(near, names, names)}
    together = mkc.compute_kernels(views, {"ring": "rbf", "near": "precomputed"})["ring"]
    alone = mkc.compute_kernels({"ring": views["ring"]}, "rbf")["ring"]
    median = mkc.compute_kernels({"ring": views["ring"]}, "rbf", gamma="median")["ring"]
    assert np.array_equal(alone, median)
    assert not np.allclose(together, median)
    fitted = mkc.MultiViewKernel({"ring": "rbf", "near": "precomputed"})
    assert np.array_equal(fitted.fit_transform(views)["ring"], together)
    assert "times 1/median distance" in fitted.kernels_chosen_.loc["ring", "width"]
    assert np.allclose(fitted.transform({"ring": views["ring"]})["ring"], together, rtol=1e-12)


def test_features_are_completed_in_one_call(counts, words):
    views = {"rna": counts.iloc[5:], "text": words.iloc[:-5]}
    whole = mkc.complete(views, "transfer", kernel="auto")
    steps = mkc.complete(mkc.compute_kernels(views), "transfer")
    for name in views:
        assert whole.kernels[name].equals(steps.kernels[name])
    logarithms = mkc.complete(views, "mean", transform="log1p")
    by_hand = mkc.complete(mkc.compute_kernels(views, transform="log1p"), "mean")
    assert logarithms.kernels["text"].equals(by_hand.kernels["text"])
    with pytest.raises(mkc.OptionError, match="transform"):
        mkc.complete(views, "mean", transform="logg")
