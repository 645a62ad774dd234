#!/usr/bin/env python3
"""Puts the results of experiments into docs/results.md, between the marker lines of each.

    experiments/into_docs.py FOLDER ...

FOLDER is the output of `mkc experiment`; its name is that of the markers
`<!-- experiment NAME: begin -->` and `<!-- experiment NAME: end -->`. Figures go to docs/images. Needs
Python's standard library only; says which folders have no place in the page.
"""
import pathlib
import re
import shutil
import sys

# Spectra of real kernels are left out: what is made of data that may not be passed on stays with them.
SYNTHETIC = {"toy", "released", "literal"}
DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def put(folder, page, images):
    """The page with the results of one folder in it; None where it has no markers of that name."""
    begin, end = (f"<!-- experiment {folder.name}: {word} -->" for word in ("begin", "end"))
    if begin not in page or end not in page:
        return None
    text = (folder / "results.md").read_text()
    if folder.name.removesuffix("-full") not in SYNTHETIC:
        text = text.replace("![spectra.svg](spectra.svg)", "")
    for figure in re.findall(r"\((\w+\.svg)\)", text):
        name = f"{folder.name}-{figure}"
        shutil.copy(folder / figure, images / name)
        text = text.replace(f"![{figure}]({figure})", f"![{name}](images/{name})")
    before, rest = page.split(begin)
    return before + begin + "\n\n" + text.strip() + "\n\n" + end + rest.split(end)[1]


def main(folders):
    page = (DOCS / "results.md").read_text()
    for folder in map(pathlib.Path, folders):
        new = put(folder, page, DOCS / "images")
        if new is None:
            print(f"docs/results.md has no place for '{folder.name}'", file=sys.stderr)
        page = new or page
    (DOCS / "results.md").write_text(page)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
