import pytest

from dse_analysis import ratio_errors
from dse_analysis.ratio_errors import ALIKE, APART


def step(log, group="g", stack="A", device="chip", width=0.1, weight=1.0, problem="model"):
    return {"log": log, "group": group, "stack": stack, "device": device, "width": width, "weight": weight, "problem": problem}


def test_a_ratio_is_inside_with_less_in_common():
    # Apart by sqrt(2 (1 - c)) of equal widths.
    assert ratio_errors.sharing(step(0.1), step(0.0)) == pytest.approx(0.5)
    assert ratio_errors.sharing(step(0.1), step(0.1)) == pytest.approx(1.0)
    assert ratio_errors.sharing(step(0.2), step(0.0)) == pytest.approx(-1.0)
    # 0.5 of widths of 0.3 and 0.4: they have nothing in common.
    assert ratio_errors.sharing(step(0.5, width=0.3), step(0.0, width=0.4)) == pytest.approx(0.0)


def test_pairs_differ_in_layout_stack_or_chip():
    steps = [step(0.1), step(0.2), step(0.1, stack="B"), step(0.1, device="another"), step(0.1, problem="another")]
    found = {key: len(pairs) for key, pairs in ratio_errors.pairs_of(steps).items()}
    assert found == {(ALIKE, "layout"): 1, (APART, "stack"): 2, (APART, "chip"): 3}


def test_each_pair_of_groups_has_one_weight():
    steps = [step(0.1, "a"), step(0.1, "a"), step(0.1, "a"), step(0.1, "b")]
    weights = sorted(weight for _, weight in ratio_errors.pairs_of(steps)[ALIKE, "layout"])
    # Three pairs within a, three of a and b.
    assert weights == pytest.approx([1 / 3] * 6)


def test_correlations_hold_four_of_five_pairs():
    # Of ten layouts, the second of which needs 0.1, no fewer than eight are inside. Of others, one of three has something in common.
    pairs = {(ALIKE, "layout"): [(1 - i / 10, 1.0) for i in range(1, 11)], (APART, "chip"): [(-0.5, 1.0), (-0.2, 1.0)], (APART, "stack"): [(0.5, 1.0)]}
    assert ratio_errors.correlations(pairs) == {ALIKE: pytest.approx(0.1), APART: 0.0}
    assert ratio_errors.coverage(pairs) == {"layout": (10, pytest.approx(0.9)), "chip": (2, 0.0), "stack": (1, 1.0)}
