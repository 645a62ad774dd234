"""The picture of docs/scale.md is that of its table."""

import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def test_the_picture_is_drawn_from_the_table(tmp_path):
    script = ROOT / "benchmarks/scale_curve.py"
    subprocess.run([sys.executable, script, ROOT / "docs/scale.md", tmp_path / "scale.svg"], check=True)
    again = "run benchmarks/scale_curve.py docs/scale.md docs/images/scale.svg"
    assert (tmp_path / "scale.svg").read_text() == (ROOT / "docs/images/scale.svg").read_text(), again
