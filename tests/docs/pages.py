"""The pages of the documentation, read as plain text: no Sphinx needed."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
DOCS = ROOT / "docs"
LAID_OUT = {"changelog": ROOT / "CHANGELOG.md", "contributing": ROOT / "CONTRIBUTING.md"}  # scripts/docs


def without_code(text):
    """Markdown without code blocks and code spans: what looks like a link there is none."""
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1\s*$", "", text, flags=re.MULTILINE | re.DOTALL)
    return re.sub(r"`[^`\n]*`", "code", text)


def links(path):
    """Targets of the links and images of a page that lead to files of the project."""
    found = re.findall(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)", without_code(path.read_text()))
    return [target for target in found if not re.match(r"[a-z]+:", target)]


def anchors(path):
    """Names of the headings of a page, as code hosts and Sphinx make them."""
    text = re.sub(r"^(`{3,})[^\n]*\n.*?^\1\s*$", "", path.read_text(), flags=re.MULTILINE | re.DOTALL)
    headings = re.findall(r"^#+ (.+?)\s*$", text, flags=re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


def gallery_pages():
    """Pages that the examples become, by name."""
    folders = {"tutorial": ROOT / "examples/tutorial", "gallery": ROOT / "examples/gallery"}
    pages = {f"{name}/{path.stem}": path for name, folder in folders.items() for path in folder.glob("*.py")}
    return {**pages, "gallery/index": ROOT / "examples/gallery/GALLERY_HEADER.rst"}


def site_pages():
    """Every page of the site by name: those of docs/ and the generated ones."""
    written = {path.relative_to(DOCS).with_suffix("").as_posix(): path for path in DOCS.rglob("*.md")}
    return {**written, **LAID_OUT, **gallery_pages()}


def toctree_entries(name, pages):
    """Pages that the toctrees of a page name, patterns resolved."""
    folder = pathlib.PurePosixPath(name).parent
    entries = []
    if name == "gallery/index":  # made of all its examples
        return [page for page in pages if page.startswith("gallery/") and page != name]
    for block in re.findall(r"^```\{toctree\}\n(.*?)^```", pages[name].read_text(), re.MULTILINE | re.DOTALL):
        for line in block.splitlines():
            if not line.strip() or line.startswith(":"):
                continue
            titled = re.fullmatch(r".+<(.+)>", line.strip())
            entry = (folder / (titled[1] if titled else line.strip())).as_posix()
            if "*" not in entry:
                entries.append(entry)
                continue
            matched = [page for page in pages if pathlib.PurePosixPath(page).match(entry)]
            entries += [page for page in matched if page != name]
    return entries
