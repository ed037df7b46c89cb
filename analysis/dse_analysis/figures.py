"""Figures of a sweep. The contents of a figure are computed first, as an info tuple, and then drawn.

Colours are mostly those of Okabe and Ito, and viridis without its yellow end: colour-blind readers can
distinguish both. Parts are also hatched, for greyscale prints.
"""

from typing import NamedTuple

import numpy as np
import pandas as pd
from matplotlib import pyplot as plt
from matplotlib.colors import BoundaryNorm, ListedColormap
from matplotlib.ticker import LogLocator, NullFormatter

from dse_analysis.meaning import MORE_IS_BETTER, PARTS
from dse_analysis.pareto import front_mask
from dse_analysis.results import varied_axes
from dse_analysis.summary import count_points, status_counts, sweep_title
from dse_analysis.units import display_scale, label, short_name, shown_unit, value_text, value_texts

STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
         "axes.axisbelow": True, "grid.color": "#e6e6e6", "grid.linewidth": 0.6, "legend.frameon": False,
         "legend.fontsize": 8, "figure.dpi": 100, "savefig.dpi": 200}

STATUS_COLORS = {"ok": "#0072B2", "out_of_memory": "#D55E00", "outside_validity": "#E69F00", "failed": "#333333",
                 "timed_out": "#CC79A7"}

#: Metrics that figures show in addition to those requested.
SHOWN_METRICS = ("memory_peak", "memory_capacity", "mfu", *PARTS)

_MOST_COLORS = 12
_LIGHTEST = 0.75  # end of the used range of viridis; the rest is yellow and hardly visible on white
_LEAST_BARS = 4  # that a chart of statuses has room for: two alone would be thick blocks
_MOST_DOTS = 60_000
_MOST_NAMED_FRONTS = 6  # in the legend above the axes; the colour bar names all of them
_LINES = ("-", (0, (5, 2)), (0, (1, 1.5)))  # distinguishable in greyscale
_ROW_CHARACTERS = 78  # number that fits beside the bars at font size 8


class FrontInfo(NamedTuple):
    """Feasible points over two metrics, in display units."""

    index: np.ndarray        #: (n_feasible,) the points' labels in the table's index
    x: np.ndarray            #: (n_feasible,)
    y: np.ndarray            #: (n_feasible,)
    labels: tuple            #: axis labels of x and y, with units
    on_front: np.ndarray     #: (n_feasible,) of bool
    color_name: str          #: axis that determines the points' colour; empty if there is none
    color_codes: np.ndarray  #: (n_feasible,) of int, index into color_labels
    color_labels: list       #: texts of the axis's values, ascending
    counts: dict             #: {status: number of points} of the whole table
    more_is_better: tuple    #: (x, y) of bool
    limit: float             #: capacity in the unit of y; NaN if it varies or is unknown
    fronts: list             #: [(text, positions)] in drawing order: one front, or one per value of an axis
    marked: int              #: position of the marked point, -1 if there is none


class BreakdownInfo(NamedTuple):
    """Breakdown of the times of some points, in one display unit."""

    columns: list       #: axes in which the points differ, with units
    cells: list         #: texts: n_rows lists with one value per column
    parts: dict         #: {part: (n_rows,) of time}, without parts that are zero everywhere
    totals: np.ndarray  #: (n_rows,)
    unit: str


class StatusInfo(NamedTuple):
    """Number of points per status."""

    names: list
    counts: np.ndarray  #: (n_statuses,) of int


