"""The Python code in the README runs."""

import importlib.metadata
import pathlib
import re

import matplotlib
import pandas as pd

matplotlib.use("Agg")

import mkc

README = pathlib.Path(__file__).parents[2] / "README.md"


def test_python_code_runs(capsys):
    blocks = re.findall(r"```python\n(.*?)```", README.read_text(), re.DOTALL)
    blocks = [block for block in blocks if "mkc." in block]
    assert len(blocks) == 2
    assert len([line for line in blocks[0].splitlines() if line.strip()]) <= 12
    example = mkc.datasets.make_example(60, 0.25, 3)
    parts = {name: frame[example.observed[name]] for name, frame in example.features.items()}
    names = {"rna": parts["expression"], "protein": parts["protein"], "methylation": parts["methylation"]}
    names["y"] = pd.Series([int(name[1:]) % 4 for name in example.observed.index], example.observed.index)
    for block in blocks:
        exec(block, names)
    assert float(capsys.readouterr().out) > 0.5  # four groups
    assert names["K"].shape == (len(names["X"]),) * 2


def test_imports_are_dependencies_of_the_package():
    # matplotlib was an optional dependency once, so the code of the README failed after `pip install .`
    text = README.read_text()
    imported = set(
        re.findall(r"^(?:import|from) (\w+)", "".join(re.findall(r"```python\n(.*?)```", text, re.DOTALL)), re.M)
    )
    needed = {"scikit-learn" if name == "sklearn" else name for name in imported - {"mkc"}}
    if "mkc.plot" in text:
        needed.add("matplotlib")
    plain = [entry for entry in importlib.metadata.requires("mkc") if "extra ==" not in entry]
    assert needed <= {re.split(r"[<>=!~;\[ ]", entry)[0] for entry in plain}
