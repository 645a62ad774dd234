"""Which row is which sample: ids, sample_map, replicates and zero_rows, in functions and estimators."""

import numpy as np
import pandas as pd
import pytest
from sklearn.pipeline import make_pipeline

import mkc

GENES = [f"ENSG{i:011d}" for i in range(12)]


def patient(i):
    return f"TCGA-OR-A{i:03d}"


def table(rows, names, seed, columns=12):
    """Features of patients that depend on three numbers of each patient."""
    rng = np.random.default_rng(seed)
    factors = np.random.default_rng(0).normal(size=(60, 3))[rows]
    values = factors @ rng.normal(size=(3, columns)) + 0.2 * rng.normal(size=(len(rows), columns))
    return pd.DataFrame(values, names, GENES[:columns])


@pytest.fixture
def assays():
    rna, protein = list(range(30)), list(range(8, 40))
    return {
        "rna": table(rna, [f"{patient(i)}-01A-11R-A29S-07" for i in rna], 1),
        "protein": table(protein, [f"{patient(i)}-01".replace("-", ".") for i in protein], 2),
    }


@pytest.fixture
def both_types(assays):
    """Tumour and, of the first four patients, normal tissue."""
    normal = table(range(4), [f"{patient(i)}-11A-11R-A29S-07" for i in range(4)], 1)
    return {**assays, "rna": pd.concat([assays["rna"], normal])}


def fit_estimator(views, **rules):
    return mkc.MultiViewKernel(**rules).fit(views)


FRONTS = [mkc.compute_kernels, mkc.stack_views, fit_estimator, lambda v, **r: mkc.inspect(v, kernel="rbf", **r)]


@pytest.mark.parametrize("front", FRONTS)
def test_every_front_asks_how_ids_agree(front, assays):
    with pytest.raises(mkc.InputError, match=r"few sample ids in common .* ids='tcga-patient' matches them so"):
        try:
            front(assays)
        except mkc.InputError as error:
            raise mkc.InputError(f"{error.what} {error}") from None


def test_rules_give_the_same_patients_everywhere(assays):
    expected = {patient(i) for i in range(40)}
    kernels = mkc.compute_kernels(assays, ids="tcga-patient")
    assert set(kernels["rna"].index) | set(kernels["protein"].index) == expected
    assert set(mkc.stack_views(assays, ids="tcga-patient").index) == expected
    assert set(mkc.inspect(assays, kernel="rbf", ids="tcga-patient").observed.index) == expected
    assert set(fit_estimator(assays, ids="tcga-patient").samples_) == expected
    own = {name: frame.set_axis([f"{n}" for n in frame.index]) for name, frame in assays.items()}
    by_own = {name: mkc.compute_kernels({"v": frame})["v"] for name, frame in own.items()}
    assert set(mkc.complete(by_own, "mean", ids="tcga-patient").samples) == expected
    assert set(mkc.KernelCompleter("mean", ids="tcga-patient").fit(by_own).samples_) == expected


@pytest.mark.parametrize("front", FRONTS)
@pytest.mark.parametrize("rule", ["tcga-patient", "prefix:12", "regex:^(TCGA.OR.A[0-9]{3})"])
def test_tumour_and_normal_tissue_are_not_one_sample(front, both_types, rule):
    plain = {**both_types, "protein": both_types["protein"].rename(index=lambda name: name.replace(".", "-"))}
    with pytest.raises(mkc.InputError, match="different sample types are not one sample"):
        front(plain, ids=rule, replicates="mean")


def test_a_sample_map_does_not_mix_types(both_types):
    rows = [(view, name[:12].replace(".", "-"), name) for view, frame in both_types.items() for name in frame.index]
    sample_map = pd.DataFrame(rows, columns=["assay", "primary", "colname"])
    with pytest.raises(mkc.InputError, match="different sample types"):
        mkc.compute_kernels(both_types, sample_map=sample_map, replicates="mean")
    with pytest.warns(UserWarning, match="4 of type 11"):
        kernels = mkc.compute_kernels(both_types, sample_map=sample_map, ids="tcga-patient:01")
    assert kernels["rna"].shape == (30, 30)
    tumours = {**both_types, "rna": both_types["rna"].iloc[:30]}
    pd.testing.assert_frame_equal(kernels["rna"], mkc.compute_kernels(tumours, ids="tcga-patient")["rna"])


def test_new_samples_follow_the_rules_of_fit(assays):
    model = make_pipeline(mkc.MultiViewKernel(ids="tcga-patient"), mkc.KernelCompleter("mean"))
    model.fit(assays)
    new = table(range(40, 45), [f"{patient(i)}-01B-21R" for i in range(40, 45)], 1)
    rows = model.transform({"rna": new})["protein"]
    assert list(rows.index) == [patient(i) for i in range(40, 45)]
    assert list(rows.columns) == list(model[-1].samples_)


