"""The same data in any kind of container, wherever views are given."""

import matplotlib.pyplot
import numpy as np
import pandas as pd
import polars
import pyarrow
import pytest
import scipy.sparse

import mkc

matplotlib.use("Agg")
REALLY = 1e6  # under a mask: a value that would show


def masked(values):
    """NaN as a mask over other values."""
    values = np.asarray(values)
    return np.ma.MaskedArray(np.where(np.isnan(values), REALLY, values), np.isnan(values))


def as_polars(frame):
    return polars.DataFrame({"patient": list(frame.index), **{str(c): frame[c].to_numpy() for c in frame}})


def as_pyarrow(frame):
    return pyarrow.table({"patient": list(frame.index), **{str(c): frame[c].to_numpy() for c in frame}})


def equal(found, expected):
    if isinstance(expected, dict):
        assert list(found) == list(expected)
        found, expected = list(found.values()), list(expected.values())
    for a, b in zip(found, expected, strict=True):
        assert np.array_equal(numbers(a), numbers(b), equal_nan=True)


def numbers(table):
    """The values of a table without its column of names."""
    if isinstance(table, polars.DataFrame):
        return table[:, 1:].to_numpy()
    if isinstance(table, pyarrow.Table):
        return np.column_stack([column.to_numpy() for column in table.columns[1:]])
    return np.asarray(table)


@pytest.fixture
def whole(three_views):
    """Features as arrays, NaN rows where a sample lacks the view."""
    names = [f"p{i}" for i in range(20)]
    return {name: frame.reindex(names).to_numpy() for name, frame in three_views.items()}


# Masked arrays


def test_masked_kernels_are_kernels_with_missing_samples(arrays):
    hidden = {name: masked(kernel) for name, kernel in arrays.items()}
    expected = mkc.complete(arrays, "transfer")
    for given in (hidden, list(hidden.values()), np.ma.stack(list(hidden.values()))):
        found = mkc.complete(given, "transfer")
        equal(found.arrays, expected.arrays)
        assert not np.ma.isMaskedArray(found.kernels)
    stack = np.ma.stack(list(hidden.values()))
    equal(mkc.KernelCompleter("mean").fit_transform(stack), mkc.complete(list(arrays.values()), "mean").arrays)
    assert mkc.inspect(hidden).observed.equals(mkc.inspect(arrays).observed)
    scores = [mkc.evaluate(given, "mean", repeats=1)["are"] for given in (hidden, arrays)]
    assert scores[0].equals(scores[1])
    equal(mkc.ampute(hidden, 0.2), mkc.ampute(arrays, 0.2))
    shown = mkc.plot._observed(hidden)
    assert np.array_equal(shown, mkc.plot._observed(arrays))


def test_partly_masked_kernel_rows_are_refused_as_nan_is(arrays):
    kernel = np.ma.MaskedArray(arrays["protein"].copy())
    here = np.flatnonzero(~np.isnan(arrays["protein"]).all(axis=1))
    kernel[here[0], here[1]] = kernel[here[1], here[0]] = np.ma.masked
    spoilt = arrays["protein"].copy()
    spoilt[here[0], here[1]] = spoilt[here[1], here[0]] = np.nan
    texts = []
    for given in (kernel, spoilt):
        with pytest.raises(mkc.InputError) as caught:
            mkc.complete({**arrays, "protein": given})
        texts.append(str(caught.value))
    assert texts[0] == texts[1]


def test_masked_features_are_missing_values(whole):
    hidden = {name: masked(table) for name, table in whole.items()}
    expected = mkc.compute_kernels(whole)
    for given in (hidden, list(hidden.values())):
        found = mkc.compute_kernels(given)
        equal(found if isinstance(found, list) else list(found.values()), list(expected.values()))
    equal(mkc.MultiViewKernel().fit_transform(hidden), expected)
    equal(mkc.MultiViewKernel().fit(whole).transform(hidden), mkc.MultiViewKernel().fit(whole).transform(whole))
    equal(mkc.stack_views(hidden).to_numpy(), mkc.stack_views(whole).to_numpy())
    stacked = mkc.stack_views(whole).to_numpy()
    split = mkc.StackedViews({"x": slice(0, 4), "y": slice(4, 9)}).fit(masked(stacked))
    equal(split.transform(masked(stacked)), split.transform(stacked))
    hidden["a"][5, 2] = np.ma.masked
    with pytest.raises(mkc.InputError, match="view 'a'.*sample '5'|view 'a'.*column"):
        mkc.compute_kernels(hidden)
    whole["a"][5, 2] = np.nan
    equal(mkc.compute_kernels(hidden, na_features="mean"), mkc.compute_kernels(whole, na_features="mean"))


