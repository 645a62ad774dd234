"""One version everywhere: CMake, the Python package, the citation, the changelog, the tool and its manual page."""

import os
import re
import subprocess

import pytest
from pages import ROOT

CMAKE_VERSION = r"project\(mkc VERSION (?P<value>[0-9.]+)"


def found(pattern, text):
    match = re.search(pattern, text, re.MULTILINE)
    assert match, f"no line matches {pattern}"
    return match[1]


def text_of(name):
    return (ROOT / name).read_text()


@pytest.fixture
def version():
    return found(CMAKE_VERSION, text_of("CMakeLists.txt"))


def test_the_python_package_takes_its_version_from_cmake():
    settings = text_of("pyproject.toml")
    assert 'dynamic = ["version"]' in settings and 'input = "CMakeLists.txt"' in settings
    assert f"regex = '{CMAKE_VERSION}'" in settings


def test_citation_and_changelog_agree_with_cmake(version):
    section = r"^## \[([0-9.]+)\] - (\d{4}-\d{2}-\d{2})$"
    newest = re.search(section, text_of("CHANGELOG.md"), re.MULTILINE)
    citation = text_of("CITATION.cff")
    assert newest.groups() == (version, found(r"^date-released: (\S+)$", citation))
    assert found(r"^version: (\S+)$", citation) == version


def test_a_user_of_the_library_asks_for_this_minor_version(version):
    asked = found(r"find_package\(mkc (\S+) REQUIRED\)", text_of("tests/install/downstream/CMakeLists.txt"))
    assert version.startswith(f"{asked}.")


@pytest.mark.skipif("MKC_BINARY" not in os.environ, reason="MKC_BINARY is not set")
@pytest.mark.parametrize("command", ["version", "man"])
def test_the_tool_agrees_with_cmake(command, version):
    shown = subprocess.run([os.environ["MKC_BINARY"], command], capture_output=True, text=True, check=True).stdout
    assert found({"version": r"^mkc (\S+)$", "man": r'^\.TH MKC 1 "[^"]*" "mkc (\S+)"'}[command], shown) == version
