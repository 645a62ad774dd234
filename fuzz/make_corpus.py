#!/usr/bin/env python3
"""Writes the seeds of fuzz/corpus, with the libraries that write such files, and mkc itself.

python3 -m venv /tmp/v && /tmp/v/bin/pip install numpy scipy h5py anndata mudata openpyxl
/tmp/v/bin/python fuzz/make_corpus.py fuzz/corpus build/release/apps/mkc/mkc
"""

import json
import pathlib
import subprocess
import sys
import tempfile
import warnings

import anndata
import h5py
import mudata
import numpy as np
import openpyxl
import pandas as pd
import scipy.io
import scipy.sparse

warnings.simplefilter("ignore")
ROOT = pathlib.Path(sys.argv[1]).resolve()
sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1] / "tests/cli"))
import xlsx_files  # noqa: E402

random = np.random.default_rng(0)
X = np.round(random.normal(size=(4, 3)), 2)
COUNTS = np.array([[0, 2, 0], [1, 0, 0], [0, 0, 3], [0, 5, 0]], float)
K = np.stack([np.round(a @ a.T, 2) for a in random.normal(size=(2, 4, 5))], axis=-1)
MID = np.array([[1, 1], [0, 1], [1, 1], [1, 0]], float)
IDS = ["P-1", "P-2", "P-3", "Zoë"]
WORDS = """id,age,sex,seen,born,name
P1,50,m,2021-03-05T10:30:00+02:00,13/2/1960,Anna
P2,61,f,NA,1/12/1971,Ben
P3,47,f,2021-03-06,3/5/1980,Carl
P4,,m,1969-12-31,4/4/1944,Dora
"""


def blocks():
    """Tables that are read a block of rows at a time, of every format."""
    for name in ("csv/features.csv", "npy/f8.npy", "npy/fortran.npy", "npz/views.npz", "hdf5/views.h5"):
        write(f"blocks/{name.split('/')[1]}", (ROOT / name).read_bytes())
    write("blocks/sparse.h5", (ROOT / "hdf5/csr.h5ad").read_bytes())
    write("blocks/refused-words.csv", "id,a\nx,1\ny,red\n")
    write("blocks/gaps.tsv", "id\ta\tb\nx\t1\t\ny\t0\t0\nz\t\t\nv\t2\t-3e2\nw\tNA\t5\n")


def cell(values):
    array = np.empty((1, len(values)), object)
    for i, value in enumerate(values):
        array[0, i] = value
    return array


def write(path, data):
    path = ROOT / path
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data if isinstance(data, bytes) else data.encode())


def mat():
    save = scipy.io.savemat
    save(ROOT / "mat/paper.mat", {"K": K, "MID": MID})
    save(ROOT / "mat/paper_packed.mat", {"K": K, "MID": MID}, do_compression=True)
    save(ROOT / "mask/mid.mat", {"MID": MID})
    save(ROOT / "mat/cells.mat", {"X": cell([X, X[:, :2]]), "Y": np.arange(4.0)[:, None]})
    save(
        ROOT / "mat/sparse.mat",
        {"fea": cell([scipy.sparse.csc_matrix(COUNTS), X]), "gt": np.arange(4)[:, None]},
        do_compression=True,
    )
    save(
        ROOT / "mat/types.mat",
        {
            "a": X.astype("f4"),
            "b": COUNTS.astype("u1"),
            "c": X > 0,
            "d": COUNTS.astype("i8"),
            "samples": cell(IDS),
            "s": {"x": 1},
            "t": "text",
        },
    )


def matlab_array(group, name, values, kind):
    """A dataset as MATLAB 7.3 writes it: sizes reversed, the class as an attribute."""
    node = group.create_dataset(name, data=np.ascontiguousarray(np.asarray(values).T))
    node.attrs["MATLAB_class"] = np.bytes_(kind)
    return node


