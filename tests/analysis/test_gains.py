"""Changes against a baseline, by hand, and the figure of them."""

import matplotlib
import numpy as np
import pytest
from conftest import write_results

matplotlib.use("Agg")

from dse_analysis import gains  # noqa: E402 (the back end comes first)
from dse_analysis.__main__ import main  # noqa: E402
from dse_analysis.results import read_results  # noqa: E402

# Depth 0 is the baseline. At 10 and 20 GB/s: 8 and 4 s; depth 1: 6 and 2 s; depth 2 at 20 GB/s runs out of memory.
POINTS = {"depth": ([0, 1, 2, 0, 1, 2], "1"), "network.bandwidth": ([10e9] * 3 + [20e9] * 3, "B/s"),
          "devices": ([8] * 6, "1")}
METRICS = {"iteration_time": ([8.0, 6.0, 4.0, 4.0, 2.0, np.nan], "s"), "memory_peak": ([1.0, 2, 3, 1, 2, np.nan], "B")}
STATUS = ["ok"] * 5 + ["out_of_memory"]


@pytest.fixture(name="table")
def fixture_table(tmp_path):
    table = read_results(write_results(tmp_path / "r.h5", metrics=METRICS, status=STATUS, points=POINTS))
    table.attrs["axes"] = list(POINTS)
    return table


def test_changes_are_against_the_baseline_of_the_same_place(table):
    info = gains.gain_info(table, "depth=0", "network.bandwidth")
    assert (info.panels, info.x, info.x_label) == ([""], [10.0, 20.0], "bandwidth [GB/s]")
    assert list(info.changes) == ["1", "2"]
    np.testing.assert_allclose(info.changes["1"], [[6 / 8 - 1, 2 / 4 - 1]])
    np.testing.assert_allclose(info.changes["2"], [[4 / 8 - 1, np.nan]])
    memory = gains.gain_info(table, "depth=0", "network.bandwidth", "memory_peak")
    np.testing.assert_allclose(memory.changes["1"], [[1.0, 1.0]])


def test_panels_part_the_points(table):
    info = gains.gain_info(table, "depth=0", "devices", panel="network.bandwidth")
    assert info.panels == ["10 GB/s", "20 GB/s"]
    np.testing.assert_allclose(info.changes["1"], [[-0.25], [-0.5]])


def test_what_is_not_there_or_not_alone_is_said(table):
    with pytest.raises(KeyError, match="no point has depth=7; 'depth' is 0, 1, 2"):
        gains.gain_info(table, "depth=7", "network.bandwidth")
    with pytest.raises(KeyError, match="no column 'width'"):
        gains.gain_info(table, "width=0", "network.bandwidth")
    with pytest.raises(KeyError, match="2 points are the baseline"):
        gains.gain_info(table, "depth=0", "devices")


def test_the_command_draws_it(tmp_path):
    file = write_results(tmp_path / "r.h5", metrics=METRICS, status=STATUS, points=POINTS)
    figure = tmp_path / "gain.png"
    assert main([str(file), "--gain", "depth=0", "--over", "network.bandwidth", "-y", "iteration_time", "-o",
                 str(figure)]) == 0
    assert figure.stat().st_size > 10_000
    with pytest.raises(SystemExit):
        main([str(file), "--gain", "depth=0"])
