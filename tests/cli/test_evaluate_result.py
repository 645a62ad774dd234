"""`mkc evaluate RESULT --labels FILE`: labels predicted from the kernels of a stored result."""

import csv
import json
import subprocess

import numpy as np
import pytest
from conftest import BINARY, expect


def write_study(folder, n=120, views=3, missing=0.3):
    """Three related tables of samples s0, s1, ..., and their classes and a number of each."""
    random = np.random.default_rng(0)
    classes = random.integers(0, 3, n)
    state = random.normal(size=(n, 4)) + 2 * np.eye(4)[classes]
    lines = [f"s{i},c{k},{state[i, 0]:.4f}" for i, k in enumerate(classes)]
    (folder / "labels.csv").write_text("sample,class,number\n" + "\n".join(lines) + "\n")
    observed = random.random((n, views)) >= missing
    observed[~observed.any(1), 0] = True
    for m in range(views):
        X = np.tanh(state @ random.normal(size=(4, 8))) + 0.3 * random.normal(size=(n, 8))
        rows = [f"s{i}," + ",".join(f"{x:.5f}" for x in X[i]) for i in np.flatnonzero(observed[:, m])]
        head = "id," + ",".join(f"f{j}" for j in range(8))
        (folder / f"v{m}.csv").write_text(head + "\n" + "\n".join(rows) + "\n")
    return [f"v{m}.csv" for m in range(views)]


@pytest.fixture(scope="module")
def study(tmp_path_factory):
    folder = tmp_path_factory.mktemp("study")
    views = write_study(folder)
    sizes = ["--form", "factor", "--rank", "6", "--landmarks", "30"]
    for options in (["-m", "transfer", "-o", "dense"], [*sizes, "-o", "factors"]):
        command = [BINARY, "complete", *views, *options, "--report", "none", "-q"]
        subprocess.run(command, cwd=folder, check=True)
    return folder


def rows(path):
    with open(path) as file:
        return list(csv.DictReader(file, delimiter="\t"))


def scores(path, method):
    """Without what a completion alone has: seconds and memory."""
    (row,) = [row for row in rows(path) if row["method"] == method]
    return {key: value for key, value in row.items() if key.startswith(("all_", "complete_"))}


@pytest.mark.parametrize("label", ["class", "number"])
def test_a_stored_result_has_the_scores_of_its_views(study, mkc, tmp_path, label):
    labels = ["--labels", f"{study}/labels.csv:{label}", "--repeats", "2"]
    views = [study / f"v{m}.csv" for m in range(3)]
    mkc("evaluate", *views, "-m", "transfer", *labels, "--report", "none", "-o", tmp_path / "views")
    done = mkc("evaluate", study / "dense", *labels, "-o", tmp_path / "result")
    assert "complete samples" in done.out
    stored = rows(tmp_path / "result" / "summary.tsv")
    for one in stored:
        assert scores(tmp_path / "views" / "summary.tsv", one["method"]) == scores(
            tmp_path / "result" / "summary.tsv", one["method"]
        )
    assert [one["method"] for one in stored] == ["transfer", "complete_cases"]
    meta = json.loads((tmp_path / "result" / "meta_info.json").read_text())
    assert (meta["command"], meta["labelled"], meta["scored"]) == ("evaluate", 120, 120)


def test_factors_have_the_scores_of_their_kernels(study, mkc, tmp_path):
    factors = study / "factors"
    extra = np.load(factors / "extra.npy")
    kernels = {}
    for m in range(3):
        F = np.load(factors / "factors" / f"v{m}.npy")
        kernels[f"v{m}"] = F @ F.T + np.diag(extra[:, m])
    np.savez(tmp_path / "k.npz", samples=np.array((factors / "samples.txt").read_text().split()), **kernels)
    mkc("complete", tmp_path / "k.npz", "-m", "mean", "--report", "none", "-o", tmp_path / "whole")
    found = []
    for folder in (factors, tmp_path / "whole"):
        out = tmp_path / f"scores-{folder.name}"
        mkc("evaluate", folder, "--labels", f"{study}/labels.csv:class", "-o", out)
        found.append(rows(out / "summary.tsv")[0])
    assert found[0]["all_samples"] == "120"
    for score in ("all_accuracy", "all_balanced_accuracy", "all_nmi"):
        assert float(found[0][score]) == pytest.approx(float(found[1][score]), abs=0.02)


def test_many_samples_are_scored_on_some(mkc, tmp_path):
    views = write_study(tmp_path, n=2300, views=2)
    sizes = ["--rank", "5", "--landmarks", "20", "--anchors", "20", "--plan-sample", "400"]
    assert mkc("complete", *views, "--form", "factor", *sizes, "--report", "none", "-o", "result").code == 0
    labels = ["--labels", "labels.csv:number", "--repeats", "1"]
    first = mkc("evaluate", "result", *labels, "-o", "scores")
    assert "labels are scored on 2000 of the 2300 labelled samples" in first.err
    assert rows(tmp_path / "scores" / "summary.tsv")[0]["all_samples"] == "2000"
    assert mkc("evaluate", "result", *labels, "-t", "1", "-o", "again").out == first.out


@pytest.mark.parametrize(
    ("arguments", "part"),
    [
        (["-o", "x"], "scored with labels"),
        (["--labels", "labels.csv:class", "-m", "knn", "-o", "x"], "--method with a stored result"),
        (["--labels", "labels.csv:class", "--shard", "1/2", "-o", "x"], "--shard with a stored result"),
        (["--labels", "labels.csv:class"], "output folder is missing"),
        (["--labels", "labels.csv:class", "-o", "."], "exists"),
    ],
)
def test_bad_options_are_refused(study, mkc, tmp_path, arguments, part):
    (tmp_path / "labels.csv").write_text((study / "labels.csv").read_text())
    expect(mkc("evaluate", study / "dense", *arguments), 2, part)
    assert not (tmp_path / "x").exists()


def test_a_result_is_not_replaced_by_its_scores(study, mkc):
    before = (study / "dense" / "meta_info.json").read_text()
    labels = ["--labels", study / "labels.csv:class"]
    expect(mkc("evaluate", study / "dense", *labels, "-o", study / "dense", "--force"), 2, "dense")
    assert (study / "dense" / "meta_info.json").read_text() == before


def test_other_folders_and_labels_are_refused(study, mkc, tmp_path):
    (tmp_path / "empty").mkdir()
    expect(mkc("evaluate", "empty", "--labels", study / "labels.csv:class", "-o", "x"), 3, "empty")
    expect(mkc("evaluate", study / "dense", "--labels", study / "labels.csv:age", "-o", "x"), 3, "age")
    assert not (tmp_path / "x").exists()


@pytest.mark.parametrize("command", ["evaluate", "cluster", "advise"])
def test_a_labels_file_that_is_not_there_is_named(study, mkc, command):
    output = "c.tsv" if command == "cluster" else "x"
    found = mkc(command, study / "dense", "--labels", "nowhere.csv:class", "-o", output)
    expect(found, 3, "there is no file 'nowhere.csv'", "hint: --labels takes FILE")
