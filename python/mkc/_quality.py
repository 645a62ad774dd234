"""Tables of the estimated errors of completed rows and views."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd

from ._inputs import BoolArray


def quality_table(quality: dict[str, Any], observed: BoolArray, index: pd.Index, views: list[str]) -> pd.DataFrame:
    """One row per completed (sample, view), view by view."""
    missing_view, missing_sample = np.nonzero(~observed.T)
    high = quality["high"][missing_sample, missing_view]
    return pd.DataFrame(
        {
            "sample": index[missing_sample],
            "view": np.asarray(views, dtype=object)[missing_view],
            "observed_views": observed.sum(axis=1)[missing_sample],
            "relative_error": quality["error"][missing_sample, missing_view],
            "low": quality["low"][missing_sample, missing_view],
            "high": high,
            "interval": np.where(high <= 1, "known", "unknown").astype(object),
        }
    )


def worth_table(quality: dict[str, Any] | None, views: list[str]) -> pd.DataFrame | None:
    if quality is None:
        return None
    return pd.DataFrame(
        {
            "held_out_error": quality["held_out_errors"],
            "average_row_error": quality["average_row_errors"],
            "mean_of_others_error": quality["mean_of_others_errors"],
            "recovered": quality["recovered"],
            "recovered_standard_error": quality["recovered_deviations"],
            "hidden_samples": quality["hidden_samples_of_view"],
            "verdict": quality["verdicts"],
        },
        index=pd.Index(views, name="view"),
    )
