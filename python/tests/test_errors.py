"""Wrong input gives a clear message and a hint how to fix it."""

import pickle
import re

import numpy as np
import pandas as pd
import pytest
import scipy.sparse
from conftest import frame, random_problem

import mkc


@pytest.fixture
def small():
    return random_problem(1)[0]


def test_not_psd(small):
    bad = {name: np.where(np.isnan(k), np.nan, k - 0.8) for name, k in small.items()}
    bad["v0"][0, 0] = 0.0
    with pytest.raises(mkc.InputError, match="not positive semi-definite") as caught:
        mkc.complete(bad)
    assert "psd='clip'" in str(caught.value) and "--" not in caught.value.hint
    assert isinstance(caught.value, ValueError)
    with pytest.warns(UserWarning, match="clipped"):
        mkc.complete(bad, method="mean", psd="clip")


def test_method_and_observed_confused(small):
    with pytest.raises(mkc.InputError, match="'observed' is the text 'knn'") as caught:
        mkc.complete(small, observed="knn")
    assert 'method="knn"' in str(caught.value)
    for mask in (np.ones((14, 3)), pd.DataFrame(np.ones((14, 3))), [[True] * 3] * 14):
        with pytest.raises(mkc.OptionError, match="is not the name of a method") as caught:
            mkc.complete(small, mask)
        assert "observed=" in caught.value.hint


def test_errors_can_be_pickled():
    error = pickle.loads(pickle.dumps(mkc.OptionError("what", [("psd", "clip", "helps")])))
    assert error.what == "what" and error.hint == "psd='clip' helps" and isinstance(error, mkc.OptionError)


@pytest.mark.parametrize(
    "change, message",
    [
        (lambda k: k.update(v0=k["v0"][:, :5]), "not square"),
        (lambda k: k["v0"].__setitem__((0, 1), np.nan), "row '0' is partly missing|row '1' is partly missing"),
        (lambda k: k["v1"].__setitem__((0, 1), 0.9), "not symmetric"),
        (lambda k: k["v1"].__setitem__((0, 0), np.inf), "infinite"),
        (lambda k: k.update(v0=k["v0"][:9, :9]), "v0' has 9 rows, view 'v1' has 14"),
        (lambda k: k.update(v0=np.full((14, 14), np.nan)), "no sample has a value"),
        (lambda k: k.update(v0=k["v0"][0]), "1 dimensions"),
        (lambda k: k.update(v0=np.full((14, 14), "a")), "not numbers"),
        (lambda k: k.update(v0=frame(k["v0"], range(14))), "some views are DataFrames"),
        (lambda k: k.clear(), "no view"),
    ],
)
def test_bad_kernels(small, change, message):
    change(small)
    with pytest.raises(mkc.InputError, match=message):
        mkc.complete(small)


def test_asymmetry_is_located(small):
    names = [f"s{i}" for i in range(14)]
    frames = {n: frame(k, names) for n, k in small.items()}
    frames["v0"].loc["s0", "s1"] = 0.875
    with pytest.raises(mkc.InputError) as caught:
        mkc.complete(frames)
    assert "('s0', 's1') is 0.875" in str(caught.value)


def test_frames_that_are_not_kernels(small):
    names = [f"s{i}" for i in range(14)]
    frames = {n: frame(k, names) for n, k in small.items()}
    frames["v1"].columns = [f"gene{i}" for i in range(14)]
    with pytest.raises(mkc.InputError, match="'gene0' is not among the rows") as caught:
        mkc.complete(frames)
    assert "compute_kernels" in caught.value.hint


def test_no_common_samples(small):
    frames = {n: frame(k, [f"{n}-{i}" for i in range(14)]) for n, k in small.items()}
    with pytest.raises(mkc.InputError, match="0 of 42 ids are in another view"):
        mkc.complete(frames)
    with pytest.raises(mkc.InputError, match="no sample in common"):
        mkc.complete(frames, ids="exact")


def test_hints_use_python_terms(small):
    frames = {n: frame(k, [f"{n}{17 * i + j}" for i in range(14)]) for j, (n, k) in enumerate(small.items())}
    for call, hint in ((mkc.complete, "sample_map"), (lambda f: mkc.inspect(f, kernel="rbf"), "df.T")):
        with pytest.raises(mkc.InputError) as caught:
            call(frames)
        assert hint in caught.value.hint and "--" not in caught.value.hint
    names = [f"s{i}" for i in range(14)]
    written = {n: frame(k, [s.upper() if n == "v0" else s for s in names]) for n, k in small.items()}
    with pytest.raises(mkc.InputError) as caught:
        mkc.complete(written)
    assert "ids='loose'" in caught.value.hint


