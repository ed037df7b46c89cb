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
    objectives = usable_objectives(table)
    if not has_order(table.attrs["file"]) or not objectives or not (table["status"] == "ok").any():
        return None
    names = [name for name, _ in objectives]
    return ConvergenceInfo(search_method(table.attrs["file"]), names, [_steps(table, name) for name in names])


def has_order(attributes):
    """Return whether a file's rows stand in an order that means something: not so those of a grid."""
    return search_method(attributes) not in ("", "grid")


def search_method(attributes):
    """Return the methods that proposed the points, in order; empty where the file does not say."""
    facts = zip(attributes.get("fact_names", []), attributes.get("fact_values", []))
    return ", ".join(str(value) for name, value in facts
                     if name == "search.method" or str(name).startswith("search.then."))


def _steps(table, name):
    best = RunningBest(name, better(table, name) == "more")
    best.add(table)
    return best.steps()


class RunningBest:
    """Best value so far of an objective, over rows in their order."""

    def __init__(self, name, is_more):
        self._name, self._is_more = name, is_more
        self._rows, self._best = 0, np.inf
        self._places, self._bests = [np.zeros(0, int)], [np.zeros(0)]

    def add(self, table):
        values = table[self._name].to_numpy(float)
        usable = (table["status"].to_numpy() == "ok") & np.isfinite(values)
        costs = np.where(usable, -values if self._is_more else values, np.inf)
        best = np.minimum(np.minimum.accumulate(costs), self._best)
        changed = np.flatnonzero(best < np.concatenate([[self._best], best[:-1]]))
        self._places.append(self._rows + changed + 1)
        self._bests.append(values[changed])
        self._rows += len(values)
        self._best = min(self._best, best.min(initial=np.inf))

    def steps(self):
        """Return (points evaluated, best value so far) where it changed, and at the end."""
        places, bests = np.concatenate(self._places), np.concatenate(self._bests)
        return np.append(places, self._rows), np.append(bests, bests[-1])
