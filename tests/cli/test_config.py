"""--config: a run in one file, and the configuration in every result."""

import pytest
from conftest import expect


def kernels(folder):
    return (folder / "kernels.npz").read_bytes()


def test_result_contains_its_configuration(mkc, views, tmp_path):
    (tmp_path / "deep").mkdir()
    result = mkc(
        "complete",
        "first=a.csv,kernel=linear,normalize=unit",
        *views[1:],
        "-m",
        "knn,k=3",
        "--seed",
        "5",
        "--samples",
        "intersection",
        "--center",
        "-o",
        "deep/one",
    )
    assert result.code == 0, result.err
    text = (tmp_path / "deep" / "one" / "config.toml").read_text()
    assert 'file = "../../a.csv"' in text and 'name = "first"' in text
    for line in [
        'samples = "intersection"',
        "seed = 5",
        "center = true",
        'kernel = "linear"',
        'normalize = "unit"',
        'samples_in = "rows"',
        'kind = "features"',
    ]:
        assert line in text.splitlines()
    assert "output" not in text and "threads" not in text
    again = mkc("complete", "--config", "deep/one/config.toml", "-o", "two", "-t", "1")
    assert again.code == 0, again.err
    assert kernels(tmp_path / "deep" / "one") == kernels(tmp_path / "two")
    third = mkc("complete", "--config", "two/config.toml", "-o", "three")
    assert third.code == 0 and kernels(tmp_path / "two") == kernels(tmp_path / "three")


def test_command_line_has_priority_over_the_configuration(mkc, views, tmp_path):
    tables = "".join(f'[[view]]\nfile = "{v}"\n' for v in views)
    (tmp_path / "run.toml").write_text('method = "knn,k=3"\nseed = 4\nthreads = 1\noutput = "out"\n' + tables)
    first = mkc("complete", "--config", "run.toml", "--json")
    assert first.code == 0, first.err
    assert first.json["seed"] == 4 and first.json["parameters"]["k"] == "3"
    assert first.json["threads"] == 1 and (tmp_path / "out").is_dir()
    assert "run.toml" in [i["path"] for i in first.json["inputs"]]
    second = mkc(
        *("complete", "--config", "run.toml", "-m", "mean", "--seed", "9", "--json", "--force"),
        env={"MKC_NUM_THREADS": "2"},
    )
    assert second.json["method"] == "mean" and second.json["seed"] == 9
    assert second.json["threads"] == 2
    third = mkc("complete", "a.csv", "b.csv", "--config", "run.toml", "--json", "--force")
    assert [v["name"] for v in third.json["views"]] == ["a", "b"]


def test_configuration_cannot_set_force(mkc, views, tmp_path):
    (tmp_path / "run.toml").write_text("seed = 4\nforce = true\n")
    for arguments in (["complete", *views, "-o", "out"], ["kernel", *views, "-o", "k.npz"]):
        result = mkc(*arguments, "--config", "run.toml")
        expect(result, 2, "run.toml, line 2: 'force' cannot be set in a configuration", "--force on the command line")
    assert not (tmp_path / "out").exists() and not (tmp_path / "k.npz").exists()


def test_configuration_does_not_contain_the_model_file(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "knn", "-o", "out", "--save-model", "m.npz").code == 0
    again = mkc("complete", "--config", "out/config.toml", "-o", "again")
    assert again.code == 0, again.err
    assert kernels(tmp_path / "out") == kernels(tmp_path / "again")


def test_evaluation_contains_its_configuration(mkc, views, tmp_path):
    (tmp_path / "labels.tsv").write_text(
        "sample\tx\tkind\n" + "".join(f"s{i}\t{i}\t{'ab'[i % 2]}\n" for i in range(20))
    )
    result = mkc(
        "evaluate",
        *views,
        "-m",
        "wknn,k=3",
        "-m",
        "affine",
        "--repeats",
        "2",
        "--fraction",
        "0.2",
        "--mechanism",
        "mcar",
        "--labels",
        "labels.tsv:kind",
        "--seed",
        "3",
        "-o",
        "one",
        "--report",
        "none",
    )
    assert result.code == 0, result.err
    text = (tmp_path / "one" / "config.toml").read_text()
    for line in ['method = ["wknn,k=3", "affine"]', "repeats = 2", 'labels = "../labels.tsv:kind"', "seed = 3"]:
        assert line in text.splitlines()
    again = mkc("evaluate", "--config", "one/config.toml", "-o", "two")
    assert again.code == 0, again.err
    for table in ("scores.tsv", "hidden.tsv", "labels.tsv"):
        assert (tmp_path / "one" / table).read_text() == (tmp_path / "two" / table).read_text()
    plain = mkc("evaluate", *views, "-o", "plain", "--repeats", "1", "-m", "mean", "--dry-run")
    assert plain.code == 0, plain.err