def mat73(path):
    with h5py.File(path, "w", userblock_size=512) as file:
        matlab_array(file, "K", K, "double")
        matlab_array(file, "MID", MID, "double")
        refs = file.create_group("#refs#")
        cells = [matlab_array(refs, "a", X, "double"), matlab_array(refs, "b", X[:, :2], "single")]
        names = [
            matlab_array(refs, f"n{i}", np.array([[ord(c) for c in name]], "u2"), "char") for i, name in enumerate(IDS)
        ]
        for name, nodes in (("X", cells), ("samples", names)):
            node = file.create_dataset(name, (len(nodes), 1), h5py.ref_dtype)
            node[:, 0] = [n.ref for n in nodes]
            node.attrs["MATLAB_class"] = np.bytes_("cell")
        packed = scipy.sparse.csc_matrix(COUNTS)
        sparse = file.create_group("counts")
        sparse.attrs["MATLAB_class"] = np.bytes_("double")
        sparse.attrs["MATLAB_sparse"] = np.uint64(4)
        for name, values in (
            ("data", packed.data),
            ("ir", packed.indices.astype("u8")),
            ("jc", packed.indptr.astype("u8")),
        ):
            sparse[name] = values
    data = bytearray(pathlib.Path(path).read_bytes())
    data[:128] = b"MATLAB 7.3 MAT-file".ljust(124) + b"\0\2IM"
    pathlib.Path(path).write_bytes(data)


def hdf5():
    mat73(ROOT / "hdf5/v73.mat")
    with h5py.File(ROOT / "hdf5/views.h5", "w") as file:
        rna = file.create_group("views/rna")
        rna.create_dataset("X", data=X, compression="gzip", chunks=(2, 3), shuffle=True)
        rna["samples"], rna["features"] = IDS, ["f1", "f2", "f3"]
        file["views/kin/K"], file["samples"] = K[:, :, 0], IDS
    with h5py.File(ROOT / "hdf5/matrices.h5", "w") as file:
        file["rna"], file["flags"] = X.astype("f4"), X > 0
        file["samples"] = np.array([name.encode() for name in IDS])
    names = pd.DataFrame(index=IDS)
    features = pd.DataFrame(index=["f1", "f2", "f3"])
    for name, values in (
        ("dense", X),
        ("csr", scipy.sparse.csr_matrix(COUNTS)),
        ("csc", scipy.sparse.csc_matrix(COUNTS)),
    ):
        data = anndata.AnnData(values, obs=names, var=features)
        data.obsp["kernel"] = K[:, :, 1]
        data.write_h5ad(ROOT / f"hdf5/{name}.h5ad")
    with mudata.set_options(pull_on_update=False):
        both = mudata.MuData(
            {
                "rna": anndata.AnnData(X, obs=names, var=features),
                "prot": anndata.AnnData(
                    scipy.sparse.csr_matrix(COUNTS[1:]),
                    obs=pd.DataFrame(index=["P-3", "new", "P-1"]),
                    var=pd.DataFrame(index=["g1", "g2", "g3"]),
                ),
            }
        )
        both.write(ROOT / "hdf5/two.h5mu")


def arrays():
    np.save(ROOT / "npy/f8.npy", X)
    np.save(ROOT / "npy/fortran.npy", np.asfortranarray(X.astype(">f4")))
    np.save(ROOT / "npy/refused-words.npy", np.array(IDS))
    np.save(ROOT / "npy/bools.npy", X > 0)
    np.savez(ROOT / "npz/views.npz", rna=X, kin=K[:, :, 0], samples=np.array(IDS))
    np.savez_compressed(ROOT / "npz/packed.npz", rna=X, samples_rna=np.arange(4))


