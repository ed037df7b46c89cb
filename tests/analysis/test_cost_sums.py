import numpy as np
import pytest

from dse_analysis.cost_sums import CostSums, weights_of


def test_weights_are_found_again():
    costs = np.random.default_rng(1).random((200, 3))
    seconds = costs @ [1.0, 0.0, 2.5]
    assert weights_of(costs, seconds, np.zeros(3), np.zeros(3), np.ones(len(seconds))) == pytest.approx([1.0, 0.0, 2.5], abs=1e-6)


def test_what_no_row_shows_is_usual_and_bounds_hold():
    costs = np.column_stack([np.full(100, 1e-6), np.zeros(100), np.linspace(1e-9, 2e-9, 100)])
    weights = weights_of(costs, costs[:, 0] * 5, np.array([0.0, 0.7, 0.0]), np.array([0.0, 0.0, 0.9]), np.ones(100))
    assert weights[0] == pytest.approx(5, rel=1e-2)
    assert weights[1] == pytest.approx(0.7)
    assert weights[2] >= 0.9


def test_costs_that_grow_alike_have_equal_shares():
    alike = np.linspace(1e-6, 1e-4, 100)
    costs = np.column_stack([alike, 2 * alike, np.full(100, 1e-6)])
    # Half of 3 a is 1.5 a, or 0.75 of 2 a; in any order.
    for order in ([0, 1, 2], [1, 2, 0], [2, 1, 0]):
        weights = weights_of(costs[:, order], 3 * alike + 1e-6, np.zeros(3), np.zeros(3), np.ones(100))
        assert weights[np.argsort(order)] == pytest.approx([1.5, 0.75, 1.0], rel=1e-4)


def test_rows_that_count_more_decide():
    costs = {"launch": np.full(200, 1e-6)}
    seconds = np.where(np.arange(200) < 100, 1e-6, 3e-6)
    few = CostSums("prefill", costs, np.zeros(200, int), seconds, np.where(np.arange(200) < 100, 1.0, 100.0))
    assert few.weights[0] == pytest.approx([3.0], rel=0.05)
    # As many of both: the smaller one, since errors are those of ratios.
    assert CostSums("prefill", costs, np.zeros(200, int), seconds).weights[0][0] < 2.0


def test_families_with_few_rows_have_the_weights_of_all():
    costs = {"launch": np.full(120, 1e-6), "compute": np.linspace(1e-6, 1e-4, 120)}
    family = np.array([4] * 100 + [5] * 20)
    seconds = np.where(family == 4, 2.0, 2.0) * costs["launch"] + 1.5 * costs["compute"]
    sums = CostSums("prefill", costs, family, seconds)
    assert sorted(sums.weights) == [-1, 4]
    assert np.exp(sums.logarithm(costs, family)) == pytest.approx(seconds, rel=1e-6)
    assert sums.lines() == ["costs -1 2 1.5", "costs 4 2 1.5"]
