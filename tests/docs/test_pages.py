"""Every page is reachable, every link leads somewhere, every public name is in the API reference."""

import ast
import re

import pytest
from pages import DOCS, ROOT, anchors, links, site_pages, toctree_entries

PAGES = sorted([*DOCS.rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md"])


def test_every_page_is_reachable_from_the_start_page():
    pages = site_pages()
    seen, ahead = set(), ["index"]
    while ahead:
        name = ahead.pop()
        assert name in pages, f"a toctree names the page '{name}', which is not there"
        if name not in seen:
            seen.add(name)
            ahead += toctree_entries(name, pages)
    assert sorted(set(pages) - seen) == [], "put them into a toctree, as in docs/index.md"


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_link_is_dead(page):
    pages = site_pages()
    dead = []
    for target in links(page):
        file, _, anchor = target.partition("#")
        there = (page.parent / file).resolve() if file else page
        generated = DOCS in there.parents and there.relative_to(DOCS).as_posix() in pages
        if not there.exists() and not generated or anchor and there.suffix == ".md" and anchor not in anchors(there):
            dead.append(target)
    assert dead == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_no_page_has_marks_of_an_unfinished_merge(page):
    assert re.findall(r"^(?:<{7}|>{7}).*", page.read_text(), re.MULTILINE) == []


def test_links_lead_from_the_start_page_to_every_page():
    """On a code host toctrees do not work. The API reference is empty there."""
    seen, ahead = set(), [DOCS / "index.md"]
    while ahead:
        page = ahead.pop()
        if page.suffix == ".md" and page.is_file() and page not in seen:
            seen.add(page)
            ahead += [(page.parent / target.partition("#")[0]).resolve() for target in links(page)]
    lost = [path.relative_to(DOCS).as_posix() for path in set(DOCS.rglob("*.md")) - seen if path.parent.name != "api"]
    assert sorted(lost) == []


def public_names(module):
    """Of __all__, or the functions and classes of a module without underscore."""
    tree = ast.parse((ROOT / "python/mkc" / module).read_text())
    for node in tree.body:
        if isinstance(node, ast.Assign) and getattr(node.targets[0], "id", "") == "__all__":
            return ast.literal_eval(node.value)
    kinds = (ast.FunctionDef, ast.ClassDef)
    return [node.name for node in tree.body if isinstance(node, kinds) and not node.name.startswith("_")]


def test_every_public_name_is_in_the_api_reference():
    text = "\n".join(path.read_text() for path in (DOCS / "api").glob("*.md"))
    documented = set(re.findall(r"^\.\. (?:auto\w+|data):: (?:mkc\.)?(\w+)", text, re.MULTILINE))
    for module in ("__init__.py", "datasets.py"):
        assert sorted(set(public_names(module)) - documented) == []
    assert re.search(r"automodule:: mkc\.plot\n   :members:", text)  # all of it


def test_every_public_header_is_in_the_cpp_reference():
    """In the table of its page with a description, and with its declarations."""
    headers = {path.relative_to(ROOT / "include").as_posix() for path in (ROOT / "include").rglob("*.hpp")}
    text = "\n".join(path.read_text() for path in (DOCS / "api/cpp").glob("*.md"))
    described = set(re.findall(r"^\| `(mkc/\S+)` \| \S", text, re.MULTILINE))
    shown = re.findall(r"^## (\S+)\n\n```{doxygenfile} (\S+)\n```", text, re.MULTILINE)
    assert (headers - described, described - headers) == (set(), set()), "left out, and no longer there"
    assert {header for header, _ in shown} == headers
    assert all(header.endswith(f"/{name}") for header, name in shown)
