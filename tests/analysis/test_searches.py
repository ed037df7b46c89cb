import argparse

import numpy as np
import pandas as pd
import pytest

from conftest import write_results

from dse_analysis.searches import (Goal, Kept, Run, goal_of, hypervolume, parse_arguments, points_until, read_known,
                                    share_after, table_text, wanted_peer)

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
    text = table_text({"one": [Run(FRONT, 0.5, 3)], "none": [Run(FRONT[:1], 0.5, 1)]}, goal)
    assert "| one | 3 | 3.00% | 0.0000 | 0.0000 | 0.0000 | 0.5000 | 0.8333 |  |  | 6 |" in text
    assert "| none | not reached |" in text


def test_a_share_beyond_the_budget_of_a_search_is_unknown():
    goal = Goal(["a", "b"], np.ones(2), np.array([4.0, 4.0]), 6.0, 100)
    assert share_after(Run(FRONT, 1.0, 3), goal, 3) == pytest.approx(1.0)
    assert np.isnan(share_after(Run(FRONT, 1.0, 3), goal, 4))
    assert share_after(Run(FRONT, 1.0, 9), goal, 4) == pytest.approx(1.0), "it came to its end"


def test_peers_are_named_with_budget_and_seeds():
    assert wanted_peer("pymoo") == ("pymoo", None, None)
    assert wanted_peer("optuna:2010") == ("optuna", 2010, None)
    assert wanted_peer("tpe:402:5") == ("tpe", 402, 5)
    with pytest.raises(argparse.ArgumentTypeError, match="no peer is called 'optun'"):
        wanted_peer("optun")


def test_runs_are_made_once_where_they_are_kept(tmp_path):
    made = []

    def make(budget, seed):
        made.append(seed)
        return np.full((budget, 2), seed), 0.25

    for _ in range(2):
        run = Kept(tmp_path).run("[nsga2, refine]", 3, 7, make)
        assert run.costs.shape == (3, 2) and run.seconds == 0.25 and run.budget == 3
    assert made == [7]
    Kept(None).run("random", 3, 8, make)
    assert made == [7, 8]


def test_a_table_by_numbers_of_points_has_seconds():
    goal = Goal(["a", "b"], np.ones(2), np.array([4.0, 4.0]), 6.0, 10**12)
    text = table_text({"one": [Run(FRONT, 0.5, 3)]}, goal, [1, 2, 5])
    assert "| method | points to 99 % | s to 99 % | after 1 | after 2 | after 5 | points/s |" in text
    assert "| one | 3 | 0.5 | 0.5000 | 0.8333 |  | 6 |" in text


def test_what_is_known_comes_from_several_files(tmp_path):
    front = write_results(tmp_path / "front.h5")
    others = write_results(tmp_path / "others.h5", status=["ok"] * 6)
    known = read_known([front, others])
    assert len(known) == 12
    assert known["status"].tolist()[3:5] == ["ok", "out_of_memory"] and set(known["status"][6:]) == {"ok"}
    assert known.attrs["axes"] == ["network.bandwidth", "schedule", "tp"]
    assert goal_of(known, [("iteration_time", "minimize")]).points == 12


def test_grids_are_named_one_by_one():
    options = parse_arguments(["--dse", "dse", "--grid", "a.h5", "--grid", "b.h5", "x.yaml", "--after", "10,20"])
    assert options.grid == ["a.h5", "b.h5"] and str(options.sweep) == "x.yaml" and options.after == [10, 20]
