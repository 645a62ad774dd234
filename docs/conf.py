"""The documentation site: `make docs` (scripts/docs) copies its pages and runs Sphinx."""

import dataclasses
import os
import pathlib
import re

import matplotlib
from sphinx.pycode import ModuleAnalyzer
from sphinx.util.inspect import TypeAliasForwardRef

import mkc

SOURCE = pathlib.Path(os.environ["MKC_SOURCE"])
EXAMPLES = SOURCE / "examples"
PUBLIC = set(mkc.__all__)

project = "mkc"
author = "The mkc authors"
copyright = author
version = release = mkc.__version__

extensions = ["breathe", "myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["requirements.txt", "tutorial/index.rst", "gallery/**/*.ipynb"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

html_theme = "furo"
html_title = "mkc"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    f"{mode}_css_variables": {
        "color-brand-primary": colour,
        "color-brand-content": colour,
        "color-api-name": colour,
        "color-api-pre-name": "var(--color-foreground-secondary)",
    }
    for mode, colour in [("light", "#2f6690"), ("dark", "#81b1d6")]
}
html_copy_source = False
html_show_sourcelink = False
pygments_style = "tango"
highlight_language = "text"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

# The API: types are in the signatures.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_type_aliases = {name: name for name in ("MultiView", "Table", "Observed", "KernelChoice")}  # docs/api/index.md
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
napoleon_google_docstring = False
# Our own names must resolve; names of other projects are not looked up, because that needs the network.
nitpick_ignore_regex = [(r"py:.*", r"(?!mkc\b).*"), (r"py:.*", r"mkc\._types\..*"), (r"cpp:.*", r".*")]
suppress_warnings = [
    "config.cache",  # the gallery's settings hold functions
    "duplicate_declaration.cpp",  # every header opens the namespace mkc
]

# The C++ reference: scripts/docs runs Doxygen on the public headers.
breathe_projects = {"mkc": str(SOURCE / "build/docs/doxygen/xml")}
breathe_default_project = "mkc"
breathe_show_include = False


class GalleryOrder:
    """In reading order, not by name."""

    def __init__(self, folder):
        pass

    def __call__(self, file):
        names = ["completing_omics", "is_it_worth_it", "nested_cross_validation", "uncertainty", "new_samples"]
        stem = pathlib.Path(file).stem
        return (names.index(stem) if stem in names else len(names), stem)


def tidy_figures(gallery_conf, fname):
    """Every example starts with the same settings."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({"figure.dpi": 110, "savefig.dpi": 110, "font.size": 10})


sphinx_gallery_conf = {
    "examples_dirs": [str(EXAMPLES / "tutorial"), str(EXAMPLES / "gallery")],
    "gallery_dirs": ["tutorial", "gallery"],
    "filename_pattern": r"\.py$",
    "within_subsection_order": GalleryOrder,
    "reset_modules": (tidy_figures,),
    "abort_on_example_error": True,
    "min_reported_time": 1e9,
    "show_memory": False,
    "show_signature": False,
    "remove_config_comments": True,
    "ignore_repr_types": r"matplotlib\.",
    "doc_module": ("mkc",),
    "backreferences_dir": "api/examples",
    "inspect_global_variables": False,
    "write_computation_times": False,
    "download_all_examples": False,
}


returned = {}  # name: the lines of its docstring on what it returns


def sections(app, what, name, obj, options, lines):
    """Our docstrings in the form that napoleon expects.

    Attributes are written `name, name : text`, without types: those of a dataclass are added. A sentence below
    "Returns" or after the parameters describes the result. Parameters that share a text stay together.
    """
    where, kept = "", []
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[number + 1]):
            where = line
        sentence = re.fullmatch(r"Returns (.+)", line)
        if where in ("Parameters", "Returns") and sentence:
            where, line = "Returns", sentence[1]
        field = re.fullmatch(r"(\w[\w, ]*?) : (.*)", line)
        if where == "Attributes" and field:
            types = {f.name: f.type for f in dataclasses.fields(obj)} if dataclasses.is_dataclass(obj) else {}
            for attribute in field[1].split(", "):
                shown = types.get(attribute, "").replace("FloatArray", "ndarray").replace("pd.", "")
                kept += [f"{attribute} : {shown}" if shown else attribute, f"    {field[2]}"]
        elif where == "Parameters" and re.fullmatch(r"\w+(, \w+)+", line):
            kept.append(line.replace(", ", "/"))
        elif where == "Returns":
            if line != "Returns" and not re.fullmatch(r"-{3,}", line):
                returned.setdefault(name, []).append(line)
        else:
            kept.append(line)
    lines[:] = kept


def after_napoleon(app, what, name, obj, options, lines):
    """Puts the description of the result at the end."""
    if name in returned:
        lines += ["", ":returns:", *(f"    {line}" for line in returned.pop(name)), ""]


def no_constructor(app, what, name, obj, options, signature, annotation):
    """Functions make these objects, not users."""
    if what == "class" and name.rsplit(".", 1)[1] in {"Completion", "Inspection", "Model", "Example"}:
        return "", None
    return None


def public_name(app, env, node, contnode):
    """A class is known by the name that users import, wherever it is defined."""
    parts = node.get("reftarget", "").split(".")
    if parts[0] != "mkc" or len(parts) < 3 or parts[-1] not in PUBLIC:
        return None
    python = env.get_domain("py")
    return python.resolve_xref(env, node["refdoc"], app.builder, node["reftype"], f"mkc.{parts[-1]}", node, contnode)


def implementations_only():
    """The signature of a function with overloads is that of its implementation."""
    analyze = ModuleAnalyzer.analyze

    def analyzed(self):
        analyze(self)
        self.overloads = {}

    ModuleAnalyzer.analyze = analyzed


def setup(app):
    implementations_only()
    TypeAliasForwardRef.__repr__ = lambda self: self.name  # of an alias in a union
    app.connect("autodoc-process-docstring", sections, priority=100)  # before napoleon
    app.connect("autodoc-process-docstring", after_napoleon, priority=900)
    app.connect("autodoc-process-signature", no_constructor)
    app.connect("missing-reference", public_name)
