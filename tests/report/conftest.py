"""The reports under test, and one browser for all tests."""

import json
import os
import pathlib
import subprocess

import browser as driver
import numpy as np
import pytest

BINARY = os.environ["MKC_BINARY"]

# Names that would be noticed if they were interpreted as markup or script, or broke a text.
HOSTILE_VIEWS = ["</script><script>window.hacked=1</script>", '"><img src=x onerror=window.hacked=1>', "שלום ‮evil‬ 🧬"]
HOSTILE_SAMPLES = [
    "</script><b>",
    "<img src=x onerror=window.hacked=1>",
    "a'b\"c",
    "{a|b}\\n${1}",
    "مرحبا",
    "😀 emoji",
    "&lt;i&gt;",
    "x" * 300,
]


def mkc(*arguments, cwd=None):
    result = subprocess.run([BINARY, *map(str, arguments)], cwd=cwd, text=True, capture_output=True, timeout=300)
    assert result.returncode == 0, result.stderr
    return result


@pytest.fixture(scope="session")
def screenshots():
    """The folder for screenshots of the reports, in the build tree."""
    folder = pathlib.Path(BINARY).resolve().parents[2] / "report_screenshots"
    folder.mkdir(exist_ok=True)
    return folder


def write_hostile_views(folder):
    random = np.random.default_rng(0)
    names = HOSTILE_SAMPLES + [f"s{i}" for i in range(32)]
    state = random.normal(size=(len(names), 3))
    kept = [slice(0, 30), slice(5, 40), slice(0, 40, 2)]

    def quote(name):
        return '"' + name.replace('"', '""') + '"'

    arguments = []
    for k, rows in enumerate(kept):
        values = np.tanh(state @ random.normal(size=(3, 5)))
        lines = ["sample\t" + "\t".join(f"f{j}" for j in range(5))]
        for name, row in list(zip(names, values))[rows]:
            lines.append("\t".join([quote(name), *map(repr, map(float, row))]))
        (folder / f"view{k}.tsv").write_text("\n".join(lines) + "\n")
        toml_name = HOSTILE_VIEWS[k].replace("\\", "\\\\").replace('"', '\\"')
        arguments.append(f'[[view]]\nname = "{toml_name}"\nfile = "view{k}.tsv"\n')
    (folder / "views.toml").write_text("\n".join(arguments))
    (folder / "labels.tsv").write_text(
        "sample\tclass\n" + "".join(f"{quote(name)}\t{quote(HOSTILE_SAMPLES[i % 2])}\n" for i, name in enumerate(names))
    )


def write_clusters(folder):
    """Two clusters of the hostile samples; those of the first have their events later. The last has no time."""
    random = np.random.default_rng(1)
    names = HOSTILE_SAMPLES + [f"s{i}" for i in range(32)]
    clusters, clinical = ["sample\tcluster\tstrength"], ["sample\tdays\tdied"]
    for i, name in enumerate(names):
        quoted = '"' + name.replace('"', '""') + '"'
        clusters.append(f"{quoted}\t{i % 2 + 1}\t0.9")
        days = "" if i == 39 else round(float(random.exponential(900 if i % 2 == 0 else 150)) + 1, 1)
        clinical.append(f"{quoted}\t{days}\t{int(random.random() < 0.7)}")
    (folder / "clusters.tsv").write_text("\n".join(clusters) + "\n")
    about = {"command": "cluster", "sizes": [20, 20], "graph": "<b>graph</b>", "stability": 0.5, "reference": 0.48}
    (folder / "clusters.json").write_text(json.dumps({**about, "notices": ["not <b>clearly</b> more stable"]}))
    (folder / "clinical.tsv").write_text("\n".join(clinical) + "\n")


@pytest.fixture(scope="session")
def reports(tmp_path_factory):
    """name -> path of a report: the demo, a result with every section and hostile names, an evaluation."""
    folder = tmp_path_factory.mktemp("reports")
    write_hostile_views(folder)
    mkc("demo", "-m", "embd_hm", "-o", "demo", cwd=folder)
    mkc(
        "complete",
        "views.toml",
        "-o",
        "hostile",
        "--labels",
        "labels.tsv",
        "--budget",
        "5",
        "--title",
        "<i>Title</i> & more",
        cwd=folder,
    )
    mkc(
        "evaluate",
        "views.toml",
        "-m",
        "wknn,k=3",
        "-m",
        "affine",
        "--labels",
        "labels.tsv",
        "-o",
        "evaluation",
        "--repeats",
        "2",
        cwd=folder,
    )
    reports = {name: folder / name / "report.html" for name in ("demo", "hostile", "evaluation")}
    write_clusters(folder)
    for name, labels in (("survival", "clinical.tsv:days,died"), ("numbers", "clinical.tsv:days")):
        reports[name] = folder / f"{name}.html"
        clusters = ["--clusters", "clusters.tsv"] if name == "survival" else []
        mkc("report", "hostile", "--labels", labels, *clusters, "-o", f"{name}.html", cwd=folder)
    mkc("advise", "hostile", "-o", "advice", "--budget", "9", "--batch", cwd=folder)
    reports["advice"] = folder / "advice" / "report.html"
    return reports


@pytest.fixture(scope="session")
def browser():
    if not driver.find_browser():
        pytest.skip("no Chromium on this system: scripts/bootstrap installs it with --tests")
    window = driver.Browser()
    yield window
    window.close()
