"""Views and labels from files of R. tests/fixtures/r/make.R wrote the fixtures, with R itself."""

import gzip
import pathlib
import shutil
import struct

import numpy as np
import pytest
from conftest import expect, read_tsv

FIXTURES = pathlib.Path(__file__).resolve().parents[1] / "fixtures/r"
IDS = ["P-1", "P-2", "P-3", "Zoë"]
MATRIX = np.array([0.5, np.nan, -1e-300, 1 / 3, *range(1, 9)]).reshape(3, 4).T
PROTEIN = np.array([[1.5, 0], [2, -1], [3, 4]])


@pytest.fixture
def arrays(mkc, tmp_path):
    """The views that mkc reads from a fixture, as arrays; and the notes."""

    def run(view, *options):
        shutil.copy(FIXTURES / view.split(":")[0].split(",")[0], tmp_path)
        result = mkc("convert", view, "-o", "out.npz", "--force", *options)
        assert result.code == 0, result.err
        return np.load(tmp_path / "out.npz"), result.err

    return run


@pytest.fixture
def refused(mkc, tmp_path):
    def run(view, *parts):
        shutil.copy(FIXTURES / view.split(":")[0], tmp_path)
        expect(mkc("convert", view, "-o", "refused.npz"), 3, view.split(":")[0], *parts)

    return run


@pytest.mark.parametrize("name", ["matrix.rds", "version2.rds", "plain.rds", "one.rda"])
def test_matrix(arrays, tmp_path, mkc, name):
    found, _ = arrays(name)
    view = "rna" if name == "one.rda" else name[:-4]
    np.testing.assert_array_equal(found[view], MATRIX)
    assert list(found["samples"]) == IDS
    assert mkc("convert", name, "-o", "out.tsv").code == 0
    assert read_tsv(tmp_path / "out.tsv")[0] == ["sample", "g1", "g2", "g3"]


def test_genes_in_rows_are_turned(arrays):
    found, _ = arrays("matrix.rds,samples_in=columns")
    np.testing.assert_array_equal(found["matrix"], MATRIX.T)
    assert list(found["samples"]) == ["g1", "g2", "g3"]


def test_matrices_without_names(arrays):
    found, _ = arrays("integers.rds")
    assert found["integers"].tolist() == [[1, 4], [2, 5], [3, 6]] and list(found["samples"]) == ["0", "1", "2"]
    found, _ = arrays("columns.rds")
    np.testing.assert_array_equal(found["columns"], [[1, 3], [np.nan, 4]])
    assert list(found["samples"]) == ["0", "1"]
    found, _ = arrays("columns.rds,samples_in=columns")
    assert list(found["samples"]) == ["a", "b"]


def test_words_and_dates_of_a_data_frame(mkc, tmp_path):
    shutil.copy(FIXTURES / "clinical.rds", tmp_path)
    result = mkc("convert", "clinical.rds", "-o", "out.tsv")
    assert result.code == 0, result.err
    assert "type (2 words)" in result.err and "word ('x')" in result.err and "born" in result.err
    assert read_tsv(tmp_path / "out.tsv") == [
        ["sample", "type", "age", "born", "ok", "seen"],
        ["P-1", "b", "30", "0", "1", "0"],
        ["P-2", "a", "41.5", "11567", "0", "1"],
        ["P-3", "NA", "NA", "NA", "NA", "0.041666666666666664"],
        ["Zoë", "b", "7", "-1", "1", "NA"],
    ]


def test_data_frames(arrays, refused):
    found, _ = arrays("frame.rds")
    np.testing.assert_array_equal(found["frame"], [[1.5, 3, 1], [np.nan, 4, 0]])
    assert list(found["samples"]) == ["P-1", "P-2"]
    found, notes = arrays("ids_in_column.rds")
    assert list(found["samples"]) == ["P-1", "P-2"] and "column 'id' is taken for the ids" in notes
    assert found["ids_in_column"].tolist() == [[0.1], [2]]
    found, _ = arrays("no_names.rds")
    assert list(found["samples"]) == ["0", "1", "2"]


