"""Wrong input: one message with the place and a hint, and an exit code."""

import gzip
import io
import os

import numpy as np
import pytest
from conftest import expect, psd, write_kernel, write_table

IDS = ["s0", "s1", "s2", "s3"]


def features(path, ids=IDS, names=("f0", "f1", "f2"), **cells):
    values = np.random.default_rng(1).normal(size=(len(ids), 3))
    for where, value in cells.items():
        values[int(where[1]), int(where[3])] = value
    write_table(path, ids, names, values)


@pytest.fixture
def good(tmp_path):
    features(tmp_path / "good.csv", names=("g0", "g1", "g2"))
    return "good.csv"


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
    expect(mkc("complete", good, "good=good.csv", "-o", "o"), 3, "two views are named 'good'", "NAME=PATH")


def test_infinity_in_features(mkc, good, tmp_path):
    features(tmp_path / "i.csv", r1c2=np.inf)
    expect(mkc("complete", good, "i.csv", "-o", "o"), 3, "i.csv", "'s1'", "'f2'", "infinite")


@pytest.mark.parametrize(
    "entries, value, parts",
    [
        ([(1, 2), (2, 1)], np.inf, ["'s1'", "'s2'", "infinite"]),
        ([(1, 2), (2, 1)], np.nan, ["'s1'", "partly missing", "whole row and column"]),
        ([(0, 3)], 9, ["not symmetric", "'s0'", "'s3'"]),
        ([(2, 2)], -1, ["'s2'", "negative diagonal"]),
    ],
)
def test_wrong_kernel_entries(mkc, good, tmp_path, entries, value, parts):
    k = psd()
    for entry in entries:
        k[entry] = value
    write_kernel(tmp_path / "k.csv", IDS, k)
    expect(mkc("complete", good, "k.csv,kind=kernel", "-o", "o"), 3, "k.csv", *parts)


def test_single_missing_cells(mkc, good, tmp_path):
    features(tmp_path / "n.csv", r1c2=np.nan)
    expect(mkc("complete", good, "n.csv", "-o", "o"), 3, "n.csv", "'s1'", "'f2'", "--na-features")
    assert mkc("complete", good, "n.csv", "-o", "mean", "--na-features", "mean").code == 0
    assert mkc("complete", good, "n.csv", "-o", "drop", "--na-features", "drop").code == 0


def test_zero_diagonal_where_normalisation_needs_it(mkc, good, tmp_path):
    k = psd()
    k[2, :] = k[:, 2] = 0
    write_kernel(tmp_path / "k.csv", IDS, k)
    features(tmp_path / "more.csv", ["s0", "s1", "s2", "s3", "s4"])
    values = ["more.csv", "k.csv", "--zero-rows", "values"]
    assert mkc("complete", *values, "-o", "fine").code == 0
    expect(mkc("complete", *values, "-o", "o", "--normalize", "unit"), 3, "'k'", "'s2'", "zero diagonal")
    result = mkc("complete", "more.csv", "k.csv", "-o", "missing", "--normalize", "unit")
    assert result.code == 0 and "1 of 4 rows and columns are zero throughout, taken as missing" in result.err


def test_not_positive_semidefinite(mkc, good, tmp_path):
    write_kernel(tmp_path / "k.csv", IDS, np.eye(4) + np.fliplr(np.eye(4)) * 2)
    expect(
        mkc("complete", good, "k.csv", "-o", "o"),
        3,
        "k.csv",
        "not positive semi-definite",
        "smallest eigenvalue -1",
        "--psd clip",
    )
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


@pytest.mark.parametrize(
    "arguments, parts",
    [
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
        (["complete", "good.csv", "-o", "o", "--seed", "-1"], ["--seed", "'-1'", "whole number from 0"]),
        (["complete", "good.csv", "-o", "o", "--seed", "1.5"], ["--seed", "'1.5'", "whole number"]),
        (["complete", "good.csv", "-o", "o", "--seed", "9" * 30], ["--seed", "whole number"]),
        (["complete", "good.csv", "-o", "o", "-t", "-1"], ["-1"]),
        (["complete", "good.csv", "-o", "o", "-t", "1.5"], ["--threads", "'1.5'", "whole number from 0"]),
        (["complete", "good.csv", "-o", "o", "-o", "p"], ["--output is given more than once"]),
        (["complete", "good.csv", "-o"], ["--output needs a value"]),
        (["complete", "nix.csv", "-o", "o", "--memory", "lots"], ["--memory", "'lots'", "8G"]),
        (["inspect", "good.csv,gamma=-1"], ["'gamma'", "'-1'"]),
        (["inspect", "good.csv,kernel=chi3"], ["'chi3'", "did you mean 'chi2'?"]),
        (["complete", "good.csv,kernel", "-o", "o"], ["expected option=value", "'kernel'"]),
        (["complete", "good.csv", "-o", "o", "-m", "knn,k=3,k=4"], ["'k' is given twice"]),
        (["complette", "good.csv"], ["'complette'", "did you mean 'complete'?"]),
        (["kernel", "good.csv", "-o", "k.txt"], [".npz"]),
        (["methods", "kmn"], ["'kmn'", "did you mean 'knn'?"]),
    ],
)
def test_usage_errors(mkc, good, arguments, parts):
    expect(mkc(*arguments), 2, *parts)


