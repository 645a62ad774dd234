"""Files as DataFrames: the formats of the tool, and Parquet."""

import os
import pathlib
import subprocess
import sys

import numpy as np
import pandas as pd
import pyarrow
import pyarrow.parquet
import pytest

import mkc
from mkc.__main__ import main

FIXTURES = pathlib.Path(__file__).resolve().parents[2] / "tests/fixtures/r"


@pytest.fixture
def frame():
    random = np.random.default_rng(0)
    frame = pd.DataFrame(random.normal(size=(5, 3)), index=[f"P{i}" for i in range(5)], columns=["a", "b", "c"])
    frame.iloc[1, 2] = np.nan
    return frame


@pytest.fixture
def convert(tmp_path, monkeypatch, capsys):
    """The exit code of `python -m mkc convert` in a folder of its own, and its messages."""
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        return main(["convert", *arguments]), capsys.readouterr().err

    return run


def test_formats_of_the_tool(tmp_path, frame):
    frame.to_csv(tmp_path / "x.csv")
    np.savez(tmp_path / "k.npz", K=np.eye(3))
    views = mkc.read_views([tmp_path / "x.csv", str(FIXTURES / "matrix.rds")])
    pd.testing.assert_frame_equal(views["x"], frame, check_exact=True)
    assert list(views["matrix"].index) == ["P-1", "P-2", "P-3", "Zoë"]
    with pytest.warns(UserWarning, match="taken as a kernel"):
        kernel = mkc.read_views(tmp_path / "k.npz")["K"]
    assert list(kernel.index) == list(kernel.columns) == [0, 1, 2]


def test_names_and_selected_arrays():
    views = mkc.read_views({"mine": f"{FIXTURES / 'list.rds'}:protein"})
    assert list(views) == ["mine"] and views["mine"].shape == (3, 2)


def test_options(tmp_path, frame):
    frame.T.to_csv(tmp_path / "x.csv", na_rep="missing")
    views = mkc.read_views(tmp_path / "x.csv", samples_in="columns", na_values=["missing"])
    pd.testing.assert_frame_equal(views["x"], frame)
    with pytest.raises(mkc.OptionError, match="samples_in"):
        mkc.read_views(tmp_path / "x.csv", samples_in="row")


def test_errors_name_the_file(tmp_path):
    (tmp_path / "x.csv").write_text("id,a\nP1,oops\n")
    with pytest.raises(mkc.InputError, match=r"x\.csv"):
        mkc.read_views(tmp_path / "x.csv")
    with pytest.raises(mkc.InputError, match="no such file"):
        mkc.read_views(tmp_path / "none.rds")


def test_parquet_with_the_index_of_pandas(tmp_path, frame):
    frame.to_parquet(tmp_path / "x.parquet")
    pd.testing.assert_frame_equal(mkc.read_views(tmp_path / "x.parquet")["x"], frame, check_exact=True)
    turned = mkc.read_views({"t": tmp_path / "x.parquet"}, samples_in="columns")["t"]
    assert list(turned.index) == ["a", "b", "c"]


def test_parquet_beside_other_files_follows_the_same_rules(tmp_path):
    """Genes in rows, barcodes of two lengths, and a view of zeros: as if the Parquet file were a CSV file."""
    patients = [f"TCGA-02-{i:04d}" for i in range(20)]
    genes = [f"ENSG{j:011d}" for j in range(12)]
    values = np.random.default_rng(1).normal(size=(12, 20))
    values[:, 4] = 0
    rna = pd.DataFrame(values, genes, [f"{name}-01A-11R" for name in patients])
    protein = pd.DataFrame(values[::-1] + 1, genes, patients)
    for name, frame in (("rna", rna), ("protein", protein)):
        frame.to_parquet(tmp_path / f"{name}.parquet")
        frame.to_csv(tmp_path / f"{name}.csv")
    mixed = [tmp_path / "rna.parquet", tmp_path / "protein.csv"]
    with pytest.raises(mkc.InputError, match="few sample ids in common"):
        mkc.read_views(mixed)
    with pytest.warns(UserWarning, match="taken as missing"):
        found = mkc.read_views(mixed, ids="tcga-patient")
        expected = mkc.read_views([tmp_path / "rna.csv", tmp_path / "protein.csv"], ids="tcga-patient")
    assert list(found) == ["rna", "protein"] and list(found["rna"].index) == patients
    for name, frame in expected.items():
        pd.testing.assert_frame_equal(found[name].dropna(how="all").loc[frame.index], frame, check_exact=True)


