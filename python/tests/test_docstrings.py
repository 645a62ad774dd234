"""Every parameter and attribute of the public interface has a description in its docstring, and all have an
example that runs."""

import dataclasses
import doctest
import importlib.util
import inspect
import io
import re
import warnings

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt
import pytest

import mkc

MODULES = {"mkc": mkc, "mkc.plot": mkc.plot, "mkc.datasets": mkc.datasets}
HOMES = dict(MODULES)
if importlib.util.find_spec("distributed") is not None:
    HOMES["mkc.distributed"] = mkc.distributed  # of one function, which has the example


def public():
    for prefix, module in HOMES.items():
        for name in getattr(module, "__all__", [n for n in vars(module) if not n.startswith("_")]):
            thing = getattr(module, name)
            home = getattr(thing, "__module__", "")
            if callable(thing) and home.startswith("mkc") and prefix in ("mkc", home):
                yield f"{prefix}.{name}", thing


THINGS = dict(public())
CLASSES = {name: thing for name, thing in THINGS.items() if inspect.isclass(thing)}
FUNCTIONS = {name: thing for name, thing in THINGS.items() if not inspect.isclass(thing)}
METHODS = {
    f"{name}.{method}": getattr(cls, method)
    for name, cls in CLASSES.items()
    for method in vars(cls)
    if inspect.isfunction(getattr(cls, method)) and not method.startswith("_")
}


def section(doc, title):
    """The names in a section of a docstring."""
    found = re.search(rf"^{title}\n-+\n(.*?)(?=^\w[^\n]*\n-+\n|\Z)", doc, re.MULTILINE | re.DOTALL)
    lines = found[1].splitlines() if found else []
    names = [line.split(" : ")[0] for line in lines if line and not line.startswith(" ")]
    return {name.strip("*") for line in names for name in line.split(", ")}


def parameters(function):
    given = inspect.signature(function).parameters
    return [name for name in given if name not in ("self", "params")]  # **params: scikit-learn's


def test_public_names_are_found():
    assert len(FUNCTIONS) >= 20 and len(CLASSES) >= 9 and len(METHODS) >= 12


@pytest.mark.parametrize("name", [*FUNCTIONS, *METHODS])
def test_functions_describe_their_parameters(name):
    function = FUNCTIONS.get(name) or METHODS[name]
    doc = inspect.getdoc(function) or ""
    assert doc
    if not doc.startswith("As :func:"):
        lost = set(parameters(function)) - section(doc, "Parameters")
        assert not lost, lost


@pytest.mark.parametrize("name", CLASSES)
def test_classes_describe_their_attributes(name):
    cls = CLASSES[name]
    doc = inspect.getdoc(cls)
    assert doc
    if dataclasses.is_dataclass(cls):
        fields = {field.name for field in dataclasses.fields(cls) if not field.name.startswith("_")}
        assert fields == section(doc, "Attributes")
    elif hasattr(cls, "get_params"):
        described = section(doc, "Parameters") - {"method_options"}
        assert set(cls().get_params()) == described and section(doc, "Attributes")
    for attribute, value in vars(cls).items():
        if not attribute.startswith("_") and hasattr(type(value), "__get__") and not inspect.isfunction(value):
            assert inspect.getdoc(value), attribute


@pytest.mark.parametrize("name", [*MODULES, *FUNCTIONS, *CLASSES, *METHODS])
def test_example_runs(name, tmp_path, monkeypatch):
    """As its user would run it: in another folder, with nothing imported before."""
    thing = MODULES.get(name) or THINGS.get(name) or METHODS[name]
    monkeypatch.chdir(tmp_path)
    (example,) = doctest.DocTestFinder(recurse=False).find(thing, name, globs={})
    assert len(example.examples) > 1
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    report = io.StringIO()
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", module="mudata|anndata")
        warnings.filterwarnings("error", category=UserWarning, module="<doctest")
        runner.run(example, out=report.write)
    plt.close("all")
    assert runner.failures == 0, report.getvalue()


def test_fitted_attributes_are_described(kernels):
    fitted = mkc.KernelCompleter("mean").fit(kernels)
    described = section(inspect.getdoc(mkc.KernelCompleter), "Attributes")
    found = {name for name in vars(fitted) if name.endswith("_") and not name.startswith("_")}
    assert found - {"n_features_in_"} == described
