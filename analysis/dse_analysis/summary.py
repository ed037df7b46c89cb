"""What a sweep found, in a screenful of text."""

import pandas as pd

from dse_analysis.pareto import front_mask
from dse_analysis.results import is_part, varied_axes
from dse_analysis.units import short_name, value_texts


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
    """Return the number of points of a file, of which a table may hold those that matter (see `thinned`)."""
    return table.attrs.get("points", len(table))


def front(table, objectives=None):
    """Return the rows of the Pareto front, best in the first objective first.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    objectives : list of (str, str), optional
        (metric, "minimize" | "maximize"); those of the sweep where absent. One without any value is left out.

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


def usable_objectives(table, objectives=None):
    """Return the objectives that stand in the table with at least one value."""
    chosen = table.attrs["objectives"] if objectives is None else objectives
    return [(name, direction) for name, direction in chosen if name in table and table[name].notna().any()]


def idle_axes(table):
    """Return the axes that change nothing: rows that differ in one of them alone have equal status and metrics.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.

    Returns
    -------
    list of str
        Without axes in which no two rows differ alone, as of points that were drawn.
    """
    if "idle" in table.attrs:
        return table.attrs["idle"]
    file = table.attrs["file"]
    axes = [name for name in file.get("axes", table.attrs["axes"]) if name in table]
    # Rows have parts of a time only where somebody asked.
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
    """Describe a sweep: how many points, what became of them, and the front.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    top : int
        Rows of the front to show.

    Returns
    -------
    str
    """
    file = table.attrs["file"]
    mark = " (UNSEALED: nothing vouches for them)" if table.attrs["unsealed"] else ""
    lines = [f"{file.get('sweep_name', 'sweep')}: {count_points(table):,} points{mark}"]
    for status, count in status_counts(table).items():
        lines.append(f"  {status.replace('_', ' '):18} {count:>12,}  {100 * count / count_points(table):5.1f} %")
    if front(table).empty:
        return "\n".join([*lines, "no feasible point"])
    for value, rows in groups(table):
        lines += _front_lines(table, front(rows), value, top)
    lines += [f"axis {axis} changed nothing" for axis in idle_axes(table)]
    return "\n".join(lines)


def groups(table):
    """Return (text, rows) of each value of the axis that divides the rows, or ("", table) where none does."""
    axis = table.attrs.get("by")
    if not axis:
        return [("", table)]
    texts, unit = value_texts(table[axis], table.attrs["units"].get(axis, "1"))
    name = short_name(axis, varied_axes(table))
    found = {}
    for text, value in zip(texts, table[axis]):
        found.setdefault(value, f"{name}={text}" + (f" {unit}" if unit else ""))
    return [(found[value], table[table[axis] == value]) for value in sorted(found)]


def _front_lines(table, best, value, top):
    """Return the lines of one front. `value` is what its rows have in common, or empty."""
    objectives = ", ".join(f"{name} ({direction})" for name, direction in usable_objectives(table))
    count = f"{len(best):,} point" + ("s" if len(best) != 1 else "")
    lines = ["", (f"{value}: " if value else "") + f"Pareto front of {objectives}: {count}"]
    if best.empty:
        return lines
    shown = best.head(top)
    same = [name for name in varied_axes(table) if shown[name].nunique(dropna=False) == 1]
    if same:
        lines.append("all rows: " + ", ".join(f"{name} {_only(shown, table, name)}" for name in same))
    lines.append(_format(shown, table, same).to_string(index=False))
    if len(best) > top:
        lines.append(f"… and {len(best) - top:,} more")
    return lines


def _only(rows, table, name):
    """Return the one value that a column has, with its unit."""
    texts, unit = value_texts(rows[name].iloc[:1], table.attrs["units"].get(name, "1"))
    return f"{texts[0]} {unit}".strip()


def _format(rows, table, same):
    """Return the axes in which some rows differ, and their metrics, as text with units in the headings."""
    axes = [name for name in varied_axes(table) if name not in same]
    metrics = [name for name, _ in usable_objectives(table)]
    metrics += [name for name in ("mfu", "memory_peak") if name in table and name not in metrics]
    shown = {}
    for name in axes + metrics:
        texts, unit = value_texts(rows[name], table.attrs["units"].get(name, "1"))
        shown[f"{short_name(name, axes)} [{unit}]" if unit else short_name(name, axes)] = texts
    return pd.DataFrame(shown)
