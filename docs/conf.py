"""The documentation site: `make docs` (scripts/docs) lays out its pages and runs Sphinx."""
import importlib
import inspect
import os
import pathlib
import re

import matplotlib

import mkc

EXAMPLES = pathlib.Path(os.environ["MKC_SOURCE"]) / "examples"
PUBLIC = set(mkc.__all__)

project = "mkc"
author = "The mkc authors"
copyright = author
version = release = mkc.__version__

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon", "sphinx_gallery.gen_gallery"]
exclude_patterns = ["README.md", "requirements.txt", "tutorial/index.rst", "gallery/**/*.ipynb"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}

html_theme = "furo"
html_title = "mkc"
html_static_path = ["static"]
html_css_files = ["site.css"]
html_theme_options = {
    "light_css_variables": {"color-brand-primary": "#2f6690", "color-brand-content": "#2f6690"},
    "dark_css_variables": {"color-brand-primary": "#81b1d6", "color-brand-content": "#81b1d6"},
}
html_copy_source = False
html_show_sourcelink = False
pygments_style = "tango"
highlight_language = "text"

myst_heading_anchors = 3
myst_enable_extensions = ["colon_fence"]

# The API: types stand in the signatures.
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_use_unqualified_type_names = True
maximum_signature_line_length = 90
napoleon_google_docstring = False
# Everything of our own must resolve; other projects' names are not looked up, which would need the network.
nitpick_ignore_regex = [(r"py:.*", r"(?!mkc\b).*")]
suppress_warnings = ["config.cache"]  # the gallery's settings hold functions


def tidy_figures(gallery_conf, fname):
    """Every example starts with the same settings."""
    matplotlib.rcdefaults()
    matplotlib.rcParams.update({"figure.dpi": 110, "savefig.dpi": 110, "font.size": 10})


sphinx_gallery_conf = {
    "examples_dirs": [str(EXAMPLES / "tutorial"), str(EXAMPLES / "gallery")],
    "gallery_dirs": ["tutorial", "gallery"],
    "filename_pattern": r"\.py$",
    "within_subsection_order": "FileNameSortKey",
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


returned = {}  # name: what its docstring says below "Returns"


def sections(app, what, name, obj, options, lines):
    """Attributes written `name, name : text` and prose below "Returns" are text, not types, in our docstrings."""
    where, kept = "", []
    for number, line in enumerate(lines):
        if number + 1 < len(lines) and re.fullmatch(r"-{3,}", lines[number + 1]):
            where = line
        field = re.fullmatch(r"(\w[\w, ]*?) : (.*)", line)
        if where == "Attributes" and field:
            for attribute in field[1].split(", "):
                kept += [attribute, f"    {field[2]}"]
        elif where == "Returns":
            returned.setdefault(name, []).append(line)
        else:
            kept.append(line)
    lines[:] = kept


def after_napoleon(app, what, name, obj, options, lines):
    """Puts "Returns" back; the comment beside a field of a dataclass is its documentation."""
    if name in returned:
        lines += ["", ":returns:", *(f"    {line}" for line in returned.pop(name)[2:]), ""]
    if what != "attribute" or any(lines):
        return
    owner_name, field = name.rsplit(".", 1)
    module, _, owner = owner_name.rpartition(".")
    owner = getattr(importlib.import_module(module), owner)
    found = re.search(rf"^    {field}: .*?  # (.+)$", inspect.getsource(owner), re.MULTILINE)
    lines[:] = [found[1] if found else "\N{NO-BREAK SPACE}"]


def no_constructor(app, what, name, obj, options, signature, annotation):
    """Results are made by functions, not by users."""
    if what == "class" and name.rsplit(".", 1)[1] in {"Completion", "Inspection", "Model", "Example"}:
        return "", None
    return None


def public_name(app, env, node, contnode):
    """A class is known by the name users import, wherever it is defined."""
    parts = node.get("reftarget", "").split(".")
    if parts[0] != "mkc" or len(parts) < 3 or parts[-1] not in PUBLIC:
        return None
    python = env.get_domain("py")
    return python.resolve_xref(
        env, node["refdoc"], app.builder, node["reftype"], f"mkc.{parts[-1]}", node, contnode
    )


def setup(app):
    app.connect("autodoc-process-docstring", sections, priority=100)  # before napoleon
    app.connect("autodoc-process-docstring", after_napoleon, priority=900)
    app.connect("autodoc-process-signature", no_constructor)
    app.connect("missing-reference", public_name)
