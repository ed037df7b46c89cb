"""Reads a large results file for a page, in memory independent of its size.

Counts, fronts, main effects and convergence are those of all rows, from sums; the rows kept are the fronts' and a sample.
"""

import numpy as np
import pandas as pd

from dse_analysis.pareto import front_mask
from dse_analysis.progress import watched
from dse_analysis.report.axis_values import axis_values
from dse_analysis.report.convergence import ConvergenceInfo, RunningBest, has_order, search_method
from dse_analysis.report.effects import MOST_COMPARED, Effects
from dse_analysis.report.feasibility import AxisStatus, Reasons, gathered, in_ranges
from dse_analysis.report.rows import MOST_ON_PAIRS, MOST_SAMPLED, better, costs_of, pair_fronts, thinned_fronts
from dse_analysis.summary import status_counts, usable_objectives
from dse_analysis.thinned import Watch

_MOST_TEXTS = 4096  # reasons of one form that are counted by themselves
_PROBED = 64  # rows of which metrics are compared first
_ROUNDING = 1e-12  # relative; a page has 24 bits
_MOST_HELD = 80_000  # rows of fronts of pairs that are held between two prunings


def rows_of_large(results, objectives, mask=None, mark=None, kept=(), block=1 << 16, sampled=MOST_SAMPLED, compared=MOST_COMPARED):
    """Read what a page needs of an open `Results`.

    Parameters
    ----------
    results : Results
    objectives : list of (str, str)
        (metric, "minimize" | "maximize"), those of the page.
    mask : numpy.ndarray of bool, shape (n_points,), optional
        Rows to read; None: all.
    mark : int, optional
        Id of a row to keep whatever its status is.
    kept : collection of str
        Metrics beside the objectives to return whether or not they have values.
    block : int
        Number of rows in memory at a time. Nothing depends on it but rounding, and which rows represent fronts of
        pairs that are too long.
    sampled : int
        Number of feasible rows that are drawn, uniformly.
    compared : int
        As ``most`` of `Effects`.

    Returns
    -------
    pandas.DataFrame
        As `read_results` returns it, without `rank`, `wall_seconds` and metrics that are zero or absent everywhere.
        It has the rows of the front of the objectives and of the fronts of pairs of metrics, the sample, the first
        row and the marked one. `attrs` also has ``points``, ``status_counts``, ``noted_rows``, ``varied`` and
        ``idle`` as those of `thinned`, and ``whole``, a `Whole`.
    """
    attrs = {**results.attrs, "objectives": objectives}
    whole = Whole(results, attrs, mask, block, compared)
    held = _Held(attrs, sampled, mark)
    columns = [*attrs["axes"], *attrs["metrics"], "status", "reason", "point_id"]
    first = 0
    for table in watched(results.blocks(columns, block), len(results)):
        rows = len(table)
        table.attrs = {}  # pandas copies them, deeply, with every selection
        table.index = pd.RangeIndex(first, first + rows)
        if mask is not None:
            table = table[mask[first:first + rows]]
        first += rows
        if len(table):
            whole.add(table)
            held.add(table)
    whole.pairs_whole = held.pairs_whole
    table, whole.sample = held.rows(results.table(columns, 0, 0))
    kept = {*kept, *(name for name, _ in [*objectives, *results.attrs["objectives"]])}
    shown = [name for name in attrs["metrics"] if name in kept or name in whole.used_metrics]
    table = table.drop(columns=[name for name in attrs["metrics"] if name not in shown])
    table.attrs = {**attrs, "metrics": shown, "points": whole.points, "whole": whole, **whole.watch.known()}
    return table


