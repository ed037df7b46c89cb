"""Reads the rows of a large results file that figures and summaries need, in memory independent of its size.

Of millions of rows, a figure draws some tens of thousands, and a summary shows the front. Statistics of all
rows, such as the number of points per status and the axes that vary, are computed as the rows are read.
"""

import numpy as np
import pandas as pd

from dse_analysis.pareto import front_mask
from dse_analysis.progress import watched
from dse_analysis.summary import noted_rows

MOST_ROWS = 500_000  #: largest number of rows of a file that is read completely

_MOST_SAMPLED = 120_000
_MOST_PAIRS = 1 << 18  #: rows that are compared with each other, per axis that may be idle


def thinned(results, kept, fronts, block=1 << 17, sampled=_MOST_SAMPLED):
    """Read the relevant rows of an open `Results`.

    Parameters
    ----------
    results : Results
    kept : collection of str
        Metrics that figures and summaries use.
    fronts : list of list of (str, str)
        Objectives, (metric, "minimize" | "maximize"), of the fronts whose rows are all kept.
    block : int
        Number of rows in memory at a time.
    sampled : int
        Number of further feasible rows to keep, drawn uniformly. The sample does not depend on the blocks.

    Returns
    -------
    pandas.DataFrame
        As `read_results` returns it, with some of the columns and rows. `attrs` also has statistics of all
        rows: ``points``, their number, ``status_counts`` {status: number}, ``varied``, the axes and derived
        values with more than one value, and ``idle``, the axes without any effect.
    """
    axes, metrics = results.attrs["axes"], results.attrs["metrics"]
    kept = {*kept, *(name for front in fronts for name, _ in front)}
    columns = [*axes, *(name for name in metrics if name in kept), "status", "point_id"]
    random = np.random.default_rng(0)
    watch = Watch(results.attrs)
    held = None
    for table in watched(results.blocks([*axes, *metrics, "status", "point_id"], block), len(results)):
        watch.add(table)
        rows = table.loc[table["status"] == "ok", columns].copy()
        rows["_draw"] = random.random(len(rows))
        held = _kept(rows if held is None else pd.concat([held, rows], ignore_index=True), fronts, sampled)
    table = results.table(columns, 0, 0) if held is None else held.drop(columns="_draw")
    table.attrs = {**results.attrs, "points": len(results), **watch.known()}
    return table


def _kept(rows, fronts, sampled):
    """Return the rows that are on a front or in the sample, i.e. among the smallest draws."""
    keep = np.zeros(len(rows), dtype=bool)
    for front in fronts:
        names = [name for name, _ in front if rows[name].notna().any()]
        maximize = [names.index(name) for name, direction in front if name in names and direction == "maximize"]
        if names:
            keep |= front_mask(rows[names].to_numpy(), maximize)
    draws = rows["_draw"].to_numpy()
    if len(draws) > sampled:
        keep |= draws <= np.partition(draws, sampled - 1)[sampled - 1]
    else:
        keep[:] = True
    return rows[keep].reset_index(drop=True)


class Watch:
    """Statistics of all rows, updated as they are read."""

    def __init__(self, attrs):
        self._axes, self._metrics = attrs["axes"], attrs["metrics"]
        self._first, self._varied = {}, set()
        self._counts, self._noted = {}, {}
        self._pairs = {name: _Pairs() for name in attrs["file"].get("axes", attrs["axes"]) if name in attrs["axes"]}

    def add(self, table):
        """Add a block of rows; return, per declared axis, hashes of the values of all others."""
        table = table.copy(deep=False)
        table.attrs = {}  # pandas copies them, deeply, with every selection
        for status, count in table["status"].value_counts().items():
            self._counts[status] = self._counts.get(status, 0) + int(count)
        for name in self._axes:
            hashes = _hashes(table[name])
            first = self._first.setdefault(name, hashes[0])
            if (hashes != first).any():
                self._varied.add(name)
        for note, count in noted_rows(table).items():
            self._noted[note] = self._noted.get(note, 0) + count
        return self._add_pairs(table)

    def _add_pairs(self, table):
        parts = {name: _mixed(_hashes(table[name]) + np.uint64(number)) for number, name in enumerate(self._pairs)}
        everything = sum(parts.values(), np.zeros(len(table), np.uint64))
        others = {name: _mixed(everything - part) for name, part in parts.items()}
        if any(not pairs.differs for pairs in self._pairs.values()):
            answers = _mixed(_hashes(table["status"]))
            for number, name in enumerate(self._metrics):
                answers = answers + _mixed(_hashes(table[name]) + np.uint64(number + 1000))
            is_ok = (table["status"] == "ok").to_numpy()
            for name, pairs in self._pairs.items():
                pairs.add(others[name], answers, is_ok)
        return others

    def known(self):
        counts = dict(sorted(self._counts.items(), key=lambda item: -item[1]))
        return {"status_counts": {status: count for status, count in counts.items() if count > 0},
                "noted_rows": dict(self._noted),
                "varied": [name for name in self._axes if name in self._varied],
                "idle": [name for name, pairs in self._pairs.items() if pairs.is_idle()]}


class _Pairs:
    """Groups of rows that differ only in one axis. Of many groups, some are selected by hash."""

    def __init__(self):
        self._rows = np.empty((0, 3), np.uint64)  # group, answer, whether it is ok
        self._mask = np.uint64(0)
        self.differs = False

    def add(self, groups, answers, is_ok):
        if self.differs:
            return
        chosen = (groups & self._mask) == 0
        more = np.column_stack([groups[chosen], answers[chosen], is_ok[chosen].astype(np.uint64)])
        self._rows = np.concatenate([self._rows, more])
        self._look()
        while len(self._rows) > _MOST_PAIRS and not self.differs:
            self._mask = self._mask * np.uint64(2) + np.uint64(1)
            self._rows = self._rows[(self._rows[:, 0] & self._mask) == 0]

    def _look(self):
        """Keep two rows of each group. If any two of a group have different answers, the axis is not idle."""
        rows = self._rows[np.lexsort([self._rows[:, 1], self._rows[:, 0]])]
        same = rows[1:, 0] == rows[:-1, 0]
        self.differs = bool((same & (rows[1:, 1] != rows[:-1, 1])).any())
        third = np.zeros(len(rows), dtype=bool)
        third[2:] = same[1:] & same[:-1]
        self._rows = np.empty((0, 3), np.uint64) if self.differs else rows[~third]

    def is_idle(self):
        rows = self._rows
        same = rows[1:, 0] == rows[:-1, 0]
        return not self.differs and bool((same & (rows[1:, 2] > 0)).any())


def _hashes(column):
    """Return 64 bits per value; NaN equals NaN."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        return column.cat.codes.to_numpy().astype(np.int64).view(np.uint64)
    values = column.to_numpy().astype(float) + 0.0
    values[np.isnan(values)] = np.nan
    return values.view(np.uint64)


def _mixed(values):
    """Apply the finalizer of SplitMix64 to each value."""
    values = values + np.uint64(0x9E3779B97F4A7C15)
    values = (values ^ (values >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))