def test_messages_have_no_words_of_the_command_line(features, kernels, tmp_path):
    maker = mkc.MultiViewKernel()
    completer = mkc.KernelCompleter("mean").fit(maker.fit_transform(features))
    completer.save(tmp_path / "model.npz", kernel=maker)
    model = mkc.load(tmp_path / "model.npz")
    infinite = {name: table * np.inf for name, table in features.items()}
    gaps = {name: table.where(np.eye(*table.shape) == 0) for name, table in features.items()}
    for call in (
        lambda: mkc.complete(kernels, samples=["x"]),
        lambda: mkc.complete({name: -kernel for name, kernel in kernels.items()}),
        lambda: mkc.complete(kernels, candidates="none"),
        lambda: mkc.compute_kernels(infinite),
        lambda: mkc.compute_kernels({name: table * 1e300 for name, table in features.items()}, "linear", scale="none"),
        lambda: mkc.compute_kernels(gaps),
        lambda: mkc.compute_kernels({"a": pd.DataFrame(np.where(np.eye(4), np.nan, 1.0))}, na_features="drop"),
        lambda: mkc.evaluate({name: kernel.fillna(0) for name, kernel in kernels.items()}, "mean", psd="clip"),
        lambda: mkc.inspect(features, kernel=None),
        lambda: completer.save(tmp_path / "model.npz"),
        lambda: model.transform({name: table.to_numpy()[:, 1:] for name, table in features.items()}),
        lambda: model.transform(gaps),
        lambda: model.transform({name: table.T for name, table in features.items()}),
    ):
        with pytest.raises(mkc.InputError) as caught:
            call()
        assert caught.value.hint
        assert not re.search(r"--|[A-Z]{4}|per line|cell empty|command|=[a-z]*(,| )", caught.value.hint), caught.value


def test_ids_that_differ_in_spelling_are_warned_about(small):
    names = [f"s{i}" for i in range(14)]
    frames = {n: frame(k, ["S3" if n == "v0" and s == "s3" else s for s in names]) for n, k in small.items()}
    with pytest.warns(UserWarning, match="2 ids differ only in spelling.*loose"):
        mkc.complete(frames, method="mean")


def test_text_in_a_table_is_located():
    table = pd.DataFrame({"age": [1.0, 2.0, 3.0], "sex": ["m", "f", None]}, index=["a", "b", "c"])
    for call in (mkc.stack_views, mkc.complete):
        with pytest.raises(mkc.InputError, match="view 'clin'.*column 'sex' is 'm' for sample 'a'") as caught:
            call({"clin": table})
        assert "get_dummies" in caught.value.hint


def test_names_that_are_not_in_the_index():
    table = pd.DataFrame({"patient": ["a", "b"], "x": [1.0, 2.0]})
    with pytest.raises(mkc.InputError) as caught:
        mkc.compute_kernels({"rna": table})
    assert "df.set_index('patient')" in caught.value.hint


def test_input_without_views():
    for empty in ([], {}, ()):
        with pytest.raises(mkc.InputError, match="there is no view"):
            mkc.complete(empty)


@pytest.mark.parametrize("value, text", [(np.nan, "nan"), ("no", "'no'"), (pd.NA, "<NA>"), (2, "2"), (None, "None")])
def test_observed_must_be_true_or_false(small, value, text):
    mask = np.ones((14, 3), dtype=object)
    names = [f"s{i}" for i in range(14)]
    frames = {n: frame(np.nan_to_num(k) + np.eye(14), names) for n, k in small.items()}
    mkc.complete(frames, "mean", observed=mask, psd="ignore")
    mask[3, 1] = value
    for observed in (mask, pd.DataFrame(mask, names, list(small))):
        with pytest.raises(mkc.InputError, match=f"'observed' is {text} for sample 's3' in view 'v1'"):
            mkc.complete(frames, "mean", observed=observed, psd="ignore")


def test_observed_must_have_every_sample(three_views):
    kernels = mkc.compute_kernels(three_views)
    observed = pd.DataFrame(True, [f"p{i}" for i in range(20)], list(kernels))
    with pytest.raises(mkc.InputError, match="no row for sample 'p12' of view 'a'"):
        mkc.complete(kernels, "mean", observed=observed.drop("p12"))
    with pytest.raises(mkc.InputError, match="the sample of a row is not known") as caught:
        mkc.complete(kernels, "mean", observed=observed.to_numpy())
    assert "give a DataFrame" in caught.value.hint


@pytest.mark.parametrize(
    "values, what",
    [
        (pd.to_datetime(["2020-01-01"] * 16), "dates"),
        (pd.to_datetime(["2020-01-01"] * 16, utc=True), "dates"),
        (pd.to_timedelta(range(16)), "time differences"),
        (np.ones(16) * 1j, "complex numbers"),
    ],
)
def test_columns_that_are_not_numbers(three_views, values, what):
    three_views["a"] = three_views["a"].assign(when=values)
    calls = [mkc.MultiViewKernel().fit, mkc.stack_views]
    for call in calls if what == "dates" else [mkc.compute_kernels, *calls]:
        with pytest.raises(mkc.InputError, match=f"view 'a'.*column 'when' holds {what}"):
            call(three_views)


