"""Every kind of wrong input: one clear message with the place, a hint, and its exit code."""
import numpy as np
import pytest

from conftest import write_kernel, write_table

IDS = ["s0", "s1", "s2", "s3"]


def psd(n=4, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, n + 2))
    k = x @ x.T
    return (k + k.T) / 2


def features(path, ids=IDS, **cells):
    values = np.random.default_rng(1).normal(size=(len(ids), 3))
    for where, value in cells.items():
        values[int(where[1]), int(where[3])] = value
    write_table(path, ids, ["f0", "f1", "f2"], values)


@pytest.fixture
def good(tmp_path):
    features(tmp_path / "good.csv")
    return "good.csv"


def expect(result, code, *parts):
    assert result.code == code, result.err
    assert result.err.count("error:") == 1, result.err
    for part in parts:
        assert part in result.err, result.err


def test_kernel_not_square(mkc, good, tmp_path):
    write_table(tmp_path / "k.csv", IDS, IDS[:3], psd()[:, :3])
    expect(mkc("complete", good, "k.csv,kind=kernel", "-o", "o"), 3, "k.csv", "4", "3", "square")


def test_kernel_ids_do_not_match(mkc, good, tmp_path):
    write_table(tmp_path / "k.csv", IDS, ["s0", "s1", "s2", "zz"], psd())
    expect(mkc("complete", good, "k.csv,kind=kernel", "-o", "o"), 3, "k.csv", "'s3'", "not among the columns")


def test_sample_ids_of_the_wrong_length(mkc, good, tmp_path):
    np.savez(tmp_path / "k.npz", x=psd(), samples=np.array(IDS[:3]))
    expect(mkc("complete", good, "k.npz", "-o", "o"), 3, "k.npz", "3", "4")


def test_duplicate_ids(mkc, good, tmp_path):
    features(tmp_path / "d.csv", ["s0", "s1", "s0", "s3"])
    expect(mkc("complete", good, "d.csv", "-o", "o"), 3, "d.csv", "'s0'", "2", "4")


def test_duplicate_view_names(mkc, good, tmp_path):
    expect(mkc("complete", good, "good=good.csv", "-o", "o"), 3, "two views are named 'good'",
           "NAME=PATH")


def test_infinity_in_features(mkc, good, tmp_path):
    features(tmp_path / "i.csv", r1c2=np.inf)
    expect(mkc("complete", good, "i.csv", "-o", "o"), 3, "i.csv", "'s1'", "'f2'", "infinite")


def test_infinity_in_a_kernel(mkc, good, tmp_path):
    k = psd()
    k[1, 2] = k[2, 1] = np.inf
    write_kernel(tmp_path / "k.csv", IDS, k)
    expect(mkc("complete", good, "k.csv", "-o", "o"), 3, "k.csv", "'s1'", "'s2'", "infinite")


def test_partly_missing_kernel_row(mkc, good, tmp_path):
    k = psd()
    k[1, 2] = k[2, 1] = np.nan
    write_kernel(tmp_path / "k.csv", IDS, k)
    expect(mkc("complete", good, "k.csv,kind=kernel", "-o", "o"), 3, "k.csv", "'s1'",
           "partly missing", "whole row and column")


def test_single_missing_cells(mkc, good, tmp_path):
    features(tmp_path / "n.csv", r1c2=np.nan)
    expect(mkc("complete", good, "n.csv", "-o", "o"), 3, "n.csv", "'s1'", "'f2'", "--na-features")
    assert mkc("complete", good, "n.csv", "-o", "mean", "--na-features", "mean").code == 0
    assert mkc("complete", good, "n.csv", "-o", "drop", "--na-features", "drop").code == 0


def test_asymmetric_kernel(mkc, good, tmp_path):
    k = psd()
    k[0, 3] += 1
    write_kernel(tmp_path / "k.csv", IDS, k)
    expect(mkc("complete", good, "k.csv,kind=kernel", "-o", "o"), 3, "k.csv", "not symmetric",
           "'s0'", "'s3'")


def test_negative_diagonal(mkc, good, tmp_path):
    k = psd()
    k[2, 2] = -1
    write_kernel(tmp_path / "k.csv", IDS, k)
    expect(mkc("complete", good, "k.csv", "-o", "o"), 3, "k.csv", "'s2'", "negative diagonal")


def test_zero_diagonal_where_normalisation_needs_it(mkc, good, tmp_path):
    k = psd()
    k[2, :] = k[:, 2] = 0
    write_kernel(tmp_path / "k.csv", IDS, k)
    features(tmp_path / "more.csv", ["s0", "s1", "s2", "s3", "s4"])
    assert mkc("complete", "more.csv", "k.csv", "-o", "fine").code == 0
    expect(mkc("complete", "more.csv", "k.csv", "-o", "o", "--normalize", "unit"), 3, "'k'",
           "'s2'", "zero diagonal")


def test_not_positive_semidefinite(mkc, good, tmp_path):
    write_kernel(tmp_path / "k.csv", IDS, np.eye(4) + np.fliplr(np.eye(4)) * 2)
    expect(mkc("complete", good, "k.csv", "-o", "o"), 3, "k.csv", "not positive semi-definite",
           "smallest eigenvalue -1", "--psd clip")
    clipped = mkc("complete", good, "k.csv", "-o", "clip", "--psd", "clip")
    assert clipped.code == 0 and "clipped" in clipped.err
    kernel = np.load(tmp_path / "clip" / "kernels.npz")["k"]
    assert np.linalg.eigvalsh(kernel)[0] > -1e-10
    assert mkc("complete", good, "k.csv", "-o", "ignore", "--psd", "ignore").code == 0


