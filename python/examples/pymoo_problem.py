"""A sweep file as a pymoo problem: python pymoo_problem.py SWEEP.yaml [EVALUATIONS]."""

import sys

import numpy as np
from pymoo.algorithms.moo.nsga2 import NSGA2
from pymoo.core.problem import ElementwiseProblem
from pymoo.operators.repair.rounding import RoundingRepair
from pymoo.operators.crossover.sbx import SBX
from pymoo.operators.mutation.pm import PM
from pymoo.operators.sampling.rnd import IntegerRandomSampling
from pymoo.optimize import minimize

import dse


class SweepProblem(ElementwiseProblem):
    """One variable per axis: the index of its value in the list. Infeasible points violate a constraint."""

    def __init__(self, sweep):
        self.sweep = sweep
        self.axes = list(sweep.axes.items())
        self.signs = [1 if direction == "minimize" else -1 for direction in sweep.objectives.values()]
        super().__init__(n_var=len(self.axes), n_obj=len(self.signs), n_ieq_constr=1, xl=0,
                         xu=np.array([len(values) - 1 for _, values in self.axes]), vtype=int)

    def point(self, x):
        """Return the values of the axes at x."""
        return {name: values[int(place)] for (name, values), place in zip(self.axes, x)}

    def _evaluate(self, x, out, *args, **kwargs):
        try:
            answer = self.sweep.evaluate(**self.point(x))
        except dse.InputError:  # a point that `require` excludes
            answer = {"status": "dropped"}
        good = answer["status"] == "ok"
        out["F"] = [sign * answer[metric] if good else 0.0 for sign, metric in zip(self.signs, self.sweep.objectives)]
        out["G"] = [0.0 if good else 1.0]


def search(sweep, evaluations, seed=1):
    """Return the problem, and the result of NSGA-II after this number of evaluations."""
    problem = SweepProblem(sweep)
    algorithm = NSGA2(pop_size=40, sampling=IntegerRandomSampling(), crossover=SBX(repair=RoundingRepair(), vtype=float),
                      mutation=PM(repair=RoundingRepair(), vtype=float), eliminate_duplicates=True)
    return problem, minimize(problem, algorithm, ("n_eval", evaluations), seed=seed)


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    made, result = search(dse.Sweep(sys.argv[1]), int(sys.argv[2]) if len(sys.argv) > 2 else 400)
    for x, values in zip(result.X, result.F):
        print(dict(zip(made.sweep.objectives, values)), made.point(x))
