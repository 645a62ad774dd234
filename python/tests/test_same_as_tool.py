"""Python and the command line give the same bits for the same input, seed and method."""

import json

import numpy as np
import pandas as pd
import pytest

import mkc

METHODS = [
    "mean",
    "wknn,k=4",
    "transfer",
    "latent,rank=5,ridge=0.1",
    "app,c2=0.1",
    "embd_ht,c1=1,c2=0.01,max_iter=30",
    "mkmc",
    "cvkt",
    "affine",
    "alone",
]


def completed(tmp_path, folder="out"):
    stored = np.load(tmp_path / folder / "kernels.npz")
    return stored["samples"], {name: stored[name] for name in stored.files if name != "samples"}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("method", METHODS)
def test_kernels_with_gaps(method, arrays, tool, tmp_path):
    np.savez(tmp_path / "k.npz", **arrays)
    tool("complete", "k.npz", "-m", method, "--seed", 5, "--threads", 2, "-o", "out")
    _, expected = completed(tmp_path)
    found = mkc.complete(arrays, method=method, random_state=5, n_jobs=1)
    assert list(expected) == found.views
    for name, kernel in found.kernels.items():
        assert np.array_equal(kernel, expected[name])


@pytest.mark.filterwarnings("ignore")
def test_auto_with_normalisation(arrays, tool, tmp_path):
    arrays = {name: kernel[:40, :40] for name, kernel in arrays.items()}
    np.savez(tmp_path / "k.npz", **arrays)
    tool(
        "complete",
        "k.npz",
        "-m",
        "auto,candidates=transfer+wknn+mean",
        "--seed",
        2,
        "--normalize",
        "trace",
        "--center",
        "-o",
        "out",
    )
    _, expected = completed(tmp_path)
    found = mkc.complete(
        arrays, candidates=["transfer", "wknn", "mean"], random_state=2, normalize="trace", center=True
    )
    for name, kernel in found.kernels.items():
        assert np.array_equal(kernel, expected[name])
    lines = (tmp_path / "out" / "quality.tsv").read_text().splitlines()[1:]
    assert len(lines) == len(found.quality)
    for line, (_, row) in zip(lines, found.quality.iterrows()):
        sample, view, observed, error, *_ = line.split("\t")
        assert (sample, view, int(observed)) == (str(row["sample"]), row["view"], row["observed_views"])
        assert float(error) == pytest.approx(row["relative_error"], rel=1e-5)


def test_features_of_different_samples(features, tool, tmp_path):
    shuffled = {name: table.sample(frac=1, random_state=7) for name, table in features.items()}
    for name, table in shuffled.items():
        table.to_csv(tmp_path / f"{name}.csv")
    tool("complete", *(f"{name}.csv" for name in shuffled), "-m", "transfer", "-o", "out")
    samples, expected = completed(tmp_path)
    found = mkc.complete(mkc.compute_kernels(shuffled), method="transfer")
    assert list(found.samples) == list(samples)
    for name, kernel in found.kernels.items():
        assert np.array_equal(kernel.to_numpy(), expected[name])


def stored(typed_tables, tmp_path):
    """Tables as files of the tool, with numbers that read back exactly."""
    for name, table in typed_tables.items():
        table.to_csv(tmp_path / f"{name}.csv")
    return [f"{name}.csv" for name in typed_tables]


def test_tables_of_four_types(typed_tables, tool, tmp_path):
    """Types, transforms and widths are the same, since views are compared by the same call."""
    files = stored(typed_tables, tmp_path)
    shown = json.loads(tool("inspect", *files, "--json").stdout)
    tool("complete", *files, "-m", "mean", "-o", "out")
    _, expected = completed(tmp_path)
    found = mkc.complete(mkc.compute_kernels(typed_tables), "mean")
    for name, kernel in found.kernels.items():
        assert np.array_equal(kernel.to_numpy(), expected[name])
    chosen = mkc.inspect(typed_tables).views
    for view in shown["views"]:
        ours = chosen.loc[view["name"]]
        assert (view["feature_type"], view["feature_evidence"]) == (ours["type"], ours["evidence"])
        assert (view["kernel"], view["width_evidence"]) == (ours["kernel"], ours["width"])


def test_transform_and_library_size(typed_tables, tool, tmp_path):
    files = stored(typed_tables, tmp_path)
    tool("kernel", files[0] + ",kernel=rbf,transform=log2p1,library_size=1000", "-o", "k.npz")
    found = mkc.compute_kernels({"rna": typed_tables["rna"]}, "rbf", transform="log2p1", library_size=1000)
    assert np.array_equal(found["rna"], np.load(tmp_path / "k.npz")["rna"])


