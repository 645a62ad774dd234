#!/usr/bin/env python3
"""Remakes the tables of docs/results/ that are not experiments: errors of the methods on published kernels.

    MKC_DATA=../shared/data scripts/figures.py build/release/apps/mkc/mkc [TABLE ...] > tables.md

TABLE: published, large (an hour), paper_form, authors, automatic, candidates, unseen, new_samples, factor,
factor_beside_auto[=1000,2000,5000] (numbers of samples); default: all but the last two.
Needs NumPy and SciPy.

Errors are average relative errors of the hidden rows in percent, mean over views. Hidden rows are NaN in the input;
every option is chosen by the method itself on held-out observed rows. A star: `max_iter` was reached before the
tolerance.
"""

import json
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np
from figure_sets import (
    FURTHER,
    SETS,
    gaussian,
    load,
    load_authors,
    load_further,
    load_mfeat,
    load_reuters,
    standardised,
)

METHODS = ["mean", "knn,k=auto", "wknn,k=auto", "embd_ht", "embd_hm", "app", "sdp"]
NEIGHBOURS = (1, 2, 3, 5, 7, 10, 15, 20, 30, 50)
LARGE = ["knn,k=auto", "wknn,k=auto", "embd_hm", "embd_ht", "app", "sdp"]


def error(truth, estimate, observed, power=1):
    views = []
    for m in range(len(truth)):
        rows = ~observed[:, m]
        if not rows.any():
            continue
        size = np.linalg.norm(truth[m][rows], axis=1)
        ratio = np.linalg.norm(estimate[m][rows] - truth[m][rows], axis=1)[size > 0] / size[size > 0]
        views.append(100 * (ratio**power).mean())
    return np.mean(views)


def coverage(folder, truth, estimate):
    """The number of rows of quality.tsv whose true error is in its interval, and the number of rows."""
    inside = []
    for line in pathlib.Path(f"{folder}/out/quality.tsv").read_text().splitlines()[1:]:
        sample, view, _, _, low, high, *_ = line.split("\t")
        row, m = int(sample), int(view[1:])
        size = np.linalg.norm(truth[m][row])
        if size > 0:
            value = np.linalg.norm(estimate[m][row] - truth[m][row]) / size
            inside.append(float(low) <= value <= float(high))
    return sum(inside), len(inside)


def run(binary, method, truth, observed, power=1, covered=None, candidates=None, threads=0):
    hidden = truth.copy()
    for m in range(len(truth)):
        hidden[m][~observed[:, m]] = np.nan
        hidden[m][:, ~observed[:, m]] = np.nan
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/k.npz", **{f"v{m}": k for m, k in enumerate(hidden)})
        command = [binary, "complete", f"{folder}/k.npz", "-m", method, "-o", f"{folder}/out", "--json"]
        command += ["-t", str(threads)] if threads else []
        meta = json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)
        completed = np.load(f"{folder}/out/kernels.npz")
        estimate = [completed[f"v{m}"] for m in range(len(truth))]
        if candidates is not None:
            with open(f"{folder}/out/candidates.tsv") as file:
                rows = [line.rstrip("\n").split("\t") for line in list(file)[1:]]
            candidates += sorted({row[0] for row in rows if not row[4]})
        if covered is not None:
            covered.append(coverage(folder, truth, estimate))
        return error(truth, estimate, observed, power), "" if meta["status"] == "converged" else "*"


def best_neighbours(binary, truth, observed, power=1):
    """The smallest error of knn over k, chosen with the truth."""
    return min(
        run(binary, f"knn,k={k}", truth, observed, power)[0] for k in NEIGHBOURS if k <= observed.sum(axis=0).min()
    )


def table(binary, title, methods, sets):
    """One row per (name, load), one column per method; rows are printed as they are finished."""
    print(f"\n| {title} | " + " | ".join(methods) + " |")
    print("|---|" + "---|" * len(methods))
    for name, load_set in sets:
        truth, observed = load_set()
        print(f"| {name}", end="", flush=True)
        for method in methods:
            value, star = run(binary, method, truth, observed)
            print(f" | {value:.2f}{star}", end="", flush=True)
        print(" |", flush=True)


