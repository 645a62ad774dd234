"""kernel=auto: made-up tables of the kinds that people have, from file to kernel, model and prediction."""

import json
import re

import numpy as np
import pytest
from conftest import expect, write_table

N = 60
IDS = [f"P{i:02}" for i in range(N)]


def names(prefix, values):
    return [f"{prefix}{j}" for j in range(values.shape[1])]


def state():
    return np.random.default_rng(1).normal(size=(N, 3))


def counts(seed=2, d=60):
    """Reads of genes that follow the state of the patient."""
    random = np.random.default_rng(seed)
    level = random.normal(4.5, 1.5, size=d) + 0.4 * state() @ random.normal(size=(3, d))
    return random.poisson(np.exp(level + 0.3 * random.normal(size=(N, d)) + 0.4 * random.normal(size=(N, 1)))).astype(
        float
    )


def words(seed=3, d=200):
    random = np.random.default_rng(seed)
    values = random.poisson(np.exp(random.normal(-3, 1, size=d) + 0.8 * state() @ random.normal(size=(3, d)) / 2))
    values = np.minimum(values, 9)
    values[:, 0] += values.sum(1) == 0
    values[0, 1] = 7
    return values.astype(float)


def weights(seed=3):
    values = words(seed) * np.log((1 + N) / (1 + (words(seed) > 0).sum(0)))
    values[:, 0] += values.sum(1) == 0
    return values / np.linalg.norm(values, axis=1, keepdims=True)


def species(seed=4, d=60):
    random = np.random.default_rng(seed)
    level = random.normal(2, 1.5, size=d) + state() @ random.normal(size=(3, d)) / 2
    values = random.poisson(np.exp(level)) * (random.random((N, d)) < 0.35)
    values[:, 0] += 3
    return values.astype(float)


def shares(total, seed=5):
    values = np.exp(np.random.default_rng(seed).normal(size=(N, 8)))
    return total * values / values.sum(1, keepdims=True)


def mutations(seed=6):
    values = (np.random.default_rng(seed).random((N, 40)) < 0.15).astype(float)
    values[:, 0] = np.arange(N) % 2 == 0
    values[:, 1] = 1 - values[:, 0]
    values[0, :4] = 1
    return values


def one_hot(seed=7):
    return np.eye(4)[np.random.default_rng(seed).integers(4, size=N)]


def beta(seed=8, d=40):
    random = np.random.default_rng(seed)
    level = np.where(random.random(d) < 0.5, -1.5, 1.5) + random.normal(size=d)
    return 1 / (1 + np.exp(-level - 0.6 * random.normal(size=(N, d))))


def steps(low, high, seed=9):
    return np.random.default_rng(seed).integers(low, high + 1, size=(N, 12)).astype(float)


def amounts(level, seed=10):
    return np.exp(np.random.default_rng(seed).normal(level, 1, size=(N, 25)))


def heavy(seed=11):
    random = np.random.default_rng(seed)
    return random.normal(size=(N, 25)) / (0.05 + np.abs(random.normal(size=(N, 25))))


def normal(seed=12, unit=1.0):
    return np.random.default_rng(seed).normal(size=(N, 20)) * unit + 7


UNITS = 10.0 ** np.arange(20) / 1e10

KINDS = {
    "rna": (counts, "counts", "library size median, log1p, zscore, rbf, gamma "),
    "news": (words, "word counts", "tfidf, cosine"),
    "tfidf": (weights, "word weights", "sqrt, cosine"),
    "otu": (species, "parts of a whole", "library size 1, sqrt, chi2, gamma "),
    "parts": (lambda: shares(1), "parts of a whole", "library size 1, sqrt, chi2, gamma "),
    "percent": (lambda: shares(100), "parts of a whole", "library size 1, sqrt, chi2, gamma "),
    "snv": (mutations, "two values", "rbf, gamma "),
    "onehot": (one_hot, "one-hot columns", "rbf, gamma "),
    "methyl": (beta, "proportions", "rbf, gamma "),
    "likert": (lambda: steps(1, 5), "ordered steps", "rbf, gamma "),
    "cnv": (lambda: steps(-2, 2), "ordered steps", "rbf, gamma "),
    "mass": (lambda: amounts(6), "skewed amounts", "log1p, zscore, rbf, gamma "),
    "traces": (lambda: amounts(-8), "skewed amounts", "log, zscore, rbf, gamma "),
    "logfc": (heavy, "numbers with heavy tails", "laplacian, gamma "),
    "array": (normal, "numbers of one unit", "rbf, gamma "),
    "clinic": (lambda: normal(unit=UNITS), "numbers of different units", "zscore, rbf, gamma "),
}


