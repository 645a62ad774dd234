"""mkc complete --save-model and mkc predict: new samples from a saved model."""

import json
import zipfile

import numpy as np
import pytest
from conftest import expect, write_table


@pytest.fixture
def world(tmp_path):
    """Training tables a, b, c of t0..t29 with gaps, and the features of five new samples."""
    random = np.random.default_rng(4)
    state = random.normal(size=(35, 3))
    values = {name: np.tanh(state @ random.normal(size=(3, 5))) + 0.05 * random.normal(size=(35, 5)) for name in "abc"}
    rows = {"a": range(24), "b": range(4, 30), "c": [*range(12), *range(16, 30)]}
    for name in "abc":
        write_table(
            tmp_path / f"{name}.csv",
            [f"t{i}" for i in rows[name]],
            [f"{name}{j}" for j in range(5)],
            values[name][list(rows[name])],
        )
    return {"values": values, "rows": {name: list(rows[name]) for name in "abc"}}


@pytest.fixture
def model(mkc, world):
    """Of rbf kernels, which rbf() computes from their definition."""
    done = mkc(
        "complete",
        "a.csv,kernel=rbf,gamma=median",
        "b.csv,kernel=rbf,gamma=median",
        "c.csv,kernel=rbf,gamma=median",
        "-m",
        "transfer,gamma=0.5,ridge=0.02",
        "-o",
        "result",
        "--save-model",
        "model.npz",
    )
    assert done.code == 0, done.err
    assert "mkc predict" in done.out
    return "model.npz"


def new_table(tmp_path, world, name, rows=range(30, 35), columns=range(5)):
    write_table(
        tmp_path / f"new_{name}.csv",
        [f"n{i}" for i in rows],
        [f"{name}{j}" for j in columns],
        world["values"][name][np.ix_(list(rows), list(columns))],
    )
    return f"{name}=new_{name}.csv"


def rbf(training, new):
    """The kernel from its definition: z-scores and median width of the training samples."""
    mean, deviation = training.mean(0), training.std(0)
    x, y = (training - mean) / deviation, (new - mean) / deviation
    within = ((x[:, None] - x[None]) ** 2).sum(2)
    gamma = 1 / np.median(within[np.triu_indices(len(x), 1)])
    return np.exp(-gamma * ((y[:, None] - x[None]) ** 2).sum(2))


def test_features_of_new_samples(mkc, model, world, tmp_path):
    columns = [4, 0, 1, 3, 2]  # found by name
    done = mkc(
        "predict",
        model,
        "--view",
        new_table(tmp_path, world, "a", columns=columns),
        "--view",
        new_table(tmp_path, world, "b", rows=range(32, 35)),
        "-o",
        "new",
        "--json",
    )
    assert done.code == 0, done.err
    out = np.load(tmp_path / "new" / "kernels.npz")
    assert list(out["samples"]) == [f"n{i}" for i in range(30, 35)]
    assert list(out["training_samples"]) == list(np.load(tmp_path / "result" / "kernels.npz")["samples"])
    position = {name: i for i, name in enumerate(out["training_samples"])}
    for name, rows in (("a", range(30, 35)), ("b", range(32, 35))):
        training = world["rows"][name]
        expected = rbf(world["values"][name][training], world["values"][name][list(rows)])
        got = out[name][np.ix_([i - 30 for i in rows], [position[f"t{i}"] for i in training])]
        assert np.allclose(got, expected, atol=1e-10)
    assert all(np.isfinite(out[name]).all() for name in "abc")
    observed = (tmp_path / "new" / "observed.tsv").read_text().splitlines()
    assert observed[1] == "n30\t1\t0\t0" and observed[4] == "n33\t1\t1\t0"
    quality = [line.split("\t") for line in (tmp_path / "new" / "quality.tsv").read_text().splitlines()]
    assert len(quality) == 1 + 2 + 5
    for line in quality[1:]:
        error, low, high = map(float, line[3:6])
        assert 0 <= low <= error <= high and line[6] == ("known" if high <= 1 else "unknown")
    meta = json.loads((tmp_path / "new" / "meta_info.json").read_text())
    assert meta["model"]["method"] == "transfer" and len(meta["inputs"]) == 3
    assert done.json["n_samples"] == 5


