"""One run of one way to complete or to cluster incomplete views, in a process of its own, for peers.py.

    peer_runs.py NAME SET FOLDER BINARY

Prints one JSON line: error, nmi, accuracy, seconds, mib; matched and nmi of clusters; or a note. `error` is that of
centred kernel rows in percent. The
sets, masks, prepared features and kernels are the same for all.
"""

import csv
import json
import resource
import subprocess
import sys
import warnings

import numpy as np
import peer_sets

SEEDS = range(3)
CLUSTER_SEEDS = range(5)


def processor_seconds():
    """Of this process and those it waited for: other work on the machine does not count."""
    usages = map(resource.getrusage, (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN))
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)


def mean_kernel(kernels):
    """Each centred and of mean diagonal 1, so that no view counts for its unit alone."""
    total = 0
    for K in kernels:
        centred = K - K.mean(0) - K.mean(1)[:, None] + K.mean()
        total = total + centred / centred.diagonal().mean()
    return total / len(kernels)


def centred_error(truth, found, observed):
    """Mean over hidden rows of ||H(K^ - K)_t|| / ||(HKH)_t||, then over the views, in percent."""
    errors = []
    for K, E, seen in zip(truth, found, observed.T):
        hidden = np.flatnonzero(~seen)
        a, b = (X - X.mean(0) - X.mean(1)[:, None] + X.mean() for X in (K, E))
        errors.append(np.mean(np.linalg.norm((b - a)[hidden], axis=1) / np.linalg.norm(a[hidden], axis=1)))
    return 100 * float(np.mean(errors))


def matched(classes, labels):
    """Share of samples in the right cluster after the best matching, and normalised mutual information."""
    from scipy.optimize import linear_sum_assignment
    from sklearn.metrics import normalized_mutual_info_score
    from sklearn.metrics.cluster import contingency_matrix

    counts = contingency_matrix(classes, labels)
    right = counts[linear_sum_assignment(-counts)].sum() / len(classes)
    return float(right), float(normalized_mutual_info_score(classes, labels))


def spectral_nmi(K, classes):
    from sklearn.cluster import KMeans

    k = len(set(classes))
    rows = np.linalg.eigh(K)[1][:, -k:]
    rows /= np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-12)
    return float(
        np.mean([matched(classes, KMeans(k, n_init=20, random_state=seed).fit_predict(rows))[1] for seed in SEEDS])
    )


def svm_accuracy(K, classes):
    """Five folds, C = 10, kernel of mean diagonal 1; percent, mean over three draws of the folds."""
    from sklearn.model_selection import StratifiedKFold
    from sklearn.svm import SVC

    right = []
    for seed in SEEDS:
        for train, test in StratifiedKFold(5, shuffle=True, random_state=seed).split(K, classes):
            model = SVC(C=10, kernel="precomputed").fit(K[np.ix_(train, train)], classes[train])
            right.append(np.mean(model.predict(K[np.ix_(test, train)]) == classes[test]))
    return 100 * float(np.mean(right))


def by_table(impute):
    """A completion that fills one table of all features at once."""

    def run(tables):
        whole = impute(np.hstack(tables))
        return np.split(whole, np.cumsum([Z.shape[1] for Z in tables])[:-1], axis=1)

    return run


def fill_means(table):
    return np.where(np.isnan(table), np.nanmean(table, axis=0), table)


def fill_knn(table):
    from sklearn.impute import KNNImputer

    return KNNImputer(n_neighbors=10).fit_transform(table)


def fill_iterative(table):
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    return IterativeImputer(max_iter=5, n_nearest_features=20, random_state=0).fit_transform(table)


def fill_forest(table):
    """As missForest: every feature from the others by trees, in rounds."""
    from sklearn.ensemble import ExtraTreesRegressor
    from sklearn.experimental import enable_iterative_imputer  # noqa: F401
    from sklearn.impute import IterativeImputer

    trees = ExtraTreesRegressor(n_estimators=10, max_features="sqrt", min_samples_leaf=2, random_state=0)
    return IterativeImputer(trees, max_iter=3, n_nearest_features=50, random_state=0).fit_transform(table)


def fill_svd(table, rank=20):
    """Truncated SVD, refilled until it settles."""
    gap = np.isnan(table)
    filled = fill_means(table)
    for _ in range(60):
        U, s, V = np.linalg.svd(filled, full_matrices=False)
        low = (U[:, :rank] * s[:rank]) @ V[:rank]
        if np.linalg.norm((low - filled)[gap]) < 1e-4 * np.linalg.norm(filled):
            break
        filled = np.where(gap, low, filled)
    return filled


