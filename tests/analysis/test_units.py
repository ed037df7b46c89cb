import numpy as np
import pandas as pd
import pytest

from dse_analysis.units import WrittenUnit, display_scale, label, short_name, shown_unit, value_texts


@pytest.mark.parametrize("values, unit, expected", [
    ([0.002, 0.004, np.nan], "s", (1e-3, "ms")),
    ([90.0], "s", (1.0, "s")),
    ([70e9, 80e9], "B", (2.0**30, "GiB")),
    ([50e9], "B/s", (1e9, "GB/s")),
    ([50e9], WrittenUnit("Gbps", 1.25e8), (1.25e8, "Gbps")),
    ([], WrittenUnit("h", 3600.0), (3600.0, "h")),
    ([0.4], "1", (1.0, "")),
    ([3.0], "USD", (1.0, "USD")),
    ([np.nan], "s", (1.0, "s")),
    ([1e-12], "s", (1e-9, "ns")),
])
def test_display_scale(values, unit, expected):
    assert display_scale(values, unit) == expected


def test_label():
    assert label("memory_peak", "GiB") == "memory peak [GiB]"
    assert label("mfu", "") == "mfu"


def test_values_are_shown_as_the_sweep_writes_them():
    table = pd.DataFrame({"scale_out.bandwidth": [50e9, 100e9], "scale_up.bandwidth": [100e9, 900e9], "tp": [1, 2]})
    table.attrs = {"units": {"scale_out.bandwidth": "B/s", "scale_up.bandwidth": "B/s"},
                   "shown_units": {"scale_out.bandwidth": WrittenUnit("Gbps", 1.25e8)}}
    assert [value_texts(table[name], shown_unit(table, name)) for name in table] == [
        (["400", "800"], "Gbps"), (["100", "900"], "GB/s"), (["1", "2"], "")]


@pytest.mark.parametrize("name, short", [
    ("cluster.network.scale_out.bandwidth", "scale_out.bandwidth"), ("cluster.network.scale_up.bandwidth", "scale_up.bandwidth"),
    ("workload.tp", "tp"), ("slo.ttft_p99", "slo.ttft_p99"), ("ttft_p99", "ttft_p99"), ("scale_up.latency", "latency")])
def test_names_are_as_short_as_they_can_be(name, short):
    names = ["cluster.network.scale_out.bandwidth", "cluster.network.scale_up.bandwidth", "workload.tp", "slo.ttft_p99", "ttft_p99",
             "scale_up.latency"]
    assert short_name(name, names) == short
