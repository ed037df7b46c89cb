import numpy as np
import pytest

from dse_analysis.least_squares import fit_log


def test_parameters_come_back_though_one_row_is_wrong():
    sizes = np.geomspace(1, 1e4, 30)
    target = 3.0 + 0.02 * sizes
    target[7] *= 5
    found = fit_log(lambda parameters: parameters[0] + parameters[1] * sizes, [1.0, 1.0], target, scale=0.01)
    assert found == pytest.approx([3.0, 0.02], rel=2e-3)


def test_parameters_that_no_row_determines_keep_what_was_known():
    sizes = np.geomspace(1, 1e4, 30)
    known = np.array([2.0, 0.02, 7.0])
    found = fit_log(lambda parameters: parameters[0] + parameters[1] * sizes, known, 3.0 + 0.02 * sizes, spread=np.array([1.0, 1.0, 0.1]))
    assert found == pytest.approx([3.0, 0.02, 7.0], rel=5e-3)


def test_one_row_and_what_was_known_meet_by_their_variances():
    # Errors of 0.1 in the row and of 0.2 beforehand: the row weighs 4 of 5, but for the reduced weights of outliers.
    found = fit_log(lambda parameters: np.exp(parameters), [0.0], np.array([np.exp(0.01)]), spread=np.array([0.2]))
    assert found[0] == pytest.approx(0.008, rel=1e-3)
