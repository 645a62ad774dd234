"""mkc embed, mkc cluster and mkc drivers: what a result tells about its samples."""

import csv
import hashlib
import json
import os
import shutil
import subprocess

import numpy as np
import pytest
from conftest import BINARY, expect
from test_kills import KILL_AT, NO_PTRACE, SIGKILLED

N = 60


@pytest.fixture
def result(tmp_path, mkc):
    """60 samples in three groups, two views with ten planted features among forty; some rows are missing."""
    rng = np.random.default_rng(0)
    group = np.arange(N) % 3
    for view in ("rna", "protein"):
        X = rng.standard_normal((N, 40))
        X[:, :10] += 4 * ((group[:, None] + np.arange(10)) % 3)
        rows = [i for i in range(N) if view == "rna" or i % 6]
        lines = ["sample," + ",".join(f"{view}_{j}" for j in range(40))]
        lines += [f"s{i}," + ",".join(f"{x:.6f}" for x in X[i]) for i in rows]
        (tmp_path / f"{view}.csv").write_text("\n".join(lines) + "\n")
    (tmp_path / "truth.tsv").write_text("sample\tgroup\n" + "".join(f"s{i}\tg{i % 3}\n" for i in range(N)))
    done = mkc("complete", "rna.csv", "protein.csv", "-m", "knn", "-o", "result", "-q", "--save-model", "model.npz")
    assert done.code == 0, done.err
    return "result"


def table(path):
    with open(path) as file:
        return list(csv.DictReader(file, delimiter="," if path.suffix == ".csv" else "\t"))


def clustered(mkc, result, *more, output="clusters.tsv"):
    done = mkc("cluster", result, "-o", output, "--resamples", "10", "--max-clusters", "5", *more)
    assert done.code == 0, done.err
    return done


def test_clusters_are_found_without_labels(tmp_path, mkc, result):
    done = clustered(mkc, result, "--labels", "truth.tsv", "--seed", "3", "--json")
    rows = table(tmp_path / "clusters.tsv")
    assert [row["sample"] for row in rows] == [f"s{i}" for i in range(N)]
    assert {row["cluster"] for row in rows} == {"1", "2", "3"}
    assert all(0.5 < float(row["strength"]) <= 1 for row in rows)
    about = json.loads((tmp_path / "clusters.json").read_text())
    assert about == done.json
    assert about["found"] and about["clusters"] == 3 and about["seed"] == 3
    assert about["labels"]["accuracy"] == 1 and about["labels"]["ari"] == 1
    assert about["command_line"].startswith("mkc cluster result") and about["mkc_version"]
    assert any(file["path"].endswith("kernels.npz") and len(file["sha256"]) == 64 for file in about["inputs"])


def log_rank(time, event, group):
    """Statistic by the definition, without the last group."""
    names = sorted(set(group))
    excess, covariance = np.zeros(len(names)), np.zeros((len(names), len(names)))
    for t in sorted(set(time[event == 1])):
        risk = np.array([np.sum((time >= t) & (group == g)) for g in names])
        dead = np.array([np.sum((time == t) & (event == 1) & (group == g)) for g in names])
        n, d = risk.sum(), dead.sum()
        excess += dead - d * risk / n
        if n > 1:
            covariance += d * (n - d) / (n - 1) * (np.diag(risk / n) - np.outer(risk / n, risk / n))
    return excess[:-1] @ np.linalg.solve(covariance[:-1, :-1], excess[:-1])


def write_survival(tmp_path, without=()):
    """Times that are ten times longer in the first group than in the third; a quarter is censored."""
    rng = np.random.default_rng(4)
    time = np.ceil(rng.exponential(100, N) * np.array([10, 3, 1])[np.arange(N) % 3])
    event = (rng.random(N) < 0.75).astype(int)
    rows = [f"s{i},{'' if i in without else int(time[i])},{event[i]},{40 + i % 3 + i / 100}" for i in range(N)]
    (tmp_path / "clinical.csv").write_text("\n".join(["sample,days,died,age", *rows]) + "\n")
    return time, event


