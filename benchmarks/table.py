#!/usr/bin/env python3
"""Runs every benchmark and writes one table, as Markdown and as JSON.

    benchmarks/table.py BUILD [--size full|short|tiny] [--out FOLDER] [--only GROUPS]
    benchmarks/table.py --into docs/results/speed.md FOLDER/benchmarks.md

BUILD is a build tree with the benchmark programs. Real data come from the folder MKC_DATA; without it
(or without NumPy and SciPy to read it) their rows are marked as skipped. Progress goes to stderr. The
second form puts a finished table between the two marker lines of a page. Needs only Python's standard
library.
"""

import argparse
import json
import math
import os
import pathlib
import subprocess
import sys
import time

from plan import (
    CURVE_VIEWS,
    DOUBLES_AT_MOST,
    EVERY,
    FEW_ROUNDS,
    FIXED,
    FROM_SAMPLES,
    HOURS_IN_PAPER,
    ITERATIVE,
    LARGE_VIEWS,
    PAPER,
    RATIO_AT_MOST,
    SECONDS_AT_MOST,
    SIZES,
)
from transfer_share import transfer_share

from report import COLUMNS, cell, machine, markdown, put_into, slope, threads_text

HERE = pathlib.Path(__file__).resolve().parent


class Failure(Exception):
    """A program failed; `status` is that of the row."""

    def __init__(self, message, status="failed"):
        super().__init__(message)
        self.status = status


