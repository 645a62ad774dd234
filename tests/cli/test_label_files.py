"""Labels from workbooks, MATLAB files and obs of AnnData and MuData are those of a table."""

import h5py
import numpy as np
import pytest
import scipy.io
from conftest import expect, write_table
from xlsx_files import date, write_xlsx

IDS = [f"s{i}" for i in range(20)]
CLASSES = ["ab"[i % 2] if i != 5 else "" for i in range(20)]


@pytest.fixture
def weights(mkc, views):
    """What `combine` makes of labels, which depends on every one of them; and the notes."""
    assert mkc("complete", *views, "-m", "mean", "-o", "result").code == 0

    def run(labels, folder="result"):
        options = ["--weights", "alignment", "--labels", labels, "-o", "K.npz", "--force", "--json"]
        result = mkc("combine", folder, *options)
        assert result.code == 0, result.err
        return result.json["weights"], result.err

    return run


@pytest.fixture
def of_words(tmp_path, weights):
    """The same from a CSV table of these words."""

    def run(words, ids=IDS, folder="result"):
        lines = [f"{name},{label}" for name, label in zip(ids, words)]
        (tmp_path / "words.csv").write_text("\n".join(["id,class", *lines]) + "\n")
        return weights("words.csv", folder)[0]

    return run


@pytest.fixture
def expected(of_words):
    return of_words(CLASSES)


BITS = [str(i % 2) for i in range(20)]


def cells(words):
    array = np.empty((len(words), 1), object)
    array[:, 0] = words
    return array


def strings(group, name, words):
    group.create_dataset(name, data=np.array(words, dtype=h5py.string_dtype()))


def write_obs(group, ids, columns, index="_index"):
    """obs as anndata writes it; a column is a list of words, or (codes, categories)."""
    obs = group.create_group("obs")
    obs.attrs["_index"] = index
    obs.attrs["column-order"] = np.array(list(columns), dtype=h5py.string_dtype())
    strings(obs, index, ids)
    for name, values in columns.items():
        if not isinstance(values, tuple):
            if isinstance(values, np.ndarray):
                obs[name] = values
            else:
                strings(obs, name, values)
            continue
        column = obs.create_group(name)
        column.attrs["encoding-type"] = "categorical"
        column["codes"] = np.array(values[0], "i1")
        strings(column, "categories", values[1])
    return obs


def test_workbook(tmp_path, mkc, weights, expected):
    rows = [["patient", "born", "type"]] + [[i, date(30000), c or None] for i, c in zip(IDS, CLASSES)]
    write_xlsx(tmp_path / "y.xlsx", {"clinical": rows, "other": [["id", "x:y"], ["s0", "q"]]})
    found, notes = weights("y.xlsx:type")
    assert found == expected and "the first of 2 sheets, 'clinical', is read" in notes
    write_xlsx(tmp_path / "y.xlsx", {"other": [["id", "x"], ["s0", "q"]], "clinical": rows})
    found, notes = weights("y.xlsx:clinical:type")
    assert found == expected and "sheets" not in notes
    run = ["combine", "result", "--weights", "alignment", "-o", "no.npz", "--labels"]
    expect(mkc(*run, "y.xlsx:type"), 3, "y.xlsx has no column 'type'", "its columns are x")
    expect(mkc(*run, "y.xlsx:clinical:typ"), 3, "no column 'typ'", "did you mean 'type'")


def test_numbers_and_booleans_of_a_workbook_are_words(tmp_path, weights, of_words):
    rows = [["id", "t"]] + [[name, 0.1 if i % 2 else True] for i, name in enumerate(IDS)]
    write_xlsx(tmp_path / "y.xlsx", {"a": rows})
    assert weights("y.xlsx")[0] == of_words(["0.1" if i % 2 else "TRUE" for i in range(20)])


@pytest.mark.parametrize("as_text", [True, False])
def test_matlab_with_ids(tmp_path, mkc, weights, expected, as_text):
    numbers = np.array([[{"a": 1.0, "b": 2.0, "": np.nan}[c]] for c in CLASSES])
    labels = cells(CLASSES) if as_text else numbers
    scipy.io.savemat(tmp_path / "y.mat", {"gt": labels, "samples": cells(IDS), "X": np.ones((3, 3)), "other": labels})
    found, notes = weights("y.mat")
    assert found == expected or (not as_text and found == expected.replace("\ta", "\t1").replace("\tb", "\t2"))
    assert "sample ids" not in notes
    assert weights("y.mat:other")[0] == found
    run = ["combine", "result", "--weights", "alignment", "-o", "no.npz", "--labels"]
    expect(mkc(*run, "y.mat:X"), 3, "y.mat:X: 3 x 3 found, 20 labels, one per sample, needed")
    expect(mkc(*run, "y.mat:gr"), 3, "y.mat has no column 'gr' (did you mean 'gt'?)")


def test_matlab_without_ids_is_matched_by_order_only_where_views_are_too(tmp_path, mkc, weights, of_words):
    labels = np.array([[i % 2] for i in range(20)], float)
    scipy.io.savemat(tmp_path / "y.mat", {"y": labels})
    run = ["--weights", "alignment", "--labels", "y.mat", "-o", "no.npz"]
    expect(mkc("combine", "result", *run), 3, "y.mat: the labels have no sample ids", "'s0'")
    random = np.random.default_rng(0)
    kernels = {}
    for name in ("p", "q"):
        x = random.normal(size=(20, 4))
        kernels[name] = x @ x.T + np.eye(20)
    kernels["q"][3], kernels["q"][:, 3] = np.nan, np.nan
    np.savez(tmp_path / "k.npz", **kernels)
    assert mkc("complete", "k.npz", "-m", "mean", "-o", "numbered").code == 0
    found, notes = weights("y.mat", "numbered")
    assert "label 1 is taken for sample 0" in notes
    assert found == of_words(BITS, [str(i) for i in range(20)], "numbered")
    scipy.io.savemat(tmp_path / "y.mat", {"y": labels[:19]})
    expect(mkc("combine", "numbered", *run), 3, "19 labels without sample ids for 20 samples")