def texts():
    write("csv/features.csv", 'id,g1,g2\nP-1,1,2\nP-2,,0.5\n"P,3",NA,1e5\n')
    write("csv/kernel.tsv", "id\tb\ta\na\t2\t1\nb\t3\t2\n")
    write("csv/r_style.txt", "g1 g2\nA 1 2\nB 3 4\n")
    write("csv/words.csv", WORDS)
    write(
        "csv/words_in_rows.tsv", "\n".join("\t".join(row) for row in zip(*(line.split(",") for line in WORDS.split())))
    )
    write("csv/refused-few_words.csv", "id,a,b\nP1,1,n.d.\nP2,2,3\nP3,<4,5\n")
    write("csv/refused-units.csv", "id,a,b\nunit,kg,cm\nP1,1,2\nP2,3,4\n")
    write("csv/odd.csv", "\ufeff# note\r\nid;x;y\r\nA;+1;inf\r\n\r\nB;-2;None\r\n")
    write("map/map.csv", 'assay,primary,colname,x\nrna,P1,P1-01,\nrna,P2,"P2,01",1\nprot,P1,p1,\n')
    write("mask/mask.csv", "sample,a,b\nP-1,1,0\nP-2,1,1\n")
    write("mtx/real.mtx", "%%MatrixMarket matrix coordinate real general\n% x\n3 2 3\n1 1 4\n2 1 -1\n3 2 5.5\n")
    write("mtx/refused-zero-row.mtx", "%%MatrixMarket matrix coordinate real general\n3 2 2\n1 1 4\n3 2 5.5\n")
    write("mtx/symmetric.mtx", "%%MatrixMarket matrix coordinate integer symmetric\n2 2 2\n1 1 1\n2 1 2\n")
    write("mtx/array.mtx", "%%MatrixMarket matrix array real general\n2 2\n1\n2\n3\n4\n")
    write("mtx/pattern.mtx", "%%MatrixMarket matrix coordinate pattern skew-symmetric\n2 2 1\n2 1\n")
    write(
        "toml/views.toml",
        '[[view]]\nname = "rna"\nfile = "rna.csv"\nkernel = "rbf"\ngamma = 0.1\n'
        '\n[[view]]\nfile = "k.npz"\narray = "K"\ncenter = true\n',
    )


def workbooks():
    shared = xlsx_files.shared(0)
    rows = [["id", "g1", "class"], ["P-1", 0.5, shared], ["P-2", True, xlsx_files.error("#N/A")]]
    merged = '<mergeCells><mergeCell ref="F1:G2"/></mergeCells>'
    write("sheet/words.xml", xlsx_files.sheet(rows, after=merged))
    numbers = [["id", "g1", "g2"], ["P-1", 0.5, True], ["P-2", xlsx_files.error("#N/A"), 2]]
    xlsx_files.write_xlsx(ROOT / "xlsx/small.xlsx", {"a": numbers, "b": numbers}, texts=["x"], packed=False)
    xlsx_files.write_xlsx(
        ROOT / "xlsx/refused-date.xlsx", {"a": [["id", "g"], [xlsx_files.date(45537), 1]]}, formats=["d-mmm"]
    )
    write("sheet/dates.xml", xlsx_files.sheet([["id", "born"], ["P-1", xlsx_files.date(45537)]]))
    book = openpyxl.Workbook()
    for row in (["id", "g1", "g2"], ["P-1", 1, 2.5], ["P-2", None, -1e5]):
        book.active.append(row)
    book.save(ROOT / "xlsx/openpyxl.xlsx")


def model():
    """A small model of numbers, of words beside numbers and of a kernel, without the words about it."""
    files = {
        "rna.csv": "id,g1,g2\nP1,5,0\nP2,3,9\nP3,120,2\nP4,7,31\nP5,0,14\n",
        "clin.csv": "id,sex,age\nP1,m,31.5\nP2,f,40.25\nP4,m,52.5\nP5,f,61\n",
        "k.csv": "id,P2,P3,P4,P5\nP2,2,1,0,0.5\nP3,1,3,1,0\nP4,0,1,4,1\nP5,0.5,0,1,2\n",
    }
    tool = pathlib.Path(sys.argv[2]).resolve()
    views = ["rna.csv,transform=log,library_size=median", "clin.csv", "k.csv,kind=kernel"]
    options = ["-m", "knn,k=1", "--save-model", "model.npz", "-o", "result", "--report", "none", "-q"]
    with tempfile.TemporaryDirectory() as folder:
        for name, text in files.items():
            (pathlib.Path(folder) / name).write_text(text)
        subprocess.run([tool, "complete", *views, *options], cwd=folder, check=True)
        arrays = dict(np.load(pathlib.Path(folder) / "model.npz"))
    arrays["about"] = np.array([""])
    np.savez(ROOT / "model/today.npz", **arrays)
    arrays["view0_recipe"] = np.char.replace(arrays["view0_recipe"], "degree", "dgree")
    np.savez(ROOT / "model/refused-option.npz", **arrays)