class Bench:
    def __init__(self, build, size, out):
        self.build, self.size, self.out = pathlib.Path(build), SIZES[size], pathlib.Path(out)
        self.rows, self.started = [], time.monotonic()
        self.out.mkdir(parents=True, exist_ok=True)

    def add(self, group, what, on, **fields):
        row = {"group": group, "what": what, "on": on, **fields}
        self.rows.append(row)
        cells = [text for text in (cell(row, name) for name in COLUMNS[3:]) if text]
        print(
            f"[{time.monotonic() - self.started:6.0f} s] {group}: {what}, {on}: " + "; ".join(cells),
            file=sys.stderr,
            flush=True,
        )

    def lines(self, program, *arguments, timeout=1200):
        """The JSON lines a benchmark program prints."""
        command = [self.build / "benchmarks" / program, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, timeout=timeout)
        except subprocess.TimeoutExpired:
            raise Failure(f"not finished after {timeout:.0f} s", "stopped") from None
        except OSError as error:
            raise Failure(str(error)) from None
        if done.returncode != 0:
            raise Failure((done.stderr.strip().splitlines() or [f"exit {done.returncode}"])[-1])
        return [json.loads(line) for line in done.stdout.splitlines()]

    def solve(self, problem, method, threads, repeats=1, timeout=1200):
        return self.lines("solve", problem, method, threads, repeats, timeout=timeout)[0]

    # ---- the groups of rows -------------------------------------------------------------------

    def rates(self):
        about, *lines = self.lines("rates", self.size["rates"])
        for line in lines:
            flops = line["what"] == "dgemm"
            unit = "GFLOP/s" if flops else "1e9 n^3/s"
            what = "matrix product" if flops else "eigendecomposition"
            self.add(
                "machine",
                what,
                f"n {line['n']}, 1 thread",
                n=line["n"],
                threads=1,
                seconds=line["seconds"],
                value=line["giga_per_second"],
                unit=unit,
            )
        return about

    def one_solve(self):
        n, m = self.size["one"]
        cases = [("synthetic", f"synthetic:{n}:{m}")]
        file = self.out / "data" / "cvkt.npz"
        reason = self.convert("cvkt_simulated", file, "cvkt")
        if reason:
            for method in ("embd_ht", "app"):
                self.add("one solve", method, "cvkt_simulated missing1, N 100, M 7", status="skipped", note=reason)
        else:
            cases.append(("cvkt_simulated missing1", file))
        for name, problem in cases:
            for method in ("embd_ht", "app"):
                spec = f"{FIXED[method]},tol=1e-4,max_iter=1000"
                note = "authors' code in Octave, another machine, cvkt_simulated: 2554 s"
                self.solve_row(
                    "one solve",
                    method,
                    name,
                    problem,
                    spec,
                    1,
                    repeats=3,
                    at_most=1,
                    note=note if method == "embd_ht" else "",
                )

    def every_method(self):
        for n in self.size["large"]:
            name = "reuters_1200 lsk 100"
            file = self.out / "data" / f"reuters_{n}.npz"
            reason = self.convert("reuters_1200", file, "reuters", n, self.build / "apps" / "mkc" / "mkc")
            if reason:
                name = "synthetic"
                self.add(
                    "every method",
                    "all",
                    f"reuters_1200 lsk 100, N {n}, M {LARGE_VIEWS}",
                    status="skipped",
                    note=f"{reason}; a synthetic problem instead",
                )
                problems = {"": f"synthetic:{n}:{LARGE_VIEWS}", "em": f"synthetic:{n}:{LARGE_VIEWS}:complete"}
            else:
                problems = {"": file, "em": file.with_suffix(".complete.npz")}
            for method in EVERY:
                notes = [f"paper: {HOURS_IN_PAPER[method]}"] if method in HOURS_IN_PAPER else []
                if method == "em":
                    notes.append("different mask: first view complete")
                self.solve_row(
                    "every method",
                    method,
                    name,
                    problems.get(method, problems[""]),
                    method,
                    2,
                    at_most=SECONDS_AT_MOST.get(method),
                    with_memory=True,
                    note="; ".join(notes),
                )

    def solve_row(
        self, group, method, name, problem, spec, threads, repeats=1, at_most=None, with_memory=False, note=""
    ):
        what = method if spec == method else spec
        try:
            run = self.solve(problem, spec, threads, repeats, timeout=1.5 * (at_most or 200))
        except Failure as failure:
            return self.add(
                group,
                what,
                f"{name}, {threads_text(threads)}",
                method=method,
                limit=at_most,
                unit="s",
                status=failure.status,
                kept="no: time" if failure.status == "stopped" else "",
                note=f"{failure}; {note}".strip("; "),
            )
        fields = {key: run[key] for key in ("n", "m", "threads", "seconds", "cpu_seconds", "iterations", "residual")}
        broken = ["time"] if at_most and run["seconds"] > at_most else []
        if with_memory:
            fields["memory"] = run["peak_doubles_over_MN2"]
            too_much = run["n"] >= FROM_SAMPLES and fields["memory"] > DOUBLES_AT_MOST
            broken += ["memory"] if too_much else []
        limited = at_most or (with_memory and run["n"] >= FROM_SAMPLES)
        self.add(
            group,
            what,
            f"{name}, N {run['n']}, M {run['m']}, {threads_text(threads)}",
            method=method,
            limit=at_most,
            unit="s",
            status=run["status"],
            note=note,
            kept=("no: " + ", ".join(broken) if broken else "yes") if limited else "",
            **fields,
        )

    def products(self):
        for n in self.size["products"]:
            for method in ITERATIVE:
                on = f"synthetic, N {n}, M {LARGE_VIEWS}, 1 thread"
                try:
                    (run,) = self.lines("products", f"synthetic:{n}:{LARGE_VIEWS}", f"{FIXED[method]},tol=1e-12", 1, 3)
                except Failure as failure:
                    self.add(
                        "iteration over its products",
                        method,
                        on,
                        limit=RATIO_AT_MOST,
                        status=failure.status,
                        note=str(failure),
                    )
                    continue
                own = sum(max(0, run[f"{part}_seconds"]) for part in ("products", "cholesky", "eigen"))
                ratio = run["iteration_seconds"] / own if own > 0 else math.inf
                parts = ", ".join(
                    f"{name} {1e3 * run[key]:.3g} ms"
                    for name, key in (
                        ("products alone", "products_seconds"),
                        ("Cholesky", "cholesky_seconds"),
                        ("eigen", "eigen_seconds"),
                    )
                )
                strict = run["iteration_seconds"] / max(run["products_seconds"], 1e-12)
                self.add(
                    "iteration over its products",
                    method,
                    on,
                    method=method,
                    n=n,
                    m=LARGE_VIEWS,
                    threads=1,
                    seconds=run["iteration_seconds"],
                    value=ratio,
                    unit="x",
                    limit=RATIO_AT_MOST,
                    kept="yes" if ratio <= RATIO_AT_MOST else "no",
                    parts=run,
                    note=f"{parts}; {strict:.2f} x the products without the factorisations",
                )

    def beside(self):
        meaning = {
            "csv_bench": "bare std::from_chars loop over reading the table",
            "kernels_bench": "entry-by-entry formula over ours",
            "solvers_bench": "ours over the cheapest thing that could replace it",
        }
        for program in sorted(meaning):
            try:
                command = [
                    self.build / "benchmarks" / program,
                    "--benchmark_format=json",
                    f"--benchmark_min_time={self.size['min_time']}",
                    f"--benchmark_filter={self.size['beside']}",
                ]
                done = subprocess.run(command, capture_output=True, text=True, timeout=600, check=True)
                found = json.loads(done.stdout or '{"benchmarks": []}')["benchmarks"]
            except (OSError, subprocess.SubprocessError, ValueError) as error:
                self.add("beside a reference", program, "", status="failed", note=str(error))
                continue
            for line in found:
                name = line["name"].removesuffix("/manual_time")
                scale = {"ns": 1e-9, "us": 1e-6, "ms": 1e-3, "s": 1}[line["time_unit"]]
                fields = {"value": line["ratio"], "unit": "x", "note": meaning[program]} if "ratio" in line else {}
                if "peak" in line:
                    fields["note"] += f"; peak memory {line['peak']:.2f} x the matrix"
                self.add("beside a reference", name, program, seconds=scale * line["real_time"], **fields)

    def curves(self):
        at, views = self.size["curve_at"], CURVE_VIEWS
        axes = [
            ("N", [(n, views) for n in self.size["curve_n"]], f"M {views}"),
            ("M", [(at, m) for m in self.size["curve_m"]], f"N {at}"),
        ]
        for axis, points, fixed in axes:
            for method in PAPER:
                spec = FIXED[method] + FEW_ROUNDS.get(method, "")
                complete = ":complete" if method == "em" else ""
                sizes = [p[0 if axis == "N" else 1] for p in points]
                on = f"synthetic, {axis} {sizes[0]} to {sizes[-1]}, {fixed}, 1 thread"
                try:
                    runs = [
                        self.solve(f"synthetic:{n}:{m}{complete}", spec, 1, 3 if n <= 400 else 1) for n, m in points
                    ]
                except Failure as failure:
                    self.add("cost curve", spec, on, status=failure.status, note=str(failure))
                    continue
                times = [max(run["cpu_seconds"], 1e-6) for run in runs]  # resolution of the clock
                last = math.log(times[-1] / times[-2]) / math.log(sizes[-1] / sizes[-2])
                listed = ", ".join(f"{size}: {1e3 * t:.3g}" for size, t in zip(sizes, times))
                self.add(
                    "cost curve",
                    spec,
                    on,
                    method=method,
                    axis=axis,
                    threads=1,
                    value=slope(sizes, times),
                    unit=f"slope in {axis}",
                    points=list(zip(sizes, times)),
                    note=f"last step {last:.2f}; ms at {listed}",
                )

    def threads(self):
        n = self.size["threads"]
        specs = [(m, FIXED[m] + FEW_ROUNDS.get(m, "")) for m in (*PAPER, "transfer")]
        specs += [(m, m) for m in self.size["defaults"]]
        for method, spec in specs:
            complete = ":complete" if method == "em" else ""
            on = f"synthetic, N {n}, M {LARGE_VIEWS}, 1 and 2 threads"
            try:
                one, two = (self.solve(f"synthetic:{n}:{LARGE_VIEWS}{complete}", spec, count) for count in (1, 2))
            except Failure as failure:
                self.add("threads", spec, on, status=failure.status, note=str(failure))
                continue
            same = one["fingerprint"] == two["fingerprint"]
            self.add(
                "threads",
                spec,
                on,
                method=method,
                n=n,
                m=LARGE_VIEWS,
                seconds=two["seconds"],
                value=one["seconds"] / two["seconds"],
                unit="x faster",
                identical=same,
                limit="same bits",
                kept="yes" if same else "no",
                note=f"1 thread: {one['seconds']:.3g} s",
            )

    # ---- real data ----------------------------------------------------------------------------

    def convert(self, folder, file, *arguments):
        """Makes a problem file from a data set; returns "" or the reason of a failure."""
        data = pathlib.Path(os.environ.get("MKC_DATA", HERE / "../../shared/data"))
        if not (data / folder).is_dir():
            return f"no data: set MKC_DATA to a folder with {folder}"
        python = next(
            (
                p
                for p in (sys.executable, "/usr/bin/python3", "python3")
                if subprocess.run([p, "-c", "import scipy.io"], capture_output=True).returncode == 0
            ),
            None,
        )
        if not python:
            return "no Python with NumPy and SciPy to read .mat files"
        file.parent.mkdir(parents=True, exist_ok=True)
        kind, *rest = arguments
        done = subprocess.run(
            [python, HERE / "real_data.py", kind, data, file, *map(str, rest)], capture_output=True, text=True
        )
        return "" if done.returncode == 0 else done.stderr.strip().splitlines()[-1]


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", help="build tree, or with --into the finished table")
    parser.add_argument("--size", choices=SIZES, default="full")
    parser.add_argument("--out", help="folder for benchmarks.md and benchmarks.json; default BUILD")
    parser.add_argument("--only", metavar="GROUPS", help="comma-separated: threads,cost curve")
    parser.add_argument("--into", metavar="PAGE", help="put a finished table into this page")
    arguments = parser.parse_args()
    if arguments.into:
        put_into(arguments.into, arguments.build)
        return 0

    bench = Bench(arguments.build, arguments.size, arguments.out or arguments.build)
    header = {"size": arguments.size, "load_before": round(os.getloadavg()[0], 2), **machine(bench.rates())}
    groups = {
        "one solve": bench.one_solve,
        "every method": bench.every_method,
        "iteration over its products": bench.products,
        "share of the product": lambda: transfer_share(bench),
        "beside a reference": bench.beside,
        "cost curve": bench.curves,
        "threads": bench.threads,
    }
    for name in arguments.only.split(",") if arguments.only else groups:
        if name not in groups:
            parser.error(f"no group '{name}'; there are: {', '.join(groups)}")
        groups[name]()
    header["seconds"] = time.monotonic() - bench.started
    (bench.out / "benchmarks.json").write_text(json.dumps({"header": header, "rows": bench.rows}, indent=1) + "\n")
    (bench.out / "benchmarks.md").write_text(markdown(header, bench.rows))
    failed = sum(row.get("status") == "failed" for row in bench.rows)
    missed = sum(str(row.get("kept", "")).startswith("no") for row in bench.rows)
    print(
        f"{len(bench.rows)} rows, {missed} limits not kept, {failed} failed, "
        f"{header['seconds']:.0f} s: {bench.out / 'benchmarks.md'}",
        file=sys.stderr,
    )
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
