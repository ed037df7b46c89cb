"""What became of the points: where in the space, and why there is no answer."""

import re
from typing import NamedTuple

import numpy as np
import pandas as pd

from dse_analysis.results import varied_axes
from dse_analysis.summary import status_counts

_MOST_VALUES = 16
_RANGES = 8  # of an axis with more
_MOST_REASONS = 30
_NUMBER = re.compile(r"\d[\d.,]*(?:e[+-]?\d+)?(?<![.,])")


class AxisStatus(NamedTuple):
    """How the points at each value of an axis ended."""

    axis: str
    values: list         #: (n_values,) texts, ascending; ranges of an axis with many values
    counts: np.ndarray   #: (n_values, n_statuses) of int


class Reason(NamedTuple):
    """Reasons that differ in their numbers only."""

    status: str
    text: str      #: with … for every number that differs between points
    count: int
    example: str   #: the most frequent one, whole


class FeasibilityInfo(NamedTuple):
    """Shares of each status over the space, and the reasons."""

    statuses: list  #: names, `ok` first, then the most frequent
    axes: list      #: of AxisStatus
    reasons: list   #: of Reason, most frequent first
    left_out: int   #: points of which the reason is not among `reasons`


def feasibility_info(table, texts):
    """Collect what became of the points.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    texts : callable
        (sorted unique values of a column as pandas.Series, name) -> list of str.

    Returns
    -------
    FeasibilityInfo
    """
    statuses = sorted(status_counts(table).index, key=lambda status: status != "ok")
    codes = pd.Categorical(table["status"], categories=statuses).codes
    axes = [_axis_status(table[name], name, codes, len(statuses), texts) for name in varied_axes(table)]
    reasons = _reasons(table)
    return FeasibilityInfo(statuses, axes, reasons[:_MOST_REASONS], sum(reason.count for reason in reasons[_MOST_REASONS:]))


def _axis_status(column, name, codes, statuses, texts):
    place, values = pd.factorize(column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column.to_numpy(),
                                 sort=True, use_na_sentinel=False)
    if isinstance(column.dtype, pd.CategoricalDtype):
        shown = ["—" if code < 0 else str(column.cat.categories[code]) for code in values]
    else:
        shown = texts(pd.Series(values), name)
    if len(values) > _MOST_VALUES:
        starts = np.unique(np.linspace(0, len(values), _RANGES + 1).astype(int))
        place = np.searchsorted(starts, place, side="right") - 1
        shown = [shown[first] if last - first == 1 else f"{shown[first]} … {shown[last - 1]}"
                 for first, last in zip(starts, starts[1:])]
    counts = np.bincount(place * statuses + codes, minlength=len(shown) * statuses)
    return AxisStatus(name, shown, counts.reshape(len(shown), statuses))


def _reasons(table):
    """Return the reasons, those that differ only in numbers together."""
    rows = table.loc[table["status"] != "ok", ["status", "reason"]]
    counts = rows.groupby(["status", "reason"], observed=True).size().sort_values(ascending=False)
    kinds = {}
    for (status, text), count in counts.items():
        kinds.setdefault((status, _NUMBER.sub("…", text)), []).append((text, int(count)))
    found = [Reason(status, form if len(texts) > 1 else texts[0][0], sum(count for _, count in texts), texts[0][0])
             for (status, form), texts in kinds.items()]
    return sorted(found, key=lambda reason: -reason.count)
