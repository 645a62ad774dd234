#!/usr/bin/env python3
"""Tables of the draws of scripts/advise_study.py as Markdown, and the figure of expected and realised falls.

    scripts/advise_tables.py build/advise_study [--figure docs/images/advise-calibration.svg]

Needs numpy.
"""

import argparse
import json
import pathlib

import numpy as np

POLICIES = ["random", "uncertainty", "advise", "advise --batch", "advise, labels", "true error"]
COLOURS = {"mfeat": "#4477aa", "reuters_1200": "#ee6677", "breast_tcga": "#228833", "MiniACC": "#ccbb44"}
COLOURS["3sources"] = "#aa3377"


def curve(found, policy, figure):
    """At the start and after every step of the budget."""
    return np.array([found["start"][figure]] + [point[figure] for point in found["policies"][policy]])


def needed(values, target):
    """Share of the budget after which rising values reach the target, one more step where they do not."""
    share = np.arange(len(values)) / (len(values) - 1)
    if values[0] >= target:
        return 0
    for k in range(1, len(values)):
        if values[k] >= target:
            rise = values[k] - values[k - 1]
            return share[k - 1] + share[1] * ((target - values[k - 1]) / rise if rise > 0 else 1)
    return 1 + share[1]


def needed_for_error(found, policy, steps):
    """Of the pairs that random was given after `steps`, the share that the policy needs for the same error."""
    target = -curve(found, "random", "error")[steps]
    return needed(-curve(found, policy, "error"), target) * len(found["policies"]["random"]) / steps


def needed_for_accuracy(draws, policy):
    """Curves of the mean over draws: single draws of an accuracy are too noisy to be inverted."""
    mean = np.mean([curve(one, policy, "accuracy") for one in draws], axis=0)
    return needed(mean, np.mean([curve(one, "random", "accuracy")[-1] for one in draws]))


def mean_and_spread(values, digits=2):
    return f"{np.mean(values):.{digits}f} +- {np.std(values, ddof=1) if len(values) > 1 else 0:.{digits}f}"


def print_table(header, rows):
    print("| " + " | ".join(header) + " |\n" + "|---" * len(header) + "|")
    for row in rows:
        print("| " + " | ".join(row) + " |")
    print()


def error_table(sets, steps):
    rows = []
    for name, draws in sets.items():
        pairs = round(np.mean([one["counts"][steps] for one in draws]))
        shares = [[needed_for_error(one, policy, steps) for one in draws] for policy in POLICIES[1:]]
        rows.append([name, str(len(draws)), str(pairs), *map(mean_and_spread, shares)])
    print_table(["data", "draws", "pairs of random", *POLICIES[1:]], rows)


def fall_table(sets):
    """What the whole budget removes of the error: as the errors of the shown rows, and from all others."""
    rows = []
    for name, draws in sets.items():
        cells = []
        for policy in POLICIES:
            start = np.array([one["start"]["error"] for one in draws])
            end = [one["policies"][policy][-1] for one in draws]
            own = np.array([point["own"] for point in end]) / start
            fall = 1 - np.array([point["error"] for point in end]) / start
            cells.append(f"{100 * own.mean():.1f} + {100 * (fall - own).mean():.1f}")
        rows.append([name, *cells])
    print_table(["data", *POLICIES], rows)


def accuracy_table(sets, again=1000):
    """With the spread over draws that are drawn again."""
    rows = []
    random = np.random.default_rng(0)
    for name, draws in sets.items():
        cells = [f"{np.mean([one['start']['accuracy'] for one in draws]):.3f}"]
        cells += [f"{np.mean([curve(one, policy, 'accuracy')[-1] for one in draws]):.3f}" for policy in POLICIES]
        for policy in ("advise --batch", "advise, labels"):
            samples = random.integers(len(draws), size=(again, len(draws)))
            spread = np.std([needed_for_accuracy([draws[k] for k in some], policy) for some in samples])
            cells.append(f"{needed_for_accuracy(draws, policy):.2f} +- {spread:.2f}")
        rows.append([name, *cells])
    print_table(["data", "start", *POLICIES, "pairs: advise --batch", "pairs: advise, labels"], rows)


