"""How soon searches come to a front that is known: points until they have a share of its hypervolume.

    python -m dse_analysis.searches --dse build/release/dse --grid results/llm_70b.h5 sweeps/llm_70b.yaml -o searches.png

Runs the sweep with each method and seed, and holds what it found after so many points against the whole grid. The reference
point is 1.1 times the worst feasible value of each objective, all by their logarithms. With --peer optimizers of others drive
the same evaluator (`dse answer`), where they are installed. Hypervolumes are quicker where moocore is.
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

matplotlib.use("Agg")

from matplotlib import pyplot as plt  # noqa: E402 (the back end comes first)

from dse_analysis.figures import STYLE  # noqa: E402
from dse_analysis.pareto import front_mask  # noqa: E402
from dse_analysis.peers import PEERS, DrivenGrid, driven, processor_seconds  # noqa: E402
from dse_analysis.results import read_results, varied_axes  # noqa: E402

METHODS = ("random", "sobol", "nsga2", "moead", "refine", "[nsga2, refine]")
SHARES = (0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1)  #: of the grid's points, after which hypervolumes are told
_COLORS = ("#999999", "#56B4E9", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#F0E442", "#000000")

try:
    from moocore import hypervolume as exact_volume  # hundreds of times quicker
except ImportError:
    exact_volume = None


def hypervolume(costs, reference):
    """Volume that some point dominates, up to a reference point: slices along the last objective.

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
    """A front that is known."""

    columns: list           #: of the objectives
    signs: np.ndarray       #: -1 of what is to be large
    reference: np.ndarray
    volume: float
    points: int             #: of the grid

    def cost_of(self, values):
        """Costs as hypervolumes take them."""
        return np.log(values) if (self.signs > 0).all() else self.signs * values

    def costs(self, table):
        """The same of a table; NaN of rows without an answer. Shape (n_points, n_objectives)."""
        values = self.cost_of(table[self.columns].to_numpy(dtype=float))
        values[(table["status"] != "ok").to_numpy()] = np.nan
        return values


def goal_of(grid, objectives):
    """What a walk of the whole grid has found.

    Parameters
    ----------
    grid : pandas.DataFrame
        As `read_results` returns it.
    objectives : list of (str, str)
        Metric, and "minimize" or "maximize".

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
    """Number of points after which a search has a share of the goal's hypervolume; infinite where it never has."""
    if hypervolume(costs, goal.reference) < share * goal.volume:
        return np.inf
    low, high = 1, len(costs)
    while low < high:
        middle = (low + high) // 2
        enough = hypervolume(costs[:middle], goal.reference) >= share * goal.volume
        low, high = (low, middle) if enough else (middle + 1, high)
    return high


def searched(dse, sweep, method, budget, seed):
    """Rows of a sweep under another search, in the order in which it asked for them, and the processor time that it took."""
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
    """The values of an axis, ascending, as JSON has them."""
    return [value.item() if hasattr(value, "item") else value for value in np.unique(column.to_numpy())]


class Run(NamedTuple):
    """What one search found."""

    costs: np.ndarray  #: (n_points, n_objectives), in the order of asking
    seconds: float     #: of a processor, for all of it
    budget: int        #: points that it might have asked for; with fewer it came to its end


class Kept:
    """Runs that are made once and kept in a folder; without one they are made each time."""

    def __init__(self, folder):
        self._folder = folder

    def run(self, name, budget, seed, make):
        """What `make(budget, seed)` gives, as a Run."""
        if not self._folder:
            return Run(*make(budget, seed), budget)
        path = Path(self._folder) / f"{re.sub('[^a-z0-9]+', '-', name.lower())}-{budget}-{seed}.npz"
        if not path.exists():
            costs, seconds = make(budget, seed)
            np.savez(path, costs=costs, seconds=seconds)
        with np.load(path) as kept:
            return Run(kept["costs"], float(kept["seconds"]), budget)


def is_axis(path, name):
    """Whether a column of a results file is an axis, and no derived value."""
    with h5py.File(path, "r") as file:
        role = file["points"][name].attrs["role"]
        return (role.decode() if isinstance(role, bytes) else role) == "axis"


