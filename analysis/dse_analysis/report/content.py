"""What a page shows, as plain data: the page's scripts draw it and compute nothing about the sweep."""

import base64

import numpy as np
import pandas as pd

from dse_analysis.meaning import MEMORY_PARTS, PARTS, usual_metrics
from dse_analysis.report.convergence import convergence_info
from dse_analysis.report.feasibility import feasibility_info
from dse_analysis.report.importance import FEASIBLE, importance_info
from dse_analysis.report.rows import better, chosen_rows
from dse_analysis.results import varied_axes
from dse_analysis.summary import count_points, idle_axes, shifted_bars_lines, status_counts, usable_objectives
from dse_analysis.units import display_scale, label, short_name, shown_unit, value_text, value_texts

_MOST_CODED = 64  # distinct values up to which an axis is named value by value

# Of the file's attributes, what says how its rows came about.
_PROVENANCE = ("sweep_name", "sweep_settings", "sweep_digest", "seed", "space_points", "start", "host", "hosts",
               "dse_version", "git_hash", "schema_version")


def page_content(table):
    """Collect everything that the page of a sweep shows.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` or `rows_of_large` returns it.

    Returns
    -------
    dict
        Ready for JSON; columns of numbers as base64 of float32 (metrics in display units) or of codes.
    """
    file = table.attrs["file"]
    feasible = (table["status"] == "ok").to_numpy()
    whole = table.attrs.get("whole")
    metrics = [name for name in table.attrs["metrics"] if table.loc[feasible, name].nunique() > 1] if whole is None else whole.varied_metrics()
    rows = chosen_rows(table, metrics, keep=_marked(table))
    carried = table.iloc[rows.positions]
    axes = varied_axes(table)
    return {
        "name": str(file.get("sweep_name", "")) or "sweep",
        "question": question(str(file.get("sweep_yaml", ""))),
        "unsealed": bool(table.attrs["unsealed"]),
        "notes": [f"The {line}." for line in shifted_bars_lines(table)] + (whole.notes(table) if whole else []),
        "counts": {"points": count_points(table), "feasible": rows.feasible, "carried": len(carried),
                   "front": rows.front, "front_kept": rows.front_kept, "pairs_whole": rows.pairs_whole,
                   "statuses": [[name, int(count)] for name, count in status_counts(table).items()]},
        "columns": [_column(table, carried, name, axes, "axis") for name in axes] +
                   [_column(table, carried, name, axes, "metric") | {"constant": name not in metrics}
                    for name in table.attrs["metrics"] if np.any(carried[name].fillna(0.0))] + _groups(table, carried),
        "constants": _constants(table, feasible, axes, metrics),
        "ids": [str(number) for number in carried["point_id"]],
        "asked": _asked(table, carried),
        "objectives": [name for name, _ in usable_objectives(table)],
        "usual": usual_metrics(table),
        "parts": {"time": _parts(PARTS, table), "memory": _parts(MEMORY_PARTS, table)},
        "feasibility": _feasibility(table, axes),
        "importance": _importance(table, metrics, axes),
        "convergence": _convergence(table),
        "provenance": [[name.replace("_", " "), _text(file[name])] for name in _PROVENANCE if name in file],
        "yaml": str(file.get("sweep_yaml", "")),
    }


def question(yaml):
    """Return the comment that a sweep begins with, as one text: the question that it asks."""
    lines = []
    for line in yaml.splitlines():
        if not line.startswith("#"):
            break
        if line.startswith("# yaml-language-server:"):  # for editors
            continue
        lines.append(line.lstrip("#").strip())
    return " ".join(lines).strip()


def _marked(table):
    """Return the positions of the marked point: one where it is among the rows and feasible."""
    mark = table.attrs.get("mark")
    return np.flatnonzero((table["point_id"] == mark) & (table["status"] == "ok")) if mark is not None else np.zeros(0, int)


def _asked(table, carried):
    """Return what the page was asked for beside the file: conditions, an axis with a front each, a point by its place."""
    mark = table.attrs.get("mark")
    place = np.flatnonzero(carried["point_id"] == mark) if mark is not None else []
    found = {"where": table.attrs.get("where", []), "by": table.attrs.get("by"), "shown": table.attrs.get("shown", []),
             "mark": int(place[0]) if len(place) else None, "markText": None}
    if mark is not None and not len(place):
        row = table[table["point_id"] == mark]
        why = f"{row['status'].iloc[0]}: {row['reason'].iloc[0]}".replace("_", " ") if len(row) else "excluded by the conditions"
        found["markText"] = f"The marked point {mark} is not shown ({why})."
    return found


def _groups(table, carried):
    """Return the column of combinations of several axes that each have a front; it is no axis of its own."""
    by = table.attrs.get("by")
    if by is None or by in table.attrs["axes"]:
        return []
    return [{"name": by, "title": by.replace("_", " "), "role": "group"} | _coded(table[by], carried[by], "1")]