def published(binary):
    table(binary, "data", METHODS, [(n, lambda k=k, m=m: load(k, m)) for n, k, m in SETS])


def large(binary):
    sets = [(f"reuters_1200 s0 miss{k}", lambda k=k: load_reuters(k)) for k in (1, 2, 3)]
    sets += [(f"mfeat s0 miss{k}", lambda k=k: load_mfeat(k)) for k in (1, 2, 3)]
    table(binary, "data", LARGE, sets)


def paper_form(binary):
    """The embedding methods exactly as in the paper, and one change at a time."""
    methods = [
        f"{name},form=paper,n_init=1,start={start},scaling={scaling}"
        for name in ("embd_ht", "embd_hm")
        for start in ("paper", "identity", "loo")
        for scaling in ("paper", "unit", "released")
    ]
    print("\n| method | " + " | ".join(name for name, _, _ in (SETS[0], SETS[5])) + " |\n|---|---|---|")
    for method in methods:
        print(f"| `{method}`", end="")
        for _, kernels, mask in (SETS[0], SETS[5]):
            value, star = run(binary, method, *load(kernels, mask))
            print(f" | {value:.1f}{star}", end="", flush=True)
        print(" |", flush=True)


def authors(binary, methods=("wknn", "embd_hm", "embd_ht"), names=("TOYL", "TOYG1", "TOYG10", "TOYLG1", "DRM25")):
    """Squared errors; options are chosen by the squared error, too."""
    print("\n| authors' file, squared, 1 / 2 / 3 | " + " | ".join(methods) + " |")
    print("|---|" + "---|" * len(methods))
    for name in names:
        print(f"| {name}", end="")
        for method in methods:
            options = ",k=auto,measure=are_squared" if "knn" in method else ",measure=are_squared"
            cells = []
            for level in range(3):
                values = [
                    run(binary, method + options, *load_authors(name, level, split), power=2)[0] for split in range(10)
                ]
                cells.append(f"{np.mean(values):.3g} ({np.std(values):.2g})")
            print(" | " + " / ".join(cells), end="", flush=True)
        print(" |", flush=True)


def automatic(binary):
    """auto: its error, that of knn with the best k, and the coverage of its 90 % intervals; the authors' files are
    pooled."""
    sets = [(n, [(k, m)], 1, load) for n, k, m in SETS]
    sets += [(f"reuters_1200 {s} miss{k}", [(k, s)], 1, load_reuters) for s in ("s0", "s1") for k in (1, 2, 3)]
    sets += [(f"mfeat {s} miss{k}", [(k, s)], 1, load_mfeat) for s in ("s0", "s1") for k in (1, 2, 3)]
    sets += [
        (f"{name} level {level + 1}, squared", [(name, level, split) for split in range(10)], 2, load_authors)
        for name in ("TOYL", "TOYG1", "TOYG10", "TOYLG1", "DRM25")
        for level in range(3)
    ]
    print("\n| data | auto | knn, best k | rows in their 90 % interval |\n|---|---|---|---|")
    pooled = {}
    for name, instances, power, loader in sets:
        covered, values, neighbours = [], [], []
        for instance in instances:
            truth, observed = loader(*instance)
            values.append(run(binary, "auto", truth, observed, power, covered)[0])
            neighbours.append(best_neighbours(binary, truth, observed, power))
        inside, rows = map(sum, zip(*covered))
        pooled[name.split()[0]] = np.add(pooled.get(name.split()[0], (0, 0)), (inside, rows))
        print(
            f"| {name} | {np.mean(values):.3g} | {np.mean(neighbours):.3g} | {100 * inside / rows:.1f} % of {rows} |",
            flush=True,
        )
    print("\n| set, its levels pooled | rows in their 90 % interval |\n|---|---|")
    for name, (inside, rows) in pooled.items():
        print(f"| {name} | {100 * inside / rows:.1f} % of {rows} |")


