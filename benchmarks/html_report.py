#!/usr/bin/env python3
"""Size of the report, its share of the run time, and the time until its first chart, for simulated kernels.

benchmarks/html_report.py MKC [SAMPLES [VIEWS [METHOD]]]        default: 5000 5 mean
"""

import json
import pathlib
import re
import subprocess
import sys
import tempfile

import numpy as np

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "tests" / "report"))
import browser as driver


def write_kernels(path, n, views):
    """Gaussian kernels of simulated views with eight groups; the first view lacks 4 %, the others a fifth."""
    random = np.random.default_rng(0)
    state = random.normal(size=(n, 6)) + 2 * random.normal(size=(8, 6))[random.integers(0, 8, n)]
    kernels = {}
    for m in range(views):
        X = np.tanh(state @ random.normal(size=(6, 30)) / 2) + 0.2 * random.normal(size=(n, 30))
        squares = (X**2).sum(1)
        K = np.exp(-0.03 * (squares[:, None] + squares[None] - 2 * X @ X.T))
        K = (K + K.T) / 2
        # no sample lacks both the first view and another one
        lacking = np.arange(n // 25) if m == 0 else n // 25 + random.permutation(n - n // 25)[: n // 5]
        K[lacking] = np.nan
        K[:, lacking] = np.nan
        kernels[f"view{m + 1}"] = K
    np.savez(path, samples=np.array([f"patient-{i:05d}" for i in range(n)]), **kernels)


binary = pathlib.Path(sys.argv[1]).resolve()
n, views = (int(sys.argv[k]) if len(sys.argv) > k else default for k, default in ((2, 5000), (3, 5)))
method = sys.argv[4] if len(sys.argv) > 4 else "mean"
with tempfile.TemporaryDirectory() as folder:
    folder = pathlib.Path(folder)
    write_kernels(folder / "kernels.npz", n, views)
    subprocess.run(
        [binary, "complete", "kernels.npz", "-m", method, "-o", "out", "-t", "1", "-q"],
        cwd=folder,
        check=True,
        stdout=subprocess.DEVNULL,
    )
    seconds = sum(json.loads((folder / "out/meta_info.json").read_text())["seconds"].values())
    size, made = map(
        float, re.search(r"report of ([\d.]+) MB made in ([\d.]+) s", (folder / "out/mkc.log").read_text()).groups()
    )
    print(
        f"{n} samples, {views} views, {method}: report of {size:.2f} MB, made in {made:.2f} s after {seconds:.1f} s "
        f"of reading and completing ({100 * made / seconds:.1f} %)"
    )
    if driver.find_browser():
        window = driver.Browser()
        window.open(folder / "out/report.html")  # warm-up, so that the browser's start is not measured
        window.open(folder / "out/report.html")
        first = window.run("performance.getEntriesByName('first-chart')[0].startTime")
        print(f"first chart {first / 1000:.2f} s after opening")
        window.close()
