"""Compare how fast searches approach a known front: points until they reach a fraction of its hypervolume.

    python -m dse_analysis.searches --dse build/release/dse --grid results/llm_70b.h5 sweeps/llm_70b.yaml -o searches.png

Runs the sweep with each method and seed, and compares the points found after given numbers of evaluations
with the whole grid. For a space that is too large to be evaluated completely, pass to --grid the best known
points (e.g. the rows of a proof) and rows of random points instead. The reference point is 1.1 times the
worst feasible value of each objective in these files; hypervolumes use the objectives' logarithms if all
are minimized. With --peer, third-party optimizers, if installed, use the same evaluator (`dse answer`).
Hypervolumes are faster if moocore is installed.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

import h5py
import matplotlib
import numpy as np
import pandas as pd

matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402 (the back end comes first)

from dse_analysis.figures import STYLE  # noqa: E402
from dse_analysis.pareto import front_mask  # noqa: E402
from dse_analysis.peers import PEERS, DrivenGrid, driven, processor_seconds  # noqa: E402
from dse_analysis.results import read_results, with_results  # noqa: E402
from dse_analysis.script import exit_code  # noqa: E402

METHODS = ("random", "sobol", "nsga2", "moead", "refine", "[nsga2, refine]")
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)  #: of the grid's points, for the reported hypervolumes
_COLORS = ("#999999", "#56B4E9", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#7F3C8D", "#000000", "#A65628")

try:
    from moocore import hypervolume as exact_volume  # hundreds of times faster
except ImportError:
    exact_volume = None


def hypervolume(costs, reference):
    """Return the volume dominated by any point, up to a reference point, in slices along the last objective.

    Parameters
    ----------
    costs : numpy.ndarray, shape (n_points, n_objectives), minimized
    reference : numpy.ndarray, shape (n_objectives,)

    Returns
    -------
    float
    """
    costs = costs[(costs < reference).all(axis=1)]
    if not len(costs):
        return 0.0
    if exact_volume and costs.shape[1] > 2:
        return float(exact_volume(np.ascontiguousarray(costs), ref=reference))
    if costs.shape[1] == 1:
        return float(reference[0] - costs.min())
    costs = costs[front_mask(costs)]
    costs = costs[np.argsort(costs[:, -1], kind="stable")]
    ends = np.append(costs[1:, -1], reference[-1])
    return float(sum((end - row[-1]) * hypervolume(costs[:i + 1, :-1], reference[:-1])
                     for i, (row, end) in enumerate(zip(costs, ends)) if end > row[-1]))


class Goal(NamedTuple):
    """A known front."""

    columns: list           #: names of the objectives
    signs: np.ndarray       #: -1 for objectives to maximize, else 1
    reference: np.ndarray
    volume: float
    points: int             #: number of points of the grid

    def cost_of(self, values):
        """Return the costs that hypervolumes are computed from."""
        return np.log(values) if (self.signs > 0).all() else self.signs * values

    def costs(self, table):
        """Return the costs of a table, shape (n_points, n_objectives); NaN for infeasible rows."""
        values = self.cost_of(table[self.columns].to_numpy(dtype=float))
        values[(table["status"] != "ok").to_numpy()] = np.nan
        return values


def goal_of(grid, objectives):
    """Return the front of a completely evaluated grid.

    Parameters
    ----------
    grid : pandas.DataFrame
        As `read_results` returns it.
    objectives : list of (str, str)
        Pairs of a metric and "minimize" or "maximize".

    Returns
    -------
    Goal
    """
    signs = np.array([-1.0 if direction == "maximize" else 1.0 for _, direction in objectives])
    goal = Goal([metric for metric, _ in objectives], signs, np.zeros(len(signs)), 0.0, len(grid))
    costs = goal.costs(grid)
    worst = np.nanmax(costs, axis=0)
    reference = worst + np.log(1.1) if (signs > 0).all() else worst + 0.1 * np.abs(worst)
    return goal._replace(reference=reference, volume=hypervolume(costs, reference))


def points_until(costs, goal, share):
    """Return how many points a search needs for a fraction of the goal's volume; infinite if it fails."""
    if hypervolume(costs, goal.reference) < share * goal.volume:
        return np.inf
    low, high = 1, len(costs)
    while low < high:
        middle = (low + high) // 2
        enough = hypervolume(costs[:middle], goal.reference) >= share * goal.volume
        low, high = (low, middle) if enough else (middle + 1, high)
    return high


