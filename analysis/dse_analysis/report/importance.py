"""How much of a metric's variance each axis accounts for."""

from typing import NamedTuple

import numpy as np
import pandas as pd

from dse_analysis.results import varied_axes

FEASIBLE = "feasible"  # a name beside the metrics: 1 for `ok`, 0 for what has no answer
_MOST_LEVELS = 12
_LEAST_COMPARABLE = 0.05  # share of rows below which the total effect of an axis is not estimated


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
    main = np.full((len(axes), len(names)), np.nan)
    total = main.copy()
    for chosen_rows, chosen in ((everywhere, names[:len(names) - len(metrics)]), (is_ok, list(metrics))):
        if not chosen:
            continue
        columns = [names.index(name) for name in chosen]
        codes = [_codes(table.loc[chosen_rows, name]) for name in axes]
        for row, axis in enumerate(axes):
            levels = _levels(table.loc[chosen_rows, axis], codes[row])
            others = _combined(codes[:row] + codes[row + 1:], np.count_nonzero(chosen_rows))
            for column, name in zip(columns, chosen):
                answer = is_ok.astype(float) if name == FEASIBLE else _scaled(table.loc[chosen_rows, name])
                main[row, column] = _main_effect(levels, answer)
                total[row, column] = _total_effect(others, answer)
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
    if codes.max(initial=0) < _MOST_LEVELS or not pd.api.types.is_numeric_dtype(column):
        return codes
    edges = np.nanquantile(column.to_numpy(float), np.linspace(0, 1, _MOST_LEVELS + 1)[1:-1])
    return np.searchsorted(edges, column.to_numpy(float), side="right")


def _combined(codes, rows):
    """Return one code for every combination of several columns' codes."""
    together = np.zeros(rows, np.int64)
    for column in codes:
        together = pd.factorize(together * (int(column.max(initial=0)) + 1) + column)[0].astype(np.int64)
    return together


def _main_effect(levels, answer):
    valid = np.isfinite(answer)
    levels, answer = levels[valid], answer[valid]
    count = np.bincount(levels)
    rows, groups = len(answer), np.count_nonzero(count)
    whole = _spread(answer)
    if groups < 2 or whole == 0:
        return 0.0 if rows else np.nan
    within = whole - _between(levels, answer, count)
    if rows == groups:
        return np.nan
    return float(np.clip(1.0 - within / (rows - groups) * (rows - 1) / whole, 0.0, 1.0))


def _total_effect(others, answer):
    valid = np.isfinite(answer)
    others, answer = others[valid], answer[valid]
    if not answer.size:
        return np.nan
    is_comparable = np.bincount(others)[others] > 1
    if is_comparable.mean() < _LEAST_COMPARABLE:
        return np.nan
    whole = _spread(answer) / len(answer)
    others, answer = others[is_comparable], answer[is_comparable]
    within = _spread(answer) - _between(others, answer, np.bincount(others))
    return float(np.clip(within / len(answer) / whole, 0.0, 1.0)) if whole else 0.0


def _spread(answer):
    """Return the sum of squares about the mean; zero for what differs by rounding only."""
    if not answer.size:
        return 0.0
    centred = answer - answer.mean()
    squares = float(centred @ centred)
    return squares if squares > len(answer) * (1e-12 * np.abs(answer).max()) ** 2 else 0.0


def _between(levels, answer, count):
    means = np.bincount(levels, answer - answer.mean())[count > 0] ** 2 / count[count > 0]
    return float(means.sum())
