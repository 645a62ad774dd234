"""mkc combine: one kernel from the completed ones."""

import gzip
import json

import numpy as np
import pytest
from conftest import expect, write_table

METHOD = "embd_ht,c1=1,c2=0.1,max_iter=20"


@pytest.fixture
def result(mkc, views):
    assert mkc("complete", *views, "-m", METHOD, "-o", "result").code == 0
    return "result"


def variance(kernel):
    return np.trace(kernel) / len(kernel) - kernel.mean()


def scaled(tmp_path):
    arrays = np.load(tmp_path / "result" / "kernels.npz")
    return {name: arrays[name] / variance(arrays[name]) for name in "abc"}, arrays["samples"]


def test_mean(mkc, result, tmp_path):
    done = mkc("combine", result, "-o", "K.npz", "--json")
    assert done.code == 0, done.err
    kernels, samples = scaled(tmp_path)
    out = np.load(tmp_path / "K.npz")
    assert np.allclose(out["K"], sum(kernels.values()) / 3, atol=1e-12)
    assert list(out["samples"]) == list(samples)
    assert np.array_equal(out["K"], out["K"].T) and np.linalg.eigvalsh(out["K"])[0] > -1e-9
    assert done.json["weights"] == pytest.approx({"a": 1 / 3, "b": 1 / 3, "c": 1 / 3})


def test_relations(mkc, result, tmp_path):
    assert mkc("combine", result, "--weights", "relations", "-o", "K.npz").code == 0
    rows = (tmp_path / "result" / "view_relations.tsv").read_text().splitlines()[1:]
    weights = np.array([[float(x) for x in row.split("\t")[1:]] for row in rows]).sum(0) / 3
    kernels, _ = scaled(tmp_path)
    expected = sum(w * kernels[name] for w, name in zip(weights, "abc"))
    assert np.allclose(np.load(tmp_path / "K.npz")["K"], expected, atol=1e-10)


def test_alignment(mkc, result, tmp_path):
    (tmp_path / "y.tsv").write_text(
        "sample\tclass\n" + "".join(f"s{i}\t{'odd' if i % 2 else 'even'}\n" for i in range(14))
    )
    assert (
        mkc("combine", result, "--weights", "alignment", "--labels", "y.tsv", "--scale", "none", "-o", "K.npz").code
        == 0
    )
    arrays = np.load(tmp_path / "result" / "kernels.npz")
    rows = [list(arrays["samples"]).index(f"s{i}") for i in range(14)]
    y = np.arange(14) % 2
    h = np.eye(14) - 1 / 14
    weights = []
    for name in "abc":
        k = h @ arrays[name][np.ix_(rows, rows)] @ h
        t = h @ (y[:, None] == y) @ h
        weights.append(max(0, (k * t).sum() / np.linalg.norm(k) / np.linalg.norm(t)))
    weights = np.array(weights) / sum(weights)
    expected = sum(w * arrays[name] for w, name in zip(weights, "abc"))
    assert np.allclose(np.load(tmp_path / "K.npz")["K"], expected, atol=1e-10)


def test_tables(mkc, result, views, tmp_path):
    for name in ("K.npz", "K.tsv", "K.tsv.gz"):
        assert mkc("combine", result, "-o", name, "-q").code == 0
    text = (tmp_path / "K.tsv").read_text()
    assert gzip.decompress((tmp_path / "K.tsv.gz").read_bytes()).decode() == text
    lines = [line.split("\t") for line in text.splitlines()]
    out = np.load(tmp_path / "K.npz")
    assert lines[0][1:] == [line[0] for line in lines[1:]] == list(out["samples"])
    assert np.array_equal(np.array([line[1:] for line in lines[1:]], float), out["K"])
    # the same for every format of the result
    for form in ("tsv", "hdf5", "h5mu", "mat"):
        assert mkc("complete", *views, "-m", METHOD, "-o", form, "--format", form).code == 0
        done = mkc("combine", form, "-o", f"{form}.tsv", "--weights", "mean")
        assert done.code == 0, done.err
        assert (tmp_path / f"{form}.tsv").read_text() == text


