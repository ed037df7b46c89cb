import numpy as np
import pandas as pd
import pytest

from dse_analysis.units import display_scale, label, shown_unit, value_texts, written_in_bits


@pytest.mark.parametrize("values, unit, expected", [
    ([0.002, 0.004, np.nan], "s", (1e-3, "ms")),
    ([90.0], "s", (1.0, "s")),
    ([70e9, 80e9], "B", (2.0**30, "GiB")),
    ([50e9], "B/s", (1e9, "GB/s")),
    ([50e9], "Gbps", (1.25e8, "Gbps")),
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


SWEEP = """name: x  # axes: no
axes:
  tp: [1, 2]
  scale_out.bandwidth: [400 Gbps, 800 Gbps]  # 50 and 100 GB/s
  scale_up.bandwidth: {from: 100 GB/s, to: 900 GB/s, count: 3}
  wide.bandwidth:
    from: 100 Gbps
    to: 400 Gbps
    count: 3
    scale: log2
  listed.bandwidth:
  - 100 Gbps
  - 200 Gbps
  mixed.bandwidth: [50 GB/s, 800 Gbps]
derive:
  derived.bandwidth: 400 Gbps
"""


@pytest.mark.parametrize("name, unit", [
    ("cluster.network.scale_out.bandwidth", "Gbps"), ("scale_out.bandwidth", "Gbps"), ("wide.bandwidth", "Gbps"),
    ("listed.bandwidth", "Gbps"), ("scale_up.bandwidth", None), ("mixed.bandwidth", None), ("derived.bandwidth", None),
    ("tp", None), ("unscale_out.bandwidth", None)])
def test_unit_that_a_sweep_writes(name, unit):
    assert written_in_bits(SWEEP, name) == unit
    assert written_in_bits("", name) is None


def test_rates_are_shown_as_the_sweep_writes_them():
    table = pd.DataFrame({"scale_out.bandwidth": [50e9, 100e9], "scale_up.bandwidth": [100e9, 900e9]})
    table.attrs = {"units": {name: "B/s" for name in table}, "file": {"sweep_yaml": SWEEP}}
    assert [value_texts(table[name], shown_unit(table, name)) for name in table] == [(["400", "800"], "Gbps"),
                                                                                  (["100", "900"], "GB/s")]
