import numpy as np
import pandas as pd
import pytest

from dse_analysis import fit_elementwise


def by_the_form():
    shapes = ["128", "4096", "64x64", "512x768", "1024x1024", "16x16x32", "8x32x16", "8x8x512", "64x64x200", "32x32x8"]
    table = pd.DataFrame([{"op": op, "shape": shape} for op in ("relu", "add", "sigmoid") for shape in shapes])
    return table.assign(latency_us=fit_elementwise.time([0.9, 12.0, 5.0, 14.0, 0.04, 0.03], fit_elementwise.columns_of(table)))


def test_padding_is_what_three_dimensions_leave_of_the_lanes():
    elements, padded, others, divides = fit_elementwise.columns_of(
        pd.DataFrame({"op": ["add", "sigmoid", "tanh"], "shape": ["8x32x16", "10x100", "2x2x129"]}))
    assert elements.tolist() == [4096, 1000, 516]
    assert padded.tolist() == [128 * 128 - 4096, 0, 4 * 256 - 516]
    assert others.tolist() == [1, 0, 0]
    assert divides.tolist() == [0, 1, 0]


def test_constants_come_back_and_meet_shapes_held_out():
    table = by_the_form()
    assert fit_elementwise.fit(table) == pytest.approx([0.9, 12.0, 5.0, 14.0, 0.04, 0.03], rel=1e-3)
    assert np.abs(fit_elementwise.held_out(table)).max() < 0.02


def test_a_file_without_its_columns_is_refused(tmp_path, capsys):
    file = tmp_path / "rows.csv"
    file.write_text("name,shape\nadd,4\n")
    assert fit_elementwise.main([str(file)]) == 2
    assert capsys.readouterr().err == "dse: the input has no 'op'\n"