def test_models_of_tool_and_python(typed_tables, tool, tmp_path):
    """Both write the same model, and predict the same from it."""
    old = {name: table[:40] for name, table in typed_tables.items()}
    files = stored(old, tmp_path)
    tool("complete", *files, "-m", "mean", "-o", "out", "--save-model", "tool.npz")
    kernel = mkc.MultiViewKernel()
    mkc.save(mkc.complete(kernel.fit_transform(old), "mean"), tmp_path / "ours.npz", kernel=kernel)
    new = {name: table[40:].rename(index="new {}".format) for name, table in typed_tables.items()}
    theirs, ours = mkc.load(tmp_path / "tool.npz"), mkc.load(tmp_path / "ours.npz")
    expected = theirs.transform(new)
    for name, rows in ours.transform(new).items():
        assert np.array_equal(rows, expected[name])
    for name, table in new.items():
        table.to_csv(tmp_path / f"{name}.csv")
    tool("predict", "ours.npz", *(part for file in files for part in ("--view", f"{file[:-4]}={file}")), "-o", "new")
    rows = np.load(tmp_path / "new" / "kernels.npz")
    for name in typed_tables:
        assert np.array_equal(rows[name], expected[name])


KERNELS = ["linear", "rbf", "poly", "laplacian", "cosine", "jaccard", "lsk", "chi2", "braycurtis", "ruzicka"]


@pytest.mark.parametrize("kernel", [*KERNELS, "tanimoto", "spectral_angle", "ordinal", "categorical", "auto"])
def test_kernel_functions(kernel, features, typed_tables, tool, tmp_path):
    table = features["expression"].abs()
    if kernel == "jaccard":
        table = (features["mutations"] > 0).astype(float)
    elif kernel in ("ordinal", "categorical"):
        table = typed_tables["marks"]
    table.to_csv(tmp_path / "x.csv")
    tool("kernel", f"x.csv,kernel={kernel}", "-o", "k.npz")
    assert np.array_equal(mkc.compute_kernels({"x": table}, kernel)["x"], np.load(tmp_path / "k.npz")["x"])


def test_evaluate(arrays, tool, tmp_path):
    np.savez(tmp_path / "k.npz", **arrays)
    tool("evaluate", "k.npz", "-m", "transfer", "--repeats", 2, "--seed", 4, "-o", "result")
    lines = [line.split("\t") for line in (tmp_path / "result" / "scores.tsv").read_text().splitlines()]
    header, rows = lines[0], lines[1:]
    expected = {(r[0], int(r[1]), r[2]): float(r[header.index("are")]) for r in rows if r[header.index("are")] != "NA"}
    found = mkc.evaluate(arrays, "transfer", repeats=2, random_state=4, n_jobs=2).dropna(subset="are")
    assert len(expected) == len(found)
    for _, row in found.iterrows():
        assert row["are"] == pytest.approx(expected[row["method"], row["repeat"], row["view"]], rel=1e-5)


def test_tool_and_python_continue_the_same_evaluation(arrays, tool, tmp_path):
    """Each uses the finished trials of the other."""
    np.savez(tmp_path / "k.npz", **arrays)
    ours = mkc.evaluate(arrays, "wknn", repeats=1, random_state=4, folder=tmp_path / "result")
    call = ["evaluate", "k.npz", "-m", "wknn", "--repeats", 1, "--seed", 4, "-o", "result", "--report", "none"]
    assert "3 of 3 trials are already finished" in tool(*call).stderr
    assert "3 of 4 trials are already finished" in tool(*call, "-m", "transfer").stderr
    both = mkc.evaluate(arrays, ["wknn", "transfer"], repeats=1, random_state=4, folder=tmp_path / "result", n_jobs=2)
    runs = pd.read_csv(tmp_path / "result" / "runs.tsv", sep="\t").set_index("method")
    for method, row in both.drop_duplicates("method").set_index("method").iterrows():
        assert row["seconds"] == pytest.approx(runs.loc[method, "seconds"], rel=1e-5)
        assert row["peak_mib"] == pytest.approx(runs.loc[method, "peak_mib"], rel=1e-5)
    kept = both[both["method"] != "transfer"].reset_index(drop=True)
    pd.testing.assert_frame_equal(kept, ours)
    tool("report", "result", "-o", "page.html")
    assert "wknn" in (tmp_path / "page.html").read_text()


def test_combine(arrays, tool, tmp_path):
    np.savez(tmp_path / "k.npz", **arrays)
    tool("complete", "k.npz", "-m", "app,c2=0.1", "-o", "out")
    found = mkc.complete(arrays, method="app", c2=0.1)
    for rule in ("mean", "relations"):
        tool("combine", "out", "--weights", rule, "-o", f"{rule}.npz")
        assert np.allclose(mkc.combine(found, rule), np.load(tmp_path / f"{rule}.npz")["K"], rtol=1e-12, atol=0)


def test_tool_is_installed(tool):
    assert mkc.__version__ in tool("version").stdout