def test_compact_forms(arrays):
    found, _ = arrays("compact.rds")
    assert found["compact"].tolist() == [[i, 6 - i] for i in range(1, 6)]
    assert list(found["samples"]) == ["6", "7", "8", "9", "10"]


def test_names_in_latin1(arrays):
    assert list(arrays("latin1.rds")[0]["samples"]) == ["P-1", "Zoë"]


def test_list_of_tables(arrays, refused):
    found, notes = arrays("list.rds")
    np.testing.assert_array_equal(found["rna"], MATRIX)
    np.testing.assert_array_equal(found["protein"], PROTEIN)
    assert list(found["samples_protein"]) == IDS[1:]
    assert "not taken for views in list.rds: note (1 texts), clinical (a data frame with words)" in notes
    assert list(arrays("list.rds:protein")[0]["samples"]) == IDS[1:]
    refused("list.rds:protien", "there is no object 'protien' (did you mean 'protein'?)")
    refused("list.rds:note", "list.rds:note: 1 texts, not a table")


def test_workspace_with_functions_and_environments(arrays, refused):
    found, notes = arrays("workspace.RData")
    np.testing.assert_array_equal(found["rna"], MATRIX)
    np.testing.assert_array_equal(found["protein"], PROTEIN)
    assert "twice (a function)" in notes and "place (an environment)" in notes
    for name in ("protein", "views$protein"):
        np.testing.assert_array_equal(arrays(f"workspace.RData:{name}")[0]["protein"], PROTEIN)


@pytest.mark.parametrize("kind", ["dgC", "dgT", "dgR", "ngC"])
def test_sparse_matrices(arrays, kind):
    counts = np.array([0, 2, 0, 1, 0, 0, 0, 0, 3, 0, 5, 0.0]).reshape(4, 3)
    found, _ = arrays(f"sparse.rds:{kind}")
    assert found[kind].tolist() == (counts != 0 if kind == "ngC" else counts).tolist()
    assert list(found["samples"]) == IDS


def test_symmetric_sparse_matrix(arrays):
    found, _ = arrays("sparse.rds:dsC")
    np.testing.assert_allclose(found["dsC"], 2 * np.eye(3) + np.outer([1, 2, 3], [1, 2, 3]) / 10, rtol=1e-15)


@pytest.mark.parametrize(
    ("name", "what"),
    [
        ("xz.rds", "compressed with xz"),
        ("bzip2.rds", "compressed with bzip2"),
        ("ascii.rds", "saved as text"),
        ("native.rds", "byte order of a machine"),
        ("dist.rds", "distances (dist), not a table or kernel"),
        ("function.rds", "a function, not a table"),
        ("words.rds", "4 texts, not a table"),
        ("factor.rds", "an object of class 'factor', not a table"),
        ("integer64.rds", "an object of class 'integer64'"),
    ],
)
def test_what_is_not_read(refused, name, what):
    refused(name, what)


@pytest.fixture
def weights(mkc, tmp_path):
    """What `combine` makes of labels of the four samples."""
    random = np.random.default_rng(0)
    kernels = {name: (lambda x: x @ x.T + np.eye(4))(random.normal(size=(4, 3))) for name in ("a", "b")}
    kernels["a"][3], kernels["a"][:, 3] = np.nan, np.nan
    np.savez(tmp_path / "k.npz", samples=np.array(IDS), **kernels)
    assert mkc("complete", "k.npz", "-m", "mean", "-o", "result").code == 0

    def run(labels):
        name = labels.split(":")[0]
        if not (tmp_path / name).exists():
            shutil.copy(FIXTURES / name, tmp_path)
        return mkc(
            "combine", "result", "--weights", "alignment", "--labels", labels, "-o", "K.npz", "--force", "--json"
        )

    return run


