"""Arguments common to several functions."""

import inspect
import sys
import typing
import warnings

import numpy as np
import pytest

import mkc
from mkc._run import option_text, seed_of, threads_of


def test_samples(kernels, example):
    whole = example.observed.index[example.observed.all(axis=1)]
    some = [*example.observed.index[5:40]]
    with_all = mkc.complete(kernels, method="mean", samples="intersection")
    assert list(with_all.samples) == list(whole)
    listed = mkc.complete(kernels, method="mean", samples=some)
    assert list(listed.samples) == some and listed["protein"].shape == (35, 35)
    with pytest.raises(mkc.InputError, match="'S999'"):
        mkc.complete(kernels, samples=["S001", "S999"])
    with pytest.raises(mkc.InputError, match="neither 'union'"):
        mkc.complete(kernels, samples="all")


def test_seeds(arrays):
    assert seed_of(None) == 0 and seed_of(np.int64(7)) == 7
    first = seed_of(np.random.default_rng(3))
    assert first == seed_of(np.random.default_rng(3)) != seed_of(np.random.default_rng(4))
    assert seed_of(np.random.RandomState(3)) == seed_of(np.random.RandomState(3))
    a, b = (mkc.complete(arrays, method="transfer", random_state=np.random.RandomState(1)).seed for _ in range(2))
    assert a == b > 0


def test_threads():
    every = threads_of(-1)
    assert threads_of(None) == 1 and threads_of(3) == 3 and every >= 1
    assert threads_of(-2) == max(1, every - 1)


@pytest.mark.parametrize(
    "options, message",
    [
        ({"method": None}, "method: None is not the name of a method"),
        ({"quality": "yes"}, "quality: 'yes' is not True or False"),
        ({"center": "no"}, "center: 'no' is not True or False"),
        ({"fitted": 1}, "fitted: 1 is not True or False"),
        ({"psd": None}, "psd: None is not a string"),
        ({"n_jobs": "2"}, "n_jobs: '2' is not a number of threads"),
        ({"n_jobs": 0}, "n_jobs: 0 is not a number of threads"),
        ({"random_state": -1}, "random_state: -1 is not from 0"),
        ({"random_state": 2**64}, "random_state: 18446744073709551616 is not from 0"),
    ],
)
def test_invalid_values_of_complete(arrays, options, message):
    with pytest.raises(mkc.OptionError, match=message):
        mkc.complete(arrays, **{"method": "mean", **options})


@pytest.mark.parametrize(
    "options, message",
    [
        ({"methods": [None]}, "method: None"),
        ({"repeats": 0}, "repeats: 0 is not an integer >= 1"),
        ({"repeats": 1.5}, "repeats: 1.5 is not"),
        ({"fraction": 0}, "fraction: 0 is not a number between 0 and 1"),
        ({"fraction": 2}, "fraction: 2 is not"),
        ({"fraction": np.nan}, "fraction: nan is not"),
        ({"views_missing": -1}, "views_missing: -1"),
        ({"mechanism": None}, "mechanism: None is not a string"),
        ({"quality": 1}, "quality: 1"),
    ],
)
def test_invalid_values_of_evaluate(arrays, options, message):
    with pytest.raises(mkc.OptionError, match=message):
        mkc.evaluate(arrays, **{"methods": "mean", **options})


@pytest.mark.parametrize("p", [-0.1, 1.1, np.nan, "a", None])
def test_invalid_share_of_ampute(arrays, p):
    with pytest.raises(mkc.OptionError, match="p: .* is not a number from 0 to 1"):
        mkc.ampute(arrays, p)


def test_ampute_with_share_zero_hides_nothing(features):
    for name, frame in mkc.ampute(features, 0).items():
        assert frame.equals(features[name])


def test_type_hints_can_be_resolved():
    for name in mkc.__all__:
        thing = getattr(mkc, name)
        for function in vars(thing).values() if isinstance(thing, type) else [thing]:
            if inspect.isfunction(function):
                typing.get_type_hints(function)


def test_warnings_point_to_the_line_of_the_user(three_views):
    three_views["a"]["a0"] = 1.0
    misspelt = {**three_views, "b": three_views["b"].rename(index={"p5": "P5"})}
    for call in (
        lambda: mkc.compute_kernels(three_views, "jaccard"),
        lambda: mkc.complete(mkc.compute_kernels(misspelt), method="mean"),
        lambda: mkc.KernelCompleter("embd_ht", options={"max_iter": 1, "tol": 0}).fit(mkc.compute_kernels(three_views)),
    ):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            call()
        assert caught and {warning.filename for warning in caught} == {__file__}


def test_option_values_as_text():
    assert option_text(True) == "yes" and option_text(np.bool_(False)) == "no"
    assert option_text(0.1) == "0.1" and option_text(np.float64(1e-8)) == "1e-08" and option_text(7) == "7"
    assert option_text(["knn", "mean"]) == "knn+mean"


def test_input_is_not_changed(arrays, kernels):
    before = {name: kernel.copy() for name, kernel in arrays.items()}
    for kernel in arrays.values():
        kernel.flags.writeable = False
    found = mkc.complete(arrays, method="transfer")
    mkc.evaluate(arrays, "mean", repeats=1)
    found.arrays[0][:] = 0  # the result does not share memory with the input
    for name, kernel in arrays.items():
        assert np.array_equal(kernel, before[name], equal_nan=True)


def test_import_loads_no_optional_modules():
    """Modules for plots and containers are imported where they are used."""
    import subprocess

    modules = ("matplotlib", "mudata", "tqdm", "sklearn.datasets")
    code = f"import sys, mkc; print([m for m in {modules} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", code], text=True, capture_output=True, cwd="/")
    assert done.stdout.strip() == "[]", done