def npy(array):
    buffer = io.BytesIO()
    np.save(buffer, array, allow_pickle=True)
    return buffer.getvalue()


def npy_header(shape, descr="<f8"):
    text = f"{{'descr': '{descr}', 'fortran_order': False, 'shape': {shape}, }}"
    text = text.ljust(117) + "\n"
    return b"\x93NUMPY\x01\x00" + len(text).to_bytes(2, "little") + text.encode()


MTX = b"%%MatrixMarket matrix coordinate real general\n"
TABLE = "sample,f0,f1\ns0,1,2\ns1,3,4\ns2,5,6\ns3,7,8\n"

# file name, its bytes, parts of the message
FILES = {
    "cut-off gzip": ("t.csv.gz", gzip.compress(TABLE.encode() * 50)[:-20], ["cut off"]),
    "damaged gzip": ("t.csv.gz", gzip.compress(TABLE.encode() * 50)[:40] + b"x" * 200, ["t.csv.gz"]),
    "binary data": ("t.csv", bytes(range(256)) * 4, ["not a text file", "byte 1 is zero"]),
    "binary data without zeros": ("t.csv", bytes(range(128, 256)) * 3, ["t.csv"]),
    "UTF-16": ("t.csv", TABLE.encode("utf-16"), ["not a text file", "hint: save the table as UTF-8"]),
    "ids in Latin-1": ("t.csv", "id,f\nJos\u00e9,1\n".encode("latin-1"), ["line 2", "not UTF-8", "iconv"]),
    "mixed delimiters": ("t.csv", b"sample,f0,f1\ns0,1,2\ns1;3;4\n", ["line 3", "'s1;3;4'", "header has 2"]),
    "decimal commas": ("t.csv", b"sample;f0\ns0;1,5\ns1;2,5\n", ["line 2", "'1,5'", "0.5, not 0,5"]),
    "no header": ("t.csv", b"s0,1.5,2\ns1,3,4\n", ["line 1", "header"]),
    "only a header": ("t.csv", b"sample,f0,f1\n", ["no rows follow"]),
    "only comments": ("t.csv", b"# nothing\n\n", ["the file is empty"]),
    "carriage returns as line ends": ("t.csv", b"sample,f0\rs0,1\rs1,2\r", ["no rows follow", "carriage return"]),
    "a web page": ("t.csv", b"<!DOCTYPE html>\n<html>404</html>\n", ["a web page, not a table", "download"]),
    "a spreadsheet": ("t.csv", b"PK\x03\x04" + bytes(range(14, 90)), ["spreadsheet, not a table"]),
    "TRUE in a cell": ("t.csv", b"sample,f0\ns0,TRUE\n", ["line 2", "'TRUE'", "write 1 for true"]),
    "percent sign in a cell": ("t.csv", b"sample,f0\ns0,10%\n", ["'10%'", "without the percent sign"]),
    "spreadsheet error in a cell": ("t.csv", b"sample,f0\ns0,#N/A\n", ["'#N/A'", "--na-values"]),
    "a column of row numbers": ("t.csv", b",sample,f0\n0,s0,1\n", ["column 'sample'", "'s0'", "categories=sample"]),
    "empty NPY shape": ("t.npy", npy(np.array(3.0)), ["shape ()", "matrix of numbers"]),
    "NPY of half precision": ("t.npy", npy(np.eye(3, dtype="f2")), ["'<f2'", "float64"]),
    "NPY with fields": ("t.npy", npy(np.zeros(3, dtype=[("a", "f8")])), ["structured"]),
    "NPY with trailing bytes": ("t.npy", npy(np.eye(3)) + b"xxxx", ["76 bytes", "needs 72"]),
    "NPY of another version": ("t.npy", b"\x93NUMPY\x09\x00\x00\x00", ["version 9"]),
    "MTX without a banner": ("t.mtx", b"2 2 1\n1 1 1\n", ["line 1", "%%MatrixMarket"]),
    "MTX of complex numbers": ("t.mtx", MTX.replace(b"real", b"complex") + b"2 2 1\n1 1 1 0\n", ["'complex'"]),
    "MTX that counts from 0": ("t.mtx", MTX + b"2 2 1\n0 1 1\n", ["line 3", "'0'", "from 1"]),
    "MTX index out of range": ("t.mtx", MTX + b"2 2 1\n3 1 1\n", ["line 3", "'3'", "from 1 to 2"]),
    "MTX with too few entries": ("t.mtx", MTX + b"2 2 3\n1 1 1\n", ["cut off", "entry 2 of 3"]),
    "MTX with too many entries": ("t.mtx", MTX + b"2 2 1\n1 1 1\n2 2 1\n", ["line 4", "more follows"]),
    "MTX of a billion rows": ("t.mtx", MTX + b"1000000000 1000000000 1\n1 1 1\n", ["with 1 entries only"]),
    "MTX of a negative size": ("t.mtx", MTX + b"-2 2 1\n1 1 1\n", ["line 2", "'-2'"]),
    "MATLAB 4": ("t.mat", bytes(150), ["not a MATLAB file of version 5"]),
    "HDF5 named MAT": ("t.mat", b"\x89HDF\r\n\x1a\n" + bytes(200), ["an HDF5 file", ".h5"]),
    "one column": ("t.csv", b"sample\ns0\ns1\n", ["one column only"]),
    "empty id": ("t.csv", b"sample,f0\ns0,1\n,2\n", ["line 3", "id is empty"]),
    "column without name": ("t.csv", b"sample,f0,\ns0,1,2\n", ["column 2 of 2 has no name"]),
    "open quote": ("t.csv", b'sample,f0\n"s0,1\n', ["line 2", "quotes do not match"]),
    "unit in a cell": ("t.csv", b"sample,f0\ns0,3mm\n", ["line 2", "'f0'", "'3mm'"]),
    "all NaN": ("t.csv", b"sample,f0\ns0,NA\ns1,\n", ["no sample has a value"]),
    "cut-off NPY": ("t.npy", npy(np.eye(4))[:-8], ["t.npy"]),
    "NPY of a billion rows": ("t.npy", npy_header((10**9, 10**9)) + bytes(64), ["t.npy"]),
    "NPY without columns": ("t.npy", npy(np.zeros((10, 0))), ["no values"]),
    "NPY of objects": ("t.npy", npy(np.array([["a", 1]], dtype=object)), ["t.npy", "object"]),
    "NPY of complex numbers": ("t.npy", npy(np.eye(3) * 1j), ["t.npy", "c16"]),
    "NPY of three dimensions": ("t.npy", npy(np.zeros((2, 3, 4))), ["t.npy", "(2, 3, 4)"]),
    "text named NPY": ("t.npy", TABLE.encode(), ["t.npy"]),
    "text named NPZ": ("t.npz", TABLE.encode(), ["t.npz"]),
    "a table of text": ("t.tsv", b"sample\tsex\ns0\tmale\n", ["line 2", "'sex'", "'male'"]),
}