@pytest.mark.parametrize("dtype", [np.int64, np.uint8, np.float32, bool, object])
def test_masks_of_other_types(dtype):
    table = np.arange(24).reshape(8, 3) % 5
    hidden = np.ma.MaskedArray(table.astype(dtype), mask=np.zeros((8, 3), dtype=bool))
    hidden[2] = np.ma.masked
    expected = table.astype(dtype).astype(float)
    expected[2] = np.nan
    found = mkc.compute_kernels({"a": hidden}, "linear")["a"]
    assert np.isnan(found[2]).all() and np.allclose(
        found, mkc.compute_kernels({"a": expected}, "linear")["a"], equal_nan=True
    )
    rows = mkc.compute_kernels([[hidden[i] for i in range(8)]], "linear")  # a list of masked rows
    assert np.isnan(rows[0][2]).all()


def test_masks_of_single_tables_new_samples_and_models(arrays, tmp_path):
    completer = mkc.KernelCompleter("transfer").fit(arrays)
    new = {name: kernel[:5] for name, kernel in arrays.items()}
    hidden = {name: masked(rows) for name, rows in new.items()}
    equal(completer.transform(hidden), completer.transform(new))
    completer.save(tmp_path / "m.npz")
    model = mkc.load(tmp_path / "m.npz")
    equal(model.transform(hidden), model.transform(new))
    alone = np.ma.MaskedArray(np.eye(6), mask=False)
    alone[0, 0] = np.ma.masked
    with pytest.raises(ValueError, match="NaN"):
        mkc.KernelCombiner().fit(alone)
    with pytest.raises(mkc.InputError, match="NaN"):
        mkc.combine([alone, np.eye(6)])


def test_masked_arguments(arrays):
    observed = np.ma.MaskedArray(np.ones((60, 4), dtype=bool))
    observed[3, 1] = np.ma.masked
    with pytest.raises(mkc.InputError, match="'observed' is 'masked' for sample '3'"):
        mkc.complete(arrays, "mean", observed=observed)
    y = np.ma.MaskedArray(np.arange(60) % 3)
    y[:30] = np.ma.masked
    scored = mkc.evaluate(arrays, "mean", y=y, repeats=1)
    assert scored["samples"].max() == 30
    with pytest.raises(mkc.OptionError, match="4 numbers"):
        mkc.combine(mkc.complete(arrays, "mean"), np.ma.MaskedArray(np.ones(4), [True, False, False, False]))


# Other packages


@pytest.mark.parametrize("convert, kind", [(as_polars, polars.DataFrame), (as_pyarrow, pyarrow.Table)])
def test_tables_of_other_packages(three_views, convert, kind):
    kernels = mkc.compute_kernels(three_views)
    expected = mkc.complete(kernels, "transfer").kernels
    given = {name: convert(frame) for name, frame in three_views.items()}
    computed = mkc.compute_kernels(given)
    assert all(isinstance(kernel, kind) for kernel in computed.values())
    equal(computed, kernels)
    completion = mkc.complete(computed, "transfer")
    equal(completion.kernels, expected)
    assert all(isinstance(kernel, kind) for kernel in completion.kernels.values())
    assert list(completion.frames["a"].index) == list(expected["a"].index)
    for name, kernel in completion.kernels.items():
        names = kernel.columns if kind is polars.DataFrame else kernel.column_names
        assert names == ["patient", *expected[name].columns]
    steps = (mkc.MultiViewKernel(), mkc.KernelCompleter("transfer"), mkc.KernelCombiner())
    data, reference = given, three_views
    for step in steps:
        data, reference = step.fit_transform(data), step.fit_transform(reference)
    assert np.array_equal(data, reference)
    new = {name: convert(frame.iloc[:3]) for name, frame in three_views.items()}
    fitted = mkc.MultiViewKernel().fit(given)
    equal(fitted.transform(new), fitted.transform({name: frame.iloc[:3] for name, frame in three_views.items()}))
    pd.testing.assert_frame_equal(mkc.stack_views(given), mkc.stack_views(three_views), check_names=False)
    assert mkc.inspect(computed).n_samples == 20 and isinstance(mkc.ampute(given)["a"], kind)
    assert len(mkc.evaluate(computed, "mean", repeats=1)) > 0
    assert mkc.combine(list(completion.kernels.values())).shape == (20, 20)
    alone = mkc.MultiViewKernel().fit_transform(given["a"])
    assert isinstance(alone, kind) and np.array_equal(numbers(alone), kernels["a"])


def test_nulls_are_missing_values(three_views):
    frame = three_views["a"].copy()
    frame.iloc[2, 1] = np.nan
    expected = mkc.compute_kernels({"a": frame}, na_features="mean")["a"]
    columns = {"id": list(frame.index), **{c: [None if np.isnan(v) else v for v in frame[c]] for c in frame}}
    for given in (polars.DataFrame(columns), pyarrow.table(columns), polars.DataFrame(columns).lazy()):
        assert np.array_equal(numbers(mkc.compute_kernels({"a": given}, na_features="mean")["a"]), expected)


