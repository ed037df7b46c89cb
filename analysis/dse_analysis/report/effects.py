"""The importance of axes in a file of any size, from sums that grow with the values of the axes, not with the rows."""

import numpy as np

from dse_analysis.report.importance import (FEASIBLE, LEAST_COMPARABLE, MOST_LEVELS, ImportanceInfo, share_among,
                                            share_of_levels)

_LONGEST_MASK = np.uint64(1 << 40)
_LEAST_HELD = 1000  # rows with a value below which a part of all is no estimate
MOST_COMPARED = 1 << 15  #: rows that are compared with those that differ in one axis alone, per axis


class Effects:
    """Sums over all rows for main effects, and whole groups of rows, chosen by hash, for total ones.

    Parameters
    ----------
    values : dict of str to AxisValues
        Axes in their order.
    metrics : list of str
    most : int
        Rows per axis of which the groups are held.
    """

    def __init__(self, values, metrics, most=MOST_COMPARED):
        self._values, self._metrics = values, metrics
        self.rows = {name: np.zeros((len(classes), 2), np.int64) for name, classes in values.items()}  # not ok, ok
        shape = {name: (len(classes), len(metrics)) for name, classes in values.items()}
        self._count = {name: np.zeros(size, np.int64) for name, size in shape.items()}
        self._sums = [_Sums(shape, _plain), _Sums(shape, _logarithm)]
        self.least, self.largest = np.full(len(metrics), np.inf), np.full(len(metrics), -np.inf)
        self._answered = {name: _Chosen(most, len(metrics)) for name in values}
        self._all = {name: _Chosen(most, 1) for name in values}

    def add(self, table, codes, others, is_ok):
        """Add a block of rows.

        Parameters
        ----------
        table : pandas.DataFrame
            Its rows that are `ok`, with all metrics.
        codes : dict of str to numpy.ndarray
            Classes of the block's rows, an axis each.
        others : dict of str to numpy.ndarray of numpy.uint64
            Hashes of the values of all axes but one.
        is_ok : numpy.ndarray of bool
        """
        answered = {}
        for name, classes in codes.items():
            size = len(self._values[name])
            answered[name] = classes[is_ok]
            self.rows[name] += np.column_stack([np.bincount(classes[~is_ok], minlength=size), np.bincount(answered[name], minlength=size)])
            self._all[name].add(others[name], is_ok.astype(float)[:, None])
        columns = [table[metric].to_numpy(float) for metric in self._metrics]
        if len(table):
            matrix = np.column_stack(columns) if columns else np.zeros((len(table), 0))
            for name, chosen in self._answered.items():
                chosen.add(others[name][is_ok], matrix)
        for place, column in enumerate(columns):
            self._add_metric(place, column, answered)

    def _add_metric(self, place, column, answered):
        finite = np.isfinite(column)
        if not finite.any():
            return
        if not finite.all():
            column, answered = column[finite], {name: classes[finite] for name, classes in answered.items()}
        self.least[place] = min(self.least[place], column.min())
        self.largest[place] = max(self.largest[place], column.max())
        for name, classes in answered.items():
            self._count[name][:, place] += np.bincount(classes, minlength=len(self._values[name]))
        for sums in self._sums[:2 if self.least[place] > 0 else 1]:
            sums.add(place, column, answered)

    def varied(self):
        """Return the metrics of which the rows that are `ok` have more than one value."""
        return [name for name, least, largest in zip(self._metrics, self.least, self.largest) if least < largest]

    def info(self, axes, metrics):
        """Return the `ImportanceInfo` of axes that vary."""
        rows = next(iter(self.rows.values())).sum(axis=0) if self.rows else np.zeros(2, int)
        names = [FEASIBLE] * bool(rows.all()) + list(metrics)
        main, total = np.full((2, len(axes), len(names)), np.nan)
        for row, axis in enumerate(axes):
            if FEASIBLE in names:
                main[row, 0], total[row, 0] = self._of_feasible(axis, rows)
            groups, values = self._answered[axis].rows()
            for column in range(len(names) - len(metrics), len(names)):
                place = self._metrics.index(names[column])
                main[row, column], total[row, column] = self._of_metric(axis, place, groups, values[:, place])
        return ImportanceInfo(list(axes), names, main, total)

    def compared(self, axes):
        """Return how many rows per axis, at least, total effects are estimated from; None if from all."""
        return min((len(held[axis]) for held in (self._answered, self._all) for axis in axes if held[axis].is_partial), default=None)

    def _of_feasible(self, axis, rows):
        share = rows[1] / rows.sum()
        counts = self.rows[axis].sum(axis=1)
        spread = rows.sum() * share * (1.0 - share)
        groups, values = self._all[axis].rows()
        return self._main(axis, counts, self.rows[axis][:, 1] - counts * share, spread, counts), _total(groups, values[:, 0], spread, rows.sum())

    def _of_metric(self, axis, place, groups, values):
        sums = self._sums[1 if self.least[place] > 0 else 0]
        counts = self._count[axis][:, place]
        rows = counts.sum()
        if rows == 0:
            return np.nan, np.nan
        largest = np.abs(sums.scaled(np.array([self.least[place], self.largest[place]]))).max()
        around, spread = sums.about_mean(axis, place, counts, largest)
        return self._main(axis, counts, around, spread, self.rows[axis][:, 1]), _total(groups, sums.scaled(values), spread, rows)

    def _main(self, axis, counts, sums, spread, population):
        levels = _levels(self._values[axis], population)
        return share_of_levels(np.bincount(levels, counts), np.bincount(levels, sums), spread)


