"""The path of the README from three files to groups of patients: its commands, from an empty folder."""

import csv
import json
import pathlib
import re
import shlex

README = pathlib.Path(__file__).resolve().parents[2] / "README.md"
HEADING = "## From three files to groups of patients"


def commands():
    block = README.read_text().split(HEADING)[1].split("```sh\n")[1].split("```")[0]
    return [shlex.split(line) for line in block.splitlines()]


def rows_of(path, delimiter):
    with open(path, newline="") as file:
        return {row.pop("sample", None) or row.pop("patient"): row for row in csv.DictReader(file, delimiter=delimiter)}


def test_the_five_commands_of_the_readme(mkc, tmp_path):
    steps = commands()
    assert len(steps) == 5 and all(words[0] == "mkc" for words in steps)
    written, asked, *runs = [mkc(*words[1:]) for words in steps]
    assert written.code == 0
    # inspect asks, and proposes the command that follows it.
    assert asked.code == 3 and "TCGA barcodes agree in their first 12 characters" in asked.out
    proposed = re.search(r"proposed:\n +(mkc .*)", asked.out)[1]
    assert shlex.split(proposed) == steps[2]
    assert [run.code for run in runs] == [0, 0, 0], [run.err for run in runs]

    clusters, clinical = rows_of(tmp_path / "clusters.tsv", "\t"), rows_of(tmp_path / "cohort/clinical.csv", ",")
    assert len(clusters) == 150 and clusters.keys() == clinical.keys()
    # Nearly every patient is in the cluster of its planted subtype.
    pairs = [(row["cluster"], clinical[patient]["subtype"]) for patient, row in clusters.items()]
    largest = sum(max(pairs.count((c, s)) for s in "ABC") for c in {c for c, _ in pairs})
    assert len({c for c, _ in pairs}) >= 2 and largest >= 140

    about = json.loads((tmp_path / "clusters.json").read_text())
    assert about["labels"]["log_rank"]["p"] < 1e-4
    page = (tmp_path / "report.html").read_text()
    data = json.loads(re.search(r'<script[^>]*id="data"[^>]*>(.*?)</script>', page, re.S)[1])
    assert sum(group["samples"] for group in data["survival"]["groups"]) == 150
    assert len(data["clusters"]["groups"]) == len({c for c, _ in pairs})