@pytest.mark.parametrize(
    ("source", "words"),
    [
        ("clinical.rds:type", ["b", "a", "", "b"]),
        ("clinical.rds:word", ["x", "y", "z", ""]),
        ("clinical.rds:ok", ["TRUE", "FALSE", "", "TRUE"]),
        ("clinical.rds:born", ["1970-01-01", "2001-09-02", "", "1969-12-31"]),
        ("clinical.rds:seen", ["1970-01-01", "1970-01-02", "1970-01-01T01:00:00", ""]),
        ("factor.rds", ["u", "v", "u", "v"]),
        ("list.rds:clinical$type", ["b", "a", "", "b"]),
        ("workspace.RData:clin$type", ["b", "a", "", "b"]),
    ],
)
def test_labels(weights, tmp_path, source, words):
    lines = [f"{name},{word}" for name, word in zip(IDS, words)]
    (tmp_path / "y.csv").write_text("\n".join(["id,class", *lines]) + "\n")
    found, expected = weights(source), weights("y.csv")
    assert found.code == 0 and expected.code == 0, found.err + expected.err
    assert found.json["weights"] == expected.json["weights"]


def test_labels_that_cannot_be_matched(weights):
    expect(weights("words.rds"), 3, "words.rds: the labels have no sample ids")
    expect(weights("list.rds"), 3, "list.rds: labels may be in any of note, clinical", "OBJECT$COLUMN")
    expect(weights("clinical.rds:typ"), 3, "has no column 'typ' (did you mean 'type'?)")
    expect(weights("function.rds"), 3, "function.rds: no labels found")


def content(*parts):
    """The start of a file of saveRDS(), and items."""
    return b"X\n" + struct.pack(">3i", 2, 0x40202, 0x20300) + b"".join(parts)


def integers(*values):
    return struct.pack(f">{len(values)}i", *values)


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "cut off"),
        (b"PK\3\4", "not a file of R's"),
        (b"X\n" + struct.pack(">3i", 9, 0, 0), "version 9 of R's format"),
        (content(integers(14, 1 << 30)), "claims 1073741824 numbers"),
        (content(integers(14, -1, 1 << 30, 0)), "more than the file can hold"),
        (content(integers(14, -7)), "a vector of length -7"),
        (content(integers(16, 3, 9, -5)), "a text of length -5"),
        (content(integers(16, 3, 9, 1 << 30)), "cut off"),
        (content(integers(19, 1 << 30)), "cut off"),
        (content(integers(77)), "an item of type 77"),
        (content(integers(0xFF | (5 << 8))), "reference 5 of 0"),
        (content(integers(19, 1) * 600), "more than 500 lists inside lists"),
        (content(integers(2) * 600), "more than 500 lists inside lists"),
        # a matrix whose size is not that of its values
        (
            content(
                integers(14 | 0x200, 1) + struct.pack(">d", 1.0),
                integers(2 | 0x400, 1, 9, 3) + b"dim" + integers(13, 2, 2, 2, 254),
            ),
            "1 values in a matrix of 2 x 2",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_damaged_files(tmp_path, mkc, data, what):
    (tmp_path / "x.rds").write_bytes(data)
    expect(mkc("convert", "x.rds", "-o", "out.npz"), 3, "x.rds", what)
    (tmp_path / "x.rds").write_bytes(gzip.compress(data))
    result = mkc("convert", "x.rds", "-o", "out.npz")
    assert result.code == 3 and "x.rds" in result.err


def test_cut_off_gzip(tmp_path, mkc):
    data = (FIXTURES / "matrix.rds").read_bytes()
    for size in (20, len(data) // 2, len(data) - 12):
        (tmp_path / "x.rds").write_bytes(data[:size])
        assert mkc("convert", "x.rds", "-o", "out.npz").code == 3