def test_parquet_with_ids_in_a_column(tmp_path, frame):
    """As R's arrow and polars write it."""
    table = pyarrow.table({"patient": list(frame.index), "a": frame["a"].to_numpy(), "n": np.arange(5)})
    pyarrow.parquet.write_table(table, tmp_path / "x.parquet")
    found = mkc.read_views(tmp_path / "x.parquet")["x"]
    assert list(found.index) == list(frame.index) and list(found.columns) == ["a", "n"]
    assert (found["a"] == frame["a"]).all()


def test_parquet_without_ids_is_refused(tmp_path, frame):
    frame.reset_index(drop=True).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(mkc.InputError, match=r"x\.parquet: .*no column of sample names"):
        mkc.read_views(tmp_path / "x.parquet")


@pytest.mark.parametrize("content", [b"", b"PAR1", b"PAR1" + bytes(50) + b"PAR1", b"id,a\nP1,2\n"])
def test_damaged_parquet(tmp_path, content):
    (tmp_path / "x.parquet").write_bytes(content)
    with pytest.raises(mkc.InputError, match=r"x\.parquet: not a Parquet file, or damaged"):
        mkc.read_views(tmp_path / "x.parquet")
    with pytest.raises(mkc.InputError, match=r"cannot open '.*none\.parquet'"):
        mkc.read_views(tmp_path / "none.parquet")


def test_two_rows_of_one_sample(tmp_path, frame):
    frame.set_axis(["P0", "P1", "P2", "P3", "P1"]).to_parquet(tmp_path / "x.parquet")
    with pytest.raises(mkc.InputError, match="sample 'P1' appears twice"):
        mkc.read_views(tmp_path / "x.parquet")


def test_the_tool_says_how_to_convert_parquet_and_it_works(tmp_path, frame):
    frame.to_parquet(tmp_path / "x.parquet")
    tool = os.path.join(os.path.dirname(sys.executable), "mkc")
    refused = subprocess.run([tool, "inspect", "x.parquet"], cwd=tmp_path, capture_output=True, text=True)
    assert refused.returncode == 3 and "python -m mkc convert x.parquet -o FILE.csv" in refused.stderr
    subprocess.run([sys.executable, *["-m", "mkc", "convert", "x.parquet", "-o", "x.csv"]], cwd=tmp_path, check=True)
    pd.testing.assert_frame_equal(mkc.read_views(tmp_path / "x.csv")["x"], frame, check_exact=True)
    assert sorted(os.listdir(tmp_path)) == ["x.csv", "x.parquet"]


def test_outputs_are_replaced_only_on_demand(tmp_path, convert, frame):
    frame.to_parquet(tmp_path / "x.parquet")
    assert convert("x.parquet", "-o", "x.csv")[0] == 0
    code, messages = convert("x.parquet", "-o", "x.csv")
    assert code == 2 and "--force" in messages
    assert convert("x.parquet", "-o", "x.csv", "--force")[0] == 0
    code, messages = convert("x.parquet", "-o", "x.json")
    assert code == 3 and "output 'x.json': a file of this kind is not written" in messages
    assert convert("none.parquet", "-o", "y.csv")[0] == 3
    assert sorted(os.listdir(tmp_path)) == ["x.csv", "x.parquet"]


def test_converting_several(tmp_path, convert, frame):
    frame.to_parquet(tmp_path / "x.parquet")
    frame.iloc[1:].assign(flag=True).to_parquet(tmp_path / "y.parquet")
    assert convert("x.parquet", "z=y.parquet", "-o", "out.npz")[0] == 0
    views = mkc.read_views(tmp_path / "out.npz")
    assert list(views) == ["x", "z"] and list(views["z"].index) == list(frame.index[1:])
    assert (views["z"].iloc[:, 3] == 1).all()
    code, messages = convert("x.parquet", "y.parquet", "-o", "out.csv")
    assert code == 3 and "a table holds one view" in messages
    assert convert("z=y.parquet", "-o", "y.tsv.gz")[0] == 0
    assert (mkc.read_views(tmp_path / "y.tsv.gz")["y"]["flag"] == 1).all()


def test_words_go_to_tables_only(tmp_path, convert, frame):
    frame.assign(word="w").to_parquet(tmp_path / "x.parquet")
    code, messages = convert("x.parquet", "-o", "out.npz")
    assert code == 3 and "more than numbers" in messages
    assert convert("x.parquet", "-o", "out.csv")[0] == 0
    assert (tmp_path / "out.csv").read_text().startswith("sample,a,b,c,word\n")
