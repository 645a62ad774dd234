"""Results as small pieces of HTML, for notebooks."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

import pandas as pd


def shown(title: str, table: pd.DataFrame, notes: Sequence[str] = ()) -> str:
    """A title, a table and notes; every text is escaped."""
    items = "".join(f"<li>{escape(note)}</li>" for note in notes)
    listed = f"<ul>{items}</ul>" if items else ""
    body = table.to_html(border=0, escape=True, max_rows=20, na_rep="", float_format="{:.3g}".format)
    return f"<div><p><strong>{escape(title)}</strong></p>{body}{listed}</div>"
