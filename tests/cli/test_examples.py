"""examples/: a combined kernel in a classifier, in Python and in R."""

import pathlib
import re
import shutil
import subprocess
import sys

import numpy as np
import pytest
from conftest import write_table

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"


@pytest.fixture
def combined(mkc, tmp_path):
    """K.npz and K.tsv of three separate groups, and labels.tsv."""
    random = np.random.default_rng(7)
    group = np.arange(60) % 3
    for m, name in enumerate("ab"):
        rows = [i for i in range(60) if i % 5 != m]
        values = random.normal(size=(60, 6)) + 3 * random.normal(size=(3, 6))[group]
        write_table(tmp_path / f"{name}.csv", [f"s{i}" for i in rows], [name + c for c in "uvwxyz"], values[rows])
    (tmp_path / "labels.tsv").write_text("sample\tclass\n" + "".join(f"s{i}\tgroup {group[i]}\n" for i in range(60)))
    assert mkc("complete", "a.csv", "b.csv", "-m", "wknn", "-o", "result").code == 0
    for name in ("K.npz", "K.tsv"):
        assert mkc("combine", "result", "-o", name).code == 0
    return tmp_path


def accuracy_of(command, folder, **more):
    run = subprocess.run(command, cwd=folder, text=True, capture_output=True, timeout=120, **more)
    assert run.returncode == 0, run.stderr
    found = re.search(r"accuracy ([\d.]+) on (\d+) others", run.stdout)
    assert found and int(found[2]) >= 18, run.stdout
    return float(found[1])


def test_python(combined):
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    assert accuracy_of([sys.executable, EXAMPLES / "classify.py", "K.npz", "labels.tsv"], combined) > 0.9


@pytest.mark.parametrize("packages", ["installed", "none"])
def test_r(combined, packages):
    if shutil.which("Rscript") is None:
        pytest.skip("R is not installed")
    script = EXAMPLES / "classify.R"
    if packages == "none":  # as on a machine without kernlab
        text = script.read_text().replace('"kernlab", quietly', '"no such package", quietly')
        script = combined / "plain.R"
        script.write_text(text)
    assert accuracy_of(["Rscript", script, "K.tsv", "labels.tsv"], combined) > 0.9
