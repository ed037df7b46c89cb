import numpy as np
import pandas as pd
import pytest

from dse_analysis.searches import CodedGrid, Goal, goal_of, hypervolume, points_until, table_text

FRONT = np.array([[1.0, 3.0], [2.0, 2.0], [3.0, 1.0]])


def test_hypervolume_by_hand():
    # Boxes up to (4, 4) of 3, 4 and 3; neighbours share 2 each. In space: 6 + 6 + 6 - 2 - 2 - 2 + 1.
    assert hypervolume(FRONT, np.array([4.0, 4.0])) == pytest.approx(6.0)
    boxes = np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 1.0], [3.0, 1.0, 2.0]])
    assert hypervolume(boxes, np.full(3, 4.0)) == pytest.approx(13.0)
    assert hypervolume(np.array([[4.0, 0.0], [np.nan, 0.0]]), np.array([4.0, 4.0])) == 0.0


def grid_of(times, energies):
    return pd.DataFrame({"iteration_time": times, "energy": energies,
                         "status": ["ok" if np.isfinite(time) else "out_of_memory" for time in times]})


def test_a_goal_is_the_whole_grid_by_logarithms():
    goal = goal_of(grid_of([1.0, np.e, np.nan], [np.e, 1.0, 0.1]), [("iteration_time", "minimize"), ("energy", "minimize")])
    assert goal.points == 3
    assert goal.reference == pytest.approx([1 + np.log(1.1)] * 2)
    # Costs (0, 1) and (1, 0), up to 1 + log 1.1.
    edge = np.log(1.1)
    assert goal.volume == pytest.approx(2 * (1 + edge) * edge - edge**2)


def test_what_is_to_be_large_has_its_sign_turned():
    goal = goal_of(grid_of([1.0, 2.0], [3.0, 5.0]), [("iteration_time", "minimize"), ("energy", "maximize")])
    assert goal.costs(grid_of([1.0], [3.0])).tolist() == [[1.0, -3.0]]
    assert goal.reference == pytest.approx([2.2, -2.7])


def test_points_until_a_share_is_there():
    goal = Goal(["a", "b"], np.ones(2), np.array([4.0, 4.0]), 6.0, 100)
    assert points_until(FRONT[[0, 0, 1, 2]], goal, 0.5) == 1
    assert points_until(FRONT[[0, 0, 1, 2]], goal, 0.99) == 4
    assert points_until(FRONT[[0, 0, 1]], goal, 0.99) == np.inf
    text = table_text({"one": [FRONT], "none": [FRONT[:1]]}, goal)
    assert "| one | 3 | 3.00% | 0.0000 | 0.0000 | 0.0000 | 0.5000 |" in text
    assert "| none | not reached |" in text


def test_a_coded_grid_answers_by_the_numbers_of_values():
    grid = grid_of([1.0, 2.0, np.nan], [3.0, 5.0, 1.0]).assign(tp=[1, 4, 4], pp=[2, 2, 8])
    goal = goal_of(grid, [("iteration_time", "minimize"), ("energy", "minimize")])
    coded = CodedGrid(grid, goal, ["tp", "pp"])
    assert coded.highest.tolist() == [1, 1]
    costs, infeasible = coded.answer([1, 0])
    assert infeasible == 0.0 and costs == pytest.approx(np.log([2.0, 5.0]))
    assert coded.answer([1, 1])[1] == 1.0, "a point without an answer"
    assert coded.answer([0, 1])[1] == 2.0, "no point of the space"
    assert coded.found(5).shape == (2, 2)
