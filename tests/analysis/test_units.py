import numpy as np
import pytest

from dse_analysis.units import display_scale, label


@pytest.mark.parametrize("values, unit, expected", [
    ([0.002, 0.004, np.nan], "s", (1e-3, "ms")),
    ([90.0], "s", (1.0, "s")),
    ([70e9, 80e9], "B", (2.0**30, "GiB")),
    ([50e9], "B/s", (1e9, "GB/s")),
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
