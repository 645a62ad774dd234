"""MuData as input and output."""

import warnings

import matplotlib
import numpy as np
import pytest

import mkc

matplotlib.use("Agg")

with warnings.catch_warnings():
    warnings.simplefilter("ignore")
    anndata = pytest.importorskip("anndata")
    mudata = pytest.importorskip("mudata")

pytestmark = pytest.mark.filterwarnings("ignore")


@pytest.fixture
def data(features, example):
    return mudata.MuData({name: anndata.AnnData(table) for name, table in features.items()})


def test_completer_returns_a_mudata(data, features):
    expected = mkc.complete(mkc.compute_kernels(features), method="transfer")
    done = mkc.KernelCompleter("transfer").fit_transform(data)
    assert isinstance(done, mudata.MuData) and "mkc_protein" not in data.obsp
    for view in features:
        stored = done.obsp[f"mkc_{view}"]
        assert stored.shape == (60, 60)
        assert np.array_equal(stored, expected[view].loc[done.obs_names, done.obs_names])
    assert done.uns["mkc"]["method"] == "transfer"


def test_kernels_from_obsp_and_obsm(data, features):
    given = mkc.compute_kernels({"protein": features["protein"]}, "linear")["protein"]
    data.mod["protein"].obsp["kernel"] = given.to_numpy()
    views = mkc.from_mudata(data, kernel="laplacian")
    assert np.array_equal(views["protein"], given)
    assert list(views) == list(features)
    assert np.allclose(views["mutations"], mkc.compute_kernels(features, "laplacian")["mutations"], rtol=1e-12)
    data.mod["mutations"].obsm["X_few"] = features["mutations"].to_numpy()[:, :4]
    few = mkc.from_mudata(data, use_rep={"mutations": "X_few"}, features=True)
    assert few["mutations"].shape[1] == 4
    with pytest.raises(mkc.InputError, match="no obsm"):
        mkc.from_mudata(data, use_rep={"mutations": "X_none"})


def test_to_mudata(data, features):
    found = mkc.complete(mkc.compute_kernels(features), method="app")
    same = mkc.to_mudata(found, data, key_added="k")
    assert same is data and "k_protein" in data.obsp
    assert data.uns["k"]["view_relations"].shape == (4, 4)
    with pytest.raises(mkc.InputError, match="lacks the sample"):
        mkc.to_mudata({"protein": found["protein"].iloc[:10, :10]}, data)


def test_features_of_a_mudata(data, features):
    expected = mkc.compute_kernels(features, "linear")
    found = mkc.compute_kernels(data, "linear")
    fitted = mkc.MultiViewKernel("linear").fit_transform(data)
    for view, kernel in expected.items():
        assert np.allclose(found[view], kernel, rtol=1e-12) and np.allclose(fitted[view], kernel, rtol=1e-12)
    summary = mkc.inspect(data, kernel="linear")
    assert summary.views.loc["protein", "features"] == 25 and summary.n_samples == 60


def test_single_modalities(data, features):
    expected = mkc.compute_kernels(features)
    for views in (dict(data.mod), {**features, "protein": data.mod["protein"]}):
        for name, kernel in mkc.compute_kernels(views).items():
            assert np.allclose(kernel, expected[name], rtol=1e-12)
            assert list(kernel.index) == list(features[name].index)
    alone = mkc.MultiViewKernel().fit_transform(data.mod["protein"])
    assert np.allclose(alone, expected["protein"], rtol=1e-12)


def test_features_of_modalities_are_matched_by_name(data):
    fitted = mkc.MultiViewKernel().fit(data)
    moved = mudata.MuData({name: modality[:, ::-1].copy() for name, modality in data.mod.items()})
    expected, found = fitted.transform(data), fitted.transform(moved)
    assert all(np.array_equal(found[name], rows, equal_nan=True) for name, rows in expected.items())


def test_ampute(data, example):
    data.obs["age"] = np.arange(len(data.obs))
    hidden = mkc.ampute(data, 0.2, random_state=1)
    assert isinstance(hidden, mudata.MuData) and set(hidden.obs_names) == set(data.obs_names)
    assert (hidden.obs["age"] == data.obs["age"].loc[hidden.obs_names]).all()
    for view, modality in data.mod.items():
        left = hidden.mod[view]
        assert 0.6 < len(left) / len(modality) < 0.9
        assert np.array_equal(left.X, modality[left.obs_names].X)
    axes = mkc.plot.missingness(hidden)
    assert np.asarray(axes.images[0].get_array()).sum() == sum(len(m) for m in hidden.mod.values())


def test_results_can_be_stored_and_written(data, features, tmp_path):
    kernels = mkc.compute_kernels(features)
    for result, tables in (
        (mkc.complete(kernels, candidates=["transfer", "mean"]), {"observed", "quality", "worth", "candidates"}),
        (mkc.KernelCompleter("app").fit(kernels), {"observed", "view_relations"}),
    ):
        mkc.to_mudata(result, data)
        data.write(tmp_path / "all.h5mu")
        read = mudata.read(tmp_path / "all.h5mu")
        completion = getattr(result, "completion_", result)
        facts = read.uns["mkc"]
        assert tables <= set(facts) and facts["method"] == completion.method and facts["seed"] == 0
        assert dict(facts["parameters"]) == completion.parameters
        assert list(facts["observed"].columns) == list(features) and facts["observed"].shape == (60, 4)
        if completion.quality is not None:
            assert np.allclose(facts["quality"]["relative_error"], completion.quality["relative_error"])
        for view, kernel in completion.frames.items():
            assert np.array_equal(read.obsp[f"mkc_{view}"], kernel.loc[read.obs_names, read.obs_names])


def test_kernels_of_any_kind_can_be_stored(data, features):
    whole = mkc.complete(mkc.compute_kernels(features), "mean").frames
    ordered = {view: kernel.loc[data.obs_names, data.obs_names].to_numpy() for view, kernel in whole.items()}
    copy = mkc.to_mudata(ordered, data, copy=True)
    mkc.to_mudata(list(whole.values()), data, key_added="listed")
    assert "mkc_protein" not in data.obsp
    for m, view in enumerate(whole):
        assert np.array_equal(copy.obsp[f"mkc_{view}"], ordered[view])
        assert np.array_equal(data.obsp[f"listed_view{m}"], ordered[view])
    with pytest.raises(mkc.InputError, match="59 rows, but the MuData has 60 samples"):
        mkc.to_mudata({"x": np.eye(59)}, data)


def test_stacked_modalities(data, features):
    table = mkc.stack_views(data)
    assert np.allclose(table.loc[data.obs_names], mkc.stack_views(features).loc[data.obs_names], equal_nan=True)
