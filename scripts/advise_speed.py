#!/usr/bin/env python3
"""How long 'mkc advise' takes: results of random features, 30 % of the pairs missing, ranked in a batch.

    MKC=build/release/apps/mkc/mkc scripts/advise_speed.py [SAMPLES...]      default: 2000 100000

Prints one line of a Markdown table per size. Up to 10,000 samples the result is dense, above it in factor form.
Needs numpy.
"""

import json
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

VIEWS, RANK, STATES = 5, 100, 8


def features(random, state):
    """Related between views, with variances that fall tenfold over the columns, turned at random."""
    X = np.tanh(state @ random.standard_normal((STATES, RANK))) + 0.5 * random.standard_normal((len(state), RANK))
    turn = np.linalg.qr(random.standard_normal((RANK, RANK)))[0]
    return X @ (turn * np.linspace(1, 0.1, RANK)) / np.sqrt(RANK)


def write_result(folder, n, dense):
    """The files of 'mkc complete' that advice reads; error estimates are random."""
    random = np.random.default_rng(0)
    views, samples = [f"v{m}" for m in range(VIEWS)], [f"S{i:06d}" for i in range(n)]
    state = random.standard_normal((n, STATES))
    observed = random.uniform(size=(n, VIEWS)) < 0.7
    observed[~observed.any(axis=1), 0] = True
    factors = {view: features(random, state) for view in views}
    folder.mkdir()
    if dense:
        kernels = {view: F @ F.T for view, F in factors.items()}
        np.savez(folder / "kernels.npz", samples=np.array(samples), **kernels)
    else:
        (folder / "factors").mkdir()
        for view, F in factors.items():
            np.save(folder / "factors" / f"{view}.npy", np.ascontiguousarray(F))
        np.save(folder / "extra.npy", np.zeros((n, VIEWS)))
        (folder / "samples.txt").write_text("\n".join(samples) + "\n")
    lines = ["sample\t" + "\t".join(views)]
    lines += [samples[i] + "\t" + "\t".join("01"[int(o)] for o in row) for i, row in enumerate(observed)]
    (folder / "observed.tsv").write_text("\n".join(lines) + "\n")
    lines = ["sample\tview\tobserved_views\trelative_error\tlow\thigh\tinterval"]
    for m, view in enumerate(views):
        for i in np.flatnonzero(~observed[:, m]):
            lines.append(f"{samples[i]}\t{view}\t{observed[i].sum()}\t{random.uniform(0.1, 0.5):.4f}\t0\t1\tknown")
    (folder / "quality.tsv").write_text("\n".join(lines) + "\n")
    about = {"command": "complete", "mkc_version": "0", "method": "auto" if dense else "factor", "ids": "exact"}
    about |= {"form": "dense" if dense else "factor", "files": [], "status": "converged"}
    about["views"] = [{"name": view, "features": RANK} for view in views]
    (folder / "meta_info.json").write_text(json.dumps(about))
    return int((~observed).sum())


def measure(binary, n):
    dense = n <= 10000
    with tempfile.TemporaryDirectory() as place:
        folder = pathlib.Path(place)
        missing = write_result(folder / "result", n, dense)
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        command = [binary, "advise", "result", "-o", "advice", "--batch", "--report", "none", "-q"]
        subprocess.run(command, cwd=folder, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds = json.loads((folder / "advice" / "meta_info.json").read_text())["seconds"]["advise"]
    cpu = after.ru_utime - before.ru_utime
    form = "dense" if dense else f"factor, rank {RANK}"
    print(f"| {n:,} x {VIEWS} | {form} | {missing:,} | {seconds:.1f} s | {cpu:.1f} s |", flush=True)


if __name__ == "__main__":
    print("| samples x views | form | missing pairs | `advise` | CPU, reading and writing included |")
    print("|---|---|---|---|---|")
    for size in map(int, sys.argv[1:] or (2000, 100000)):
        measure(os.path.abspath(os.environ["MKC"]), size)