def write(tmp_path, name, values, ids=IDS):
    write_table(tmp_path / f"{name}.csv", ids, names(f"{name}_", values), values)
    return f"{name}.csv"


def type_line(text, name):
    found = [line for line in text.splitlines() if line.startswith(f"values of {name} ")]
    assert len(found) == 1, text
    return re.fullmatch(r"values of \S+ look like (.*?) \((.*)\): (.*)", found[0]).groups()


@pytest.mark.parametrize("name", KINDS)
def test_every_kind_is_recognised(mkc, tmp_path, name):
    make, kind, steps_taken = KINDS[name]
    values = make()
    done = mkc("inspect", write(tmp_path, name, values))
    assert done.code == 0, done.err
    found, evidence, kernel = type_line(done.out, name)
    assert found == kind and kernel.startswith(steps_taken), done.out
    assert ", gamma" in kernel or "gamma" not in steps_taken
    if ranges := re.search(r"from (\S+) to ([^\s,]+)", evidence):
        assert np.allclose([float(x) for x in ranges.groups()], [values.min(), values.max()], rtol=1e-3), evidence
    if zeros := re.search(r"(\d+) % zeros", evidence):
        assert abs(float(zeros[1]) - 100 * (values[:, values.std(0) > 0] == 0).mean()) <= 0.51, evidence
    told = mkc("inspect", f"{name}.csv", "--json").json["views"][0]
    assert (told["feature_type"], told["feature_evidence"], told["kernel"]) == (found, evidence, kernel)


@pytest.fixture
def cohort(tmp_path):
    """Counts, words and species of the same patients; each lacks some of them."""
    kept = {"rna": range(48), "news": range(10, 60), "otu": [*range(20), *range(28, 60)]}
    values = {"rna": counts(), "news": words(), "otu": species()}
    for name, rows in kept.items():
        write(tmp_path, name, values[name][list(rows)], [IDS[i] for i in rows])
    return kept, values


COHORT = ["rna.csv", "news.csv", "otu.csv"]


def slow_kernel(name, x, y, gamma=None):
    """From the definition, with what the training samples x say."""
    if name == "news":
        weight = 1 + np.log((1 + len(x)) / (1 + (x != 0).sum(0)))
        a, b = (np.where(z > 1, 1 + np.log(np.maximum(z, 1)), z) * weight for z in (x, y))
        a, b = (z / np.linalg.norm(z, axis=1, keepdims=True) for z in (a, b))
        return b @ a.T
    if name == "otu":
        a, b = (np.sqrt(z / z.sum(1, keepdims=True)) for z in (x, y))
        total = b[:, None] + a[None]
        return np.exp(-gamma * ((b[:, None] - a[None]) ** 2 / np.where(total == 0, 1, total)).sum(2))
    size = np.median(x.sum(1))
    a, b = (np.log1p(size * z / z.sum(1, keepdims=True)) for z in (x, y))
    deviation = np.where(a.std(0) > 0, a.std(0), np.inf)
    a, b = (a - a.mean(0)) / deviation, (b - a.mean(0)) / deviation
    return np.exp(-gamma * ((b[:, None] - a[None]) ** 2).sum(2))


def gamma_of(text):
    found = re.search(r"gamma ([^\s,]+)", text)
    return float(found[1]) if found else None


