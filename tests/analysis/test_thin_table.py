import numpy as np
import pandas as pd
import pytest

from dse_analysis import thin_table


def test_spread_begins_at_the_ends_and_leaves_no_large_gap():
    line = np.arange(101.0)[:, None]
    assert thin_table.spread(line, 2).tolist() == [0, 100]
    assert thin_table.spread(line, 3).tolist() == [0, 100, 50]
    gaps = np.diff(np.sort(thin_table.spread(line, 17)))
    assert gaps.max() <= 13
    assert len(thin_table.spread(line, 500)) == 101


def products(count=40):
    random = np.random.default_rng(1)
    sizes = 2.0 ** random.integers(5, 12, (count, 3))
    return pd.DataFrame(sizes, columns=["M", "N", "K"]).assign(latency_us=3.0, device="X 1", dtype="fp16")


def test_products_keep_their_range_and_their_times():
    rows = thin_table.thin_products(products(), "fp16", 10)
    sizes = np.array([[float(size) for size in row[2].split("x")] for row in rows])
    assert len(rows) == 10
    assert sizes.min() == products()[["M", "N", "K"]].to_numpy().min()
    assert {row[0] for row in rows} == {"gemm"}
    assert {float(row[4]) for row in rows} == {3e-6}


def test_streams_become_a_curve_of_medians():
    table = pd.DataFrame({"elems": [100, 100, 100, 10000], "latency_us": [1.0, 2.0, 9.0, 50.0]})
    rows = thin_table.thin_streams(table, "elementwise", "fp16", 3, 4)
    assert rows == [["elementwise", "fp16", "", "600", "2e-06"], ["elementwise", "fp16", "", "60000", "5e-05"]]


def test_main_writes_the_columns_that_dse_reads(tmp_path):
    gemm, stream, out = tmp_path / "g.csv", tmp_path / "s.csv", tmp_path / "t.csv"
    products().to_csv(gemm, index=False)
    pd.DataFrame({"op": ["add", "relu"], "elems": [8, 16], "latency_us": [1.0, 2.0], "device": "X 1"}).to_csv(
        stream, index=False)
    assert thin_table.main(["--products", str(gemm), "--streams", f"{stream}:add=elementwise:3", "--device", "X",
                            "--precision", "fp16", "--points", "5", "-o", str(out)]) == 0
    table = pd.read_csv(out)
    assert list(table.columns) == thin_table.COLUMNS
    assert len(table) == 6
    assert table["bytes"].iloc[-1] == 8 * 3 * 2


@pytest.mark.parametrize("arguments, problem", [
    (["--products", "nowhere.csv"], "nowhere.csv"),
    (["--streams", "x"], "FILE:op,op=class:arrays"),
])
def test_what_is_wrong_is_told(arguments, problem, tmp_path, capsys):
    assert thin_table.main([*arguments, "--device", "X", "--precision", "fp16", "-o", str(tmp_path / "t.csv")]) == 2
    assert problem in capsys.readouterr().err
