"""Converts SI values to readable units."""

import re

import numpy as np
import pandas as pd

_SCALES = {
    "s": [(86400.0, "d"), (1.0, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")],
    "B": [(2.0**40, "TiB"), (2.0**30, "GiB"), (2.0**20, "MiB"), (2.0**10, "KiB"), (1.0, "B")],
    "B/s": [(1e12, "TB/s"), (1e9, "GB/s"), (1e6, "MB/s"), (1.0, "B/s")],
    "FLOP": [(1e18, "EFLOP"), (1e15, "PFLOP"), (1e12, "TFLOP"), (1e9, "GFLOP"), (1.0, "FLOP")],
    "J": [(1e9, "GJ"), (1e6, "MJ"), (1e3, "kJ"), (1.0, "J")],
}

#: Units in which sweeps write rates of links, in B/s.
_BITS = {f"{prefix}bps": size / 8 for prefix, size in (("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12))}


def shown_unit(table, name):
    """Return the unit to show a column in: its SI unit, or "Gbps" where the sweep writes it so ("400 Gbps").

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    name : str

    Returns
    -------
    str
        For `display_scale` and `value_texts`.
    """
    unit = table.attrs["units"].get(name, "1")
    return (written_in_bits(str(table.attrs["file"].get("sweep_yaml", "")), name) or unit) if unit == "B/s" else unit


def written_in_bits(yaml, name):
    """Return the unit of all rates that a sweep's text gives for an axis, if it is one of bits ("Gbps"); else None.

    An axis is called as its column, or by the end of that name.
    """
    lines = iter(yaml.splitlines())
    for line in lines:
        if re.match(r"axes\s*:", line):
            break
    found, depth = "", None
    for line in lines:
        text = re.sub(r"(^|\s)#.*", "", line)
        if not text.strip():
            continue
        if not text[0].isspace():
            break
        indent = len(text) - len(text.lstrip())
        key = re.match(r"""\s*["']?([\w.]+)["']?\s*:(.*)""", text)
        if depth is not None and (indent > depth or (indent == depth and text.lstrip().startswith("-"))):
            found += "\n" + text
        elif key:
            is_of = name == key[1] or name.endswith("." + key[1])
            found, depth = (found + "\n" + key[2], indent) if is_of else (found, None)
    units = {unit for unit in re.findall(r"\d[ \t]*([A-Za-z][A-Za-z/]*)", found)}
    return units.pop() if len(units) == 1 and units <= _BITS.keys() else None


def display_scale(values, unit):
    """Choose a display unit in which the median value is at least one.

    Parameters
    ----------
    values : array_like, any shape
        In SI units; NaN is ignored.
    unit : str
        SI unit of a results file ("s", "B", "FLOP", …), or that of `shown_unit`; unknown units are kept.

    Returns
    -------
    factor : float
        Divide a value by this to convert it to the display unit.
    name : str
        The display unit; empty for dimensionless numbers.
    """
    values = np.abs(np.asarray(values, dtype=float))
    values = values[np.isfinite(values) & (values > 0)]
    name = "" if unit == "1" else unit
    if unit in _BITS:
        return _BITS[unit], unit
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
    unit : str
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
    """Return the last part of a dotted path, or the whole path if another of `names` ends with it, too."""
    last = name.rsplit(".", 1)[-1]
    return last if sum(other.rsplit(".", 1)[-1] == last for other in names) <= 1 else name
