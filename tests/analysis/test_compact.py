"""The table of a large file's page has every row, in fewer bytes."""

import numpy as np
import pandas as pd
import pytest
from conftest import write_results

from dse_analysis.__main__ import parse_arguments, table_of
from dse_analysis.compact import compact
from dse_analysis.report.content import page_content
from dse_analysis.results import read_results, varied_axes, with_results
from dse_analysis.summary import idle_axes, status_counts


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


@pytest.mark.parametrize("block", [1, 4, 100])
def test_values_are_those_of_the_complete_table(path, block):
    whole, small = read_results(path), with_results(path, lambda results: compact(results, block=block))
    assert list(small.columns) == [name for name in whole.columns if name not in ("exposed_ep", "rank", "wall_seconds")]
    for name in small.columns:
        if pd.api.types.is_numeric_dtype(whole[name]):
            np.testing.assert_allclose(small[name].to_numpy(float), whole[name].to_numpy(float), rtol=1e-7)
        else:
            assert list(small[name]) == list(whole[name])
    assert small["iteration_time"].iloc[0] == 4.000000001  # an objective is exact: its front is computed
    assert small["tp"].dtype == np.int8
    assert varied_axes(small) == varied_axes(whole)
    assert idle_axes(small) == idle_axes(whole)
    assert dict(status_counts(small)) == dict(status_counts(whole)) == {"ok": 4, "out_of_memory": 2}


def test_metrics_that_are_asked_for_are_kept(path):
    small = with_results(path, lambda results: compact(results, exact=["exposed_ep", "memory_peak"]))
    assert list(small["exposed_ep"].iloc[:4]) == [0.0] * 4
    assert small["memory_peak"].dtype == np.float64


def test_selected_rows(path):
    small = with_results(path, lambda results: compact(results, mask=np.array([False, True, False, True, True, False]), block=2))
    assert list(small["point_id"]) == [1, 3, 4]
    assert small.attrs["status_counts"] == {"ok": 2, "out_of_memory": 1}


def test_no_row_selected(path):
    small = with_results(path, lambda results: compact(results, mask=np.zeros(6, bool)))
    assert len(small) == 0 and small.attrs["status_counts"] == {}


@pytest.mark.parametrize("arguments", [[], ["--where=tp > 1", "--rows={rows}"], ["--objectives=mfu: maximize"]])
def test_page_of_a_large_file_is_that_of_the_complete_table(path, tmp_path, arguments):
    rows = tmp_path / "rows"
    rows.write_text("011110")
    options = parse_arguments([str(path), "-o", "x.html", *(text.format(rows=rows) for text in arguments)])
    large, whole = (page_content(with_results(path, lambda results, most=most: table_of(results, options, most_rows=most)))
                    for most in (1, 1000))
    for content in (large, whole):
        content["parts"]["time"] = [part for part in content["parts"]["time"] if part["name"] != "exposed_ep"]
    assert large == whole
