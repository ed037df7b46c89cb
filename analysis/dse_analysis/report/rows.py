"""Which rows of a large file a page carries: every front whole, and a sample of the rest."""

from typing import NamedTuple

import numpy as np

from dse_analysis.meaning import MORE_IS_BETTER
from dse_analysis.pareto import front_mask
from dse_analysis.summary import usable_objectives

MOST_SAMPLED = 20_000
MOST_ON_FRONT = 30_000
MOST_ON_PAIRS = 10_000


class Chosen(NamedTuple):
    """Rows that a page carries."""

    positions: np.ndarray  #: (n_chosen,) of int, positions in the table, ascending
    feasible: int          #: rows that are `ok`
    front: int             #: rows on the front of the sweep's objectives
    front_kept: int        #: how many of them were chosen
    pairs_whole: bool      #: whether the fronts of all pairs of metrics are complete


def better(table, metric):
    """Return "more" or "less": which values of a metric are better."""
    directions = dict(table.attrs["objectives"])
    is_more = directions.get(metric) == "maximize" or (metric not in directions and metric in MORE_IS_BETTER)
    return "more" if is_more else "less"


def chosen_rows(table, metrics, most=MOST_SAMPLED, keep=(), most_on_pairs=MOST_ON_PAIRS):
    """Choose the feasible rows that a page carries.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` or `rows_of_large` returns it.
    metrics : list of str
        Metrics of which the front of every pair shall be carried.
    most : int
        Rows to be carried beside the fronts; up to as many feasible rows are carried all.
    most_on_pairs : int
        Rows of the fronts of pairs. Where two metrics contradict each other (power and time), all rows are on
        their front; then each of these long fronts is represented by rows evenly spread along it.
    keep : sequence of int
        Positions of feasible rows that are carried whatever else is.

    Returns
    -------
    Chosen
    """
    feasible = np.flatnonzero(table["status"].to_numpy() == "ok")
    objectives = [name for name, _ in usable_objectives(table)]
    front = np.flatnonzero(front_mask(costs_of(table, feasible, objectives))) if objectives and feasible.size else feasible[:0]
    whole = table.attrs.get("whole")  # of a large file, of which the table has the fronts and a sample
    count = len(feasible) if whole is None else whole.feasible
    if count <= most:
        return Chosen(feasible, count, len(front), len(front), True)
    shuffle = np.random.default_rng(0)
    kept = front if len(front) <= MOST_ON_FRONT else shuffle.choice(front, MOST_ON_FRONT, replace=False)
    sample = shuffle.choice(len(feasible), most, replace=False) if whole is None else np.searchsorted(feasible, whole.sample)
    wanted = np.flatnonzero(np.isin(feasible, keep))
    of_pairs, is_whole = thinned_fronts(pair_fronts(costs_of(table, feasible, metrics)), most_on_pairs)
    together = np.unique(np.concatenate([kept, sample, of_pairs, wanted]))
    return Chosen(feasible[together], count, len(front), len(kept), is_whole and (whole is None or whole.pairs_whole))


def costs_of(table, rows, metrics):
    """Return metrics of some rows as (n_rows, n_metrics) of which less is better."""
    costs = np.empty((len(rows), len(metrics)), order="F")
    for column, name in enumerate(metrics):
        costs[:, column] = table[name].to_numpy()[rows]
        if better(table, name) == "more":
            costs[:, column] *= -1.0
    return costs


def pair_fronts(costs):
    """Find a row for every distinct point on the front of each two columns.

    Parameters
    ----------
    costs : numpy.ndarray, shape (n_rows, n_columns)
        Less is better; rows that are not finite in either column are on no front of the two.

    Returns
    -------
    list of numpy.ndarray of int
        Rows of each front, ascending in the first of its columns.
    """
    found = []
    columns = [np.where(np.isfinite(column), column, np.inf) for column in costs.T]
    for first, x in enumerate(columns):
        order = np.argsort(x)[:np.isfinite(x).sum()]
        for y in columns[first + 1:]:
            along = y[order]
            best_before = np.concatenate([[np.inf], np.minimum.accumulate(along)[:-1]])
            # Of rows that are equal in x worse ones may stand first: the last of the few is on the front.
            few = order[along < best_before]
            found.append(few[np.append(x[few[1:]] != x[few[:-1]], True)] if few.size else few)
    return found


def thinned_fronts(fronts, most):
    """Return the rows of all fronts, ascending, and whether these are complete.

    Fronts that are too many rows together are thinned, the longest first, to the same length: their rows are then
    spread evenly, with both ends.
    """
    longest = max(map(len, fronts), default=0)
    whole = np.unique(np.concatenate([np.zeros(0, int), *fronts]))
    rows = whole
    while len(rows) > most and longest > 2:
        longest //= 2
        rows = np.unique(np.concatenate([_spread(front, longest) for front in fronts]))
    return rows, len(rows) == len(whole)


def _spread(front, most):
    if len(front) <= most:
        return front
    return front[np.linspace(0, len(front) - 1, most).round().astype(int)]
