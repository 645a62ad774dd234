"""Labels as y: classes, numbers, and times with events."""

import numpy as np
import pandas as pd
import pytest

import mkc


@pytest.fixture(scope="module")
def cohort():
    """Kernels of 40 samples in two views; numbers and times follow the first."""
    random = np.random.default_rng(2)
    names = [f"s{i}" for i in range(40)]
    X = {view: random.normal(size=(40, 3)) for view in "ab"}
    kernels = {view: pd.DataFrame(x @ x.T, names, names) for view, x in X.items()}
    score = pd.Series(X["a"][:, 0], names, name="score")
    survival = pd.DataFrame({"days": 100 * np.exp(-2 * score), "died": (np.arange(40) % 4 > 0).astype(int)}, names)
    return kernels, score, survival


def centred(K):
    return K - K.mean(0) - K.mean(1)[:, None] + K.mean()


def test_weights_by_numbers_are_alignments_with_their_products(cohort):
    kernels, score, _ = cohort
    wanted = centred(np.outer(score, score))
    parts = [centred(K.to_numpy()) for K in kernels.values()]
    align = np.array([max(0, (K * wanted).sum() / np.linalg.norm(K) / np.linalg.norm(wanted)) for K in parts])
    found = mkc.KernelCombiner("alignment").fit(kernels, score).weights_
    assert found.to_numpy() == pytest.approx(align / align.sum())


@pytest.mark.parametrize("weights", ["alignment", "alignf"])
def test_survival_may_be_a_frame_an_array_or_structured(cohort, weights):
    kernels, _, survival = cohort
    structured = np.array(
        [(bool(died), days) for days, died in survival.to_numpy()], dtype=[("died", bool), ("days", float)]
    )  # as scikit-survival: the event first
    expected = mkc.combine(kernels, weights, y=survival)
    assert mkc.KernelCombiner(weights).fit(kernels, survival).weights_["a"] > 0.6
    # arrays are in the order of the samples
    arrays = {view: K.to_numpy() for view, K in kernels.items()}
    for y in (survival.to_numpy(), structured):
        assert np.allclose(mkc.combine(arrays, weights, y=y, label_type="survival"), expected)


def test_samples_without_a_label_play_no_part(cohort):
    kernels, score, _ = cohort
    some = score.copy()
    some.iloc[25:] = np.nan
    few = {view: K.iloc[:25, :25] for view, K in kernels.items()}
    weights = mkc.KernelCombiner("alignment").fit(few, score.iloc[:25]).weights_
    assert np.allclose(mkc.KernelCombiner("alignment").fit(kernels, some).weights_, weights)


def test_weak_evidence_is_a_question_in_the_words_of_python(cohort):
    kernels, _, _ = cohort
    doses = pd.Series([0.5 * (i % 4) for i in range(40)], kernels["a"].index)
    with pytest.raises(mkc.InputError, match="classes, or numbers") as caught:
        mkc.combine(kernels, "alignment", y=doses)
    assert "label_type='numbers'" in caught.value.hint and "--" not in caught.value.hint
    as_numbers = mkc.combine(kernels, "alignment", y=doses, label_type="numbers")
    assert not np.allclose(as_numbers, mkc.combine(kernels, "alignment", y=doses, label_type="classes"))


def test_wrong_labels_are_refused(cohort):
    kernels, score, survival = cohort
    with pytest.raises(mkc.OptionError, match="label_type"):
        mkc.combine(kernels, "alignment", y=score, label_type="words")
    with pytest.raises(mkc.InputError, match="y has 3 columns"):
        mkc.combine(kernels, "alignment", y=survival.assign(more=1))
    with pytest.raises(mkc.InputError, match="negative"):
        mkc.combine(kernels, "alignment", y=survival.assign(days=-1.0))


def test_evaluate_scores_numbers_and_survival(cohort):
    kernels, score, survival = cohort
    gappy = {"a": kernels["a"], "b": kernels["b"].iloc[5:, 5:]}
    numbers = mkc.evaluate(gappy, "mean", y=score, repeats=2)
    assert numbers.attrs["labels"].startswith("numbers (score: 40 different numbers from")
    assert numbers["r2"].max() > 0.9 and "accuracy" not in numbers
    times = mkc.evaluate(gappy, "mean", y=survival, repeats=2)
    assert times["concordance"].max() > 0.6 and times["standard_error"].notna().any() and "r2" not in times
