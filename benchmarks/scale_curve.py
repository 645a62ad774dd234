#!/usr/bin/env python3
"""Draws the table of docs/scale.md: seconds and memory over the number of samples, both axes logarithmic.

benchmarks/scale_curve.py docs/scale.md docs/images/scale.svg
"""

import math
import pathlib
import sys

WIDTH, HEIGHT, LEFT, TOP, PANEL, GAP = 820, 300, 60, 34, 310, 90
INK, LINE, MARK = "#333", "#bbb", "#1f6f8b"


def table(page):
    """N, wall seconds, CPU seconds, MiB of every row under the heading of the table."""
    lines = page.read_text(encoding="utf-8").splitlines()
    first = next(i for i, line in enumerate(lines) if line.startswith("| N | wall s | CPU s | peak MiB |"))
    rows = []
    for line in lines[first + 2 :]:
        if not line.startswith("|"):
            break
        rows.append([float(cell.replace(",", "")) for cell in line.split("|")[1:5]])
    return rows


def decades(values):
    return math.floor(math.log10(min(values))), math.ceil(math.log10(max(values)))


def text(x, y, words, anchor="middle"):
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}">{words}</text>'


def panel(left, title, counts, series):
    """One diagram; series: name, values, dashes."""
    low_x, high_x = decades(counts)
    low_y, high_y = decades([value for _, values, _ in series for value in values])
    high_y = max(high_y, low_y + 1)
    bottom = HEIGHT - 50

    def at(n, value):
        return (
            left + PANEL * (math.log10(n) - low_x) / (high_x - low_x),
            bottom - (bottom - TOP) * (math.log10(value) - low_y) / (high_y - low_y),
        )

    parts = [text(left + PANEL / 2, TOP - 14, title)]
    for power in range(low_x, high_x + 1):
        x, _ = at(10**power, 10**low_y)
        parts.append(f'<path d="M{x:.1f} {TOP}V{bottom}" stroke="{LINE}"/>')
        parts.append(text(x, bottom + 18, f"{10**power:,}"))
    for power in range(low_y, high_y + 1):
        _, y = at(10**low_x, 10**power)
        parts.append(f'<path d="M{left} {y:.1f}H{left + PANEL}" stroke="{LINE}"/>')
        parts.append(text(left - 6, y + 4, f"{10**power:,}", "end"))
    parts.append(text(left + PANEL / 2, bottom + 38, "samples"))
    for row, (name, values, dashes) in enumerate(series):
        points = [at(n, value) for n, value in zip(counts, values)]
        path = "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in points)
        parts.append(f'<path d="{path}" fill="none" stroke="{MARK}" stroke-width="2" stroke-dasharray="{dashes}"/>')
        parts += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3.5" fill="{MARK}"/>' for x, y in points]
        if len(series) > 1:
            y = TOP + 16 + 16 * row
            parts.append(f'<path d="M{left + 8} {y}h26" stroke="{MARK}" stroke-width="2" stroke-dasharray="{dashes}"/>')
            parts.append(text(left + 40, y + 4, name, "start"))
    return parts


def drawn(rows):
    counts, wall, cpu, memory = zip(*rows)
    seconds = [("wall clock, two cores", wall, "none"), ("CPU", cpu, "5 4")]
    parts = panel(LEFT, "seconds", counts, seconds)
    parts += panel(LEFT + PANEL + GAP, "peak memory, MiB", counts, [("", memory, "none")])
    head = f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif"'
    return "\n".join([f'{head} font-size="12" fill="{INK}">', *parts, "</svg>", ""])


if __name__ == "__main__":
    page, picture = map(pathlib.Path, sys.argv[1:])
    picture.write_text(drawn(table(page)), encoding="utf-8")