def test_prediction_is_better_than_the_mean_row(mkc, model, world, tmp_path):
    assert (
        mkc(
            "predict",
            model,
            "--view",
            new_table(tmp_path, world, "a"),
            "--view",
            new_table(tmp_path, world, "b"),
            "-o",
            "new",
        ).code
        == 0
    )
    out = np.load(tmp_path / "new" / "kernels.npz")
    position = {name: i for i, name in enumerate(out["training_samples"])}
    training = world["rows"]["c"]
    truth = rbf(world["values"]["c"][training], world["values"]["c"][30:])
    got = out["c"][:, [position[f"t{i}"] for i in training]]
    within = rbf(world["values"]["c"][training], world["values"]["c"][training])
    error = np.linalg.norm(got - truth, axis=1) / np.linalg.norm(truth, axis=1)
    plain = np.linalg.norm(within.mean(0) - truth, axis=1) / np.linalg.norm(truth, axis=1)
    assert error.mean() < 0.7 * plain.mean()


def test_kernel_rows_instead_of_features(mkc, model, world, tmp_path):
    by_features = mkc("predict", model, "--view", new_table(tmp_path, world, "a"), "-o", "new")
    assert by_features.code == 0, by_features.err
    training = world["rows"]["a"]
    rows = rbf(world["values"]["a"][training], world["values"]["a"][30:])
    names = [f"t{i}" for i in training]
    order = np.random.default_rng(0).permutation(len(names))
    write_table(
        tmp_path / "rows.csv",
        [f"n{i}" for i in range(30, 35)],
        [names[i] for i in order] + ["self"],
        np.hstack([rows[:, order], np.ones((5, 1))]),
    )
    done = mkc("predict", model, "--view", "a=rows.csv,kind=kernel", "-o", "by_rows")
    assert done.code == 0, done.err
    one, two = (np.load(tmp_path / folder / "kernels.npz") for folder in ("new", "by_rows"))
    for name in "abc":
        assert np.allclose(one[name], two[name], atol=1e-8)


def test_a_training_sample_gets_its_own_rows(mkc, model, world, tmp_path):
    result = np.load(tmp_path / "result" / "kernels.npz")
    i = list(result["samples"]).index("t2")
    write_table(tmp_path / "t2.csv", ["t2"], [f"a{j}" for j in range(5)], world["values"]["a"][[2]])
    assert mkc("predict", model, "--view", "a=t2.csv", "-o", "new").code == 0
    out = np.load(tmp_path / "new" / "kernels.npz")
    for name in "abc":
        assert np.array_equal(out[name][0], result[name][i])


def test_threads_and_formats(mkc, model, world, tmp_path):
    view = new_table(tmp_path, world, "b")
    assert mkc("predict", model, "--view", view, "-o", "one", "-t", 1).code == 0
    assert mkc("predict", model, "--view", view, "-o", "two", "-t", 2, "--format", "tsv").code == 0
    table = np.loadtxt(tmp_path / "two" / "kernels" / "c.tsv.gz", skiprows=1, usecols=range(1, 31))
    assert np.array_equal(table, np.load(tmp_path / "one" / "kernels.npz")["c"])


