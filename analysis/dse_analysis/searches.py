"""How soon searches come to a front that is known: points until they have a share of its hypervolume.

    python -m dse_analysis.searches --dse build/release/dse --grid results/llm_70b.h5 sweeps/llm_70b.yaml -o searches.png

Runs the sweep with each method and seed, and holds what it found after so many points against the whole grid. The reference
point is 1.1 times the worst feasible value of each objective, all by their logarithms. With --pymoo the same points are
looked up for pymoo's NSGA-II, which asks for them by the number of each axis's value; with --optuna for Optuna's.
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
from dse_analysis.results import read_results, varied_axes  # noqa: E402

METHODS = ("random", "sobol", "nsga2", "moead", "refine", "[nsga2, refine]")
SHARES = (0.001, 0.002, 0.005, 0.01)  #: of the grid's points, after which hypervolumes are told
_COLORS = ("#999999", "#56B4E9", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00")


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

    def costs(self, table):
        """Costs as hypervolumes take them; NaN of rows without an answer. Shape (n_points, n_objectives)."""
        values = self.signs * table[self.columns].to_numpy(dtype=float)
        values = np.log(values) if (self.signs > 0).all() else values
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
    """Rows of a sweep under another search, in the order in which it asked for them."""
    text = re.sub(r"^search:.*\n", "", sweep.read_text(encoding="utf-8"), flags=re.M)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / sweep.name
        file.write_text(f"{text}\nsearch: {{method: {method}, budget: {budget}, seed: {seed}}}\n", encoding="utf-8")
        output = file.with_suffix(".h5")
        subprocess.run([dse, str(file), "-o", str(output), "--progress", "none"], check=True, stdout=subprocess.DEVNULL)
        return read_results(output)


class CodedGrid:
    """A grid whose points are asked for by the number of each axis's value.

    Parameters
    ----------
    grid : pandas.DataFrame
    goal : Goal
    axes : list of str
    """

    def __init__(self, grid, goal, axes):
        codes = np.column_stack([np.unique(grid[axis].to_numpy(), return_inverse=True)[1] for axis in axes])
        self.highest = codes.max(axis=0)
        self.costs = goal.costs(grid)
        self.asked = []
        self._row_of = {tuple(code): row for row, code in enumerate(codes)}

    def answer(self, code):
        """Costs, and how infeasible: 0 is feasible, 1 has no answer, 2 is no point of the space, which counts as none."""
        row = self._row_of.get(tuple(int(value) for value in code))
        if row is None:
            return np.zeros(self.costs.shape[1]), 2.0
        self.asked.append(row)
        answered = np.isfinite(self.costs[row]).all()
        return (self.costs[row], 0.0) if answered else (np.zeros(self.costs.shape[1]), 1.0)

    def found(self, budget):
        """Costs in the order of asking."""
        return self.costs[self.asked[:budget]]


def optuna_costs(grid, goal, axes, budget, seed):
    """The same of Optuna's NSGA-II."""
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    coded = CodedGrid(grid, goal, axes)
    sampler = optuna.samplers.NSGAIISampler(population_size=100, seed=seed,
                                            constraints_func=lambda trial: [trial.user_attrs["infeasible"]])
    study = optuna.create_study(directions=["minimize"] * len(goal.columns), sampler=sampler)
    while len(coded.asked) < budget:
        trial = study.ask()
        costs, infeasible = coded.answer([trial.suggest_int(axis, 0, int(top)) for axis, top in zip(axes, coded.highest)])
        trial.set_user_attr("infeasible", infeasible)
        study.tell(trial, list(costs))
    return coded.found(budget)


