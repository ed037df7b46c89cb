"""Figures of a sweep: what is shown is computed first (an info tuple), then drawn.

Colours are mostly Okabe and Ito's and viridis without its yellow end: both are told apart by colour-blind readers. Parts are
hatched, too, for prints in grey.
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
from dse_analysis.summary import count_points, status_counts
from dse_analysis.units import display_scale, label, short_name, value_text, value_texts

STYLE = {"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "axes.grid": True,
         "axes.axisbelow": True, "grid.color": "#e6e6e6", "grid.linewidth": 0.6, "legend.frameon": False,
         "legend.fontsize": 8, "figure.dpi": 100, "savefig.dpi": 200}

STATUS_COLORS = {"ok": "#0072B2", "out_of_memory": "#D55E00", "outside_validity": "#E69F00", "failed": "#333333",
                 "timed_out": "#CC79A7"}

#: Metrics that figures name, beside those they are asked for.
SHOWN_METRICS = ("memory_peak", "memory_capacity", "mfu", *PARTS)

_MOST_COLORS = 12
_LIGHTEST = 0.75  # of viridis, whose end is yellow and unseen on white
_LEAST_BARS = 4  # of which a chart of statuses has room: two alone would be blocks
_MOST_DOTS = 60_000
_ROW_CHARACTERS = 78  # that fit beside the bars at font size 8


class FrontInfo(NamedTuple):
    """Feasible points over two metrics, in display units."""

    index: np.ndarray        #: (n_feasible,) labels of the points in the table's index
    x: np.ndarray            #: (n_feasible,)
    y: np.ndarray            #: (n_feasible,)
    labels: tuple            #: axis labels of x and y, with units
    on_front: np.ndarray     #: (n_feasible,) of bool
    color_name: str          #: axis that colours the points; empty for none
    color_codes: np.ndarray  #: (n_feasible,) of int, index into color_labels
    color_labels: list       #: texts of the axis's values, ascending
    counts: dict             #: {status: number of points} of the whole table
    more_is_better: tuple    #: (x, y) of bool
    limit: float             #: capacity in the unit of y, NaN where it varies or is unknown
    fronts: dict = {}        #: {value of the axis that divides the points: positions on its front}; empty: one front
    mark: int = -1           #: position of the point that is marked; -1: none, or it is not feasible


class BreakdownInfo(NamedTuple):
    """Where the time of some points goes, in one display unit."""

    columns: list       #: axes in which the points differ, with units
    cells: list         #: texts, n_rows lists of one value a column
    parts: dict         #: {part: (n_rows,) of time}, parts that are zero everywhere left out
    totals: np.ndarray  #: (n_rows,)
    unit: str


class StatusInfo(NamedTuple):
    """How many points ended how."""

    names: list
    counts: np.ndarray  #: (n_statuses,) of int


def front_info(table, x="iteration_time", y="memory_peak", color=None, maximize=()):
    """Collect what the figure of a front shows.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    x, y : str
        Metrics.
    color : str, optional
        Axis that colours the points; the first that varies where absent.
    maximize : collection of str, optional
        Metrics of which more is better, beside MORE_IS_BETTER.

    Returns
    -------
    FrontInfo
    """
    for name in filter(None, (x, y, color)):
        if name not in table:
            raise KeyError(f"no column '{name}'; the file has {', '.join(table.columns)}")
    rows = table[(table["status"] == "ok") & np.isfinite(table[x]) & np.isfinite(table[y])]
    units = table.attrs["units"]
    (x_factor, x_unit), (y_factor, y_unit) = (display_scale(rows[name], units.get(name, "1")) for name in (x, y))
    more_is_better = tuple(is_maximized(name, maximize) for name in (x, y))
    mask = front_mask(rows[[x, y]].to_numpy(), np.flatnonzero(more_is_better))
    color = color or next(iter(varied_axes(table)), "")
    codes, texts, unit = (_colors(rows[color], units.get(color, "1")) if color
                          else (np.zeros(len(rows), int), [""], ""))
    title = label(short_name(color, varied_axes(table)), unit) if color else ""
    capacity = rows["memory_capacity"].unique() if y == "memory_peak" and "memory_capacity" in rows else []
    limit = capacity[0] / y_factor if len(capacity) == 1 else np.nan
    fronts = _fronts_by(rows, table.attrs.get("by"), [x, y], np.flatnonzero(more_is_better))
    for positions in fronts.values():
        mask[positions] = True
    marked = np.flatnonzero(rows["point_id"] == table.attrs["mark"]) if table.attrs.get("mark") is not None else []
    return FrontInfo(rows.index.to_numpy(), rows[x].to_numpy() / x_factor, rows[y].to_numpy() / y_factor,
                     (label(x, x_unit), label(y, y_unit)), mask, title, codes, texts,
                     status_counts(table).to_dict(), more_is_better, limit, fronts,
                     int(marked[0]) if len(marked) else -1)


def _fronts_by(rows, axis, metrics, maximize):
    """Return {value: positions in rows that are on the front of this value}."""
    if not axis:
        return {}
    values = rows[axis].to_numpy()
    fronts = {}
    for value in sorted(pd.unique(values)):
        positions = np.flatnonzero(values == value)
        fronts[value] = positions[front_mask(rows[metrics].to_numpy()[positions], maximize)]
    return fronts


def is_maximized(name, maximize=()):
    """Say whether more of a metric is better: by itself, or because a sweep wants it so."""
    return name in maximize or name in MORE_IS_BETTER


def _colors(column, unit):
    """Return (codes, texts, unit) of a column: few values each for itself, many in quantile classes."""
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
    """Collect the parts of the time of some points.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    rows : sequence of int
        Labels of the points in the table's index, as they shall stand from top to bottom.
    metric : str
        The whole [s], of which the parts are parts.

    Returns
    -------
    BreakdownInfo
    """
    chosen = table.loc[list(rows)]
    factor, unit = display_scale(chosen[metric], "s")
    parts = {name: chosen[name].to_numpy(dtype=float) / factor for name in PARTS if name in chosen}
    parts = {name: values for name, values in parts.items() if np.nansum(np.abs(values)) > 0}
    axes = [name for name in varied_axes(table) if chosen[name].nunique(dropna=False) > 1]
    texts, columns = [], []
    for name in axes:
        column, shown = value_texts(chosen[name], table.attrs["units"].get(name, "1"))
        texts.append(column)
        columns.append(label(short_name(name, axes), shown))
    return BreakdownInfo(columns, [list(row) for row in zip(*texts)] or [[] for _ in rows], parts,
                         chosen[metric].to_numpy(dtype=float) / factor, unit)


def spread(info, most=8):
    """Choose points along the front, evenly by their place on it, the best in x first.

    Parameters
    ----------
    info : FrontInfo
    most : int
        How many points at most.

    Returns
    -------
    numpy.ndarray of int
        Positions in the arrays of `info`; points that coincide are chosen once.
    """
    front = np.flatnonzero(info.on_front)
    _, first = np.unique(np.column_stack([info.x[front], info.y[front]]), axis=0, return_index=True)
    front = front[first[::-1]] if info.more_is_better[0] else front[first]
    picked = np.unique(np.linspace(0, len(front) - 1, min(most, len(front))).round().astype(int))
    return front[picked]


def status_info(table):
    """Collect how many points ended how.

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
    """Draw the feasible points and their front; `numbered` are positions to be marked 1, 2, …."""
    if info.x.size == 0:
        return _draw_nothing(axes, "no feasible point")
    palette = plt.get_cmap("viridis")(np.linspace(0.0, _LIGHTEST, len(info.color_labels)))
    # A seeded shuffle: in file order the last value of an axis would hide the first.
    order = np.random.default_rng(0).permutation(info.x.size)[:_MOST_DOTS]
    size = float(np.clip(4000 / info.x.size, 5, 20))
    axes.scatter(info.x[order], info.y[order], s=size, c=palette[info.color_codes[order]], alpha=0.45, linewidths=0,
                 rasterized=True)
    for front, style in _front_lines(info, palette):
        front = front[np.lexsort([info.y[front], info.x[front]])]
        corner = "steps-pre" if info.more_is_better[0] else "steps-post"
        axes.plot(info.x[front], info.y[front], drawstyle=corner, linewidth=1.0, zorder=3, marker="o", markersize=3,
                  **style)
    if info.mark >= 0:
        axes.scatter(info.x[info.mark], info.y[info.mark], s=130, marker="*", color="#D55E00", edgecolors="#222222",
                     linewidths=0.8, zorder=6, label="marked point")
    axes.scatter(info.x[numbered], info.y[numbered], s=34, c=palette[info.color_codes[numbered]],
                 edgecolors="#222222", linewidths=0.9, zorder=4)
    _set_scales(axes, info)
    _draw_numbers(axes, info, numbered)
    if np.isfinite(info.limit):
        axes.axhline(info.limit, color="#D55E00", linewidth=1.0, linestyle=(0, (5, 3)), label="memory capacity")
    axes.set_xlabel(info.labels[0])
    axes.set_ylabel(info.labels[1])
    axes.legend(loc="lower left", bbox_to_anchor=(0.0, 1.0), ncols=2, borderaxespad=0.2)
    if info.color_name:
        _draw_color_bar(axes, info, palette)
    return None


