#!/usr/bin/env python3
"""Remakes the tables of docs/peers.md: what others reach, beside mkc, on the same masks.

    MKC_DATA=../shared/data scripts/peers.py build/release/apps/mkc/mkc

The peers are installed from PyPI into an environment of their own, build/peers/env, on the first call. Finished runs
are kept in build/peers/results.json, so an interrupted call goes on where it was; --force starts anew. A peer that is
not installed, fails or takes longer than --seconds is shown as that. --only NAME runs and shows what is finished
of the rest.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import venv

ROOT = pathlib.Path(__file__).resolve().parent.parent
BUILD = ROOT / "build" / "peers"
# snfpy 0.2 uses an argument that scikit-learn 1.8 no longer has
PACKAGES = ["numpy", "scipy", "scikit-learn<1.8", "mofapy2", "snfpy", "imml"]
OURS = ["mkc auto", "mkc transfer", "mkc mkkm", "mkc knn,diagonal=add", "mkc alone"]
FILLERS = [
    "feature means",
    "KNNImputer (scikit-learn, k = 10)",
    "IterativeImputer (scikit-learn)",
    "trees in rounds, as missForest",
    "iterative SVD, rank 20",
    "MOFA (mofapy2, impute)",
]
CLUSTERERS = [
    "SNF (snfpy) on feature means",
    *(f"{name} (iMML)" for name in ("NEMO", "DAIMC", "EEIMVC", "LFIMVC", "IMSR", "SIMCADC")),
]
SETS = ["mfeat", "3sources", "breast_tcga"]
ONE_THREAD = os.environ | {"OPENBLAS_NUM_THREADS": "1", "OMP_NUM_THREADS": "1"}  # waiting threads count as work
OUR_CLUSTERS = ["auto", "transfer", "mkkm,k=6"]

# accuracy and NMI on the 416 stories of 3sources, as their authors print them; tuned on the classes
PUBLISHED = {
    "HCP-IMSC": (0.913, 0.793),
    "FLSD": (0.887, 0.743),
    "PIC": (0.875, 0.726),
    "V3H": (0.844, 0.685),
    "UEAF": (0.835, 0.681),
    "MKKM-IK": (0.820, 0.686),
    "APMC": (0.819, 0.674),
    "MKKM-IK-MKC": (0.753, 0.615),
    "EE-R-IMVC": (0.719, 0.573),
    "best single view": (0.226, 0.030),
}


def environment():
    """Python of the peers' environment, which is made where it is not there."""
    python = BUILD / "env" / "bin" / "python"
    if not python.exists():
        venv.create(BUILD / "env", with_pip=True)
        for package in PACKAGES:  # one that cannot be had leaves the others
            subprocess.run([python, "-m", "pip", "install", "-q", package], check=False)
    return python


class Runs:
    def __init__(self, arguments):
        self.arguments = arguments
        self.python = environment()
        self.path = BUILD / "results.json"
        self.known = json.loads(self.path.read_text()) if self.path.exists() and not arguments.force else {}

    def get(self, name, set_name):
        key = f"{name} | {set_name}"
        wanted = not self.arguments.only or any(part in key for part in self.arguments.only)
        if key not in self.known and wanted:
            print(key, file=sys.stderr)
            self.known[key] = self.run(name, set_name)
            self.path.write_text(json.dumps(self.known, indent=1))
        return self.known.get(key, {"note": "not run"})

    def run(self, name, set_name):
        script = ROOT / "scripts" / "peer_runs.py"
        with tempfile.TemporaryDirectory() as folder:
            command = [self.python, script, name, set_name, folder, self.arguments.binary.resolve()]
            try:
                done = subprocess.run(
                    list(map(str, command)),
                    capture_output=True,
                    text=True,
                    timeout=self.arguments.seconds,
                    env=ONE_THREAD,
                )
            except subprocess.TimeoutExpired:
                return {"note": f"stopped after {self.arguments.seconds} s"}
        if done.returncode == 0:
            return json.loads(done.stdout.splitlines()[-1])
        return {"note": "failed: " + (done.stderr.strip().splitlines() or ["no message"])[-1][:90]}


def shown(value, digits, best):
    text = f"{value:.{digits}f}"
    return f"**{text}**" if best else text


def completion_table(runs, set_name):
    """The best of every column is bold, whoever it is."""
    columns = {"error": (1, min), "nmi": (3, max), "accuracy": (1, max), "seconds": (1, min), "mib": (0, min)}
    results = {name: runs.get(name, set_name) for name in OURS + FILLERS}
    best = {}
    for column, (digits, choose) in columns.items():
        values = [round(r[column], digits) for r in results.values() if column in r]
        best[column] = choose(values) if values else None
    lines = ["| | error of centred rows, % | NMI | SVM, % | CPU seconds | MiB |", "|---|---|---|---|---|---|"]
    for name, result in results.items():
        cells = [f"`{name}`" if name in OURS else name]
        if "error" not in result:
            cells += [result["note"], "", "", "", ""]
        else:
            for column, (digits, _) in columns.items():
                cells.append(shown(result[column], digits, round(result[column], digits) == best[column]))
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def cluster_table(runs):
    rows = [
        (f"{name}, published", *figures, "tuned on the classes by its authors") for name, figures in PUBLISHED.items()
    ]
    for name in CLUSTERERS + [f"clusters {method}" for method in OUR_CLUSTERS]:
        result = runs.get(name, "natural")
        if name.startswith("clusters "):
            label, how = f"`mkc complete -m {name[9:]}`, `mkc cluster`", "run here; k given, nothing tuned"
        else:
            label, how = name, "run here with its defaults; k given"
        rows.append((label, result.get("matched"), result.get("nmi"), result.get("note", how), result))
    rows.sort(key=lambda row: -(row[1] if row[1] is not None else -1))
    lines = ["| method | accuracy | NMI | |", "|---|---|---|---|"]
    for label, right, nmi, how, *result in rows:
        if right is None:
            lines.append(f"| {label} | - | - | {how} |")
            continue
        spreads = [f" ± {result[0][key]:.3f}" if result else "" for key in ("matched_sd", "nmi_sd")]
        lines.append(f"| {label} | {right:.3f}{spreads[0]} | {nmi:.3f}{spreads[1]} | {how} |")
    return "\n".join(lines)


def replaced(page, name, text):
    begin, end = (f"<!-- {name}: {word} -->" for word in ("begin", "end"))
    before, rest = page.split(begin)
    return before + begin + "\n\n" + text + "\n\n" + end + rest.split(end)[1]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary", type=pathlib.Path)
    parser.add_argument("--seconds", type=float, default=600, help="that one run may take")
    parser.add_argument("--only", action="append", help="part of 'NAME | SET'; may be repeated")
    parser.add_argument("--force", action="store_true", help="run everything again")
    arguments = parser.parse_args()
    runs = Runs(arguments)
    page = ROOT / "docs" / "peers.md"
    text = replaced(page.read_text(), "clusters", cluster_table(runs))
    for set_name in SETS:
        text = replaced(text, set_name, completion_table(runs, set_name))
    page.write_text(text)


if __name__ == "__main__":
    main()
