"""The examples of the documentation run, each in its own process."""

import multiprocessing
import os
import pathlib
import runpy
import sys
import warnings

import pytest

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples"
SCRIPTS = sorted([*EXAMPLES.glob("tutorial/*.py"), *EXAMPLES.glob("gallery/*.py")])

# Importing these takes longer than most examples, so it is done once; the processes are forks.
LOADED = ["mkc", "matplotlib.pyplot", "sklearn.cluster", "sklearn.model_selection", "sklearn.svm"]


def run(script, folder, stderr):
    """Runs in the new process."""
    os.chdir(folder)
    os.dup2(os.open(stderr, os.O_WRONLY | os.O_CREAT), sys.stderr.fileno())
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    warnings.filterwarnings("error", category=UserWarning)
    runpy.run_path(str(script), run_name="__main__")


@pytest.fixture(scope="module")
def processes():
    os.environ["MPLBACKEND"] = "Agg"
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(LOADED)
    return context


def test_there_are_examples():
    assert len(SCRIPTS) >= 6


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_example_runs_without_a_warning(script, processes, tmp_path):
    folder, stderr = tmp_path / "folder", tmp_path / "stderr"
    folder.mkdir()
    process = processes.Process(target=run, args=(script, folder, stderr))
    process.start()
    process.join(300)
    if process.is_alive():
        process.kill()
    errors = stderr.read_text()
    assert process.exitcode == 0, errors
    assert "Warning" not in errors
    assert list(folder.iterdir()) == []  # writes no files
