"""mkc complete: the files it writes and the messages it prints."""

import hashlib
import json
import os
import signal
import subprocess
import time

import numpy as np
from conftest import BINARY, read_tsv, write_table


def test_from_files_to_completed_kernels(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "-m", "wknn")
    assert result.code == 0, result.err
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == [
        "config.toml",
        "kernels.npz",
        "meta_info.json",
        "mkc.log",
        "mkc_mqc.json",
        "observed.tsv",
        "report.html",
        "uncertainty.tsv",
    ]
    arrays = np.load(tmp_path / "out" / "kernels.npz")
    assert sorted(arrays.files) == ["a", "b", "c", "samples"]
    assert arrays["samples"].tolist() == [f"s{i}" for i in range(20)]
    for name in "abc":
        kernel = arrays[name]
        assert kernel.shape == (20, 20) and kernel.dtype == np.float64
        assert np.array_equal(kernel, kernel.T)
        values = np.linalg.eigvalsh(kernel)
        assert values[0] >= -1e-10 * values[-1]


def test_rbf_has_median_gamma_on_zscores(mkc, views, tmp_path):
    mkc("complete", *[f"{view},kernel=rbf,gamma=median" for view in views], "-o", "out")
    kernel = np.load(tmp_path / "out" / "kernels.npz")["a"][:16, :16]
    table = np.loadtxt(tmp_path / "a.csv", delimiter=",", skiprows=1, usecols=range(1, 6))
    table = (table - table.mean(0)) / table.std(0)
    squared = ((table[:, None] - table[None]) ** 2).sum(-1)
    gamma = 1 / np.median(squared[np.triu_indices(16, 1)])
    assert np.allclose(kernel, np.exp(-gamma * squared), atol=1e-12)


def test_observed_table_and_meta_info(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "--seed", "5", "-m", "knn,k=3", "--json")
    rows = read_tsv(tmp_path / "out" / "observed.tsv")
    assert rows[0] == ["sample", "a", "b", "c"]
    assert rows[1] == ["s0", "1", "0", "1"]
    assert rows[-1] == ["s19", "0", "1", "1"]
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    assert meta["blas"] == mkc("version", "--json").json["blas"]
    assert meta["command_line"] == "mkc complete a.csv b.csv c.csv -o out --seed 5 -m knn,k=3 --json"
    assert meta["method"] == "knn" and meta["parameters"]["k"] == "3" and meta["seed"] == 5
    assert meta["status"] == "converged" and meta["n_samples"] == 20
    assert meta["inputs"][0]["sha256"] == hashlib.sha256((tmp_path / "a.csv").read_bytes()).hexdigest()
    assert meta["views"][1]["missing"] == 4
    assert set(meta["seconds"]) >= {"read", "fit"}
    assert result.json == meta


def test_observed_kernel_entries_are_returned_unchanged(mkc, kernels, tmp_path):
    x = kernels["x"].copy()
    x[2, :] = x[:, 2] = np.nan
    np.savez(tmp_path / "gaps.npz", x=x, y=kernels["y"], samples=np.array(list("pqrstu")))
    assert mkc("complete", "gaps.npz", "-o", "out").code == 0
    result = np.load(tmp_path / "out" / "kernels.npz")
    seen = [0, 1, 3, 4, 5]
    assert np.array_equal(result["x"][np.ix_(seen, seen)], x[np.ix_(seen, seen)])
    assert np.array_equal(result["y"], kernels["y"])


def test_nothing_missing_returns_the_input_with_a_notice(mkc, kernels, tmp_path):
    result = mkc("complete", "kernels.npz", "-o", "out")
    assert result.code == 0
    assert "nothing is missing: the input is returned unchanged" in result.err
    assert np.array_equal(np.load(tmp_path / "out" / "kernels.npz")["x"], kernels["x"])


def test_tsv_format_is_labelled(mkc, views, tmp_path):
    assert mkc("complete", *views, "-o", "out", "--format", "tsv").code == 0
    assert mkc("complete", *views, "-o", "npz").code == 0
    rows = read_tsv(tmp_path / "out" / "kernels" / "b.tsv.gz")
    assert rows[0][1:] == [row[0] for row in rows[1:]] == [f"s{i}" for i in range(20)]
    values = np.array([[float(v) for v in row[1:]] for row in rows[1:]])
    assert np.array_equal(values, np.load(tmp_path / "npz" / "kernels.npz")["b"])


def test_threads_do_not_change_the_result(mkc, views, tmp_path):
    for threads in ("1", "2"):
        assert mkc("complete", *views, "-o", f"t{threads}", "-t", threads).code == 0
    a, b = ((tmp_path / f"t{t}" / "kernels.npz").read_bytes() for t in "12")
    assert a == b


def test_mask_hides_rows(mkc, kernels, tmp_path):
    (tmp_path / "mask.csv").write_text("sample,x,y\n" + "".join(f"s{i},{int(i != 4)},1\n" for i in range(6)))
    assert mkc("complete", "kernels.npz", "--mask", "mask.csv", "-o", "out").code == 0
    assert read_tsv(tmp_path / "out" / "observed.tsv")[5] == ["s4", "0", "1"]


def test_names_paths_arrays_and_options_of_views(mkc, views, kernels, tmp_path):
    result = mkc("complete", "left=a.csv,kernel=linear,scale=none", "c.csv,kernel=poly,degree=2", "-o", "out", "--json")
    assert [v["name"] for v in result.json["views"]] == ["left", "c"]
    left = np.load(tmp_path / "out" / "kernels.npz")["left"][:16, :16]
    table = np.loadtxt(tmp_path / "a.csv", delimiter=",", skiprows=1, usecols=range(1, 6))
    assert np.allclose(left, table @ table.T, atol=1e-12)
    result = mkc("complete", "kernels.npz:x", "-o", "one")
    assert np.load(tmp_path / "one" / "kernels.npz").files == ["x", "samples"]


