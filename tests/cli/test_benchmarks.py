"""The table of `make bench` at tiny sizes: every program runs and every row is present."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

BUILD = pathlib.Path(os.environ["MKC_BINARY"]).parents[2]
TABLE = pathlib.Path(__file__).resolve().parents[2] / "benchmarks" / "table.py"
METHODS = ["embd_ht", "embd_hm", "app", "sdp", "em", "knn", "wknn"]
ITERATIVE = METHODS[:4]


def make_table(folder, data, *more):
    run = subprocess.run(
        [sys.executable, TABLE, BUILD, "--size", "tiny", "--out", folder, *more],
        text=True,
        capture_output=True,
        timeout=300,
        env={**os.environ, "MKC_DATA": str(data)},
    )
    assert run.returncode == 0, run.stderr
    return json.loads((folder / "benchmarks.json").read_text())


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tmp_path_factory.mktemp("bench")


@pytest.fixture(scope="module")
def table(folder):
    return make_table(folder, folder / "no_data")


def methods_of(table, group, **fields):
    return [
        row["method"]
        for row in table["rows"]
        if row["group"] == group and "method" in row and all(row.get(key) == value for key, value in fields.items())
    ]


def test_every_row_is_present(table):
    assert methods_of(table, "one solve") == ["embd_ht", "app"]
    assert methods_of(table, "every method", n=64) == [*METHODS, "transfer", "latent"]
    assert methods_of(table, "iteration over its products") == ITERATIVE
    assert methods_of(table, "cost curve", axis="N") == METHODS
    assert methods_of(table, "cost curve", axis="M") == METHODS
    assert methods_of(table, "threads") == [*METHODS, "transfer", "embd_hm"]
    assert {row["what"] for row in table["rows"] if row["group"] == "machine"} == {
        "matrix product",
        "eigendecomposition",
    }
    assert any(row["group"] == "beside a reference" and "value" in row for row in table["rows"])


def test_rows_have_their_values(table):
    for row in table["rows"]:
        assert row.get("status") != "failed", row
        if row["group"] == "every method" and "method" in row:
            assert row["seconds"] > 0 and row["memory"] > 0 and row["status"]
        if row["group"] == "iteration over its products":
            assert row["parts"]["products_seconds"] > 0
        if row["group"] == "threads":
            assert row["identical"], row


def test_missing_data_are_reported(table):
    skipped = [row for row in table["rows"] if row.get("status") == "skipped"]
    assert {row["on"].split(",")[0] for row in skipped} == {"cvkt_simulated missing1", "reuters_1200 lsk 100"}
    assert all("MKC_DATA" in row["note"] for row in skipped)


def test_markdown_has_the_machine_and_one_line_per_row(table, folder):
    lines = (folder / "benchmarks.md").read_text().splitlines()
    assert table["header"]["blas"] in lines[0] and table["header"]["cpu"] in lines[0]
    assert len([line for line in lines if line.startswith("| ")]) == len(table["rows"]) + 1


def test_table_goes_into_a_page(table, folder):
    page = folder / "page.md"
    page.write_text("before\n<!-- table: begin -->\nan earlier table\n<!-- table: end -->\nafter\n")
    subprocess.run([sys.executable, TABLE, "--into", page, folder / "benchmarks.md"], check=True)
    text = page.read_text()
    assert text.startswith("before\n") and text.endswith("after\n") and "earlier" not in text
    assert (folder / "benchmarks.md").read_text() in text


def test_real_data_are_used_where_present(data, tmp_path):
    pytest.importorskip("scipy.io")
    table = make_table(tmp_path, data, "--only", "one solve,every method")
    places = {row["on"].split(",")[0] for row in table["rows"] if "method" in row}
    assert places == {"synthetic", "cvkt_simulated missing1", "reuters_1200 lsk 100"}
