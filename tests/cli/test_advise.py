"""mkc advise: which missing pair to measure next."""

import json

import numpy as np
import pytest
from conftest import expect, read_tsv, write_table

FAST = ("-m", "mean", "-q", "--threads", "1")
MISSING = {("s16", "a"), ("s17", "a"), ("s18", "a"), ("s19", "a")}
MISSING |= {(f"s{i}", "b") for i in range(4)} | {(f"s{i}", "c") for i in range(8, 12)}


def advised(mkc, *arguments):
    done = mkc("advise", *arguments)
    assert done.code == 0, done.err
    return done


def ranking(folder):
    rows = read_tsv(folder / "advice.tsv")
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def test_every_missing_pair_is_ranked(tmp_path, mkc, views):
    advised(mkc, *views, "-o", "advice", *FAST)
    rows = ranking(tmp_path / "advice")
    assert {(row["sample"], row["view"]) for row in rows} == MISSING
    gains = [float(row["gain_per_cost"]) for row in rows]
    assert gains == sorted(gains, reverse=True) and gains[-1] > 0
    for row in rows:
        parts = sum(float(row[name]) for name in ("own", "same_sample", "others"))
        assert float(row["gain"]) == pytest.approx(parts, rel=1e-4)
    curve = read_tsv(tmp_path / "advice" / "curve.tsv")
    assert curve[0] == ["assays", "money", "expected_error"] and len(curve) == len(rows) + 2
    errors = [float(row[2]) for row in curve[1:]]
    assert errors == sorted(errors, reverse=True) and errors[-1] == pytest.approx(0, abs=1e-9)
    observed = read_tsv(tmp_path / "advice" / "observed_value.tsv")[1:]
    assert not {(row[1], row[2]) for row in observed} & MISSING
    values = [float(row[4]) for row in observed]
    assert values == sorted(values)


def test_json_tells_the_same_as_the_tables(tmp_path, mkc, views):
    done = advised(mkc, *views, "-o", "advice", *FAST, "--budget", "5", "--cost", "a=2,c=0.5", "--batch", "--json")
    about = json.loads((tmp_path / "advice" / "meta_info.json").read_text())
    assert done.json == about
    assert about["costs"] == {"a": 2, "b": 1, "c": 0.5} and about["budget"] == 5 and about["batch"]
    assert about["command"] == "advise" and set(about["files"]) >= {"advice.tsv", "advice.json", "curve.tsv"}
    advice = json.loads((tmp_path / "advice" / "advice.json").read_text())
    rows = ranking(tmp_path / "advice")
    assert [(one["sample"], one["view"]) for one in advice["ranking"]] == [(r["sample"], r["view"]) for r in rows]
    within = [one["cost"] for one in advice["ranking"] if one["within_budget"]]
    assert sum(within) == pytest.approx(advice["spent"]) and advice["spent"] <= 5
    assert advice["expected_error_after"] < advice["expected_error"]


def test_a_stored_result_gives_the_same_advice(tmp_path, mkc, views):
    done = mkc("complete", *views, "-o", "result", "--quality", *FAST)
    assert done.code == 0, done.err
    advised(mkc, "result", "-o", "from_result", "-q")
    advised(mkc, *views, "-o", "from_views", *FAST)
    # quality.tsv has six digits
    names = [[(row["sample"], row["view"]) for row in ranking(tmp_path / f)] for f in ("from_result", "from_views")]
    assert names[0] == names[1]


def test_threads_and_a_second_run_change_nothing(tmp_path, mkc, views):
    advised(mkc, *views, "-o", "one", "-m", "mean", "-q", "--threads", "1", "--batch")
    advised(mkc, *views, "-o", "two", "-m", "mean", "-q", "--threads", "2", "--batch")
    for name in ("advice.tsv", "curve.tsv", "observed_value.tsv", "advice.json"):
        assert (tmp_path / "one" / name).read_bytes() == (tmp_path / "two" / name).read_bytes()


def test_a_result_in_factor_form_is_ranked(tmp_path, mkc):
    random = np.random.default_rng(3)
    state = random.normal(size=(120, 4))
    names = [f"s{i}" for i in range(120)]
    for view in "abc":
        rows = sorted(random.permutation(120)[:90])
        values = np.tanh(state @ random.normal(size=(4, 6))) + 0.1 * random.normal(size=(120, 6))
        write_table(tmp_path / f"{view}.csv", [names[i] for i in rows], [f"{view}{j}" for j in range(6)], values[rows])
    done = mkc("complete", "a.csv", "b.csv", "c.csv", "-o", "result", "--form", "factor", "--rank", "20", "-q")
    assert done.code == 0, done.err
    for threads in ("1", "2"):
        advised(mkc, "result", "-o", f"advice{threads}", "-q", "--batch", "--budget", "10", "--threads", threads)
    rows = ranking(tmp_path / "advice1")
    quality = read_tsv(tmp_path / "result" / "quality.tsv")[1:]
    assert {(row["sample"], row["view"]) for row in rows} == {(row[0], row[1]) for row in quality}
    assert sum(row["within_budget"] == "yes" for row in rows) == 10
    assert (tmp_path / "advice1" / "report.html").exists()
    assert (tmp_path / "advice1" / "advice.tsv").read_bytes() == (tmp_path / "advice2" / "advice.tsv").read_bytes()


def test_candidates_are_all_that_is_ranked(tmp_path, mkc, views):
    (tmp_path / "pairs.tsv").write_text("view\tsample\nb\ts0\na\ts17\n")
    advised(mkc, *views, "-o", "advice", *FAST, "--candidates", "pairs.tsv")
    assert {(row["sample"], row["view"]) for row in ranking(tmp_path / "advice")} == {("s0", "b"), ("s17", "a")}


