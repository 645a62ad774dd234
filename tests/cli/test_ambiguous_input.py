"""Ambiguous input is refused or reported, never guessed without a note."""

import numpy as np
import pytest
from conftest import expect, write_kernel, write_table


def kernel(n=20, seed=0):
    x = np.random.default_rng(seed).normal(size=(n, 4))
    return x @ x.T


def refused(result, *parts):
    expect(result, 3, *parts)


def wrong_entry(K):
    K[3, 5] += 1e-3


def rows_without_columns(K):
    K[[3, 8, 9]] = np.nan


def one_cell_missing(K):
    K[3, 5] = np.nan


@pytest.mark.parametrize(
    "change, shown", [(wrong_entry, "('3', '5')"), (rows_without_columns, "is nan"), (one_cell_missing, "is nan")]
)
def test_nearly_symmetric_array_is_not_read_as_features(mkc, tmp_path, change, shown):
    K = kernel()
    change(K)
    np.savez(tmp_path / "k.npz", a=K, b=kernel(seed=1))
    refused(mkc("complete", "k.npz", "-m", "knn", "-o", "out"), "view 'a'", "nearly symmetric", shown, "kind=features")


def test_a_kernel_table_with_a_wrong_cell_is_refused(mkc, tmp_path):
    ids, K = [f"s{i}" for i in range(20)], kernel()
    write_kernel(tmp_path / "b.csv", ids, K)
    K[3, 5] += 1
    write_kernel(tmp_path / "a.csv", ids, K)
    refused(
        mkc("complete", "a.csv", "b.csv", "-m", "knn", "-o", "out"), "the same ids in rows and columns", "('s3', 's5')"
    )


def test_square_arrays_of_features_are_features(mkc, tmp_path):
    random = np.random.default_rng(0)
    sparse = np.where(random.uniform(size=(20, 20)) < 0.1, random.normal(size=(20, 20)), 0)
    np.savez(
        tmp_path / "x.npz",
        a=random.normal(size=(20, 20)),
        b=sparse,
        c=random.integers(0, 3, size=(20, 20)).astype(float),
        d=np.where(random.uniform(size=(20, 20)) < 0.05, 0, 2.0),
    )
    result = mkc("inspect", "x.npz", "--json")
    assert [view["kind"] for view in result.json["views"]] == ["features"] * 4, result.err


def test_rounding_errors_of_a_kernel_are_averaged_and_reported(mkc, tmp_path):
    K = np.exp(-np.abs(np.subtract.outer(*2 * [np.linspace(0, 3, 20)])))
    single = K.copy()
    upper = np.triu_indices(20, 1)
    single[upper] = K[upper].astype(np.float32)
    single[4] = single[:, 4] = np.nan
    np.savez(tmp_path / "k.npz", a=single, b=K)
    result = mkc("complete", "k.npz", "-m", "knn", "-o", "out")
    assert result.code == 0 and "view 'a' (k.npz:a): asymmetric by up to" in result.err, result.err
    with np.load(tmp_path / "out" / "kernels.npz") as done:
        kept = np.arange(20) != 4
        mean = (single + single.T)[np.ix_(kept, kept)] / 2
        assert np.array_equal(done["a"][np.ix_(kept, kept)], mean)


def test_arrays_without_ids_need_the_same_rows(mkc, tmp_path):
    np.save(tmp_path / "a.npy", kernel(20))
    np.save(tmp_path / "b.npy", kernel(15))
    refused(
        mkc("complete", "a.npy", "b.npy", "-m", "knn", "-o", "out"),
        "no sample ids, only row numbers (0 to 19 and 0 to 14)",
        "which rows belong together?",
        "hint: name the samples",  # --match-rows needs as many rows
    )
    np.save(tmp_path / "c.npy", kernel(20))
    refused(mkc("complete", "a.npy", "c.npy", "-m", "knn", "-o", "out"), "--match-rows if row i of every file")
    refused(
        mkc("complete", "a.npy", "b.npy", "-m", "knn", "-o", "out", "--match-rows"),
        "has 20 rows",
        "has 15",
        "without sample ids",
        "NaN where it is missing",
    )
    np.savez(
        tmp_path / "named.npz",
        a=kernel(20),
        b=kernel(15),
        samples_a=[f"s{i}" for i in range(20)],
        samples_b=[f"s{i}" for i in range(15)],
    )
    assert mkc("complete", "named.npz", "-m", "knn", "-o", "out").code == 0


