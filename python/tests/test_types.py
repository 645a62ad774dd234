"""The installed package and a user's script pass the checkers of types in their strict modes."""

import json
import os
import pathlib
import subprocess
import sys

import mkc

SCRIPT = pathlib.Path(__file__).parent / "typed" / "users_script.py"


def test_mypy(tmp_path):
    settings = pathlib.Path(__file__).parents[2] / "pyproject.toml"
    packages = ["-p", "mkc", "-m", SCRIPT.stem]
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", settings, "--cache-dir", tmp_path, *packages],
        cwd=tmp_path,
        env={**os.environ, "MYPYPATH": str(SCRIPT.parent)},
        text=True,
        capture_output=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_pyright(tmp_path):
    (tmp_path / "pyrightconfig.json").write_text(json.dumps({"typeCheckingMode": "strict"}))
    (tmp_path / SCRIPT.name).write_text(SCRIPT.read_text())
    done = subprocess.run(
        [sys.executable, "-m", "pyright", "--pythonpath", sys.executable, "--outputjson"],
        cwd=tmp_path,
        env={**os.environ, "PYRIGHT_PYTHON_IGNORE_WARNINGS": "1"},
        text=True,
        capture_output=True,
    )
    found = json.loads(done.stdout)
    assert found["summary"]["filesAnalyzed"] == 1
    messages = [f"{entry['range']['start']['line'] + 1}: {entry['message']}" for entry in found["generalDiagnostics"]]
    assert not messages and done.returncode == 0, messages


def test_script_runs():
    exec(compile(SCRIPT.read_text(), SCRIPT, "exec"), {})


def test_stubs_and_marker_are_installed():
    folder = pathlib.Path(mkc.__file__).parent
    assert (folder / "py.typed").exists() and (folder / "_core.pyi").exists()
