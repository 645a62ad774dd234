#!/usr/bin/env python3
"""Would 'mkc advise' have chosen well? Known pairs are hidden and shown again by several policies.

    MKC_DATA=... scripts/advise_study.py build/release/apps/mkc/mkc [SET...] [--draws 20] [--out build/advise_study]

Of the pairs that are truly observed 60 % stay, each sample keeps one. Policies show a quarter of the others again;
after every sixteenth the views are completed anew, and the relative errors of all pairs that were hidden are added
up; a pair that is shown has none. Every draw is one JSON file in --out, finished ones are kept. The tables are
printed as Markdown. Needs numpy, scipy and scikit-learn.
"""

import argparse
import csv
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np
from figure_sets import cosine, gaussian, mfeat, reuters, standardised

DATA = pathlib.Path(os.environ.get("MKC_DATA", "../shared/data"))
# Fast and without options to choose: the same for every policy.
METHOD = "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=kernel,diagonal=none"
KEPT, SPENT, STEPS = 0.6, 0.25, 4
POLICIES = ["random", "uncertainty", "error", "advise", "advise, labels", "true error"]


# Data: kernels (n, n) of the samples that have a view, with NaN for others, and classes ("" = none).


def spread(kernel, rows, n):
    full = np.full((n, n), np.nan)
    full[np.ix_(rows, rows)] = kernel
    return full


def some_mfeat(random):
    from scipy.io import loadmat

    rows = random.permutation(2000)[:300]
    classes = loadmat(DATA / "mfeat" / "handwritten.mat")["Y"].ravel()[rows]
    return [gaussian(standardised(view[rows])) for view in mfeat()], classes.astype(str)


def some_reuters(random):
    from scipy.io import loadmat

    views = reuters()
    known = np.flatnonzero(np.all([view.any(axis=1) for view in views], axis=0))
    rows = random.permutation(known)[:300]
    classes = loadmat(DATA / "reuters_1200" / "Reuters.mat")["gt"].ravel()[rows]
    kernels = []
    for view in views:
        u, s, _ = np.linalg.svd(view[rows], full_matrices=False)
        kernels.append(cosine(u[:, :100] * s[:100]))
    return kernels, classes.astype(str)


def table(path):
    with open(path) as file:
        rows = list(csv.reader(file))
    return [row[0] for row in rows[1:]], rows[0][1:], [row[1:] for row in rows[1:]]


def breast_tcga(_):
    folder = DATA / "breast_tcga"
    classes, views = {}, []
    for name in ("mrna", "mirna", "protein"):
        ids, numbers = [], []
        for part in ("train", "test"):
            path = folder / f"data.{part}.{name}.csv"
            if path.exists():
                more, _, cells = table(path)
                ids += more
                numbers += cells
        views.append((ids, np.array(numbers, float)))
    for part in ("train", "test"):
        ids, _, cells = table(folder / f"data.{part}.subtype.csv")
        classes.update({sample: row[0] for sample, row in zip(ids, cells)})
    return joined(views, classes)


def joined(views, classes):
    samples = list(dict.fromkeys(sample for ids, _ in views for sample in ids))
    place = {sample: i for i, sample in enumerate(samples)}
    kernels = [spread(gaussian(standardised(X)), [place[sample] for sample in ids], len(samples)) for ids, X in views]
    return kernels, np.array([classes.get(sample, "") for sample in samples])


