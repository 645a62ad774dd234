#!/usr/bin/env python3
"""Puts the results of experiments into docs/results.md, between the marker lines of each.

    experiments/into_docs.py FOLDER ...

FOLDER is the output of `mkc experiment`; its name is that of the markers
`<!-- experiment NAME: begin -->` and `<!-- experiment NAME: end -->`. Figures go to docs/images. Needs
Python's standard library only; says which folders have no place in the page. Between
`<!-- ratios: begin -->` and `<!-- ratios: end -->` goes one table of all cells that the paper has too.
"""
import csv
import pathlib
import re
import shutil
import sys

# Spectra of real kernels are left out: what is made of data that may not be passed on stays with them.
SYNTHETIC = {"toy", "released", "literal"}
DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def replace_between(page, name, text):
    """The page with `text` between the marker lines of that name; None where it has none."""
    begin, end = (f"<!-- {name}: {word} -->" for word in ("begin", "end"))
    if begin not in page or end not in page:
        return None
    before, rest = page.split(begin)
    return before + begin + "\n\n" + text.strip() + "\n\n" + end + rest.split(end)[1]


def put(folder, page, images):
    """The page with the results of one folder in it; None where it has no markers of that name."""
    text = (folder / "results.md").read_text()
    if folder.name.removesuffix("-full") not in SYNTHETIC:
        text = text.replace("![spectra.svg](spectra.svg)", "")
    figures = set(re.findall(r"\((\w+\.svg)\)", text))
    for figure in figures:
        name = f"{folder.name}-{figure}"
        text = text.replace(f"![{figure}]({figure})", f"![{name}](images/{name})")
    page = replace_between(page, f"experiment {folder.name}", text)
    for figure in figures if page else ():
        shutil.copy(folder / figure, images / f"{folder.name}-{figure}")
    return page


def ratios(folders):
    """Best of the paper's methods over knn beside the paper's own ratio, one line per data set."""
    lines = {}
    for folder in folders:
        with open(folder / "ratios.tsv", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if row["paper"] != "NA":
                    lines.setdefault(row["data"], []).append(row)
    table = ["| data | best of the paper's methods over knn | which | the paper's | auto over knn |", "|---|---|---|---|---|"]
    for data, rows in lines.items():
        cells = [" / ".join(f"{float(row[key]):.2g}" for row in rows) for key in ("best_over_knn", "paper", "auto_over_knn")]
        which = " / ".join(f"`{row['best']}`" for row in rows)
        table.append(f"| {data} | {cells[0]} | {which} | {cells[1]} | {cells[2]} |")
    return "\n".join(table)


def main(folders):
    page = (DOCS / "results.md").read_text()
    placed = []
    for folder in map(pathlib.Path, folders):
        new = put(folder, page, DOCS / "images")
        if new is None:
            print(f"docs/results.md has no place for '{folder.name}'", file=sys.stderr)
        else:
            page, placed = new, placed + [folder]
    comparable = [folder for folder in placed if folder.name in ("toy-full", "dream-full", "rcv-full")]
    if comparable:
        page = replace_between(page, "ratios", ratios(comparable)) or page
    (DOCS / "results.md").write_text(page)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