def test_unconnected_groups_of_views_are_refused(mkc, tmp_path):
    random = np.random.default_rng(0)
    for part, first in (("train", 0), ("test", 12)):
        for view in ("rna", "protein"):
            write_table(
                tmp_path / f"{part}_{view}.csv",
                [f"s{i}" for i in range(first, first + 12)],
                [f"{part}_{view}{j}" for j in range(3)],
                random.normal(size=(12, 3)),
            )
    files = ["train_rna.csv", "train_protein.csv", "test_rna.csv", "test_protein.csv"]
    refused(
        mkc("complete", *files, "-o", "out"),
        "no sample ties",
        "'train_rna', 'train_protein'",
        "'test_rna', 'test_protein'",
        "one table per view",
    )
    inspected = mkc("inspect", *files)
    assert inspected.code == 3 and "mkc complete would stop: no sample ties" in inspected.out
    # one common sample connects both parts
    write_table(
        tmp_path / "test_rna.csv", [f"s{i}" for i in range(11, 24)], ["g0", "g1", "g2"], random.normal(size=(13, 3))
    )
    assert mkc("complete", *files, "-m", "mean", "-o", "out").code == 0


def test_distances_are_not_kernels(mkc, tmp_path):
    points = np.random.default_rng(0).normal(size=(20, 3))
    d = np.linalg.norm(points[:, None] - points[None], axis=2)
    np.savez(tmp_path / "d.npz", a=d, b=kernel())
    refused(mkc("complete", "d.npz", "-o", "out", "--psd", "error"), "view 'a'", "distances, or a network", "exp(-d^2")


@pytest.mark.parametrize("value", [0, 1])
def test_constant_view_is_reported(mkc, tmp_path, value):
    K = kernel()
    K[4] = K[:, 4] = np.nan
    np.savez(tmp_path / "k.npz", a=np.full((20, 20), float(value)), b=K)
    result = mkc("complete", "k.npz", "-m", "mean", "-o", "out")
    assert f"all its entries are {value}: all rows of this view are equal" in result.err, result.err


def test_table_without_ids_is_refused_or_reported(mkc, views, tmp_path):
    random = np.random.default_rng(0)
    for name, values in (("signed", random.normal(size=(20, 3))), ("positive", random.uniform(size=(20, 3)))):
        lines = ["u,v,w"] + [",".join(f"{x:.3f}" for x in row) for row in values]
        (tmp_path / f"{name}.csv").write_text("\n".join(lines) + "\n")
    refused(mkc("kernel", "signed.csv", "-o", "k.npz"), "no sample ids", "the first column holds numbers")
    refused(mkc("kernel", "positive.csv", "-o", "k.npz"), "no sample ids", "--match-rows")
    result = mkc("kernel", "positive.csv", "signed.csv", "--match-rows", "-o", "k.npz")
    assert result.code == 0 and "first column 'u' is read as a feature" in result.err, result.err
    write_table(tmp_path / "numbered.csv", [str(i) for i in range(20)], ["u", "v"], random.normal(size=(20, 2)))
    assert "sample ids" not in mkc("kernel", "numbered.csv", "-o", "n.npz").err  # whole numbers are names


def test_folder_as_a_view_is_refused(mkc, views):
    refused(mkc("complete", ".", "-o", "out"), "'.' is a folder", "a view is")


def test_decimal_commas_in_a_comma_separated_table(mkc, tmp_path):
    (tmp_path / "a.csv").write_text("id,u,v\ns1,0,5,1,5\ns2,2,5,3,5\n")
    refused(mkc("kernel", "a.csv", "-o", "k.npz"), "line 2", "4 values", "decimals need a point")


def test_numeric_feature_names_in_rows_are_accepted(mkc, tmp_path):
    shifts = [f"{x:.1f}" for x in np.linspace(-0.5, 1, 7)]
    write_table(tmp_path / "nmr.csv", shifts, [f"s{i}" for i in range(9)], np.random.default_rng(0).normal(size=(7, 9)))
    result = mkc("kernel", "nmr.csv", "--samples-in", "columns", "-o", "k.npz")
    assert result.code == 0 and "sample ids" not in result.err, result.err


