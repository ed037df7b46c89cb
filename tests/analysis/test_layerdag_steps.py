"""What the networks of synthetic workloads are told, by hand."""

import numpy as np
import pytest

from layerdag.graphs import layered
from layerdag.steps import Lesson

# Two roots 0 and 1; 2 hangs on 0; 3 on 2 and further on 1; 4 on 2 and further on 0 and 1.
EDGES = [[0, 2], [2, 3], [1, 3], [2, 4], [0, 4], [1, 4]]


@pytest.fixture
def lesson():
    return Lesson(layered(list("xxyzz"), EDGES, {}), 9, np.random.default_rng(3))


def test_nodes_stand_by_layer_behind_what_roots_hang_on(lesson):
    assert lesson.labels.tolist() == [9, 0, 0, 1, 2, 2]
    assert lesson.step.tolist() == [-1, 0, 0, 1, 2, 2]
    assert lesson.first.tolist() == [1, 3, 4, 6]
    assert lesson.primary[1:3].tolist() == [0, 0]
    assert lesson.primary[4:].tolist() == [3, 3]
    assert sorted(lesson.counts()) == [0, 0, 0, 0, 1, 2]


def test_a_layer_knows_what_is_left(lesson):
    features = lesson.features()
    root = np.sqrt
    assert features.shape == (3, 10)
    # 3 layers, 5 nodes, 3 further parents in all; before the last layer 1 layer, 2 nodes and all 3 are left.
    assert np.allclose(features[2], [root(3) / 4, root(5) / 8, root(3) / 3, root(1) / 4, root(2) / 8, root(3) / 3, root(2) / 2,
                                     root(1) / 2, 1, 0])
    assert np.allclose(features[0, 3:], [root(3) / 4, root(5) / 8, root(3) / 3, root(5 / 3) / 2, root(1) / 2, 0, 1])


def test_a_node_knows_what_others_of_its_layer_took(lesson):
    rows = lesson.child_features()
    first = lesson.counts()[4]  # further parents of the first node of the last layer: 1 or 2
    assert rows[0].tolist() == [0, 0, 0]
    assert np.allclose(rows[4], [0, np.sqrt(3) / 3, np.sqrt(2) / 2])
    assert np.allclose(rows[5], [np.sqrt(first), np.sqrt(3 - first) / 3, np.sqrt(1) / 2])


def test_partners_are_asked_of_all_before_the_layer_but_the_parent_and_those_known(lesson):
    for node, known, candidates, missing, features in lesson.partners():
        wanted = set(lesson.extras[node - 1])
        assert set(candidates) == {1, 2} - set(known)
        assert set(candidates[missing]) == wanted - set(known)
        assert missing.any()
        of = dict(zip(candidates.tolist(), features))
        grandparent = lesson.primary[lesson.primary[node]]
        for candidate, row in of.items():
            # Two layers before; the grandparent has one child.
            assert np.allclose(row[:3], [np.sqrt(2) / 2, 0, candidate == grandparent and 0.5])
            assert row[4] == (candidate == grandparent)
            assert row[5] == 0, "nobody hangs on what the grandparent hangs above"