def beside_candidates(binary, sets):
    """auto compared with its candidates, each run alone with the options that auto found, and with knn with the
    best k: auto should be at most 1.05 times the best candidate plus 0.1."""
    print(
        "\n| data | auto | best candidate | which | auto at most | knn, best k | rows in their 90 % interval |\n"
        "|---|---|---|---|---|---|---|"
    )
    covered = []
    for name, load_set in sets:
        truth, observed = load_set()
        specs = []
        value, _ = run(binary, "auto", truth, observed, covered=covered, candidates=specs)
        alone = {spec: run(binary, spec, truth, observed)[0] for spec in specs}
        best = min(alone, key=alone.get)
        knn = best_neighbours(binary, truth, observed)
        inside, rows = covered[-1]
        print(
            f"| {name} | {value:.2f} | {alone[best]:.2f} | {best.split(',')[0]} | {1.05 * alone[best] + 0.1:.2f} |"
            f" {knn:.2f} | {100 * inside / rows:.1f} % of {rows} |",
            flush=True,
        )
    inside, rows = map(sum, zip(*covered))
    print(f"\nTogether {100 * inside / rows:.1f} % of {rows} rows are in their interval.")


def candidates(binary):
    sets = [(n, lambda k=k, m=m: load(k, m)) for n, k, m in SETS]
    for name, loader in (("reuters_1200", load_reuters), ("mfeat", load_mfeat)):
        sets += [
            (f"{name} {s} miss{k}", lambda loader=loader, k=k, s=s: loader(k, s))
            for s in ("s0", "s1")
            for k in (1, 2, 3)
        ]
    beside_candidates(binary, sets)


def unseen(binary):
    """Data, kernels and masks on which nothing in mkc was tuned."""
    beside_candidates(
        binary,
        [
            (f"{name}, {n} rows, {kernel}", lambda seed=seed: load_further(seed))
            for seed, (name, _, n, kernel, _) in enumerate(FURTHER)
        ],
    )


