import numpy as np
import pytest

from dse_analysis.least_squares import fit_log


def test_parameters_come_back_though_one_row_is_wrong():
    sizes = np.geomspace(1, 1e4, 30)
    target = 3.0 + 0.02 * sizes
    target[7] *= 5
    found = fit_log(lambda parameters: parameters[0] + parameters[1] * sizes, [1.0, 1.0], target, scale=0.01)
    assert found == pytest.approx([3.0, 0.02], rel=2e-3)
