"""Reading and writing the formats of other programs."""

import importlib.util

import numpy as np
import pytest
import scipy.io
import scipy.sparse
from conftest import expect, psd, write_table

IDS = [f"s{i}" for i in range(6)]


def have(module):
    return importlib.util.find_spec(module) is not None


needs_h5py = pytest.mark.skipif(not have("h5py"), reason="no h5py for this Python")
needs_mudata = pytest.mark.skipif(not have("mudata"), reason="no mudata for this Python")


def hidden(k, rows):
    k = k.copy()
    k[rows] = np.nan
    k[:, rows] = np.nan
    return k


def cell(values):
    array = np.empty((1, len(values)), object)
    for i, value in enumerate(values):
        array[0, i] = value
    return array


def good(result):
    assert result.code == 0, result.err
    return result


@pytest.fixture
def paper(tmp_path):
    """paper.mat: K 6 x 6 x 3 and MID; the same as NPZ with NaN rows."""
    stack = np.stack([psd(6, m) for m in range(3)], axis=-1)
    mid = np.ones((6, 3))
    mid[[0, 3], 0] = mid[5, 1] = 0
    scipy.io.savemat(tmp_path / "K.mat", {"K": stack})
    scipy.io.savemat(tmp_path / "MID.mat", {"MID": mid})
    scipy.io.savemat(tmp_path / "paper.mat", {"K": stack, "MID": mid}, do_compression=True)
    np.savez(tmp_path / "paper.npz", **{f"view{m + 1}": hidden(stack[:, :, m], mid[:, m] == 0) for m in range(3)})
    return stack, mid


def test_layout_of_the_paper_in_one_and_two_files(mkc, paper, tmp_path):
    good(mkc("complete", "paper.npz", "-m", "wknn", "-o", "a"))
    good(mkc("complete", "paper.mat", "-m", "wknn", "-o", "b"))
    good(mkc("complete", "K.mat", "--mask", "MID.mat", "-m", "wknn", "-o", "c"))
    expected = np.load(tmp_path / "a/kernels.npz")
    for folder in "bc":
        found = np.load(tmp_path / folder / "kernels.npz")
        assert sorted(found) == sorted(expected)
        for name in expected:
            assert np.array_equal(expected[name], found[name]), (folder, name)
    observed = (tmp_path / "c/observed.tsv").read_text().splitlines()
    assert [line.split("\t")[1:] for line in observed[1:]] == [[str(int(v)) for v in row] for row in paper[1]]


def test_mask_of_wrong_size_is_refused(mkc, paper, tmp_path):
    scipy.io.savemat(tmp_path / "short.mat", {"MID": paper[1][:5]})
    result = mkc("complete", "K.mat", "--mask", "short.mat", "-m", "wknn", "-o", "o")
    assert result.code == 3 and "5 rows without names" in result.err


def test_cell_arrays_dense_and_sparse(mkc, tmp_path):
    random = np.random.default_rng(0)
    dense = random.normal(size=(6, 4))
    counts = random.poisson(1, size=(6, 9)).astype(float)
    scipy.io.savemat(
        tmp_path / "fea.mat", {"fea": cell([dense, scipy.sparse.csc_matrix(counts)]), "gt": np.arange(6)[:, None]}
    )
    write_table(tmp_path / "view1.csv", map(str, range(6)), list("uvwx"), dense)
    write_table(tmp_path / "view2.csv", map(str, range(6)), list("abcdefghi"), counts)
    good(mkc("kernel", "fea.mat,kernel=linear", "-o", "mat.npz"))
    good(mkc("kernel", "view1.csv,kernel=linear", "view2.csv,kernel=linear", "--match-rows", "-o", "csv.npz"))
    for name in ("view1", "view2"):
        assert np.array_equal(np.load(tmp_path / "mat.npz")[name], np.load(tmp_path / "csv.npz")[name])


def test_one_view_of_a_mat_file(mkc, paper):
    assert good(mkc("convert", "K.mat:view2", "-o", "one.tsv", "--json")).json["views"] == [
        {"name": "view2", "samples": 6, "kind": "kernel", "features": 0}
    ]
    result = mkc("convert", "K.mat:view9", "-o", "o.npz")
    assert result.code == 3 and "no variable 'view9'" in result.err and "K 6 x 6 x 3" in result.err