def share_after(run, goal, number):
    """Share of the goal's hypervolume after so many points; NaN where the search had a smaller budget."""
    return hypervolume(run.costs[:number], goal.reference) / goal.volume if number <= run.budget else np.nan


def table_text(found, goal):
    """A row for each method: medians over the seeds, as Markdown."""
    heads = ["method", "points to 99 %", "of the grid"] + [f"after {share:.1%}" for share in SHARES] + ["points/s"]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for method, runs in found.items():
        until = float(np.median([points_until(run.costs, goal, 0.99) for run in runs]))
        cells = [method.strip("[]"), f"{until:,.0f}" if np.isfinite(until) else "not reached",
                 f"{until / goal.points:.2%}" if np.isfinite(until) else ""]
        for share in SHARES:
            volume = np.median([share_after(run, goal, round(share * goal.points)) for run in runs])
            cells.append(f"{np.floor(1e4 * volume + 1e-6) / 1e4:.4f}" if np.isfinite(volume) else "")
        cells.append(f"{np.median([len(run.costs) / run.seconds for run in runs]):,.0f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(found, goal, title):
    """Hypervolume against points, the median of the seeds and their range."""
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
    """NAME, NAME:BUDGET or NAME:BUDGET:SEEDS; None for what is not said."""
    name, *numbers = text.split(":")
    if name not in PEERS:
        raise argparse.ArgumentTypeError(f"no peer is called '{name}' (known: {', '.join(PEERS)})")
    budget, seeds, *_ = [int(number) for number in numbers] + [None, None]
    return name, budget, seeds


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="dse_analysis.searches", description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path, help="a sweep over a grid")
    parser.add_argument("--dse", required=True, help="the program")
    parser.add_argument("--grid", required=True, help="results of the whole sweep")
    parser.add_argument("--budget", type=int, default=2000, help="points of each search (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=10, help="runs of each method (default: %(default)s)")
    parser.add_argument("--methods", default=";".join(METHODS), help="NAME[:SEEDS], separated by ';' (default: %(default)s)")
    parser.add_argument("--peer", type=wanted_peer, action="append", default=[], metavar="NAME[:BUDGET[:SEEDS]]",
                        help=f"beside them one of {', '.join(PEERS)}; may be repeated")
    parser.add_argument("--keep", help="folder of runs that are made once")
    parser.add_argument("-o", "--output", help="figure to write")
    return parser.parse_args(arguments)


def found_by(options, grid, goal):
    """Runs of all methods and peers, by their names."""
    kept = Kept(options.keep)

    def of_method(method, seeds):
        def make(budget, seed):
            table, seconds = searched(options.dse, options.sweep, method, budget, seed)
            return goal.costs(table), seconds
        return [kept.run(method, options.budget, seed, make) for seed in range(int(seeds or options.seeds))]

    values = {name: plain_values(grid[name]) for name in varied_axes(grid) if is_axis(options.grid, name)}
    command = [options.dse, "answer", str(options.sweep), "--metrics", ",".join(goal.columns)]

    def of_peer(peer, budget, seeds):
        def make(points, seed):
            return driven(peer, lambda: DrivenGrid(command, goal.columns, goal.cost_of, values), points, seed)
        return [kept.run(peer, budget or options.budget, seed, make) for seed in range(seeds or options.seeds)]

    wanted = [method.partition(":") for method in options.methods.split(";")]
    found = {method: of_method(method, seeds) for method, _, seeds in wanted}
    return found | {PEERS[name][0]: of_peer(name, budget, seeds) for name, budget, seeds in options.peer}


def main(arguments=None):
    options = parse_arguments(arguments)
    grid = read_results(options.grid)
    goal = goal_of(grid, grid.attrs["objectives"])
    found = found_by(options, grid, goal)
    print(table_text(found, goal))
    if options.output:
        draw(found, goal, options.sweep.stem).savefig(options.output, dpi=150)
    return 0


if __name__ == "__main__":
    sys.exit(main())
