import numpy as np
import pytest

from dse_analysis import serving_hold_out

TEXT = """engines:
  - match: vllm
    serving: {host_time: 1 ms, host_time_sequence: 40 us, request_time: 15 ms}
clients:
  - {source: gap_analysis, length_ratio: 0.95}
  - {source: inferencex_db, length_ratio: 0.8}
"""


def test_replaces_every_engines_constants():
    changed = serving_hold_out.with_constants(TEXT, {"host_time": 2.0, "request_time": 30.0})
    assert "{host_time: 2.0 ms, host_time_sequence: 40 us, request_time: 30.0 ms}" in changed
    with pytest.raises(ValueError, match="host_time"):
        serving_hold_out.with_constants("engines: []", {"host_time": 2.0})


def test_lengths_of_clients_are_facts():
    assert "length_ratio" not in serving_hold_out.VALUES
    changed = serving_hold_out.with_constants(TEXT, {"request_time": 5.0})
    assert "gap_analysis, length_ratio: 0.95}" in changed and "inferencex_db, length_ratio: 0.8}" in changed


def test_half_of_the_weight_stays_below_a_median():
    assert serving_hold_out.weighted_median(np.array([3.0, 1.0, 2.0]), np.ones(3)) == 2.0
    assert serving_hold_out.weighted_median(np.array([3.0, 1.0, 2.0]), np.array([3.0, 1.0, 1.0])) == 3.0


def test_a_metric_that_no_row_has_costs_nothing():
    errors = {"a": {"tpot": -0.1}, "b": {"tpot": 0.3, "ttft": 0.5}}
    # Medians 0.1 of tpot, where half of the weight is reached, and 0.5 of ttft, over goals of 0.1 and 0.25.
    assert serving_hold_out.cost(errors, {"a": 1.0, "b": 1.0}) == pytest.approx(3.0)
    assert serving_hold_out.cost(errors, {"a": 1.0}) == pytest.approx(1.0)


def test_a_group_has_the_constants_that_are_best_for_the_others():
    # The first trial is right for group g, the second for h: each is predicted with the other's.
    trials = [{"a": {"tpot": 0.0}, "b": {"tpot": 0.2}}, {"a": {"tpot": 0.4}, "b": {"tpot": 0.0}}]
    unseen = serving_hold_out.held_out(trials, {"g": ["a"], "h": ["b"]}, {"a": 1.0, "b": 1.0})
    assert unseen == {"a": {"tpot": 0.4}, "b": {"tpot": 0.2}}