def test_kernel_rows_of_new_samples_are_matched_by_the_rule(assays):
    everyone = table(range(45), [f"{patient(i)}-01A-11R" for i in range(45)], 1)
    K = mkc.compute_kernels({"v": everyone})["v"]
    train, new = everyone.index[:30], everyone.index[40:]
    own = mkc.compute_kernels({"v": assays["protein"]})["v"]
    completer = mkc.KernelCompleter("mean", ids="tcga-patient").fit({"rna": K.loc[train, train], "protein": own})
    exact = mkc.KernelCompleter("mean").fit(
        {
            "rna": K.loc[train, train].rename(index=lambda n: n[:12], columns=lambda n: n[:12]),
            "protein": own.rename(index=lambda n: n[:12].replace(".", "-"), columns=lambda n: n[:12].replace(".", "-")),
        }
    )
    rows = completer.transform({"rna": K.loc[new, train]})["protein"]
    expected = exact.transform({"rna": K.loc[new, train].rename(index=lambda n: n[:12], columns=lambda n: n[:12])})
    pd.testing.assert_frame_equal(rows, expected["protein"])


def test_rows_of_zeros_are_missing_in_estimators_too(assays):
    views = {
        name: frame.set_axis([name[:12].replace(".", "-") for name in frame.index]) for name, frame in assays.items()
    }
    views["rna"].iloc[[3, 9]] = 0
    with pytest.warns(UserWarning, match="2 of 30 samples are zero in every feature, taken as missing"):
        kernel = mkc.MultiViewKernel().fit(views)
    found = mkc.MultiViewKernel(zero_rows="missing").fit_transform(views)["rna"]
    assert found.index[found.isna().all(axis=1)].tolist() == [patient(3), patient(9)]
    new = pd.DataFrame(0.0, ["n1"], GENES)
    with pytest.warns(UserWarning, match="taken as missing"):
        assert kernel.transform({"rna": new})["rna"].isna().all(axis=None)
    with pytest.warns(UserWarning, match="taken as values"):
        values = mkc.MultiViewKernel(zero_rows="values").fit_transform(views)["rna"]
    assert not values.isna().any(axis=None)


def test_a_zero_row_and_column_of_a_kernel_is_missing_in_the_completer(assays):
    kernels = mkc.compute_kernels(assays, ids="tcga-patient")
    name = kernels["rna"].index[20]  # the other view has this sample too
    kernels["rna"].loc[name, :] = kernels["rna"].loc[:, name] = 0
    with pytest.warns(UserWarning, match="1 of 30 rows and columns are zero throughout, taken as missing"):
        completer = mkc.KernelCompleter("mean").fit(kernels)
    assert not completer.completion_.observed.loc[name, "rna"]


def test_row_numbers_of_different_tables_are_not_samples(assays):
    views = {name: frame.reset_index(drop=True) for name, frame in assays.items()}
    for front in FRONTS:
        with pytest.raises(mkc.InputError, match="only row numbers"):
            front(views)


@pytest.fixture
def numbered():
    """Three tables of one cohort that lost their patients' names on the way."""
    random = np.random.default_rng(4)
    state = random.normal(size=(30, 3))
    return {name: pd.DataFrame(state @ random.normal(size=(3, 8))) for name in ("rna", "protein", "methyl")}


def test_equal_row_numbers_of_separate_tables_are_not_samples(numbered):
    for front in FRONTS:
        with pytest.raises(mkc.InputError, match="only row numbers") as error:
            front(numbered)
        assert "ids='exact'" in str(error.value)


def test_kernels_with_row_numbers_are_not_matched_unasked(numbered):
    kernels = {name: pd.DataFrame(frame.to_numpy() @ frame.to_numpy().T) for name, frame in numbered.items()}
    for front in (mkc.complete, mkc.KernelCompleter("mean").fit):
        with pytest.raises(mkc.InputError, match="which rows belong together"):
            front(kernels)
    assert len(mkc.complete(kernels, "mean", ids="exact").samples) == 30


def test_row_numbers_are_matched_when_asked_and_stay_matched(numbered):
    kernels = mkc.compute_kernels(numbered, ids="exact")
    assert list(mkc.complete(kernels, "mean").samples) == list(range(30))  # not asked a second time
    assert mkc.stack_views(numbered, ids="exact").shape == (30, 24)


def test_columns_of_one_table_belong_together(numbered):
    whole = pd.concat(numbered.values(), axis=1, ignore_index=True)
    views = {"first": whole.iloc[:, :8], "second": whole[list(range(8, 24))]}
    for front in FRONTS:
        front(views)


def test_numbers_are_names_where_the_index_has_a_name(numbered):
    for frame in numbered.values():
        frame.index.name = "patient"
    assert mkc.stack_views(numbered).shape == (30, 24)


def test_files_read_with_match_rows_stay_matched(numbered, tmp_path):
    files = []
    for name, frame in numbered.items():
        files.append(tmp_path / f"{name}.csv")
        frame.to_csv(files[-1], index=False)
    assert mkc.stack_views(mkc.read_views(files, match_rows=True)).shape == (30, 24)
