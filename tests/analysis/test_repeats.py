"""Tests of how well measured steps repeat."""

import math

import numpy as np
import pytest

from dse_analysis import repeats

FACTS = dict.fromkeys(repeats.CONFIGURATION, "1") | {"model": "a", "chip": "h100"}


def row(log, measured, predicted=10.0, devices=1.0):
    return {"id": log, "model": "a", "chip": "h100", "stack": "s", "devices": devices, "measured": measured, "predicted": predicted}


def stated(**changes):
    return {log: FACTS | {"tp": tp} for log, tp in changes.items()}


def test_two_repeats_deviate_by_the_root_of_two_of_half_their_ratio():
    found = repeats.deviations([row("x", 1.0), row("y", 1.21), row("z", 5.0, predicted=11.0)], stated(x="1", y="1", z="2"))
    assert found == pytest.approx([-math.sqrt(2) * math.log(1.1), math.sqrt(2) * math.log(1.1)])  # z has no repeat


def test_no_repeats_reverse_nothing():
    assert repeats.deviations([row("x", 1.0)], stated(x="1")).size == 0
    assert repeats.expected_reversals(np.array([0.2]), np.zeros(0)) == 0.0


def test_pairs_are_of_two_configurations_and_far_apart():
    rows = [row("x", 1.0), row("y", 1.3), row("z", 1.1), row("w", 1.3)]
    found = repeats.gaps(rows, stated(x="1", y="1", z="2", w="4"))
    # x and y are repeats; x, z and z, w: 10 and 18 %; y, z: 18 %; x, w: 30 %; y, w: equal.
    assert sorted(found) == pytest.approx([math.log(1.3 / 1.1)] * 2 + [math.log(1.3)])


def test_times_are_those_of_a_token_on_a_device():
    found = repeats.gaps([row("x", 1.0), row("y", 1.0, devices=2.0)], stated(x="1", y="2"))
    assert found == pytest.approx([math.log(2.0)])


def test_one_in_four_differences_of_a_coin_exceeds_a_gap():
    # Each measurement is up or down by 0.1: the difference is 0.2, 0, 0 or -0.2.
    spread = np.array([0.1])
    assert repeats.expected_reversals(np.array([0.15, 0.15, 0.25]), spread) == pytest.approx(0.5)