def front_info(table, x="iteration_time", y="memory_peak", color=None, maximize=(), by=None, mark=None, alone=None):
    """Compute the contents of a figure of a front.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    x, y : str
        Metrics.
    color : str, optional
        Axis that determines the points' colour; by default the first that varies.
    maximize : collection of str, optional
        Metrics of which more is better, in addition to MORE_IS_BETTER.
    by : str, optional
        Axis with one front per value. It determines the points' colour unless `color` is given.
    mark : int, optional
        Id of a point to mark.
    alone : str, optional
        The only objective: instead of a front of x and y, the points that are best in it.

    Returns
    -------
    FrontInfo
    """
    for name in filter(None, (x, y, color, by)):
        if name not in table:
            raise KeyError(f"no column '{name}'; the file has {', '.join(table.columns)}")
    known = [np.isfinite(table[name]) for name in filter(None, (x, y, alone))]
    rows = table[np.logical_and.reduce([table["status"] == "ok", *known])]
    units = {name: shown_unit(table, name) for name in table.attrs["units"]}
    (x_factor, x_unit), (y_factor, y_unit) = (display_scale(rows[name], units.get(name, "1")) for name in (x, y))
    more_is_better = tuple(is_maximized(name, maximize) for name in (x, y))
    metrics, single = ([alone], "best") if alone else ([x, y], "Pareto front")
    maximized = [number for number, name in enumerate(metrics) if is_maximized(name, maximize)]
    fronts = _fronts(rows, metrics, maximized, by, units, single)
    mask = np.zeros(len(rows), dtype=bool)
    for _, positions in fronts:
        mask[positions] = True
    color = color or by or next(iter(varied_axes(table)), "")
    codes, texts, unit = (_colors(rows[color], units.get(color, "1")) if color
                          else (np.zeros(len(rows), int), [""], ""))
    title = label(short_name(color, varied_axes(table)), unit) if color else ""
    capacity = rows["memory_capacity"].unique() if y == "memory_peak" and "memory_capacity" in rows else []
    limit = capacity[0] / y_factor if len(capacity) == 1 else np.nan
    return FrontInfo(rows.index.to_numpy(), rows[x].to_numpy() / x_factor, rows[y].to_numpy() / y_factor,
                     (label(x, x_unit), label(y, y_unit)), mask, title, codes, texts,
                     status_counts(table).to_dict(), more_is_better, limit, fronts, _position_of(rows, mark))


def _fronts(rows, metrics, maximize, by, units, single):
    """Return [(text, positions on the front)]: one front, called `single`, or one per value of axis `by`."""
    values = rows[metrics].to_numpy()
    if by is None:
        return [(single, np.flatnonzero(front_mask(values, maximize)))]
    codes, levels = pd.factorize(rows[by], sort=True)
    texts, unit = value_texts(pd.Series(levels), units.get(by, "1"))
    fronts = []
    for code, text in enumerate(texts):
        positions = np.flatnonzero(codes == code)
        title = f"{short_name(by, [by])} = {text} {unit}".strip()
        fronts.append((title, positions[front_mask(values[positions], maximize)]))
    return fronts


def _position_of(rows, mark):
    found = np.flatnonzero(rows["point_id"] == mark) if mark is not None else []
    return int(found[0]) if len(found) else -1


def is_maximized(name, maximize=()):
    """Return whether more of a metric is better, in general or because the sweep maximizes it."""
    return name in maximize or name in MORE_IS_BETTER


def _colors(column, unit):
    """Return (codes, texts, unit) of a column: one code per value, or per quantile class of many values."""
    if pd.api.types.is_bool_dtype(column):
        return column.to_numpy(dtype=int), ["no", "yes"], ""
    if not pd.api.types.is_numeric_dtype(column):
        category = pd.Categorical(column).remove_unused_categories()
        return np.asarray(category.codes, int), [str(name) for name in category.categories], ""
    factor, name = display_scale(column, unit)
    values = column.to_numpy(dtype=float) / factor
    levels = np.unique(values)
    if len(levels) > _MOST_COLORS:
        levels = np.unique(np.quantile(values, np.linspace(0, 1, _MOST_COLORS), method="lower"))
    codes = np.clip(np.searchsorted(levels, values, side="right") - 1, 0, len(levels) - 1)
    return codes, [value_text(level) for level in levels], name


def breakdown_info(table, rows, metric="iteration_time"):
    """Compute the breakdown of the times of some points.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    rows : sequence of int
        Labels of the points in the table's index, from top to bottom.
    metric : str
        The total that the parts sum to [s].

    Returns
    -------
    BreakdownInfo
    """
    chosen = table.loc[list(rows)]
    if metric not in chosen:  # the sweep has other metrics
        chosen = chosen.assign(**{metric: np.nan})
    factor, unit = display_scale(chosen[metric], "s")
    parts = {name: chosen[name].to_numpy(dtype=float) / factor for name in PARTS if name in chosen}
    parts = {name: values for name, values in parts.items() if np.nansum(np.abs(values)) > 0}
    # Of several points what tells them apart, of one what it is.
    axes = [name for name in varied_axes(table) if len(chosen) == 1 or chosen[name].nunique(dropna=False) > 1]
    texts, columns = [], []
    for name in axes:
        column, shown = value_texts(chosen[name], shown_unit(table, name))
        texts.append(column)
        columns.append(label(short_name(name, axes), shown))
    return BreakdownInfo(columns, [list(row) for row in zip(*texts)] or [[] for _ in rows], parts,
                         chosen[metric].to_numpy(dtype=float) / factor, unit)


