"""What kernel=auto changes on real data: the table of docs/results/kernels.md.

    build/python/bin/python scripts/kernels_by_type.py MKC_BINARY [SET...]

For every data set, with the default of version 0.2 (z-scores, rbf, median width) and with no option at all: per view
the error of held-out rows and the share of centred rows that is recovered (`mkc complete`), and the cross-validated
accuracy of a support vector machine on the completed, combined kernels (`mkc combine`). Real data are in the folder
MKC_DATA.
"""

import csv
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import numpy as np
from scipy.io import loadmat
from sklearn.model_selection import GridSearchCV, StratifiedKFold, cross_val_score
from sklearn.svm import SVC

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data")).resolve()
BEFORE = "kernel=rbf,gamma=median"


def labels_of_stories(folder):
    """Topics of 3sources as a table: the file has one line per topic with the numbers of its stories."""
    lines = ["story\ttopic"]
    for line in (DATA / "3sources" / "3sources.disjoint.clist").read_text().splitlines():
        topic, *stories = line.replace(" ", "").split(",")
        lines += [f"{int(story)}\t{topic}" for story in stories if story]
    (folder / "topics.tsv").write_text("\n".join(lines) + "\n")
    return folder / "topics.tsv"


def three_sources(folder):
    views = [f"{name}={DATA}/3sources/3sources_{name}.mtx" for name in ("bbc", "guardian", "reuters")]
    return views, [], labels_of_stories(folder)


def miniacc(folder):
    """The molecular subtype C1A or C1B, which the authors of the data found in the RNA."""
    names = ("RNASeq2GeneNorm", "gistict", "RPPAArray", "Mutations", "miRNASeqGene")
    views = [f"{DATA}/miniacc/{name}.csv" for name in names]
    with open(DATA / "miniacc" / "colData.csv", newline="") as file:
        rows = list(csv.DictReader(file))
    lines = ["id\tsubtype"]
    lines += [f"{row['patientID']}\t{row['C1A.C1B']}" for row in rows if row["C1A.C1B"] not in ("", "NA")]
    (folder / "subtype.tsv").write_text("\n".join(lines) + "\n")
    return views, ["--sample-map", f"{DATA}/miniacc/sampleMap.csv"], folder / "subtype.tsv"


def breast(folder):
    """Train and test patients in one table; proteins were measured for train patients only."""
    source = DATA / "breast_tcga"
    for name, parts in {"mrna": ("train", "test"), "mirna": ("train", "test"), "protein": ("train",)}.items():
        tables = [(source / f"data.{part}.{name}.csv").read_text().splitlines() for part in parts]
        (folder / f"{name}.csv").write_text("\n".join(tables[0] + sum((t[1:] for t in tables[1:]), [])) + "\n")
    labels = [(source / f"data.{part}.subtype.csv").read_text().splitlines() for part in ("train", "test")]
    rows = [line.replace('"', "").replace(",", "\t") for line in labels[0] + labels[1][1:]]
    (folder / "subtype.tsv").write_text("\n".join(rows) + "\n")
    return ["mrna.csv", "mirna.csv", "protein.csv"], [], folder / "subtype.tsv"


def nutrimouse(folder):
    """Complete as it comes: every second mouse loses one of its two views."""
    hidden = np.random.default_rng(0).choice([0, 1, 2], 40, p=[0.5, 0.25, 0.25])
    mask = ["id\tgene\tlipid"] + [f"{i}\t{int(h != 1)}\t{int(h != 2)}" for i, h in enumerate(hidden)]
    (folder / "mask.tsv").write_text("\n".join(mask) + "\n")
    diets = (DATA / "nutrimouse" / "diet.csv").read_text().replace('"', "").split()[1:]
    lines = ["id\tclass"] + [f"{i}\t{diet}" for i, diet in enumerate(diets)]
    (folder / "diet.tsv").write_text("\n".join(lines) + "\n")
    views = [f"{DATA}/nutrimouse/{name}.csv" for name in ("gene", "lipid")]
    return views, ["--match-rows", "--mask", "mask.tsv"], folder / "diet.tsv"


