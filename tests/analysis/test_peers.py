import sys

import numpy as np

from dse_analysis.peers import FEASIBLE, OUTSIDE, WITHOUT_ANSWER, DrivenGrid, processor_seconds

#: Talks like `dse answer`: the time is the sum, 3 is no point of the space, 4 does not fit.
PROGRAM = """
import json, sys
for line in sys.stdin:
    values = json.loads(line)["values"]
    total = values["tp"] + values["pp"]
    answer = {"status": "ok", "iteration_time": total, "energy": 2 * total}
    if total == 3:
        answer = {"status": "outside_validity", "reason": "not in the space: tp != pp"}
    if total == 4:
        answer = {"status": "out_of_memory", "reason": "weights"}
    print(json.dumps(answer), flush=True)
"""


def test_a_driven_grid_asks_by_the_numbers_of_values():
    values = {"tp": [1, 2], "pp": [1, 2, 8]}
    with DrivenGrid([sys.executable, "-c", PROGRAM], ["iteration_time", "energy"], lambda costs: costs / 2, values) as grid:
        assert grid.highest.tolist() == [1, 2] and grid.objectives == 2
        costs, infeasible = grid.answers([[0, 0], [1, 0], [1, 1], [1, 2]])
    assert infeasible.tolist() == [FEASIBLE, OUTSIDE, WITHOUT_ANSWER, FEASIBLE]
    assert costs.tolist() == [[1, 2], [0, 0], [0, 0], [5, 10]]
    asked = np.array(grid.asked)
    assert asked.shape == (3, 2), "what is no point of the space is no evaluation"
    assert np.isnan(asked[1]).all()


def test_names_are_told_from_numbers():
    with DrivenGrid([sys.executable, "-c", ""], ["z"], abs, {"kind": ["ring", "tree"], "on": [False, True], "n": [1, 2]}) as grid:
        assert grid.is_name == {"kind": True, "on": True, "n": False}


def test_processor_time_grows():
    before = processor_seconds()
    assert sum(i * i for i in range(2_000_000)) > 0
    assert processor_seconds() >= before
