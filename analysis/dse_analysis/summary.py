"""Short text summaries of sweeps."""

import pandas as pd

from dse_analysis.meaning import usual_metrics
from dse_analysis.pareto import front_mask
from dse_analysis.results import is_part, varied_axes
from dse_analysis.units import short_name, shown_unit, value_texts

_SHIFTED, _BOUND = "not within its error bar", "only a lower bound"  # keys of `noted_rows`


def status_counts(table):
    """Count points by status, most frequent first.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.

    Returns
    -------
    pandas.Series of int, indexed by status name
    """
    if "status_counts" in table.attrs:
        return pd.Series(table.attrs["status_counts"], dtype=int)
    counts = table["status"].astype(str).value_counts()
    return counts[counts > 0]


def count_points(table):
    """Return the number of points of a file; a table may have only the relevant ones (see `thinned`)."""
    return table.attrs.get("points", len(table))


def front(table, objectives=None):
    """Return the rows of the Pareto front, best in the first objective first.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    objectives : list of (str, str), optional
        (metric, "minimize" | "maximize"); by default those of the sweep. Objectives without any value are
        ignored.

    Returns
    -------
    pandas.DataFrame
    """
    chosen = usable_objectives(table, objectives)
    rows = table[table["status"] == "ok"]
    if not chosen or rows.empty:
        return rows.iloc[:0]
    names = [name for name, _ in chosen]
    maximize = [index for index, (_, direction) in enumerate(chosen) if direction == "maximize"]
    best = rows[front_mask(rows[names].to_numpy(), maximize)]
    return best.sort_values(names, ascending=[direction != "maximize" for _, direction in chosen], kind="stable")


def sweep_title(file):
    """Return the name of the sweep in a file's attributes, with what `--set` changed of it: "layouts (--set devices=64)"."""
    changed = " ".join(f"--set {setting}" for setting in file.get("sweep_settings", ()))
    return f"{file.get('sweep_name', '')} ({changed})" if changed else str(file.get("sweep_name", ""))


def usable_objectives(table, objectives=None):
    """Return the objectives that have at least one value in the table."""
    chosen = table.attrs["objectives"] if objectives is None else objectives
    return [(name, direction) for name, direction in chosen if name in table and table[name].notna().any()]


def idle_axes(table):
    """Return the axes without effect: rows that differ only in one of them have equal status and metrics.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.

    Returns
    -------
    list of str
        Axes for which no two rows differ only in this axis, as among sampled points, are not included.
    """
    if "idle" in table.attrs:
        return table.attrs["idle"]
    if table.empty:  # as after a condition on axes that no row fulfils
        return []
    file = table.attrs["file"]
    axes = [name for name in file.get("axes", table.attrs["axes"]) if name in table]
    # Only some rows may have parts of the time, which are computed on request.
    answers = ["status", *(name for name in table.attrs["metrics"] if not is_part(name))]
    codes = table[[*axes, *answers]].apply(lambda column: pd.factorize(column, use_na_sentinel=False)[0])
    codes["answer"] = codes.groupby(answers, sort=False).ngroup()
    idle = []
    for axis in axes:
        others = [name for name in axes if name != axis]
        rows = codes.groupby(others, sort=False) if others else codes.groupby(lambda _: 0)
        alone = rows[axis].transform("nunique") > 1
        is_answered = alone & (table["status"] == "ok")
        if is_answered.any() and (rows["answer"].transform("nunique")[alone] == 1).all():
            idle.append(axis)
    return idle


def summary_text(table, top=10):
    """Describe a sweep: the number of points, their statuses, and the front.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    top : int
        Number of the front's rows to show.

    Returns
    -------
    str
    """
    file = table.attrs["file"]
    mark = " (UNSEALED: they may be damaged or modified)" if table.attrs["unsealed"] else ""
    points = count_points(table)
    lines = [f"{sweep_title(file) or 'sweep'}: {points:,} point{'' if points == 1 else 's'}{mark}"]
    for status, count in status_counts(table).items():
        lines.append(f"  {status.replace('_', ' '):18} {count:>12,}  {100 * count / points:5.1f} %")
    best = front(table)
    if best.empty:
        return "\n".join([*lines, "no feasible point"])
    objectives = ", ".join(f"{name} ({direction})" for name, direction in usable_objectives(table))
    by = table.attrs.get("by")
    for value, rows in [("", table)] if by is None else _parts(table, by):
        lines += ["", *_front_lines(front(rows), rows, f"{value}Pareto front of {objectives}", top)]
    lines += _mark_lines(table)
    lines += _short_run_lines(table)
    lines += shifted_bars_lines(table)
    lines += [f"axis {axis} had no effect" for axis in idle_axes(table)]
    return "\n".join(lines)