def mini_acc(_):
    folder = DATA / "miniacc"
    with open(folder / "sampleMap.csv") as file:
        patient = {(row["assay"], row["colname"]): row["primary"] for row in csv.DictReader(file)}
    with open(folder / "colData.csv") as file:
        classes = {row["patientID"]: row["C1A.C1B"] for row in csv.DictReader(file)}
    views = []
    for name in ("RNASeq2GeneNorm", "gistict", "RPPAArray", "Mutations", "miRNASeqGene"):
        _, columns, cells = table(folder / f"{name}.csv")
        X = np.array([[np.nan if c in ("NA", "") else float(c) for c in row] for row in cells]).T
        ids = [patient.get((name, column), column[:12]) for column in columns]
        first = [i for i, sample in enumerate(ids) if sample not in ids[:i]]
        X = X[first][:, ~np.isnan(X).any(axis=0)]
        if name in ("RNASeq2GeneNorm", "miRNASeqGene"):
            X = np.log1p(np.maximum(X, 0))
        views.append(([ids[i] for i in first], X))
    return joined(views, {sample: "" if label == "NA" else label for sample, label in classes.items()})


def three_sources(_):
    from scipy.io import mmread

    folder = DATA / "3sources"
    stories, views, classes = {}, [], {}
    for line in (folder / "3sources.disjoint.clist").read_text().splitlines():
        topic, *ids = line.replace(":", ",").split(",")
        classes.update({int(story): topic for story in ids if story.strip()})
    for name in ("bbc", "guardian", "reuters"):
        ids = [int(story) for story in (folder / f"3sources_{name}.docs").read_text().split()]
        X = np.sqrt(mmread(folder / f"3sources_{name}.mtx").toarray().T.astype(float))
        views.append((ids, X))
        stories.update(dict.fromkeys(ids))
    samples = list(stories)
    place = {story: i for i, story in enumerate(samples)}
    kernels = [spread(cosine(X), [place[story] for story in ids], len(samples)) for ids, X in views]
    return kernels, np.array([classes.get(story, "") for story in samples])


SETS = {
    "mfeat": some_mfeat,
    "reuters_1200": some_reuters,
    "breast_tcga": breast_tcga,
    "MiniACC": mini_acc,
    "3sources": three_sources,
}


def hidden_at_random(truth, random):
    """60 % of the pairs stay; a sample keeps at least one."""
    observed = truth.copy()
    pairs = random.permutation(np.argwhere(truth))
    left = round((1 - KEPT) * len(pairs))
    for i, m in pairs:
        if left and observed[i].sum() > 1:
            observed[i, m] = False
            left -= 1
    return observed


class Tool:
    """mkc on the kernels of one draw."""

    def __init__(self, binary, folder, kernels, classes):
        self.binary, self.folder, self.kernels = binary, pathlib.Path(folder), kernels
        self.n, self.m = len(kernels[0]), len(kernels)
        self.truth = np.array([~np.isnan(np.diag(K)) for K in kernels]).T
        lines = [f"{i},{label}" for i, label in enumerate(classes) if label]
        (self.folder / "labels.csv").write_text("sample,class\n" + "\n".join(lines) + "\n")
        np.savez(
            self.folder / "kernels.npz",
            samples=np.array([str(i) for i in range(self.n)]),
            **{f"v{m}": K for m, K in enumerate(kernels)},
        )

    def run(self, command, observed, *options):
        lines = ["sample," + ",".join(f"v{m}" for m in range(self.m))]
        lines += [f"{i}," + ",".join("01"[int(o)] for o in row) for i, row in enumerate(observed)]
        (self.folder / "mask.csv").write_text("\n".join(lines) + "\n")
        arguments = [self.binary, command, "kernels.npz", "--mask", "mask.csv", "--psd", "clip", "-m", METHOD]
        arguments += ["-o", command, "--force", "--threads", "1", "-q", *options]
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return self.folder / command

    def complete(self, observed):
        with np.load(self.run("complete", observed, "--report", "none") / "kernels.npz") as file:
            return [file[f"v{m}"] for m in range(self.m)]

    def uncertainty(self, observed):
        self.run("complete", observed, "--report", "none")
        cells = np.genfromtxt(self.folder / "complete" / "uncertainty.tsv", delimiter="\t", skip_header=1)
        scale = [np.nanmean(np.diag(K)[observed[:, m]]) for m, K in enumerate(self.kernels)]
        return cells[:, 1:] / scale

    def advise(self, observed, candidates, *options):
        lines = ["sample\tview"] + [f"{i}\tv{m}" for i, m in candidates]
        (self.folder / "candidates.tsv").write_text("\n".join(lines) + "\n")
        folder = self.run("advise", observed, "--candidates", "candidates.tsv", *options)
        return json.loads((folder / "advice.json").read_text())

    def errors(self, completed, observed):
        """Relative errors of the hidden rows, over the samples that truly have the view; NaN elsewhere."""
        errors = np.full((self.n, self.m), np.nan)
        for m, K in enumerate(self.kernels):
            have = np.flatnonzero(self.truth[:, m])
            rows = np.flatnonzero(self.truth[:, m] & ~observed[:, m])
            true = K[np.ix_(rows, have)]
            size = np.linalg.norm(true, axis=1)
            errors[rows, m] = np.linalg.norm(completed[m][np.ix_(rows, have)] - true, axis=1) / size
        return errors


