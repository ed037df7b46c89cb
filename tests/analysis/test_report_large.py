"""A page of a large file states what the page of all its rows does, and says what it estimates."""

import itertools

import numpy as np
import pytest
from conftest import changed, write_results

from dse_analysis.__main__ import parse_arguments, table_of
from dse_analysis.report.content import page_content
from dse_analysis.report.large import _unlike, rows_of_large
from dse_analysis.results import read_results, with_results
from dse_analysis.summary import summary_text


def content_of(path, options=None, **how):
    if how:
        return page_content(with_results(path, lambda results: rows_of_large(results, results.attrs["objectives"], **how)))
    options = parse_arguments([str(path), "-o", "x.html", *(options or [])])
    return [page_content(with_results(path, lambda results, most=most: table_of(results, options, most_rows=most))) for most in (1, 10**9)]


@pytest.fixture
def path(tmp_path):
    absent = np.iinfo(np.int64).min
    return write_results(
        tmp_path / "x.h5", status=["ok", "ok", "ok", "ok", "out_of_memory", "out_of_memory"],
        points={"tp": ([1, 2, 4, 8, 16, 16], "1"), "virtual_stages": ([1, 1, absent, 2, 300, 1], "1"),
                "network.bandwidth": ([25e9, 25e9, 50e9, 50e9, 25e9, 50e9], "B/s")},
        metrics={"iteration_time": ([4.000000001, 3.0, 2.0, 2.5, np.nan, np.nan], "s"),
                 "mfu": ([0.1, 0.2, 0.3, 0.4, np.nan, np.nan], "1"),
                 "exposed_ep": ([0.0, 0.0, 0.0, 0.0, np.nan, np.nan], "s"),
                 "memory_peak": ([1e9, 2e9, 3e9, 4e9, 5e11, 6e11], "B")})


def factorial(path, repeats=1):
    """Write 13 x 5 x 4 points (13 values are more than importance has levels), a fifth of them out of memory."""
    grid = np.array(list(itertools.product(range(13), range(5), range(4))) * repeats)
    a, b, c = grid.T
    ok = (a + b) % 5 > 0
    time = np.where(ok, 1.0 + a + 0.5 * b * (c == 2), np.nan)
    metrics = {"iteration_time": (time, "s"), "memory_peak": (np.where(ok, 40e9 - 2e9 * a + 1e9 * b, 90e9 + b), "B"),
               "bubble": (np.where(ok, 1.0 * (c == 1), np.nan), "s"), "mfu": (1 / time, "1")}
    points = {"a": (a, "1"), "b": (b * 1e9, "B/s"), "c": (c, "1"), "repeat": (np.arange(len(a)) // 260, "1")}
    return write_results(path, points=points, metrics=metrics, status=["ok" if good else "out_of_memory" for good in ok])


@pytest.mark.parametrize("arguments", [[], ["--where=tp > 1", "--rows={rows}"], ["--objectives=mfu: maximize"], ["--objectives=mfu: minimize"],
                                       ["--mark=4"], ["--mark=1"], ["--by=tp"], ["-x", "exposed_ep"]])
def test_page_of_a_large_file_is_that_of_the_complete_table(path, tmp_path, arguments):
    rows = tmp_path / "rows"
    rows.write_text("011110")
    large, whole = content_of(path, [text.format(rows=rows) for text in arguments])
    for content in (large, whole):
        content["parts"]["time"] = [part for part in content["parts"]["time"] if part["name"] != "exposed_ep"]
    assert large == whole


@pytest.mark.parametrize("block", [1, 100, 1 << 17])
@pytest.mark.parametrize("method", ["grid", "sobol"])
def test_nothing_depends_on_blocks(tmp_path, block, method):
    path = factorial(tmp_path / "x.h5")
    with changed(path) as file:
        file.attrs["fact_names"], file.attrs["fact_values"] = ["search.method"], [method]
        del file["reason"]
        file["reason"] = np.array([f"needs {90 + number // 50} GiB" for number in range(260)], "S40")
    large, whole = content_of(path, block=block), page_content(read_results(path))
    assert large == whole
    assert (whole["convergence"] is None) == (method == "grid")


def test_no_row_selected_and_none_feasible(path, tmp_path):
    assert content_of(path, mask=np.zeros(6, bool))["counts"]["points"] == 0
    none = write_results(tmp_path / "y.h5", status=["out_of_memory"] * 6)
    assert content_of(none, block=4) == page_content(read_results(none))


def test_what_is_sampled_is_said(tmp_path):
    path = factorial(tmp_path / "x.h5", repeats=40)  # 10,400 rows, 8,320 feasible
    large, whole = content_of(path, sampled=500, compared=4096, block=1024), page_content(read_results(path))
    assert large["counts"]["points"] == 10400 and large["counts"]["feasible"] == whole["counts"]["feasible"] == 8320
    assert 500 <= large["counts"]["carried"] <= 500 + whole["counts"]["front"] + 200
    for name in ("front", "front_kept", "pairs_whole", "statuses"):
        assert large["counts"][name] == whole["counts"][name]
    assert large["feasibility"] == whole["feasibility"]
    assert large["importance"]["main"] == whole["importance"]["main"]
    assert large["importance"]["idle"] == whole["importance"]["idle"]
    np.testing.assert_allclose(np.array(large["importance"]["total"], float), np.array(whole["importance"]["total"], float), atol=0.1)
    assert len(large["notes"]) == len(whole["notes"]) + 1 and "with interactions” is estimated from at least" in large["notes"][-1]


def test_an_axis_with_very_many_values_has_classes(tmp_path):
    rows = 20_000
    x = np.random.default_rng(3).uniform(1, 2, rows)
    path = write_results(tmp_path / "x.h5", points={"x": (x, "1"), "tp": (np.arange(rows) % 4, "1")}, status=["ok"] * rows,
                         metrics={"iteration_time": (x**2, "s"), "memory_peak": (3.0 - x + np.arange(rows) % 4, "B")})
    large, whole = content_of(path, block=4096), page_content(read_results(path))
    np.testing.assert_allclose(np.array(large["importance"]["main"], float), np.array(whole["importance"]["main"], float), atol=2e-3)
    of_x, expected = (content["feasibility"]["axes"][0] for content in (large, whole))
    assert len(of_x["values"]) == len(expected["values"]) == 8
    assert np.array(of_x["counts"]) == pytest.approx(np.array(expected["counts"]), rel=0.05)
    assert any(note.startswith("Large file: x has so many values") for note in large["notes"])


def test_summary_counts_all_rows(path):
    with changed(path) as file:
        file["metrics/iteration_time_low"], file["metrics/iteration_time_high"] = np.full(6, 1.0), np.full(6, 2.2)
    table = with_results(path, lambda results: rows_of_large(results, [("mfu", "maximize")], sampled=1, block=2))
    assert "iteration_time of 3 rows is not within its error bar" in summary_text(table)


def test_metrics_in_proportion_have_the_same_fronts():
    x = np.random.default_rng(1).uniform(1, 2, 500)
    other = np.random.default_rng(2).uniform(1, 2, 500)
    # 1: as 0; 2: the more the less of 0 (a rate of which more is better); 3: contradicts 0; 4: as 0 but for one row; 5: another.
    costs = np.column_stack([x, 3.0 * x, -7.0 / x, -x, np.where(np.arange(500) == 400, 1.0, x), other])
    assert _unlike(costs, range(6)) == [0, 3, 4, 5]
