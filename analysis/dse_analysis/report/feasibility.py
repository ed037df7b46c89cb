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
    return gathered(statuses, axes, _reasons(table))


def gathered(statuses, axes, reasons):
    """Return a `FeasibilityInfo` with the most frequent of all reasons."""
    return FeasibilityInfo(statuses, axes, reasons[:_MOST_REASONS], sum(reason.count for reason in reasons[_MOST_REASONS:]))


def _axis_status(column, name, codes, statuses, texts):
    place, values = pd.factorize(column.cat.codes if isinstance(column.dtype, pd.CategoricalDtype) else column.to_numpy(),
                                 sort=True, use_na_sentinel=False)
    if isinstance(column.dtype, pd.CategoricalDtype):
        shown = ["—" if code < 0 else str(column.cat.categories[code]) for code in values]
    else:
        shown = texts(pd.Series(values), name)
    counts = np.bincount(place * statuses + codes, minlength=len(shown) * statuses)
    return AxisStatus(name, *in_ranges(shown, shown, counts.reshape(len(shown), statuses)))


def in_ranges(lower, upper, counts):
    """Return what values are called and their counts, in few ranges if there are many values.

    Parameters
    ----------
    lower, upper : list of str
        Least and largest of each value or class, ascending.
    counts : numpy.ndarray of int, shape (n_values, n_statuses)

    Returns
    -------
    shown : list of str
    counts : numpy.ndarray of int
    """
    starts = np.arange(len(lower) + 1)
    if len(lower) > _MOST_VALUES:
        starts = np.unique(np.linspace(0, len(lower), _RANGES + 1).astype(int))
    shown = [lower[first] if last - first == 1 and lower[first] == upper[first] else f"{lower[first]} … {upper[last - 1]}"
             for first, last in zip(starts, starts[1:])]
    return shown, np.add.reduceat(counts, starts[:-1], axis=0) if len(lower) else counts


def _reasons(table):
    """Return the reasons, those that differ only in numbers together."""
    reasons = Reasons()
    reasons.add(table)
    return reasons.found()


class Reasons:
    """Reasons of rows, those that differ only in numbers together."""

    def __init__(self):
        self._kinds = {}  # (status, form): {text: count}
        self._more = {}   # (status, form): rows of which the text is not among these

    def add(self, table, most=None):
        """Add rows; of each form, `most` texts (None: all) are counted by themselves."""
        rows = table.loc[table["status"] != "ok", ["status", "reason"]]
        counts = rows.groupby(["status", "reason"], observed=True).size().sort_values(ascending=False)
        for (status, text), count in counts.items():
            kind = status, _NUMBER.sub("…", text)
            texts = self._kinds.setdefault(kind, {})
            if text in texts or most is None or len(texts) < most:
                texts[text] = texts.get(text, 0) + int(count)
            else:
                self._more[kind] = self._more.get(kind, 0) + int(count)

    def found(self):
        """Return a list of `Reason`, most frequent first."""
        found = [Reason(status, form if len(texts) > 1 else next(iter(texts)), sum(texts.values()) + self._more.get((status, form), 0),
                        max(texts, key=texts.get)) for (status, form), texts in self._kinds.items()]
        return sorted(found, key=lambda reason: -reason.count)
