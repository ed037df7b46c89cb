"""The values of an axis over all rows of a large file, found before the rows are read."""

import numpy as np
import pandas as pd

MOST_VALUES = 4096  #: values up to which an axis is described value by value

_CLASSES = 512  # of an axis with more values
_MOST_SAMPLED = 1 << 20  # rows from which the classes' limits are taken


class AxisValues:
    """Values of an axis, ascending (missing ones last), or classes of about equally many rows if there are too many.

    Attributes
    ----------
    lower, upper : pandas.Series
        Least and largest value of each class; equal where a class is a value. Categories for labels.
    is_exact : bool
        Whether each class is one value.
    """

    def __init__(self, lower, upper, is_exact):
        self.lower, self.upper, self.is_exact = lower, upper, is_exact
        self._is_label = isinstance(lower.dtype, pd.CategoricalDtype)
        self._keys = _keys(lower)

    def __len__(self):
        return len(self.lower)

    def codes(self, column):
        """Return the class of each value of a block of the column."""
        side = "left" if self.is_exact else "right"
        found = np.searchsorted(self._keys, _keys(column), side)
        return found if self.is_exact else np.maximum(found - 1, 0)

    def texts(self, texts, name):
        """Return what the least and the largest values of the classes are called.

        Parameters
        ----------
        texts : callable
            As that of `feasibility_info`.
        name : str
        """
        def of(values):
            return ["—" if pd.isna(value) else str(value) for value in values] if self._is_label else texts(values, name)

        lower = of(self.lower)
        return lower, lower if self.is_exact else of(self.upper)


def axis_values(results, name, mask, block):
    """Return the `AxisValues` of an open `Results`, of the rows of a mask (None: of all)."""
    step = max(1, -(-len(results) // _MOST_SAMPLED))
    distinct, sample = [], []
    is_exact = True
    block *= 16  # of one column
    for first, table in zip(range(0, len(results), block), results.blocks([name], block)):
        table.attrs = {}  # pandas copies them, deeply, with every selection
        column = table[name] if mask is None else table[name][mask[first:first + block]]
        sample.append(column.iloc[::step])
        if is_exact:
            distinct = [pd.concat([*distinct, column.drop_duplicates()]).drop_duplicates()]
            is_exact = len(distinct[0]) <= MOST_VALUES
    if is_exact:
        values = distinct[0] if distinct else results.table([name], 0, 0)[name]
        values.attrs = {}
        values = values.iloc[np.argsort(_keys(values), kind="stable")].reset_index(drop=True)
        return AxisValues(values, values, True)
    rows = np.sort(pd.concat(sample).dropna().to_numpy(float))
    limits = np.unique(rows[np.linspace(0, len(rows) - 1, _CLASSES + 1).astype(int)])
    return AxisValues(pd.Series(limits[:-1]), pd.Series(limits[1:]), False)


def _keys(column):
    """Return numbers that order the values of a column; NaN for missing ones, which come last."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        codes = column.cat.codes.to_numpy().astype(float)
        return np.where(codes < 0, -1.0, codes)
    return column.to_numpy().astype(float)