class _Sums:
    """Sums of a function of metrics about a value near their mean, by the class of each axis."""

    def __init__(self, shape, scaled):
        self.scaled = scaled
        metrics = next(iter(shape.values()))[1] if shape else 0
        self._about = np.full(metrics, np.nan)
        self._squares = np.zeros(metrics)
        self._sums = {name: np.zeros(size) for name, size in shape.items()}

    def add(self, place, column, answered):
        values = self.scaled(column)
        if np.isnan(self._about[place]):
            self._about[place] = values[0] if (values == values[0]).all() else values.mean()
        values = values - self._about[place]
        if not values.any():
            return
        self._squares[place] += values @ values
        for name, classes in answered.items():
            self._sums[name][:, place] += np.bincount(classes, values, minlength=len(self._sums[name]))

    def about_mean(self, axis, place, counts, largest):
        """Return the classes' sums about the mean, and the sum of squares; zero for what differs by rounding only."""
        sums, rows = self._sums[axis][:, place], counts.sum()
        mean = sums.sum() / rows
        spread = self._squares[place] - rows * mean**2
        return sums - counts * mean, float(spread) if spread > rows * (1e-12 * largest) ** 2 else 0.0


def _plain(values):
    return values


def _logarithm(values):
    with np.errstate(divide="ignore", invalid="ignore"):
        return np.log(values)


class _Chosen:
    """Whole groups of rows: all while they are few, then those whose hash ends in ever more zeros."""

    def __init__(self, most, width):
        self._most, self._mask = most, np.uint64(0)
        self._blocks, self._held, self._width = [], 0, width

    def __len__(self):
        return self._held

    @property
    def is_partial(self):
        return bool(self._mask)

    def add(self, groups, values):
        """Add rows: their groups' hashes, and their values (n_rows, width)."""
        chosen = np.flatnonzero((groups & self._mask) == 0)
        while self._held + len(chosen) > self._most and self._mask < _LONGEST_MASK:
            self._mask = self._mask * np.uint64(2) + np.uint64(1)
            kept = [(held, of, (held & self._mask) == 0) for held, of in self._blocks]
            self._blocks = [(held[keep], of[keep]) for held, of, keep in kept if keep.any()]
            self._held = sum(len(held) for held, _ in self._blocks)
            chosen = chosen[(groups[chosen] & self._mask) == 0]
        self._blocks.append((groups[chosen], values[chosen]))
        self._held += len(chosen)

    def rows(self):
        """Return a group and the values of each row."""
        if not self._blocks:
            return np.zeros(0, int), np.zeros((0, self._width))
        groups, values = (np.concatenate(parts) for parts in zip(*self._blocks))
        return np.unique(groups, return_inverse=True)[1], values


def _total(groups, values, spread, rows):
    """Return the share of the variance that is left in groups of chosen rows; NaN where few rows are comparable."""
    is_finite = np.isfinite(values)
    held = np.count_nonzero(is_finite)
    if held < min(rows, _LEAST_HELD):  # as of parts of the time, which the rows of the front alone have
        return np.nan
    return share_among(groups[is_finite], values[is_finite], spread / rows)


def _levels(classes, population):
    """Return few levels, a class each: of a number with many values, its quantiles among so many rows a class."""
    used = np.flatnonzero(population)
    if len(used) <= MOST_LEVELS or not np.issubdtype(classes.lower.dtype, np.number):
        return np.arange(len(classes))
    values = classes.lower.to_numpy(float)
    known = used[~np.isnan(values[used])]
    last = np.cumsum(population[known])
    places = np.linspace(0, 1, MOST_LEVELS + 1)[1:-1] * (last[-1] - 1)
    low, high = (values[known][np.searchsorted(last, np.floor(places) + up, side="right").clip(max=len(known) - 1)] for up in (0, 1))
    return np.searchsorted(low + (high - low) * (places % 1.0), values, side="right")