def test_survival_of_clusters_is_compared_by_the_log_rank_test(tmp_path, mkc, result):
    time, event = write_survival(tmp_path, without=(5, 6))
    done = clustered(mkc, result, "--labels", "clinical.csv:days,died")
    found = json.loads((tmp_path / "clusters.json").read_text())["labels"]
    cluster = np.array([int(row["cluster"]) for row in table(tmp_path / "clusters.tsv")])
    kept = np.array([i not in (5, 6) for i in range(N)])
    assert found["type"] == "survival" and found["samples"] == N - 2 and found["without_label"] == 2
    assert found["log_rank"]["degrees"] == 2
    assert found["log_rank"]["statistic"] == pytest.approx(log_rank(time[kept], event[kept], cluster[kept]))
    assert found["log_rank"]["p"] == pytest.approx(np.exp(-found["log_rank"]["statistic"] / 2))  # two degrees
    assert [group["events"] for group in found["groups"]] == [event[kept & (cluster == c)].sum() for c in (1, 2, 3)]
    assert sum(group["expected_events"] for group in found["groups"]) == pytest.approx(event[kept].sum())
    assert "2 of 60 samples have no survival time" in done.err and "log-rank test: p = " in done.out
    assert "labels: survival (time 'days', event 'died'" in done.err


def test_few_events_make_the_test_approximate(tmp_path, mkc, result):
    write_survival(tmp_path, without=range(12, N))
    done = clustered(mkc, result, "--labels", "clinical.csv:days,died")
    assert "p is approximate: fewer than 5 events are expected in clusters" in done.err


def test_numbers_in_clusters_are_compared_by_ranks(tmp_path, mkc, result):
    write_survival(tmp_path)
    done = clustered(mkc, result, "--labels", "clinical.csv:age")
    found = json.loads((tmp_path / "clusters.json").read_text())["labels"]
    assert found["type"] == "numbers" and found["eta2"] > 0.9 and found["kruskal_wallis"]["p"] < 1e-8
    # three separate thirds of the ranks: H = 12 / (60 * 61) * sum(R_g^2 / 20) - 3 * 61
    sums = [sum(range(first, first + 20)) for first in (1, 21, 41)]
    assert found["kruskal_wallis"]["statistic"] == pytest.approx(12 / (60 * 61) * sum(s * s / 20 for s in sums) - 183)
    assert "Kruskal-Wallis test: p = " in done.out and "eta^2" in done.out


def test_one_cluster_has_nothing_to_compare(tmp_path, mkc):
    rng = np.random.default_rng(1)
    for view in ("a", "b"):
        rows = [f"s{i}," + ",".join(f"{x:.5f}" for x in rng.standard_normal(6)) for i in range(N)]
        (tmp_path / f"{view}.csv").write_text("\n".join(["sample," + ",".join(f"{view}{j}" for j in range(6)), *rows]))
    assert mkc("complete", "a.csv", "b.csv", "-m", "mean", "-o", "noise", "-q").code == 0
    write_survival(tmp_path)
    done = clustered(mkc, "noise", "--labels", "clinical.csv:days,died")
    assert "one cluster, nothing to compare" in done.out


def test_descriptions_have_the_hash_of_their_table(tmp_path, mkc, result):
    clustered(mkc, result, output="clusters.tsv.gz")
    assert mkc("embed", result, "-o", "embedding.csv").code == 0
    assert mkc("drivers", result, "rna.csv", "-o", "drivers.tsv").code == 0
    for table in ("clusters.tsv.gz", "embedding.csv", "drivers.tsv"):
        about = json.loads((tmp_path / table).with_name(table.split(".")[0] + ".json").read_text())
        assert about["table_sha256"] == hashlib.sha256((tmp_path / table).read_bytes()).hexdigest(), table