def _constants(table, feasible, axes, metrics):
    """Return [title, text] of what has one value everywhere, of metrics that is in every feasible row."""
    everywhere = np.ones(len(table), dtype=bool)
    names = [name for name in table.attrs["axes"] if name not in axes]
    shown = []
    for rows, group in ((everywhere, names), (feasible, [name for name in table.attrs["metrics"] if name not in metrics])):
        for name in group:
            values = table.loc[rows, name].dropna()
            if values.empty or (name in table.attrs["metrics"] and not values.any()):
                continue
            texts, unit = value_texts(values.iloc[:1], shown_unit(table, name))
            shown.append([_title(name, _names(table, axes)), f"{texts[0]} {unit}".strip()])
    return shown


def _names(table, axes):
    """Return all names that a short one could be mistaken for: the axis slo.ttft_p99 and the metric ttft_p99."""
    return [*axes, *(name for name in table.attrs["metrics"] if name not in axes)]


def _title(name, names):
    return short_name(name, names).replace("_", " ")


def _all_values(table, name):
    """Return a column with all values of an axis."""
    whole = table.attrs.get("whole")
    return table[name] if whole is None else whole.column(name)


def _column(table, carried, name, axes, role):
    column, unit = _all_values(table, name) if role == "axis" else table[name], shown_unit(table, name)
    entry = {"name": name, "title": _title(name, _names(table, axes) if role == "axis" else [name]), "role": role}
    is_number = pd.api.types.is_numeric_dtype(column) and not pd.api.types.is_bool_dtype(column)
    if role == "axis" and (not is_number or column.nunique() <= _MOST_CODED):
        return entry | _coded(column, carried[name], unit)
    factor, shown = display_scale(column, unit)
    entry |= {"unit": shown, "floats": _base64(carried[name].to_numpy(float) / factor, "<f4")}
    return entry | ({"better": better(table, name)} | _bars(carried, name) if role == "metric" else {})


def _bars(carried, name):
    """Return the ends of the interval of 80 % over what is predicted, where a metric has them."""
    ends = [f"{name}_low", f"{name}_high"]
    if not all(end in carried and carried[end].notna().any() for end in ends):
        return {}
    return {"bars": [_base64(carried[end].to_numpy(float) / carried[name].to_numpy(float), "<f4") for end in ends]}


def _coded(column, carried, unit):
    """Return a column of few values: what they are called, ascending, and a code a row."""
    if isinstance(column.dtype, pd.CategoricalDtype):
        used = column.cat.remove_unused_categories().cat.categories
        codes, texts, shown = used.get_indexer(carried), [str(value) for value in used], ""
    else:
        used = np.sort(column.dropna().unique())
        codes = pd.Index(used).get_indexer(carried)
        texts, shown = value_texts(pd.Series(used), unit)
    absent = codes < 0
    return {"unit": shown, "texts": texts + ["—"] * bool(absent.any()),
            "codes": _base64(np.where(absent, len(texts), codes), "<u2")}


def _base64(values, dtype):
    return base64.b64encode(np.asarray(values).astype(dtype).tobytes()).decode("ascii")


def _parts(known, table):
    return [{"name": name, "title": text, "color": color, "pattern": pattern}
            for name, (text, color, pattern) in known.items() if name in table]


def _feasibility(table, axes):
    def texts(values, name):
        return value_texts(values, shown_unit(table, name))[0]

    def title(name):
        column = table[name]
        if not pd.api.types.is_numeric_dtype(column) or pd.api.types.is_bool_dtype(column):
            return _title(name, _names(table, axes))
        return label(_title(name, _names(table, axes)), display_scale(column, shown_unit(table, name))[1])

    whole = table.attrs.get("whole")
    info = feasibility_info(table, texts) if whole is None else whole.feasibility(table, texts)
    return {"statuses": info.statuses,
            "axes": [{"title": title(axis.axis), "values": axis.values, "counts": axis.counts.tolist()} for axis in info.axes],
            "reasons": [reason._asdict() for reason in info.reasons], "left_out": info.left_out}


def _importance(table, metrics, axes):
    whole = table.attrs.get("whole")
    info = importance_info(table, metrics) if whole is None else whole.importance(table, metrics)
    return {"axes": [_title(name, _names(table, axes)) for name in info.axes],
            "metrics": [{"name": name, "title": "feasible or not" if name == FEASIBLE else _title(name, [name])}
                        for name in info.metrics],
            "main": _rounded(info.main), "total": _rounded(info.total),
            "idle": [_title(name, _names(table, axes)) for name in idle_axes(table)]}


def _rounded(shares):
    return [[None if np.isnan(share) else round(float(share), 4) for share in row] for row in shares]


def _convergence(table):
    whole = table.attrs.get("whole")
    info = convergence_info(table) if whole is None else whole.convergence(table)
    if info is None:
        return None
    entries = []
    for name, (places, bests) in zip(info.objectives, info.steps):
        factor, unit = display_scale(bests, shown_unit(table, name))
        entries.append({"name": name, "title": label(name, unit), "points": places.tolist(),
                        "best": (bests / factor).tolist()})
    return {"method": info.method, "objectives": entries}


def _text(value):
    if isinstance(value, list):
        return ", ".join(_text(item) for item in value)
    return value_text(value) if isinstance(value, float) else str(value)