def test_a_list_of_methods(mkc, views, tmp_path):
    tables = "".join(f'[[view]]\nfile = "{v}"\n' for v in views)
    (tmp_path / "run.toml").write_text('method = ["wknn", "affine"]\nrepeats = 1\n' + tables)

    def names(result):
        return [m["method"].split(",")[0] for m in result.json["methods"]]

    run = mkc("evaluate", "--config", "run.toml", "-o", "two", "--json")
    assert run.code == 0 and {"wknn", "affine", "mean", "knn"} == set(names(run)), run.err
    less = mkc("evaluate", "--config", "run.toml", "-m", "wknn", "-o", "one", "--json")
    assert less.code == 0 and "affine" not in names(less)


def test_configuration_works_with_other_commands(mkc, views, tmp_path):
    assert mkc("complete", *views, "-m", "wknn", "-o", "out").code == 0
    assert mkc("kernel", "--config", "out/config.toml", "-o", "k.npz").code == 0
    assert "3 views, 20 samples" in mkc("inspect", "--config", "out/config.toml").out


def test_paths_are_relative_to_the_file(mkc, views, tmp_path):
    (tmp_path / "in").mkdir()
    for view in views:
        (tmp_path / view).rename(tmp_path / "in" / view)
    (tmp_path / "in" / "some.txt").write_text("s4\ns5\ns6\ns7\n")
    (tmp_path / "in" / "run.toml").write_text(
        'samples = "some.txt"\n' + "".join(f'[[view]]\nfile = "{v}"\n' for v in views)
    )
    result = mkc("complete", "--config", "in/run.toml", "-o", "out")
    assert result.code == 0 and "3 views, 4 samples" in result.out, result.err


@pytest.mark.parametrize(
    "text, code, parts",
    [
        ('methd = "knn"\n', 2, ["run.toml, line 1", "no option 'methd'", "did you mean 'method'?"]),
        ("\nseed = -1\n", 2, ["run.toml, line 2", "--seed", "'-1'"]),
        ('seed = "x"\n', 2, ["run.toml, line 1", "'x'"]),
        ("threads = 5000\n", 2, ["run.toml, line 1", "--threads", "4096"]),
        ('psd = "clp"\n', 2, ["--psd", "'clp'", "did you mean 'clip'?"]),
        ('center = "maybe"\n', 2, ["run.toml, line 1", "--center", "'maybe'"]),
        ("seed = [1]\n", 2, ["run.toml, line 1", "'seed' takes one value"]),
        ("method = []\nseed = []\n", 2, ["run.toml, line 1", "'method' takes one value"]),
        ('method = [["knn"]]\n', 3, ["run.toml, line 1", "'method' is not a text"]),
        ("method = 1979-05-27\n", 3, ["run.toml, line 1", "'method' is not a text"]),
        ("seed = \n", 3, ["run.toml, line 1"]),
        ('[[view]]\nfile = "a.csv"\nkernl = "rbf"\n', 2, ["run.toml, line 1", "'kernl'", "did you mean 'kernel'?"]),
        ('[[view]]\nkernel = "rbf"\n', 3, ["run.toml, line 1", "no file"]),
        ("seed = 1\n", 2, ["VIEW is required"]),
        ('[[view]]\nfile = "nix.csv"\n', 3, ["no file 'nix.csv'"]),
    ],
)
def test_errors_in_a_configuration(mkc, views, tmp_path, text, code, parts):
    (tmp_path / "run.toml").write_text(text)
    expect(mkc("complete", "--config", "run.toml", "-o", "o", env={"MKC_NUM_THREADS": ""}), code, *parts)


def test_configuration_that_is_not_a_file(mkc, views, tmp_path):
    (tmp_path / "folder.toml").mkdir()
    expect(mkc("complete", *views, "--config", "folder.toml", "-o", "o"), 3, "folder.toml", "is a folder")
    expect(mkc("complete", *views, "--config", "fodler.toml", "-o", "o"), 3, "did you mean 'folder.toml'?")


def test_settings_in_a_manifest(mkc, views, tmp_path):
    (tmp_path / "run.toml").write_text('seed = 1\n[[view]]\nfile = "a.csv"\n')
    expect(mkc("complete", "run.toml", "-o", "o"), 3, "run.toml, line 1", "--config run.toml")
    expect(mkc("complete", "--config", "nix.toml", "-o", "o"), 3, "nix.toml")