def falls(one):
    """Expected and realised falls along the budget, as shares of the true error at the start."""
    errors = curve(one, "advise --batch", "error")
    return np.array(one["expected"][1:]) / errors[0], 1 - errors[1:] / errors[0]


def calibration_table(sets):
    rows = []
    for name, draws in sets.items():
        pairs = [falls(one) for one in draws]
        x, y = (np.array(side) for side in zip(*pairs))
        slopes = (x * y).sum(axis=1) / (x * x).sum(axis=1)
        rows.append([name, f"{100 * x[:, -1].mean():.1f} %", f"{100 * y[:, -1].mean():.1f} %", mean_and_spread(slopes)])
    print_table(["data", "expected fall", "realised fall", "slope"], rows)


def calibration_figure(sets):
    """An SVG: realised over expected falls, one point per draw and step, and the lines of slope 0.7, 1 and 1.3."""
    points = {
        name: np.array([np.transpose(falls(one)) for one in draws]).reshape(-1, 2) for name, draws in sets.items()
    }
    most = 0.1 * np.ceil(10 * max(xy.max() for xy in points.values()))
    left, top, size = 56, 16, 320

    def place(x, y):
        return f"{left + size * x / most:.1f}", f"{top + size * (1 - y / most):.1f}"

    def text(x, y, words, anchor="middle", more=""):
        return f'<text x="{x}" y="{y}" text-anchor="{anchor}"{more}>{words}</text>'

    parts = [
        '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 520 390" width="520" height="390" '
        'font-family="sans-serif" font-size="11">',
        '<rect width="100%" height="100%" fill="#ffffff"/>',
    ]
    for tick in np.arange(0, most + 0.01, 0.1):
        (x, y), label = place(tick, tick), f"{100 * tick:.0f}"
        parts.append(f'<line x1="{left}" y1="{y}" x2="{left + size}" y2="{y}" stroke="#e0e0e0"/>')
        parts += [text(left - 6, y, label, "end"), text(x, top + size + 16, label)]
    for slope, dashes in ((0.7, ' stroke-dasharray="4 4"'), (1, ""), (1.3, ' stroke-dasharray="4 4"')):
        end = place(most / max(1, slope), most * min(1, slope))
        parts.append(f'<line x1="{left}" y1="{top + size}" x2="{end[0]}" y2="{end[1]}" stroke="#000000"{dashes}/>')
    for k, (name, xy) in enumerate(points.items()):
        colour, y = COLOURS[name], top + 14 + 18 * k
        for x_at, y_at in (place(*point) for point in xy):
            parts.append(f'<circle cx="{x_at}" cy="{y_at}" r="2.2" fill="{colour}" fill-opacity="0.6"/>')
        parts.append(f'<circle cx="{left + size + 22}" cy="{y - 4}" r="4" fill="{colour}"/>')
        parts.append(text(left + size + 32, y, name, "start"))
    parts.append(text(left + size / 2, top + size + 36, "expected fall of the error, %"))
    turned = f' transform="rotate(-90 14 {top + size / 2})"'
    parts.append(text(14, top + size / 2, "realised fall, %", more=turned))
    return "\n".join([*parts, "</svg>"]) + "\n"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder")
    parser.add_argument("--figure")
    given = parser.parse_args()
    sets = {}
    for name in COLOURS:
        for path in sorted(pathlib.Path(given.folder).glob(f"{name}-*.json")):
            sets.setdefault(name, []).append(json.loads(path.read_text()))
    for steps in (4, 2):
        error_table(sets, steps)
    for make in (fall_table, calibration_table, accuracy_table):
        make(sets)
    if given.figure:
        pathlib.Path(given.figure).write_text(calibration_figure(sets))


if __name__ == "__main__":
    main()