class Whole:
    """What a page states of all rows of a file.

    Attributes
    ----------
    points, feasible : int
        Number of rows, and of those that are `ok`.
    used_metrics : set of str
        Metrics that are anywhere neither zero nor absent.
    sample : numpy.ndarray of int
        Positions of the sample in the table of kept rows.
    pairs_whole : bool
        Whether the table has the whole fronts of all pairs of metrics.
    """

    def __init__(self, results, attrs, mask, block, compared):
        self.points = self.feasible = 0
        self.used_metrics = set()
        self._values = {name: axis_values(results, name, mask, block) for name in attrs["axes"]}
        declared = attrs["file"].get("axes", attrs["axes"])
        self._declared = [name for name in attrs["axes"] if name in declared]
        self._metrics = attrs["metrics"]
        self._effects = Effects({name: self._values[name] for name in self._declared}, self._metrics, compared)
        self._statuses = []
        self._counts = {name: np.zeros((len(values), 0), np.int64) for name, values in self._values.items()}
        self._reasons = Reasons()
        self._file = attrs["file"]
        probe = results.table([name for name, _ in attrs["objectives"] if name in results.columns], 0, 0)
        probe.attrs = attrs
        self._bests = {name: RunningBest(name, better(probe, name) == "more") for name in probe} if has_order(self._file) else {}
        self.watch = Watch(attrs)

    def __deepcopy__(self, memo):
        return self  # pandas copies attributes with every selection

    def add(self, table):
        """Add a block of rows."""
        others = self.watch.add(table)
        is_ok = (table["status"] == "ok").to_numpy()
        self.points += len(table)
        self.feasible += int(is_ok.sum())
        for name in self._metrics:
            if name not in self.used_metrics and np.any(np.nan_to_num(table[name].to_numpy(float))):
                self.used_metrics.add(name)
        codes = {name: values.codes(table[name]) for name, values in self._values.items()}
        self._count_statuses(table["status"], codes)
        self._reasons.add(table, _MOST_TEXTS)
        self._effects.add(table[is_ok], {name: codes[name] for name in self._declared}, others, is_ok)
        for best in self._bests.values():
            best.add(table)

    def _count_statuses(self, column, codes):
        names = list(column.cat.categories)
        if not self._statuses:
            self._statuses = names
            self._counts = {name: np.zeros((len(counts), len(names)), np.int64) for name, counts in self._counts.items()}
        status = column.cat.codes.to_numpy().astype(np.int64)
        known = status >= 0
        for name, counts in self._counts.items():
            together = codes[name][known] * len(names) + status[known]
            counts += np.bincount(together, minlength=counts.size).reshape(counts.shape)

    def varied_metrics(self):
        """Return the metrics that have several values among the rows that are `ok`."""
        return self._effects.varied()

    def column(self, name):
        """Return a short column with all values of an axis, or with the limits of its classes."""
        return self._values[name].lower

    def feasibility(self, table, texts):
        """Return what `feasibility_info` returns of all rows."""
        statuses = sorted(status_counts(table).index, key=lambda status: status != "ok")
        order = [self._statuses.index(name) for name in statuses]
        axes = [AxisStatus(name, *in_ranges(*self._values[name].texts(texts, name), self._counts[name][:, order]))
                for name in table.attrs["varied"]]
        return gathered(statuses, axes, self._reasons.found())

    def importance(self, table, metrics):
        """Return what `importance_info` returns of all rows."""
        return self._effects.info([name for name in table.attrs["varied"] if name in self._declared], metrics)

    def convergence(self, table):
        """Return what `convergence_info` returns of all rows."""
        names = [name for name, _ in usable_objectives(table)]
        if not names or not self._bests or not self.feasible:
            return None
        return ConvergenceInfo(search_method(self._file), names, [self._bests[name].steps() for name in names])

    def notes(self, table):
        """Return sentences about what is estimated rather than computed from all rows."""
        notes = []
        compared = self._effects.compared([name for name in table.attrs["varied"] if name in self._declared])
        if compared is not None:
            notes.append(f"Large file: under Importance, “with interactions” is estimated from at least {compared:,} rows per axis, a sample "
                         "of whole groups of rows that differ in this axis alone; “by itself” is computed from all rows.")
        classes = [name for name in table.attrs["varied"] if not self._values[name].is_exact]
        if classes:
            notes.append(f"Large file: {', '.join(classes)} {'has' if len(classes) == 1 else 'have'} so many values that importance and feasibility use "
                         "classes of about equally many rows.")
        return notes


