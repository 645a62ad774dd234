"""Shell completion, the manual page and the files that the build generates."""

import os
import pathlib
import re
import shutil
import subprocess

import pytest
from conftest import BINARY, expect


def completed(tmp_path, *words):
    """The words that bash offers for the last word."""
    script = f"""
    source <({BINARY} completion bash)
    COMP_WORDS=({" ".join(f"'{w}'" for w in ("mkc", *words))})
    COMP_CWORD={len(words)}
    _mkc
    printf '%s\\n' "${{COMPREPLY[@]}}"
    """
    result = subprocess.run(["bash", "-u", "-c", script], cwd=tmp_path, text=True, capture_output=True, check=True)
    assert result.stderr == ""
    return result.stdout.split()


def test_bash_completes_commands_options_values_and_files(tmp_path):
    (tmp_path / "rna.csv").write_text("")
    (tmp_path / "results").mkdir()
    assert completed(tmp_path, "comp") == ["complete", "completion"]
    assert completed(tmp_path, "complete", "--normalize-") == ["--normalize-ids"]
    assert completed(tmp_path, "complete", "--sam") == ["--samples-in", "--sample-map", "--samples"]
    assert completed(tmp_path, "complete", "--psd", "c") == ["clip"]
    assert completed(tmp_path, "inspect", "--samples-in", "") == ["rows", "columns", "auto"]
    assert completed(tmp_path, "complete", "-m", "embd") == ["embd_ht", "embd_hm"]
    assert sorted(completed(tmp_path, "complete", "r")) == ["results", "rna.csv"]
    assert completed(tmp_path, "complete", "-o", "r") == ["results"]
    assert completed(tmp_path, "complete", "--mask", "rn") == ["rna.csv"]
    assert completed(tmp_path, "complete", "--samples", "u") == ["union"]
    assert completed(tmp_path, "completion", "z") == ["zsh"]
    assert completed(tmp_path, "experiment", "to") == ["toy"]
    assert completed(tmp_path, "methods", "mkm") == ["mkmc"]
    assert completed(tmp_path, "complete", "--seed", "") == []
    # bash passes --psd=c and rna=rn as three words
    assert completed(tmp_path, "complete", "--psd", "=", "c") == ["clip"]
    assert completed(tmp_path, "inspect", "--samples-in", "=") == ["rows", "columns", "auto"]
    assert completed(tmp_path, "complete", "rna", "=", "rn") == ["rna.csv"]
    assert completed(tmp_path, "predict", "model.npz", "--view", "rna", "=", "rn") == ["rna.csv"]


def test_every_option_is_completed_and_in_the_manual(mkc, tmp_path):
    manual = mkc("man").out.replace("\\-", "-")
    commands = [line.split()[0] for line in mkc("--help").out.split("Subcommands:")[1].splitlines() if line.strip()]
    assert "inspect" in commands and "completion" in commands
    for command in commands:
        usage = mkc(command, "--help").out
        words = {
            word.rstrip(",")
            for line in usage.split("Options:")[-1].splitlines()
            if line.startswith("  -")
            for word in line.split()
            if word.startswith("--") and line.index(word) < 30
        }
        assert {w for w in words if w != "--help"} <= set(completed(tmp_path, command, "--")), command
        assert f"mkc {command}" in manual
        assert all(f"\\fB{word}\\fR" in manual for word in words if word != "--help"), command


def test_zsh_reads_its_completion(mkc, tmp_path):
    text = mkc("completion", "zsh").out
    assert text.startswith("#compdef mkc\n") and "--samples-in" in text
    # --psd clip and --psd=clip; -m several times if it may be repeated
    commands = dict(re.findall(r"^    (\w+)\) _arguments (.*?) ;;$", text, re.M | re.S))
    assert (
        "--psd='[a kernel that is not" in commands["complete"]
        and "'(-m --method)'{-m+,--method=}'[" in commands["complete"]
    )
    assert "'*'{-m+,--method=}'[" in commands["evaluate"] and "{-f,--force}'[" in commands["evaluate"]
    assert """'*:VIEW:{compset -P "*="; _files}'""" in commands["complete"]  # NAME=FILE
    if shutil.which("zsh") is None:
        pytest.skip("no zsh here")
    (tmp_path / "_mkc").write_text(text)
    subprocess.run(["zsh", "-n", tmp_path / "_mkc"], check=True)
    script = "autoload -U compinit; compinit -u -D; source _mkc; print $_comps[mkc]"
    result = subprocess.run(["zsh", "-f", "-c", script], cwd=tmp_path, text=True, capture_output=True)
    assert result.stdout.strip() == "_mkc", result.stderr


def test_other_shells_are_refused(mkc):
    expect(mkc("completion", "fish"), 2, "'fish'", "bash")
    expect(mkc("completion"), 2, "the shell is missing")


def test_manual_page_is_valid(mkc):
    page = mkc("man").out
    assert page.startswith(".TH MKC 1")
    for section in ("NAME", "SYNOPSIS", "DESCRIPTION", "COMMANDS", "VIEWS", "METHODS", "EXIT STATUS"):
        assert f".SH {section}\n" in page
    if shutil.which("groff") is None:
        pytest.skip("no groff here")
    result = subprocess.run(["groff", "-man", "-Tutf8", "-ww"], input=page, text=True, capture_output=True)
    assert result.returncode == 0 and result.stderr == ""
    assert "methyl.tsv.gz" in result.stdout


def test_build_generates_manual_page_and_completions():
    folder = pathlib.Path(BINARY).parent / "generated"
    if not folder.is_dir():
        pytest.skip(f"the build did not make {folder}: only the tool was built")
    for name, arguments in {
        "mkc.1": ["man"],
        "mkc.bash": ["completion", "bash"],
        "_mkc": ["completion", "zsh"],
    }.items():
        printed = subprocess.run([BINARY, *arguments], text=True, capture_output=True).stdout
        assert (folder / name).read_text() == printed


@pytest.mark.parametrize("width", ["40"])
def test_help_does_not_depend_on_the_terminal(mkc, width):
    assert mkc("complete", "--help", env={"COLUMNS": width}).out == mkc("complete", "--help", env={**os.environ}).out