def test_sample_without_any_view(mkc, tmp_path):
    k = psd()
    k[1, :] = k[:, 1] = np.nan
    np.savez(tmp_path / "k.npz", x=k, y=k, samples=np.array(IDS))
    expect(mkc("complete", "k.npz", "-o", "o"), 3, "not observed in any view", "'s1'")


def test_view_with_one_sample(mkc, good, tmp_path):
    features(tmp_path / "one.csv", ["s0"])
    expect(mkc("complete", good, "one.csv", "-o", "o"), 3, "one.csv", "only 1 sample")


def test_one_view_alone_with_rows_missing(mkc, tmp_path):
    k = psd()
    k[1, :] = k[:, 1] = np.nan
    np.savez(tmp_path / "k.npz", x=k)
    expect(mkc("complete", "k.npz", "-o", "o"), 3, "only view", "lacks 1 of 4", "second view")


@pytest.mark.parametrize("name", ["empty.csv", "empty.npy", "empty.npz", "empty.tsv.gz"])
def test_empty_file(mkc, good, tmp_path, name):
    (tmp_path / name).write_bytes(b"")
    expect(mkc("complete", good, name, "-o", "o"), 3, name)


def test_not_a_number(mkc, good, tmp_path):
    (tmp_path / "w.csv").write_text("sample,f0,f1\ns0,1,2\ns1,1,abc\n")
    expect(mkc("complete", good, "w.csv", "-o", "o"), 3, "w.csv", "line 3", "'f1'", "'abc'")


def test_wrong_number_of_cells(mkc, good, tmp_path):
    (tmp_path / "w.csv").write_text("sample,f0,f1\ns0,1,2\ns1,1\n")
    expect(mkc("complete", good, "w.csv", "-o", "o"), 3, "w.csv", "line 3", "'s1'")


def test_missing_file_gets_a_suggestion(mkc, good):
    expect(mkc("complete", good, "goood.csv", "-o", "o"), 3, "goood.csv", "did you mean 'good.csv'?")


def test_unknown_extension(mkc, good, tmp_path):
    (tmp_path / "x.docx").write_text("x")
    expect(mkc("complete", good, "x.docx", "-o", "o"), 3, "x.docx", ".csv")


def test_unknown_array(mkc, kernels):
    expect(mkc("complete", "kernels.npz:xx", "-o", "o"), 3, "'xx'", "x")


def test_mask_errors(mkc, kernels, tmp_path):
    rows = "".join(f"s{i},1,1\n" for i in range(6))
    (tmp_path / "m.csv").write_text("sample,x,z\n" + rows)
    expect(mkc("complete", "kernels.npz", "--mask", "m.csv", "-o", "o"), 3, "'z'", "no such view")
    (tmp_path / "m.csv").write_text("sample,x,y\n" + rows.replace("s3,1,1", "s3,2,1"))
    expect(mkc("complete", "kernels.npz", "--mask", "m.csv", "-o", "o"), 3, "m.csv", "line 5", "'x'")
    (tmp_path / "m.csv").write_text("sample,x,y\n" + rows.replace("s3,", "s33,"))
    expect(mkc("complete", "kernels.npz", "--mask", "m.csv", "-o", "o"), 3, "'s33'")


@pytest.mark.parametrize("arguments, parts", [
    (["complete", "good.csv", "-o", "o", "--methd", "knn"], ["--methd", "did you mean '--method'?"]),
    (["complete", "good.csv", "-o", "o", "-m", "wkn"], ["'wkn'", "did you mean"]),
    (["complete", "good.csv", "-o", "o", "-m", "knn,kk=3"], ["'kk'", "did you mean 'k'?"]),
    (["complete", "good.csv", "-o", "o", "-m", "knn,k=0"], ["'k'", ">= 1"]),
    (["complete", "good.csv", "-o", "o", "--psd", "clp"], ["'clp'", "did you mean 'clip'?"]),
    (["complete", "good.csv,gama=1", "-o", "o"], ["'gama'", "did you mean 'gamma'?"]),
    (["complete", "good.csv,kernel=rbff", "-o", "o"], ["'rbff'", "did you mean 'rbf'?"]),
    (["complete", "good.csv,kind=kernl", "-o", "o"], ["'kernl'", "did you mean 'kernel'?"]),
    (["complete", "good.csv"], ["-o DIR"]),
    (["complete", "-o", "o"], ["VIEW"]),
    (["complete", "good.csv", "-o", "o", "--seed", "abc"], ["--seed"]),
    (["complete", "good.csv", "-o", "o", "-t", "-1"], ["-1"]),
    (["complette", "good.csv"], ["'complette'", "did you mean 'complete'?"]),
    (["kernel", "good.csv", "-o", "k.txt"], [".npz"]),
    (["methods", "kmn"], ["'kmn'", "did you mean 'knn'?"]),
])
def test_usage_errors(mkc, good, arguments, parts):
    expect(mkc(*arguments), 2, *parts)