def _front_lines(info, palette):
    """Return (positions, style) of each front: one in black, or one of each value in its colour."""
    if not info.fronts:
        front = np.flatnonzero(info.on_front)
        return [(front, {"color": "#222222", "label": f"Pareto front ({_points_text(len(front))})"})]
    lines = []
    for front in info.fronts.values():
        code = info.color_codes[front[0]]
        text = f"{info.color_name} = {info.color_labels[code]} ({_points_text(len(front))})"
        lines.append((front, {"color": palette[code], "label": text}))
    return lines


def _points_text(count):
    return f"{count:,} point" + ("s" if count != 1 else "")


def _set_scales(axes, info):
    """Use a logarithmic axis where values span close to a decade or more."""
    for values, axis, set_scale in ((info.x, axes.xaxis, axes.set_xscale), (info.y, axes.yaxis, axes.set_yscale)):
        if values.min() > 0 and values.max() / values.min() > 8:
            set_scale("log")
            axis.set_major_locator(LogLocator(subs=(1.0, 2.0, 5.0)))
            axis.set_major_formatter(lambda value, _: value_text(value))
            axis.set_minor_formatter(NullFormatter())


def _draw_numbers(axes, info, numbered):
    """Number points on the side where no feasible point can lie; leave out what would overlap."""
    right, up = info.more_is_better
    axes.autoscale_view()
    place = axes.transData.transform(np.column_stack([info.x[numbered], info.y[numbered]]))
    taken = []
    for number, (position, pixel) in enumerate(zip(numbered, place), 1):
        if all(np.abs(pixel - other).max() > 9 for other in taken):
            taken.append(pixel)
            axes.annotate(str(number), (info.x[position], info.y[position]),
                          xytext=(5 if right else -5, 4 if up else -4), textcoords="offset points",
                          ha="left" if right else "right", va="bottom" if up else "top", fontsize=8, weight="bold",
                          zorder=5)


