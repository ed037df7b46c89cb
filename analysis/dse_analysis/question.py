"""Requests beyond a table's own contents: selected rows, other objectives, fronts by axis, a marked point."""

import numpy as np

from dse_analysis.results import ResultsError, parse_objectives


def is_asked(options):
    """Return whether options change the rows or what is shown of them."""
    return bool(options.rows or options.objectives or options.by or options.mark is not None or options.x or options.y)


def asked(table, options):
    """Return the requested rows.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    options : argparse.Namespace
        ``rows``, a file with '1' or '0' per row; ``where``, the conditions that it results from;
        ``objectives``; ``by``, an axis; ``mark``, the id of a point; ``x`` and ``y``, metrics.

    Returns
    -------
    pandas.DataFrame
        `attrs` also has ``where`` (list of str), ``by`` (str or None), ``mark`` (int or None) and ``shown``
        (list of metrics).

    Raises
    ------
    ResultsError
        If the file of rows has another number of rows, or an axis or metric is not a column.
    """
    for name in filter(None, (options.by, options.x, options.y)):
        if name not in table:
            raise ResultsError(f"no column '{name}'; the file has {', '.join(table.columns)}")
    attrs = {**table.attrs, "where": list(options.where), "by": options.by, "mark": options.mark,
             "shown": [name for name in (options.x, options.y) if name]}
    if options.objectives:
        attrs["objectives"] = parse_objectives(options.objectives)
    if options.rows:
        table = table[_mask(options.rows, len(table))].reset_index(drop=True)
    table.attrs = attrs
    return table


def _mask(path, rows):
    with open(path, "rb") as file:
        mask = np.frombuffer(file.read(), np.uint8) == ord("1")
    if len(mask) != rows:
        raise ResultsError(f"{path}: chooses among {len(mask)} rows, and the file has {rows}")
    return mask