def test_complete_says_what_it_takes_values_for(mkc, cohort, tmp_path):
    done = mkc("complete", *COHORT, "-m", "wknn", "-o", "out")
    assert done.code == 0, done.err
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    kernels = np.load(tmp_path / "out" / "kernels.npz")
    place = {sample: i for i, sample in enumerate(kernels["samples"])}
    kept, values = cohort
    for view, (name, rows) in zip(meta["views"], kept.items()):
        kind, evidence, steps_taken = type_line(done.out, name)
        assert kind == KINDS[name][1] == view["feature_type"]
        assert evidence == view["feature_evidence"]
        x = values[name][list(rows)]
        at = [place[IDS[i]] for i in rows]
        got = kernels[name][np.ix_(at, at)]
        assert np.allclose(got, slow_kernel(name, x, x, gamma_of(steps_taken)), atol=2e-3), name


def test_the_written_config_gives_the_same_bits(mkc, cohort, tmp_path):
    clinic = "patient,age,size,sex,stage\n" + "".join(
        f"{s},{40 + i % 31},{1.5 * (i % 7)},{'mf'[i % 2]},{('I', 'II', 'III')[i % 3]}\n" for i, s in enumerate(IDS[:50])
    )
    (tmp_path / "clinic.csv").write_text(clinic)
    first = mkc("complete", *COHORT, "clinic.csv", "-m", "wknn", "-o", "out")
    assert first.code == 0, first.err
    again = mkc("complete", "--config", "out/config.toml", "-o", "again")
    assert again.code == 0, again.err
    one, two = (np.load(tmp_path / folder / "kernels.npz") for folder in ("out", "again"))
    assert sorted(one.files) == sorted(two.files) == ["clinic", "news", "otu", "rna", "samples"]
    for name in one.files:
        assert np.array_equal(one[name], two[name]), name


def test_new_samples_get_the_transform_of_training(mkc, cohort, tmp_path):
    done = mkc("complete", *COHORT, "-m", "wknn", "-o", "out", "--save-model", "model.npz")
    assert done.code == 0, done.err
    kept, values = cohort
    fresh = {"rna": counts(seed=22), "news": words(seed=23), "otu": species(seed=24)}
    views = []
    for name in kept:
        new = 3 * fresh[name][:5] if name == "rna" else fresh[name][:5]
        order = np.random.default_rng(0).permutation(new.shape[1])  # found by name
        write_table(
            tmp_path / f"new_{name}.csv", [f"N{i}" for i in range(5)], [f"{name}_{j}" for j in order], new[:, order]
        )
        views += ["--view", f"{name}=new_{name}.csv"]
    done = mkc("predict", "model.npz", *views, "-o", "new")
    assert done.code == 0, done.err
    out = np.load(tmp_path / "new" / "kernels.npz")
    model = np.load(tmp_path / "model.npz")
    place = {sample: i for i, sample in enumerate(out["training_samples"])}
    for m, (name, rows) in enumerate(kept.items()):
        gamma = next((float(w[6:]) for w in model[f"view{m}_recipe"] if re.match(r"gamma=\d", w)), None)
        new = 3 * fresh[name][:5] if name == "rna" else fresh[name][:5]
        expected = slow_kernel(name, values[name][list(rows)], new, gamma)
        got = out[name][:, [place[IDS[i]] for i in rows]]
        assert np.allclose(got, expected, atol=1e-10), name


def test_new_samples_outside_the_domain_are_named(mkc, cohort, tmp_path):
    assert mkc("complete", *COHORT, "-m", "wknn", "-o", "out", "--save-model", "model.npz").code == 0
    new = species(seed=24)[:3]
    new[1, 4] = -2
    write_table(tmp_path / "new.csv", ["N0", "N1", "N2"], names("otu_", new), new)
    expect(mkc("predict", "model.npz", "--view", "otu=new.csv", "-o", "new"), 3, "view 'otu'", "'N1'", "-2")


