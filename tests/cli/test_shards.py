"""A completion in factor form by shards: plan, moments, merge, apply, gather."""

import filecmp
import json
import os
import pathlib
import random
import shutil
import signal
import subprocess
import sys
import threading
import time

import numpy as np
import pytest
from conftest import BINARY, expect

SIZES = ("--rank", 8, "--landmarks", 20, "--anchors", 20, "--plan-sample", 100, "--block", 120)
RESULT = ("factors/a.npy", "factors/b.npy", "factors/c.npy", "extra.npy", "variance.npy", "observed.tsv",
          "quality.tsv", "samples.txt")  # fmt: skip
ROUNDS = 3


def make_tables(folder, n=1500):
    """Three views in three formats and orders; a quarter of the rows of two of them is missing."""
    drawn = np.random.default_rng(5)
    state = drawn.normal(size=(n, 3))
    ids = np.array([f"s{i}" for i in range(n)])
    for place, name in enumerate("abc"):
        x = np.tanh(state @ drawn.normal(size=(3, 5))) + 0.1 * drawn.normal(size=(n, 5))
        rows = drawn.permutation(n)[: n if place == 0 else 3 * n // 4]
        if name == "a":
            lines = ["id,f0,f1,f2,f3,f4"]
            lines += [ids[i] + "," + ",".join(repr(float(v)) for v in x[i]) for i in rows]
            (folder / "a.csv").write_text("\n".join(lines) + "\n")
        elif name == "b":
            np.save(folder / "b.npy", x[rows])
            (folder / "b.samples").write_text("\n".join(ids[rows]) + "\n")
        else:
            np.savez(folder / "c.npz", c=x[rows], samples=ids[rows])


VIEWS = ("a.csv", "b.npy", "c.npz")


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Tables, their plan and the plain completion, made once; tests copy the folder."""
    folder = tmp_path_factory.mktemp("made")
    make_tables(folder)
    for arguments in (
        ("complete", *VIEWS, "--form", "factor", *SIZES, "-o", "plain"),
        ("plan", *VIEWS, *SIZES, "-o", "plan"),
    ):
        subprocess.run([BINARY, *map(str, arguments)], cwd=folder, check=True, capture_output=True)
    return folder


@pytest.fixture
def planned(made, tmp_path):
    shutil.copytree(made, tmp_path, dirs_exist_ok=True)
    return tmp_path


def run_shards(mkc, n, order=None, last="result"):
    """All steps with n shards; the names of the parts say round and shard."""
    order = order or list(range(1, n + 1))
    fit = ()
    for r in range(1, ROUNDS + 1):
        for i in order:
            done = mkc("moments", "plan", "--round", r, *fit, "--shard", f"{i}/{n}", "-o", f"m{r}-{i}of{n}.npz")
            assert done.code == 0, done.err
        done = mkc("merge", "plan", *[f"m{r}-{i}of{n}.npz" for i in order], *fit, "-o", f"fit{r}of{n}.npz")
        assert done.code == 0, done.err
        fit = ("--fit", f"fit{r}of{n}.npz")
    for i in order:
        done = mkc("apply", "plan", *fit, "--shard", f"{i}/{n}", "-o", f"rows-{i}of{n}")
        assert done.code == 0, done.err
    done = mkc("gather", "plan", *[f"rows-{i}of{n}" for i in order], *fit, "-o", last)
    assert done.code == 0, done.err


def same_bits(one, other):
    return filecmp.cmpfiles(one, other, RESULT, shallow=False)[0] == list(RESULT)


def test_what_shards_wrote_is_scored_with_labels(mkc, planned):
    run_shards(mkc, 2)
    drawn = np.random.default_rng(5)
    labels = [f"s{i},{value:.3f}" for i, value in enumerate(drawn.normal(size=(1500, 3))[:, 0])]
    (planned / "labels.csv").write_text("sample,y\n" + "\n".join(labels) + "\n")
    scored = {}
    for folder, samples in (("result", 1500), ("plain", 1500), ("rows-1of2", 720)):
        done = mkc("evaluate", folder, "--labels", "labels.csv:y", "--repeats", 1, "-o", f"scores-{folder}")
        assert done.code == 0, done.err
        scored[folder] = done.out
        meta = json.loads((planned / f"scores-{folder}" / "meta_info.json").read_text())
        assert meta["scored"] == samples
    assert scored["result"] == scored["plain"]


@pytest.mark.parametrize("n", [1, 2, 3, 7])
def test_any_number_of_shards_in_any_order_gives_the_bits_of_one_run(mkc, planned, n):
    order = list(range(1, n + 1))
    random.Random(n).shuffle(order)
    run_shards(mkc, n, order)
    assert same_bits(planned / "plain", planned / "result")
    plain, result = (json.loads((planned / name / "meta_info.json").read_text()) for name in ("plain", "result"))
    for key in ("parameters", "views", "quality", "experts", "warnings", "notices", "inputs", "seed", "ids"):
        assert plain[key] == result[key], key
    assert mkc("embed", "result", "-o", "axes.tsv").code == 0
    assert mkc("report", "result", "-o", "again.html").code == 0
    rows = json.loads((planned / f"rows-1of{n}/meta_info.json").read_text())
    assert n == 1 or rows["n_samples"] < plain["n_samples"]
    assert mkc("embed", f"rows-{n}of{n}", "-o", "some.tsv").code == 0  # a shard is a result of its own


def test_more_shards_than_blocks(mkc, planned):
    run_shards(mkc, 15)
    assert same_bits(planned / "plain", planned / "result")


def test_a_step_that_is_done_is_not_done_again(mkc, planned):
    run_shards(mkc, 1)
    before = {path: path.stat().st_mtime_ns for path in planned.glob("*1of1*")}
    for command in (
        ("moments", "plan", "--round", 2, "--fit", "fit1of1.npz", "--shard", "1/1", "-o", "m2-1of1.npz"),
        ("merge", "plan", "m2-1of1.npz", "--fit", "fit1of1.npz", "-o", "fit2of1.npz"),
        ("apply", "plan", "--fit", "fit3of1.npz", "--shard", "1/1", "-o", "rows-1of1"),
    ):
        result = mkc(*command)
        assert result.code == 0 and "is there already" in result.err, result.err
    assert before == {path: path.stat().st_mtime_ns for path in planned.glob("*1of1*")}
    for command in (
        ("plan", *VIEWS, *SIZES, "-o", "plan"),
        ("gather", "plan", "rows-1of1", "--fit", "fit3of1.npz", "-o", "result"),
    ):
        kept = {path: path.stat().st_mtime_ns for path in (planned / command[-1]).rglob("*")}
        result = mkc(*command)
        assert result.code == 0 and "is there already" in result.err, result.err
        assert kept == {path: path.stat().st_mtime_ns for path in (planned / command[-1]).rglob("*")}
    expect(mkc("plan", *VIEWS, *SIZES, "--seed", 1, "-o", "plan"), 2, "plan' exists")
    expect(mkc("moments", "plan", "--round", 1, "--shard", "1/2", "-o", "m1-1of1.npz"), 2, "exists", "--force")
    expect(mkc("apply", "plan", "--fit", "fit3of1.npz", "--shard", "1/2", "-o", "rows-1of1"), 2, "exists", "--force")
    assert before == {path: path.stat().st_mtime_ns for path in planned.glob("*1of1*")}


@pytest.fixture
def first_round(mkc, planned):
    for i in (1, 2, 3):
        assert mkc("moments", "plan", "--round", 1, "--shard", f"{i}/3", "-o", f"m{i}.npz").code == 0
    return planned


def test_missing_and_doubled_shards_are_named(mkc, first_round):
    merge = ("merge", "plan", "-o", "fit.npz")
    expect(mkc(*merge, "m1.npz"), 3, "shards 2/3, 3/3 are missing")
    expect(mkc(*merge, "m3.npz", "m1.npz"), 3, "shard 2/3 is missing")
    shutil.copy(first_round / "m2.npz", first_round / "again.npz")
    expect(mkc(*merge, "m1.npz", "m2.npz", "m3.npz", "again.npz"), 3, "shard 2/3 is there twice", "m2.npz", "again.npz")
    assert mkc("moments", "plan", "--round", 1, "--shard", "1/2", "-o", "half.npz").code == 0
    expect(mkc(*merge, "m1.npz", "half.npz"), 3, "m1.npz is shard 1/3, half.npz is shard 1/2")
    assert not (first_round / "fit.npz").exists()


def test_parts_that_do_not_belong_together_are_named(mkc, first_round):
    assert mkc("merge", "plan", "m1.npz", "m2.npz", "m3.npz", "-o", "fit1.npz").code == 0
    assert mkc("plan", *VIEWS, *SIZES, "--seed", 1, "-o", "other").code == 0
    expect(mkc("moments", "other", "--round", 2, "--fit", "fit1.npz", "-o", "x.npz"), 3, "fit1.npz", "another plan")
    expect(mkc("merge", "other", "m1.npz", "m2.npz", "m3.npz", "-o", "x.npz"), 3, "m1.npz", "another plan")
    expect(mkc("moments", "plan", "--round", 2, "-o", "x.npz"), 2, "round 2: without a fit round 1 is next")
    expect(mkc("moments", "plan", "--round", 1, "--fit", "fit1.npz", "-o", "x.npz"), 2, "round 2 is next")
    expect(mkc("merge", "plan", "m1.npz", "--fit", "fit1.npz", "-o", "x.npz"), 3, "m1.npz: moments of round 1")
    expect(mkc("apply", "plan", "--fit", "fit1.npz", "-o", "x"), 3, "fit1.npz: 1 of 3 rounds are done")
    expect(mkc("merge", "plan", "fit1.npz", "-o", "x.npz"), 3, "fit1.npz holds a fit, not moments")
    expect(mkc("moments", "plan", "--shard", "4/3", "-o", "x.npz"), 2, "'4/3' is not a shard")
    expect(mkc("moments", "nothing", "-o", "x.npz"), 3, "there is no 'nothing'")
    expect(mkc("moments", "plain", "-o", "x.npz"), 3, "'plain' is not a plan")


def nodes_of(path):
    """How many sums a part holds."""
    with np.load(path) as part:
        words = list(part["moments_words"])
    return int(words[words.index("nodes/count") + 1])


def test_shards_fill_few_subtrees(mkc, planned):
    """63 blocks in 3 shards of 20 = 16 + 4, 22 = 4 + 8 + 8 + 2 and 21 = 2 + 4 + 8 + 4 + 2 + 1."""
    assert mkc("plan", *VIEWS, *SIZES[:-2], "--block", 24, "-o", "fine").code == 0
    counts = []
    for i in (1, 2, 3):
        assert mkc("moments", "fine", "--round", 1, "--shard", f"{i}/3", "-o", f"f{i}.npz").code == 0
        counts.append(nodes_of(planned / f"f{i}.npz"))
    assert counts == [2, 4, 6]
    assert mkc("merge", "fine", "f3.npz", "f1.npz", "f2.npz", "-o", "fine.npz").code == 0


def test_only_merging_needs_the_sample_of_a_plan(mkc, first_round):
    assert mkc("plan", *VIEWS, *SIZES, "--seed", 1, "-o", "other").code == 0
    (first_round / "plan/sample.npz").rename(first_round / "kept.npz")
    assert mkc("moments", "plan", "--round", 1, "--shard", "1/1", "-o", "all.npz").code == 0
    merge = ("merge", "plan", "m1.npz", "m2.npz", "m3.npz", "-o", "fit.npz")
    expect(mkc(*merge), 3, "plan/sample.npz")
    shutil.copy(first_round / "other/sample.npz", first_round / "plan/sample.npz")
    expect(mkc(*merge), 3, "plan/sample.npz", "another plan")
    whole = (first_round / "kept.npz").read_bytes()
    (first_round / "plan/sample.npz").write_bytes(whole[: len(whole) // 2])
    expect(mkc(*merge), 3, "plan/sample.npz is not whole")
    (first_round / "plan/sample.npz").write_bytes(whole)
    assert mkc(*merge).code == 0


def test_damaged_parts_are_named(mkc, first_round):
    whole = (first_round / "m2.npz").read_bytes()
    with np.load(first_round / "m2.npz") as part:
        largest = max((part[name] for name in part.files if part[name].dtype == float), key=lambda array: array.size)
    merge = ("merge", "plan", "m1.npz", "m2.npz", "m3.npz", "-o", "fit.npz")
    (first_round / "m2.npz").write_bytes(whole[: len(whole) // 2])
    expect(mkc(*merge), 3, "m2.npz is not whole", "repeat the step")
    middle = whole.index(largest.tobytes(order="F" if largest.flags.f_contiguous else "C")) + 20
    (first_round / "m2.npz").write_bytes(whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :])
    expect(mkc(*merge), 3, "m2.npz")
    (first_round / "m2.npz").write_bytes(whole)
    assert mkc(*merge).code == 0


def test_damaged_rows_of_a_shard_are_named(mkc, planned):
    run_shards(mkc, 2)
    gather = ("gather", "plan", "rows-1of2", "rows-2of2", "--fit", "fit3of2.npz", "-o", "again")
    for name in ("quality.tsv", "samples.txt", "factors/b.npy"):
        path = planned / "rows-2of2" / name
        whole = path.read_bytes()
        path.write_bytes(whole[: len(whole) // 2])
        expect(mkc(*gather), 3, f"rows-2of2/{name} is not what 'mkc apply' wrote", "--shard 2/2 --force")
        path.write_bytes(whole)
    (planned / "rows-1of2/extra.npy").unlink()
    expect(mkc(*gather), 3, "rows-1of2/extra.npy")
    assert not (planned / "again").exists()


def test_the_same_step_twice_at_once(mkc, planned):
    """Schedulers repeat jobs that they believe dead: both end well, with one output."""
    for command in (
        ("plan", *VIEWS, *SIZES, "-o", "new/m.npz"),
        ("moments", "plan", "--round", 1, "-o", "m.npz"),
        ("merge", "plan", "m.npz", "-o", "fit.npz"),
    ):
        runs = [
            subprocess.Popen([BINARY, *map(str, command)], cwd=planned, stderr=subprocess.PIPE, text=True)
            for _ in range(4)
        ]
        for run in runs:
            assert run.wait() == 0, run.stderr.read()
            run.stderr.close()
    assert sorted(path.name for path in planned.glob("*m.npz*")) == ["m.npz"]
    assert [path.name for path in (planned / "new").iterdir()] == ["m.npz"] and not list(planned.glob(".*"))


def test_a_part_of_another_version_is_refused(mkc, first_round):
    with np.load(first_round / "m2.npz") as part:
        arrays = dict(part)
    words = list(arrays["part_words"])
    words[words.index("mkc") + 1] = "0.0.1"
    arrays["part_words"] = np.array(words)
    np.savez(first_round / "m2.npz", **arrays)
    result = mkc("merge", "plan", "m1.npz", "m2.npz", "m3.npz", "-o", "fit.npz")
    expect(result, 3, "m2.npz: made by mkc 0.0.1", "one version")


def test_changed_tables_are_noticed_whatever_their_times_say(mkc, planned):
    path = planned / "b.npy"
    about, x = path.stat(), np.load(path)
    run = ("moments", "plan", "--round", 1, "--shard")
    os.utime(path, ns=(0, 0))  # a clock that lies about the same content
    assert mkc(*run, "1/1", "-o", "x.npz").code == 0
    plan = json.loads((planned / "plan/meta_info.json").read_text())
    assert plan["n_samples"] == 1500
    if (planned / "plan/tables").exists() and (planned / "plan/tables/1.npy").exists():
        path = planned / "plan/tables/1.npy"
        about, x = path.stat(), np.load(path)
    changed = x.copy()
    changed[3, 2] += 1e-9
    np.save(path, changed)
    os.utime(path, ns=(about.st_atime_ns, about.st_mtime_ns))
    codes = [mkc(*run, f"{i}/3", "-o", f"y{i}.npz") for i in (1, 2, 3)]
    assert sorted(result.code for result in codes) == [0, 0, 3]  # the shard that has this row
    assert any("a table has changed" in result.err for result in codes)
    np.save(path, x)
    assert mkc(*run, "3/3", "-o", "z.npz").code == 0


def test_inputs_that_a_file_system_shows_late_are_waited_for(mkc, first_round):
    (first_round / "m2.npz").rename(first_round / "late.npz")
    merge = ("merge", "plan", "m1.npz", "m2.npz", "m3.npz", "-o", "fit.npz")
    expect(mkc(*merge), 3, "there is no 'm2.npz'", "--wait")
    timer = threading.Timer(0.5, lambda: (first_round / "late.npz").rename(first_round / "m2.npz"))
    timer.start()
    assert mkc(*merge, "--wait", 30).code == 0
    timer.join()


def test_steps_that_are_killed_are_repeated(mkc, planned):
    """SIGKILL at random moments of every step: it leaves nothing or its whole output."""
    drawn = random.Random(3)

    def insist(*command):
        for _ in range(3):
            run = subprocess.Popen(
                [BINARY, *map(str, command)], cwd=planned, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
            )
            time.sleep(drawn.uniform(0, 0.06))
            run.send_signal(signal.SIGKILL)
            run.wait()
        return mkc(*command)

    run_shards(insist, 2, last="by-kills")
    assert same_bits(planned / "plain", planned / "by-kills")
    assert [path.name for path in planned.iterdir() if ".partial" in path.name] == []


EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples/clusters"

# Runs a job, or all jobs of an array, at once.
SBATCH = """#!/usr/bin/env bash
set -euo pipefail
for word in "$@"; do
  case $word in --array=1-*) last=${word#--array=1-} ;; esac
  job=$word
done
for SLURM_ARRAY_TASK_ID in $(seq "${last:-1}"); do export SLURM_ARRAY_TASK_ID; bash -c "$job" >>jobs.log 2>&1; done
echo 17
"""


def with_tools(folder):
    """PATH with mkc and a stand-in for sbatch."""
    tools = folder / "tools"
    tools.mkdir()
    (tools / "mkc").symlink_to(pathlib.Path(BINARY).resolve())
    (tools / "sbatch").write_text(SBATCH)
    (tools / "sbatch").chmod(0o755)
    return {**os.environ, "PATH": f"{tools}:{os.environ['PATH']}"}


def test_the_slurm_script(planned):
    shutil.rmtree(planned / "plan")
    arguments = [*VIEWS, *map(str, SIZES)]
    env = {**with_tools(planned), "SHARDS": "3"}
    run = subprocess.run([EXAMPLES / "slurm.sh", *arguments], cwd=planned, env=env, capture_output=True, text=True)
    assert run.returncode == 0, run.stderr + (planned / "jobs.log").read_text()
    assert same_bits(planned / "plain", planned / "result")


def test_the_snakemake_workflow(planned):
    beside = pathlib.Path(sys.executable).with_name("snakemake")  # in the environment of the Python package
    snakemake = str(beside) if beside.exists() else shutil.which("snakemake")
    if snakemake is None:
        pytest.skip("Snakemake is not installed")
    shutil.rmtree(planned / "plan")
    config = [f"views={' '.join(VIEWS)}", f"options={' '.join(map(str, SIZES))}", "shards=3"]
    command = [snakemake, "-s", EXAMPLES / "Snakefile", "--cores", "2", "--config", *config]
    run = subprocess.run(command, cwd=planned, env=with_tools(planned), capture_output=True, text=True)
    assert run.returncode == 0, run.stderr
    assert same_bits(planned / "plain", planned / "result")