def test_precomputed_kernels_and_arrays_without_names(mkc, tmp_path):
    random = np.random.default_rng(5)
    state = random.normal(size=(26, 3))
    kernels = {name: (lambda z: z @ z.T)(state @ random.normal(size=(3, 4))) for name in "xy"}
    gaps = {"x": [3, 7], "y": [5]}
    hidden = {}
    for name, kernel in kernels.items():
        hidden[name] = (kernel[:24, :24] + kernel[:24, :24].T) / 2
        hidden[name][gaps[name]] = hidden[name][:, gaps[name]] = np.nan
    np.savez(tmp_path / "k.npz", **hidden)
    done = mkc("complete", "k.npz", "-m", "transfer", "-o", "result", "--save-model", "m.npz", "--psd", "clip")
    assert done.code == 0, done.err
    np.save(tmp_path / "x.npy", kernels["x"][24:, :24])
    done = mkc("predict", "m.npz", "--view", "x=x.npy", "-o", "new")
    assert done.code == 0, done.err
    assert "k(x, x)" in done.err  # varies over the training samples and was not given
    out = np.load(tmp_path / "new" / "kernels.npz")
    kept = [i for i in range(24) if i not in gaps["x"]]
    assert np.array_equal(out["x"][:, kept], kernels["x"][24:][:, kept])
    np.save(tmp_path / "few.npy", kernels["x"][24:, :20])
    expect(
        mkc("predict", "m.npz", "--view", "x=few.npy", "-o", "no"),
        3,
        "20 columns, but the model has 24 training samples, 22 of them with this view",
    )


def test_missing_cells_take_the_training_mean(mkc, world, tmp_path):
    done = mkc(
        "complete", "a.csv", "b.csv", "-m", "knn", "--na-features", "mean", "-o", "result", "--save-model", "filled.npz"
    )
    assert done.code == 0, done.err
    values = world["values"]["a"][[30]].copy()
    values[0, 2] = world["values"]["a"][world["rows"]["a"], 2].mean()
    names = [f"a{j}" for j in range(5)]
    write_table(tmp_path / "full.csv", ["n"], names, values)
    values[0, 2] = np.nan
    write_table(tmp_path / "gap.csv", ["n"], names, values)
    for name in ("full", "gap"):
        assert mkc("predict", "filled.npz", "--view", f"a={name}.csv", "-o", name).code == 0
    full, gap = (np.load(tmp_path / name / "kernels.npz")["a"] for name in ("full", "gap"))
    assert np.allclose(full, gap, atol=1e-12)


def test_wrong_input(mkc, model, world, tmp_path):
    view = new_table(tmp_path, world, "a")
    expect(mkc("predict", model, "--view", "aa=new_a.csv", "-o", "no"), 3, "the model has no view 'aa'")
    expect(mkc("predict", model, "--view", "new_a.csv", "-o", "no"), 2, "name of the view in the model is missing")
    expect(mkc("predict", model, "--view", view, "--view", view, "-o", "no"), 3, "'a'")
    expect(mkc("predict", model, "-o", "no"), 2, "--view is required")
    expect(mkc("predict", model, "--view", view), 2, "the output folder is missing")
    expect(mkc("predict", "nowhere.npz", "--view", view, "-o", "no"), 3, "there is no file 'nowhere.npz'")
    expect(mkc("predict", model, "--view", view + ",gamma=2", "-o", "no"), 2, "fixed by the model")
    new_table(tmp_path, world, "b", columns=range(3))
    expect(
        mkc("predict", model, "--view", "b=new_b.csv", "-o", "no"),
        3,
        "no column for feature 'b3' (2 of 5 are not there)",
    )
    rows = np.full((1, 5), np.nan)
    rows[0, 1] = 1
    write_table(tmp_path / "gap.csv", ["n"], [f"a{j}" for j in range(5)], rows)
    expect(mkc("predict", model, "--view", "a=gap.csv", "-o", "no"), 3, "sample 'n' has no value in feature 'a0'")
    write_table(tmp_path / "empty.csv", ["n", "nothing"], [f"a{j}" for j in range(5)], [[1] * 5, [np.nan] * 5])
    expect(
        mkc("predict", model, "--view", "a=empty.csv", "-o", "no"),
        3,
        "new sample 'nothing' has none of the model's views",
    )
    expect(
        mkc("predict", model, "--view", "a=new_a.csv,kind=kernel", "-o", "no"), 3, "no column for training sample 't0'"
    )
    assert not (tmp_path / "no").exists()
    expect(mkc("complete", "a.csv", "b.csv", "-m", "knn", "-o", "again", "--save-model", model), 2, "exists")
    assert not (tmp_path / "again").exists()


