from conftest import write_results

from dse_analysis.results import read_results
from dse_analysis.summary import front, status_counts, summary_text, usable_objectives


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


def test_axes_in_which_the_rows_agree_are_named_once(table):
    text = summary_text(table, top=1)
    assert "all rows: tp 4, network.bandwidth 50 GB/s, schedule 1f1b" in text
    assert "bandwidth [GB/s]" not in text


def test_no_feasible_point(tmp_path):
    table = read_results(write_results(tmp_path / "x.h5", status=["out_of_memory"] * 6))
    assert "no feasible point" in summary_text(table)
