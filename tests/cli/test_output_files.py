"""Outputs next to the result folder: refused before the run, and never at the cost of the result."""

import json
import os
import pathlib
import shutil
import subprocess

import numpy as np
import pytest
from conftest import BINARY, expect


def names(folder):
    return sorted(path.name for path in folder.iterdir())


@pytest.mark.parametrize("option, file", [("--save-model", "models/deep/m.npz"), ("--report", "reports/r.html")])
def test_missing_parent_folders_are_created(mkc, views, tmp_path, option, file):
    result = mkc("complete", *views, "-m", "knn", "-o", "out", option, file)
    assert result.code == 0, result.err
    assert (tmp_path / file).is_file() and "kernels.npz" in names(tmp_path / "out")
    assert len(names((tmp_path / file).parent)) == 1, "no partial file next to it"


@pytest.mark.parametrize(
    "option, file",
    [("--save-model", "out/m.npz"), ("--save-model", "./out/sub/m.npz"), ("--report", "out/pages/r.html")],
)
def test_outputs_inside_the_result_folder(mkc, views, tmp_path, option, file):
    for again in ([], ["--force"]):
        result = mkc("complete", *views, "-m", "knn", "-o", "out", option, file, *again)
        assert result.code == 0, result.err
        assert (tmp_path / file).is_file() and "kernels.npz" in names(tmp_path / "out")
    assert mkc("complete", *views, "-m", "knn", "-o", "out", option, file).code == 2


@pytest.mark.parametrize("file", ["/proc/m.npz", "/proc/folder/m.npz", "a.csv/m.npz"])
def test_unwritable_path_is_refused_before_the_run(mkc, views, tmp_path, file):
    before = names(tmp_path)
    result = mkc("complete", *views, "-o", "out", "--save-model", file)
    assert result.code == 1 and "error: cannot write" in result.err, result.err
    assert "completed" not in result.out and names(tmp_path) == before


def test_dry_run_creates_no_other_outputs(mkc, views, tmp_path):
    before = names(tmp_path)
    assert (
        mkc("complete", *views, "-o", "out", "--dry-run", "--save-model", "m/m.npz", "--report", "r/r.html").code == 0
    )
    assert names(tmp_path) == before


def test_an_evaluation_of_other_data_is_not_replaced(mkc, views, tmp_path):
    a, b, c = views
    assert mkc("evaluate", a, b, "-m", "knn", "--repeats", 1, "-o", "trial").code == 0
    kept = (tmp_path / "trial" / "meta_info.json").read_bytes()
    result = mkc("evaluate", b, c, "-m", "knn", "--repeats", 1, "-o", "trial")
    assert result.code == 2 and "an evaluation of other data" in result.err and "--force" in result.err, result.err
    assert (tmp_path / "trial" / "meta_info.json").read_bytes() == kept
    assert mkc("evaluate", a, b, "-m", "wknn", "--repeats", 1, "-o", "trial").code == 0  # more of the same
    assert mkc("evaluate", b, c, "-m", "knn", "--repeats", 1, "-o", "trial", "--force").code == 0


def test_kernels_are_centred_and_normalised(mkc, views, tmp_path):
    assert mkc("kernel", views[0] + ",kernel=linear", "-o", "plain.npz").code == 0
    assert mkc("kernel", views[0] + ",kernel=linear", "--center", "--normalize", "unit", "-o", "unit.npz").code == 0
    with np.load(tmp_path / "plain.npz") as plain, np.load(tmp_path / "unit.npz") as unit:
        K = plain["a"] - plain["a"].mean(0) - plain["a"].mean(1)[:, None] + plain["a"].mean()
        d = np.sqrt(np.diag(K))
        assert np.allclose(unit["a"], K / d / d[:, None], atol=1e-12)
        assert np.allclose(np.diag(unit["a"]), 1)


@pytest.mark.parametrize("name", ["kernels.npz", "meta_info.json", "observed.tsv", "kernels/m.npz"])
def test_model_must_not_replace_a_result_file(mkc, views, tmp_path, name):
    result = mkc("complete", *views, "-m", "knn", "-o", "out", "--save-model", f"out/{name}")
    assert result.code == 2 and "is a file of the result" in result.err, result.err
    assert "out" not in names(tmp_path)