def spread(info, most=8):
    """Choose points evenly spaced along each front by position, starting with the best in x.

    Parameters
    ----------
    info : FrontInfo
    most : int
        Largest number of points.

    Returns
    -------
    numpy.ndarray of int
        Positions in the arrays of `info`. Of coinciding points only one is chosen.
    """
    each = max(1, most // max(1, len(info.fronts)))
    chosen = [_spread_over(info, front, each) for _, front in info.fronts]
    return np.concatenate(chosen)[:most] if chosen else np.zeros(0, int)


def best_in(table, info, metric, maximize=(), most=8):
    """Return the positions, in the arrays of `info`, of the `most` points that are best in a metric, the best first."""
    values = table.loc[info.index, metric].to_numpy()
    return np.argsort(-values if is_maximized(metric, maximize) else values, kind="stable")[:most]


def _spread_over(info, front, most):
    _, first = np.unique(np.column_stack([info.x[front], info.y[front]]), axis=0, return_index=True)
    front = front[first[::-1]] if info.more_is_better[0] else front[first]
    picked = np.unique(np.linspace(0, len(front) - 1, min(most, len(front))).round().astype(int))
    return front[picked]


def status_info(table):
    """Count the points per status.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.

    Returns
    -------
    StatusInfo
    """
    counts = status_counts(table)
    return StatusInfo(list(counts.index), counts.to_numpy())


def draw_front(axes, info, numbered=()):
    """Draw the feasible points and their front. The points at the positions `numbered` are marked 1, 2, …."""
    if info.x.size == 0:
        return _draw_nothing(axes, "no feasible point")
    palette = plt.get_cmap("viridis")(np.linspace(0.0, _LIGHTEST, len(info.color_labels)))
    # Shuffled, with a fixed seed: in file order the last value of an axis would hide the first.
    order = np.random.default_rng(0).permutation(info.x.size)[:_MOST_DOTS]
    size = float(np.clip(4000 / info.x.size, 5, 20))
    axes.scatter(info.x[order], info.y[order], s=size, c=palette[info.color_codes[order]], alpha=0.45, linewidths=0,
                 rasterized=True)
    _draw_fronts(axes, info, palette)
    axes.scatter(info.x[numbered], info.y[numbered], s=34, c=palette[info.color_codes[numbered]],
                 edgecolors="#222222", linewidths=0.9, zorder=4)
    _set_scales(axes, info)
    _draw_numbers(axes, info, numbered)
    if info.marked >= 0:
        axes.scatter(info.x[info.marked], info.y[info.marked], s=150, marker="*", c="#D55E00", edgecolors="#222222",
                     linewidths=0.8, zorder=6, label="marked point")
    if np.isfinite(info.limit):
        axes.axhline(info.limit, color="#D55E00", linewidth=1.0, linestyle=(0, (5, 3)), label="memory capacity")
    axes.set_xlabel(info.labels[0])
    axes.set_ylabel(info.labels[1])
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, borderaxespad=0.2)
    if info.color_name:
        _draw_color_bar(axes, info, palette)
    return None


def _draw_fronts(axes, info, palette):
    """Draw each front as steps, in its points' colour; black if they have several or it is the only one."""
    corner = "steps-pre" if info.more_is_better[0] else "steps-post"
    for number, (text, front) in enumerate(info.fronts):
        if front.size == 0:
            continue
        front = front[np.lexsort([info.y[front], info.x[front]])]
        codes = np.unique(info.color_codes[front])
        color = palette[codes[0]] if len(info.fronts) > 1 and codes.size == 1 else "#222222"
        title = f"{text} ({len(front):,} point{'s' if len(front) != 1 else ''})"
        axes.plot(info.x[front], info.y[front], drawstyle=corner, color=color, linewidth=1.0, zorder=3, marker="o",
                  markersize=3, linestyle=_LINES[number % len(_LINES)],
                  label=title if number < _MOST_NAMED_FRONTS else None)


