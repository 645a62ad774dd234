"""What users write: mypy and pyright check it in their strict modes (test_types.py)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pandas as pd
import polars
import scipy.sparse
from typing_extensions import assert_type

import mkc

FloatArray = npt.NDArray[np.float64]

samples = [f"p{i}" for i in range(30)]
random = np.random.default_rng(0)
rna = pd.DataFrame(random.normal(size=(30, 5)), index=samples)
counts = scipy.sparse.csr_matrix(random.poisson(size=(30, 8)).astype(float))
other = scipy.sparse.csr_matrix(random.poisson(size=(30, 6)).astype(float))


def cosine(A: FloatArray, B: FloatArray) -> FloatArray:
    lengths = np.outer(np.linalg.norm(A, axis=1), np.linalg.norm(B, axis=1))
    return np.asarray(A @ B.T / lengths, dtype=np.float64)


# Sparse tables become arrays
of_sparse = mkc.compute_kernels({"counts": counts, "other": other}, {"counts": "lsk", "other": cosine}, components=3)
assert_type(of_sparse, dict[str, FloatArray])
assert_type(mkc.MultiViewKernel("linear").fit_transform({"counts": counts}), dict[str, FloatArray])
trace: float = float(np.trace(of_sparse["counts"]))
mkc.compute_kernels({"counts": counts, "rna": rna.to_numpy(dtype=np.float64)})

# DataFrames stay DataFrames
kernels = mkc.compute_kernels({"rna": rna, "half": rna.iloc[:20]})
assert_type(kernels, dict[str, pd.DataFrame])
completion = mkc.complete(kernels, "wknn", k=3, random_state=1, quality=True)
assert_type(completion.kernels, dict[str, pd.DataFrame])
assert_type(completion.frames, dict[str, pd.DataFrame])
names: list[str] = completion.views
first = completion.kernels["rna"].loc["p0", "p1"]
if completion.quality is not None:
    worst = completion.quality.sort_values("relative_error").tail(1)

# Arrays stay arrays
listed = mkc.complete([of_sparse["counts"], of_sparse["other"]], "mean")
assert_type(listed.kernels, list[FloatArray])
stack = np.stack([of_sparse["counts"], of_sparse["other"]])
assert_type(mkc.complete(stack, "mean").kernels, FloatArray)
assert_type(mkc.ampute({"rna": rna}, 0.2), dict[str, pd.DataFrame])
assert_type(mkc.combine(completion), FloatArray)
assert_type(mkc.combine(completion, as_frame=True), pd.DataFrame)
assert_type(mkc.advise(completion, budget=2, cost={"rna": 2.0}, batch=True).ranking, pd.DataFrame)
found = mkc.cluster(completion, 2, resamples=3)
assert_type(found, mkc.Clustering)
assert_type(mkc.embed(completion, "latent").coordinates, pd.DataFrame)
assert_type(mkc.drivers(completion, {"rna": rna}, clusters=found, top=3), mkc.Drivers)

# Estimators
maker = mkc.MultiViewKernel({"rna": "rbf"}, transform="rank")
made = maker.fit_transform({"rna": rna, "half": rna.iloc[:20]})
assert_type(made, dict[str, pd.DataFrame])
rows = maker.transform({"rna": rna.iloc[:2]})
diagonal: FloatArray = rows.diagonals["rna"]
assert_type(maker.kernels_chosen_, pd.DataFrame)
completer = mkc.KernelCompleter("wknn", k=3).fit(made)
assert_type(completer.transform(made), dict[str, pd.DataFrame])
error: float = completer.score(made)
assert_type(completer.samples_, "pd.Index")
assert_type(completer.quality_, "pd.DataFrame | None")
stacked = mkc.stack_views({"rna": rna, "half": rna.iloc[:20]})
assert_type(mkc.StackedViews().fit(stacked).transform(stacked), dict[str, pd.DataFrame])

# Other packages and other results
table = polars.DataFrame({"sample": samples, "x": random.normal(size=30)})
mkc.compute_kernels({"x": table})
ranked = mkc.compute_kernels({"rna": rna}, {"rna": {"kernel": "rbf"}}, transform="rank", gamma="median", ids="exact")
assert_type(ranked, dict[str, pd.DataFrame])
scores = mkc.evaluate(kernels, ["mean", "knn"], repeats=1)
assert_type(scores, pd.DataFrame)
summary = mkc.inspect(kernels)
assert_type(summary.views, pd.DataFrame)
assert_type(mkc.methods("wknn"), pd.DataFrame)
mkc.plot.kernels(completion)

# Names are known one by one, also those that are loaded when they are used
if TYPE_CHECKING:
    misspelt = mkc.KernelCompletor  # type: ignore[attr-defined]