def test_damaged_foreign_and_newer_files(mkc, model, world, tmp_path):
    view = new_table(tmp_path, world, "a")
    whole = (tmp_path / model).read_bytes()
    for length in (0, 10, 1000, len(whole) // 2, len(whole) - 1):
        (tmp_path / "cut.npz").write_bytes(whole[:length])
        expect(mkc("predict", "cut.npz", "--view", view, "-o", "no"), 3, "cut.npz")
    np.savez(tmp_path / "foreign.npz", a=np.eye(3))
    expect(mkc("predict", "foreign.npz", "--view", view, "-o", "no"), 3, "is not an mkc model")
    arrays = dict(np.load(tmp_path / model))
    newer = {**arrays, "format": np.array(["mkc model", "2"])}
    np.savez(tmp_path / "newer.npz", **newer)
    expect(mkc("predict", "newer.npz", "--view", view, "-o", "no"), 3, "format version 2")
    for name, value in (
        ("view0_kernel", arrays["view0_kernel"][:-1]),
        ("view0_rows", np.array([[5.0], [3.0]])),
        ("view1_points", arrays["view1_points"][:-1]),
        ("view0_mean", arrays["view0_mean"][:2]),
        ("view0_recipe", np.char.replace(arrays["view0_recipe"], "gamma", "gama")),
    ):
        np.savez(tmp_path / "odd.npz", **{**arrays, name: value})
        expect(mkc("predict", "odd.npz", "--view", view, "-o", "no"), 3, "is a damaged mkc model: " + name)
    without = {name: value for name, value in arrays.items() if name != "samples"}
    np.savez(tmp_path / "odd.npz", **without)
    expect(mkc("predict", "odd.npz", "--view", view, "-o", "no"), 3, "array 'samples' is missing")
    np.savez(tmp_path / "same.npz", **arrays)  # as NumPy writes it
    assert mkc("predict", "same.npz", "--view", view, "-o", "same").code == 0


def test_the_same_run_gives_the_same_model(mkc, model, tmp_path):
    """Only times and command lines differ between two runs."""
    assert (
        mkc(
            "complete",
            "a.csv,kernel=rbf,gamma=median",
            "b.csv,kernel=rbf,gamma=median",
            "c.csv,kernel=rbf,gamma=median",
            "-m",
            "transfer,gamma=0.5,ridge=0.02",
            "-o",
            "again",
            "--save-model",
            "other.npz",
            "-t",
            1,
        ).code
        == 0
    )
    with zipfile.ZipFile(tmp_path / model) as one, zipfile.ZipFile(tmp_path / "other.npz") as two:
        assert one.namelist() == two.namelist()
        for name in one.namelist():
            assert name == "about.npy" or one.read(name) == two.read(name)


@pytest.mark.parametrize("change", ["zero", "negative", "indefinite", "nan"])
def test_tampered_model(mkc, model, world, tmp_path, change):
    arrays = dict(np.load(tmp_path / model))
    kernel = arrays["view0_kernel"]
    if change == "zero":
        kernel[:] = 0
    elif change == "negative":
        kernel[:] = -kernel
    elif change == "indefinite":
        kernel[1] = 1e6  # k_01, beyond sqrt(k_00 k_11)
    else:
        kernel[3] = np.nan
    np.savez(tmp_path / "bad.npz", **arrays)
    result = mkc("predict", "bad.npz", "--view", new_table(tmp_path, world, "a"), "-o", "new")
    expect(result, 3, "bad.npz", "damaged", "view0_kernel")
    assert not (tmp_path / "new").exists()
