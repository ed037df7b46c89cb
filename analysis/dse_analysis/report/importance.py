"""How much of a metric's variance each axis accounts for."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from dse_analysis.results import varied_axes

FEASIBLE = "feasible"  # a name beside the metrics: 1 for `ok`, 0 for what has no answer
MOST_LEVELS = 12
_LARGEST_CODE = 2**62
LEAST_COMPARABLE = 0.05  # share of rows below which the total effect of an axis is not estimated


class ImportanceInfo(NamedTuple):
    """Shares of variance, an axis a row."""

    axes: list         #: (n_axes,) names
    metrics: list      #: (n_metrics,) names; FEASIBLE first where some points are and some are not
    main: np.ndarray   #: (n_axes, n_metrics) share that the axis explains by itself, in [0, 1]
    total: np.ndarray  #: (n_axes, n_metrics) share with its interactions; NaN where no rows differ in it alone


def importance_info(table, metrics):
    """Estimate main and total effects (Sobol' indices of first and of total order) of all axes that vary.

    Of a metric that is positive everywhere it is the variance of the logarithm: a factor counts the same at both ends.
    Main effects are corrected for the number of levels (epsilon squared), total ones taken over rows that differ in
    one axis alone: exact for full factorials.

    Source: A. Saltelli et al., Variance based sensitivity analysis of model output, Comput. Phys. Commun. 181 (2010).

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    metrics : list of str

    Returns
    -------
    ImportanceInfo
    """
    axes = [name for name in varied_axes(table) if name in _declared(table)]
    is_ok = table["status"].to_numpy() == "ok"
    everywhere = np.ones(len(table), dtype=bool)
    names = [FEASIBLE] * bool(is_ok.any() and not is_ok.all()) + list(metrics)
    table = table.copy(deep=False)
    table.attrs = {}  # pandas copies them, deeply, with every selection
    main = np.full((len(axes), len(names)), np.nan)
    total = main.copy()
    for chosen_rows, chosen in ((everywhere, names[:len(names) - len(metrics)]), (is_ok, list(metrics))):
        if not chosen:
            continue
        of_axes = _groups(table.loc[chosen_rows, axes])
        for name in chosen:
            answer = _Answer(is_ok.astype(float) if name == FEASIBLE else _scaled(table.loc[chosen_rows, name]))
            for row, (levels, others) in enumerate(of_axes):
                main[row, names.index(name)] = answer.main_effect(answer.of(levels))
                total[row, names.index(name)] = answer.total_effect(answer.of(others))
    return ImportanceInfo(axes, names, main, total)


def _declared(table):
    return table.attrs["file"].get("axes", table.attrs["axes"])


def _scaled(column):
    values = column.to_numpy(float)
    finite = values[np.isfinite(values)]
    return np.log(values) if finite.size and finite.min() > 0 else values


def _codes(column):
    """Return numbers that tell a column's values apart, in as few bytes as their largest needs."""
    codes, values = pd.factorize(column, use_na_sentinel=False)
    return codes.astype(np.min_scalar_type(-max(len(values), 1)))


def _levels(column, codes):
    """Return codes of few levels: of a number with many values, those of its quantile classes."""
    if codes.max(initial=0) < MOST_LEVELS or not pd.api.types.is_numeric_dtype(column):
        return codes
    edges = np.nanquantile(column.to_numpy(float), np.linspace(0, 1, MOST_LEVELS + 1)[1:-1])
    return np.searchsorted(edges, column.to_numpy(float), side="right")


def _combined(columns, rows):
    """Return one code for every combination of several columns' codes, in the order of their appearance."""
    together, size = np.zeros(rows, np.int64), 1
    for column in columns:
        levels = int(column.max(initial=0)) + 1
        if size * levels > _LARGEST_CODE:
            together = pd.factorize(together)[0].astype(np.int64)
            size = int(together.max(initial=0)) + 1
        together = together * levels + column
        size *= levels
    codes = pd.factorize(together)[0]
    return codes.astype(np.min_scalar_type(int(codes.max(initial=0))))


class _Groups(NamedTuple):
    """Rows by the group that they belong to."""

    codes: np.ndarray  #: (n_rows,) group of each
    count: np.ndarray  #: (n_groups,) number of rows of each; may have zeros

    @classmethod
    def of(cls, codes):
        return cls(codes, np.bincount(codes))


def _groups(axes):
    """Return groups of rows for each axis: those of equal level, and those that are equal in all other axes."""
    codes = [_codes(axes[name]) for name in axes]
    return [(_Groups.of(_levels(axes[name], codes[row])),
             _Groups.of(_combined(codes[:row] + codes[row + 1:], len(axes)))) for row, name in enumerate(axes)]


class _Answer:
    """The finite values of a metric, and how much of their spread groups of rows account for."""

    def __init__(self, values):
        valid = np.isfinite(values)
        self._valid = None if valid.all() else valid
        self._values = values if self._valid is None else values[valid]
        self._spread = _spread(self._values)

    def of(self, groups):
        """Return the groups of the rows whose value is finite."""
        return groups if self._valid is None else _Groups.of(groups.codes[self._valid])

    def main_effect(self, levels):
        """Return the share that the level of an axis explains; NaN where each row has a level of its own."""
        if not len(self._values):
            return np.nan
        return share_of_levels(levels.count, np.bincount(levels.codes, self._values - self._values.mean()), self._spread)

    def total_effect(self, others):
        """Return the share that is left among rows that are equal in all other axes; NaN where few rows are."""
        values = self._values
        return share_among(others.codes, values, self._spread / max(len(values), 1))


def share_of_levels(counts, sums, spread):
    """Return the share of the variance that levels explain, corrected for their number.

    Parameters
    ----------
    counts : numpy.ndarray, shape (n_levels,)
        Rows of each level; may have zeros.
    sums : numpy.ndarray, shape (n_levels,)
        Sums of the rows' values about the mean of all rows.
    spread : float
        Sum of squares of all rows about their mean.

    Returns
    -------
    float
        In [0, 1]; NaN where each row has a level of its own.
    """
    is_used = counts > 0
    rows, groups = counts.sum(), np.count_nonzero(is_used)
    if groups < 2 or spread == 0:
        return 0.0
    if rows == groups:
        return np.nan
    within = spread - float((sums[is_used] ** 2 / counts[is_used]).sum())
    return float(np.clip(1.0 - within / (rows - groups) * (rows - 1) / spread, 0.0, 1.0))


def share_among(groups, values, variance):
    """Return the share of a variance that is left among the rows of each group; NaN where few have partners.

    Parameters
    ----------
    groups : numpy.ndarray of int, shape (n_rows,)
        Group of each row: rows that are equal in all axes but one.
    values : numpy.ndarray, shape (n_rows,)
        Finite.
    variance : float
        Of all rows, of which these may be a part.

    Returns
    -------
    float
    """
    if not values.size:
        return np.nan
    others = _Groups.of(groups)
    is_comparable = (others.count > 1)[others.codes]
    if is_comparable.mean() < LEAST_COMPARABLE:
        return np.nan
    if not is_comparable.all():
        others, values = _Groups.of(others.codes[is_comparable]), values[is_comparable]
    within = _spread(values) - _between(others, values)
    return float(np.clip(within / len(values) / variance, 0.0, 1.0)) if variance else 0.0


def _spread(values):
    """Return the sum of squares about the mean; zero for what differs by rounding only."""
    if not values.size:
        return 0.0
    centred = values - values.mean()
    squares = float(centred @ centred)
    return squares if squares > len(values) * (1e-12 * np.abs(values).max()) ** 2 else 0.0


def _between(groups, values):
    """Return the part of the sum of squares that lies between groups."""
    is_used = groups.count > 0
    means = np.bincount(groups.codes, values - values.mean())[is_used] ** 2 / groups.count[is_used]
    return float(means.sum())
