"""Names and paths of users reach the terminal, the log and errors escaped, whatever field they are in."""

import json
import os
import re

import numpy as np
import pytest
from conftest import write_table

HOSTILE = {
    "escape": "x\x1b[2J\x1b]0;owned\x07y",
    "c1": "x\u009b31my",
    "newline": "x\nerror: forged",
    "return": "x\rerror: forged",
    "right_to_left": "x\u202etxt.exe",
    "isolate": "x\u2066y\u2069",
    "separator": "x\u2028error: forged",
}
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]")


@pytest.fixture(params=HOSTILE.values(), ids=HOSTILE.keys())
def name(request):
    return request.param


def check(result, tmp_path):
    """Nothing that steers a terminal in any output; no line was forged."""
    texts = [result.out, result.err, *(p.read_text() for p in tmp_path.rglob("mkc.log"))]
    for text in texts:
        assert not STEERING.search(text), repr(text)
        assert not re.search("^error: forged", text, re.MULTILINE), text
    assert result.code in (0, 2, 3), result.err


def table(path, n=14, seed=0, ids=None):
    values = np.random.default_rng(seed).normal(size=(n, 3))
    write_table(path, ids or [f"s{i}" for i in range(n)], [f"{seed}f{j}" for j in range(3)], values)


@pytest.fixture
def views(tmp_path):
    table(tmp_path / "a.csv")
    table(tmp_path / "b.csv", 12, 1)
    return ["a.csv", "b.csv"]


COMPLETE = ("complete", "-m", "knn", "-o", "out", "-v", "--report", "none")


def test_name_of_a_view(mkc, views, name, tmp_path):
    check(mkc(*COMPLETE, f"{name}=a.csv", "b.csv"), tmp_path)
    check(mkc("inspect", f"{name}=a.csv", "b.csv"), tmp_path)


def test_name_of_a_file(mkc, views, name, tmp_path):
    os.rename(tmp_path / "a.csv", tmp_path / f"{name}.csv")
    check(mkc(*COMPLETE, f"{name}.csv", "b.csv"), tmp_path)
    check(mkc("inspect", f"{name}.csv", "missing.csv"), tmp_path)


def test_file_that_does_not_exist(mkc, views, name, tmp_path):
    check(mkc(*COMPLETE, f"{name}.csv", "b.csv"), tmp_path)


def test_method(mkc, views, name, tmp_path):
    check(mkc("complete", *views, "-o", "out", "-m", name), tmp_path)
    check(mkc("complete", *views, "-o", "out", "-m", f"knn,k={name}"), tmp_path)
    check(mkc("complete", *views, "-o", "out", "-m", f"knn,{name}=1"), tmp_path)


def test_output_folder(mkc, views, name, tmp_path):
    for _ in range(2):  # the second time it exists
        check(mkc("complete", *views, "-m", "knn", "-o", name, "--report", "none"), tmp_path)


def test_options(mkc, views, name, tmp_path):
    check(mkc(name), tmp_path)
    check(mkc("complete", f"--{name}"), tmp_path)
    check(mkc("complete", *views, "-o", "out", "--seed", name), tmp_path)
    check(mkc("complete", *views, "-o", "out", "--format", name), tmp_path)


def test_array_of_an_npz_file(mkc, views, name, tmp_path):
    values = np.random.default_rng(0).normal(size=(14, 3))
    np.savez(tmp_path / "n.npz", **{name: values, "samples": np.array([f"s{i}" for i in range(14)])})
    check(mkc(*COMPLETE, "n.npz", "b.csv"), tmp_path)
    check(mkc("inspect", f"n.npz:{name}z", "b.csv"), tmp_path)


def test_data_set_of_an_hdf5_file(mkc, views, name, tmp_path):
    check(mkc("convert", f"{name}=a.csv", "b.csv", "-o", "v.h5"), tmp_path)
    if (tmp_path / "v.h5").exists():
        check(mkc(*COMPLETE, "v.h5"), tmp_path)
        check(mkc("inspect", "v.h5:nothing"), tmp_path)


def test_settings_and_views_of_a_toml_file(mkc, views, name, tmp_path):
    quoted = json.dumps(name)
    for text in (
        f"{quoted} = 1\n",
        f"method = {quoted}\n",
        f"[[view]]\nname = {quoted}\nfile = 'a.csv'\n[[view]]\nfile = 'b.csv'\n",
        f"[[view]]\nfile = {quoted}\n",
        f"[[view]]\nfile = 'a.csv'\n{quoted} = 1\n",
    ):
        (tmp_path / "c.toml").write_text(text)
        check(mkc("complete", "--config", "c.toml", "-o", "out", "--force"), tmp_path)


def test_sample_ids_and_labels(mkc, name, tmp_path):
    ids = [json.dumps(name), *(f"s{i}" for i in range(1, 14))]
    table(tmp_path / "a.csv", ids=ids)
    table(tmp_path / "b.csv", 12, 1)
    (tmp_path / "labels.csv").write_text(f'sample,"class"\n"{name}",one\ns1,"{name}"\ns2,two\n')
    check(mkc(*COMPLETE, "a.csv", "b.csv"), tmp_path)
    check(mkc("complete", "b.csv", "a.csv", "-m", "knn", "-o", "o2", "--labels", f"labels.csv:{name}"), tmp_path)
    check(mkc("complete", "b.csv", "a.csv", "-m", "knn", "-o", "o2", "--labels", "labels.csv"), tmp_path)


def test_json_on_standard_output_stays_the_same_json(mkc, views, tmp_path):
    name = "x\u009b\u202ey"
    result = mkc(*COMPLETE, f"{name}=a.csv", "b.csv", "--json")
    check(result, tmp_path)
    assert [view["name"] for view in result.json["views"]] == [name, "b"]