def test_labels_inside_one_cell(tmp_path, weights, of_words):
    """truelabel{1}, as in several collections of multi-view data."""
    wrapped = np.empty((1, 1), object)
    wrapped[0, 0] = np.array([[i % 2] for i in range(20)], float)
    scipy.io.savemat(tmp_path / "y.mat", {"truelabel": wrapped, "samples": cells(IDS)})
    assert weights("y.mat")[0] == of_words(BITS)


def test_matlab_73(tmp_path, weights, of_words):
    with h5py.File(tmp_path / "y.mat", "w", userblock_size=512) as file:
        node = file.create_dataset("gt", data=np.array([[i % 2 for i in range(20)]], float))
        node.attrs["MATLAB_class"] = np.bytes_("double")
        refs = file.create_group("#refs#")
        names = file.create_dataset("samples", (1, 20), h5py.ref_dtype)
        names.attrs["MATLAB_class"] = np.bytes_("cell")
        for i, name in enumerate(IDS):
            word = refs.create_dataset(f"n{i}", data=np.array([[ord(c)] for c in name], "u2"))
            word.attrs["MATLAB_class"] = np.bytes_("char")
            names[0, i] = word.ref
    data = bytearray((tmp_path / "y.mat").read_bytes())
    data[:128] = b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM"
    (tmp_path / "y.mat").write_bytes(data)
    assert weights("y.mat")[0] == of_words(BITS)


def test_anndata(tmp_path, mkc, weights, expected, of_words):
    codes = [{"a": 1, "b": 0, "": -1}[c] for c in CLASSES]
    with h5py.File(tmp_path / "y.h5ad", "w") as file:
        obs = write_obs(file, IDS, {"type": (codes, ["b", "a"]), "words": CLASSES, "n": np.arange(20) % 2}, "cell id")
        nullable = obs.create_group("maybe")
        nullable["values"], nullable["mask"] = np.arange(20) % 2, np.arange(20) == 3
        obs.create_group("nonsense")
    assert weights("y.h5ad:type")[0] == expected
    assert weights("y.h5ad:words")[0] == expected
    assert weights("y.h5ad:n")[0] == of_words(BITS)
    assert weights("y.h5ad:maybe")[0] == of_words([*BITS[:3], "", *BITS[4:]])
    run = ["combine", "result", "--weights", "alignment", "-o", "no.npz", "--labels"]
    expect(mkc(*run, "y.h5ad"), 3, "y.h5ad has 4 columns: type, words, n, maybe")
    expect(mkc(*run, "y.h5ad:typ"), 3, "y.h5ad has no column 'typ' (did you mean 'type'?)")
    expect(mkc(*run, "y.h5ad:nonsense"), 3, "y.h5ad:obs/nonsense")
    with h5py.File(tmp_path / "y.h5ad", "r+") as file:
        file["obs/type/codes"][2] = 7
    expect(mkc(*run, "y.h5ad:type"), 3, "y.h5ad:obs/type: category 7 of 2")


def test_anndata_of_version_0_7(tmp_path, weights, expected):
    with h5py.File(tmp_path / "y.h5ad", "w") as file:
        obs = write_obs(file, IDS, {"type": np.array([{"a": 1, "b": 0, "": -1}[c] for c in CLASSES], "i1")})
        strings(obs.create_group("__categories"), "type", ["b", "a"])
    assert weights("y.h5ad:type")[0] == expected


def test_mudata(tmp_path, weights, expected):
    own = [f"cell{i}" for i in range(20)]
    with h5py.File(tmp_path / "y.h5mu", "w") as file:
        write_obs(file, IDS, {"rna:type": CLASSES})
        write_obs(file.create_group("mod/rna"), own[::-1], {"type": CLASSES[::-1]})
        file["obsmap/rna"] = np.arange(20, 0, -1)
    assert weights("y.h5mu:rna:type")[0] == expected
    assert weights("y.h5mu:rna/type")[0] == expected


def test_reports_and_combining_take_the_same_files(tmp_path, mkc, views):
    write_xlsx(tmp_path / "y.xlsx", {"a": [["id", "t"]] + [[i, c or None] for i, c in zip(IDS, CLASSES)]})
    assert mkc("complete", *views, "-m", "mean", "--labels", "y.xlsx", "-o", "out").code == 0
    assert mkc("report", "out", "--labels", "y.xlsx:t", "-o", "page.html").code == 0
    assert mkc("combine", "out", "--weights", "alignment", "--labels", "y.xlsx:t", "-o", "K.npz").code == 0


def test_kinds_of_files_that_hold_no_labels(tmp_path, mkc, views):
    np.savez(tmp_path / "y.npz", y=np.arange(3))
    run = ["evaluate", *views, "-m", "mean", "--repeats", "1", "-o", "no", "--labels"]
    expect(mkc(*run, "y.npz:y"), 3, "'y.npz': labels are not read from a file of this kind", ".h5ad")
    expect(mkc(*run, "none.xlsx:y"), 3, "cannot open 'none.xlsx'")
    write_table(tmp_path / "x:y.csv", IDS, ["t"], np.arange(20)[:, None] % 2)
    assert mkc(*run, "x:y.csv").code == 0
