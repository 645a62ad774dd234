#!/usr/bin/env python3
"""Puts the results of experiments into docs/results/, between the marker lines of each page.

    experiments/into_docs.py FOLDER ...

FOLDER is the output of `mkc experiment`. The results of `toy` or `toy-full` go into docs/results/toy.md, between
`<!-- experiment toy-full: begin -->` and `<!-- experiment toy-full: end -->` (the markers have the full name, so a
page shows either the short or the full version). Figures go to docs/images. The ratios to the paper's Table 1 go into
docs/results.md, between `<!-- ratios: begin -->` and `<!-- ratios: end -->`. Folders without markers are reported.

The results of some methods alone (`-m`) in a folder like `dream-full+rows` are added to the tables of `dream-full`:
rows of the same name are replaced, others go to the end, and a line above the tables names them with their command.

Tables of seconds are left out: docs/results/speed.md has timings. Needs Python's standard library only.
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


def numbered_tables(text):
    """Every table as (header, how many with this header came before, lines, place of its first line)."""
    lines, seen, place = text.split("\n"), {}, 0
    while place < len(lines):
        end = place
        while end < len(lines) and lines[end].startswith("|"):
            end += 1
        if end > place:
            header = lines[place]
            yield header, seen.setdefault(header, 0), lines[place:end], place
            seen[header] += 1
        place = end + 1


def with_rows(old, new):
    """The text `old` with the rows of the tables of `new`."""
    additions = {
        (header, number): rows[2:]
        for header, number, rows, _ in numbered_tables(new)
        if not header.startswith("| data |")  # of ratios: needs all methods
    }
    lines, names = old.split("\n"), []
    for header, number, table, place in reversed(list(numbered_tables(old))):
        if (header, number) not in additions:
            continue
        rows = {row.split("|")[1].strip(): row for row in table[2:]}
        added = {row.split("|")[1].strip(): row for row in additions[header, number]}
        lines[place : place + len(table)] = table[:2] + list((rows | added).values())
        names = list(added)
    title, _, rest = "\n".join(lines).strip().partition("\n\n")
    about = f"Rows {', '.join(names)} are of another run"
    paragraphs = [p for p in rest.split("\n\n") if not p.startswith(about)]
    about += f", their deviations over views and partitions: {new.strip().splitlines()[0]}"
    return "\n\n".join([title, about, *paragraphs])


def put_rows(folder, docs):
    """Adds the rows of a folder like `dream-full+rows` to the tables of its page."""
    base = folder.name.partition("+")[0]
    page = docs / "results" / f"{base.removesuffix('-full')}.md"
    begin, end = (f"<!-- experiment {base}: {word} -->" for word in ("begin", "end"))
    text = page.read_text() if page.exists() else ""
    if begin not in text:
        return False
    old = text.split(begin)[1].split(end)[0]
    new = without_seconds((folder / "results.md").read_text())
    page.write_text(replace_between(text, f"experiment {base}", with_rows(old, new)))
    return True


def put(folder, docs):
    """Puts the results of one folder into its page; False where the page or its markers do not exist."""
    if "+" in folder.name:
        return put_rows(folder, docs)
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
        "| data | best of the paper's methods over `knn` | which | the paper's | auto over `knn` |",
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