def run_factor(binary, truth, observed):
    """Error, coverage and CPU seconds of completion in factor form of the same kernels."""
    hidden = truth.copy()
    for m in range(len(truth)):
        hidden[m][~observed[:, m]] = np.nan
        hidden[m][:, ~observed[:, m]] = np.nan
    with tempfile.TemporaryDirectory() as folder:
        np.savez(f"{folder}/k.npz", **{f"v{m}": k for m, k in enumerate(hidden)})
        command = [binary, "complete", f"{folder}/k.npz", "--form", "factor", "--report", "none", "-t", "1", "--quiet"]
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([*command, "-o", f"{folder}/out"], check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        extra = np.load(f"{folder}/out/extra.npy")
        factors = [np.load(f"{folder}/out/factors/v{m}.npy") for m in range(len(truth))]
        estimate = [F @ F.T + np.diag(extra[:, m]) for m, F in enumerate(factors)]
        seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        return error(truth, estimate, observed), coverage(folder, truth, estimate), seconds


def factor(binary):
    """Factor form on the kernels of mfeat; the errors of `auto` are in docs/results/auto.md."""
    print("\n| data | factor form | rows in their 90 % interval | CPU s |\n|---|---|---|---|")
    for split in ("s0", "s1"):
        for k in (1, 2, 3):
            value, (inside, rows), seconds = run_factor(binary, *load_mfeat(k, split))
            print(
                f"| mfeat {split} miss{k} | {value:.2f} | {100 * inside / rows:.1f} % of {rows} | {seconds:.0f} |",
                flush=True,
            )


def synthetic(n, views=4):
    """Gaussian kernels of views of one state, 30 % of the rows missing, as in benchmarks/scale.py."""
    random = np.random.default_rng(n)
    state = random.normal(size=(n, 10))
    tables = [
        np.tanh(state @ random.normal(size=(10, 100)) / np.sqrt(10)) + 0.3 * random.normal(size=(n, 100))
        for _ in range(views)
    ]
    observed = random.random((n, views)) >= 0.3
    observed[~observed.any(1), 0] = True
    return np.array([gaussian(standardised(table)) for table in tables]), observed


def factor_beside_auto(binary, sizes=(1000, 2000)):
    """Error and CPU seconds of factor form and of `auto` on the same synthetic kernels, one thread each."""
    print(
        "\n| N x 4 | auto | CPU s | factor form | CPU s | error, ratio | CPU s, ratio |\n|---|---|---|---|---|---|---|"
    )
    for n in sizes:
        truth, observed = synthetic(n)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        dense, _ = run(binary, "auto", truth, observed, threads=1)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        dense_seconds = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        value, _, seconds = run_factor(binary, truth, observed)
        print(
            f"| {n:,} | {dense:.2f} | {dense_seconds:.0f} | {value:.2f} | {seconds:.0f} | {value / dense:.3f} "
            f"| {dense_seconds / seconds:.0f} |",
            flush=True,
        )


def new_samples(binary, methods=("transfer", "auto")):
    """mfeat s0 miss2: 200 held-out samples, predicted and completed jointly with the others."""
    truth, observed = load_mfeat(2)
    lacking = np.flatnonzero(~observed.all(axis=1))
    new = np.sort(np.random.default_rng(0).choice(lacking, 200, replace=False))
    train = np.setdiff1d(np.arange(len(observed)), new)
    hidden = truth.copy()
    for m in range(len(truth)):
        hidden[m][~observed[:, m]] = np.nan
        hidden[m][:, ~observed[:, m]] = np.nan
    print("\n| method | jointly | predicted | ratio | rows in their 90 % interval |\n|---|---|---|---|---|")
    for method in methods:
        with tempfile.TemporaryDirectory() as folder:

            def mkc(*arguments):
                subprocess.run([binary, *arguments], check=True, capture_output=True)

            def relative(rows, m, x):
                return np.linalg.norm(rows - truth[m][x, train]) / np.linalg.norm(truth[m][x, train])

            np.savez(f"{folder}/all.npz", **{f"v{m}": k for m, k in enumerate(hidden)})
            np.savez(f"{folder}/train.npz", **{f"v{m}": k[np.ix_(train, train)] for m, k in enumerate(hidden)})
            views = []
            for m, kernel in enumerate(hidden):
                np.savez(f"{folder}/new{m}.npz", samples=[f"n{x}" for x in new], K=kernel[np.ix_(new, train)])
                views += ["--view", f"v{m}={folder}/new{m}.npz:K"]
            mkc("complete", f"{folder}/all.npz", "-m", method, "-o", f"{folder}/joint")
            mkc(
                "complete",
                f"{folder}/train.npz",
                "-m",
                method,
                "-o",
                f"{folder}/train",
                "--save-model",
                f"{folder}/model.npz",
            )
            mkc("predict", f"{folder}/model.npz", *views, "-o", f"{folder}/new")
            joint, predicted = (np.load(f"{folder}/{name}/kernels.npz") for name in ("joint", "new"))
            place = {name: i for i, name in enumerate(predicted["samples"])}
            errors, inside = [], []
            with open(f"{folder}/new/quality.tsv") as file:
                for line in list(file)[1:]:
                    name, view, _, _, low, high = line.split("\t")
                    m, x = int(view[1:]), int(name[1:])
                    errors.append((relative(joint[view][x, train], m, x), relative(predicted[view][place[name]], m, x)))
                    inside.append(float(low) <= errors[-1][1] <= float(high))
            a, b = 100 * np.mean(errors, axis=0)
            print(
                f"| {method} | {a:.2f} | {b:.2f} | {b / a:.3f} | {100 * np.mean(inside):.1f} % of {len(inside)} |",
                flush=True,
            )


if __name__ == "__main__":
    for given in sys.argv[2:] or [
        "published",
        "large",
        "paper_form",
        "authors",
        "automatic",
        "candidates",
        "unseen",
        "new_samples",
    ]:
        name, _, sizes = given.partition("=")
        globals()[name](sys.argv[1], *([[int(n) for n in sizes.split(",")]] if sizes else []))
