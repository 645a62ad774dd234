"""DataFrames with words and dates, by the rules for files."""

import datetime

import numpy as np
import pandas as pd
import pytest

import mkc

IDS = [f"P{i:02d}" for i in range(20)]
SEX = ["m", "f", "f", "m"] * 5
STAGE = ["I", "II", "III", "I", "II"] * 4
DAYS = pd.date_range("2021-03-05", periods=20)


def words_only(**columns):
    """The kernel of words: the share of columns in which two samples have the same."""
    words = np.array(list(columns.values())).T
    return (words[:, None] == words[None]).mean(axis=2)


def kernel_of(frame, **options):
    return mkc.compute_kernels({"clin": frame}, **options)["clin"].to_numpy()


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("dtype", [object, "string", "category", "str"])
def test_words_of_any_dtype(dtype):
    frame = pd.DataFrame({"sex": SEX, "stage": STAGE}, index=IDS, dtype=dtype)
    np.testing.assert_allclose(kernel_of(frame), words_only(sex=SEX, stage=STAGE), atol=1e-12)


def test_a_warning_names_the_columns():
    frame = pd.DataFrame({"sex": SEX, "name": [f"name {i}" for i in IDS], "age": range(20), "seen": DAYS}, index=IDS)
    with pytest.warns(UserWarning) as caught:
        kernel_of(frame)
    text = "\n".join(str(warning.message) for warning in caught)
    assert "1 of 4 columns holds words and is used as a category: sex (2 words)" in text
    assert "name ('name P00')" in text and "days since 1970-01-01: seen" in text


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize(
    "dates",
    [DAYS, DAYS.tz_localize("UTC"), [day.date() for day in DAYS], [str(day.date()) for day in DAYS]],
    ids=["datetime64", "time zone", "objects", "texts"],
)
def test_dates_are_days(dates):
    values = np.random.default_rng(1).normal(size=20)
    frame = pd.DataFrame({"x": values, "seen": dates}, index=IDS)
    days = [(day.date() - datetime.date(1970, 1, 1)).days for day in DAYS]
    numbers = pd.DataFrame({"x": values, "seen": days}, index=IDS)
    np.testing.assert_allclose(kernel_of(frame), kernel_of(numbers), atol=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_codes_are_words_as_categories():
    site = [1, 2, 3, 1, 2] * 4
    frame = pd.DataFrame({"site": pd.Categorical(site), "sex": SEX}, index=IDS)
    np.testing.assert_allclose(kernel_of(frame), words_only(site=site, sex=SEX), atol=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_missing_words():
    sex = [None, *SEX[1:]]
    frame = pd.DataFrame({"sex": sex, "stage": STAGE}, index=IDS)
    with pytest.raises(mkc.InputError, match="sample 'P00'.*'sex' has no value"):
        kernel_of(frame)
    filled = kernel_of(frame, na_features="mean")  # f is in 10 cells, m in 9
    np.testing.assert_allclose(filled, words_only(sex=["f", *SEX[1:]], stage=STAGE), atol=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
def test_several_rows_and_zeros():
    frame = pd.DataFrame({"x": [1.0, 3, 5] + [0] * 3, "sex": ["a", "b", "b", "a", "a", "b"]})
    frame.index = pd.Index(["P", "P", "P", "Q", "R", "S"])  # 'a' is the first word: its code is 0
    found = mkc.compute_kernels({"clin": frame}, replicates="mean")["clin"]
    assert list(found.index) == ["P", "Q", "R", "S"] and not found.isna().any().any()
    merged = pd.DataFrame({"x": [3.0, 0, 0, 0], "sex": ["b", "a", "a", "b"]}, index=list("PQRS"))
    np.testing.assert_allclose(found, kernel_of(merged), atol=1e-12)


def test_a_few_words_among_numbers_are_refused():
    frame = pd.DataFrame({"crp": [1.5] * 17 + ["n.d.", "<0.1", "n.d."]}, index=IDS)
    with pytest.raises(mkc.InputError, match="sample 'P17', column 'crp': 'n.d.' is not a number; 3 of the 20 values"):
        kernel_of(frame)


def test_kernels_and_other_functions_take_numbers():
    frame = pd.DataFrame({"sex": SEX, "age": range(20)}, index=IDS)
    with pytest.raises(mkc.InputError, match="column 'sex'"):
        mkc.complete({"clin": frame})
    with pytest.raises(mkc.InputError, match="column 'sex'"):
        mkc.stack_views({"clin": frame})


def test_files_give_the_same_kernel(tmp_path):
    frame = pd.DataFrame({"sex": SEX, "stage": STAGE, "age": np.arange(20) ** 1.5}, index=pd.Index(IDS, name="patient"))
    frame.to_csv(tmp_path / "clin.csv")
    with pytest.warns(UserWarning, match="sex"):
        read = mkc.read_views(tmp_path / "clin.csv")["clin"]
    assert list(read["sex"]) == SEX and isinstance(read["sex"].dtype, pd.CategoricalDtype)
    with pytest.warns(UserWarning, match="sex"):
        np.testing.assert_allclose(kernel_of(read), kernel_of(frame), atol=1e-12)


@pytest.mark.filterwarnings("ignore::UserWarning")
@pytest.mark.parametrize("package", ["polars", "pyarrow"])
def test_tables_of_other_packages(package):
    module = pytest.importorskip(package)
    columns = {"sample": IDS, "sex": SEX, "stage": STAGE}
    table = module.DataFrame(columns) if package == "polars" else module.table(columns)
    found = mkc.compute_kernels({"clin": table})["clin"]
    values = np.array([list(found[name].to_list() if package == "polars" else found[name].to_pylist()) for name in IDS])
    np.testing.assert_allclose(values.astype(float), words_only(sex=SEX, stage=STAGE), atol=1e-12)