def accuracy(kernels, classes):
    """Of a support vector machine on the mean of the kernels, in five folds."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    known = np.flatnonzero(classes != "")
    mean = sum(K / np.trace(K) * len(K) for K in kernels)[np.ix_(known, known)] / len(kernels)
    right = 0
    for train, test in StratifiedKFold(5, shuffle=True, random_state=0).split(known, classes[known]):
        machine = SVC(C=10, kernel="precomputed").fit(mean[np.ix_(train, train)], classes[known][train])
        right += (machine.predict(mean[np.ix_(test, train)]) == classes[known][test]).sum()
    return right / len(known)


def ranked(advice):
    return [(int(one["sample"]), int(one["view"][1:])) for one in advice["ranking"]]


def largest(values, pairs):
    return sorted(pairs, key=lambda pair: -values[pair])


def draw(binary, name, seed):
    random = np.random.default_rng(seed)
    kernels, classes = SETS[name](random)
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(binary, folder, kernels, classes)
        observed = hidden_at_random(tool.truth, random)
        pairs = [tuple(map(int, pair)) for pair in np.argwhere(tool.truth & ~observed)]
        start = tool.complete(observed)
        true_errors = tool.errors(start, observed)
        alone = tool.advise(observed, pairs)
        own = {pair: one["own"] for pair, one in zip(ranked(alone), alone["ranking"])}
        batch = tool.advise(observed, pairs, "--batch")
        labels = tool.advise(observed, pairs, "--batch", "--labels", "labels.csv", "--label-type", "classes")
        orders = {
            "random": [pairs[k] for k in random.permutation(len(pairs))],
            "uncertainty": largest(tool.uncertainty(observed), pairs),
            "error": largest(own, pairs),
            "advise": ranked(batch),
            "advise, labels": ranked(labels),
            "true error": largest(true_errors, pairs),
        }
        budget = round(SPENT * len(pairs))
        counts = [round(budget * k / STEPS) for k in range(STEPS + 1)]
        found = {
            "pairs": len(pairs),
            "counts": counts,
            "expected": [batch["curve"][count]["expected_error"] for count in counts],
            "start": {"error": float(np.nansum(true_errors)), "accuracy": accuracy(start, classes)},
            "policies": {},
        }
        for policy, order in orders.items():
            curve = []
            for count in counts[1:]:
                seen = observed.copy()
                for pair in order[:count]:
                    seen[pair] = True
                completed = tool.complete(seen)
                curve.append(
                    {"error": float(np.nansum(tool.errors(completed, seen))), "accuracy": accuracy(completed, classes)}
                )
            found["policies"][policy] = curve
    return found


# Tables


def needed(found, policy, figure, sign):
    """Share of the budget with which a policy reaches what random reaches with all of it; 1.25 = not with it."""
    target = found["policies"]["random"][-1][figure]
    values = [found["start"][figure]] + [point[figure] for point in found["policies"][policy]]
    share = np.arange(len(values)) / (len(values) - 1)
    for k in range(1, len(values)):
        if sign * values[k] >= sign * target:
            before, after = sign * (values[k - 1] - target), sign * (values[k] - target)
            return share[k - 1] + (share[k] - share[k - 1]) * (-before / (after - before) if after > before else 1)
    return 1 + 1 / STEPS


def mean_and_spread(values, digits=2):
    return f"{np.mean(values):.{digits}f} +- {np.std(values, ddof=1) if len(values) > 1 else 0:.{digits}f}"


def error_table(draws):
    print("| data | draws | hidden pairs | " + " | ".join(POLICIES[1:]) + " |")
    print("|---" * (2 + len(POLICIES)) + "|")
    for name, found in draws.items():
        cells = [mean_and_spread([needed(one, policy, "error", -1) for one in found]) for policy in POLICIES[1:]]
        hidden = round(np.mean([one["pairs"] for one in found]))
        print(f"| {name} | {len(found)} | {hidden} | " + " | ".join(cells) + " |")


def left_table(draws):
    print("| data | " + " | ".join(POLICIES) + " |")
    print("|---" * (1 + len(POLICIES)) + "|")
    for name, found in draws.items():
        left = {
            policy: [one["policies"][policy][-1]["error"] / one["start"]["error"] for one in found]
            for policy in POLICIES
        }
        print(f"| {name} | " + " | ".join(mean_and_spread(left[policy], 3) for policy in POLICIES) + " |")


def accuracy_table(draws):
    """Curves of the mean over draws: single draws of an accuracy are too noisy to be inverted."""
    print("| data | start | " + " | ".join(POLICIES) + " | pairs: advise | pairs: advise, labels |")
    print("|---" * (4 + len(POLICIES)) + "|")
    for name, found in draws.items():
        points = len(found[0]["counts"]) - 1
        mean = {
            "start": {"accuracy": np.mean([one["start"]["accuracy"] for one in found])},
            "policies": {
                policy: [
                    {"accuracy": np.mean([one["policies"][policy][k]["accuracy"] for one in found])}
                    for k in range(points)
                ]
                for policy in POLICIES
            },
        }
        ends = [mean_and_spread([one["policies"][p][-1]["accuracy"] for one in found], 3) for p in POLICIES]
        pairs = [f"{needed(mean, policy, 'accuracy', 1):.2f}" for policy in ("advise", "advise, labels")]
        print(f"| {name} | {mean['start']['accuracy']:.3f} | " + " | ".join(ends + pairs) + " |")


def calibration_table(draws):
    print("| data | expected fall | realised fall | slope |")
    print("|---|---|---|---|")
    for name, found in draws.items():
        expected, realised = [], []
        for one in found:
            curve = [point["error"] for point in one["policies"]["advise"]]
            expected.append([one["expected"][0] - value for value in one["expected"][1:]])
            realised.append([one["start"]["error"] - value for value in curve])
        x, y = np.array(expected), np.array(realised)
        slopes = (x * y).sum(axis=1) / (x * x).sum(axis=1)
        print(f"| {name} | {x[:, -1].mean():.1f} | {y[:, -1].mean():.1f} | {mean_and_spread(slopes)} |")


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("sets", nargs="*", default=[])
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--out", default="build/advise_study")
    parser.add_argument("--tables", action="store_true", help="of the draws that are there")
    given = parser.parse_args()
    binary, out = os.path.abspath(given.binary), pathlib.Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    names, draws = given.sets or list(SETS), {}
    for seed in range(given.draws):
        for name in names:
            path = out / f"{name}-{seed}.json"
            if not path.exists() and not given.tables:
                path.write_text(json.dumps(draw(binary, name, seed)))
            if path.exists():
                draws.setdefault(name, []).append(json.loads(path.read_text()))
    for make in (error_table, left_table, calibration_table, accuracy_table):
        make(draws)
        print()


if __name__ == "__main__":
    main()