def protocol(folder, name, file, array, labels):
    """Rows and mask of the stored protocol with two views missing, seed 0."""
    stored = loadmat(DATA / name / file)
    table = np.loadtxt(DATA / name / "protocol_s0_miss2.csv", delimiter=",", skiprows=1, dtype=int)
    rows, observed = table[:, 0], table[:, 1:] > 0
    views = []
    for m, view in enumerate(stored[array].ravel()):
        values = np.asarray(view.toarray() if hasattr(view, "toarray") else view, float)[rows]
        values[~observed[:, m]] = np.nan
        ids = np.array([f"s{row}" for row in rows])
        np.savez(folder / f"view{m + 1}.npz", **{f"view{m + 1}": values, "samples": ids})
        views.append(f"view{m + 1}.npz")
    classes = stored[labels].ravel()[rows]
    lines = ["id\tclass"] + [f"s{row}\tc{label}" for row, label in zip(rows, classes)]
    (folder / "classes.tsv").write_text("\n".join(lines) + "\n")
    return views, [], folder / "classes.tsv"


SETS = {
    "3sources": three_sources,
    "miniacc": miniacc,
    "breast_tcga": breast,
    "nutrimouse": nutrimouse,
    "mfeat": lambda folder: protocol(folder, "mfeat", "handwritten.mat", "X", "Y"),
    "reuters_1200": lambda folder: protocol(folder, "reuters_1200", "Reuters.mat", "fea", "gt"),
}


def run(binary, folder, *arguments):
    done = subprocess.run([binary, *arguments], cwd=folder, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{' '.join(arguments)}\n{done.stderr}")


def accuracy(kernel, classes):
    """Mean and deviation over 20 repeats of nested cross-validation; C is chosen in the training folds. One repeat
    varies by half a point on 400 samples: the mean of five is no figure to compare with a limit."""
    grid = {"C": [0.1, 1, 10, 100, 1000]}
    means = []
    for seed in range(20):
        outer = StratifiedKFold(5, shuffle=True, random_state=seed)
        inner = GridSearchCV(SVC(kernel="precomputed"), grid, cv=StratifiedKFold(3, shuffle=True, random_state=seed))
        means.append(100 * cross_val_score(inner, kernel, classes, cv=outer).mean())
    return np.mean(means), np.std(means)


def measured(binary, folder, views, options, labels, out):
    """Per view (name, kernel, error %, recovered), and the accuracy of the combined kernel."""
    run(binary, folder, "complete", *views, *options, "-o", out, "--report", "none", "-t", "1")
    run(binary, folder, "combine", out, "-o", f"{out}.npz")
    meta = json.loads((folder / out / "meta_info.json").read_text())
    figures = [(view["name"], view["kernel"], meta["quality"]["views"].get(view["name"], {})) for view in meta["views"]]
    stored = np.load(folder / f"{out}.npz")
    kernel = next(stored[name] for name in stored.files if name != "samples")
    class_of = dict(line.split("\t")[:2] for line in pathlib.Path(labels).read_text().splitlines()[1:])
    known = [i for i, sample in enumerate(stored["samples"]) if sample in class_of]
    classes = [class_of[stored["samples"][i]] for i in known]
    return figures, accuracy(kernel[np.ix_(known, known)] / np.trace(kernel) * len(kernel), classes)


def percent(value):
    return "-" if value is None else f"{100 * value:.1f}"


def main():
    binary = str(pathlib.Path(sys.argv[1]).resolve())
    for name in sys.argv[2:] or SETS:
        with tempfile.TemporaryDirectory() as scratch:
            folder = pathlib.Path(scratch)
            views, options, labels = SETS[name](folder)
            results = {
                "before": measured(binary, folder, [f"{v},{BEFORE}" for v in views], options, labels, "before"),
                "now": measured(binary, folder, views, options, labels, "now"),
            }
        before, now = results["before"], results["now"]
        print(f"| **{name}** | accuracy {before[1][0]:.1f} -> **{now[1][0]:.1f}** (+- {now[1][1]:.1f}) | | |")
        for (view, _, old), (_, kernel, new) in zip(before[0], now[0]):
            errors, shares = (
                [percent(figures.get(key)) for figures in (old, new)] for key in ("held_out_error", "recovered")
            )
            print(f"| {view} | {kernel} | {errors[0]} -> {errors[1]} | {shares[0]} -> {shares[1]} |", flush=True)


if __name__ == "__main__":
    main()
