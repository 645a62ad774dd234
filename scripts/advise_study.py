#!/usr/bin/env python3
"""Would 'mkc advise' have chosen well? Known pairs are hidden and shown again by several policies.

    MKC_DATA=... scripts/advise_study.py build/release/apps/mkc/mkc [SET...] [--draws 20] [--out build/advise_study]

Of the pairs that are truly observed 60 % stay, each sample keeps one. Policies show a quarter of the others again;
after every sixteenth the views are completed anew, and the relative errors of all pairs that were hidden are added
up; a pair that is shown has none. Every draw is one JSON file in --out, finished ones are kept;
scripts/advise_tables.py makes tables of them. Needs numpy, scipy and scikit-learn.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

import numpy as np
from advise_sets import SETS

# Fast and without options to choose: the same for every policy.
METHOD = "transfer,gamma=0.5,ridge=0.02,intercept=yes,weights=loo,sources=all,target=kernel,diagonal=none"
KEPT, SPENT, STEPS = 0.6, 0.25, 4


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

    def run(self, command, *options):
        """Its output folder is named after the command."""
        arguments = [
            self.binary,
            command,
            *options,
            "-o",
            command,
            "--report",
            "none",
            "--force",
            "--threads",
            "1",
            "-q",
        ]
        done = subprocess.run(arguments, cwd=self.folder, capture_output=True, text=True)
        if done.returncode:
            raise RuntimeError(done.stderr)
        return self.folder / command

    def complete(self, observed, *options):
        lines = ["sample," + ",".join(f"v{m}" for m in range(self.m))]
        lines += [f"{i}," + ",".join("01"[int(o)] for o in row) for i, row in enumerate(observed)]
        (self.folder / "mask.csv").write_text("\n".join(lines) + "\n")
        folder = self.run("complete", "kernels.npz", "--mask", "mask.csv", "--psd", "clip", "-m", METHOD, *options)
        with np.load(folder / "kernels.npz") as file:
            return [file[f"v{m}"] for m in range(self.m)]

    def uncertainty(self, observed):
        """The method's own variances of the last completion, relative to the diagonal of each view."""
        cells = np.genfromtxt(self.folder / "complete" / "uncertainty.tsv", delimiter="\t", skip_header=1)
        scale = [np.nanmean(np.diag(K)[observed[:, m]]) for m, K in enumerate(self.kernels)]
        return cells[:, 1:] / scale

    def advise(self, candidates, *options):
        """On the last completion, which has error estimates."""
        lines = ["sample\tview"] + [f"{i}\tv{m}" for i, m in candidates]
        (self.folder / "candidates.tsv").write_text("\n".join(lines) + "\n")
        folder = self.run("advise", "complete", "--candidates", "candidates.tsv", *options)
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


def expected_fall(advice, alone, count):
    """Of the errors that can be checked: samples also lack views in truth, whose rows gain as well."""
    errors = [point["expected_error"] for point in advice["curve"]]
    own = sum(one["own"] for one in advice["ranking"][:count])
    share = sum(one["own"] for one in alone["ranking"]) / errors[0]
    return own + share * (errors[0] - errors[count] - own)


def draw(binary, name, seed):
    random = np.random.default_rng(seed)
    kernels, classes = SETS[name](random)
    with tempfile.TemporaryDirectory() as folder:
        tool = Tool(binary, folder, kernels, classes)
        observed = hidden_at_random(tool.truth, random)
        pairs = [tuple(map(int, pair)) for pair in np.argwhere(tool.truth & ~observed)]
        start = tool.complete(observed, "--quality")
        true_errors = tool.errors(start, observed)
        alone = tool.advise(pairs)
        batch = tool.advise(pairs, "--batch")
        labels = tool.advise(pairs, "--batch", "--labels", "labels.csv", "--label-type", "classes")
        orders = {
            "random": [pairs[k] for k in random.permutation(len(pairs))],
            "uncertainty": largest(tool.uncertainty(observed), pairs),
            "advise": ranked(alone),
            "advise --batch": ranked(batch),
            "advise, labels": ranked(labels),
            "true error": largest(true_errors, pairs),
        }
        budget = round(SPENT * len(pairs))
        counts = [round(budget * k / STEPS) for k in range(STEPS + 1)]
        found = {
            "pairs": len(pairs),
            "counts": counts,
            "expected": [expected_fall(batch, alone, count) for count in counts],
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
                    {
                        "error": float(np.nansum(tool.errors(completed, seen))),
                        "own": float(sum(true_errors[pair] for pair in order[:count])),
                        "accuracy": accuracy(completed, classes),
                    }
                )
            found["policies"][policy] = curve
    return found


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("binary")
    parser.add_argument("sets", nargs="*", default=list(SETS))
    parser.add_argument("--draws", type=int, default=20)
    parser.add_argument("--out", default="build/advise_study")
    given = parser.parse_args()
    binary, out = os.path.abspath(given.binary), pathlib.Path(given.out)
    out.mkdir(parents=True, exist_ok=True)
    for seed in range(given.draws):
        for name in given.sets:
            path = out / f"{name}-{seed}.json"
            if not path.exists():
                path.write_text(json.dumps(draw(binary, name, seed)))


if __name__ == "__main__":
    main()