def with_scores_of_today(cell):
    for view in cell["views"]:
        view |= {"average_row": 30.5, "recovered": 0.25}
    return json.dumps(cell, indent=1) + "\n"


def results():
    """Files of results; in folders, the first byte says which file it is (folders.cpp)."""
    fixtures = ROOT.parents[1] / "tests/fixtures/0.1"
    factors = ["meta_info.json", "samples.txt", "extra.npy", "factors/rna.npy", "observed.tsv", "quality.tsv"]
    for number, name in enumerate(factors):
        content = (fixtures.parent / "factors" / name).read_bytes()
        write(f"factors/{name.split('/')[-1]}", b"%d" % number + content)
    tables = ["meta_info.json", "observed.tsv", "quality.tsv", "uncertainty.tsv", "view_relations.tsv", "kernels.npz"]
    folders = {"result": tables, "evaluation": ["meta_info.json", "scores.tsv", "labels.tsv"]}
    for folder, names in folders.items():
        for number, name in enumerate(names):
            write(f"{folder}/{name}", b"%d" % number + (fixtures / folder / name).read_bytes())
    cells = sorted((fixtures / "evaluation/cells").iterdir())[:4]
    write("cells/refused-0.json", cells[0].read_bytes())  # without the scores of today
    for number, path in enumerate(cells):
        write(f"cells/{number}.json", with_scores_of_today(json.loads(path.read_bytes())))
    write("config/complete.toml", (fixtures / "result/config.toml").read_bytes())
    write("config/evaluate.toml", (fixtures / "evaluation/config.toml").read_bytes())
    for name in ("toy", "authors", "proportion"):
        write(f"experiment/{name}.toml", (ROOT.parents[1] / f"experiments/{name}.toml").read_bytes())
    write("labels/labels.csv", 'sample,class\nP-1,a\n"P-2",b\nP-3,\nother,"c, d"\n')
    write("labels/labels.tsv", "id\tclass\nP-1\tNA\nP-2\tb\n")
    write("ids/barcodes.txt", "TCGA-02-0001\nTCGA-02-0002\n\nTCGA.02.0001\ntcga 02_0003\n")
    write("ids/suffixes.txt", "s1_rna\ns2_rna\nZoë_rna\n\ns1_prot\ns2_prot\n")
    write("ids/pattern.txt", "ids=regex:^([A-Z]+-[0-9]{2})\nAB-01-x\nCD-02-y\n\nAB-01.z\n")
    write("ids/refused-hostile-pattern.txt", f"ids=regex:((a+)+)+$\n{'a' * 55}b\n\naaab\n")
    tumour, normal = ("TCGA-OR-A5J1-01A-11R-A29S-07", "TCGA-OR-A5J1-11A-11R-A29S-07")
    write("ids/tumour-normal.txt", f"ids=tcga-patient:01\n{tumour}\n{normal}\n\nTCGA.OR.A5J1\n")


if __name__ == "__main__":
    for folder in ("mat", "mask", "hdf5", "npy", "npz", "xlsx", "model"):
        (ROOT / folder).mkdir(parents=True, exist_ok=True)
    mat()
    hdf5()
    arrays()
    texts()
    workbooks()
    blocks()
    results()
    model()
