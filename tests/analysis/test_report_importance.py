import itertools

import numpy as np
import pytest
from conftest import write_results

from dse_analysis.report.importance import importance_info
from dse_analysis.results import read_results


def factorial(tmp_path, answer, status=None):
    """Write the full factorial of two axes of -1 and 1, four times (conftest adds `schedule`, which changes nothing)."""
    grid = list(itertools.product((-1, 1), (-1, 1), range(4)))
    a, b, repeat = (np.array(column) for column in zip(*grid))
    points = {"a": (a, "1"), "b": (b, "1"), "repeat": (repeat, "1")}
    path = write_results(tmp_path / "x.h5", points=points, metrics={"y": (answer(a, b), "s")}, status=status or ["ok"] * 16)
    table = read_results(path)
    table.attrs["axes"].remove("schedule")
    return table.drop(columns="schedule")


def test_a_sum_is_shared_by_squares(tmp_path):
    # y = 3 a + b about 0: variances 9 and 1 of 10, no interaction.
    info = importance_info(factorial(tmp_path, lambda a, b: 3.0 * a + b), ["y"])
    assert info.axes == ["a", "b", "repeat"]
    assert info.metrics == ["y"]
    assert info.total[:, 0] == pytest.approx([0.9, 0.1, 0.0])
    # Epsilon squared of a: 1 - (16 / 14) / (160 / 15), of b: 1 - (144 / 14) / (160 / 15); of repeat below 0, cut.
    assert info.main[:, 0] == pytest.approx([1 - 15 / 140, 1 - 135 / 140, 0.0])


def test_an_interaction_counts_for_both(tmp_path):
    # y = a b: neither explains anything by itself, each all of it with the other.
    info = importance_info(factorial(tmp_path, lambda a, b: 1.0 * a * b), ["y"])
    assert info.main[:, 0] == pytest.approx([0.0, 0.0, 0.0])
    assert info.total[:, 0] == pytest.approx([1.0, 1.0, 0.0])


def test_of_a_positive_metric_factors_count(tmp_path):
    # y = 100 * 8^((a + 1) / 2) * 2^((b + 1) / 2): logarithms differ by 3 and 1.
    info = importance_info(factorial(tmp_path, lambda a, b: 100.0 * 8.0 ** ((a + 1) / 2) * 2.0 ** ((b + 1) / 2)), ["y"])
    assert info.total[:, 0] == pytest.approx([0.9, 0.1, 0.0])


def test_what_decides_feasibility(tmp_path):
    status = ["ok" if a == 1 else "out_of_memory" for a, _, _ in itertools.product((-1, 1), (-1, 1), range(4))]
    info = importance_info(factorial(tmp_path, lambda a, b: 1.0 * b, status), ["y"])
    assert info.metrics == ["feasible", "y"]
    assert info.total[:, 0] == pytest.approx([1.0, 0.0, 0.0])
    assert info.main[0, 0] == pytest.approx(1.0)
    assert info.main[0, 1] == 0.0  # a has one value among the feasible


def test_where_no_points_differ_in_one_axis_alone(tmp_path):
    rows = 50
    x = np.random.default_rng(0).permutation(rows)
    points = {"x": (x, "1"), "z": (np.arange(rows), "1")}
    table = read_results(write_results(tmp_path / "x.h5", points=points, metrics={"y": (x + 1.0, "s")}, status=["ok"] * rows))
    info = importance_info(table, ["y"])
    assert np.isnan(info.total[:2, 0]).all()
    assert info.main[0, 0] > 0.9  # by classes of equally many points
    assert info.main[1, 0] < 0.3


def test_a_constant_metric_has_no_variance(tmp_path):
    info = importance_info(factorial(tmp_path, lambda a, b: 0.1 + 0.0 * a), ["y"])
    assert not info.main.any() and not info.total.any()