def _draw_color_bar(axes, info, palette):
    """Draw one block a value of the colouring axis, named at its middle."""
    count = len(info.color_labels)
    mappable = plt.cm.ScalarMappable(BoundaryNorm(np.arange(count + 1) - 0.5, count), ListedColormap(palette))
    bar = axes.figure.colorbar(mappable, ax=axes, ticks=range(count), pad=0.02, fraction=0.05)
    bar.ax.tick_params(pad=2)
    bar.ax.set_yticklabels(info.color_labels)
    bar.ax.tick_params(length=0)
    bar.ax.minorticks_off()
    bar.outline.set_visible(False)
    bar.ax.set_title(info.color_name, fontsize=8, loc="left")


def draw_breakdown(axes, info):
    """Draw one stacked bar a point, numbered from the top."""
    rows = np.arange(len(info.totals))
    if rows.size == 0:
        return _draw_nothing(axes, "no feasible point")
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
    """Draw the time of points whose parts were not computed as one empty bar."""
    known = np.zeros(rows.size, dtype=bool)
    for values in info.parts.values():
        known |= np.isfinite(values)
    if not known.all():
        axes.barh(rows[~known], info.totals[~known], color="white", edgecolor="#666666", linewidth=0.8, height=0.7,
                  label="parts not computed")


def _draw_parts_of_one(axes, info):
    """Draw the parts of a single point beside each other: a stack of its own would compare with nothing."""
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
    """Draw the configurations of the points of a breakdown as a table, row by row beside its bars."""
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
    """Draw one bar a status, with its count and share."""
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
    axes.locator_params(axis="x", nbins=4)
    axes.set_xlabel("points")


def _draw_nothing(axes, text):
    axes.text(0.5, 0.5, text, ha="center", va="center", transform=axes.transAxes, color="#666666")
    axes.set_axis_off()


def overview(table, x="iteration_time", y="memory_peak", color=None, top=8):
    """Draw a sweep as one figure: its front, what became of all points, and where the time goes along the front.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    x, y, color
        As `front_info` takes them.
    top : int
        Points of the front that are numbered and broken down.

    Returns
    -------
    matplotlib.figure.Figure
    """
    maximize = [name for name, direction in table.attrs["objectives"] if direction == "maximize"]
    info = front_info(table, x, y, color, maximize)
    numbered = spread(info, top)
    breakdown = breakdown_info(table, info.index[numbered])
    with plt.rc_context(STYLE):
        figure = plt.figure(figsize=(10.5, 7.6), layout="constrained")
        upper, lower = figure.subfigures(2, 1, height_ratios=[1.0, 0.62])
        statuses = status_info(table)
        cells, bars = lower.subplots(1, 2, width_ratios=[1.0, 1.0])
        if len(statuses.names) > 1:
            front_axes, status_axes = upper.subplots(1, 2, width_ratios=[1.0, 0.42])
            draw_status(status_axes, statuses)
        else:  # a chart of one bar says nothing: the title says what all points are
            front_axes = upper.subplots()
        draw_front(front_axes, info, numbered)
        draw_breakdown(bars, breakdown)
        draw_cells(cells, breakdown)
        name = table.attrs["file"].get("sweep_name", "")
        points = f"{count_points(table):,} points"
        title = f"{name}: {points}" if name else points
        if len(statuses.names) == 1:
            title += f", all {statuses.names[0].replace('_', ' ')}"
        upper.suptitle(title + (" (UNSEALED)" if table.attrs["unsealed"] else ""), fontsize=11)
    return figure