def test_description_of_another_table_is_not_believed(tmp_path, mkc, result):
    """A process that is killed between the two files leaves a new table beside the earlier description."""
    clustered(mkc, result, "-k", "3")
    earlier = (tmp_path / "clusters.json").read_bytes()
    again = [BINARY, "cluster", result, "-o", "clusters.tsv", "--resamples", "10", "-k", "4", "-t", "1", "--force"]
    shutil.copytree(tmp_path, tmp_path / "work")

    def kill_at(number):
        shutil.copytree(tmp_path / "result", tmp_path / "work" / "result", dirs_exist_ok=True)
        for name in ("clusters.tsv", "clusters.json"):
            shutil.copy(tmp_path / name, tmp_path / "work" / name)
        environment = {**os.environ, "ASAN_OPTIONS": "detect_leaks=0", "OPENBLAS_NUM_THREADS": "1"}
        command = list(map(str, [KILL_AT, number, *again]))
        return subprocess.run(command, cwd=tmp_path / "work", capture_output=True, text=True, env=environment)

    done = kill_at(0)
    if done.returncode == NO_PTRACE:
        pytest.skip("this system does not allow ptrace")
    assert done.returncode == 0, done.stderr
    calls = [line.split()[2] for line in done.stderr.splitlines() if line.startswith("call ")]
    second_rename = [number for number, name in enumerate(calls, 1) if name == "rename"][1]
    assert kill_at(second_rename).returncode == SIGKILLED
    assert (tmp_path / "work" / "clusters.json").read_bytes() == earlier
    edited = (tmp_path / "clusters.tsv").read_text().replace("s0\t1\t", "s0\t2\t").replace("s1\t2\t", "s1\t1\t")
    assert edited != (tmp_path / "clusters.tsv").read_text()
    (tmp_path / "clusters.tsv").write_text(edited)  # clusters of the same sizes
    for name in ("work/clusters.tsv", "clusters.tsv"):
        done = mkc("report", "result", "--clusters", name, "-o", "r.html", "--force")
        assert done.code == 0 and f"clusters.json' is about another table than '{name}'" in done.err, done.err
        assert "is about another table" in (tmp_path / "r.html").read_text()
    clustered(mkc, result, "-k", "3", "--force")
    done = mkc("report", "result", "--clusters", "clusters.tsv", "-o", "r.html", "--force")
    assert done.code == 0 and "another table" not in done.err


def test_labels_play_no_part(tmp_path, mkc, result):
    clustered(mkc, result)
    clustered(mkc, result, "--labels", "truth.tsv", "-t", "2", output="beside.tsv")
    assert (tmp_path / "clusters.tsv").read_text() == (tmp_path / "beside.tsv").read_text()


def test_combined_kernel_is_enough(tmp_path, mkc, result):
    for name in ("K.npz", "K.tsv"):
        assert mkc("combine", result, "-o", name).code == 0
        done = clustered(mkc, name, "-k", "3", "--labels", "truth.tsv", "--json", "-f", output="c.csv")
        assert done.json["labels"]["accuracy"] == 1
        assert mkc("embed", name, "-o", "e.csv", "-f").code == 0
    assert (tmp_path / "c.csv").read_text().startswith("sample,cluster,strength,next_cluster,next_strength\n")


def test_one_kernel_of_a_file_is_named_by_its_array(tmp_path, mkc, result):
    done = mkc("embed", "result/kernels.npz:rna", "-o", "axes.tsv")
    assert done.code == 0, done.err
    with np.load(tmp_path / "result/kernels.npz") as arrays:
        np.savez(tmp_path / "rna.npz", K=arrays["rna"], samples=arrays["samples"])
    assert mkc("embed", "rna.npz", "-o", "same.tsv").code == 0
    assert (tmp_path / "axes.tsv").read_bytes() == (tmp_path / "same.tsv").read_bytes()


def test_noise_is_not_cut_into_clusters(tmp_path, mkc):
    X = np.random.default_rng(1).standard_normal((2, N, 20))
    kernels = {f"v{m}": np.exp(-((x[:, None] - x) ** 2).sum(2) / 40) for m, x in enumerate(X)}
    np.savez(tmp_path / "k.npz", samples=[f"s{i}" for i in range(N)], **kernels)
    assert mkc("complete", "k.npz", "-m", "mean", "-o", "noise", "-q").code == 0
    done = clustered(mkc, "noise")
    assert "no clusters found" in done.err
    assert {(row["cluster"], row["strength"]) for row in table(tmp_path / "clusters.tsv")} == {("1", "NA")}
    done = clustered(mkc, "noise", "-k", "4", "-f")
    assert "not clearly more stable" in done.err
    assert len({row["cluster"] for row in table(tmp_path / "clusters.tsv")}) == 4
    one = mkc("drivers", "noise", "k.npz", "--clusters", "clusters.tsv", "-o", "d.tsv")
    expect(one, 3, "no view has features")


