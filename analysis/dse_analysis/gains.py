"""Gains from a choice: the change of a metric relative to one value of an axis, over another axis."""

from typing import NamedTuple

import numpy as np
from matplotlib import pyplot as plt

from dse_analysis.figures import STYLE
from dse_analysis.results import varied_axes
from dse_analysis.units import display_scale, label, short_name, shown_unit, value_text, value_texts

_COLORS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#999999")


class GainInfo(NamedTuple):
    """Changes of a metric, with one panel per value of an axis and one line per choice."""

    panels: list    #: texts of the panel axis's values; one empty text if there is no such axis
    x: list         #: values of the axis along x, in display units, ascending
    x_label: str
    changes: dict   #: {choice: (n_panels, n_x) of metric / baseline's metric - 1}, NaN if either is missing
    metric: str
    baseline: str


def gain_info(table, baseline, over, metric="iteration_time", panel=None):
    """Compute the contents of a figure of gains.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it.
    baseline : str
        "AXIS=VALUE": the choice that others are compared with.
    over : str
        The axis along x, with numeric values.
    metric : str
    panel : str, optional
        Axis with one panel per value. Axes whose values follow from panel and place are left out of the names
        of the choices.

    Returns
    -------
    GainInfo

    Raises
    ------
    KeyError
        If there is no such column or value, or more than one baseline for a panel and a place on the x axis.
    """
    choice, _, value = baseline.partition("=")
    for name in filter(None, (choice, over, metric, panel)):
        if name not in table:
            raise KeyError(f"no column '{name}'; the file has {', '.join(table.columns)}")
    rows = table.assign(_panel=_panel_names(table, panel))
    names = [choice] + [name for name in varied_axes(table)
                        if name not in (choice, over, panel) and not _decided(rows, name, over)]
    texts = {name: value_texts(rows[name], shown_unit(table, name))[0] for name in names}
    rows = rows.assign(_base=[text == value for text in texts[choice]],
                       _choice=[_choice_name(texts, names, i) for i in range(len(rows))])
    if not rows["_base"].any():
        raise KeyError(f"no point has {baseline}; '{choice}' is {', '.join(sorted(set(texts[choice])))}")
    panels = list(dict.fromkeys(rows["_panel"]))
    places = np.sort(rows[over].unique())
    changes = {}
    for name in dict.fromkeys(rows["_choice"][~rows["_base"]]):
        changes[name] = np.array([[_change(rows, each, place, over, metric, name) for place in places] for each in panels])
    factor, unit = display_scale(places, shown_unit(table, over))
    return GainInfo(panels, [place / factor for place in places], label(short_name(over, varied_axes(table)), unit),
                    changes, metric, value)


def _panel_names(table, panel):
    """Return the title of every row's panel."""
    if not panel:
        return ""
    texts, unit = value_texts(table[panel], shown_unit(table, panel))
    return [f"{text} {unit}".strip() for text in texts]


def _decided(rows, name, over):
    """Return whether an axis's value follows from panel and place."""
    return bool((rows.groupby(["_panel", over], observed=True)[name].nunique(dropna=False) <= 1).all())


def _choice_name(texts, names, row):
    """Return a row's value of the choice, then NAME VALUE of each other axis that varies with that value."""
    choice, *others = names
    same = [i for i, text in enumerate(texts[choice]) if text == texts[choice][row]]
    varied = [name for name in others if len({texts[name][i] for i in same}) > 1]
    return ", ".join([texts[choice][row], *(f"{short_name(name, names).replace('_', ' ')} {texts[name][row]}"
                                             for name in varied)])


def _change(rows, panel, place, over, metric, choice):
    """Return the change of one point; NaN if it or its baseline is missing."""
    there = rows[(rows["_panel"] == panel) & (rows[over] == place)]
    base, point = there[there["_base"]], there[there["_choice"] == choice]
    if len(base) > 1:
        raise KeyError(f"{len(base)} points are the baseline of one at {over} = {place}: vary fewer axes, or name a panel")
    if base.empty or point.empty:
        return np.nan
    return float(point[metric].iloc[0] / base[metric].iloc[0] - 1.0)


def draw_gains(info):
    """Draw a `GainInfo` as panels side by side, with changes in per cent.

    Returns
    -------
    matplotlib.figure.Figure
    """
    with plt.rc_context(STYLE):
        figure, panels = plt.subplots(1, len(info.panels), figsize=(1.4 + 2.6 * len(info.panels), 3.2), sharey=True,
                                      squeeze=False, layout="constrained")
        for number, axes in enumerate(panels[0]):
            axes.axhline(0.0, color="#333333", linewidth=0.8)
            for (name, values), color in zip(info.changes.items(), _COLORS * len(info.changes)):
                axes.plot(range(len(info.x)), 100.0 * values[number], color=color, marker="o", markersize=4, label=name)
            axes.set_xticks(range(len(info.x)), [value_text(value) for value in info.x])
            axes.set_xlabel(info.x_label)
            axes.set_title(info.panels[number], fontsize=9)
        panels[0][0].set_ylabel(f"{info.metric.replace('_', ' ')} against {info.baseline} [%]")
        handles, names = panels[0][0].get_legend_handles_labels()
        figure.legend(handles, names, loc="outside upper center", ncols=len(names))
    return figure
