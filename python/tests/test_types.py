"""The installed package passes mypy in strict mode."""

import pathlib
import subprocess
import sys

import mkc


def test_mypy(tmp_path):
    settings = pathlib.Path(__file__).parents[2] / "pyproject.toml"
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir", tmp_path],
        cwd=tmp_path,
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_stubs_and_marker_are_installed():
    folder = pathlib.Path(mkc.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_core.pyi").exists()