class _Held:
    """Rows that a page may carry: the front of the objectives, those of pairs of metrics, and a sample."""

    def __init__(self, attrs, sampled, mark):
        self._attrs, self._sampled, self._mark = attrs, sampled, mark
        self._random = np.random.default_rng(0)
        self._front = self._drawn = self._pairs = self._others = None
        self.pairs_whole = True

    def add(self, table):
        """Add a block of rows, whose index is their place in the file."""
        if self._others is None:
            self._others = table.iloc[:1]
        if self._mark is not None:
            self._others = _joined(self._others, table[table["point_id"] == self._mark])
        rows = table[table["status"] == "ok"]
        if rows.empty:
            return
        self._front = self._on_front(_joined(self._front, self._on_front(rows)))
        draws = self._random.random(len(rows))
        least = _least(draws, self._sampled)
        self._drawn = _joined(self._drawn, rows.iloc[least].assign(_draw=draws[least]))
        self._drawn = self._drawn.iloc[_least(self._drawn["_draw"].to_numpy(), self._sampled)]
        self._pairs = _joined(self._pairs, self._on_pairs(rows))
        if len(self._pairs) > _MOST_HELD:
            self._pairs = self._on_pairs(self._pairs)

    def rows(self, empty):
        """Return the rows in the order of the file, and the positions of the sample."""
        drawn = empty.iloc[:0] if self._drawn is None else self._drawn.drop(columns="_draw")
        parts = [part for part in (self._others, self._front, self._pairs, drawn) if part is not None and len(part)]
        if not parts:
            return empty, np.zeros(0, int)
        table = pd.concat(parts)
        table = table[~table.index.duplicated()].sort_index()
        return table.reset_index(drop=True), np.flatnonzero(table.index.isin(drawn.index))

    def _on_front(self, rows):
        names = [name for name, _ in self._attrs["objectives"] if name in rows and rows[name].notna().any()]
        if not names:
            return rows.iloc[:0]
        costs = self._costs(rows, names, of_objectives=True)
        if len(names) == 2:  # of the rows, few can be on the front: one sort of a column finds their distinct values
            few = pair_fronts(costs)[0]
            near = np.flatnonzero(np.isin(costs[:, 0], costs[few, 0]) & np.isin(costs[:, 1], costs[few, 1]))
            return rows.iloc[near[front_mask(costs[near])]]
        return rows.iloc[np.flatnonzero(front_mask(costs))]

    def _on_pairs(self, rows):
        costs = self._costs(rows, self._attrs["metrics"])
        finite = np.isfinite(costs)
        varies = [column for column in range(costs.shape[1]) if finite[:, column].any() and np.ptp(costs[finite[:, column], column]) > 0]
        few, is_whole = thinned_fronts(pair_fronts(costs[:, _unlike(costs, varies)]), MOST_ON_PAIRS)
        self.pairs_whole &= is_whole
        ends = [np.nanargmin(np.where(finite[:, column], costs[:, column], np.inf)) for column in varies]
        return rows.iloc[np.unique(np.concatenate([few, np.array(ends, int), [0]]))]

    def _costs(self, rows, names, of_objectives=False):
        directions = dict(self._attrs["objectives"])
        table = rows[names]
        table.attrs = {"objectives": self._attrs["objectives"]}
        costs = costs_of(table, np.arange(len(rows)), names)
        if of_objectives:  # "minimize" holds for mfu too
            for column, name in enumerate(names):
                if (directions[name] == "maximize") != (better(table, name) == "more"):
                    costs[:, column] *= -1.0
        return costs


def _unlike(costs, columns):
    """Return columns without those that are proportional to an earlier one or to its inverse: their fronts are equal."""
    kept = []
    for column in columns:
        alike = [earlier for earlier in kept if _same_order(costs[:_PROBED, column], costs[:_PROBED, earlier])]
        if not any(_same_order(costs[:, column], costs[:, earlier]) for earlier in alike):
            kept.append(column)
    return kept


def _same_order(x, y):
    if not (x[0] and y[0]):
        return False
    same, inverse = x[0] / y[0], x[0] * y[0]
    with np.errstate(invalid="ignore"):
        if same > 0 and (np.abs(x - same * y) <= _ROUNDING * np.abs(x)).all():
            return True
        return inverse < 0 and bool((np.abs(x * y - inverse) <= _ROUNDING * -inverse).all() and ((y > 0) == (y[0] > 0)).all())


def _joined(held, rows):
    return rows if held is None else pd.concat([held, rows]) if len(rows) else held


def _least(draws, most):
    """Return the places of the least draws."""
    return np.flatnonzero(draws <= np.partition(draws, most - 1)[most - 1]) if len(draws) > most else np.arange(len(draws))