def fill_mofa(tables):
    import contextlib

    from mofapy2.run.entry_point import entry_point

    with contextlib.redirect_stdout(sys.stderr):
        mofa = entry_point()
        mofa.set_data_options(scale_views=True)
        mofa.set_data_matrix([[Z.copy()] for Z in tables])  # it centres and scales them in place
        mofa.set_model_options(factors=min(40, len(tables[0]) // 4))
        mofa.set_train_options(seed=0, convergence_mode="fast", iter=300)
        mofa.build()
        mofa.run()
        mofa.impute(mask_outliers=False)  # an outlier's row would be NaN
        filled = mofa.imputed_data["mean"] if isinstance(mofa.imputed_data, dict) else mofa.imputed_data
        views = [np.asarray(view[0] if isinstance(view, list) else view) for view in filled]
    means = [np.nanmean(Z, axis=0) for Z in tables]
    return [np.where(np.isnan(Z), V * np.nanstd(Z - mean) + mean, Z) for Z, V, mean in zip(tables, views, means)]


FILLERS = {
    "feature means": by_table(fill_means),
    "KNNImputer (scikit-learn, k = 10)": by_table(fill_knn),
    "IterativeImputer (scikit-learn)": by_table(fill_iterative),
    "trees in rounds, as missForest": by_table(fill_forest),
    "iterative SVD, rank 20": by_table(fill_svd),
    "MOFA (mofapy2, impute)": fill_mofa,
}
MOST_FEATURES = {"IterativeImputer (scikit-learn)": 2000, "trees in rounds, as missForest": 2000}


def cluster_snf(tables, k, seed):
    """Similarity network fusion of features filled by their means: it wants complete views."""
    import snf
    from sklearn.cluster import spectral_clustering

    networks = snf.make_affinity([fill_means(Z) for Z in tables], metric="sqeuclidean", K=20, mu=0.5)
    return spectral_clustering(snf.snf(networks, K=20), n_clusters=k, random_state=seed)


def by_imml(name):
    def run(tables, k, seed):
        import imml.cluster
        import pandas as pd

        return getattr(imml.cluster, name)(n_clusters=k, random_state=seed).fit_predict(
            [pd.DataFrame(Z) for Z in tables]
        )

    return run


CLUSTERERS = {"SNF (snfpy) on feature means": cluster_snf} | {
    f"{name} (iMML)": by_imml(name) for name in ("NEMO", "DAIMC", "EEIMVC", "LFIMVC", "IMSR", "SIMCADC")
}


def cluster_scores(name, data):
    k = len(set(data.classes))
    return spreads([matched(data.classes, CLUSTERERS[name](data.tables(), k, seed)) for seed in CLUSTER_SEEDS])


def spreads(scores):
    scores = np.array(scores)
    return {
        "matched": scores[:, 0].mean(),
        "matched_sd": scores[:, 0].std(),
        "nmi": scores[:, 1].mean(),
        "nmi_sd": scores[:, 1].std(),
    }


def complete_by_mkc(binary, method, folder, kernels, observed):
    """From kernels alone: mkc never sees features here."""
    files = []
    for m, (K, seen) in enumerate(zip(kernels, observed.T)):
        ids = np.array([f"s{i}" for i in np.flatnonzero(seen)])
        np.savez(f"{folder}/v{m}.npz", K=K[np.ix_(seen, seen)], samples=ids)
        files.append(f"{folder}/v{m}.npz:K")
    command = [binary, "complete", *files, "-m", method, "-o", f"{folder}/out", "-f", "-q", "--report", "none"]
    started = processor_seconds()
    subprocess.run(command, check=True, capture_output=True, text=True)
    seconds = processor_seconds() - started
    out = np.load(f"{folder}/out/kernels.npz")
    place = {sample: i for i, sample in enumerate(out["samples"])}
    order = [place[f"s{i}"] for i in range(len(observed))]
    names = [name for name in out.files if out[name].ndim == 2 and out[name].shape == (len(order), len(order))]
    return [out[name][np.ix_(order, order)] for name in names], seconds


def our_clusters(binary, method, folder, data):
    """Complete, then `mkc cluster` with the number of classes and nothing else."""
    kernels = [data.kernel(X) for X in data.views]
    complete_by_mkc(binary, method, folder, kernels, data.observed)
    scores = []
    for seed in CLUSTER_SEEDS:
        table = f"{folder}/clusters.tsv"
        k = len(set(data.classes))
        command = [binary, "cluster", f"{folder}/out", "-k", k, "--seed", seed, "-o", table, "-f", "-q"]
        subprocess.run(list(map(str, command)), check=True, capture_output=True)
        with open(table) as text:
            found = {row["sample"]: int(row["cluster"]) for row in csv.DictReader(text, delimiter="\t")}
        scores.append(matched(data.classes, [found[f"s{i}"] for i in range(len(data.classes))]))
    return spreads(scores)


def main(name, set_name, folder, binary):
    data = peer_sets.SETS[set_name]()
    started = processor_seconds()
    if name in CLUSTERERS:
        scores = cluster_scores(name, data)
        print(json.dumps(scores | {"seconds": (processor_seconds() - started) / len(CLUSTER_SEEDS)}))
        return
    if name.startswith("clusters "):
        print(json.dumps(our_clusters(binary, name.removeprefix("clusters "), folder, data)))
        return
    truth = [data.kernel(X) for X in data.views]
    if name.startswith("mkc "):
        found, seconds = complete_by_mkc(binary, name.removeprefix("mkc "), folder, truth, data.observed)
        mib = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    else:
        features = sum(X.shape[1] for X in data.views)
        if features > MOST_FEATURES.get(name, features):
            print(json.dumps({"note": f"left out: {features} features take too long"}))
            return
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        started = processor_seconds()
        found = [data.kernel(X) for X in FILLERS[name](data.tables())]
        seconds = processor_seconds() - started
        mib = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) / 1024
    K = mean_kernel(found)
    scores = {"error": centred_error(truth, found, data.observed), "nmi": spectral_nmi(K, data.classes)}
    print(json.dumps(scores | {"accuracy": svm_accuracy(K, data.classes), "seconds": seconds, "mib": mib}))


if __name__ == "__main__":
    warnings.simplefilter("ignore")
    main(*sys.argv[1:])