def test_a_sample_map_names_the_rows_of_arrays(mkc, tmp_path):
    np.save(tmp_path / "a.npy", kernel(20))
    np.save(tmp_path / "b.npy", kernel(15))
    rows = [f"a,p{i},{i}" for i in range(20)] + [f"b,p{i + 5},{i}" for i in range(15)]
    (tmp_path / "map.csv").write_text("assay,primary,colname\n" + "\n".join(rows) + "\n")
    result = mkc("complete", "a.npy", "b.npy", "--sample-map", "map.csv", "-m", "mean", "-o", "out")
    assert result.code == 0, result.err
    lines = (tmp_path / "out" / "observed.tsv").read_text().splitlines()
    assert "p0\t1\t0" in lines and "p19\t1\t1" in lines


@pytest.mark.parametrize("half", [np.triu, np.tril])
def test_triangular_kernel_is_not_read_as_features(mkc, tmp_path, half):
    K = half(kernel())
    np.savez(tmp_path / "k.npz", a=K, b=kernel(seed=1))
    refused(mkc("complete", "k.npz", "-m", "knn", "-o", "out"), "view 'a'", "half of a kernel", "both halves")
    K[[2, 7]] = K[:, [2, 7]] = np.nan
    np.savez(tmp_path / "k.npz", a=K, b=kernel(seed=1))
    refused(mkc("complete", "k.npz", "-m", "knn", "-o", "out"), "half of a kernel")
    assert mkc("inspect", "k.npz:a,kind=features", "k.npz:b").code in (0, 3)


def suffixed(path, suffix, rows, seed):
    random = np.random.default_rng(seed)
    write_table(
        path, [f"P{i}{suffix}" for i in rows], ["TP53", "BRCA1", "EGFR", "MYC"], random.normal(size=(len(rows), 4))
    )


def test_features_are_not_taken_for_samples_if_ids_have_suffixes(mkc, tmp_path):
    suffixed(tmp_path / "a.csv", "_rna", range(12), 0)
    suffixed(tmp_path / "b.csv", "_prot", range(2, 14), 1)
    refused(mkc("complete", "a.csv", "b.csv", "-m", "wknn", "-o", "out"), "0 of 24 ids", "20 of 24", "--ids loose")
    result = mkc("complete", "a.csv", "b.csv", "--ids", "loose", "-m", "wknn", "-o", "out")
    assert result.code == 0, result.err
    assert list(np.load(tmp_path / "out" / "kernels.npz")["samples"]) == [f"P{i}" for i in range(14)]


def test_skipped_comment_rows_are_reported(mkc, views, tmp_path):
    lines = (tmp_path / "a.csv").read_text().splitlines()
    lines[3] = "#" + lines[3]
    (tmp_path / "a.csv").write_text("\n".join([*lines[:2], "# a comment, of words", *lines[2:]]) + "\n")
    result = mkc("complete", *views, "-m", "knn", "-o", "out")
    assert result.code == 0 and "skipped as comments; 1 with as many cells as a row" in result.err, result.err
    assert "line 5" in result.err


def test_treatment_of_missing_cells_is_reported(mkc, views, tmp_path):
    lines = (tmp_path / "a.csv").read_text().splitlines()
    cells = lines[2].split(",")
    cells[1] = ""
    lines[2] = ",".join(cells)
    (tmp_path / "a.csv").write_text("\n".join(lines) + "\n")
    for policy, note in (
        ("mean", "1 cell without a value is filled with the mean of the column"),
        ("drop", f"1 of {len(cells) - 1} columns is left out for cells without a value"),
    ):
        result = mkc("complete", *views, "--na-features", policy, "-m", "knn", "-o", policy)
        assert result.code == 0 and note in result.err, result.err


def test_numbers_too_large_to_compute_with_are_refused(mkc, tmp_path):
    K = kernel()
    K[[1, 2]] = K[:, [1, 2]] = np.nan
    np.savez(tmp_path / "k.npz", a=K * 1e160, b=kernel(seed=1))
    refused(mkc("complete", "k.npz", "-o", "out"), "view 'a'", "too large", "largest entry")


