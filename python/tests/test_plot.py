"""Plots show the right data."""

import dataclasses

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd
import pytest

import mkc


@pytest.fixture(scope="module")
def completion():
    return mkc.complete(mkc.datasets.make_example(50, 0.25, 3).kernels, candidates=["transfer", "mean"])


@pytest.fixture(autouse=True)
def close():
    yield
    plt.close("all")


def test_missingness(kernels, features, example):
    for data in (kernels, features, mkc.inspect(kernels)):
        ax = mkc.plot.missingness(data)
        shown = np.asarray(ax.images[0].get_array())
        assert np.array_equal(shown.sum(axis=1), example.observed.sum())
        assert (np.diff(shown.sum(axis=0)) <= 0).all()  # most views first
    figure, own = plt.subplots()
    assert mkc.plot.missingness(kernels, sort=False, ax=own) is own
    assert np.array_equal(np.asarray(own.images[0].get_array()).T, example.observed)


def test_kernels(completion, kernels):
    for order in ("similarity", "observed", "input"):
        axes = mkc.plot.kernels(completion, order=order)
        assert [a.get_title().split(":")[0] for a in axes] == completion.views
        assert sorted(np.ravel(axes[0].images[0].get_array())) == sorted(np.ravel(completion.arrays[0]))
    with_gaps = mkc.plot.kernels(kernels, y=np.arange(60) % 3)
    assert np.isnan(np.asarray(with_gaps[0].images[0].get_array().filled(np.nan))).any()
    with pytest.raises(mkc.InputError, match="4 axes"):
        mkc.plot.kernels(kernels, ax=plt.subplots()[1])


def test_spectra(completion, kernels):
    ax = mkc.plot.spectra(completion, count=5)
    values = np.linalg.eigvalsh(completion.arrays[0])[::-1]
    assert np.allclose(ax.lines[0].get_ydata(), 100 * values[:5] / values[values > 0].sum())
    assert len(mkc.plot.spectra(kernels).lines) == 4


@pytest.mark.filterwarnings("ignore")
def test_convergence(kernels, completion):
    found = mkc.complete(kernels, method="embd_ht", c1=1, c2=0.01, max_iter=20)
    assert np.array_equal(mkc.plot.convergence(found).lines[0].get_ydata(), found.objective)
    assert "no iterations" in mkc.plot.convergence(mkc.complete(kernels, method="mean")).texts[0].get_text()


def test_relations(kernels):
    found = mkc.complete(kernels, method="app", c2=0.1)
    assert np.array_equal(mkc.plot.relations(found).images[0].get_array(), found.view_relations)
    with pytest.raises(mkc.InputError, match="learns no relations"):
        mkc.plot.relations(mkc.complete(kernels, method="mean"))
    with pytest.raises(mkc.InputError, match="a completion is needed"):
        mkc.plot.relations(kernels)


def test_quality(completion, kernels):
    ax = mkc.plot.quality(completion)
    shown = np.concatenate([line.get_ydata() for line in ax.lines])
    assert sorted(shown) == sorted(100 * completion.quality["relative_error"])
    with pytest.raises(mkc.InputError, match="quality=True"):
        mkc.plot.quality(mkc.complete(kernels, method="mean"))


def test_reason_for_missing_quality(kernels, example):
    few = {name: kernel.iloc[:4, :4].copy() for name, kernel in example.truth.items()}
    for kernel in list(few.values())[:2]:
        kernel.iloc[0] = kernel.iloc[:, 0] = np.nan
    for given, why in ((few, "errors are not estimated"), (example.truth, "nothing is missing")):
        with pytest.raises(mkc.InputError, match=why) as caught:
            mkc.plot.quality(mkc.complete(given, method="mean", quality=True))
        assert not caught.value.hint


def test_classes_are_matched_by_name(completion):
    y = pd.Series([f"g{i % 3}" for i in range(50)], completion.samples)
    for call in (mkc.plot.embedding, mkc.plot.kernels):
        ours, moved = (call(completion, y=z) for z in (y, y.sample(frac=1, random_state=0)))
        if call is mkc.plot.kernels:
            assert np.array_equal(ours[0].images[0].get_array(), moved[0].images[0].get_array())
        else:
            assert all(
                np.array_equal(a.get_edgecolors(), b.get_edgecolors())
                for a, b in zip(ours.collections, moved.collections)
            )
        with pytest.raises(mkc.InputError, match="2 classes, but there are 50"):
            call(completion, y=["a", "b"])
        with pytest.raises(mkc.InputError, match="'X1', which no view has"):
            call(completion, y=pd.Series(["a"], ["X1"]))


def test_many_classes_and_numbers(completion):
    def legend(y):
        ax = mkc.plot.embedding(completion, y=y)
        return [text.get_text() for text in ax.get_legend().get_texts()], len(ax.figure.axes) > 1

    assert legend(np.arange(50) % 4) == (["0", "1", "2", "3", "lacked a view"], False)
    assert len(legend([f"c{i % 10}" for i in range(50)])[0]) == 11
    entries, _ = legend([f"c{i % 30}" for i in range(50)])
    assert len(entries) == 10 and entries[-2:] == ["22 other classes", "lacked a view"]
    assert legend(["a", None] * 25)[0] == ["a", "no class", "lacked a view"]
    with_gap = pd.Series([None, *range(49)], completion.samples, dtype="Int64")
    for numbers in (np.linspace(0, 1, 50), np.arange(50), with_gap):
        assert legend(numbers) == (["lacked a view"], True)


