"""mkc inspect: its text and its JSON."""

import numpy as np
from conftest import expect, psd, write_kernel, write_table
from test_alignment import ASSAYS, assays  # noqa: F401 (a fixture)


def test_text(mkc, views):
    result = mkc("inspect", *views)
    assert result.code == 0 and result.err == "", result.err
    lines = result.out.splitlines()
    assert lines[0].split() == ["view", "samples", "of", "20", "in", "kind", "features", "kernel"]
    assert lines[1].split()[:8] == ["a", "16", "80", "%", "rows", "features", "5", "rbf,"]
    assert "3 views, 20 samples, 8 in all views: complete cases alone would lose 12 of 20 (60 %)" in lines
    patterns = {
        line.split()[0]: line.split()[1]
        for line in lines
        if set(line.split()[:1] or ["x"]) and set((line.split() or ["x"])[0]) <= {"#", "."}
    }
    assert patterns == {"###": "8", "##.": "4", "#.#": "4", ".##": "4"}
    maps = [
        line
        for line in lines
        if line.endswith(("#", ".")) and line[:1] in "abc" and set(line.split()[-1]) <= {"#", "."}
    ]
    assert [line.split()[0] for line in maps] == ["a", "b", "c"]
    assert [line.split()[1].count("#") for line in maps] == [16, 16, 16]
    assert "mkc complete would fill in 12 rows and columns with auto" in result.out


def test_json(mkc, views):
    seen = mkc("inspect", *views, "--json", "-m", "knn,k=3").json
    assert (seen["n_samples"], seen["in_all_views"], seen["lost_by_complete_cases"]) == (20, 8, 12)
    assert seen["samples_in_common"][0] == [16, 12, 12]
    assert sum(p["samples"] for p in seen["patterns"]) == 20
    assert seen["patterns"][0] == {"views": [True, True, True], "samples": 8}
    assert seen["complete"]["possible"] and seen["complete"]["rows_to_complete"] == 12
    check = seen["views"][0]["check"]
    assert check["positive_semidefinite"] and check["diagonal"] == [1, 1, 1]
    assert abs(check["spectrum"][0] - check["largest_eigenvalue"] / 16) < 1e-9


def test_the_same_numbers_as_numpy(mkc, tmp_path):
    k = psd(6)
    write_kernel(tmp_path / "k.csv", [f"s{i}" for i in range(6)], k)
    view = mkc("inspect", "k.csv", "--json").json["views"][0]
    values = np.linalg.eigvalsh(k)
    assert view["kind"] == "kernel"
    assert np.isclose(view["check"]["smallest_eigenvalue"], values[0])
    assert np.isclose(view["check"]["largest_eigenvalue"], values[-1])
    assert np.allclose(view["check"]["spectrum"], values[::-1] / values.sum())
    assert np.allclose(view["check"]["diagonal"], [k.diagonal().min(), np.median(k.diagonal()), k.diagonal().max()])
    wanted = int(np.searchsorted(np.cumsum(values[::-1]) / values.sum(), 0.9)) + 1
    assert view["check"]["directions_of_90_percent"] == wanted


def test_samples_in_columns_and_a_map(mkc, assays):  # noqa: F811
    result = mkc("inspect", *assays, "--sample-map", "sampleMap.csv", "--json")
    assert result.code == 0, result.err
    seen = result.json
    assert [v["samples_in"] for v in seen["views"]] == ["columns"] * 3
    assert [v["observed"] for v in seen["views"]] == [len(p) for _, p in ASSAYS.values()]
    assert sum("samples are in columns" in notice for notice in seen["notices"]) == 3


def test_error_of_complete_is_reported(mkc, views, tmp_path):
    write_kernel(tmp_path / "k.csv", ["s0", "s1", "s2", "s3"], np.eye(4) + np.fliplr(np.eye(4)) * 2)
    result = mkc("inspect", *views, "k.csv", "--json")
    assert result.code == 3 and not result.json["complete"]["possible"]
    assert "not positive semi-definite" in result.json["complete"]["error"]
    assert "--psd clip" in result.json["complete"]["hint"]
    assert not result.json["views"][3]["check"]["positive_semidefinite"]
    text = mkc("inspect", *views, "k.csv").out
    assert "mkc complete would stop: view 'k' (k.csv): the kernel is not positive" in text
    assert mkc("inspect", *views, "k.csv", "--psd", "clip").code == 0


def test_views_without_common_samples_are_shown(mkc, tmp_path):
    for name in "ab":
        write_table(
            tmp_path / f"{name}.csv",
            [f"{name}{i}" for i in range(4)],
            [f"{name}x", "y"],
            np.random.default_rng(0).normal(size=(4, 2)),
        )
    result = mkc("inspect", "a.csv", "b.csv")
    assert result.code == 3
    assert "2 views, 8 samples, 0 in all views" in result.out
    assert "would stop: view 'a' (a.csv) has no sample in common" in result.out


def test_single_missing_cells_are_counted(mkc, views, tmp_path):
    path = tmp_path / "a.csv"
    path.write_text(path.read_text() + "s19,1,,3,,5\n")
    result = mkc("inspect", *views)
    assert result.code == 3 and "a: 2 single cells are missing (see --na-features)" in result.out
    assert mkc("inspect", *views, "--na-features", "mean").code == 0


def test_one_view_alone(mkc, tmp_path):
    write_table(tmp_path / "a.csv", ["s0", "s1", "s2"], ["x", "y"], np.arange(6.0).reshape(3, 2) ** 2)
    result = mkc("inspect", "a.csv")
    assert result.code == 0, result.err
    assert "1 view, 3 samples, 3 in all views" in result.out and "samples in common" not in result.out
    assert "nothing is missing: mkc complete would return" in result.out


def test_non_ascii_names_keep_the_map_aligned(mkc, views, tmp_path):
    (tmp_path / "a.csv").rename(tmp_path / "génération.csv")
    lines = mkc("inspect", "génération.csv", *views[1:]).out.splitlines()
    maps = [line for line in lines if line and set(line.split()[-1]) <= {"#", "."} and len(line.split()[-1]) == 20]
    assert len(maps) == 3 and len({len(line) for line in maps}) == 1


def test_completely_hidden_view(mkc, views, tmp_path):
    rows = "".join(f"s{i},{int(i < 16)},{int(i >= 4)},0\n" for i in range(20))
    (tmp_path / "m.csv").write_text("sample,a,b,c\n" + rows)
    result = mkc("inspect", *views, "--mask", "m.csv")
    assert result.code == 3 and "would stop" in result.out and "'c'" in result.out
    quiet = mkc("inspect", *views, "--mask", "m.csv", "-q")
    assert quiet.code == 3 and quiet.out == "" and quiet.err.startswith("error: ")


def test_nothing_is_written(mkc, views, tmp_path):
    mkc("inspect", *views)
    assert sorted(p.name for p in tmp_path.iterdir()) == views
    expect(mkc("inspect", "nix.csv"), 3, "nix.csv")
    expect(mkc("inspect", *views, "-m", "knnn"), 2, "'knnn'")