def test_column_of_the_sample_names():
    numbered = polars.DataFrame({"x": [1.0, 2.0, 4.0], "Sample": [7, 8, 9]})
    kernel = mkc.compute_kernels({"a": numbered}, "linear", scale="none")["a"]
    assert kernel.columns == ["Sample", "7", "8", "9"] and kernel["7"].to_list() == [1.0, 2.0, 4.0]
    with pytest.raises(mkc.InputError, match="view 'a': a polars table has no column of sample names") as caught:
        mkc.compute_kernels({"a": numbered.drop("Sample")})
    assert "call their column 'sample'" in caught.value.hint
    with pytest.raises(mkc.InputError, match="view 'a'.*'g' appears twice"):
        mkc.compute_kernels({"a": pyarrow.table({"name": ["g", "g"], "x": [1.0, 2.0]})})
    with pytest.raises(mkc.InputError, match="column 'sex': 'f' is not a number"):
        mkc.compute_kernels({"a": polars.DataFrame({"name": ["g", "h"], "sex": ["f", "m"]})})


def test_stacked_tables_of_polars(three_views):
    table = mkc.stack_views(three_views)
    columns = [f"{view}-{name}" for view, name in table.columns]
    views = {name: [c for c in columns if c.startswith(name)] for name in "abc"}
    flat = polars.DataFrame(table.to_numpy(), schema=columns)  # scikit-learn's tables have no names
    split = mkc.StackedViews(views).fit(flat)
    parts = split.transform(flat)
    assert isinstance(parts["a"], polars.DataFrame) and parts["a"].columns[1:] == views["a"]
    equal(parts, split.transform(table.set_axis(columns, axis=1)))


def test_lists_of_new_samples_are_taken_by_position(three_views, tmp_path):
    maker = mkc.MultiViewKernel()
    kernels = maker.fit_transform(three_views)
    completer = mkc.KernelCompleter("mean").fit(kernels)
    combiner = mkc.KernelCombiner().fit(completer.kernels_)
    new = {name: frame.iloc[:4] for name, frame in three_views.items()}
    rows, listed = maker.transform(new), maker.transform(list(new.values()))
    assert isinstance(listed, list)
    equal(listed, list(rows.values()))
    done = completer.transform(rows)
    equal(completer.transform(listed), list(done.values()))
    assert np.array_equal(combiner.transform(list(done.values())), combiner.transform(done))
    completer.save(tmp_path / "m.npz", kernel=maker)
    model = mkc.load(tmp_path / "m.npz")
    equal(model.transform(list(new.values())), model.transform(new))
    assert completer.score(listed) == completer.score(rows)
    table = mkc.stack_views(three_views)
    split = mkc.StackedViews().fit(table)
    assert split.inverse_transform(list(split.transform(table).values())).equals(table)


def test_names_and_classes_of_pyarrow_and_polars(kernels):
    for text in (pyarrow.array(["b", "a"]).dictionary_encode(), pyarrow.array(["b", "a"], pyarrow.large_string())):
        batch = pyarrow.record_batch({"name": text, "x": pyarrow.array([1, None]), "y": pyarrow.array([True, False])})
        found = mkc.compute_kernels({"v": batch}, "linear", na_features="mean")["v"]
        assert found.column_names == ["name", "b", "a"]
    for dtype in (polars.Categorical, polars.Enum(["a", "b"])):
        table = polars.DataFrame({"name": polars.Series(["b", "a"], dtype=dtype), "x": [1.0, 2.0]})
        assert mkc.compute_kernels({"v": table})["v"].columns == ["name", "b", "a"]
    texts = ["a", None, "b"] * 20
    expected = mkc.evaluate(kernels, "mean", y=texts, repeats=1)["accuracy"]
    for y in (pyarrow.array(texts), pyarrow.chunked_array([texts]), polars.Series(texts)):
        assert mkc.evaluate(kernels, "mean", y=y, repeats=1)["accuracy"].equals(expected)


def test_plots_of_single_tables(example):
    kernel = example.truth["protein"]
    for given in (kernel, kernel.to_numpy(), masked(kernel), as_polars(kernel), [kernel]):
        ax = mkc.plot.embedding(given)
        assert len(ax.collections[0].get_offsets()) == 60
    matplotlib.pyplot.close("all")


def test_set_output_polars(arrays):
    done = mkc.KernelCompleter("mean").set_output(transform="polars").fit_transform(arrays)
    assert isinstance(done["protein"], polars.DataFrame) and done["protein"].columns[0] == "sample"
    equal(done, mkc.complete(arrays, "mean").kernels)
    combined = mkc.KernelCombiner().set_output(transform="polars").fit_transform(done)
    assert isinstance(combined, polars.DataFrame) and combined.shape == (60, 60)
    with pytest.raises(ValueError, match="'arrow' is not one of"):
        mkc.KernelCompleter().set_output(transform="arrow")


