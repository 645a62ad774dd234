"""What a build from source needs is the same wherever it is written, and what cannot be installed is told."""

import importlib.metadata
import os
import pathlib
import re
import shutil
import subprocess
import sys
import zipfile

import pytest

tomllib = pytest.importorskip("tomllib")  # since Python 3.11
SOURCE = pathlib.Path(__file__).parents[2]


def test_packages_are_named_after_a_failed_build():
    found = set(re.findall(r"^ *mkc_needs\(\w+ ([\w-]+)", (SOURCE / "cmake/Dependencies.cmake").read_text(), re.M))
    installed = set(re.findall(r"[\w+.-]+", (SOURCE / "scripts/bootstrap").read_text()))
    settings = tomllib.loads((SOURCE / "pyproject.toml").read_text())["tool"]["scikit-build"]
    named = set(settings["messages"]["after-failure"].split())
    assert len(found) == 10 and found <= installed and found | {"g++", "python3-dev", "npm"} <= named
    assert "\n" not in settings["messages"]["after-failure"]


def test_conda_recipe_names_what_the_build_and_the_package_need():
    """Its names are conda-forge's, which are those of the projects, apart from a few."""
    recipe = (SOURCE / "packaging/conda/recipe.yaml").read_text()
    project = tomllib.loads((SOURCE / "pyproject.toml").read_text())
    version = re.search(r"^project\(mkc VERSION (\S+)", (SOURCE / "CMakeLists.txt").read_text(), re.M).group(1)
    assert f'version: "{version}"' in recipe
    renamed = {"eigen3": "eigen", "expat": "libexpat", "hdf5serial": "hdf5", "matplotlib": "matplotlib-base"}
    needed = re.findall(r"^ *mkc_needs\((\w+)", (SOURCE / "cmake/Dependencies.cmake").read_text(), re.M)
    section = {name: re.search(rf"^  {name}:\n((?:    - .*\n)+)", recipe, re.M).group(1) for name in ("host", "run")}
    for name in needed:
        assert f"    - {renamed.get(name.lower(), name.lower())}" in section["host"]
    for wanted in project["build-system"]["requires"] + project["project"]["dependencies"]:
        name, least = re.match(r"([\w-]+)>=([\d.]+)", wanted).groups()
        assert f"    - {renamed.get(name, name)} >={least}\n" in section["host"] + section["run"]


def test_conda_recipe_is_rendered():
    rattler_build = pytest.importorskip("rattler_build")  # py-rattler-build of PyPI
    recipe = rattler_build.Stage0Recipe.from_file(SOURCE / "packaging/conda/recipe.yaml")
    variants = {"python": ["3.11.*", "3.12.*"], "cxx_compiler": ["gxx"], "c_stdlib": ["sysroot"]}
    platform = rattler_build.PlatformConfig(target_platform="linux-64")
    made = recipe.render(rattler_build.VariantConfig(variants), rattler_build.RenderConfig(platform))
    assert len(made) == 2
    for variant in made:
        assert not variant.recipe.to_dict()["build"].get("skip")


def pip(*arguments, **environment):
    done = subprocess.run(
        [sys.executable, "-m", "pip", *map(str, arguments)],
        text=True,
        capture_output=True,
        env={**os.environ, "PIP_DISABLE_PIP_VERSION_CHECK": "1", **environment},
    )
    return done.returncode, done.stdout + done.stderr


@pytest.fixture(scope="module")
def wheel():
    """The wheel that scripts/python-wheel installed here."""
    for path in (pathlib.Path(sys.prefix).parent / "wheel").glob("mkc-*.whl"):
        return path
    pytest.skip("the package was not installed by scripts/python-wheel")


@pytest.mark.parametrize("other", [("--platform", "macosx_11_0_arm64"), ("--python-version", "3.9")])
def test_wheel_of_another_system_is_refused(wheel, other, tmp_path):
    where = ("--target", tmp_path, "--only-binary=:all:", "--no-deps", "--no-index", "--dry-run")
    code, text = pip("install", *where, *other, wheel)
    assert code != 0 and f"{wheel.name} is not a supported wheel on this platform" in text


