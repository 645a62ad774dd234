"""embed, cluster and drivers: what completed kernels tell about the samples."""

import json
import threading

import numpy as np
import pandas as pd
import pytest

import mkc

N = 60
GROUP = np.arange(N) % 3


@pytest.fixture(scope="module")
def features():
    """Three groups, two views with ten planted features among forty; the second lacks every sixth sample."""
    rng = np.random.default_rng(0)
    names = [f"s{i}" for i in range(N)]
    tables = {}
    for view in ("rna", "protein"):
        X = rng.standard_normal((N, 40))
        X[:, :10] += 4 * ((GROUP[:, None] + np.arange(10)) % 3)
        tables[view] = pd.DataFrame(X, names, [f"{view}_{j}" for j in range(40)])
    tables["protein"] = tables["protein"][np.arange(N) % 6 > 0]
    return tables


@pytest.fixture(scope="module")
def kernels(features):
    return mkc.complete(mkc.compute_kernels(features), "knn").kernels


@pytest.fixture(scope="module")
def found(kernels):
    return mkc.cluster(kernels, max_clusters=5, resamples=10)


def same_parts(a, b):
    return len(set(zip(a, b))) == len(set(a)) == len(set(b))


def test_clusters_are_found(kernels, found):
    assert found.found and found.clusters == 3
    assert list(found.samples.index) == list(kernels["rna"].index)
    assert same_parts(found.samples["cluster"], GROUP)
    assert found.samples["strength"].between(0.5, 1).all()
    assert (found.samples["next_cluster"] != found.samples["cluster"]).all()
    assert list(found.tried["clusters"]) == [2, 3, 4, 5]
    best = found.graphs[found.graphs["clusters"] == 3]["stability"].max()
    assert found.stability == best > found.reference


def test_threads_and_order_do_not_matter(kernels, found):
    other = mkc.cluster(kernels, max_clusters=5, resamples=10, n_jobs=2)
    pd.testing.assert_frame_equal(other.samples, found.samples)
    turn = np.random.default_rng(1).permutation(N)
    turned = {name: K.iloc[turn, turn] for name, K in kernels.items()}
    moved = mkc.cluster(turned, max_clusters=5, resamples=10).samples
    assert list(moved.index) == [f"s{i}" for i in turn]
    assert (moved["cluster"].loc[found.samples.index] == found.samples["cluster"]).all()
    coordinates = mkc.embed(turned).coordinates.loc[found.samples.index]
    assert np.allclose(coordinates, mkc.embed(kernels).coordinates, atol=1e-8)


def test_arrays_are_numbered(kernels, found):
    arrays = [K.to_numpy() for K in kernels.values()]
    clusters = mkc.cluster(arrays, 3, resamples=5).samples
    assert list(clusters.index) == list(range(N)) and same_parts(clusters["cluster"], GROUP)
    assert list(mkc.embed(np.stack(arrays)).coordinates.index) == list(range(N))
    assert mkc.embed(mkc.combine(kernels)).coordinates.shape == (N, 2)


def test_noise_is_not_cut():
    X = np.random.default_rng(1).standard_normal((2, N, 20))
    kernels = [np.exp(-((x[:, None] - x) ** 2).sum(2) / 40) for x in X]
    with pytest.warns(UserWarning, match="no clusters found"):
        none = mkc.cluster(kernels, max_clusters=4, resamples=10)
    assert not none.found and none.clusters == 1 and none.graph == ""
    assert (none.samples["cluster"] == 1).all() and none.samples.drop(columns="cluster").isna().all(axis=None)
    with pytest.warns(UserWarning, match="not clearly more stable"):
        assert mkc.cluster(kernels, 4, resamples=10).clusters == 4
    with pytest.raises(mkc.InputError, match="one cluster"):
        mkc.drivers(kernels, list(X), clusters=none)


def test_kernel_pca_from_its_definition(kernels):
    K = mkc.combine(kernels)
    H = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(H @ K @ H)
    found = mkc.embed(kernels, dimensions=3)
    assert np.allclose(found.weights, values[::-1][:3] / np.trace(H @ K @ H))
    for a in range(3):
        axis = found.coordinates.iloc[:, a].to_numpy()
        assert np.allclose(np.abs(axis), np.abs(vectors[:, -1 - a]) * np.sqrt(values[-1 - a]), atol=1e-8)
        assert axis[np.abs(axis).argmax()] > 0


@pytest.mark.parametrize("method", ["diffusion", "latent"])
def test_axes_separate_the_groups(kernels, method):
    values = mkc.embed(kernels, method).coordinates.to_numpy()
    means = np.array([values[g == GROUP].mean(axis=0) for g in range(3)])
    assert (((values[:, None] - means) ** 2).sum(axis=2).argmin(axis=1) == GROUP).mean() > 0.9


def test_planted_features_are_the_top_ten(kernels, features, found):
    behind = mkc.drivers(kernels, features, clusters=found, embedding=mkc.embed(kernels))
    table = behind.features
    for view in ("rna", "protein"):
        best = table[(table["view"] == view) & (table["target"] == "clusters") & (table["rank"] <= 10)]
        assert set(best["feature"]) == {f"{view}_{j}" for j in range(10)}
    assert set(table["target"]) == {"axis_1", "axis_2", "clusters", "cluster 1", "cluster 2", "cluster 3"}
    assert set(table[table["view"] == "protein"]["samples"]) == {50}
    one = table[(table["view"] == "rna") & (table["feature"] == "rna_3") & (table["target"] == "axis_1")]
    axis = mkc.embed(kernels).coordinates["axis_1"]
    assert one["association"].item() == pytest.approx(features["rna"]["rna_3"].corr(axis))