@pytest.mark.parametrize("dtype, what", [("M8[s]", "dates"), ("m8[s]", "time"), (complex, "complex")])
def test_arrays_that_are_not_numbers(dtype, what):
    with pytest.raises(mkc.InputError, match=f"view 'x': the values are {what}"):
        mkc.compute_kernels({"x": np.ones((4, 2), dtype=int).astype(dtype)})


def test_sparse_tables(three_views):
    arrays = {name: table.to_numpy()[:15] for name, table in three_views.items()}
    expected = mkc.compute_kernels(arrays)
    found = mkc.compute_kernels({name: scipy.sparse.csr_matrix(table) for name, table in arrays.items()})
    for name, kernel in expected.items():
        assert np.array_equal(found[name], kernel)


def test_invalid_options(small):
    with pytest.raises(mkc.OptionError, match="no method 'tranfer'.*did you mean 'transfer'"):
        mkc.complete(small, method="tranfer")
    with pytest.raises(mkc.OptionError, match="wknn has no option 'kk'"):
        mkc.complete(small, method="wknn", kk=3)
    with pytest.raises(mkc.OptionError, match="'-1' is not"):
        mkc.complete(small, method="wknn", k=-1)
    with pytest.raises(mkc.OptionError, match="psd"):
        mkc.complete(small, psd="clipp")
    with pytest.raises(TypeError, match="random_state"):
        mkc.complete(small, random_state="a")
    with pytest.raises(mkc.InputError, match="3 x 3.*14 samples"):
        mkc.complete(small, observed=np.ones((3, 3)))


def test_invalid_features(features):
    with pytest.raises(mkc.OptionError, match="kernel"):
        mkc.compute_kernels(features, "rbff")
    with pytest.raises(mkc.InputError, match="no view 'x'"):
        mkc.compute_kernels(features, {"x": "rbf"})
    features["protein"].iloc[0, 0] = np.nan
    with pytest.raises(mkc.InputError, match=rf"column '{features['protein'].columns[0]}'"):
        mkc.compute_kernels(features)
    assert mkc.compute_kernels(features, na_features="mean")["protein"].notna().all(axis=None)


def test_single_view(small):
    with pytest.raises(mkc.InputError, match="only view"):
        mkc.complete({"v0": small["v0"]})


def test_duplicated_sample(small):
    frames = {n: frame(k, [f"s{i}" for i in range(14)]) for n, k in small.items()}
    frames["v0"].index = frames["v0"].columns = pd.Index(["s0", "s0", *(f"s{i}" for i in range(2, 14))])
    with pytest.raises(mkc.InputError, match="'s0' appears twice"):
        mkc.complete(frames)


@pytest.mark.parametrize("name", ["x\x1b[31m", "x\nerror: forged", "x\u009b2J", "x\u202ey", "x\u2028y"])
def test_names_cannot_steer_a_terminal(small, name):
    hostile = {name: small["v0"], "b": small["v1"]}
    hostile[name] = np.where(np.isnan(hostile[name]), np.nan, hostile[name] - 1e3)
    with pytest.raises(mkc.InputError) as caught:
        mkc.complete(hostile)
    assert "x\\" in str(caught.value)
    assert not set(caught.value.what + caught.value.hint) & set("\x1b\n\u009b\u202e\u2028")
    with pytest.raises(mkc.OptionError) as caught:
        mkc.complete(small, method=name)
    assert not set(caught.value.what + caught.value.hint) & set("\x1b\n\u009b\u202e\u2028")


def test_few_shared_samples_are_a_warning():
    random = np.random.default_rng(0)
    a = pd.DataFrame(random.normal(size=(40, 3)), index=[f"s{i}" for i in range(40)])
    b = pd.DataFrame(random.normal(size=(40, 3)), index=[f"s{i}" for i in range(34, 74)])
    kernels = {name: table @ table.T for name, table in (("a", a), ("b", b))}
    with pytest.warns(UserWarning, match="shares only 6 samples with other views"):
        mkc.complete(kernels, method="knn")
    with pytest.raises(mkc.InputError, match="only 1 sample in common"):
        mkc.complete({"a": kernels["a"], "b": kernels["b"].iloc[5:, 5:]}, method="knn")


def test_errors_that_cannot_be_estimated_are_a_warning():
    ids = [f"s{i}" for i in range(40)]
    random = np.random.default_rng(0)
    kernels = {}
    for name, rows in (("a", ids[:36]), ("b", ids[4:]), ("c", ids[:3])):
        table = pd.DataFrame(random.normal(size=(len(rows), 3)), index=rows)
        kernels[name] = table @ table.T
    with pytest.warns(UserWarning, match="view 'c': none of its rows could be hidden"):
        found = mkc.complete(kernels, method="knn", quality=True)
    assert any("none of its rows" in notice for notice in found.notices)