def test_kernels_of_zeros(kernels):
    kernels["protein"] = kernels["protein"] * 0
    with np.errstate(invalid="raise", divide="raise"):
        mkc.plot.kernels(kernels)
        mkc.plot.spectra(kernels)


def test_invalid_order(completion):
    with pytest.raises(mkc.OptionError, match="'similarty' is not one of similarity, observed, input"):
        mkc.plot.kernels(completion, order="similarty")


def test_long_names_do_not_overlap(completion):
    names = {view: f"{view} measured in the laboratory of the first hospital" for view in completion.views}
    here = completion.observed
    kernels = {names[v]: k.where(np.outer(here[v], here[v])) for v, k in completion.frames.items()}
    long = mkc.complete(kernels, candidates=["mean"])
    for texts in ([axis.title for axis in mkc.plot.kernels(long)], mkc.plot.quality(long).get_xticklabels()):
        figure = texts[0].get_figure()
        figure.canvas.draw()
        boxes = [text.get_tightbbox(figure.canvas.get_renderer()) for text in texts]
        if texts[0].get_rotation() == 0:
            assert not any(a.overlaps(b) for a, b in zip(boxes, boxes[1:]))
        assert all("\n" in text.get_text() for text in texts)


def test_embedding(completion):
    ax = mkc.plot.embedding(completion, y=np.arange(50) % 4)
    drawn = sum(len(c.get_offsets()) for c in ax.collections)
    assert drawn == 50
    K = np.asarray(mkc.combine(completion))
    mkc.plot.embedding(K)


def test_titles_say_missing_or_completed(completion, kernels):
    lost = (~completion.observed).sum()
    titles = [f"{view}: {lost[view]} completed" for view in completion.views]
    assert [axis.get_title() for axis in mkc.plot.kernels(completion)] == titles
    assert all("missing" in axis.get_title() for axis in mkc.plot.kernels(kernels))


def test_the_diagonal_does_not_set_the_scale(example):
    peaked = {name: kernel + 1000 * np.eye(60) for name, kernel in example.truth.items()}
    for before, after in zip(mkc.plot.kernels(example.truth), mkc.plot.kernels(peaked)):
        assert after.images[0].get_clim() == before.images[0].get_clim()
        assert after.images[0].colorbar.extend == "max"


def test_classes_are_shown_above_heat_maps(completion):
    y = pd.Series([f"g{i % 6}" for i in range(50)], completion.samples)
    axes = mkc.plot.kernels(completion, y=y)
    for axis in axes:
        (strip,) = axis.child_axes
        (colours,) = np.asarray(strip.images[0].get_array())
        changes = (np.abs(np.diff(colours, axis=0)).sum(axis=1) > 0).sum()
        assert len(colours) == 50 and changes == 5  # sorted by class
    assert [text.get_text() for text in axes[0].figure.legends[0].get_texts()] == sorted(set(y))
    figure, own = plt.subplots(1, 4)
    mkc.plot.kernels(completion, y=y, ax=own)
    assert len(own[0].get_legend().get_texts()) == 6 and not mkc.plot.kernels(completion)[0].child_axes


def test_numbers_are_shown_above_heat_maps(completion):
    ages = np.random.default_rng(0).permutation(50) * 3.0
    axes = mkc.plot.kernels(completion, y=ages)
    (colours,) = np.asarray(axes[0].child_axes[0].images[0].get_array())
    assert len(np.unique(colours, axis=0)) > 40 and not axes[0].figure.legends
    rows = np.argsort(ages)
    assert np.array_equal(axes[0].images[0].get_array(), completion.arrays[0][np.ix_(rows, rows)])


def test_no_class_has_the_colour_of_a_mark(completion):
    ax = mkc.plot.embedding(completion, y=[f"c{i % 10}" for i in range(50)])
    handles, labels = ax.get_legend_handles_labels()
    colours = {label: tuple(handle.get_edgecolors()[0]) for handle, label in zip(handles, labels)}
    assert len(set(colours.values())) == len(colours) == 11


def test_many_intervals_stay_apart(completion):
    many = completion.quality.loc[completion.quality.index.repeat(12)]
    crowded = dataclasses.replace(completion, quality=many)
    ax = mkc.plot.quality(crowded)
    ax.figure.canvas.draw()
    width = ax.transData.transform([1, 0])[0] - ax.transData.transform([0, 0])[0]  # pixels of a view
    for intervals in ax.collections[:4]:
        places = sorted(segment[0][0] for segment in intervals.get_segments())
        pixels = np.diff(places) * width
        assert len(places) <= 24 and pixels.min() > 1.5 * intervals.get_linewidths()[0] * ax.figure.dpi / 72
    assert sum(len(line.get_ydata()) for line in ax.lines) == len(many)
