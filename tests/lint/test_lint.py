"""The sources are formatted and follow ruff's rules: `make format` applies both."""

import pathlib
import subprocess

import pytest

LINT = pathlib.Path(__file__).parents[2] / "scripts/lint"


@pytest.mark.parametrize("name", ["cpp", "python", "rules"])
def test_sources_are_formatted(name):
    found = subprocess.run([LINT, "check", name], capture_output=True, text=True)
    if found.returncode != 0:
        pytest.fail(found.stdout + found.stderr, pytrace=False)