def test_axes_of_all_methods(tmp_path, mkc, result):
    for method in ("kernel-pca", "diffusion", "latent"):
        done = mkc("embed", result, "--method", method, "--dimensions", "3", "-o", f"{method}.tsv", "--json")
        assert done.code == 0, done.err
        rows = table(tmp_path / f"{method}.tsv")
        values = np.array([[float(row[f"axis_{a}"]) for a in (1, 2, 3)] for row in rows])
        assert values.shape == (N, 3)
        # two axes tell three groups apart
        means = np.array([values[g::3, :2].mean(axis=0) for g in range(3)])
        nearest = ((values[:, None, :2] - means) ** 2).sum(axis=2).argmin(axis=1)
        assert (nearest == np.arange(N) % 3).mean() > 0.9
        assert done.json["weights"] == sorted(done.json["weights"], reverse=True)


def test_kernel_pca_is_that_of_the_combined_kernel(tmp_path, mkc, result):
    assert mkc("embed", result, "--dimensions", "2", "-o", "e.tsv").code == 0
    assert mkc("combine", result, "-o", "K.npz").code == 0
    K = np.load(tmp_path / "K.npz")["K"]
    H = np.eye(N) - 1 / N
    values, vectors = np.linalg.eigh(H @ K @ H)
    for a in (1, 2):
        found = np.array([float(row[f"axis_{a}"]) for row in table(tmp_path / "e.tsv")])
        expected = vectors[:, -a] * np.sqrt(values[-a])
        assert np.allclose(np.abs(found), np.abs(expected), atol=1e-6)
        assert found[np.abs(found).argmax()] > 0


@pytest.mark.parametrize("source", [("rna.csv", "protein.csv"), ("--model", "model.npz")])
def test_planted_features_drive_axes_and_clusters(tmp_path, mkc, result, source):
    clustered(mkc, result)
    assert mkc("embed", result, "-o", "e.tsv").code == 0
    done = mkc(
        "drivers", result, *source, "--clusters", "clusters.tsv", "--embedding", "e.tsv", "-o", "d.tsv", "--json"
    )
    assert done.code == 0, done.err
    rows = table(tmp_path / "d.tsv")
    for view in ("rna", "protein"):
        best = [row for row in rows if row["target"] == "clusters" and row["view"] == view and int(row["rank"]) <= 10]
        assert {row["feature"] for row in best} == {f"{view}_{j}" for j in range(10)}
        assert all(row["measure"] == "eta2" and 0 <= float(row["association"]) <= 1 for row in best)
    assert {row["target"] for row in rows} == {"axis_1", "axis_2", "clusters", "cluster 1", "cluster 2", "cluster 3"}
    assert {row["samples"] for row in rows if row["view"] == "protein"} == {"50"}
    shares = done.json["view_shares"]
    assert [share["view"] for share in shares] == ["rna", "protein"]
    assert all(0 < share["clusters"] < 1 and 0 < share["all_axes"] < 1 for share in shares)


def test_drivers_without_axes_file_use_principal_components(tmp_path, mkc, result):
    done = mkc("drivers", result, "rna.csv", "--dimensions", "1", "--top", "3", "-o", "d.csv")
    assert done.code == 0, done.err
    rows = table(tmp_path / "d.csv")
    assert [row["rank"] for row in rows] == ["1", "2", "3"]
    assert {row["target"] for row in rows} == {"axis_1"}