@pytest.mark.parametrize("labels", ["classes", "numbers", "survival"])
def test_labels_change_what_is_gained(tmp_path, mkc, views, labels):
    columns = {"classes": "sample,x\n", "numbers": "sample,x\n", "survival": "sample,days,died\n"}
    value = {
        "classes": lambda i: "ab"[i % 2],
        "numbers": lambda i: f"{1.37 * i + i % 3:.2f}",
        "survival": lambda i: f"{100 + 31 * i % 97},{i % 2}",
    }[labels]
    (tmp_path / "y.csv").write_text(columns[labels] + "".join(f"s{i},{value(i)}\n" for i in range(20)))
    source = "y.csv:days,died" if labels == "survival" else "y.csv"
    advised(mkc, *views, "-o", "advice", *FAST, "--labels", source, "--label-type", labels)
    advice = json.loads((tmp_path / "advice" / "advice.json").read_text())
    assert advice["error_of"] == "labels" and len(advice["ranking"]) == len(MISSING)


def test_an_earlier_advice_is_replaced_with_force_only(tmp_path, mkc, views):
    advised(mkc, *views, "-o", "advice", *FAST)
    expect(mkc("advise", *views, "-o", "advice", *FAST), 2, "advice")
    advised(mkc, *views, "-o", "advice", *FAST, "--force", "--budget", "1")
    assert sum(row["within_budget"] == "yes" for row in ranking(tmp_path / "advice")) == 1


@pytest.mark.parametrize(
    "arguments, parts",
    [
        (["--cost", "d=2"], ["there is no view 'd'", "a, b, c"]),
        (["--cost", "a=-1"], ["'-1' is not a number above 0"]),
        (["--cost", "a=0"], ["'0' is not a number above 0"]),
        (["--cost", "a"], ["is not VIEW=COST"]),
        (["--cost", "a=1e-310"], ["'1e-310' is not between 1e-12 and 1e+12"]),
        (["--cost", "a=1,a=2"], ["view 'a' is given twice"]),
        (["--budget", "-3"], ["--budget: '-3' is not a number above 0"]),
        (["--budget", "lots"], ["'lots' is not a number above 0"]),
        (["--budget", "1", "--cost", "a=5,b=2,c=3"], ["below the cheapest", "view 'b' costs 2"]),
        (["--label-type", "classes"], ["--label-type without labels"]),
        (["-m", "nothing"], ["nothing"]),
        (["--candidates", "none.tsv"], ["none.tsv"]),
    ],
)
def test_bad_options_are_refused(tmp_path, mkc, views, arguments, parts):
    code = mkc("advise", *views, "-o", "advice", *FAST[2:], *arguments)
    assert code.code in (2, 3)
    expect(code, code.code, *parts)
    assert not (tmp_path / "advice").exists()


@pytest.mark.parametrize(
    "text, part",
    [
        ("sample\tview\ns5\ta\n", "sample 's5' in view 'a' is already observed"),
        ("sample\tview\ns0\tb\ns0\tb\n", "is given twice"),
        ("sample\tview\ns99\tb\n", "line 2: there is no sample 's99'"),
        ("sample\tview\ns0\tbb\n", "line 2: there is no view 'bb'"),
        ("sample\tview\n", "no rows follow"),
        ("sample\tassay\ns0\tb\n", "view"),
    ],
)
def test_bad_candidates_are_refused(tmp_path, mkc, views, text, part):
    (tmp_path / "pairs.tsv").write_text(text)
    result = mkc("advise", *views, "-o", "advice", *FAST, "--candidates", "pairs.tsv")
    expect(result, result.code, part)
    assert result.code == 3 and not (tmp_path / "advice").exists()


def test_nothing_missing_is_an_error(tmp_path, mkc, kernels):
    result = mkc("advise", "kernels.npz", "-o", "advice", *FAST)
    expect(result, 3, "nothing is missing")
    assert not (tmp_path / "advice").exists()


def test_a_result_without_estimates_is_refused(tmp_path, mkc, views):
    assert mkc("complete", *views, "-o", "result", *FAST).code == 0
    expect(mkc("advise", "result", "-o", "advice"), 3, "no error estimates", "--quality")


@pytest.mark.parametrize(
    "option",
    [("-m", "knn"), ("--mask", "mask.csv"), ("--normalize", "unit"), ("--center",), ("--samples", "intersection")],
)
def test_a_result_is_not_completed_again(tmp_path, mkc, views, option):
    assert mkc("complete", *views, "-o", "result", "--quality", *FAST).code == 0
    (tmp_path / "mask.csv").write_text("sample,a\ns1,0\n")
    expect(mkc("advise", "result", "-o", "advice", *option), 2, "with a stored result")
    assert not (tmp_path / "advice").exists()


def test_the_folder_of_a_demo_is_a_result_and_others_are_refused(tmp_path, mkc):
    assert mkc("demo", "-o", "demo", "-m", "mean", "-q").code == 0
    advised(mkc, "demo", "-o", "advice", "-q", "--budget", "3")
    assert sum(row["within_budget"] == "yes" for row in ranking(tmp_path / "advice")) == 3
    (tmp_path / "empty").mkdir()
    for folder in ("empty", "advice"):
        expect(mkc("advise", folder, "-o", "again"), 3, f"{folder}/meta_info.json")
    assert not (tmp_path / "again").exists()


def test_the_result_is_no_output_folder(tmp_path, mkc, views):
    assert mkc("complete", *views, "-o", "result", "--quality", *FAST).code == 0
    result = mkc("advise", "result", "-o", "result", "--force")
    assert result.code == 2 and result.err.count("error:") == 1
    assert (tmp_path / "result" / "kernels.npz").exists()