def test_models_whose_transform_is_damaged_are_refused(mkc, cohort, tmp_path):
    assert mkc("complete", *COHORT, "-m", "wknn", "-o", "out", "--save-model", "model.npz").code == 0
    new = words(seed=23)[:2]
    write_table(tmp_path / "new.csv", ["N0", "N1"], names("news_", new), new)
    arrays = dict(np.load(tmp_path / "model.npz"))
    assert {"view0_transform", "view0_library_size", "view1_transform_learnt"} <= set(arrays)
    learnt = arrays["view1_transform_learnt"]
    for name, value in (
        ("view1_transform", None),
        ("view1_transform", np.array(["cube"])),
        ("view1_transform", np.array(["sqrt"])),
        ("view1_transform_learnt", None),
        ("view1_transform_learnt", learnt[:, :-1]),
        ("view1_transform_learnt", np.full_like(learnt, np.nan)),
        ("view0_library_size", np.array([[-1.0]])),
        ("view0_library_size", np.array([[0.0]])),
        ("view0_library_size", np.array([[np.inf]])),
    ):
        damaged = {**arrays, name: value}
        if value is None:
            del damaged[name]
        np.savez(tmp_path / "odd.npz", **damaged)
        expect(mkc("predict", "odd.npz", "--view", "news=new.csv", "-o", "no"), 3, "is a damaged mkc model", name[:6])


def test_kernel_command_and_evaluate_choose_alike(mkc, cohort, tmp_path):
    done = mkc("kernel", *COHORT, "-o", "k.npz")
    assert done.code == 0, done.err
    kept, values = cohort
    kernels = np.load(tmp_path / "k.npz", allow_pickle=False)
    rows = list(kept["news"])
    place = {sample: i for i, sample in enumerate(kernels["samples"])}
    at = [place[IDS[i]] for i in rows]
    assert np.allclose(kernels["news"][np.ix_(at, at)], slow_kernel("news", values["news"][rows], values["news"][rows]))
    done = mkc("evaluate", *COHORT, "-m", "wknn", "--repeats", 1, "-o", "scores")
    assert done.code == 0, done.err


def test_options_without_effect_are_errors(mkc, tmp_path):
    rna, news, otu = (write(tmp_path, name, KINDS[name][0]()) for name in ("rna", "news", "otu"))
    for view, parts in (
        (f"{rna},kernel=linear,gamma=0.1", ["'gamma' has no effect with kernel=linear", "kernel=rbf"]),
        (f"{rna},kernel=rbf,degree=2", ["'degree' has no effect with kernel=rbf", "kernel=poly"]),
        (f"{rna},kernel=cosine,components=5", ["'components'", "kernel=lsk"]),
        (f"{news},gamma=0.1", ["'gamma' has no effect with kernel=cosine"]),
        (f"{rna},transform=log3", ["'log3'"]),
        (f"{rna},library_size=-1", ["'library_size'", "'-1'"]),
        (f"{otu},kernel=ordinal,transform=clr", ["kernel=ordinal", "transform=clr"]),
    ):
        expect(mkc("complete", view, "-o", "no"), 2, *parts)
        assert not (tmp_path / "no").exists()


def test_options_by_hand_win(mkc, tmp_path):
    values = counts()
    write(tmp_path, "rna", values)
    done = mkc("kernel", "rna.csv,transform=clr,kernel=linear,scale=none", "-o", "k.npz")
    assert done.code == 0, done.err
    logs = np.log(values + 0.5)
    logs -= logs.mean(1, keepdims=True)
    assert np.allclose(np.load(tmp_path / "k.npz")["rna"], logs @ logs.T)
    assert "look like" not in mkc("inspect", "rna.csv,kernel=rbf").out


@pytest.mark.parametrize("kernel", ["chi2", "braycurtis", "ruzicka"])
def test_negative_amounts_are_refused(mkc, tmp_path, kernel):
    values = normal()
    values[7, 3] = -1.5
    expect(mkc("complete", write(tmp_path, "a", values) + f",kernel={kernel}", "-o", "no"), 3, "'P07'", "-1.5")


