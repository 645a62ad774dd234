"""scripts/chart-library downloads once, checks the checksum, and reports failures clearly."""

import os
import pathlib
import subprocess
import tarfile

SCRIPT = pathlib.Path(__file__).resolve().parents[2] / "scripts" / "chart-library"
EMBEDDED = pathlib.Path(os.environ["MKC_BINARY"]).resolve().parents[2] / "report" / "chart_library.js"


def run(target, programs):
    """Runs the script with only the given programs on PATH: the usual ones, and a fake `npm` or none."""
    return subprocess.run(
        ["/usr/bin/env", "bash", SCRIPT, target],
        text=True,
        capture_output=True,
        env={"PATH": str(programs), "HOME": str(programs)},
    )


def usual_programs(folder):
    folder.mkdir()
    for name in (
        "bash",
        "env",
        "sha256sum",
        "cut",
        "dirname",
        "mkdir",
        "mktemp",
        "rm",
        "tar",
        "gzip",
        "mv",
        "grep",
        "cp",
        "head",
    ):
        (folder / name).symlink_to(f"/usr/bin/{name}")
    return folder


def npm(folder, script):
    (folder / "npm").write_text(f"#!/usr/bin/env bash\n{script}\n")
    (folder / "npm").chmod(0o755)


def package(path, content):
    path.with_suffix(".js").write_text(content)
    with tarfile.open(path, "w:gz") as archive:
        archive.add(path.with_suffix(".js"), "package/dist/echarts.min.js")


def test_existing_file_with_right_checksum_is_kept(tmp_path):
    target = tmp_path / "library.js"
    target.write_bytes(EMBEDDED.read_bytes())
    assert run(target, usual_programs(tmp_path / "bin")).returncode == 0


def test_missing_npm_is_reported_with_alternatives(tmp_path):
    result = run(tmp_path / "library.js", usual_programs(tmp_path / "bin"))
    assert result.returncode == 1
    assert "npm is not installed" in result.stderr and "MKC_CHART_LIBRARY" in result.stderr


def test_npm_error_is_reported(tmp_path):
    programs = usual_programs(tmp_path / "bin")
    npm(programs, "echo 'npm ERR! code ENOTFOUND' >&2; exit 1")
    result = run(tmp_path / "library.js", programs)
    assert result.returncode == 1 and "ENOTFOUND" in result.stderr
    assert not (tmp_path / "library.js").exists()


def test_wrong_checksum_is_refused(tmp_path):
    programs = usual_programs(tmp_path / "bin")
    package(tmp_path / "other.tgz", "alert(1)")
    npm(programs, f"cp {tmp_path}/other.tgz echarts-5.6.0.tgz")
    result = run(tmp_path / "library.js", programs)
    assert result.returncode == 1 and "checksum" in result.stderr
    assert not (tmp_path / "library.js").exists() and not list(tmp_path.glob(".fetch*"))


def test_package_with_right_checksum_is_installed(tmp_path):
    programs = usual_programs(tmp_path / "bin")
    package(tmp_path / "right.tgz", EMBEDDED.read_text())
    npm(programs, f'[ "$*" = "pack --loglevel=error echarts@5.6.0" ] && cp {tmp_path}/right.tgz echarts-5.6.0.tgz')
    result = run(tmp_path / "sub" / "library.js", programs)
    assert result.returncode == 0, result.stderr
    assert (tmp_path / "sub" / "library.js").read_bytes() == EMBEDDED.read_bytes()