def test_links_in_an_earlier_result_are_not_followed(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out").code == 0
    (tmp_path / "else").mkdir()
    (tmp_path / "out" / "models").symlink_to("../else")
    result = mkc("complete", *views, "-m", "knn", "-o", "out", "--force", "--save-model", "out/models/m.npz")
    assert result.code == 0 and (tmp_path / "out" / "models" / "m.npz").is_file(), result.err
    assert not names(tmp_path / "else")


def test_failed_report_creates_no_folder(mkc, tmp_path):
    assert mkc("report", "nosuch").code == 3
    assert not (tmp_path / "nosuch").exists()


def test_an_input_is_never_replaced(mkc, views, tmp_path):
    assert mkc("kernel", *views, "-o", "k.npz").code == 0
    for name, arguments in [
        ("a.csv", ["complete", *views, "-m", "knn", "-o", "out", "--save-model", "./a.csv"]),
        ("k.npz", ["complete", "k.npz", "-m", "knn", "-o", "out", "--save-model", "k.npz"]),
        ("k.npz", ["kernel", "k.npz", "--normalize", "unit", "-o", "k.npz"]),
        ("k.npz", ["convert", "k.npz", "-o", "k.npz"]),
    ]:
        before = (tmp_path / name).read_bytes()
        result = mkc(*arguments, "--force")
        assert result.code == 2 and ("is an input" in result.err or "end in .npz" in result.err), result.err
        assert (tmp_path / name).read_bytes() == before


@pytest.mark.parametrize("name", ["samples", "views", "diagonals", "training_samples", "samples_b"])
def test_reserved_array_names_are_refused_as_view_names(mkc, views, tmp_path, name):
    for command in (["complete", "-m", "knn", "-o", "out"], ["kernel", "-o", "k.npz"]):
        result = mkc(command[0], f"{name}={views[0]}", views[1], *command[1:])
        assert result.code == 2 and f"'{name}'" in result.err and f"{name}_view=" in result.err, result.err
        assert not (tmp_path / command[-1]).exists()


def test_failed_report_sets_the_exit_code(mkc, views, tmp_path):
    """Files above 32 KB cannot be written here, and a report is larger; the result is not."""
    limited = tmp_path / "limited"
    limited.write_text("#!/bin/sh\ntrap '' XFSZ\nulimit -f 64\nexec " + str(BINARY) + ' "$@"\n')
    process = subprocess.run(
        ["/bin/sh", str(limited), "complete", *views, "-m", "knn", "-o", "out", "--report", "r.html"],
        cwd=tmp_path,
        capture_output=True,
        text=True,
    )
    assert process.returncode == 1 and "the report could not be made" in process.stderr, process.stderr
    assert "kernels.npz" in names(tmp_path / "out") and not (tmp_path / "r.html").exists()


def test_folder_with_an_input_is_not_replaced(mkc, views, tmp_path):
    (tmp_path / "labels.tsv").write_text("sample\tclass\n" + "".join(f"s{i}\t{'uv'[i % 2]}\n" for i in range(20)))
    for name, arguments in [("complete", [*views, "-m", "knn"]), ("evaluate", [*views, "-m", "knn", "--repeats", 1])]:
        assert mkc(name, *arguments, "-o", name).code == 0
        for kept in ("a.csv", "labels.tsv"):
            (tmp_path / name / ("my_" + kept)).write_bytes((tmp_path / kept).read_bytes())
        inside = [f"{name}/my_a.csv", *arguments[1:]]
        result = mkc(name, *inside, "-o", name, "--force")
        assert result.code == 2 and "is in the output folder" in result.err, result.err
        result = mkc(name, *arguments, "--labels", f"{name}/my_labels.tsv", "-o", name, "--force")
        assert result.code == 2 and "is in the output folder" in result.err, result.err
        assert {"my_a.csv", "my_labels.tsv"} <= set(names(tmp_path / name))
    assert mkc("complete", *views, "-m", "knn", "-o", "m", "--save-model", "m/model.npz").code == 0
    result = mkc("predict", "m/model.npz", "--view", "a=a.csv", "-o", "m", "--force")
    assert result.code == 2 and "model.npz" in names(tmp_path / "m"), result.err


def link_kinds(folder, inside):
    """Other names of a file in the result folder: links, a link to a link and a hard link."""
    (folder / "symbolic").symlink_to(inside)
    (folder / "relative").symlink_to(os.path.relpath(inside, folder))
    (folder / "second").symlink_to("symbolic")
    os.link(inside, folder / "hard")
    (folder / "folder").symlink_to(inside.parent, target_is_directory=True)
    return ["symbolic", "relative", "second", "hard", f"folder/{inside.name}"]


def test_inputs_that_are_links_into_the_folder_are_kept(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out", "--save-model", "out/model.npz").code == 0
    ids = [f"s{i}" for i in range(20)]
    texts = {
        "b.csv": (tmp_path / "b.csv").read_text(),
        "labels.tsv": "sample\tclass\n" + "".join(f"{name}\tu\n" for name in ids),
        "samples.txt": "\n".join(ids),
        "map.csv": "assay,primary,colname\n" + "".join(f"a,{name},{name}\n" for name in ids),
        "mask.csv": "sample,a,b,c\n" + "".join(f"{name},1,1,1\n" for name in ids),
        "run.toml": 'seed = 1\n[[view]]\nfile = "../b.csv"\n',
    }
    for name, text in texts.items():
        (tmp_path / "out" / name).write_text(text)
    before = {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()}
    uses = {
        "b.csv": ["b={}"],
        "labels.tsv": ["--labels", "{}"],
        "samples.txt": ["--samples", "{}"],
        "map.csv": ["--sample-map", "{}"],
        "mask.csv": ["--mask", "{}"],
        "run.toml": ["--config", "{}"],
    }
    for name, use in uses.items():
        links = tmp_path / ("links_" + name)
        links.mkdir()
        for link in link_kinds(links, tmp_path / "out" / name):
            given = [word.format(f"{links.name}/{link}") for word in use]
            result = mkc("complete", *(view for view in views if view != name), *given, "-m", "knn", "-o", "out", "-f")
            assert result.code == 2 and "is in the output folder" in result.err, f"{name} as {link}: {result.err}"
    assert {path.name: path.read_bytes() for path in (tmp_path / "out").iterdir()} == before


def test_models_and_experiments_that_are_links_into_the_folder_are_kept(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out", "--save-model", "model.npz", "--report", "none").code == 0
    assert mkc("predict", "model.npz", "--view", "a=a.csv", "-o", "new").code == 0
    (tmp_path / "model.npz").rename(tmp_path / "new" / "model.npz")
    (tmp_path / "links").mkdir()
    for link in link_kinds(tmp_path / "links", tmp_path / "new" / "model.npz"):
        result = mkc("predict", f"links/{link}", "--view", "a=a.csv", "-o", "new", "--force")
        assert result.code == 2 and "is in the output folder" in result.err, f"{link}: {result.err}"
    (tmp_path / "run").mkdir()
    (tmp_path / "run" / "mine.toml").write_text(
        'title = "mine"\nmethods = ["mean"]\n[[data]]\nname = "x"\ntoy = "TOYL"\nviews_missing = [1]\n'
    )
    (tmp_path / "run" / "meta_info.json").write_text('{"mkc_version": "0.1.0", "command": "experiment"}')
    (tmp_path / "mine.toml").symlink_to("run/mine.toml")
    for name in ("mine.toml", "run/mine.toml"):
        result = mkc("experiment", name, "-o", "run", "--force")
        assert result.code == 2 and "is in the output folder" in result.err, result.err


def test_files_of_a_result_are_not_replaced_through_links(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out", "--report", "none").code == 0
    (tmp_path / "store").mkdir()
    (tmp_path / "out" / "kernels.npz").rename(tmp_path / "store" / "k.npz")
    (tmp_path / "out" / "kernels.npz").symlink_to("../store/k.npz")
    result = mkc("combine", "out", "-o", "store/k.npz", "--force")
    assert result.code == 2 and "is a file of the result" in result.err, result.err
    (tmp_path / "labels.html").write_text("sample\tclass\ns1\tu\n")
    result = mkc("report", "out", "-o", "labels.html", "--labels", "labels.html", "--force")
    assert result.code == 2 and "is an input" in result.err, result.err
    for command in (["complete", *views, "-m", "knn"], ["evaluate", *views, "-m", "mean", "--repeats", 1]):
        arguments = ["-o", "other", "--labels", "labels.html", "--report", "labels.html", "--force"]
        result = mkc(*command, *arguments)
        assert result.code == 2 and "is an input" in result.err, result.err


def test_force_keeps_files_that_the_run_did_not_write(mkc, views, tmp_path):
    out = tmp_path / "out"
    command = ["complete", *views, "-m", "knn", "-o", "out"]
    assert mkc(*command, "--quality", "--report", "none").code == 0
    listed = json.loads((out / "meta_info.json").read_text())["files"]
    assert listed == names(out) and "quality.tsv" in listed
    assert mkc("report", "out", "--title", "made by another command").code == 0
    assert mkc("combine", "out", "-o", "out/K.npz").code == 0
    (out / "my_notes.txt").write_text("mine")
    (out / "plots").mkdir()
    (out / "plots" / "p.svg").write_text("mine")
    result = mkc(*command, "--force")
    assert result.code == 0, result.err
    kept = "K.npz, K.npz.json, my_notes.txt, plots/p.svg, report.html (now report.kept.html)"
    assert f"not written by the earlier run: {kept}" in result.err
    assert (out / "my_notes.txt").read_text() == "mine" and (out / "plots" / "p.svg").read_text() == "mine"
    assert "made by another command" in (out / "report.kept.html").read_text()
    assert not (out / "quality.tsv").exists()
    listed = json.loads((out / "meta_info.json").read_text())["files"]
    assert sorted([*listed, "K.npz", "K.npz.json", "my_notes.txt", "plots", "report.kept.html"]) == names(out)
    assert mkc(*command, "--force", "--json").json["files"] == listed


def test_force_refuses_results_of_others(mkc, views, tmp_path):
    assert mkc("evaluate", *views, "-m", "mean", "--repeats", 1, "-o", "trial").code == 0
    (tmp_path / "site").mkdir()
    (tmp_path / "site" / "meta_info.json").write_text('{"generator": "another program"}')
    for folder, why in [("trial", "a result of 'mkc evaluate'"), ("site", "was not written by mkc")]:
        before = names(tmp_path / folder)
        result = mkc("complete", *views, "-m", "knn", "-o", folder, "--force")
        expect(result, 2, "is not replaced", why)
        assert names(tmp_path / folder) == before


def test_force_knows_the_files_of_version_0_1(mkc, views, tmp_path):
    """Results of 0.1 do not list their files."""
    shutil.copytree(pathlib.Path(__file__).parents[1] / "fixtures/0.1/result", tmp_path / "out")
    (tmp_path / "out" / "my_notes.txt").write_text("mine")
    result = mkc("complete", *views, "-m", "knn", "-o", "out", "--force")
    assert result.code == 0 and "earlier run: my_notes.txt\n" in result.err, result.err
    listed = json.loads((tmp_path / "out" / "meta_info.json").read_text())["files"]
    assert sorted([*listed, "my_notes.txt"]) == names(tmp_path / "out")


def test_planted_links_are_not_followed(mkc, views, tmp_path):
    """Links at every name that version 0.1 would have used next."""
    (tmp_path / "victim").write_text("precious")
    (tmp_path / "else").mkdir()
    last = int(subprocess.run(["sh", "-c", "echo $$"], capture_output=True, text=True).stdout)
    for pid in range(last, last + 300):
        (tmp_path / f".k.npz.partial-{pid}").symlink_to("victim")
    (tmp_path / ".trial.cells").symlink_to("else")
    assert mkc("kernel", *views, "-o", "k.npz").code == 0
    assert mkc("evaluate", *views, "-m", "mean", "--repeats", 1, "-o", "trial").code == 1
    assert (tmp_path / "victim").read_text() == "precious" and not names(tmp_path / "else")


def test_replacing_the_working_folder(mkc, views, tmp_path):
    """Paths are relative to a folder that is gone when the model and the report are moved into place."""
    assert mkc("complete", *views, "-m", "knn", "-o", "out").code == 0
    command = [BINARY, "complete", *(f"../{view}" for view in views), "-m", "knn", "-o", ".", "--force"]
    process = subprocess.run(
        [*command, "--save-model", "../m.npz", "--report", "../r.html"],
        cwd=tmp_path / "out",
        capture_output=True,
        text=True,
    )
    assert process.returncode == 0, process.stderr
    assert names(tmp_path) == sorted([*views, "m.npz", "out", "r.html"])


def test_two_runs_at_the_same_time(views, tmp_path):
    """The last one to finish wins; both leave nothing behind."""
    command = [BINARY, "complete", *views, "-o", "out", "--report", "none", "--force", "-m"]
    for _ in range(3):
        runs = [
            subprocess.Popen([*command, method], cwd=tmp_path, stderr=subprocess.PIPE, text=True)
            for method in ("knn", "wknn", "mean", "knn,k=2")
        ]
        for run in runs:
            error = run.communicate(timeout=120)[1]
            assert run.returncode == 0, error
        listed = json.loads((tmp_path / "out" / "meta_info.json").read_text())["files"]
        assert listed == names(tmp_path / "out")
        assert names(tmp_path) == sorted([*views, "out"])


def test_continued_evaluation_keeps_other_files(mkc, views, tmp_path):
    arguments = ["evaluate", *views, "-m", "knn", "--repeats", 1, "-o", "trial"]
    assert mkc(*arguments).code == 0
    (tmp_path / "trial" / "notes.txt").write_text("mine")
    (tmp_path / "trial" / "plots").mkdir()
    (tmp_path / "trial" / "plots" / "p.svg").write_text("mine too")
    assert mkc(*arguments, "-m", "wknn").code == 0
    assert (tmp_path / "trial" / "notes.txt").read_text() == "mine"
    assert (tmp_path / "trial" / "plots" / "p.svg").read_text() == "mine too"


def test_continued_evaluation_replaces_only_its_own_report(mkc, views, tmp_path):
    arguments = ["evaluate", *views, "-m", "knn", "--repeats", 1, "-o", "trial"]
    (tmp_path / "important.html").write_text("<p>mine</p>")
    assert mkc(*arguments, "--report", "r.html").code == 0
    assert mkc(*arguments, "--report", "r.html").code == 0
    result = mkc(*arguments, "--report", "important.html")
    assert result.code == 2 and (tmp_path / "important.html").read_text() == "<p>mine</p>", result.err


def test_finished_trials_are_kept_after_an_input_error(mkc, views, tmp_path):
    (tmp_path / ".trial.cells").mkdir()
    (tmp_path / ".trial.cells" / "x.json").write_text("{}")
    (tmp_path / "bad.csv").write_text("sample,x\ns1,word\n")
    assert mkc("evaluate", "bad.csv", *views, "-m", "knn", "-o", "trial", "--force").code == 3
    assert (tmp_path / ".trial.cells" / "x.json").exists()


def test_combine_and_report_do_not_overwrite_their_input(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out").code == 0
    before = (tmp_path / "out" / "kernels.npz").read_bytes()
    result = mkc("combine", "out", "-o", "./out/kernels.npz", "--force")
    assert result.code == 2 and "is a file of the result" in result.err, result.err
    assert (tmp_path / "out" / "kernels.npz").read_bytes() == before
    assert mkc("combine", "out", "-o", "out/K.npz").code == 0
    result = mkc("report", "out", "-o", "a.csv", "--force")
    assert result.code == 2 and ".html" in result.err and (tmp_path / "a.csv").read_text().startswith("sample")


def test_descriptions_replace_only_files_of_mkc(mkc, views, tmp_path):
    """The JSON file beside a table: the user has not given its name."""
    assert mkc("complete", *views, "-m", "knn", "-o", "out").code == 0
    for command, table, beside in (("embed", "x.tsv", "x.json"), ("combine", "K.csv", "K.csv.json")):
        for foreign in ("my notes", '{"note": 1}', "[]"):
            (tmp_path / beside).write_text(foreign)
            expect(mkc(command, "out", "-o", table, "--force"), 2, beside, "is not a file of mkc")
            assert (tmp_path / beside).read_text() == foreign and not (tmp_path / table).exists()
        (tmp_path / beside).unlink()
        for _ in range(2):
            done = mkc(command, "out", "-o", table, "--force")
            assert done.code == 0, done.err


def test_outputs_do_not_replace_pipes(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out").code == 0
    for name in ("x.tsv", "x.npz", "x.html"):
        os.mkfifo(tmp_path / name)
    for command in (
        ("combine", "out", "-o", "x.npz"),
        ("convert", views[0], "-o", "x.npz"),
        ("embed", "out", "-o", "x.tsv"),
        ("kernel", *views, "-o", "x.npz"),
        ("report", "out", "-o", "x.html"),
        ("complete", *views, "-m", "knn", "-o", "new", "--report", "x.html"),
        ("complete", *views, "-m", "knn", "-o", "new", "--save-model", "x.npz"),
    ):
        expect(mkc(*command, "--force"), 2, "is a pipe, socket or device")
    assert all((tmp_path / name).is_fifo() for name in ("x.tsv", "x.npz", "x.html"))
    assert not (tmp_path / "new").exists()


def test_full_standard_output_does_not_lose_the_result(views, tmp_path):
    with open("/dev/full", "w") as full:
        process = subprocess.run(
            [BINARY, "complete", *views, "-m", "knn", "-o", "out"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.returncode == 1 and process.stderr.count("cannot write to standard output") == 1, process.stderr
    assert "kernels.npz" in names(tmp_path / "out")