def test_shares_of_views_from_their_definition(kernels, features, found):
    shares = mkc.drivers(kernels, features, clusters=found, dimensions=2).view_shares
    H = np.eye(N) - 1 / N
    Z = mkc.embed(kernels).coordinates.to_numpy()
    Z = Z / np.linalg.norm(Z, axis=0)
    member = np.eye(3)[found.samples["cluster"] - 1]
    P = H @ member @ np.linalg.pinv(H @ member)
    for view, K in kernels.items():
        C = H @ K.to_numpy() @ H
        along = [z @ C @ z / np.trace(C) for z in Z.T]
        assert np.allclose(shares.loc[view, ["axis_1", "axis_2"]].to_numpy(float), along)
        assert shares.loc[view, "all_axes"] == pytest.approx(sum(along))  # principal components are orthogonal
        assert shares.loc[view, "clusters"] == pytest.approx(np.trace(P @ C) / np.trace(C))
    # all principal components together are all of the variance
    whole = mkc.drivers({"rna": kernels["rna"]}, {"rna": features["rna"]}, dimensions=N - 1).view_shares
    assert whole.loc["rna", "all_axes"] == pytest.approx(1)


def test_own_clusters_and_axes(kernels, features):
    classes = pd.Series([f"g{g}" for g in GROUP], [f"s{i}" for i in range(N)]).sample(frac=1, random_state=0)
    classes["s5"] = None
    axis = pd.DataFrame({"dose": np.arange(N, dtype=float)}, [f"s{i}" for i in range(N)])
    table = mkc.drivers(kernels, features["rna"], clusters=classes, embedding=axis, top=2).features
    assert set(table["target"]) == {"dose", "clusters", "cluster g0", "cluster g1", "cluster g2"}
    assert len(table) == 10 and set(table["rank"]) == {1, 2}
    with pytest.raises(mkc.InputError, match="clusters: sample 's7'"):
        mkc.drivers(kernels, features, clusters=classes.drop("s7"))
    with pytest.raises(mkc.InputError, match="embedding: sample 's0'"):
        mkc.drivers(kernels, features, embedding=axis.iloc[1:])
    with pytest.raises(mkc.InputError, match="one per sample"):
        mkc.drivers(kernels, features, clusters=[1, 2])
    with pytest.raises(mkc.InputError, match="none of its samples"):
        mkc.drivers(kernels, {"x": features["rna"].rename(index=lambda name: "z" + name)})


def test_bad_arguments(kernels):
    for clusters in (1, 0, -3, 2.5, True, "many"):
        with pytest.raises(mkc.OptionError, match="clusters"):
            mkc.cluster(kernels, clusters)
    with pytest.raises(mkc.OptionError, match="31 clusters of 60 samples"):
        mkc.cluster(kernels, 31)
    with pytest.raises(mkc.OptionError, match="resamples"):
        mkc.cluster(kernels, resamples=1)
    with pytest.raises(mkc.OptionError, match="tsne"):
        mkc.embed(kernels, "tsne")
    with pytest.raises(mkc.OptionError, match="60 of 60 samples"):
        mkc.embed(kernels, dimensions=60)
    with pytest.raises(mkc.InputError, match="several views"):
        mkc.embed(kernels["rna"], "latent")
    with pytest.raises(mkc.InputError, match="NaN"):
        mkc.cluster({"rna": kernels["rna"].replace(kernels["rna"].iloc[0, 1], np.nan)}, 2)
    with pytest.warns(UserWarning, match="only 1 of 3 axes"):
        x = np.arange(1.0, 11.0)
        mkc.embed(np.outer(x, x), dimensions=3)


def test_same_as_the_tool(kernels, found, tool, tmp_path):
    np.savez(tmp_path / "k.npz", samples=list(kernels["rna"].index), **{n: K.to_numpy() for n, K in kernels.items()})
    tool("complete", "k.npz", "-m", "mean", "-o", "out")
    tool("cluster", "out", "--max-clusters", 5, "--resamples", 10, "-o", "c.tsv")
    table = pd.read_csv(tmp_path / "c.tsv", sep="\t", index_col="sample")
    assert (table["cluster"] == found.samples["cluster"]).all()
    assert np.allclose(table["strength"], found.samples["strength"], atol=1e-6)
    about = json.loads((tmp_path / "c.json").read_text())
    assert about["graph"] == found.graph and about["stability"] == pytest.approx(found.stability)


def test_progress_is_shown(kernels, capsys):
    mkc.cluster(kernels, 3, resamples=5, verbose=1)
    assert "mkc: " in capsys.readouterr().err


def test_work_is_interrupted(kernels):
    import _thread

    big = np.random.default_rng(0).standard_normal((1500, 30))
    K = big @ big.T
    timer = threading.Timer(0.3, _thread.interrupt_main)
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        mkc.cluster(K)
    timer.join()
