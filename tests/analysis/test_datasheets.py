import math
from pathlib import Path

import pytest

from dse_analysis import datasheets

DATA = Path(__file__).parents[2]


def test_a_datasheet_has_no_measured_constants(tmp_path):
    (tmp_path / "old.yaml").write_text(
        "name: Old\npeak:\n  bf16: {value: 100 TFLOPS}\n  fp64: {value: 10 TFLOPS}\nmemory:\n  capacity: {value: 80 GB}\n"
        "  bandwidth: {value: 2 TB/s}\n  efficiency: {value: 0.9}\nmatmul:\n  area: {value: 1e5}\npower:\n  tdp: {value: 400 W}\n")
    (tmp_path / "new.yaml").write_text("base: old\nname: New\npeak:\n  bf16: {value: 200 TFLOPS}\n")
    fields = datasheets.datasheet_of(tmp_path, "new")
    assert datasheets.stripped(fields, "typical_gpu") == (
        "base: typical_gpu\nname: New\npeak:\n  bf16: {value: 200 TFLOPS}\n  fp64: {value: 10 TFLOPS}\nmemory:\n"
        "  capacity: {value: 80 GB}\n  bandwidth: {value: 2 TB/s}\npower:\n  tdp: {value: 400 W}\n")
    assert datasheets.stripped(fields, None).startswith("name: New\n")


def test_every_shipped_device_has_a_datasheet():
    for file in (DATA / datasheets.DEVICES).glob("*.yaml"):
        fields = datasheets.datasheet_of(DATA / datasheets.DEVICES, file.stem)
        assert {("name", ""), ("memory", "capacity"), ("memory", "bandwidth")} <= set(fields), file.stem
        assert any(section == "peak" for section, _ in fields), file.stem


def test_each_chip_has_one_weight():
    rows = [{"chip": chip, "metric": "iteration_time", "predicted": math.exp(log), "measured": 1.0}
            for chip, log in (("a", 0.1), ("a", 0.1), ("a", -0.1), ("b", 0.5))]
    rows.append({"chip": "c", "metric": "peak_memory", "predicted": 9.0, "measured": 1.0})
    chips = datasheets.logarithms(rows)
    assert datasheets.quantile(chips, 0.5) == pytest.approx(0.1)
    assert datasheets.quantile(chips, 0.8) == pytest.approx(0.5)
    with pytest.raises(ValueError, match="no steps"):
        datasheets.quantile({}, 0.5)
