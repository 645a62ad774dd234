#!/usr/bin/env python3
"""Whether the estimated errors of completed rows hold in every group of rows, and whether they rank the rows.

    MKC_DATA=../shared/data scripts/coverage.py build/release/apps/mkc/mkc [--rows FOLDER] [--sets WORD ...]
    scripts/coverage.py build/release/apps/mkc/mkc --reasons DRAWS

Completes the sets of docs/results/auto.md and docs/results/unseen.md with `auto`, whose hidden rows are known here, and
prints the coverage of the 90 % intervals per set, the groups of rows outside of 85 to 96 %, and the rank correlation of
estimated and true errors. Groups: quartiles of the estimated error, views, and patterns (which views the sample has),
each within a set and with 100 rows or more. Outside: exact binomial test of a coverage of 85 to 96 %, corrected for the
number of groups (Holm) at 5 %. --rows: keeps what was measured in this folder and takes from it what is there, so that
the work can be done in parts; --sets: only sets whose name contains one of the words.

--reasons: instead, sets of 100 samples and four Gaussian views in which views are lost at random or where the sample is
noisy; coverage, and how many of the views that have lost rows are said to be not missing at random.

Needs NumPy and SciPy.
"""

import argparse
import csv
import dataclasses
import json
import pathlib
import subprocess
import tempfile

import numpy as np
from figure_sets import FURTHER, SETS, gaussian, load, load_authors, load_further, load_mfeat, load_reuters
from scipy.stats import binom, rankdata

LOW, HIGH, LEVEL = 0.85, 0.96, 0.05
FEWEST = 100  # rows of a group
FEWEST_TO_RANK = 20  # rows of a view


def all_sets():
    """Name of a set -> its instances, each a function that loads it. The authors' files have ten splits."""
    sets = {name: [lambda k=k, m=m: load(k, m)] for name, k, m in SETS}
    for folder, loader in (("reuters_1200", load_reuters), ("mfeat", load_mfeat)):
        for split in ("s0", "s1"):
            for level in (1, 2, 3):
                sets[f"{folder} {split} miss{level}"] = [lambda f=loader, k=level, s=split: f(k, s)]
    for name in ("TOYL", "TOYG1", "TOYG10", "TOYLG1", "DRM25"):
        for level in range(3):
            sets[f"{name} level {level + 1}"] = [
                lambda n=name, k=level, s=split: load_authors(n, k, s) for split in range(10)
            ]
    for seed, (name, _, n, kernel, _) in enumerate(FURTHER):
        sets[f"{name}, {n} rows, {kernel}"] = [lambda s=seed: load_further(s)]
    return sets


@dataclasses.dataclass
class Rows:
    """Completed rows of one set: their view and pattern, the estimate, its interval and the true error."""

    view: np.ndarray
    pattern: np.ndarray
    estimate: np.ndarray
    low: np.ndarray
    high: np.ndarray
    error: np.ndarray

    @property
    def inside(self):
        return (self.low <= self.error) & (self.error <= self.high)


def hidden(truth, observed):
    kernels = np.array(truth, float)
    for kernel, seen in zip(kernels, observed.T):
        kernel[~seen] = np.nan
        kernel[:, ~seen] = np.nan
    return kernels


def measured(binary, truth, observed):
    """Rows completed by `auto`, those that are zero in truth have no relative error; and the warnings."""
    found = []
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/k.npz", **{f"v{m}": k for m, k in enumerate(hidden(truth, observed))})
        command = [binary, "complete", f"{folder}/k.npz", "-t", "1", "-o", f"{folder}/out"]
        subprocess.run(command, check=True, capture_output=True)
        completed = np.load(f"{folder}/out/kernels.npz")
        warnings = json.loads(pathlib.Path(f"{folder}/out/meta_info.json").read_text())["warnings"]
        with open(f"{folder}/out/quality.tsv") as file:
            for row in csv.DictReader(file, delimiter="\t"):
                t, m = int(row["sample"]), int(row["view"][1:])
                size = np.linalg.norm(truth[m][t])
                if size > 0:
                    wrong = np.linalg.norm(completed[row["view"]][t] - truth[m][t]) / size
                    pattern = "".join("+" if seen else "-" for seen in observed[t])
                    estimates = [float(row[key]) for key in ("relative_error", "low", "high")]
                    found.append((m, pattern, *estimates, wrong))
    return Rows(*map(np.array, zip(*found))), warnings


def joined(parts):
    return Rows(*(np.concatenate(values) for values in zip(*(dataclasses.astuple(part) for part in parts))))


def rows_of(binary, name, instances, folder):
    parts = []
    for number, load_instance in enumerate(instances):
        path = folder / f"{name.replace(' ', '_')}.{number}.npz" if folder else None
        if path and path.exists():
            stored = np.load(path)
            parts.append(Rows(*(stored[field.name] for field in dataclasses.fields(Rows))))
            continue
        parts.append(measured(binary, *load_instance())[0])
        if path:
            np.savez(path, **dataclasses.asdict(parts[-1]))
    return parts


