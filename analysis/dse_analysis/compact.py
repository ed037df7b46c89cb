"""Reads all rows of a large results file for a page, in a fraction of the memory of the complete table."""

import numpy as np
import pandas as pd

from dse_analysis.thinned import Watch


def compact(results, exact=(), mask=None, block=1 << 17):
    """Read an open `Results` with the columns that a page shows.

    Parameters
    ----------
    results : Results
    exact : collection of str
        Metrics beside the objectives to keep in full precision, whether or not they have values. A page holds
        its numbers as float32, and so does the table returned, unless fronts are computed from them.
    mask : numpy.ndarray of bool, shape (n_points,), optional
        Rows to return; None: all.
    block : int
        Number of rows in memory in the form of `read_results` at a time.

    Returns
    -------
    pandas.DataFrame
        As `read_results` returns it, without `rank`, `wall_seconds` and the metrics that are zero or absent
        everywhere; `reason` is a category, and integers take as few bytes as their values need. `attrs` also has
        ``status_counts``, ``varied`` and ``idle`` as those of `thinned`, of the rows returned.
    """
    exact = {*exact, *(name for name, _ in results.attrs["objectives"])}
    mask = np.ones(len(results), dtype=bool) if mask is None else mask
    watch = Watch(results.attrs)
    reasons = []  # a block at a time: they are read as an object per row, and many are equal
    for first, table in zip(range(0, len(results), block),
                            results.blocks([*results.attrs["axes"], *results.attrs["metrics"], "status", "reason"], block)):
        table = table[mask[first:first + block]]
        if len(table):
            watch.add(table)
            reasons.append(pd.Categorical(table["reason"]))

    def column(name):
        return results.table([name])[name].array[mask]

    data = {name: _small(column(name)) for name in results.attrs["axes"]}
    shown = []
    for name in results.attrs["metrics"]:
        values = np.asarray(column(name))
        if name in exact or np.any(np.nan_to_num(values)):
            shown.append(name)
            data[name] = values if name in exact else values.astype(np.float32)
    data["status"] = column("status")
    data["reason"] = pd.api.types.union_categoricals(reasons) if reasons else pd.Categorical([])
    data["point_id"] = _small(column("point_id"))
    rows = pd.DataFrame(data, copy=False)
    rows.attrs = {**results.attrs, "metrics": shown, **watch.known()}
    return rows


def _small(values):
    """Return values of a column, integers in as few bytes as they need."""
    if isinstance(values, pd.Categorical):
        return values
    values = np.asarray(values)
    return pd.to_numeric(values, downcast="integer") if np.issubdtype(values.dtype, np.integer) else values
