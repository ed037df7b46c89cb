import numpy as np
import pandas as pd
import pytest
from conftest import write_results

from dse_analysis import figures
from dse_analysis.__main__ import parse_arguments, table_of
from dse_analysis.results import ResultsError, read_results, varied_axes, with_results
from dse_analysis.summary import count_points, front, idle_axes, status_counts, summary_text
from dse_analysis.thinned import thinned

ROWS = 3000


@pytest.fixture
def large(tmp_path):
    """A file of three axes, of which the last changes nothing; a fifth of the points has no answer."""
    random = np.random.default_rng(3)
    tp, pp, idle = (axis.ravel() for axis in np.meshgrid(np.arange(30), np.arange(50), [1, 2], indexing="ij"))
    cell = tp * 50 + pp
    answers = random.random((1500, 3)).round(2)
    time, memory, mfu = (np.where(cell % 5 == 0, np.nan, answers[cell, column]) for column in range(3))
    metrics = {"iteration_time": (time, "s"), "memory_peak": (memory * 2.0**30, "B"), "mfu": (mfu, "1"),
               "energy": (np.full(ROWS, np.nan), "J")}
    points = {"tp": (tp, "1"), "pp": (pp, "1"), "chunks": (idle, "1")}
    status = ["out_of_memory" if number % 5 == 0 else "ok" for number in cell]
    return write_results(tmp_path / "large.h5", metrics=metrics, points=points, status=status)


def thin(path, sampled=100, block=256):
    fronts = [[("iteration_time", "minimize"), ("memory_peak", "minimize"), ("energy", "minimize")],
              [("iteration_time", "minimize"), ("mfu", "maximize")]]
    return with_results(path, lambda results: thinned(results, {"mfu", "iteration_time", "memory_peak"}, fronts,
                                                      block=block, sampled=sampled))


def test_knows_what_all_rows_are(large):
    whole, few = read_results(large), thin(large)
    assert len(few) < 400
    assert count_points(few) == len(whole) == ROWS
    assert status_counts(few).to_dict() == status_counts(whole).to_dict()
    assert varied_axes(few) == varied_axes(whole)


def test_has_every_row_of_the_fronts(large):
    whole, few = read_results(large), thin(large)
    for objectives in (None, [("iteration_time", "minimize"), ("mfu", "maximize")]):
        assert front(few, objectives)["point_id"].tolist() == front(whole, objectives)["point_id"].tolist()


def test_finds_the_axis_that_changes_nothing(large):
    # The schedule alternates with the last axis, so that no two rows differ in that one alone; without it they do.
    results = with_results(large, lambda results: (results.attrs["axes"].remove("schedule"),
                                                   thinned(results, set(), [], block=512))[1])
    assert results.attrs["idle"] == ["chunks"]
    assert idle_axes(results) == ["chunks"]


def test_does_not_depend_on_the_blocks(large):
    one, other = thin(large, sampled=300, block=100), thin(large, sampled=300, block=5000)
    assert one["point_id"].tolist() == other["point_id"].tolist()
    assert one.attrs["varied"] == other.attrs["varied"]


def test_command_reads_large_files_in_part(large):
    options = parse_arguments([str(large), "-o", "x.png"])
    few = with_results(large, lambda results: table_of(results, options, most_rows=1000))
    whole = with_results(large, lambda results: table_of(results, options))
    assert "reason" in whole and "reason" not in few
    assert summary_text(few).splitlines()[:4] == summary_text(whole).splitlines()[:4]
    info, expected = figures.front_info(few), figures.front_info(whole)
    on_front = [list(zip(each.x[each.on_front], each.y[each.on_front])) for each in (info, expected)]
    assert sorted(set(on_front[0])) == sorted(set(on_front[1]))
    with pytest.raises(ResultsError, match="no column 'speed'"):
        options.x = "speed"
        with_results(large, lambda results: table_of(results, options, most_rows=1000))


def test_rows_in_part_are_those_of_the_whole(large):
    whole = read_results(large)
    part = with_results(large, lambda results: results.table(["tp", "status", "reason"], 100, 50))
    expected = whole[["tp", "status", "reason"]].iloc[100:150].reset_index(drop=True)
    pd.testing.assert_frame_equal(part, expected)
    joined = with_results(large, lambda results: pd.concat(list(results.blocks(rows=700)), ignore_index=True))
    pd.testing.assert_frame_equal(joined, whole)
