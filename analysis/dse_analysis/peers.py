"""Third-party optimizers on a grid that dse evaluates with `dse answer`, by point or by population.

Optuna and pymoo are imported only when they are used; no other part of this package needs them.
"""

import json
import os
import subprocess

import numpy as np

#: Degrees of infeasibility of an answer.
FEASIBLE, WITHOUT_ANSWER, OUTSIDE = 0.0, 1.0, 2.0


class DrivenGrid:
    """A grid whose points are requested by the index of the value on each axis.

    Parameters
    ----------
    command : list of str
        `dse answer SWEEP.yaml --metrics …`, or another program with the same protocol.
    columns : list of str
        Objectives.
    cost_of : callable
        Converts an array of their values to costs.
    values : dict
        {axis: its values, ascending}, in types that JSON supports.
    """

    def __init__(self, command, columns, cost_of, values):
        self.axes = list(values)
        self.highest = np.array([len(own) - 1 for own in values.values()])
        self.is_name = {axis: isinstance(own[0], (str, bool)) for axis, own in values.items()}
        self.objectives = len(columns)
        self.asked = []  # costs in the order of requests; NaN if infeasible
        self._columns, self._cost_of, self._values = columns, cost_of, values
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._process.stdin.close()
        self._process.stdout.close()
        self._process.wait()

    def answers(self, codes):
        """Request the evaluation of points.

        Parameters
        ----------
        codes : sequence of sequences of int, at most some hundreds of points

        Returns
        -------
        numpy.ndarray, shape (n_points, n_objectives)
            Costs; 0 if there are none.
        numpy.ndarray, shape (n_points,)
            FEASIBLE, WITHOUT_ANSWER, or OUTSIDE of the space; the latter does not count as an evaluation.
        """
        lines = [json.dumps({"values": {axis: own[int(place)] for (axis, own), place in zip(self._values.items(), code)}})
                 for code in codes]
        self._process.stdin.write("".join(line + "\n" for line in lines).encode())
        self._process.stdin.flush()
        taken = [self._take(json.loads(self._process.stdout.readline())) for _ in lines]
        return np.array([costs for costs, _ in taken]), np.array([infeasible for _, infeasible in taken])

    def _take(self, answer):
        nothing = np.zeros(self.objectives)
        if answer["status"] == "ok":
            self.asked.append(self._cost_of(np.array([answer[name] for name in self._columns])))
            return self.asked[-1], FEASIBLE
        if answer["reason"].startswith("not in the space"):
            return nothing, OUTSIDE
        self.asked.append(np.full(self.objectives, np.nan))
        return nothing, WITHOUT_ANSWER


def optuna_nsga2(grid, budget, seed):
    """Run Optuna's NSGA-II, one point at a time."""
    import optuna

    _run_optuna(grid, budget, optuna.samplers.NSGAIISampler(population_size=100, seed=seed, constraints_func=_constraint))


def optuna_tpe(grid, budget, seed):
    """Run Optuna's multi-objective tree-structured Parzen estimator (MOTPE)."""
    import optuna

    _run_optuna(grid, budget, optuna.samplers.TPESampler(seed=seed, constraints_func=_constraint))


def _constraint(trial):
    return [trial.user_attrs["infeasible"]]


def _run_optuna(grid, budget, sampler):
    import optuna

    optuna.logging.set_verbosity(optuna.logging.ERROR)
    study = optuna.create_study(directions=["minimize"] * grid.objectives, sampler=sampler)
    while len(grid.asked) < budget:
        trial = study.ask()
        costs, infeasible = grid.answers([[_suggest(trial, grid, axis, int(top))
                                           for axis, top in zip(grid.axes, grid.highest)]])
        trial.set_user_attr("infeasible", float(infeasible[0]))
        study.tell(trial, list(costs[0]))


def _suggest(trial, grid, axis, top):
    return trial.suggest_categorical(axis, range(top + 1)) if grid.is_name[axis] else trial.suggest_int(axis, 0, top)


def pymoo_nsga2(grid, budget, seed):
    """Run pymoo's NSGA-II, one population at a time, on integers; points outside are infeasible."""
    from pymoo.algorithms.moo.nsga2 import NSGA2
    from pymoo.core.problem import Problem
    from pymoo.operators.crossover.ux import UniformCrossover
    from pymoo.operators.mutation.pm import PM
    from pymoo.operators.repair.rounding import RoundingRepair
    from pymoo.operators.sampling.rnd import IntegerRandomSampling

    class Grid(Problem):
        def __init__(self):
            super().__init__(n_var=len(grid.axes), n_obj=grid.objectives, n_ieq_constr=1, xl=0, xu=grid.highest, vtype=int)

        def _evaluate(self, x, out, *args, **kwargs):
            out["F"], infeasible = grid.answers(x)
            out["G"] = infeasible[:, None]

    algorithm = NSGA2(pop_size=100, sampling=IntegerRandomSampling(), crossover=UniformCrossover(repair=RoundingRepair()),
                      mutation=PM(prob_var=1 / len(grid.axes), eta=3.0, vtype=float, repair=RoundingRepair()),
                      eliminate_duplicates=True)
    algorithm.setup(Grid(), termination=("n_eval", 100 * budget), seed=seed)
    while algorithm.has_next() and len(grid.asked) < budget:
        algorithm.next()


#: By the names of the option --peer: title, and the function that runs the optimizer until the budget is
#: spent.
PEERS = {"pymoo": ("pymoo's NSGA-II", pymoo_nsga2),
         "optuna": ("Optuna's NSGA-II", optuna_nsga2),
         "tpe": ("Optuna's MOTPE", optuna_tpe)}


def processor_seconds():
    """Return the processor time of this process and of its children that have ended."""
    return sum(os.times()[:4])


def driven(peer, make_grid, budget, seed):
    """Run one of PEERS.

    Parameters
    ----------
    peer : str
    make_grid : callable
        Returns a new DrivenGrid.
    budget, seed : int

    Returns
    -------
    numpy.ndarray, shape (budget, n_objectives)
        Costs in the order of requests.
    float
        Processor time of optimizer and dse together, without imports [s].
    """
    _, run = PEERS[peer]
    with make_grid() as warm:
        run(warm, 1, seed)
    begin = processor_seconds()
    with make_grid() as grid:
        run(grid, budget, seed)
    seconds = processor_seconds() - begin
    return np.array(grid.asked[:budget]), seconds * budget / len(grid.asked)
