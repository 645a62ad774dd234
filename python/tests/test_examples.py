"""The examples in Python run."""

import pathlib
import runpy

import pytest

FOLDER = pathlib.Path(__file__).parents[2] / "examples"


@pytest.mark.filterwarnings("ignore")
def test_nested_cross_validation(capsys):
    names = runpy.run_path(str(FOLDER / "nested_cross_validation.py"))
    names["table"]("digits", lambda: names["digits"](90))
    rows = [[cell.strip() for cell in line.split("|")[1:-1]] for line in capsys.readouterr().out.splitlines()]
    assert [row[2] for row in rows] == [
        "completed (transfer)",
        "knn-filled (knn)",
        "mean-filled (mean)",
        "transfer, fold by fold",
        "complete cases",
    ]
    assert [int(row[3]) for row in rows] == [90, 90, 90, 90, 45]
    assert all(0.5 < float(row[4]) <= 1 for row in rows)  # ten digits: chance is a tenth
