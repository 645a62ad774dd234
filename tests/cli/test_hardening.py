"""What is shipped is compiled and linked so that an error in memory stops the program.

readelf comes with the compiler. The flags are in cmake/Hardening.cmake.
"""

import os
import pathlib
import platform
import re
import subprocess

import pytest
from conftest import BINARY

SANITIZED = b"__asan_init" in pathlib.Path(BINARY).read_bytes() or (b"__tsan_init" in pathlib.Path(BINARY).read_bytes())


def shipped():
    """The tool, and the Python module where it has been built."""
    folder = pathlib.Path(BINARY).resolve().parents[2]
    return [pathlib.Path(BINARY), *sorted(folder.glob("python/env/lib/python*/site-packages/mkc/_core*.so"))]


def readelf(option, path):
    environment = {**os.environ, "LC_ALL": "C"}
    return subprocess.run(
        ["readelf", "-W", option, path], check=True, capture_output=True, text=True, env=environment
    ).stdout


@pytest.fixture(params=shipped(), ids=lambda path: path.name)
def binary(request):
    return request.param


def test_code_can_be_loaded_at_any_address(binary):
    assert re.search(r"Type:\s+DYN", readelf("-h", binary))


def test_tables_of_functions_are_read_only_after_the_start(binary):
    assert "GNU_RELRO" in readelf("-l", binary)
    assert re.search(r"BIND_NOW|Flags:.*\bNOW\b", readelf("-d", binary))


def test_the_stack_is_not_executable(binary):
    flags = re.search(r"GNU_STACK\s+\S+\s+\S+\s+\S+\s+\S+\s+\S+\s+([RWE ]+?)\s+0x", readelf("-l", binary))
    assert flags and "E" not in flags.group(1)


def test_stacks_are_guarded(binary):
    assert "__stack_chk_fail" in readelf("--dyn-syms", binary)


@pytest.mark.skipif(SANITIZED, reason="sanitizers have checks of their own")
def test_checked_functions_of_the_c_library_are_used(binary):
    assert re.search(r"__(mem|str|v?snprintf|v?fprintf|fread|read)\w*_chk\b", readelf("--dyn-syms", binary))


@pytest.mark.skipif(platform.machine() != "x86_64", reason="control-flow protection of x86-64")
def test_indirect_jumps_land_on_marked_instructions(binary):
    # The C library of the system may lack the marks, and then the linker drops the note of the
    # whole file; so the instructions themselves (endbr64) are counted.
    assert binary.read_bytes().count(b"\xf3\x0f\x1e\xfa") > 1000
