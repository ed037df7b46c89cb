"""Converts SI values to readable units."""

from typing import NamedTuple

import numpy as np
import pandas as pd

_SCALES = {
    "s": [(86400.0, "d"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
    "B": [(2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B")],
    "B/s": [(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1.0, "B/s")],
    "FLOP": [(1e18, "EFLOP"), (1e15, "PFLOP"), (1e12, "TFLOP"), (1e9, "GFLOP"), (1.0, "FLOP")],
    "J": [(1e9, "GJ"), (1e6, "MJ"), (1e3, "kJ"), (1.0, "J")],
}

class WrittenUnit(NamedTuple):
    """The unit in which a sweep writes the values of a column, as its results file states it."""

    name: str    #: "Gbps"
    size: float  #: one of it in the column's SI unit: 1.25e8


def shown_unit(table, name):
    """Return the unit to show a column in: as the sweep writes it ("400 Gbps"), else its SI unit.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    name : str

    Returns
    -------
    WrittenUnit or str
        For `display_scale` and `value_texts`.
    """
    return table.attrs.get("shown_units", {}).get(name) or table.attrs["units"].get(name, "1")


def display_scale(values, unit):
    """Choose a display unit: the written one, or one in which the median value is at least one.

    Parameters
    ----------
    values : array_like, any shape
        In SI units; NaN is ignored.
    unit : str or WrittenUnit
        SI unit of a results file ("s", "B", "FLOP", …; unknown ones are kept), or that of `shown_unit`.

    Returns
    -------
    factor : float
        Divide a value by this to convert it to the display unit.
    name : str
        The display unit; empty for dimensionless numbers.
    """
    if isinstance(unit, WrittenUnit):
        return unit.size, unit.name
    values = np.abs(np.asarray(values, dtype=float))
    values = values[np.isfinite(values) & (values > 0)]
    name = "" if unit == "1" else unit
    scales = _SCALES.get(unit)
    if scales is None or values.size == 0:
        return 1.0, name
    typical = np.median(values)
    return next(((factor, text) for factor, text in scales if typical >= factor), scales[-1])


def label(name, unit):
    """Return the label of an axis: "iteration time [s]"."""
    text = name.replace("_", " ")
    return f"{text} [{unit}]" if unit else text


def value_text(value):
    """Return a readable number: integers without a fraction, others with four significant digits."""
    return f"{value:.0f}" if float(value).is_integer() else f"{value:.4g}"


def value_texts(column, unit):
    """Return the texts of a column, in one display unit.

    Parameters
    ----------
    column : pandas.Series, shape (n_rows,)
        Numbers in SI units, or names.
    unit : str or WrittenUnit
        As for `display_scale`.

    Returns
    -------
    texts : list of str, n_rows
    unit : str
        The display unit; empty for names and for dimensionless numbers.
    """
    if pd.api.types.is_bool_dtype(column):
        return ["yes" if value else "no" for value in column], ""
    if not pd.api.types.is_numeric_dtype(column):
        return [str(value) for value in column], ""
    factor, name = display_scale(column, unit)
    return [value_text(value / factor) for value in column], name


def short_name(name, names):
    """Return the shortest end of a dotted path by which no other of `names` can be meant: "scale_out.bandwidth"."""
    parts = name.split(".")
    ends = [".".join(parts[first:]) for first in range(len(parts) - 1, -1, -1)]
    others = [f".{other}" for other in names if other != name]
    return next((end for end in ends if not any(other.endswith(f".{end}") for other in others)), name)
