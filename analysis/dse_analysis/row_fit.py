"""Fits of a model to rows with times, their errors on rows held out, and what the rows leave open."""

import numpy as np
import pandas as pd

from dse_analysis.fitted_file import FitError
from dse_analysis.least_squares import fit_log

FOLDS = 5
#: A constant is not determined if errors hardly larger than those of the fit allow it to change by this factor.
UNKNOWN_FACTOR = 2.0
#: Errors below this are not taken as real in that comparison: times are not measured more precisely.
SMALLEST_ERROR = 0.01
#: A constant without influence: its factor of two changes no row by more than this.
NO_INFLUENCE = 0.01
#: What a constant that rows leave open may do.
KEPT = "; it stays near the base's"
#: A median row that takes this many times as long as the datasheet allows, or this fraction of it, is not in seconds.
UNLIKELY_FACTOR = 100.0
#: Shortest time of any kernel, below which a datasheet says nothing: s.
EMPTY_KERNEL = 2e-6


def folds_of(rows, groups):
    """Return the number of the fold in which each row is held out, equal for rows with the same `groups`."""
    names = rows[groups].astype(str).agg("-".join, axis=1)
    if names.nunique() == 1:
        same = ", ".join(f"{name} = {rows[name].iloc[0]}" for name in groups)
        raise FitError(f"all {len(rows)} rows have {same}: none of another size is left to test a fit on (measure further sizes)")
    folds = (pd.util.hash_pandas_object(names, index=False) % FOLDS).to_numpy()
    return folds if len(np.unique(folds)) > 1 else pd.factorize(names)[0] % FOLDS


def held_out(rows, groups, model, start, spread=None):
    """Return the relative error of each row under parameters fitted to other groups of rows."""
    folds = folds_of(rows, groups)
    errors = np.zeros(len(rows))
    for fold in np.unique(folds):
        train, test = rows[folds != fold], rows[folds == fold]
        parameters = fit_rows(train, model, start, spread)
        errors[folds == fold] = model(parameters, test) / test["seconds"].to_numpy(float) - 1
    return errors


def fit_rows(rows, model, start, spread=None):
    return fit_log(lambda parameters: model(parameters, rows), start, rows["seconds"].to_numpy(float), spread=spread)


def check_units(rows, least, name):
    """Raise a FitError if times are hardly in seconds.

    Parameters
    ----------
    least : numpy.ndarray, shape (n_rows,)
        What the datasheet allows [s].
    """
    ratio = float(np.median(rows["seconds"].to_numpy(float) / (least + EMPTY_KERNEL)))
    if ratio > UNLIKELY_FACTOR:
        raise FitError(f"{name} take {ratio:.2g} times as long as the datasheet allows: are their seconds {unit_of(ratio)}? (columns "
                       "milliseconds and microseconds have these units; a device that is so slow needs a base with its own peak and bandwidth)")
    if ratio < 1 / UNLIKELY_FACTOR:
        raise FitError(f"{name} take {ratio:.2g} of the time that the datasheet allows: column seconds is in seconds (or is the base another device?)")


def unit_of(ratio):
    """Return the unit that times probably have which are `ratio` times too long in seconds."""
    return "milliseconds" if ratio < 3e4 else "microseconds" if ratio < 3e7 else "nanoseconds"


def warn_of_undetermined(rows, model, parameters, constants, fitted, near=None):
    """Warn of each constant that the rows leave open, with the reason, and return their names.

    Parameters
    ----------
    parameters : numpy.ndarray, shape (n,)
        As fitted: logarithms, or logarithms of odds.
    constants : dict of str, str or None
        Per parameter: its name in the file, and the column of the size that distinguishes it from others.
    near : numpy.ndarray of bool, shape (n,), optional
        Which of them stay near the base's.
    """
    names = list(constants)
    kept = dict(zip(names, near if near is not None else [False] * len(names)))
    if len(rows) < len(names):
        fitted.warn(f"{len(rows)} rows cannot determine {', '.join(names)}: what they leave open stays near the base's")
        return set(names)
    # Whatever determines a constant has to show as it grows by a factor of e^0.01 to two.
    step = 0.01
    logs = np.log(model(parameters, rows))
    jacobian = np.array([(np.log(model(parameters + step * unit, rows)) - logs) / step for unit in np.eye(len(names))]).T
    error = max(SMALLEST_ERROR, float(np.median(np.abs(logs - np.log(rows["seconds"].to_numpy(float))))))
    covariance = np.linalg.inv(jacobian.T @ jacobian + 1e-9 * np.eye(len(names))) * error**2
    undetermined, alike, reasons = set(), [], {}
    for i, name in enumerate(names):
        if np.sqrt(covariance[i, i]) < np.log(UNKNOWN_FACTOR):
            continue
        column, influence = constants[name], np.abs(jacobian[:, i]).max() * np.log(UNKNOWN_FACTOR)
        correlation = np.abs(covariance[i]) / np.sqrt(covariance[i, i] * np.diag(covariance))
        correlation[i] = 0
        if column and rows[column].nunique() == 1:
            reason = f"all rows have {column} = {rows[column].iloc[0]:g}"
        elif influence < NO_INFLUENCE:
            reason = f"a factor of two changes the time of no row by more than {max(influence, 0.001):.1%}"
        else:
            alike.append(name)
            reason = f"a change of {names[int(np.argmax(correlation))]} has the same effect on these rows"
        undetermined.add(name)
        reasons[name] = f"{name} is not determined by these rows: {reason}{KEPT if kept[name] else ''}"
    if len(alike) > 2:
        reasons = {name: text for name, text in reasons.items() if name not in alike}
        fitted.warn(f"{', '.join(alike)} are not determined by these rows: changes of them have the same effect{KEPT.replace('it stays', 'they stay') if all(kept[name] for name in alike) else ''}")
    for text in reasons.values():
        fitted.warn(text)
    return undetermined


def logistic(value):
    """Map any number to a fraction in (0, 1)."""
    return 1 / (1 + np.exp(-np.clip(value, -30, 30)))


def odds(share):
    """Return the inverse of `logistic`, of shares that are not quite 0 or 1."""
    share = np.clip(share, 0.01, 0.99)
    return np.log(share / (1 - share))
