#!/usr/bin/env python3
"""Puts the results of experiments into docs/results/, between the marker lines of each page.

    experiments/into_docs.py FOLDER ...

FOLDER is the output of `mkc experiment`. The results of `toy` or `toy-full` go into docs/results/toy.md, between
`<!-- experiment toy-full: begin -->` and `<!-- experiment toy-full: end -->` (the markers have the full name, so a
page shows either the short or the full version). Figures go to docs/images. The ratios to the paper's Table 1 go into
docs/results.md, between `<!-- ratios: begin -->` and `<!-- ratios: end -->`. Folders without markers are reported.

Tables of seconds are left out: docs/benchmarks.md has timings. Needs Python's standard library only.
"""

import csv
import pathlib
import re
import shutil
import sys

# Spectra of real kernels are left out, because the data may not be passed on.
SYNTHETIC = {"toy", "released", "literal"}
DOCS = pathlib.Path(__file__).resolve().parent.parent / "docs"


def replace_between(page, name, text):
    """The page with `text` between the marker lines of that name; None where it has no such markers."""
    begin, end = (f"<!-- {name}: {word} -->" for word in ("begin", "end"))
    if begin not in page or end not in page:
        return None
    before, rest = page.split(begin)
    return before + begin + "\n\n" + text.strip() + "\n\n" + end + rest.split(end)[1]


def without_seconds(text):
    """The text without the table of seconds (its first column is `level`) and the paragraph above it."""
    return re.sub(r"[^\n]+\n\n\| level \|(?:[^\n]+\n)+\n?", "", text)


def put(folder, docs):
    """Puts the results of one folder into its page; False where the page or its markers do not exist."""
    name = folder.name.removesuffix("-full")
    page = docs / "results" / f"{name}.md"
    text = without_seconds((folder / "results.md").read_text())
    if name not in SYNTHETIC:
        text = re.sub(r"\n*!\[spectra.svg\]\(spectra.svg\)", "", text)
    figures = set(re.findall(r"\((\w+\.svg)\)", text))
    for figure in figures:
        text = text.replace(f"![{figure}]({figure})", f"![{figure}](../images/{folder.name}-{figure})")
    new = replace_between(page.read_text(), f"experiment {folder.name}", text) if page.exists() else None
    if new is None:
        return False
    page.write_text(new)
    for figure in figures:
        shutil.copy(folder / figure, docs / "images" / f"{folder.name}-{figure}")
    return True


def ratios(folders):
    """Best of the paper's methods over knn and the paper's own ratio, one line per data set."""
    lines = {}
    for folder in folders:
        with open(folder / "ratios.tsv", newline="") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                if row["paper"] != "NA":
                    lines.setdefault(row["data"], []).append(row)
    table = [
        "| data | best of the paper's methods over knn | which | the paper's | auto over knn |",
        "|---|---|---|---|---|",
    ]
    for data, rows in lines.items():
        values = [
            " / ".join(f"{float(row[key]):.2g}" for row in rows) for key in ("best_over_knn", "paper", "auto_over_knn")
        ]
        which = " / ".join(f"`{row['best']}`" for row in rows)
        table.append(f"| {data} | {values[0]} | {which} | {values[1]} | {values[2]} |")
    return "\n".join(table)


def main(folders, docs=DOCS):
    placed = []
    for folder in map(pathlib.Path, folders):
        if put(folder, docs):
            placed.append(folder)
        else:
            print(f"docs/results has no page with markers for '{folder.name}'", file=sys.stderr)
    comparable = [folder for folder in placed if folder.name in ("toy-full", "dream-full", "rcv-full")]
    if comparable:
        page = docs / "results.md"
        page.write_text(replace_between(page.read_text(), "ratios", ratios(comparable)) or page.read_text())


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    main(sys.argv[1:])