def shifted_bars_lines(table):
    """Return a line if error bars do not hold the times they belong to, because measurements lie elsewhere if a part is not known.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.

    Returns
    -------
    list of str
    """
    count = noted_rows(table).get(_SHIFTED, 0)
    if count == 0:
        return []
    return [f"iteration_time of {count:,} row{'' if count == 1 else 's'} is not within its error bar: without a 'stack', or with a chip known by its "
            "datasheet alone, measured steps take longer than predicted (docs/accuracy.md)"]


def noted_rows(table):
    """Count the feasible rows that a summary remarks on.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.

    Returns
    -------
    dict of str to int
        Of all rows of the file, also if a table has only the relevant ones (see `thinned`).
    """
    if "noted_rows" in table.attrs:
        return table.attrs["noted_rows"]
    counts, is_ok = {}, table["status"] == "ok"
    time, low, high = "iteration_time", "iteration_time_low", "iteration_time_high"
    if {time, low, high} <= set(table.columns):
        counts[_SHIFTED] = int((is_ok & ((table[time] < table[low]) | (table[time] > table[high]))).sum())
    if {"max_request_rate", "max_request_rate_high"} <= set(table.columns):
        counts[_BOUND] = int((is_ok & (table["max_request_rate"] > 0) & table["max_request_rate_high"].isna()).sum())
    return counts


def _short_run_lines(table):
    """Return a line if highest rates are lower bounds, because at a higher one all requests arrive before a queue grows."""
    count = noted_rows(table).get(_BOUND, 0)
    if count == 0:
        return []
    return [f"TOO FEW REQUESTS for max_request_rate of {count:,} row{'' if count == 1 else 's'}, which is only a lower bound there (raise traffic.requests)"]


def _parts(table, axis):
    """Return [("axis = value: ", its rows)] in ascending order of the values."""
    parts = []
    for _, rows in table.groupby(axis, sort=True, observed=True):
        rows.attrs = table.attrs
        parts.append((f"{short_name(axis, varied_axes(table))} = {_only(rows, table, axis)}: ", rows))
    return parts


def _front_lines(best, table, title, top):
    """Return a heading and the first rows of a front."""
    if best.empty:
        return [f"{title}: no feasible point"]
    lines = [f"{title}: {len(best):,} point{'s' if len(best) != 1 else ''}"]
    shown = best.head(top)
    same = [name for name in varied_axes(table) if shown[name].nunique(dropna=False) == 1]
    if same:
        lines.append("all rows: " + ", ".join(f"{name} {_only(shown, table, name)}" for name in same))
    lines.append(_format(shown, table, same).to_string(index=False))
    if len(best) > top:
        lines.append(f"… and {len(best) - top:,} more")
    return lines


def _mark_lines(table):
    """Return the marked point as a table of one row, or the reason why it is not shown."""
    mark = table.attrs.get("mark")
    if mark is None:
        return []
    row = table[table["point_id"] == mark]
    if row.empty:
        return ["", f"marked point {mark}: not among the selected rows"]
    if (row["status"] != "ok").any():
        return ["", f"marked point {mark}: {row['status'].iloc[0]}".replace("_", " ")]
    return ["", f"marked point {mark}:", _format(row, table, []).to_string(index=False)]


def _only(rows, table, name):
    """Return the single value of a column, with its unit."""
    texts, unit = value_texts(rows[name].iloc[:1], shown_unit(table, name))
    return f"{texts[0]} {unit}".strip()


def _format(rows, table, same):
    """Return the rows' metrics and the axes in which they differ, as text with units in the headings."""
    axes = [name for name in varied_axes(table) if name not in same]
    metrics = [name for name, _ in usable_objectives(table)]
    metrics += [name for name in usual_metrics(table) if "per_device" not in name and name not in metrics]
    shown = {}
    for name in axes + metrics:
        texts, unit = value_texts(rows[name], shown_unit(table, name))
        title = short_name(name, axes + metrics)
        shown[f"{title} [{unit}]" if unit else title] = texts
    return pd.DataFrame(shown)