@pytest.mark.parametrize("case", FILES)
def test_files_that_cannot_be_read(mkc, good, tmp_path, case):
    name, content, parts = FILES[case]
    (tmp_path / name).write_bytes(content)
    for command in (["complete", "-o", "o"], ["inspect"]):
        expect(mkc(*command, good, name), 3, name, *parts)
    assert not (tmp_path / "o").exists()


def test_cut_off_npz(mkc, good, tmp_path):
    np.savez(tmp_path / "whole.npz", x=psd())
    (tmp_path / "t.npz").write_bytes((tmp_path / "whole.npz").read_bytes()[:-30])
    expect(mkc("complete", good, "t.npz", "-o", "o"), 3, "t.npz")


def test_paths_that_are_not_files(mkc, good, tmp_path):
    (tmp_path / "folder.csv").mkdir()
    expect(mkc("complete", good, "folder.csv", "-o", "o"), 3, "folder.csv", "is a folder")
    os.symlink("loop.csv", tmp_path / "loop.csv")
    expect(mkc("complete", good, "loop.csv", "-o", "o"), 3, "loop.csv")
    os.symlink("nowhere.csv", tmp_path / "dangling.csv")
    expect(mkc("complete", good, "dangling.csv", "-o", "o"), 3, "dangling.csv")
    for option in ("--mask", "--sample-map"):
        expect(mkc("complete", good, option, "nix.csv", "-o", "o"), 3, "nix.csv")


def test_wrong_samples_in_is_refused(mkc, good, tmp_path):
    """samples_in=columns for a table with samples in rows: no sample is in common."""
    features(tmp_path / "t.csv")
    expect(mkc("complete", good, "t.csv,samples_in=columns", "-o", "o"), 3, "no sample in common", "'f0'", "'s0'")


def test_several_partly_missing_rows(mkc, good, tmp_path):
    k = psd()
    k[:2, 2:] = k[2:, :2] = np.nan
    write_kernel(tmp_path / "k.csv", IDS, k)
    expect(mkc("complete", good, "k.csv,kind=kernel", "-o", "o"), 3, "k.csv", "partly missing", "2 of 4 entries")
    features(tmp_path / "n.csv", r1c1=np.nan, r2c2=np.nan, r3c0=np.nan)
    expect(mkc("complete", good, "n.csv", "-o", "o", "--na-features", "drop"), 3, "n.csv")


@pytest.mark.parametrize("scale, word", [(1e-310, "small"), (1e-200, "small"), (1e200, "large")])
@pytest.mark.parametrize("method", ["latent", "auto", "knn"])
def test_kernel_beyond_the_range_of_numbers(mkc, tmp_path, scale, word, method):
    kernel = psd(14)
    kernel[12:], kernel[:, 12:] = np.nan, np.nan
    np.savez(tmp_path / "k.npz", a=psd(14, 1), b=scale * kernel)
    result = mkc("complete", "k.npz", "-m", method, "-o", "o")
    expect(result, 3, "view 'b'", f"too {word} to compute with", "divide the kernel")