def test_bad_input(mkc, result, views, tmp_path):
    (tmp_path / "one.tsv").write_text("sample\tclass\ns0\ta\ns1\ta\n")
    (tmp_path / "who.tsv").write_text("sample\tclass\ns0\ta\nzz\tb\n")
    (tmp_path / "empty").mkdir()
    alignment = ["--weights", "alignment", "-o", "K.npz"]
    expect(mkc("combine", "nowhere", "-o", "K.npz"), 3, "no folder 'nowhere'")
    expect(mkc("combine", "empty", "-o", "K.npz"), 3, "meta_info.json")
    expect(mkc("combine", "-o", "K.npz"), 2, "folder is missing")
    expect(mkc("combine", result), 2, "-o K.npz")
    expect(mkc("combine", result, "-o", "K.txt"), 2, ".npz")
    expect(mkc("combine", result, "--weights", "men", "-o", "K.npz"), 2, "did you mean 'mean'?")
    expect(mkc("combine", result, *alignment), 2, "needs --labels")
    expect(mkc("combine", result, "--labels", "one.tsv", "-o", "K.npz"), 2, "--weights alignment")
    expect(mkc("combine", result, *alignment, "--labels", "one.tsv"), 3, "two classes")
    expect(mkc("combine", result, *alignment, "--labels", "who.tsv"), 3, "'zz'", "line 3")
    assert mkc("complete", *views, "-m", "mean", "-o", "plain").code == 0
    expect(mkc("combine", "plain", "--weights", "relations", "-o", "K.npz"), 3, "'mean'", "view_relations.tsv")
    assert mkc("evaluate", *views, "-m", "mean", "--repeats", 1, "-o", "trial").code == 0
    expect(mkc("combine", "trial", "-o", "K.npz"), 3, "not written by mkc complete")
    assert not (tmp_path / "K.npz").exists()
    (tmp_path / "K.npz").write_text("mine")
    expect(mkc("combine", result, "-o", "K.npz"), 2, "K.npz")
    assert (tmp_path / "K.npz").read_text() == "mine"


def test_damaged_result(mkc, result, tmp_path):
    meta = tmp_path / "result" / "meta_info.json"
    info = json.loads(meta.read_text())
    meta.write_text(json.dumps({**info, "views": info["views"][:2]}))
    expect(mkc("combine", result, "-o", "K.npz"), 3, "3 kernels", "2 views")
    meta.write_text(json.dumps(info))
    kernels = dict(np.load(tmp_path / "result" / "kernels.npz"))
    kernels["b"][3, :] = kernels["b"][:, 3] = np.nan
    np.savez(tmp_path / "result" / "kernels.npz", **kernels)
    expect(mkc("combine", result, "-o", "K.npz"), 3, "'b'", "'mkc complete'")


@pytest.fixture
def predicted(mkc, tmp_path):
    """A result of 40 samples in two classes whose views differ in scale, and kernel rows of 20 new samples."""
    random = np.random.default_rng(6)
    y = np.arange(60) % 2
    for view, size in (("a", 1.0), ("b", 30.0)):
        X = size * (random.normal(size=(60, 6)) + (1.6 * y[:, None] - 0.8 if view == "a" else 0))
        for file, rows in ((f"{view}.csv", range(40)), (f"new_{view}.csv", range(40, 60))):
            rows = [i for i in rows if i < 40 and (view == "b" or i % 5) or i >= 40]
            write_table(tmp_path / file, [f"s{i}" for i in rows], [f"{view}{j}" for j in range(6)], X[rows])
    views = [f"{view}.csv,kernel=linear,scale=none" for view in "ab"]
    done = mkc("complete", *views, "-m", "transfer,gamma=0.5,ridge=0.02", "-o", "result", "--save-model", "m.npz")
    assert done.code == 0, done.err
    done = mkc("predict", "m.npz", "--view", "a=new_a.csv", "--view", "b=new_b.csv", "-o", "new")
    assert done.code == 0, done.err
    (tmp_path / "y.tsv").write_text("sample\tclass\n" + "".join(f"s{i}\t{'xy'[i % 2]}\n" for i in range(40)))
    return y