def test_matrix_market_with_id_files(mkc, tmp_path):
    counts = np.random.default_rng(0).poisson(1, size=(9, 6)).astype(float)  # terms x documents
    scipy.io.mmwrite(tmp_path / "news.mtx", scipy.sparse.coo_matrix(counts))
    (tmp_path / "news.docs").write_text("".join(f"{name}\n" for name in IDS))
    (tmp_path / "news.terms").write_text("".join(f"t{j}\n" for j in range(9)))
    result = good(mkc("convert", "news.mtx", "-o", "news.tsv"))
    assert "samples are in the columns, according to news.docs" in result.err
    meta = good(mkc("complete", "news.mtx", "-m", "wknn", "-o", "out", "--json")).json
    assert [file["path"] for file in meta["inputs"]] == ["news.mtx", "news.docs", "news.terms"]
    lines = (tmp_path / "news.tsv").read_text().splitlines()
    assert lines[0].split("\t") == ["sample"] + [f"t{j}" for j in range(9)]
    assert lines[2].split("\t") == ["s1"] + [f"{v:g}" for v in counts[:, 1]]


def test_results_in_every_format_agree(mkc, paper, tmp_path):
    for name in ("npz", "tsv", "hdf5", "h5mu", "mat"):
        good(mkc("complete", "paper.mat", "-m", "wknn", "-o", name, "--format", name))
    expected = np.load(tmp_path / "npz/kernels.npz")
    mat = scipy.io.loadmat(tmp_path / "mat/kernels.mat")
    assert mat["PredK"].shape == (6, 6, 3)
    assert np.array_equal(mat["MID"], paper[1])
    assert [name[0] for name in mat["samples"][:, 0]] == list(expected["samples"])
    for m in range(3):
        assert np.array_equal(mat["PredK"][:, :, m], expected[f"view{m + 1}"])
    for file in ("hdf5/kernels.h5", "h5mu/kernels.h5mu", "mat/kernels.mat"):
        good(mkc("convert", file, "-o", "again.npz", "--force"))
        again = np.load(tmp_path / "again.npz")
        for name in expected:
            assert np.array_equal(again[name], expected[name]), (file, name)


def test_view_relations_are_in_the_result_files(mkc, paper, tmp_path):
    good(mkc("complete", "paper.mat", "-m", "sdp", "-o", "out", "--format", "mat"))
    table = np.loadtxt(tmp_path / "out/view_relations.tsv", skiprows=1, usecols=range(1, 4))
    assert np.array_equal(scipy.io.loadmat(tmp_path / "out/kernels.mat")["S"], table)


@needs_h5py
def test_hdf5_results_open_in_h5py(mkc, paper, tmp_path):
    import h5py

    good(mkc("complete", "paper.mat", "-m", "wknn", "-o", "out", "--format", "hdf5"))
    good(mkc("complete", "paper.mat", "-m", "wknn", "-o", "npz"))
    expected = np.load(tmp_path / "npz/kernels.npz")
    with h5py.File(tmp_path / "out/kernels.h5") as file:
        assert list(file["samples"].asstr()) == list(expected["samples"])
        assert list(file["views"].attrs["order"]) == ["view1", "view2", "view3"]
        for m in range(3):
            view = file[f"views/view{m + 1}"]
            assert np.array_equal(view["K"], expected[f"view{m + 1}"])
            assert np.array_equal(view["observed"], paper[1][:, m] == 1)


@needs_h5py
def test_hdf5_of_h5py_is_read(mkc, tmp_path):
    import h5py

    values = np.random.default_rng(0).normal(size=(6, 4))
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file.create_dataset("views/rna/X", data=values.astype("f4"), compression="gzip", chunks=(5, 3))
        file["views/rna/samples"] = IDS
        file["views/kin/K"] = psd(6, 1)
        file["samples"] = np.array([name.encode() for name in IDS])
    good(mkc("convert", "a.h5", "-o", "a.npz"))
    found = np.load(tmp_path / "a.npz")
    assert np.array_equal(found["rna"], values.astype("f4").astype(float))
    assert np.array_equal(found["kin"], psd(6, 1)) and list(found["samples"]) == IDS


