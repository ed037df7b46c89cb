from conftest import write_results

from dse_analysis.report.content import page_content
from dse_analysis.results import read_results
from dse_analysis.summary import front, idle_axes, status_counts, summary_text, usable_objectives


def test_counts(table):
    assert status_counts(table).to_dict() == {"ok": 4, "out_of_memory": 1, "outside_validity": 1}


def test_objective_without_values_is_left_out(table):
    assert [name for name, _ in usable_objectives(table)] == ["iteration_time", "memory_peak"]


def test_front_by_hand(table):
    # (time, memory): (4, 10), (3, 20), (2, 40), (2.5, 30) all trade; fastest first.
    assert front(table)["point_id"].tolist() == [2, 3, 1, 0]
    assert front(table, [("iteration_time", "minimize")])["point_id"].tolist() == [2]
    assert front(table, [("iteration_time", "maximize")])["point_id"].tolist() == [0]


def test_text_names_units_and_counts(table):
    text = summary_text(table, top=3)
    assert "tiny: 6 points" in text
    assert "66.7 %" in text
    assert "Pareto front of iteration_time (minimize), memory_peak (minimize): 4 points" in text
    assert "memory_peak [GiB]" in text
    assert "bandwidth [GB/s]" in text
    assert "… and 1 more" in text


def test_the_title_says_what_the_run_set(table):
    table.attrs["file"]["sweep_settings"] = ["tp=8", "zero=3"]
    assert summary_text(table).startswith("tiny (--set tp=8 --set zero=3): 6 points")


def test_axes_in_which_the_rows_agree_are_named_once(table):
    text = summary_text(table, top=1)
    assert "all rows: tp 4, network.bandwidth 50 GB/s, schedule 1f1b" in text
    assert "bandwidth [GB/s]" not in text


def test_no_feasible_point(tmp_path):
    table = read_results(write_results(tmp_path / "x.h5", status=["out_of_memory"] * 6))
    assert "no feasible point" in summary_text(table)


def test_axes_that_change_nothing_are_named(tmp_path):
    # The schedule alternates from row to row: rows 0 and 1, 2 and 3 differ in it alone, and in nothing else.
    pairs = read_results(write_results(
        tmp_path / "idle.h5", status=["ok"] * 4, points={"tp": ([1, 1, 2, 2], "1")},
        metrics={"iteration_time": ([4.0, 4.0, 3.0, 3.0], "s"), "memory_peak": ([1.0, 1.0, 2.0, 2.0], "B")}))
    assert idle_axes(pairs) == ["schedule"]
    assert "axis schedule had no effect" in summary_text(pairs)
    differs = read_results(write_results(
        tmp_path / "used.h5", status=["ok"] * 4, points={"tp": ([1, 1, 2, 2], "1")},
        metrics={"iteration_time": ([4.0, 4.0, 3.0, 3.5], "s"), "memory_peak": ([1.0, 1.0, 2.0, 2.0], "B")}))
    assert idle_axes(differs) == []


def test_rows_without_neighbours_say_nothing(table):
    assert idle_axes(table) == []


def test_no_row_has_no_axes_without_effect(table):
    none = table.iloc[:0]
    none.attrs = table.attrs
    assert idle_axes(none) == []


def test_a_front_for_each_value_and_the_marked_row(table):
    table.attrs.update(by="network.bandwidth", mark=1)
    text = summary_text(table)
    assert "bandwidth = 25 GB/s: Pareto front of iteration_time (minimize), memory_peak (minimize): 2 points" in text
    assert "bandwidth = 50 GB/s: Pareto front" in text
    assert "marked point 1:" in text
    table.attrs["mark"] = 4
    assert "marked point 4: out of memory" in summary_text(table)


def test_one_point_is_not_one_points(tmp_path):
    metrics = {"iteration_time": ([1.0, 2.0], "s"), "memory_peak": ([1.0, 2.0], "B")}
    path = write_results(tmp_path / "x.h5", metrics=metrics, status=["ok"] * 2, points={"tp": ([1, 2], "1")})
    assert summary_text(read_results(path)).splitlines()[3].endswith(": 1 point")


def served(tmp_path):
    """Two deployments: an axis is a level of the latency that is a metric, too."""
    return read_results(write_results(
        tmp_path / "served.h5", status=["ok"] * 2, points={"slo.ttft_p99": ([0.5, 3.0], "s"), "tp": ([1, 2], "1")},
        metrics={"iteration_time": ([1.0, 2.0], "s"), "memory_peak": ([2.0, 1.0], "B"), "ttft_p99": ([0.1, 0.2], "s"),
                 "slo_attainment": ([1.0, 0.5], "1")}))


def test_an_axis_is_not_called_like_a_metric(tmp_path):
    heading = summary_text(served(tmp_path)).splitlines()[-3]
    assert "slo.ttft_p99 [s]" in heading and " ttft_p99 [ms]" in heading


def test_requests_show_their_latencies(tmp_path):
    heading = summary_text(served(tmp_path)).splitlines()[-3]
    assert "slo_attainment" in heading and "mfu" not in heading


def test_rates_that_are_lower_bounds_are_told(tmp_path):
    nan = float("nan")
    rates = {"max_request_rate": ([90.0, 110.0, 0.0, 120.0], "1/s"), "max_request_rate_high": ([94.0, nan, nan, nan], "1/s"),
             "iteration_time": ([1.0] * 4, "s"), "memory_peak": ([1.0] * 4, "B")}
    table = read_results(write_results(tmp_path / "x.h5", metrics=rates, status=["ok"] * 4, points={"tp": ([1, 2, 4, 8], "1")}))
    assert "TOO FEW REQUESTS for max_request_rate of 2 rows" in summary_text(table)
    table["max_request_rate_high"] = 130.0
    assert "TOO FEW" not in summary_text(table)


def test_says_why_error_bars_do_not_hold_the_times(tmp_path):
    bars = {"iteration_time": ([1.0] * 3, "s"), "iteration_time_low": ([1.1, 0.9, 1.2], "s"), "iteration_time_high": ([1.4, 1.1, 1.3], "s"),
            "memory_peak": ([1.0] * 3, "B")}
    table = read_results(write_results(tmp_path / "x.h5", metrics=bars, status=["ok", "ok", "failed"], points={"tp": ([1, 2, 4], "1")}))
    assert "iteration_time of 1 row is not within its error bar: without a 'stack'" in summary_text(table)
    assert page_content(table)["notes"][0].startswith("The iteration_time of 1 row")
    table["iteration_time_low"] = 0.9
    assert "error bar" not in summary_text(table) and page_content(table)["notes"] == []
