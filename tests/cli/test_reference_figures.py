"""Errors of the methods on published kernels against reference figures.

Average relative errors in percent over the hidden rows, mean over views. Hidden rows are NaN before
anything reads them. The tests need the data folder and are skipped without it.
"""

import numpy as np
import pytest

NEIGHBOURS = [1, 2, 3, 5, 7, 10]

# set, mask: mean of others, knn, wknn
FIGURES = {
    ("cvkt_simulated/sim_rbf_K", "sim_rbf_missing1_MID"): (16.08, 7.28, 7.19),
    ("cvkt_simulated/sim_rbf_K", "sim_rbf_missing2_MID"): (17.44, 8.30, 8.19),
    ("cvkt_simulated/sim_rbf_K", "sim_rbf_missing3_MID"): (19.24, 9.70, 9.55),
    ("cvkt_simulated/sim_rbf_K", "sim_rbf_missing4_MID"): (22.91, 11.20, 10.86),
    ("cvkt_digits/digits_K_n200", "digits_MID_missing10_n200"): (24.64, 10.57, 10.92),
    ("cvkt_digits/digits_K_n200", "digits_MID_missing30_n200"): (30.04, 12.77, 12.94),
    ("cvkt_digits/digits_K_n200", "digits_MID_missing50_n200"): (34.64, 15.70, 15.90),
}


def load(data, kernels, mask):
    loadmat = pytest.importorskip("scipy.io").loadmat
    folder = kernels.split("/")[0]
    arrays = [v for k, v in loadmat(data / f"{kernels}.mat").items() if not k.startswith("_")]
    masks = [v for k, v in loadmat(data / folder / f"{mask}.mat").items() if not k.startswith("_")]
    truth = np.moveaxis(np.asarray(arrays[0], float), -1, 0)
    observed = np.asarray(masks[0]).astype(bool)
    return truth, observed


def are(truth, estimate, observed):
    views = []
    for m in range(len(truth)):
        rows = ~observed[:, m]
        if rows.any():
            error = np.linalg.norm(estimate[m][rows] - truth[m][rows], axis=1)
            views.append(100 * np.mean(error / np.linalg.norm(truth[m][rows], axis=1)))
    return np.mean(views)


class Completer:
    """Completes one set with any method and measures the hidden rows."""

    def __init__(self, mkc, data, folder, source):
        self.mkc, self.folder = mkc, folder
        self.truth, self.observed = load(data, *source)
        hidden = self.truth.copy()
        for m in range(len(hidden)):
            hidden[m][~self.observed[:, m]] = np.nan
            hidden[m][:, ~self.observed[:, m]] = np.nan
        np.savez(folder / "k.npz", **{f"v{m}": k for m, k in enumerate(hidden)})

    def error(self, method, *extra):
        out = method.replace(",", "_").replace("=", "_")
        result = self.mkc("complete", "k.npz", "-m", method, "-o", out, *extra)
        assert result.code == 0, result.err
        completed = np.load(self.folder / out / "kernels.npz")
        return are(self.truth, [completed[f"v{m}"] for m in range(len(self.truth))], self.observed)


def name_of(value):
    return value[-1] if isinstance(value[0], str) else ""


@pytest.mark.parametrize("source, figures", FIGURES.items(), ids=name_of)
def test_baselines_reach_the_reference_figures(mkc, data, tmp_path, source, figures):
    """Within 1 % of figures measured elsewhere, with the best k of 1, 2, 3, 5, 7, 10 by truth."""
    completer = Completer(mkc, data, tmp_path, source)
    mean, knn, wknn = figures
    assert completer.error("mean", "--fitted") == pytest.approx(mean, rel=0.01)
    assert min(completer.error(f"knn,k={k}") for k in NEIGHBOURS) == pytest.approx(knn, rel=0.01)
    assert min(completer.error(f"wknn,k={k}") for k in NEIGHBOURS) == pytest.approx(wknn, rel=0.01)


SIMULATED, DIGITS = "cvkt_simulated/sim_rbf_K", "cvkt_digits/digits_K_n200"


@pytest.mark.parametrize(
    "source, method, at_most",
    [
        ((SIMULATED, "sim_rbf_missing1_MID"), "embd_ht", 8.0),
        ((SIMULATED, "sim_rbf_missing1_MID"), "embd_hm", 8.0),
        ((SIMULATED, "sim_rbf_missing1_MID"), "sdp", 11.9),
        ((DIGITS, "digits_MID_missing30_n200"), "embd_ht", 11.7),
        ((DIGITS, "digits_MID_missing30_n200"), "embd_hm", 11.7),
    ],
    ids=lambda v: v if isinstance(v, str) else "",
)
def test_methods_of_the_paper_reach_their_reference_figures(mkc, data, tmp_path, source, method, at_most):
    """Every option chosen on held-out observed rows."""
    assert Completer(mkc, data, tmp_path, source).error(method) <= at_most


# The objectives as printed, from an independent NumPy version, on cvkt_simulated missing1
PRINTED = {
    "embd_hm,c2=0.1,start=identity,readout=identity": 14.5,
    "embd_hm,c2=1,start=identity,readout=identity": 22.6,
    "embd_ht,c1=10,c2=0.3,rows=zero,start=identity,readout=identity": 32.5,
    "embd_ht,c1=10,c2=0.3,rows=zero,start=identity,readout=weights": 32.2,
}


@pytest.fixture
def printed(mkc, data, tmp_path):
    """The error of a method as printed, one start, losses divided by what zero weights cost."""
    completer = Completer(mkc, data, tmp_path, (SIMULATED, "sim_rbf_missing1_MID"))
    return lambda method: completer.error(f"{method},form=paper,scaling=unit,n_init=1", "--fitted")


@pytest.mark.parametrize("method, figure", PRINTED.items())
def test_printed_objectives_reach_the_reference_figures(printed, method, figure):
    """Within 4 %: neither version has converged after its number of steps."""
    assert printed(method) == pytest.approx(figure, rel=0.04)


def test_the_paper_reads_out_what_was_solved(printed):
    """Elsewhere 18.9 (random) and 17.8 % (leave-one-out start), but 107 % from a random start with A_II = I.

    The values depend on the draw and on the number of steps, so ranges are tested: weights as solved are a
    completion, and putting the identity in their place destroys it where they are far from the identity.
    """
    method = "embd_ht,c1=10,c2=0.3,rows=zero,tol=0"
    assert 16 < printed(f"{method},start=loo,ridge=0.01,readout=weights") < 21
    random = printed(f"{method},start=random,readout=weights")
    assert 17 < random < 26
    assert printed(f"{method},start=random,readout=identity") > 1.4 * random