def test_normalisation_is_undone(mkc, kernels, tmp_path):
    x = kernels["x"].copy()
    x[2, :] = x[:, 2] = np.nan
    np.savez(tmp_path / "gaps.npz", x=x, y=kernels["y"])
    for i, extra in enumerate((["--normalize", "unit"], ["--normalize", "trace"], ["--center"])):
        assert mkc("complete", "gaps.npz", "-o", f"out{i}", *extra).code == 0
        assert np.array_equal(np.load(tmp_path / f"out{i}" / "kernels.npz")["y"], kernels["y"])


def test_fitted_returns_the_models_own_matrix(mkc, kernels, tmp_path):
    x = kernels["x"].copy()
    x[2, :] = x[:, 2] = np.nan
    np.savez(tmp_path / "gaps.npz", x=x, y=kernels["y"])
    assert mkc("complete", "gaps.npz", "-m", "mean", "--fitted", "-o", "out").code == 0
    y = kernels["y"]
    seen = [0, 1, 3, 4, 5]
    block = np.ix_(seen, seen)
    expected = y * x[block].mean() / y[block].mean()
    assert np.allclose(np.load(tmp_path / "out" / "kernels.npz")["x"], expected)


def test_dry_run_writes_nothing(mkc, views, tmp_path):
    result = mkc("complete", *views, "--dry-run")
    assert result.code == 0 and "dry run" in result.err
    assert "3 views, 20 samples in the union, 8 in all views" in result.out
    assert sorted(p.name for p in tmp_path.iterdir()) == views


def test_existing_output_is_refused_without_force(mkc, views, tmp_path):
    assert mkc("complete", *views, "-o", "out").code == 0
    before = (tmp_path / "out" / "meta_info.json").read_bytes()
    result = mkc("complete", *views, "-o", "out")
    assert result.code == 2 and "exists" in result.err and "--force" in result.err
    assert (tmp_path / "out" / "meta_info.json").read_bytes() == before
    assert mkc("complete", *views, "-o", "out", "--force").code == 0


def test_force_does_not_delete_foreign_folders(mkc, views, tmp_path):
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter1.tex").write_text("precious")
    result = mkc("complete", *views, "-o", "thesis", "--force")
    assert result.code == 2
    assert (tmp_path / "thesis" / "chapter1.tex").read_text() == "precious"


def test_no_write_permission_is_a_clear_error(mkc, views, tmp_path):
    # A regular file in the way stops root too.
    result = mkc("complete", *views, "-o", "a.csv/out")
    assert result.code == 1 and "a.csv" in result.err and result.err.count("error:") == 1
    result = mkc("complete", *views, "-o", "/proc/mkc_out")
    assert result.code == 1 and "/proc" in result.err
    assert sorted(p.name for p in tmp_path.iterdir()) == views


def test_bad_input_leaves_no_partial_output(mkc, views, tmp_path):
    (tmp_path / "bad.csv").write_text("sample,x\ns0,1\ns1,oops\n")
    assert mkc("complete", *views, "bad.csv", "-o", "out").code == 3
    assert sorted(p.name for p in tmp_path.iterdir()) == ["a.csv", "b.csv", "bad.csv", "c.csv"]


def test_full_disk_is_a_clear_error(mkc, views):
    with open("/dev/full", "w") as full:
        result = subprocess.run([BINARY, "methods"], stdout=full, stderr=subprocess.PIPE, text=True)
    assert result.returncode == 1 and "standard output" in result.stderr


def test_output_piped_to_head(views, tmp_path):
    result = subprocess.run(
        f"{BINARY} complete {' '.join(views)} -o out | head -1; echo ${{PIPESTATUS[0]}}",
        shell=True,
        cwd=tmp_path,
        text=True,
        executable="/bin/bash",
        capture_output=True,
    )
    assert result.stdout.splitlines()[-1] == "0"
    assert "error" not in result.stderr
    assert (tmp_path / "out" / "kernels.npz").exists()


def test_memory_limit(mkc, views, tmp_path):
    result = mkc("complete", *views, "-o", "out", "--memory", "10K")
    assert result.code == 5 and "--memory allows" in result.err
    assert not (tmp_path / "out").exists()
    assert mkc("complete", *views, "-o", "out", "--memory", "lots").code == 2


def test_quiet_prints_nothing(mkc, views):
    result = mkc("complete", *views, "-o", "out", "-q")
    assert (result.code, result.out, result.err) == (0, "", "")


def test_interrupt_leaves_all_or_nothing(tmp_path):
    for name in "ab":
        write_table(
            tmp_path / f"{name}.csv",
            [f"s{i}" for i in range(1500)],
            [f"{name}{j}" for j in range(300)],
            np.random.default_rng(0).normal(size=(1500, 300)),
        )
    process = subprocess.Popen(
        [BINARY, "complete", "a.csv", "b.csv", "-o", "out"],
        cwd=tmp_path,
        stderr=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode in (130, 0), err
    assert (tmp_path / "out").exists() == (process.returncode == 0)
    assert ("nothing was written" in err) == (process.returncode == 130)
    assert not [p for p in tmp_path.iterdir() if "partial" in p.name]


def test_pipes_are_refused(mkc, tmp_path):
    os.mkfifo(tmp_path / "pipe.csv")
    result = mkc("complete", "pipe.csv", "-o", "out")
    assert result.code == 3 and "not a regular file" in result.err
