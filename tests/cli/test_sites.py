"""Sites that share sums but no rows, and samples that are forgotten."""

import filecmp
import itertools
import json
import shutil

import numpy as np
import pytest
from conftest import expect

SIZES = ("--rank", 12, "--landmarks", 40, "--anchors", 40, "--plan-sample", 100)
ROUNDS = 3
SITES = ("north", "south", "west")


def study(seed, n):
    """Standardised columns of three views of one state; rows of a view are NaN where a sample lacks it."""
    drawn = np.random.default_rng(seed)
    made = np.random.default_rng(7)
    state, views = drawn.normal(size=(n, 3)), {}
    for name in "abc":
        x = np.tanh(state @ made.normal(size=(3, 6))) + 0.1 * drawn.normal(size=(n, 6))
        views[name] = (x - x.mean(axis=0)) / x.std(axis=0)
    views["b"][drawn.permutation(n)[: n // 4]] = np.nan
    views["c"][drawn.permutation(np.flatnonzero(~np.isnan(views["b"][:, 0])))[: n // 4]] = np.nan
    return views


def save(path, views, ids, columns="f"):
    """One CSV file per view, with the samples that have it."""
    path.mkdir()
    for name, x in views.items():
        has = ~np.isnan(x[:, 0])
        lines = ["id," + ",".join(f"{columns}{j}" for j in range(x.shape[1]))]
        lines += [f"{ids[i]}," + ",".join(repr(float(v)) for v in x[i]) for i in np.flatnonzero(has)]
        (path / f"{name}.csv").write_text("\n".join(lines) + "\n")


def tables(site):
    return [f"{site}/{name}.csv" for name in "abc"]


@pytest.fixture(params=["drawn", "public"])
def planned(mkc, tmp_path, request):
    """Three sites, all of them together, and a plan that was made without them."""
    whole = {name: study(k, 300 + 50 * k) for k, name in enumerate(SITES)}
    for name, views in whole.items():
        save(tmp_path / name, views, [f"{name}-{i}" for i in range(len(views["a"]))])
    pooled = {view: np.vstack([whole[name][view] for name in SITES]) for view in "abc"}
    ids = [f"{name}-{i}" for name in SITES for i in range(len(whole[name]["a"]))]
    save(tmp_path / "pooled", pooled, ids)
    if request.param == "drawn":
        views = list(itertools.chain(*(("--draw", f"{name}=6,kernel=rbf") for name in "abc")))
    else:
        save(tmp_path / "reference", study(9, 700), [f"ref{i}" for i in range(700)])
        views = [*(f"{path},kernel=rbf" for path in tables("reference")), "--public"]
    done = mkc("plan", *views, *SIZES, "--seed", 11, "-o", "plan")
    assert done.code == 0, done.err
    return tmp_path


def fit(mkc, sites, prefix, *options):
    """All rounds of some sites."""
    last = ()
    for r in range(1, ROUNDS + 1):
        for site in sites:
            done = mkc("moments", "plan", *tables(site), "--round", r, *last, "--site", site, *options, "-o",
                       f"{prefix}-{site}-{r}.npz")  # fmt: skip
            assert done.code == 0, done.err
            assert "MB to send" in done.err
        parts = [f"{prefix}-{site}-{r}.npz" for site in reversed(sites)]
        done = mkc("merge", "plan", *parts, *last, "-o", f"{prefix}-{r}.npz")
        assert done.code == 0, done.err
        last = ("--fit", f"{prefix}-{r}.npz")
    return last


def factors(folder):
    return {name: np.load(folder / f"factors/{name}.npy") for name in "abc"}


def test_the_model_of_sites_is_that_of_their_rows_together(mkc, planned):
    """Equal to 1e-8, and useful: better than the average row where the sites' views tell of each other."""
    apart, together = fit(mkc, SITES, "apart"), fit(mkc, ["pooled"], "together")
    for name, last in (("apart", apart), ("together", together)):
        done = mkc("apply", "plan", *tables("pooled"), *last, "-o", f"{name}")
        assert done.code == 0, done.err
    one, other = factors(planned / "apart"), factors(planned / "together")
    for view in "abc":
        assert np.linalg.norm(one[view] - other[view]) < 1e-8 * np.linalg.norm(other[view])
    assert all((planned / f"apart-{site}-{r}.npz").stat().st_size < 1e8 for site in SITES for r in (1, 2, 3))
    done = mkc("apply", "plan", *tables("north"), *apart, "-o", "own")
    assert done.code == 0 and len(factors(planned / "own")["a"]) == 300
    # Against the features of the rows that were hidden: a site completes what it knows but did not send.
    lost = study(0, 300)
    known = np.flatnonzero(~np.isnan(lost["c"][:, 0]) & ~np.isnan(lost["b"][:, 0]))[:50]
    hidden = {view: x.copy() for view, x in lost.items()}
    hidden["b"][known] = np.nan
    save(planned / "hidden", hidden, [f"north-{i}" for i in range(300)])
    assert mkc("apply", "plan", *tables("hidden"), *apart, "-o", "guess").code == 0
    order = (planned / "own/samples.txt").read_text().split()
    again = (planned / "guess/samples.txt").read_text().split()
    truth = factors(planned / "own")["b"][[order.index(f"north-{i}") for i in known]]
    guess = factors(planned / "guess")["b"][[again.index(f"north-{i}") for i in known]]
    mean = factors(planned / "own")["b"].mean(axis=0)
    assert np.sum((truth - guess) ** 2) < 0.5 * np.sum((truth - mean) ** 2)


def test_a_site_needs_one_file_of_the_plan(mkc, planned):
    (planned / "lean").mkdir()
    shutil.copy(planned / "plan/plan.npz", planned / "lean/plan.npz")
    moments = ("--round", 1, "--site", "north")
    for plan in ("plan", "lean"):
        assert mkc("moments", plan, *tables("north"), *moments, "-o", f"{plan}.npz").code == 0
    assert filecmp.cmp(planned / "plan.npz", planned / "lean.npz", shallow=False)
    last = fit(mkc, ["north"], "n")
    assert mkc("apply", "lean", *tables("north"), *last, "-o", "result").code == 0


def test_what_does_not_belong_together_is_named(mkc, planned):
    first = ("--round", 1, "--site")
    for site in SITES:
        assert mkc("moments", "plan", *tables(site), *first, site, "-o", f"{site}.npz").code == 0
    parts = [f"{site}.npz" for site in SITES]
    shutil.copy(planned / "north.npz", planned / "again.npz")
    expect(mkc("merge", "plan", *parts, "again.npz", "-o", "x.npz"), 3, "site 'north' is there twice", "again.npz")
    assert mkc("merge", "plan", *parts, "-o", "fit1.npz").code == 0
    second = ("--round", 2, "--fit", "fit1.npz", "--site")
    for site in SITES:
        assert mkc("moments", "plan", *tables(site), *second, site, "-o", f"{site}2.npz").code == 0
    expect(mkc("merge", "plan", "north2.npz", "west2.npz", "--fit", "fit1.npz", "-o", "x.npz"), 3, "'south' is missing")
    assert mkc("moments", "plan", *tables("pooled"), *second, "south", "-o", "other.npz").code == 0
    expect(mkc("merge", "plan", "north2.npz", "other.npz", "west2.npz", "--fit", "fit1.npz", "-o", "x.npz"), 3,
           "site 'south': its tables are not those of the round before")  # fmt: skip
    assert mkc("moments", "plan", *tables("pooled"), *second, "east", "-o", "east2.npz").code == 0
    expect(mkc("merge", "plan", *[f"{site}2.npz" for site in (*SITES, "east")], "--fit", "fit1.npz", "-o", "x.npz"), 3,
           "site 'east' has no part in the fit before")  # fmt: skip
    expect(mkc("moments", "plan", *tables("north"), "--round", 1, "-o", "x.npz"), 2, "--site is missing")
    expect(mkc("moments", "plan", "--round", 1, "-o", "x.npz"), 2, "a plan for tables of sites")
    expect(mkc("moments", "plan", *tables("north")[:2], *first, "x", "-o", "x.npz"), 3, "2 views, the plan has 3")
    expect(mkc("moments", "plan", *reversed(tables("north")), *first, "x", "-o", "x.npz"), 3, "view 1 is 'c'")
    save(planned / "wide", {name: np.hstack([x, x[:, :1]]) for name, x in study(1, 60).items()}, range(60))
    expect(mkc("moments", "plan", *tables("wide"), *first, "x", "-o", "x.npz"), 3, "7 columns, in the plan 6")
    save(planned / "renamed", study(1, 60), range(60), columns="g")
    done = mkc("moments", "plan", *tables("renamed"), *first, "x", "-o", "renamed.npz")
    if done.code == 0:  # drawn columns have no names: the sites' files are compared
        done = mkc("merge", "plan", "north.npz", "renamed.npz", "-o", "x.npz")
    expect(done, 3, "other names of columns")
    done = mkc("plan", *tables("north"), *SIZES, "-o", "own")
    expect(mkc("moments", "own", *tables("north"), *first, "x", "-o", "x.npz"), 2, "a plan of its own samples")
    assert not (planned / "x.npz").exists()


def test_rare_patterns_are_left_out(mkc, planned):
    views = study(3, 300)
    few = np.flatnonzero(~np.isnan(views["c"][:, 0]) & ~np.isnan(views["b"][:, 0]))[:4]
    rare = {**views, "a": views["a"].copy()}
    rare["a"][few] = np.nan  # four samples have b and c alone
    save(planned / "rare", rare, [f"r{i}" for i in range(300)])
    without = {name: np.delete(x, few, axis=0) for name, x in rare.items()}
    save(planned / "without", without, [f"r{i}" for i in range(300) if i not in set(few)])
    done = mkc("moments", "plan", *tables("rare"), "--site", "x", "--min-count", 5, "-o", "rare.npz")
    assert done.code == 0 and "4 of 300 samples are left out: fewer than 5 have the same views" in done.err, done.err
    assert mkc("moments", "plan", *tables("without"), "--site", "x", "-o", "without.npz").code == 0
    with np.load(planned / "rare.npz") as one, np.load(planned / "without.npz") as other:
        names = [name for name in one.files if name.startswith("moments_")]
        assert names and all(np.array_equal(one[name], other[name]) for name in names)


def plan_rows(folder):
    """Samples on which a plan was made."""
    with np.load(folder / "plan.npz") as plan:
        keys = list(plan["plan_keys"])
        rows = plan[f"plan_{keys.index('settings/skipped')}"].ravel().astype(int)
    return {(folder / "samples.txt").read_text().split()[row] for row in rows}


def test_forgotten_samples_leave_the_fit_of_those_that_stay(mkc, tmp_path):
    """Bit for bit what a run on tables without them gives."""
    views, ids = study(2, 2000), [f"s{i}" for i in range(2000)]
    save(tmp_path / "all", views, ids)
    assert mkc("plan", *tables("all"), *SIZES, "--block", 150, "-o", "plan").code == 0
    used = plan_rows(tmp_path / "plan")
    gone = [sample for sample in ids if sample not in used][::7]
    (tmp_path / "gone.txt").write_text("".join(f"{sample}\n" for sample in gone))
    done = mkc("forget", "plan", "--samples", "gone.txt", "-o", "smaller")
    assert done.code == 0 and f"plan of {2000 - len(gone)} samples" in done.err, done.err
    last = ()
    for r in range(1, ROUNDS + 1):
        for i in (1, 2):
            assert mkc("moments", "smaller", "--round", r, *last, "--shard", f"{i}/2", "-o", f"m{r}-{i}.npz").code == 0
        assert mkc("merge", "smaller", f"m{r}-1.npz", f"m{r}-2.npz", *last, "-o", f"fit{r}.npz").code == 0
        last = ("--fit", f"fit{r}.npz")
    assert mkc("apply", "smaller", *last, "-o", "rows").code == 0
    assert mkc("gather", "smaller", "rows", *last, "-o", "result").code == 0
    stay = [i for i, sample in enumerate(ids) if sample not in set(gone)]
    save(tmp_path / "left", {name: x[stay] for name, x in views.items()}, [ids[i] for i in stay])
    assert mkc("complete", *tables("left"), "--form", "factor", *SIZES, "--block", 150, "-o", "refit").code == 0
    files = ["factors/a.npy", "factors/b.npy", "factors/c.npy", "extra.npy", "variance.npy", "samples.txt",
             "observed.tsv", "quality.tsv"]  # fmt: skip
    assert filecmp.cmpfiles(tmp_path / "result", tmp_path / "refit", files, shallow=False)[0] == files
    meta = json.loads((tmp_path / "result/meta_info.json").read_text())
    assert meta["n_samples"] == len(stay)
    expect(
        mkc("moments", "smaller", "--round", 2, "--fit", "m1-1.npz", "-o", "x.npz"), 3, "moments of a shard, not a fit"
    )
    landmark = sorted(used)[0]
    (tmp_path / "gone.txt").write_text(f"{gone[0]}\n{landmark}\n")
    expect(mkc("forget", "plan", "--samples", "gone.txt", "-o", "x"), 3, f"'{landmark}' is one of the", "landmarks",
           "make a new plan of tables without it")  # fmt: skip
    (tmp_path / "gone.txt").write_text("nobody\n")
    expect(mkc("forget", "plan", "--samples", "gone.txt", "-o", "x"), 3, "'nobody' is no sample of the plan")
    assert not (tmp_path / "x").exists()
