"""The examples of the documentation run, each in a process of its own."""
import os
import pathlib
import subprocess
import sys

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted([*EXAMPLES.glob("tutorial/*.py"), *EXAMPLES.glob("gallery/*.py")])


def test_there_are_examples():
    assert len(SCRIPTS) >= 6


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_example_runs_without_a_warning(script, tmp_path):
    done = subprocess.run(
        [sys.executable, "-W", "error::UserWarning", script],
        cwd=tmp_path,
        env={**os.environ, "MPLBACKEND": "Agg"},
        text=True,
        capture_output=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert "Warning" not in done.stderr
    assert list(tmp_path.iterdir()) == []  # leaves nothing behind where it runs