def test_sparse_matrices(whole):
    tables = {name: table[4:8] for name, table in whole.items()}
    kinds = (scipy.sparse.csr_matrix, scipy.sparse.csc_array, scipy.sparse.dok_matrix)
    for kind in kinds:
        equal(mkc.compute_kernels({n: kind(t) for n, t in tables.items()}), mkc.compute_kernels(tables))
        alone = mkc.MultiViewKernel().fit_transform(kind(tables["a"]))
        assert np.array_equal(alone, mkc.compute_kernels({"a": tables["a"]})["a"])


# Views that cannot be joined


@pytest.mark.parametrize("call", [mkc.stack_views, mkc.compute_kernels, mkc.MultiViewKernel().fit])
def test_tables_that_share_no_sample_are_refused(three_views, call):
    apart = {**three_views, "c": three_views["c"].rename(index=lambda name: f"{int(name[1:]) + 70}")}
    with pytest.raises(mkc.InputError, match="view 'c'.*has no sample in common") as caught:
        call(apart)
    assert "df.T" in caught.value.hint
    twice = {**three_views, **{f"{n}2": t.rename(index=lambda name: f"o{name}") for n, t in three_views.items()}}
    with pytest.raises(mkc.InputError, match="no sample ties the views 'a', 'b', 'c'"):
        call(twice)
    gone = {name: frame.copy() for name, frame in three_views.items()}
    gone["b"].iloc[:] = np.nan
    with pytest.raises(mkc.InputError, match="view 'b': no sample has a value"):
        call(gone)


def test_stack_views_takes_any_kind(three_views, whole):
    expected = mkc.stack_views(three_views).sort_index()
    by_array = mkc.stack_views(whole)
    assert list(by_array.index) == list(range(20)) and list(by_array.columns[:2]) == [("a", 0), ("a", 1)]
    listed = mkc.stack_views(list(three_views.values()))
    assert listed.columns.get_level_values(0).unique().tolist() == ["view0", "view1", "view2"]
    assert np.array_equal(listed.sort_index(), expected, equal_nan=True)


# Functions as kernels


def product(A, B):
    return A @ B.T


def test_functions_as_kernels(three_views):
    expected = mkc.compute_kernels(three_views, "linear", scale="none")
    found = mkc.compute_kernels(three_views, product)
    for name, kernel in expected.items():
        assert np.allclose(found[name], kernel, rtol=1e-12) and list(found[name].index) == list(kernel.index)
    mixed = mkc.compute_kernels(three_views, {"a": product, "b": {"kernel": product}}, gamma=0.1)
    assert np.allclose(mixed["b"], expected["b"]) and np.allclose(np.diag(mixed["c"]), 1)
    fitted = mkc.MultiViewKernel(product).fit(three_views)
    named = mkc.MultiViewKernel("linear", scale="none").fit(three_views)
    new = {name: frame.iloc[:3] for name, frame in three_views.items()}
    found, expected = fitted.transform(new), named.transform(new)
    for name in new:
        assert np.allclose(found[name], expected[name]) and np.allclose(found.diagonals[name], expected.diagonals[name])
    summary = mkc.inspect(three_views, kernel={"a": product})
    assert summary.views.loc["a", "kind"] == "kernel" and summary.n_samples == 20


def test_functions_that_are_not_kernels(three_views):
    for function, message in (
        (
            lambda A, B: A @ B.T[:, :-1],
            "view 'a': the kernel function '<lambda>' returned shape .16, 15. for 16 and 16",
        ),
        (lambda A, B: "no", "does not return numbers"),
        (lambda A, B: np.full((len(A), len(B)), np.nan), "returned NaN or infinite"),
        (lambda A, B: np.arange(len(A) * len(B), dtype=float).reshape(len(A), len(B)), "not symmetric"),
    ):
        for call in (mkc.compute_kernels, lambda views, f: mkc.MultiViewKernel(f).fit(views)):
            with pytest.raises(mkc.InputError, match=message):
                call(three_views, function)
    with pytest.raises(mkc.OptionError, match="a function, which has no option 'gamma'"):
        mkc.compute_kernels(three_views, product, gamma=1.0)


def test_model_with_a_function_expects_kernel_rows(three_views, tmp_path):
    maker = mkc.MultiViewKernel({"a": product})
    completer = mkc.KernelCompleter("mean").fit(maker.fit_transform(three_views))
    completer.save(tmp_path / "m.npz", kernel=maker)
    assert mkc.load(tmp_path / "m.npz").kinds == {"a": "kernel", "b": "features", "c": "features"}