@needs_h5py
def test_links_to_other_files_are_not_followed(mkc, tmp_path):
    import h5py

    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["K"] = psd(6, 1)
    with h5py.File(tmp_path / "link.h5", "w") as file:
        file["views/a/K"] = h5py.ExternalLink("other.h5", "K")
    with h5py.File(tmp_path / "soft.h5", "w") as file:
        file["there"] = h5py.ExternalLink("other.h5", "/")
        file["views/a/K"] = h5py.SoftLink("/there/K")
    with h5py.File(tmp_path / "outside.h5", "w") as file:
        space = file.create_dataset("views/a/K", (6, 6), "f8", external=[("other.h5", 0, 288)])
        del space
    for name, what in (
        ("link.h5", "a link to another file"),
        ("soft.h5", "a link that leads to nothing in this file"),
        ("outside.h5", "its values are in other files"),
    ):
        result = mkc("convert", name, "-o", "o.npz")
        assert result.code == 3 and what in result.err, (name, result.err)


@needs_h5py
def test_dead_links_leave_the_rest_readable(mkc, tmp_path):
    import h5py

    for name, folder in (("root.h5", ""), ("views.h5", "views/")):
        with h5py.File(tmp_path / name, "w") as file:
            kernel = "/K" if folder else ""
            for view in ("a", "b"):
                file[f"{folder}{view}{kernel}"] = psd(6, 1)
            file[f"{folder}soft"] = h5py.SoftLink("/nowhere")
            file[f"{folder}away"] = h5py.ExternalLink("none.h5", "K")
            file["obs"] = h5py.SoftLink("/nowhere")
        result = mkc("convert", name, "-o", name + ".npz")
        assert result.code == 0, result.err
        assert "lead to nothing in it are left out: away" in result.err and "soft" in result.err
        assert {"a", "b"} <= set(np.load(tmp_path / (name + ".npz")).files)
        assert mkc("convert", name + ":a", "-o", name + ".a.npz").code == 0
        expect(mkc("convert", name + ":soft", "-o", "no.npz"), 3, "soft: a link that leads to nothing in this file")
        expect(mkc("convert", name + ":away", "-o", "no.npz"), 3, "away: a link to another file is not followed")


@needs_h5py
def test_huge_hdf5_sizes_take_no_memory(mkc, tmp_path):
    import h5py

    with h5py.File(tmp_path / "huge.h5", "w") as file:
        file.create_dataset("views/a/X", (10**9, 10**9), "f8", chunks=(1000, 1000))
    with h5py.File(tmp_path / "empty.h5", "w") as file:
        file.create_dataset("views/a/X", (10**5, 10**4), "f8", chunks=(1000, 1000))
    assert "values, but stores 0 bytes" in mkc("convert", "huge.h5", "-o", "o.npz").err
    result = mkc("convert", "empty.h5", "-o", "o.npz")
    assert result.code == 3 and "claims 1000000000 values, but stores 0 bytes" in result.err, result.err


@needs_mudata
def test_mudata_is_read_and_written(mkc, tmp_path):
    import anndata
    import mudata
    import pandas as pd

    random = np.random.default_rng(0)
    rna = anndata.AnnData(random.normal(size=(6, 4)), obs=pd.DataFrame(index=IDS), var=pd.DataFrame(index=list("abcd")))
    prot = anndata.AnnData(
        scipy.sparse.csr_matrix(random.poisson(1, size=(4, 3)).astype("f4")),
        obs=pd.DataFrame(index=IDS[:1:-1]),
        var=pd.DataFrame(index=list("xyz")),
    )
    mudata.MuData({"rna": rna, "prot": prot}).write(tmp_path / "a.h5mu")
    good(mkc("convert", "a.h5mu", "-o", "b.h5mu"))
    again = mudata.read_h5mu(tmp_path / "b.h5mu")
    assert list(again.mod) == ["rna", "prot"]
    assert np.array_equal(again["rna"].X, rna.X) and list(again["rna"].var_names) == list("abcd")
    assert np.array_equal(again["prot"].X, prot.X.toarray())
    assert list(again["prot"].obs_names) == IDS[:1:-1]
    good(mkc("complete", "b.h5mu", "-m", "wknn", "-o", "out", "--format", "h5mu"))
    done = mudata.read_h5mu(tmp_path / "out/kernels.h5mu")
    assert done["prot"].obsp["kernel"].shape == (6, 6)
    assert list(done["prot"].obs["observed"]) == [name in IDS[2:] for name in done["prot"].obs_names]