@pytest.mark.parametrize("rule", ["mean", "alignf"])
def test_new_samples_get_the_factors_of_the_training_kernel(mkc, predicted, tmp_path, rule):
    labels = ["--weights", "alignf", "--labels", "y.tsv"] if rule == "alignf" else []
    assert mkc("combine", "result", *labels, "-o", "K.npz").code == 0
    done = mkc("combine", "new", "--like", "K.npz", "-o", "Knew.npz", "--json")
    assert done.code == 0, done.err
    about = json.loads((tmp_path / "K.npz.json").read_text())
    training, rows = np.load(tmp_path / "result" / "kernels.npz"), np.load(tmp_path / "new" / "kernels.npz")
    factors = [view["weight"] / variance(training[view["name"]]) for view in about["views"]]
    assert [view["factor"] for view in about["views"]] == pytest.approx(factors)
    out = np.load(tmp_path / "Knew.npz")
    assert np.allclose(out["K"], factors[0] * rows["a"] + factors[1] * rows["b"], atol=1e-12)
    assert list(out["samples"]) == [f"s{i}" for i in range(40, 60)]
    assert list(out["training_samples"]) == list(np.load(tmp_path / "K.npz")["samples"])
    # ridge classification on both files; the class is in view a, whose kernel is 900 times smaller than that of b
    K, where = np.load(tmp_path / "K.npz")["K"], [int(name[1:]) for name in out["training_samples"]]
    alpha = np.linalg.solve(K + 0.1 * np.eye(40), 2.0 * predicted[where] - 1)
    right = {
        name: ((K_new @ alpha > 0) == predicted[40:]).mean()
        for name, K_new in (("like", out["K"]), ("naive", (rows["a"] + rows["b"]) / 2))
    }
    assert right["like"] >= 0.8 > right["naive"]


def test_a_prediction_needs_its_own_training_kernel(mkc, predicted, tmp_path):
    expect(mkc("combine", "new", "-o", "Knew.npz"), 2, "is a prediction", "--like K.npz")
    assert mkc("combine", "result", "-o", "K.npz").code == 0
    expect(mkc("combine", "result", "--like", "K.npz", "-o", "x.npz"), 2, "--like is for predictions")
    expect(mkc("combine", "new", "--like", "K.npz", "--scale", "none", "-o", "x.npz"), 2, "--like fixes weights")
    expect(mkc("combine", "new", "--like", "missing.npz", "-o", "x.npz"), 3, "missing.npz")
    kernel = (tmp_path / "K.npz").read_bytes()
    (tmp_path / "K.npz").write_bytes(kernel[:-1] + b"x")
    expect(mkc("combine", "new", "--like", "K.npz", "-o", "x.npz"), 3, "has changed since")
    views = ["a.csv,kernel=linear,scale=none", "b.csv,kernel=rbf"]
    assert mkc("complete", *views, "-m", "mean", "-o", "other").code == 0
    assert mkc("combine", "other", "-o", "other.npz").code == 0
    expect(mkc("combine", "new", "--like", "other.npz", "-o", "x.npz"), 3, "does not belong to 'other.npz'")
    assert not (tmp_path / "x.npz").exists() and not (tmp_path / "x.npz.json").exists()


def test_weights_by_numbers_and_survival(mkc, predicted, tmp_path):
    """The labels follow view a; the view gets the larger weight, whatever their type."""
    lines = (tmp_path / "a.csv").read_text().splitlines()[1:]
    value = {line.split(",")[0]: sum(map(float, line.split(",")[1:])) for line in lines}
    rows = [f"{name},{x:.4f},{20 * 2.72 ** (-x / 2):.3f},{int(i % 4 > 0)}" for i, (name, x) in enumerate(value.items())]
    (tmp_path / "clinical.csv").write_text("\n".join(["sample,marker,days,died", *rows]) + "\n")
    for column, kind in (("marker", "numbers"), ("days,died", "survival")):
        for rule in ("alignment", "alignf"):
            more = ["--weights", rule, "--labels", f"clinical.csv:{column}", "-o", "K.npz"]
            done = mkc("combine", "result", *more, "--force", "--json")
            assert done.code == 0 and f"labels: {kind} (" in done.err, done.err
            assert done.json["weights"]["a"] > 0.6
            assert json.loads((tmp_path / "K.npz.json").read_text())["label_type"] == kind
