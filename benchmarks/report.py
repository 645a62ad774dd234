"""The table of the benchmarks and its header as Markdown. Used by table.py."""

import datetime
import math
import os
import pathlib
import re
import subprocess

COLUMNS = ["group", "what", "on", "seconds", "figure", "limit", "kept", "memory", "status", "note"]


def slope(sizes, times):
    """Least squares slope of log time over log size."""
    x, y = [math.log(s) for s in sizes], [math.log(t) for t in times]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    return sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y)) / sum((a - mean_x) ** 2 for a in x)


def threads_text(threads):
    return f"{threads} thread" + ("s" if threads > 1 else "")


def cell(row, name):
    value = row.get(name)
    if name == "figure":
        return f"{row['value']:.3g} {row['unit']}" if "value" in row else ""
    if value is None:
        return ""
    if name == "seconds":
        return f"{value:.3g}"
    if name == "limit":
        return value if isinstance(value, str) else f"{value:g} {row.get('unit', '')}".strip()
    if name == "memory":
        return f"{value:.2f}"
    if name == "status" and row.get("residual") and row.get("iterations") is not None:
        return f"{value}, {row['iterations']} iterations, residual {row['residual']:.1e}"
    return str(value)


def machine(about):
    def first(path, pattern, default="unknown"):
        try:
            found = re.search(pattern, pathlib.Path(path).read_text(), re.M)
        except OSError:
            found = None
        return found.group(1) if found else default

    here = pathlib.Path(__file__).parent
    commit = subprocess.run(
        ["git", "-C", here, "describe", "--always", "--dirty"], capture_output=True, text=True
    ).stdout.strip()
    return {
        "mkc": about["mkc"],
        "commit": commit or "unknown",
        "date": datetime.date.today().isoformat(),
        "cpu": first("/proc/cpuinfo", r"^model name\s*:\s*(.+)$"),
        "cores": len(os.sched_getaffinity(0)),
        "memory_GiB": round(int(first("/proc/meminfo", r"^MemTotal:\s*(\d+)", "0")) / 2**20, 1),
        "blas": about["blas"],
    }


def markdown(header, rows):
    lines = [
        f"mkc {header['mkc']} ({header['commit']}), {header['date']}, "
        f"size `{header['size']}`: {header['cores']} cores of {header['cpu']}, "
        f"{header['memory_GiB']} GiB, "
        f"BLAS: {header['blas']}. Load before the run {header['load_before']}, "
        f"the whole run took {header['seconds']:.0f} s.",
        "",
        "| " + " | ".join(COLUMNS) + " |",
        "|" + "---|" * len(COLUMNS),
    ]
    for row in rows:
        cells = (cell(row, name).replace("|", "\\|") for name in COLUMNS)
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines) + "\n"


def put_into(page, table):
    """Replaces the text between the marker lines of `page`."""
    text = pathlib.Path(page).read_text()
    start, end = "<!-- table: begin -->\n", "<!-- table: end -->"
    before, rest = text.split(start)
    after = rest.split(end)[1]
    pathlib.Path(page).write_text(before + start + "\n" + pathlib.Path(table).read_text() + "\n" + end + after)
