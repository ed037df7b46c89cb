import numpy as np
from conftest import write_results

from dse_analysis.report.feasibility import feasibility_info
from dse_analysis.results import read_results


def texts(values, _):
    return [f"{value:g}" for value in values]


def test_shares_by_hand(table):
    info = feasibility_info(table, texts)
    assert info.statuses == ["ok", "out_of_memory", "outside_validity"]
    tp, bandwidth, schedule = info.axes
    assert (tp.axis, tp.values) == ("tp", ["1", "2", "4", "8"])
    assert tp.counts.tolist() == [[1, 0, 0], [1, 0, 0], [1, 0, 0], [1, 1, 1]]
    assert bandwidth.counts.sum() == 6
    assert (schedule.values, schedule.counts.tolist()) == (["1f1b", "gpipe"], [[2, 1, 0], [2, 0, 1]])


def test_reasons_that_differ_in_numbers_are_one(table):
    table["reason"] = ["", "", "", "", "needs 81.5 GiB on stage 0", "needs 90 GiB on stage 1"]
    table["status"] = table["status"].cat.set_categories(["ok", "out_of_memory"]).fillna("out_of_memory")
    (reason,) = feasibility_info(table, texts).reasons
    assert (reason.status, reason.text, reason.count) == ("out_of_memory", "needs … GiB on stage …", 2)
    assert reason.example in ("needs 81.5 GiB on stage 0", "needs 90 GiB on stage 1")


def test_a_reason_that_stands_alone_keeps_its_numbers(table):
    table["reason"] = ["", "", "", "", "tp 8 does not divide 4 heads", "needs 90 GiB"]
    assert [reason.text for reason in feasibility_info(table, texts).reasons] == ["tp 8 does not divide 4 heads", "needs 90 GiB"]


def test_many_values_fall_into_ranges(tmp_path):
    rows = 160
    metrics = {"iteration_time": (np.ones(rows), "s")}
    path = write_results(tmp_path / "x.h5", points={"x": (np.arange(rows), "1")}, metrics=metrics, status=["ok"] * rows)
    x = feasibility_info(read_results(path), texts).axes[0]
    assert len(x.values) == 16
    assert (x.values[0], x.values[-1]) == ("0 … 9", "150 … 159")
    assert x.counts.tolist() == [[10]] * 16
