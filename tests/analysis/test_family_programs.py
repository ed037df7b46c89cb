"""Programs of families are HLO whose shapes fit, gradients included."""

import pathlib
import random
import re
import sys

import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "workloads" / "families"))

from hlo_text import Program  # noqa: E402 (the folder comes first)
from make_hlo import FAMILIES  # noqa: E402

LINE = re.compile(r"  (?:ROOT )?(\w+) = (\S+|\(.*?\)) ([\w-]+)\((.*?)\)")


def operations(text):
    """Return {name: (type, operation, operands)} of the entry."""
    found = {}
    for match in LINE.finditer(text[text.index("ENTRY"):]):
        name, kind, operation, operands = match.groups()
        found[name] = (kind, operation, operands.split(", "))
    return found


def test_a_product_has_the_gradients_of_both_matrices():
    p = Program()
    a, w = p.parameter(2, 3), p.weight(3, 5)
    text = p.train(p.sum(p.dot(a, w), [0, 1]), 1, 1)
    dots = [kind for kind, operation, _ in operations(text).values() if operation == "dot"]
    # 2 x 5 of the product, 2 x 3 of its left and 3 x 5 of its right matrix.
    assert dots == ["f32[2,5]", "f32[2,3]", "f32[3,5]"]
    assert "ROOT r = (f32[3,5]) tuple" in text


def test_weights_are_summed_over_the_ranks_that_share_a_batch():
    p = Program(8)
    w = p.weight(4, 4)
    text = p.train(p.sum(p.all_reduce(p.dot(p.parameter(4, 4), w), 2), [0, 1]), 2, 4)
    assert "replica_groups={{0,1},{2,3},{4,5},{6,7}}, channel_id=1" in text
    assert "replica_groups={{0,2,4,6},{1,3,5,7}}, channel_id=2" in text


@pytest.mark.parametrize("family", FAMILIES)
def test_every_operand_stands_before_it_is_used(family):
    text = FAMILIES[family](random.Random(3))
    seen = set()
    for name, (_, operation, operands) in operations(text).items():
        if operation not in ("parameter", "constant"):
            assert set(operands) <= seen, name
        seen.add(name)
    assert text == FAMILIES[family](random.Random(3))
