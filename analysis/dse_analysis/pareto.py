"""Pareto dominance and fronts on arrays."""

import numpy as np


def front_mask(values, maximize=()):
    """Mark the points that no other point dominates.

    A point dominates another one if it is at least as good in every objective and better in at least one.
    Equal points do not dominate each other: both are kept. Points with NaN or infinite values are never on
    the front.

    Parameters
    ----------
    values : array_like, shape (n_points, n_objectives)
        Objectives in any units, one column each.
    maximize : collection of int, optional
        Columns to maximize; all others are minimized.

    Returns
    -------
    numpy.ndarray of bool, shape (n_points,)
        True on the front.
    """
    values = np.array(values, dtype=float)
    if values.ndim != 2 or values.shape[1] == 0:
        raise ValueError(f"values must be (n_points, n_objectives >= 1), not {values.shape}")
    for column in maximize:
        values[:, column] *= -1
    mask = np.zeros(len(values), dtype=bool)
    valid = np.flatnonzero(np.isfinite(values).all(axis=1))
    if valid.size:
        distinct, inverse = np.unique(values[valid], axis=0, return_inverse=True)
        mask[valid] = _front_of_sorted(distinct)[inverse.reshape(-1)]
    return mask


def _front_of_sorted(points):
    """Mark the front of distinct points in lexicographic order, in which no point dominates an earlier one.

    Parameters
    ----------
    points : numpy.ndarray, shape (n_points, n_objectives), minimized

    Returns
    -------
    numpy.ndarray of bool, shape (n_points,)
    """
    mask = np.zeros(len(points), dtype=bool)
    if points.shape[1] <= 2:
        best_before = np.concatenate([[np.inf], np.minimum.accumulate(points[:-1, -1])])
        mask[:] = points[:, -1] < best_before
        return mask
    left = np.arange(len(points))
    while left.size:
        mask[left[0]] = True
        left = left[1:][(points[left[1:]] < points[left[0]]).any(axis=1)]
    return mask