def pymoo_costs(grid, goal, axes, budget, seed):
    """The same of pymoo's NSGA-II: integers by axis, what is no point of the space infeasible and not counted."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import ElementwiseProblem
    from pymoo.operators.crossover.ux import UniformCrossover
    from pymoo.operators.mutation.pm import PM
    from pymoo.operators.repair.rounding import RoundingRepair
    from pymoo.operators.sampling.rnd import IntegerRandomSampling

    coded = CodedGrid(grid, goal, axes)

    class Problem(ElementwiseProblem):
        def __init__(self):
            super().__init__(n_var=len(axes), n_obj=len(goal.columns), n_ieq_constr=1, xl=0, xu=coded.highest,
                             vtype=int)

        def _evaluate(self, x, out, *args, **kwargs):
            out["F"], infeasible = coded.answer(x)
            out["G"] = [infeasible]

    algorithm = NSGA2(pop_size=100, sampling=IntegerRandomSampling(), crossover=UniformCrossover(repair=RoundingRepair()),
                      mutation=PM(prob_var=1 / len(axes), eta=3.0, vtype=float, repair=RoundingRepair()),
                      eliminate_duplicates=True)
    algorithm.setup(Problem(), termination=("n_eval", 100 * budget), seed=seed)
    while algorithm.has_next() and len(coded.asked) < budget:
        algorithm.next()
    return coded.found(budget)


def is_axis(path, name):
    """Whether a column of a results file is an axis, and no derived value."""
    with h5py.File(path, "r") as file:
        role = file["points"][name].attrs["role"]
        return (role.decode() if isinstance(role, bytes) else role) == "axis"


def table_text(found, goal):
    """A row for each method: medians over the seeds, as Markdown."""
    heads = ["method", "points to 99 %", "of the grid"] + [f"after {share:.1%}" for share in SHARES]
    lines = ["| " + " | ".join(heads) + " |", "|" + "---|" * len(heads)]
    for method, runs in found.items():
        until = float(np.median([points_until(costs, goal, 0.99) for costs in runs]))
        cells = [method, f"{until:,.0f}" if np.isfinite(until) else "not reached",
                 f"{until / goal.points:.2%}" if np.isfinite(until) else ""]
        for share in SHARES:
            number = round(share * goal.points)
            volumes = [hypervolume(costs[:number], goal.reference) / goal.volume for costs in runs]
            cells.append(f"{np.median(volumes):.4f}")
        lines.append("| " + " | ".join(cells) + " |")
    return "\n".join(lines)


def draw(found, goal, title):
    """Hypervolume against points, the median of the seeds and their range."""
    with plt.rc_context(STYLE):
        figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
        longest = max(len(costs) for runs in found.values() for costs in runs)
        numbers = np.unique(np.geomspace(10, longest, 40).astype(int))
        for color, (method, runs) in zip(_COLORS, found.items()):
            shares = np.array([[hypervolume(costs[:n], goal.reference) / goal.volume for n in numbers] for costs in runs])
            axes.plot(numbers, np.median(shares, axis=0), label=method.strip("[]"), color=color)
            axes.fill_between(numbers, shares.min(axis=0), shares.max(axis=0), color=color, alpha=0.15, linewidth=0)
        axes.set(xscale="log", xlabel="points evaluated", ylabel="share of the front's hypervolume", title=title)
        axes.axhline(0.99, color="black", linewidth=0.6, linestyle=":")
        axes.legend(frameon=False)
        return figure


def main(arguments=None):
    parser = argparse.ArgumentParser(prog="dse_analysis.searches", description=__doc__.splitlines()[0])
    parser.add_argument("sweep", type=Path, help="a sweep over a grid")
    parser.add_argument("--dse", required=True, help="the program")
    parser.add_argument("--grid", required=True, help="results of the whole sweep")
    parser.add_argument("--budget", type=int, default=2000, help="points of each search (default: %(default)s)")
    parser.add_argument("--seeds", type=int, default=10, help="runs of each method (default: %(default)s)")
    parser.add_argument("--pymoo", action="store_true", help="beside them pymoo's NSGA-II, where it is installed")
    parser.add_argument("--optuna", action="store_true", help="and Optuna's")
    parser.add_argument("-o", "--output", help="figure to write")
    options = parser.parse_args(arguments)
    grid = read_results(options.grid)
    goal = goal_of(grid, grid.attrs["objectives"])
    found = {method: [goal.costs(searched(options.dse, options.sweep, method, options.budget, seed))
                      for seed in range(options.seeds)] for method in METHODS}
    axes = [name for name in varied_axes(grid) if is_axis(options.grid, name)]
    for wanted, name, costs in ((options.pymoo, "pymoo's NSGA-II", pymoo_costs), (options.optuna, "Optuna's NSGA-II", optuna_costs)):
        if wanted:
            found[name] = [costs(grid, goal, axes, options.budget, seed) for seed in range(options.seeds)]
    print(table_text(found, goal))
    if options.output:
        draw(found, goal, options.sweep.stem).savefig(options.output, dpi=150)
    return 0


if __name__ == "__main__":
    sys.exit(main())
