"""How the best values came about, where the points were drawn or searched rather than all taken."""

from typing import NamedTuple

import numpy as np

from dse_analysis.report.rows import better
from dse_analysis.summary import usable_objectives


class ConvergenceInfo(NamedTuple):
    """Best values so far, at the points where they changed."""

    method: str
    objectives: list  #: names
    steps: list       #: of (points evaluated, best value so far), each an array, an objective each


def convergence_info(table):
    """Collect how each objective's best value fell (or rose) with the points evaluated.

    Parameters
    ----------
    table : pandas.DataFrame
        As `read_results` returns it; its rows stand in the order in which the search proposed them.

    Returns
    -------
    ConvergenceInfo or None
        None of a grid, which has no order, and where there is no feasible point.
    """
    method = search_method(table.attrs["file"])
    objectives = usable_objectives(table)
    if method in ("", "grid") or not objectives or not (table["status"] == "ok").any():
        return None
    names = [name for name, _ in objectives]
    return ConvergenceInfo(method, names, [_steps(table, name) for name in names])


def search_method(attributes):
    """Return the methods that proposed the points, in order; empty where the file does not say."""
    facts = zip(attributes.get("fact_names", []), attributes.get("fact_values", []))
    return ", ".join(str(value) for name, value in facts
                     if name == "search.method" or str(name).startswith("search.then."))


def _steps(table, name):
    is_more = better(table, name) == "more"
    values = table[name].to_numpy(float)
    usable = (table["status"].to_numpy() == "ok") & np.isfinite(values)
    costs = np.where(usable, -values if is_more else values, np.inf)
    best = np.minimum.accumulate(costs)
    changed = np.flatnonzero(best < np.concatenate([[np.inf], best[:-1]]))
    places = np.append(changed + 1, len(values))
    bests = np.append(values[changed], values[changed[-1]])
    return places, bests
