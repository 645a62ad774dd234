"""What a build from source needs is the same wherever it is written."""

import pathlib
import re

import pytest

tomllib = pytest.importorskip("tomllib")  # since Python 3.11
SOURCE = pathlib.Path(__file__).parents[2]


def test_packages_are_named_after_a_failed_build():
    found = set(re.findall(r"^ *mkc_needs\(\w+ ([\w-]+)", (SOURCE / "cmake/Dependencies.cmake").read_text(), re.M))
    installed = set(re.findall(r"[\w+.-]+", (SOURCE / "scripts/bootstrap").read_text()))
    settings = tomllib.loads((SOURCE / "pyproject.toml").read_text())["tool"]["scikit-build"]
    named = set(settings["messages"]["after-failure"].split())
    assert len(found) == 11 and found <= installed and found | {"g++", "python3-dev", "npm"} <= named
    assert "\n" not in settings["messages"]["after-failure"]