def test_older_python_is_refused(wheel):
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        assert "\nRequires-Python: >=3.10\n" in archive.read(name).decode()
    assert importlib.metadata.metadata("mkc")["Requires-Python"] == ">=3.10"


def test_missing_compiler_is_told(tmp_path):
    options = ("--no-deps", "--no-build-isolation", "-w", tmp_path, f"--config-settings=build-dir={tmp_path}/build")
    code, text = pip("wheel", SOURCE, *options, CXX=str(tmp_path / "c++"))
    assert code != 0
    assert "mkc is built from source, which needs (Debian names): apt-get install g++ " in text
    assert "or install a wheel of mkc" in text


def fake_r(folder, compiler):
    """A program R that answers what configure asks."""
    (folder / "bin").mkdir()
    program = folder / "bin" / "R"
    program.write_text(f'#!/bin/sh\ncase "$3" in CXX20) echo "{compiler}" ;; CXX20STD) echo -std=gnu++20 ;; esac\n')
    program.chmod(0o755)


@pytest.mark.parametrize("compiler", ["", "false"])  # R knows none; one that cannot compile the standard
def test_r_package_names_the_compiler_that_it_needs(compiler, tmp_path):
    fake_r(tmp_path, compiler)
    done = subprocess.run(
        ["sh", SOURCE / "r/configure"],
        cwd=tmp_path,
        env={**os.environ, "R_HOME": str(tmp_path)},
        text=True,
        capture_output=True,
    )
    assert done.returncode != 0
    assert "mkc needs a C++20 compiler (GCC 11 or clang 14, or later)." in done.stderr
    assert f"R has: '{compiler or 'none'}'" in done.stderr and "CXX20 = g++-12" in done.stderr


@pytest.mark.skipif(shutil.which("R") is None, reason="R is not installed")
def test_older_r_is_told(tmp_path):
    """Here every R is too old: R itself compares the versions before anything is compiled."""
    description = (SOURCE / "r/DESCRIPTION").read_text().replace("@VERSION@", "1.0")
    assert "\nDepends: R (>= 4.1.0)\n" in description
    (tmp_path / "mkc").mkdir()
    (tmp_path / "mkc/DESCRIPTION").write_text(description.replace("4.1.0", "99.1.0"))
    (tmp_path / "mkc/NAMESPACE").write_text("")
    done = subprocess.run(
        ["R", "CMD", "INSTALL", f"--library={tmp_path}", tmp_path / "mkc"], text=True, capture_output=True
    )
    assert done.returncode != 0 and re.search(r"this R is version [\d.]+, .*mkc.* requires R >= 99\.1\.0", done.stderr)


@pytest.mark.parametrize(
    "script, told",
    [
        ("bootstrap", "This is not a Debian system"),
        ("wheel", "wheels are built on Linux x86-64 only"),
        ("try-installed", "needs root and debootstrap"),
    ],
)
def test_scripts_name_the_system_that_they_need(script, told, tmp_path):
    """On a system that has little more than a shell, of another processor, for a user who is not root."""
    for name in ("bash", "env", "dirname", "basename", "realpath", "sed", "cat"):
        (tmp_path / name).symlink_to(f"/usr/bin/{name}")
    for name, answer in {"uname": 'case "$1" in -s) echo Darwin;; *) echo arm64;; esac', "id": "echo 1000"}.items():
        (tmp_path / name).write_text(f"#!/bin/bash\n{answer}\n")
        (tmp_path / name).chmod(0o755)
    done = subprocess.run(
        [SOURCE / "scripts" / script, tmp_path / "x.deb"], env={"PATH": str(tmp_path)}, text=True, capture_output=True
    )
    assert done.returncode != 0 and told in done.stderr
