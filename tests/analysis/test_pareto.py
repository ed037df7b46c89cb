import numpy as np
import pytest

from dse_analysis.pareto import front_mask


def slow_front(values):
    """The definition, pair by pair."""
    mask = np.isfinite(values).all(axis=1)
    for i, a in enumerate(values):
        mask[i] &= not any((b <= a).all() and (b < a).any() for b in values[np.isfinite(values).all(axis=1)])
    return mask


def test_two_objectives_by_hand():
    # (2, 3) is dominated by (2, 2); (4, 1) and (1, 4) trade; (4, 4) is dominated by all.
    values = [[1, 4], [2, 2], [2, 3], [4, 1], [4, 4]]
    assert front_mask(values).tolist() == [True, True, False, True, False]


def test_equal_points_stay_together():
    assert front_mask([[1, 1], [1, 1], [1, 2]]).tolist() == [True, True, False]


def test_nan_and_infinity_are_never_on_the_front():
    assert front_mask([[np.nan, 0], [0, np.inf], [-np.inf, 0], [1, 1]]).tolist() == [False, False, False, True]


def test_maximize_turns_the_sign():
    # Of (time, throughput): the second is faster and yields more.
    assert front_mask([[2, 10], [1, 20], [0.5, 5]], maximize=[1]).tolist() == [False, True, True]


def test_one_objective_marks_every_minimum():
    assert front_mask([[3], [1], [1]]).tolist() == [False, True, True]


def test_no_points():
    assert front_mask(np.empty((0, 2))).tolist() == []


def test_shape_is_checked():
    with pytest.raises(ValueError, match="n_points"):
        front_mask([1.0, 2.0])


@pytest.mark.parametrize("objectives", [1, 2, 3, 4, 5])
@pytest.mark.parametrize("seed", range(8))
def test_against_the_definition(objectives, seed):
    generator = np.random.default_rng(seed)
    # Few distinct values, so that ties and duplicates abound.
    values = generator.integers(0, 5, size=(120, objectives)).astype(float)
    values[generator.random(values.shape) < 0.02] = np.nan
    assert (front_mask(values) == slow_front(values)).all()
