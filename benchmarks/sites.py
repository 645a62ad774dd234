#!/usr/bin/env python3
"""What sites send, and how far their fit is from that of the pooled rows.

    benchmarks/sites.py MKC FOLDER [ROWS]       (three sites of 1000 rows, five views of 100 features, drawn rows)

Prints MB of every file that travels, with the sizes that mkc chooses, and the relative difference of the factors.
"""

import pathlib
import shutil
import subprocess
import sys

import numpy as np

VIEWS, FEATURES, MISSING, ROUNDS = 5, 100, 0.3, 3
SITES = ("north", "south", "west")


def save_sites(folder, rows):
    weights = np.random.default_rng(0).normal(size=(VIEWS, 10, FEATURES)) / np.sqrt(10)
    pooled = [[] for _ in range(VIEWS)]
    for k, site in enumerate((*SITES, "pooled")):
        (folder / site).mkdir(parents=True)
        random = np.random.default_rng([1, k])
        state, gone = random.normal(size=(rows, 10)), random.random((rows, VIEWS)) < MISSING
        gone[gone.all(1), 0] = False
        for m in range(VIEWS):
            if site == "pooled":
                x = np.vstack(pooled[m])
            else:
                x = np.tanh(state @ weights[m]) + 0.3 * random.normal(size=(rows, FEATURES))
                x = (x - x.mean(axis=0)) / x.std(axis=0)
                x[gone[:, m]] = np.nan
                pooled[m].append(x)
            np.save(folder / site / f"v{m}.npy", x)


def main():
    mkc, folder, rows = pathlib.Path(sys.argv[1]).resolve(), pathlib.Path(sys.argv[2]), int([*sys.argv, "1000"][3])
    shutil.rmtree(folder, ignore_errors=True)
    save_sites(folder, rows)

    def run(*arguments):
        subprocess.run([mkc, *map(str, arguments), "-t", "1", "--quiet"], cwd=folder, check=True)

    def megabytes(name):
        path = folder / name
        files = [file for file in path.rglob("*") if file.is_file()] if path.is_dir() else [path]
        return sum(file.stat().st_size for file in files) / 1e6

    def tables(site):
        return [f"{site}/v{m}.npy" for m in range(VIEWS)]

    draw = [word for m in range(VIEWS) for word in ("--draw", f"v{m}={FEATURES},kernel=rbf")]
    run("plan", *draw, "--seed", 1, "-o", "plan")
    for name, sites in (("apart", SITES), ("together", ("pooled",))):
        fit = []
        for r in range(1, ROUNDS + 1):
            for site in sites:
                run(
                    "moments",
                    "plan",
                    *tables(site),
                    "--match-rows",
                    "--round",
                    r,
                    *fit,
                    "--site",
                    site,
                    "-o",
                    f"{site}-{r}.npz",
                )
            run("merge", "plan", *(f"{site}-{r}.npz" for site in sites), *fit, "-o", f"{name}-{r}.npz")
            fit = ["--fit", f"{name}-{r}.npz"]
        run("apply", "plan", *tables("pooled"), "--match-rows", *fit, "-o", name)
    print(f"{len(SITES)} sites of {rows:,} rows, {VIEWS} views of {FEATURES} features\n\n| file | MB |\n|---|---|")
    needed = megabytes("plan/plan.npz")
    print(f"| plan, to every site once: its plan.npz is enough | {needed:.1f} of {megabytes('plan'):.1f} |")
    for r in range(1, ROUNDS + 1):
        print(f"| sums of round {r}, from every site | {megabytes(f'north-{r}.npz'):.1f} |")
        print(f"| fit after round {r}, to every site | {megabytes(f'apart-{r}.npz'):.1f} |")
    worst = 0.0
    for m in range(VIEWS):
        one, other = (np.load(folder / name / f"factors/v{m}.npy") for name in ("apart", "together"))
        worst = max(worst, np.linalg.norm(one - other) / np.linalg.norm(other))
    print(f"\nfactors of the sites' fit and of the pooled one: relative difference at most {worst:.1e}")


if __name__ == "__main__":
    main()