def test_indefinite_kernel_affects_no_other_view(mkc, tmp_path):
    a, b = kernel(), kernel(seed=1)
    values, vectors = np.linalg.eigh(a)
    values[0] = -1e-3 * values[-1]
    a = (vectors * values) @ vectors.T
    a = (a + a.T) / 2
    gap = a.copy()
    gap[[1, 2, 3]] = gap[:, [1, 2, 3]] = np.nan
    b[[5, 6]] = b[:, [5, 6]] = np.nan
    np.savez(tmp_path / "k.npz", a=gap, b=b)
    result = mkc("complete", "k.npz", "--psd", "ignore", "-m", "embd_hm,c2=0.1,ridge=0.1", "-o", "out")
    assert result.code == 0 and "its completed kernel will not be" in result.err, result.err
    completed = np.load(tmp_path / "out" / "kernels.npz")["a"]
    known = ~np.isnan(gap)
    assert (completed[known] == gap[known]).all()
    assert np.linalg.eigvalsh(completed)[0] > 1.01 * np.linalg.eigvalsh(gap[np.ix_(known[0], known[0])])[0]


def test_errors_are_not_estimated_from_too_few_samples(mkc, tmp_path):
    a, b = kernel(16), kernel(16, seed=1)
    a[:7] = a[:, :7] = np.nan
    b[10:] = b[:, 10:] = np.nan
    np.savez(tmp_path / "k.npz", a=a, b=b)  # three samples have both views
    result = mkc("complete", "k.npz", "-m", "auto,candidates=wknn+mean", "-o", "out")
    assert result.code == 0 and "only could be hidden: errors are not estimated" in result.err, result.err
    assert not (tmp_path / "out" / "quality.tsv").exists()


def test_hdf5_arrays_without_ids_need_the_same_rows(mkc, tmp_path):
    h5py = pytest.importorskip("h5py")
    random = np.random.default_rng(0)
    with h5py.File(tmp_path / "two.h5", "w") as file:
        file["a"], file["b"] = random.normal(size=(30, 5)), random.normal(size=(20, 4))
    refused(mkc("complete", "two.h5", "-m", "mean", "-o", "out"), "which rows belong together")


def test_ids_with_line_breaks_are_refused(mkc, tmp_path):
    np.savez(tmp_path / "k.npz", samples=[*(f"s{i}" for i in range(19)), "s\n19"], a=kernel(), b=kernel(seed=1))
    refused(mkc("complete", "k.npz", "-m", "knn", "-o", "out"), "holds a line break")


def test_view_names_may_be_numbers(mkc, views, tmp_path):
    result = mkc("complete", f"0.5={views[0]}", f"1.5={views[1]}", "-m", "mean", "-o", "out")
    assert result.code == 0 and "could not be made" not in result.err, result.err
    assert mkc("report", "out", "--force").code == 0


def test_mat_file_keeps_characters_of_four_bytes(mkc, tmp_path):
    ids = [chr(0x1F600 + i) + "x" for i in range(20)]
    K = kernel()
    K[[1, 2]] = K[:, [1, 2]] = np.nan
    np.savez(tmp_path / "k.npz", samples=ids, a=K, b=kernel(seed=1))
    assert mkc("complete", "k.npz", "-m", "knn", "--format", "mat", "-o", "out").code == 0
    result = mkc("combine", "out", "-o", "K.npz")
    assert result.code == 0, result.err
    assert list(np.load(tmp_path / "K.npz")["samples"]) == ids


def test_seed_must_fit_into_a_configuration(mkc, views, tmp_path):
    result = mkc("complete", *views, "-m", "knn", "-o", "out", "--seed", 2**63)
    assert result.code == 2 and "2^63 - 1" in result.err, result.err
    assert mkc("complete", *views, "-m", "knn", "-o", "out", "--seed", 2**63 - 1).code == 0
    assert mkc("complete", "--config", "out/config.toml", "-o", "again").code == 0


def test_convert_refuses_reserved_view_names(mkc, views, tmp_path):
    result = mkc("convert", f"samples={views[0]}", views[1], "-o", "v.npz")
    assert result.code == 2 and "'samples'" in result.err, result.err
