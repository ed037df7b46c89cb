"""Requests beyond a table's own contents: selected rows, other objectives, fronts by axis, a marked point."""

import numpy as np
import pandas as pd

from dse_analysis.results import ResultsError, parse_objectives
from dse_analysis.units import short_name, shown_unit, value_texts


def is_asked(options):
    """Return whether options change the rows or what is shown of them."""
    return bool(options.rows or options.objectives or options.by or options.mark is not None or options.x or options.y)


def asked_objectives(options, objectives):
    """Return the objectives that options name, else those of the sweep."""
    return parse_objectives(options.objectives) if options.objectives else objectives


def asked(table, options, is_selected=False):
    """Return the requested rows.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    options : argparse.Namespace
        ``rows``, a file with '1' or '0' per row; ``where``, the conditions that it results from;
        ``objectives``; ``by``, axes separated by commas; ``mark``, the id of a point; ``x`` and ``y``, metrics.
    is_selected : bool
        Whether the table already has no other rows than the requested ones.

    Returns
    -------
    pandas.DataFrame
        `attrs` also has ``where`` (list of str), ``by`` (str or None), ``mark`` (int or None) and ``shown``
        (list of metrics). For several axes, ``by`` is a column that is added, with one name per combination
        of their values ("8, 4" in "tp, pp").

    Raises
    ------
    ResultsError
        If the file of rows has another number of rows, or an axis or metric is not a column.
    """
    axes = options.by.split(",") if options.by else []
    for name in filter(None, (*axes, options.x, options.y)):
        if name not in table:
            raise ResultsError(f"no column '{name}'; the file has {', '.join(table.columns)}")
    by = ", ".join(short_name(axis, axes) for axis in axes) or None if len(axes) > 1 else options.by
    attrs = {**table.attrs, "where": list(options.where), "by": by, "mark": options.mark,
             "shown": [name for name in (options.x, options.y) if name]}
    attrs["objectives"] = asked_objectives(options, attrs["objectives"])
    if options.rows and not is_selected:
        table = table[row_mask(options.rows, len(table))].reset_index(drop=True)
    if len(axes) > 1:
        table = table.assign(**{by: _combinations(table, axes)})
    table.attrs = attrs
    return table


def _combinations(table, axes):
    """Return a categorical column with the values of several axes in a row's text, ordered by these values."""
    groups = table.groupby(axes, sort=True, observed=True)
    texts = []
    for axis in axes:
        levels = table.loc[groups.head(1).index, axis]
        column, unit = value_texts(levels, shown_unit(table, axis))
        texts.append([f"{text} {unit}".strip() for text in column])
    order = groups.ngroup().loc[groups.head(1).index].to_numpy()
    names = np.empty(len(order), dtype=object)
    names[order] = [", ".join(parts) for parts in zip(*texts)]
    return pd.Categorical.from_codes(groups.ngroup().to_numpy(), list(names))


def row_mask(path, rows):
    """Read which rows of so many a file selects, as an array of bool."""
    with open(path, "rb") as file:
        mask = np.frombuffer(file.read(), np.uint8) == ord("1")
    if len(mask) != rows:
        raise ResultsError(f"{path}: chooses among {len(mask)} rows, and the file has {rows}")
    return mask
