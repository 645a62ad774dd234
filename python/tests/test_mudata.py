"""MuData as input and output."""

import warnings

import matplotlib
import numpy as np
import pytest
import scipy.sparse

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


def test_layers(data, features):
    data.mod["protein"].layers["double"] = 2 * data.mod["protein"].X
    doubled = {**features, "protein": 2 * features["protein"]}
    found = mkc.from_mudata(data, layer={"protein": "double"}, kernel="linear", features=True)
    assert all(np.array_equal(found[name], table) for name, table in doubled.items())
    for name, modality in data.mod.items():
        modality.layers["raw"] = modality.X + 1
        modality.obsp["kernel"] = np.eye(modality.n_obs)  # what is asked for goes before
        found = mkc.from_mudata({name: modality}, layer="raw", kernel="linear")[name]
        assert found.equals(mkc.compute_kernels({name: features[name] + 1}, "linear")[name])
    with pytest.raises(mkc.InputError, match="modality 'expression' has no layer 'double'") as caught:
        mkc.from_mudata(data, layer="double")
    assert "'raw'" in caught.value.hint
    with pytest.raises(mkc.OptionError, match="layer: there is no modality 'rna'"):
        mkc.from_mudata(data, layer={"rna": "raw"})
    with pytest.raises(mkc.OptionError, match="a use_rep and a layer"):
        mkc.from_mudata(data, layer="raw", use_rep={"protein": "X"})
    with pytest.raises(mkc.InputError, match="no MuData and no dict of AnnData"):
        mkc.from_mudata(features)


@pytest.fixture
def backed(data, tmp_path):
    """The same in a file: dense, and in both sparse forms."""
    data.mod["protein"].X = scipy.sparse.csr_matrix(data.mod["protein"].X)
    data.mod["mutations"].X = scipy.sparse.csc_matrix(data.mod["mutations"].X)
    data.write(tmp_path / "data.h5mu")
    read = mudata.read_h5mu(tmp_path / "data.h5mu", backed=True)
    yield read
    read.file.close()


def test_backed_mudata(backed, features):
    expected = mkc.compute_kernels(features, "linear")
    for found in (
        mkc.from_mudata(backed, kernel="linear"),
        mkc.compute_kernels(backed, "linear"),
        mkc.compute_kernels(dict(backed.mod), "linear"),
    ):
        assert all(np.allclose(found[view], kernel, rtol=1e-12) for view, kernel in expected.items())
    backed.uns["study"] = "s"
    done = mkc.KernelCompleter("mean").fit_transform(backed)
    assert not done.isbacked and "mkc_protein" not in backed.obsp and done.uns["study"] == "s"
    whole = mkc.complete(mkc.compute_kernels(features), "mean")
    for view in features:
        kernel = whole[view].loc[done.obs_names, done.obs_names]
        assert np.allclose(done.obsp[f"mkc_{view}"], kernel, rtol=1e-9)
        assert np.allclose(done.mod[view].to_df(), features[view])


def test_an_anndata_gets_neighbours(data, features, tmp_path):
    """Distances and weights from their definitions, sample by sample."""
    completion = mkc.complete(mkc.compute_kernels(features), "mean")
    adata = anndata.AnnData(np.zeros((50, 1)))
    adata.obs_names = completion.samples[::-1][:50]  # some of the samples, in another order
    mkc.to_anndata(completion, adata, n_neighbors=6)
    kernels = {name: K.loc[adata.obs_names, adata.obs_names] for name, K in completion.frames.items()}
    K = mkc.combine(kernels)
    assert np.allclose(adata.obsp["mkc_kernel"], K, rtol=1e-12)
    assert all(np.array_equal(adata.obsp[f"mkc_{name}"], kernel) for name, kernel in kernels.items())
    distances, weights = adata.obsp["mkc_distances"].toarray(), adata.obsp["mkc_connectivities"].toarray()
    near = {}
    for i in range(50):
        d = np.sqrt([K[i, i] + K[j, j] - 2 * K[i, j] for j in range(50)])
        near[i] = [j for j in np.argsort(d) if j != i][:5]
        assert set(np.flatnonzero(distances[i])) == set(near[i]) and np.allclose(distances[i, near[i]], d[near[i]])
    width = [max(distances[i, near[i]]) / 2 for i in range(50)]
    for i in range(50):
        for j in range(50):
            if i in near[j] or j in near[i]:
                d2, s2 = K[i, i] + K[j, j] - 2 * K[i, j], width[i] ** 2 + width[j] ** 2
                assert np.isclose(weights[i, j], np.sqrt(2 * width[i] * width[j] / s2) * np.exp(-d2 / s2))
            else:
                assert weights[i, j] == 0
    facts = adata.uns["mkc"]
    assert facts["connectivities_key"] == "mkc_connectivities" and facts["params"]["n_neighbors"] == 6
    adata.write_h5ad(tmp_path / "a.h5ad")
    assert anndata.read_h5ad(tmp_path / "a.h5ad").uns["mkc"]["distances_key"] == "mkc_distances"


def test_neighbours_of_one_kernel(features):
    K = mkc.compute_kernels({"protein": features["protein"]}, "linear")["protein"]
    K = K.iloc[:20, :20]
    adata = anndata.AnnData(np.zeros((20, 1)))
    adata.obs_names = K.index
    done = mkc.to_anndata(K, adata, key_added="own", copy=True)
    assert set(done.obsp) == {"own_kernel", "own_distances", "own_connectivities"} and not adata.obsp
    assert np.array_equal(done.obsp["own_kernel"], K)
    same = np.ones((20, 20))  # all at distance 0: neighbours all the same
    graph = mkc.to_anndata(same, adata, n_neighbors=4).obsp["mkc_distances"]
    assert (np.diff(graph.indptr) == 3).all() and np.isfinite(adata.obsp["mkc_connectivities"].toarray()).all()
    with pytest.raises(mkc.OptionError, match="n_neighbors: 21 is more than the 20 samples"):
        mkc.to_anndata(K, adata, n_neighbors=21)
    with pytest.raises(mkc.InputError, match="19 rows, but the AnnData has 20 samples"):
        mkc.to_anndata(np.eye(19), adata)
    with pytest.raises(mkc.InputError, match="view 'kernel'"):
        mkc.to_anndata({"kernel": K, "b": K}, adata)


def test_scanpy_takes_the_neighbours(features):
    scanpy = pytest.importorskip("scanpy")
    completion = mkc.complete(mkc.compute_kernels(features), "mean")
    adata = anndata.AnnData(np.zeros((60, 1)))
    adata.obs_names = completion.samples
    mkc.to_anndata(completion, adata)
    scanpy.tl.diffmap(adata, n_comps=4, neighbors_key="mkc")
    assert adata.obsm["X_diffmap"].shape == (60, 4) and np.isfinite(adata.obsm["X_diffmap"]).all()
    scanpy.tl.umap(adata, neighbors_key="mkc")
    assert np.isfinite(adata.obsm["X_umap"]).all()