def groups(name, rows):
    """(name, rows inside, rows) of the groups that are large enough to be tested."""
    quartile = np.searchsorted(np.quantile(rows.estimate, (0.25, 0.5, 0.75)), rows.estimate, side="left")
    for kind, key in (("quartile", quartile + 1), ("view", rows.view + 1), ("pattern", rows.pattern)):
        for value in np.unique(key):
            inside = rows.inside[key == value]
            if len(inside) >= FEWEST:
                yield f"{name}, {kind} {value}", int(inside.sum()), len(inside)


def p_value(inside, n):
    """Of the hypothesis that the coverage is between LOW and HIGH, the larger of two one-sided tests doubled."""
    below, above = binom.cdf(inside, n, LOW), binom.sf(inside - 1, n, HIGH)
    return min(1, 2 * min(below, above))


def outside(tested):
    """The groups that are significantly outside, by Holm's procedure."""
    ordered = sorted((p_value(inside, n), name, inside, n) for name, inside, n in tested)
    found = []
    for rank, (p, name, inside, n) in enumerate(ordered):
        if p > LEVEL / (len(ordered) - rank):
            break
        found.append((name, inside, n, p))
    return found


def correlations(parts):
    """Rank correlation of estimated and true errors per view: ranks within each instance of the set, over all of them.
    0 where all estimates are equal."""
    for view in np.unique(joined(parts).view):
        ranks = []
        for rows in parts:
            own = rows.view == view
            if own.sum() > 1:
                both = np.array([rankdata(rows.estimate[own]), rankdata(rows.error[own])])
                ranks.append((both - both.mean(axis=1, keepdims=True)) / own.sum())
        if sum(both.shape[1] for both in ranks) >= FEWEST_TO_RANK:
            estimated, true = np.hstack(ranks)
            yield 0.0 if np.ptp(estimated) == 0 else float(np.corrcoef(estimated, true)[0, 1])


def noisy_set(random, reason):
    """Gaussian views of a common state, of samples with different noise; 40 % of the rows are lost on average."""
    state, noise = random.normal(size=(100, 3)), random.uniform(0.1, 1.5, 100)
    kernels = []
    for _ in range(4):
        views = state @ random.normal(size=(3, 12)) + noise[:, None] * random.normal(size=(100, 12))
        kernels.append(gaussian(views))
    chance = {"at random": np.full(100, 0.4), "noisy samples": 1 / (1 + np.exp(-4 * (noise - 0.9)))}[reason]
    observed = random.uniform(size=(100, 4)) >= chance[:, None]
    observed[~observed.any(axis=1), 0] = True
    return np.array(kernels), observed


def reasons(binary, draws):
    print("| views are lost | rows in their 90 % interval | above it | views with a warning |\n|---|---|---|---|")
    for reason in ("at random", "noisy samples"):
        parts, warned = [], 0
        for seed in range(draws):
            rows, warnings = measured(binary, *noisy_set(np.random.default_rng(seed), reason))
            parts.append(rows)
            warned += sum("not missing at random" in warning for warning in warnings)
        rows = joined(parts)
        above = 100 * np.mean(rows.error > rows.high)
        print(
            f"| {reason} | {100 * rows.inside.mean():.1f} % of {len(rows.error)} | {above:.1f} % | {warned} of"
            f" {4 * draws} |",
            flush=True,
        )


def average_error(name, parts):
    """In percent, mean over views, then over instances; squared for the authors' files, as in docs/results/auto.md."""
    power = 2 if "level" in name else 1
    return np.mean(
        [np.mean([100 * np.mean(rows.error[rows.view == m] ** power) for m in np.unique(rows.view)]) for rows in parts]
    )


def main(arguments):
    if arguments.reasons:
        reasons(arguments.binary, arguments.reasons)
        return
    if arguments.rows:
        arguments.rows.mkdir(parents=True, exist_ok=True)
    print(
        "| data | auto | rows in their 90 % interval | by quartile of the estimate | rank correlation |\n"
        "|---|---|---|---|---|"
    )
    tested, ranks, inside, n = [], [], 0, 0
    for name, instances in all_sets().items():
        if arguments.sets and not any(word in name for word in arguments.sets):
            continue
        parts = rows_of(arguments.binary, name, instances, arguments.rows)
        rows = joined(parts)
        found = list(groups(name, rows))
        tested += found
        own = list(correlations(parts))
        ranks += own
        inside, n = inside + int(rows.inside.sum()), n + len(rows.error)
        quartiles = " / ".join(f"{100 * i / k:.0f}" for label, i, k in found if "quartile" in label) or "-"
        rank = f"{np.median(own):.2f}" if own else "-"
        print(
            f"| {name} | {average_error(name, parts):.3g} | {100 * rows.inside.mean():.1f} % of {len(rows.error)} |"
            f" {quartiles} | {rank} |",
            flush=True,
        )
    print(f"\nTogether {100 * inside / n:.1f} % of {n} rows are in their interval.")
    print(f"Rank correlation, median of {len(ranks)} views with {FEWEST_TO_RANK} rows or more: {np.median(ranks):.2f}.")
    wrong = outside(tested)
    print(f"{len(tested)} groups of {FEWEST} rows or more, {len(wrong)} significantly outside of 85 to 96 %.")
    for name, i, k, p in wrong:
        print(f"- {name}: {100 * i / k:.1f} % of {k} (p = {p:.1g})")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("binary")
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--sets", nargs="+")
    parser.add_argument("--reasons", type=int, metavar="DRAWS")
    main(parser.parse_args())