def _set_scales(axes, info):
    """Use logarithmic axes for values that span about a decade or more."""
    for values, axis, set_scale in ((info.x, axes.xaxis, axes.set_xscale), (info.y, axes.yaxis, axes.set_yscale)):
        if values.min() > 0 and values.max() / values.min() > 8:
            set_scale("log")
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.set_major_formatter(lambda value, _: value_text(value))
            axis.set_minor_formatter(NullFormatter())


def _draw_numbers(axes, info, numbered):
    """Number points on the side where no feasible point can be, omitting numbers that would overlap.

    Points of several fronts may coincide: their numbers share a text.
    """
    right, up = info.more_is_better
    axes.autoscale_view()
    place = axes.transData.transform(np.column_stack([info.x[numbered], info.y[numbered]]))
    taken = []
    for number, (position, pixel) in enumerate(zip(numbered, place), 1):
        same = next((text for other, text in taken if np.abs(pixel - other).max() < 1), None)
        if same is not None:
            same.set_text(f"{same.get_text()}, {number}")
        elif all(np.abs(pixel - other).max() > 9 for other, _ in taken):
            text = axes.annotate(str(number), (info.x[position], info.y[position]),
                                 xytext=(5 if right else -5, 4 if up else -4), textcoords="offset points",
                                 ha="left" if right else "right", va="bottom" if up else "top", fontsize=8,
                                 weight="bold", zorder=5)
            taken.append((pixel, text))


def _draw_color_bar(axes, info, palette):
    """Draw one block per value of the colour axis, labelled at its middle."""
    count = len(info.color_labels)
    mappable = plt.cm.ScalarMappable(BoundaryNorm(np.arange(count + 1) - 0.5, count), ListedColormap(palette))
    bar = axes.figure.colorbar(mappable, ax=axes, ticks=range(count), pad=0.02, fraction=0.05)
    bar.ax.set_yticklabels(info.color_labels)
    bar.ax.tick_params(length=0)
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    bar.ax.set_title(info.color_name, fontsize=8, loc="left")


def draw_breakdown(axes, info):
    """Draw one stacked bar per point, numbered from the top."""
    rows = np.arange(len(info.totals))
    if rows.size == 0:
        return _draw_nothing(axes, "no feasible point")
    if not np.isfinite(info.totals).any():
        return _draw_nothing(axes, "no time breakdown: these points have no iteration time")
    if rows.size == 1:
        return _draw_parts_of_one(axes, info)
    left = np.zeros(rows.size)
    for name, values in info.parts.items():
        text, color, hatch = PARTS[name]
        axes.barh(rows, np.nan_to_num(values), left=left, color=color, edgecolor="white", linewidth=0.4, height=0.7,
                  hatch=3 * hatch, label=text)
        left = left + np.nan_to_num(values)
    _draw_unknown(axes, info, rows)
    for row, total in enumerate(info.totals):
        axes.annotate(f"{total:#.4g}", (max(total, left[row]), row), xytext=(4, 0), textcoords="offset points",
                      va="center", fontsize=8)
    axes.set_ylim(rows.size - 0.5, -0.5)
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0, 1.12 * max(info.totals.max(), left.max()))
    axes.set_xlabel(label("iteration_time", info.unit))
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=5, handlelength=1.0, columnspacing=1.2,
                borderaxespad=0.2)
    return None


def _draw_unknown(axes, info, rows):
    """Draw an empty bar for the time of each point whose parts were not computed."""
    known = np.zeros(rows.size, dtype=bool)
    for values in info.parts.values():
        known |= np.isfinite(values)
    if not known.all():
        axes.barh(rows[~known], info.totals[~known], color="white", edgecolor="#666666", linewidth=0.8, height=0.7,
                  label="parts not computed")


