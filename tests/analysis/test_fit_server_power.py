import numpy as np
import pytest

from dse_analysis import fit_server_power


def servers():
    operations = np.array([10.0, 40.0, 120.0, 200.0, 60.0, 15.0])
    rates = np.array([2.4e12, 1.9e12, 1.1e12, 0.6e12, 3.0e12, 0.2e12])
    return operations, rates, 300.0 + operations + 60e-12 * rates


def test_fit_finds_the_constants_behind_exact_powers():
    assert fit_server_power.fit(*servers()) == pytest.approx([300.0, 60e-12], rel=1e-6)


def test_one_wrong_reading_does_not_move_the_fit():
    operations, rates, powers = servers()
    powers[2] *= 1.5
    assert fit_server_power.fit(operations, rates, powers) == pytest.approx([300.0, 60e-12], rel=0.05)


def test_power_stops_at_the_limit():
    operations, rates, powers = servers()
    errors = fit_server_power.errors_of([300.0, 60e-12], operations, rates, powers, 400.0)
    assert errors == pytest.approx(np.minimum(powers, 400.0) / powers - 1.0)


def test_a_model_is_left_out_of_its_own_constants():
    operations, rates, powers = servers()
    models = np.array(["a", "a", "b", "b", "b", "c"])
    powers[models == "c"] *= 2.0
    errors = fit_server_power.left_out(models, operations, rates, powers, np.inf)
    assert errors[models == "c"] == pytest.approx(-0.5, abs=1e-6)