def test_convert_round_trip(mkc, views, paper, tmp_path):
    good(mkc("convert", *views, "K.mat:view1", "--force", "-o", "first.npz"))
    first = np.load(tmp_path / "first.npz")
    for name in ("x.h5", "x.h5mu", "x.mat", "x.npz"):
        good(mkc("convert", "first.npz", "-o", name))
        good(mkc("convert", name, "-o", "last.npz", "--force"))
        last = np.load(tmp_path / "last.npz")
        for view in ("a", "b", "c", "view1"):
            order = [list(last["samples_" + view]).index(i) for i in first["samples_" + view]]
            values = last[view][order]
            if view == "view1":
                values = values[:, order]
            assert np.array_equal(values, first[view]), (name, view)


@pytest.mark.parametrize(
    "arguments, code, part",
    [
        (["a.csv", "b.csv", "-o", "x.tsv"], 2, "holds one view"),
        (["a.csv", "-o", "x.xlsx"], 2, "is not written"),
        (["a.csv"], 2, "output file is missing"),
        (["a.csv,kernel=rbf", "-o", "x.npz"], 2, "makes a kernel"),
        (["none.mat", "-o", "x.npz"], 3, "no file 'none.mat'"),
    ],
)
def test_convert_errors(mkc, views, arguments, code, part):
    result = mkc("convert", *arguments)
    assert result.code == code and part in result.err, result.err


@pytest.mark.parametrize("name", ["a.mat", "a.h5", "a.h5ad", "a.h5mu", "a.mtx"])
@pytest.mark.parametrize("content", [b"", b"id,a\nP,1\n", bytes(range(256)) * 4])
def test_invalid_content_is_refused(mkc, tmp_path, name, content):
    (tmp_path / name).write_bytes(content)
    result = mkc("complete", name, "-m", "wknn", "-o", "o")
    assert result.code == 3 and name in result.err and result.err.count("error:") == 1, result.err


# On real data; `data` skips if there is none.


def test_the_authors_files(mkc, data):
    for name, samples, count in (("DRM25", 25, 8), ("TOYL", 50, 5), ("TOYG10", 50, 5)):
        views = good(mkc("convert", data / f"mkc_authors/{name}.mat", "-o", f"{name}.npz", "--json")).json["views"]
        assert [v["samples"] for v in views] == [samples] * count
        assert {v["kind"] for v in views} == {"kernel"}


def test_cvkt_with_masks(mkc, data, tmp_path):
    folder = data / "cvkt_simulated"
    good(
        mkc(
            "complete",
            folder / "sim_rbf_K.mat",
            "--mask",
            folder / "sim_rbf_missing1_MID.mat",
            "-m",
            "wknn",
            "-o",
            "out",
        )
    )
    mid = scipy.io.loadmat(folder / "sim_rbf_missing1_MID.mat")["MID"] > 0
    truth = scipy.io.loadmat(folder / "sim_rbf_K.mat")["K"]
    found = np.load(tmp_path / "out/kernels.npz")
    for m in range(7):
        rows = np.ix_(mid[:, m], mid[:, m])
        assert np.allclose(found[f"view{m + 1}"][rows], truth[:, :, m][rows], rtol=0, atol=1e-12)


def test_reuters_and_digits(mkc, data, tmp_path):
    good(mkc("convert", data / "reuters_1200/Reuters.mat", "-o", "reuters.npz"))
    fea = scipy.io.loadmat(data / "reuters_1200/Reuters.mat")["fea"][0]
    found = np.load(tmp_path / "reuters.npz")
    for m in range(5):
        expected = fea[m].toarray()
        expected = expected[expected.any(axis=1)]  # a text without a word counts as missing
        assert np.array_equal(found[f"view{m + 1}"], expected)
    views = good(mkc("convert", data / "mfeat/handwritten.mat", "-o", "digits.npz", "--json")).json["views"]
    assert [v["features"] for v in views] == [240, 76, 216, 47, 64, 6]


def test_three_sources_from_matrix_market(mkc, data, tmp_path):
    files = [data / f"3sources/3sources_{name}.mtx" for name in ("bbc", "guardian", "reuters")]
    result = good(mkc("complete", *(f"{file},kernel=cosine" for file in files), "-m", "wknn", "-o", "out", "--json"))
    assert [v["observed"] for v in result.json["views"]] == [352, 302, 294]
    assert result.json["n_samples"] == 416