def _draw_parts_of_one(axes, info):
    """Draw one bar per part of a single point, since a single stack could not be compared with others."""
    parts = {name: values[0] for name, values in info.parts.items() if values[0] > 0}
    if len(parts) < 2:
        share = f", all of it {PARTS[next(iter(parts))][0]}" if parts else ""
        return _draw_nothing(axes, f"iteration time {info.totals[0]:#.4g} {info.unit}{share}")
    for row, (name, value) in enumerate(parts.items()):
        text, color, hatch = PARTS[name]
        axes.barh(row, value, color=color, edgecolor="white", linewidth=0.4, height=0.7, hatch=3 * hatch)
        axes.annotate(f"{value:#.4g}", (value, row), xytext=(4, 0), textcoords="offset points", va="center", fontsize=8)
    axes.set_yticks(range(len(parts)), [PARTS[name][0] for name in parts])
    axes.set_ylim(len(parts) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.set_xlim(0, 1.15 * max(parts.values()))
    axes.set_xlabel(label("parts of the iteration time", info.unit))
    return None


def draw_cells(axes, info):
    """Draw the configurations of a breakdown's points as a table with one row beside each bar."""
    axes.set_axis_off()
    if not info.cells:
        return
    axes.set_ylim(len(info.totals) - 0.5, -0.5)
    widths = [1.5] + [max(7.0, 3.0 + max(len(row[column]) for row in info.cells))
                      for column in range(len(info.columns))]
    edges = np.cumsum(widths)
    axes.set_xlim(edges[-1] - max(edges[-1], _ROW_CHARACTERS), edges[-1])
    size = 8 * min(1.0, _ROW_CHARACTERS / edges[-1])
    for row, texts in enumerate(info.cells):
        for edge, text, weight in zip(edges, [str(row + 1), *texts], ["bold"] + ["normal"] * len(texts)):
            axes.text(edge, row, text, ha="right", va="center", fontsize=size, weight=weight)
    for edge, text in zip(edges[1:], info.columns):
        axes.annotate(text, (edge, -0.5), xytext=(-4, 5), textcoords="offset points", ha="left", va="bottom",
                      rotation=35, rotation_mode="anchor", fontsize=size, color="#444444")


def draw_status(axes, info):
    """Draw one bar per status, with its count and percentage."""
    total = max(int(info.counts.sum()), 1)
    names = [name.replace("_", " ") for name in info.names]
    axes.barh(names, info.counts, color=[STATUS_COLORS.get(name, "#999999") for name in info.names], height=0.6)
    for row, count in enumerate(info.counts):
        axes.annotate(f"{count:,} ({100 * count / total:.1f} %)", (count, row), xytext=(4, 0),
                      textcoords="offset points", va="center", fontsize=8)
    axes.set_ylim(max(len(names), _LEAST_BARS) - 0.5, -0.5)
    axes.grid(visible=False, axis="y")
    axes.tick_params(axis="y", length=0)
    axes.set_xlim(0, 1.35 * max(info.counts.max(initial=0), 1))
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:,.0f}")
    axes.locator_params(axis="x", nbins=4, integer=True)
    axes.set_xlabel("points")


def _draw_nothing(axes, text):
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color="#666666")
    axes.set_axis_off()


def overview(table, x="iteration_time", y="memory_peak", color=None, top=8, alone=None):
    """Draw a sweep as one figure: its front, the statuses of all points, and time breakdowns along the front.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    x, y, color
        As for `front_info`. The axis with one front per value and the marked point come from the table's
        ``attrs`` (see `question.asked`).
    top : int
        Number of the front's points that are numbered and broken down.
    alone : str, optional
        The only objective, whose best `top` points are numbered and broken down (without an axis with one front per value).

    Returns
    -------
    matplotlib.figure.Figure
    """
    maximize = [name for name, direction in table.attrs["objectives"] if direction == "maximize"]
    info = front_info(table, x, y, color, maximize, table.attrs.get("by"), table.attrs.get("mark"), alone)
    numbered = best_in(table, info, alone, maximize, top) if alone and not table.attrs.get("by") else spread(info, top)
    breakdown = breakdown_info(table, info.index[numbered])
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(10.5, 7.6), layout="constrained")
        upper, lower = figure.subfigures(2, 1, height_ratios=[1.0, 0.62])
        statuses = status_info(table)
        cells, bars = lower.subplots(1, 2, width_ratios=[1.0, 1.0])
        if len(statuses.names) > 1:
            front_axes, status_axes = upper.subplots(1, 2, width_ratios=[1.0, 0.42], gridspec_kw={"wspace": 0.08})
            draw_status(status_axes, statuses)
        else:  # a chart with one bar is useless: the title has the status of all points
            front_axes = upper.subplots()
        draw_front(front_axes, info, numbered)
        draw_breakdown(bars, breakdown)
        draw_cells(cells, breakdown)
        name = sweep_title(table.attrs["file"])
        points = f"{count_points(table):,} points"
        title = f"{name}: {points}" if name else points
        if len(statuses.names) == 1:
            title += f", all {statuses.names[0].replace('_', ' ')}"
        upper.suptitle(title + (" (UNSEALED)" if table.attrs["unsealed"] else ""), fontsize=11)
    return figure