def searched(dse, sweep, method, budget, seed):
    """Run a sweep with another search. Return its rows in the order of evaluation, and the processor time."""
    text = re.sub(r"^search:.*\n", "", sweep.read_text(encoding="utf-8"), flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / sweep.name
        file.write_text(f"{text}\nsearch: {{method: {method}, budget: {budget}, seed: {seed}}}\n", encoding="utf-8")
        output = file.with_suffix(".h5")
        begin = processor_seconds()
        subprocess.run([dse, str(file), "-o", str(output), "--progress", "none", "--parts", "none"], check=True,
                       stdout=subprocess.DEVNULL)
        return read_results(output), processor_seconds() - begin


def plain_values(column):
    """Return the values of an axis in ascending order, in types that JSON supports."""
    return [value.item() if hasattr(value, "item") else value for value in np.unique(column.to_numpy())]


class Run(NamedTuple):
    """The result of one search."""

    costs: np.ndarray  #: (n_points, n_objectives), in the order of evaluation
    seconds: float     #: total processor time
    budget: int        #: limit on the number of points; a search with fewer ended by itself


class Kept:
    """Cache of runs in a folder; without a folder nothing is cached."""

    def __init__(self, folder):
        self._folder = folder

    def run(self, name, budget, seed, make):
        """Return the result of `make(budget, seed)` as a Run."""
        if not self._folder:
            return Run(*make(budget, seed), budget)
        path = Path(self._folder) / f"{re.sub('[^a-z0-9]+', '-', name.lower())}-{budget}-{seed}.npz"
        if not path.exists():
            costs, seconds = make(budget, seed)
            np.savez(path, costs=costs, seconds=seconds)
        with np.load(path) as kept:
            return Run(kept["costs"], float(kept["seconds"]), budget)


def axes_of(path):
    """Return the axes of a results file, without derived values."""
    with h5py.File(path, "r") as file:
        roles = {name: column.attrs["role"] for name, column in file["points"].items()}
    return [name for name, role in roles.items() if (role.decode() if isinstance(role, bytes) else role) == "axis"]


def read_known(paths):
    """Return the rows of all files: axes, objectives and status.

    Returns
    -------
    pandas.DataFrame
        Its ``attrs`` are those of the first file.
    """
    axes = axes_of(paths[0])

    def columns(results):
        return results.table([*axes, *(metric for metric, _ in results.attrs["objectives"]), "status"])

    tables = [with_results(path, columns) for path in paths]
    known = tables[0] if len(tables) == 1 else pd.concat([table.astype({"status": str}) for table in tables])
    known.attrs = tables[0].attrs | {"axes": axes}
    return known


def share_after(run, goal, number):
    """Return the fraction of the goal's hypervolume after some points; NaN if the budget was smaller."""
    return hypervolume(run.costs[:number], goal.reference) / goal.volume if number <= run.budget else np.nan


def table_text(found, goal, numbers=()):
    """Return a Markdown table with one row per method: medians over the seeds.

    Parameters
    ----------
    found : dict
        {method: [Run]}.
    goal : Goal
    numbers : sequence of int
        Numbers of points after which hypervolumes are reported; if empty, SHARES of the grid.
    """
    after = {f"after {number:,}": number for number in numbers} or {
        f"after {share:.1%}": round(share * goal.points) for share in SHARES}
    heads = ["method", "points to 99 %", "s to 99 %" if numbers else "of the grid", *after, "points/s"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for method, runs in found.items():
        until = float(np.median([points_until(run.costs, goal, 0.99) for run in runs]))
        rate = float(np.median([len(run.costs) / run.seconds for run in runs]))
        cells = [method.strip("[]"), "not reached", ""]
        if np.isfinite(until):
            cells[1:] = [f"{until:,.0f}", f"{until / rate:.2g}" if numbers else f"{until / goal.points:.2%}"]
        for number in after.values():
            volume = np.median([share_after(run, goal, number) for run in runs])
            cells.append(f"{np.floor(1e4 * volume + 1e-6) / 1e4:.4f}" if np.isfinite(volume) else "")
        cells.append(f"{rate:,.0f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(found, goal, title):
    """Draw the hypervolume over the number of points: median and range of the seeds."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        for color, (method, runs) in zip(_COLORS, found.items()):
            numbers = np.unique(np.geomspace(10, min(len(run.costs) for run in runs), 40).astype(int))
            shares = np.array([[share_after(run, goal, number) for number in numbers] for run in runs])
            axes.plot(numbers, np.median(shares, axis=0), label=method.strip("[]"), color=color)
            axes.fill_between(numbers, shares.min(axis=0), shares.max(axis=0), color=color, alpha=0.15, linewidth=0)
        axes.set(xscale="log", xlabel="points evaluated", ylabel="share of the front's hypervolume", title=title)
        axes.axhline(0.99, color="black", linewidth=0.6, linestyle=":")
        axes.legend(frameon=False)
        return figure


def wanted_peer(text):
    """Parse NAME, NAME:BUDGET or NAME:BUDGET:SEEDS; missing numbers are None."""
    name, *numbers = text.split(":")
    if name not in PEERS:
        raise argparse.ArgumentTypeError(f"no peer is called '{name}' (known: {', '.join(PEERS)})")
    budget, seeds, *_ = [int(number) for number in numbers] + [None, None]
    return name, budget, seeds


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="dse_analysis.searches", description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path, help="a sweep over a grid")
    parser.add_argument("--dse", required=True, help="the program")
    parser.add_argument("--grid", required=True, action="append", help="results of the whole sweep, or of some of its points; may be repeated")
    parser.add_argument("--after", type=lambda text: [int(number) for number in text.split(",")], default=[],
                        metavar="N,N,…", help="numbers of points to report hypervolumes after (default: fractions of the grid)")
    parser.add_argument("--budget", type=int, default=2000, help="points of each search (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=10, help="runs of each method (default: %(default)s)")
    parser.add_argument("--methods", default=";".join(METHODS), help="NAME[:SEEDS], separated by ';' (default: %(default)s)")
    parser.add_argument("--peer", type=wanted_peer, action="append", default=[], metavar="NAME[:BUDGET[:SEEDS]]",
                        help=f"additional optimizer, one of {', '.join(PEERS)}; may be repeated")
    parser.add_argument("--keep", help="folder in which runs are cached")
    parser.add_argument("-o", "--output", help="figure to write")
    return parser.parse_args(arguments)


def found_by(options, grid, goal):
    """Return the runs of all methods and peers, by name."""
    kept = Kept(options.keep)

    def of_method(method, seeds):
        def make(budget, seed):
            table, seconds = searched(options.dse, options.sweep, method, budget, seed)
            return goal.costs(table), seconds
        return [kept.run(method, options.budget, seed, make) for seed in range(int(seeds or options.seeds))]

    values = {name: plain_values(grid[name]) for name in grid.attrs["axes"]}
    values = {name: own for name, own in values.items() if len(own) > 1}
    command = [options.dse, "answer", str(options.sweep), "--metrics", ",".join(goal.columns)]

    def of_peer(peer, budget, seeds):
        def make(points, seed):
            return driven(peer, lambda: DrivenGrid(command, goal.columns, goal.cost_of, values), points, seed)
        return [kept.run(peer, budget or options.budget, seed, make) for seed in range(seeds or options.seeds)]

    wanted = [method.partition(":") for method in options.methods.split(";")]
    found = {method: of_method(method, seeds) for method, _, seeds in wanted}
    return found | {PEERS[name][0]: of_peer(name, budget, seeds) for name, budget, seeds in options.peer}


@exit_code(subprocess.CalledProcessError)
def main(arguments=None):
    options = parse_arguments(arguments)
    grid = read_known(options.grid)
    goal = goal_of(grid, grid.attrs["objectives"])
    found = found_by(options, grid, goal)
    print(table_text(found, goal, options.after))
    if options.output:
        draw(found, goal, options.sweep.stem).savefig(options.output, dpi=150)


if __name__ == "__main__":
    sys.exit(main())