def test_bad_input_is_refused(tmp_path, mkc, result):
    out = ("-o", "x.tsv")
    expect(mkc("cluster", result, "-k", "1", *out), 2, "--clusters", "from 2")
    expect(mkc("cluster", result, "-k", "many", *out), 2, "--clusters")
    expect(mkc("cluster", result, "-k", "100", *out), 2, "100 clusters of 60 samples")
    expect(mkc("cluster", result), 2, "output file is missing")
    expect(mkc("cluster", result, "-o", "x.npz"), 2, ".tsv or .csv")
    expect(mkc("cluster", *out), 2, "is missing")
    expect(mkc("cluster", "nowhere", *out), 3, "nowhere")
    expect(mkc("cluster", ".", *out), 3, "meta_info.json")
    expect(mkc("cluster", result, "-o", "result/quality.tsv", "-f"), 2, "file of the result")
    expect(mkc("cluster", result, "--labels", "truth.tsv", "-o", "truth.tsv", "-f"), 2, "is an input")
    expect(mkc("embed", result, "--dimensions", "60", *out), 2, "60 of 60 samples")
    expect(mkc("embed", result, "--method", "tsne", *out), 2, "tsne")
    expect(mkc("embed", "rna.csv", *out), 3, "rna.csv")
    expect(mkc("embed", "result/kernels.npz", *out), 3, "2 kernels")
    refused = mkc("embed", result, "-o", "result/observed.tsv", "--force")
    expect(refused, 2, "is a file of the result", "choose another file name\n")
    expect(mkc("drivers", result, *out), 2, "features are missing")
    expect(mkc("drivers", result, "rna.csv", "--model", "model.npz", *out), 2, "not both")
    expect(mkc("drivers", result, "rna.csv", "--clusters", "truth.tsv", *out), 3, "truth.tsv", "cluster")
    expect(mkc("drivers", result, "rna.csv", "--embedding", "truth.tsv", *out), 3, "not a number")
    (tmp_path / "other.csv").write_text("sample,a,b\nz1,1,2\nz2,3,4\nz3,1,1\n")
    expect(mkc("drivers", result, "other.csv", *out), 3, "none of its samples")
    assert not (tmp_path / "x.tsv").exists() and not (tmp_path / "x.json").exists()
    clustered(mkc, result, output="x.tsv")
    expect(mkc("cluster", result, *out), 2, "x.tsv")


def test_kernels_that_tell_nothing_are_refused(tmp_path, mkc):
    samples = [f"s{i}" for i in range(20)]
    K = np.eye(20)
    K[3] = K[:, 3] = 0
    np.savez(tmp_path / "zero.npz", K=K, samples=samples)
    expect(mkc("embed", "zero.npz", "-o", "x.tsv"), 3, "'s3'")
    K = np.eye(20)
    K[3] = K[:, 3] = np.nan
    np.savez(tmp_path / "nan.npz", K=K, samples=samples)
    expect(mkc("cluster", "nan.npz", "-o", "x.tsv"), 3, "1 of 20 samples", "'s3'")
    np.savez(tmp_path / "flat.npz", K=np.ones((20, 20)), samples=samples)
    expect(mkc("cluster", "flat.npz", "-o", "x.tsv"), 3, "rows of its kernel are equal")


def test_interrupted_result_is_named(tmp_path, mkc, result):
    path = tmp_path / "result" / "meta_info.json"
    meta = json.loads(path.read_text())
    meta["status"] = "interrupted"
    path.write_text(json.dumps(meta))
    done = mkc("embed", result, "-o", "e.tsv")
    assert done.code == 0
    assert "interrupted" in done.err


def test_clusters_of_3sources(tmp_path, mkc, data):
    """416 stories that lack views, cosine kernels of logarithmic tf-idf; the aim without labels is 0.90 / 0.77."""
    scipy_io = pytest.importorskip("scipy.io")
    for view in ("bbc", "guardian", "reuters"):
        X = scipy_io.mmread(data / "3sources" / f"3sources_{view}.mtx").T.toarray().astype(float)
        X = np.where(X > 0, 1 + np.log(np.maximum(X, 1)), 0) * np.log(len(X) / np.maximum((X > 0).sum(axis=0), 1))
        X /= np.linalg.norm(X, axis=1, keepdims=True)
        ids = (data / "3sources" / f"3sources_{view}.docs").read_text().split()
        np.savez(tmp_path / f"{view}.npz", K=X @ X.T, samples=ids)
    views = [f"{view}={view}.npz:K" for view in ("bbc", "guardian", "reuters")]
    assert mkc("complete", *views, "-m", "transfer", "-o", "result", "-q", "--report", "none").code == 0
    labels = ["sample\ttopic"]
    for line in (data / "3sources" / "3sources.disjoint.clist").read_text().splitlines():
        topic, *ids = [cell.strip() for cell in line.split(",")]
        labels += [f"{story}\t{topic}" for story in ids if story]
    (tmp_path / "topics.tsv").write_text("\n".join(labels) + "\n")
    done = mkc("cluster", "result", "-k", "6", "--labels", "topics.tsv", "-o", "c.tsv", "--json")
    assert done.code == 0, done.err
    assert done.json["labels"]["accuracy"] > 0.90 and done.json["labels"]["nmi"] > 0.77