@pytest.mark.parametrize("name", ["news", "otu", "rna"])
def test_a_sample_without_counts_is_told(mkc, tmp_path, name):
    """An empty document has no direction: a clear result or a clear message."""
    values = KINDS[name][0]()
    values[5] = 0
    write(tmp_path, name, values)
    write(tmp_path, "array", normal())
    done = mkc("complete", f"{name}.csv", "array.csv", "-m", "wknn", "-o", "out")
    if done.code != 0:
        assert done.code == 3
        assert "error: view" in done.err and "P05" in done.err, done.err
        return
    assert "1 of 60 samples is zero in every feature" in done.err, done.err
    meta = json.loads((tmp_path / "out" / "meta_info.json").read_text())
    assert meta["views"][0]["missing"] == 1


def test_words_alone_and_words_beside_numbers(mkc, tmp_path):
    lines = [f"{s},{'mf'[i % 2]},{('I', 'II', 'III')[i % 3]},{('no', 'yes')[i % 5 == 0]}" for i, s in enumerate(IDS)]
    (tmp_path / "words.csv").write_text("patient,sex,stage,smoker\n" + "\n".join(lines) + "\n")
    done = mkc("kernel", "words.csv", "-o", "k.npz")
    assert done.code == 0, done.err
    cells = np.array([line.split(",")[1:] for line in lines])
    equal = (cells[:, None] == cells[None]).mean(2)
    assert np.allclose(np.load(tmp_path / "k.npz")["words"], equal)
    for option in ("kernel=rbf", "kernel=linear", "gamma=0.1"):
        expect(mkc("kernel", f"words.csv,{option}", "-o", "no.npz"), 2, "words.csv", option.split("=")[0])

    age = np.arange(N) % 17 + 40.5
    mixed = [f"{line},{a}" for line, a in zip(lines, age)]
    (tmp_path / "mixed.csv").write_text("patient,sex,stage,smoker,age\n" + "\n".join(mixed) + "\n")
    done = mkc("kernel", "mixed.csv,gamma=0.5", "-o", "m.npz")
    assert done.code == 0, done.err
    z = (age - age.mean()) / age.std()
    expected = (3 * equal + np.exp(-0.5 * (z[:, None] - z[None]) ** 2)) / 4
    assert np.allclose(np.load(tmp_path / "m.npz")["mixed"], expected)
    expect(mkc("kernel", "mixed.csv,kernel=linear", "-o", "no.npz"), 2, "mixed.csv", "hold words")


def test_gaps_do_not_change_the_type(mkc, tmp_path):
    for name in ("rna", "likert", "otu"):
        values = KINDS[name][0]()
        values[3, 4] = values[9, 2] = np.nan
        write(tmp_path, name, values)
        for policy in ("mean", "drop"):
            done = mkc("inspect", f"{name}.csv", "--na-features", policy)
            assert done.code == 0, done.err
            assert type_line(done.out, name)[0] == KINDS[name][1]


def test_many_views_are_compared_with_few(mkc, tmp_path):
    """The time to choose widths grows with the number of views, not with its square."""
    random = np.random.default_rng(0)
    ids = [f"s{i}" for i in range(30)]
    manifest = []
    for i in range(1000):
        values = random.normal(size=(30, 3))
        np.savez(tmp_path / f"{i}.npz", samples=np.array(ids), **{f"v{i}": values})
        manifest.append(f'[[view]]\nname = "v{i}"\nfile = "{i}.npz"\n')
    (tmp_path / "many.toml").write_text("".join(manifest))
    done = mkc("inspect", "many.toml", timeout=60)
    assert done.code == 0, done.err[-500:]
    assert "1000 views, 30 samples" in done.out


def test_values_outside_a_transform_are_named(mkc, tmp_path):
    rows = [[f"s{i}", i, "ab"[i % 2], 2 * i - 3, i * i] for i in range(8)]
    table = "id,dose,group,change,square\n" + "".join(",".join(map(str, row)) + "\n" for row in rows)
    (tmp_path / "a.csv").write_text(table)
    (tmp_path / "b.csv").write_text(table)
    result = mkc("complete", "a.csv,kernel=rbf,transform=sqrt", "b.csv", "-o", "out")
    assert result.code == 3
    assert "a.csv" in result.err and "sample 's0', column 'change' is -3" in result.err
