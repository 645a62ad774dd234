"""One kernel of training and new samples from results in factor form."""

import json

import numpy as np
import pytest
from conftest import expect

VIEWS = ("a", "b", "c")
SIZES = ("--rank", 12, "--landmarks", 40, "--anchors", 40, "--report", "none", "-t", 1)


@pytest.fixture
def completed(mkc, tmp_path):
    """Three views of 120 training samples and 15 new ones; every second new sample lacks view b."""
    random = np.random.default_rng(11)
    state = random.normal(size=(135, 3))
    ids = np.array([f"s{i}" for i in range(135)])
    given = []
    for place, name in enumerate(VIEWS):
        x = np.tanh(state @ random.normal(size=(3, 5))) + 0.1 * random.normal(size=(135, 5))
        known = np.arange(120) if place == 0 else np.sort(random.permutation(120)[:90])
        new = np.arange(120, 135, 2 if name == "b" else 1)
        np.savez(tmp_path / f"{name}.npz", **{name: x[known]}, samples=ids[known])
        np.savez(tmp_path / f"new-{name}.npz", **{name: x[new]}, samples=ids[new])
        given += ["--view", f"{name}=new-{name}.npz:{name}"]
    views = [f"{name}.npz" for name in VIEWS]
    result = mkc("complete", *views, "--form", "factor", *SIZES, "-o", "out", "--save-model", "model.npz")
    assert result.code == 0, result.err
    result = mkc("predict", "model.npz", *given, "-o", "new")
    assert result.code == 0, result.err
    return tmp_path


def factors_of(folder):
    return [np.load(folder / f"factors/{name}.npy") for name in VIEWS], np.load(folder / "extra.npy")


def factors_in(kernel):
    return np.array(
        [view["factor"] for view in json.loads(kernel.with_name(kernel.name + ".json").read_text())["views"]]
    )


def test_new_samples_get_the_rows_of_the_training_kernel(mkc, completed):
    (completed / "labels.tsv").write_text("".join(f"s{i}\t{'xy'[i % 2]}\n" for i in range(120)))
    for options in ((), ("--scale", "none"), ("--weights", "alignf", "--labels", "labels.tsv")):
        assert mkc("combine", "out", *options, "-o", "K.npz", "--force").code == 0
        result = mkc("combine", "new", "--like", "K.npz", "-o", "Knew.npz", "--force")
        assert result.code == 0 and "kernel of 15 new samples against 120 training samples" in result.err, result.err
        f = factors_in(completed / "K.npz")
        assert f.sum() > 0
        (old, extra), (new, more) = factors_of(completed / "out"), factors_of(completed / "new")
        training, found = np.load(completed / "K.npz"), np.load(completed / "Knew.npz")
        whole = sum(w * F @ F.T for w, F in zip(f, old)) + np.diag(extra @ f)
        assert np.allclose(training["K"], whole, rtol=0, atol=1e-10)
        assert np.allclose(
            training["factors"] @ training["factors"].T + np.diag(training["extra"].ravel()), whole, rtol=0, atol=1e-10
        )
        assert np.allclose(found["K"], sum(w * G @ F.T for w, F, G in zip(f, old, new)), rtol=0, atol=1e-10)
        own = sum(w * (G**2).sum(1) for w, G in zip(f, new)) + more @ f
        assert np.allclose(found["diagonal"].ravel(), own, rtol=0, atol=1e-10)
        assert list(found["training_samples"]) == list(training["samples"])
        assert list(found["samples"]) == (completed / "new/samples.txt").read_text().split()
    assert mkc("combine", "new", "--like", "K.npz", "-o", "Knew.tsv").code == 0


def test_training_samples_given_as_new_ones_get_their_own_rows(mkc, completed):
    views = [part for name in VIEWS for part in ("--view", f"{name}={name}.npz:{name}")]
    assert mkc("predict", "model.npz", *views, "-o", "again").code == 0
    assert mkc("combine", "out", "-o", "K.npz").code == 0
    assert mkc("combine", "again", "--like", "K.npz", "-o", "again.npz").code == 0
    K, found = np.load(completed / "K.npz"), np.load(completed / "again.npz")
    order = [list(found["samples"]).index(sample) for sample in K["samples"]]
    off = ~np.eye(120, dtype=bool)  # k(x, x) of a new sample is its diagonal: its row has it as of another sample
    assert np.allclose(found["K"][order][off], K["K"][off], rtol=0, atol=1e-8)
    assert np.allclose(found["diagonal"].ravel()[order], np.diag(K["K"]), rtol=0, atol=1e-8)


def test_what_does_not_belong_together_is_refused(mkc, completed):
    assert mkc("combine", "out", "-o", "K.tsv").code == 0
    expect(mkc("combine", "new", "-o", "Knew.npz"), 2, "'new' is a prediction", "--like")
    expect(mkc("combine", "new", "--like", "K.tsv", "-o", "Knew.npz"), 2, "K.tsv", "-o K.npz")
    views = [f"{name}.npz" for name in VIEWS]
    assert mkc("complete", *views, "--form", "factor", *SIZES, "--seed", 3, "-o", "other").code == 0
    assert mkc("combine", "other", "-o", "other.npz").code == 0
    expect(mkc("combine", "new", "--like", "other.npz", "-o", "Knew.npz"), 3, "another model")
    assert not (completed / "Knew.npz").exists()


def stored(folder, factors, **about):
    """A folder in factor form, written by hand."""
    (folder / "factors").mkdir(parents=True)
    for view, values in factors.items():
        np.save(folder / f"factors/{view}.npy", values)
    n = len(next(iter(factors.values())))
    np.save(folder / "extra.npy", np.full((n, len(factors)), 0.1))
    (folder / "samples.txt").write_text("".join(f"{folder.name}{i}\n" for i in range(n)))
    meta = {
        "mkc_version": "0.2.0",
        "form": "factor",
        "method": "factor",
        "model": "m",
        "views": [{"name": view} for view in factors],
    }
    (folder / "meta_info.json").write_text(json.dumps({**meta, **about}))


def test_many_samples_stay_factors(mkc, tmp_path):
    random = np.random.default_rng(12)
    training = {view: random.normal(size=(20500, 3)) for view in "ab"}
    new = {view: random.normal(size=(10, 3)) for view in "ab"}
    stored(tmp_path / "out", training)
    stored(tmp_path / "new", new, command="predict", files=[])
    assert mkc("combine", "out", "-o", "K.npz").code == 0
    result = mkc("combine", "new", "--like", "K.npz", "-o", "Knew.npz")
    assert result.code == 0 and "factors of the kernel of 10 new samples" in result.err, result.err
    K, found = np.load(tmp_path / "K.npz"), np.load(tmp_path / "Knew.npz")
    f = factors_in(tmp_path / "K.npz")
    expected = np.hstack([np.sqrt(w) * F for w, F in zip(f, training.values())])
    assert np.allclose(K["factors"], expected, rtol=0, atol=1e-12)
    assert np.allclose(found["factors"], np.hstack([np.sqrt(w) * F for w, F in zip(f, new.values())]), atol=1e-12)
    assert np.allclose(found["extra"].ravel(), 0.1 * f.sum())
    expect(mkc("combine", "new", "--like", "K.npz", "-o", "Knew.tsv"), 2, ".npz")
