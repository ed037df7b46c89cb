import numpy as np
import pytest

from dse_analysis import credibility


def row(log, group, device="SXM", stack="Megatron-LM 2021", weight=1.0):
    """Return a row of six families, from all to those without tensor parallelism."""
    names = (("kind", "dense"), ("generation", "ampere"), ("device", device), ("stack", stack), ("tensors", "whole"))
    return {"log": log, "group": group, "weight": weight, "path": [dict(names[:depth]) for depth in range(6)]}


def test_a_group_is_one_observation():
    # Group a: mean 0.2, group b: (3 · 0.1 + 0.5) / 4 = 0.2 by weights.
    rows = [row(0.1, "a"), row(-0.3, "a"), row(0.1, "b", weight=3.0), row(-0.5, "b")]
    assert credibility.sizes_of(rows) == (pytest.approx(0.2), 2)


def sizes_along(rows, row):
    sizes = credibility.family_sizes(rows)
    return [sizes[credibility.key_of(family)] for family in row["path"]]


def test_thin_families_borrow_from_wider_ones():
    # Two dense chips of one generation with one group each: 0.1 and 0.3, so 0.2 for all that hold both.
    rows = [row(0.1, "a"), row(0.3, "b", "PCIe")]
    # One of four groups: precision 1/4 of the tensors' mean, whose share is (1/4) / (5/4). Their software is known with
    # precision 1/5, share 1/6, the chip with precision 1/6, share 1/7.
    chip = 0.1 / 7 + 0.2 * 6 / 7
    software = 0.1 / 6 + chip * 5 / 6
    assert sizes_along(rows, rows[0]) == pytest.approx([0.2, 0.2, 0.2, chip, software, 0.1 / 5 + software * 4 / 5])


def test_families_count_not_by_their_groups():
    # The chip with four groups is known with precision 1, its software 1/2, the chip itself 1/3, and a share of 1/4 in its
    # generation; the one with one group with a share of 1/7.
    rows = [*(row(0.1, name) for name in "abcd"), row(0.3, "e", "PCIe")]
    mean = (0.1 / 4 + 0.3 / 7) / (1 / 4 + 1 / 7)
    assert sizes_along(rows, rows[0])[:4] == pytest.approx([mean, mean, mean, 0.1 / 4 + mean * 3 / 4])


def test_a_family_may_have_rows_of_its_own_beside_families():
    # Below all: a stack with one group (0.1, precision 1/4), and a row without a stack (0.4, as much).
    rows = [row(0.1, "a"), row(0.4, "b")]
    for line, names in zip(rows, ({"stack": "x"}, {})):
        line["path"] = [{}, names] if names else [{}]
    widest = (0.1 / 5 + 0.4 / 4) / (1 / 5 + 1 / 4)
    assert sizes_along(rows, rows[0]) == pytest.approx([widest, 0.1 / 5 + widest * 4 / 5])


def test_bars_hold_the_share_that_they_are_made_for():
    generator = np.random.default_rng(7)
    rows = [row(float(log), str(i)) for i, log in enumerate(generator.normal(0, 0.1, 200))]
    sizes = credibility.unseen_sizes(rows)
    factor = credibility.factor_of(rows, sizes)
    inside = np.mean([abs(row["log"]) <= factor * size for row, size in zip(rows, sizes)])
    assert inside == pytest.approx(0.8, abs=0.01)
    # Of a normal variable: 1.2816 deviations over a mean size of 0.7979.
    assert factor == pytest.approx(1.606, rel=0.1)


def test_a_row_has_no_say_in_its_own_bar():
    rows = [row(0.1, "a"), row(0.1, "b"), row(0.9, "c")]
    assert credibility.unseen_sizes(rows)[2] == pytest.approx(0.1)


def test_parts_have_factors_of_their_own():
    # Sizes of 0.1: four of five lie within twice that in one part, within once in the other, and four of all five weights within twice.
    rows = [{**row(log, "g"), "path": [{}, {"kind": kind}]} for kind, log in (("a", 0.2), ("b", 0.1))]
    rows[1]["weight"] = 0.1
    assert credibility.factors_of(rows, [0.1, 0.1]) == pytest.approx({(): 2.0, (("kind", "a"),): 2.0, (("kind", "b"),): 1.0})


def test_names_that_are_left_out_whole_have_one_weight():
    # Four names err by 0.1, whose others err by (3 · 0.1 + 0.3) / 4; ten rows of the fifth by three times the others'.
    rows = [row(0.1, name, stack=name) for name in "abcd"] + 10 * [row(0.3, "e", stack="e")]
    assert credibility.factor_without(rows, lambda line: line["group"]) == pytest.approx(0.1 / 0.15)


def test_coverage_counts_a_configuration_once():
    # A fourth of the weight lies inside 0.2; the heavier row's error, 0.3, is the median.
    assert credibility.coverage([row(0.1, "a"), row(-0.3, "b", weight=3.0)], [0.2, 0.2]) == (2, 0.25, 0.2, pytest.approx(2 / 3))
