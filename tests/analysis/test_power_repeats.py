import numpy as np
import pandas as pd
import pytest

from dse_analysis import power_repeats

SAME = {"gpu": "h200_sxm", "library": "vllm", "release": "0.22.0", "format": "bf16", "heads": 8, "kv_heads": 2, "head_dim": 128, "cache": None}


def attention(operator, window, keys, seconds, watts, batch=1):
    queries = keys if operator == "prefill" else 1
    return {**SAME, "operator": operator, "batch": batch, "queries": queries, "keys": keys, "window": window, "seconds": seconds, "watts": watts}


def test_only_windows_that_hold_all_keys_repeat_a_kernel():
    rows = pd.DataFrame([attention("prefill", 0, 64, 1e-5, 300), attention("prefill", 128, 64, 1.02e-5, 330),
                         attention("prefill", 0, 256, 1e-5, 300), attention("prefill", 128, 256, 1e-5, 400),  # a real window
                         attention("decode", 0, 64, 1e-5, 300), attention("decode", 128, 64, 1.1e-5, 400)])  # another kernel
    pairs = power_repeats.repeats(rows)
    assert pairs[["operator", "keys"]].to_numpy().tolist() == [["prefill", 64]]
    assert power_repeats.scatter(pairs) == pytest.approx(np.log(1.1) / np.sqrt(2))


def test_scatter_is_printed_by_length_of_the_call(tmp_path, capsys):
    rows = [attention("prefill", window, 64, seconds, watts, batch) for seconds, ratio, first in ((1e-5, 1.2, 0), (1e-3, 1.05, 100))
            for batch in range(first, first + 20) for window, watts in ((0, 300), (128, 300 * ratio))]
    table = tmp_path / "rows.csv"
    pd.DataFrame(rows).to_csv(table, index=False)
    assert power_repeats.main([str(table)]) == 0
    line = capsys.readouterr().out.splitlines()[1].split()
    assert line[:4] == ["prefill", "h200_sxm", "vllm", "0.22.0"]
    # ln 1.2 / sqrt 2 and ln 1.05 / sqrt 2; the median of all lies between them.
    assert line[6:] == ["12.9%", "(20)", "3.4%", "(20)"]


def test_predictions_stand_beside_the_readings_that_they_are_of(monkeypatch, capsys):
    # Every head count is a shape of its own; 200 of them, each read twice 20 % apart, and predicted 10 % too high.
    rows = pd.DataFrame([{**attention("prefill", window, 64, 1e-5, watts), "heads": heads}
                         for heads in range(2, 402, 2) for window, watts in ((0, 300), (128, 360))])
    monkeypatch.setattr(power_repeats.fit_kernels, "errors_of", lambda part, train, test: np.full(test.sum(), 0.1))
    found = power_repeats.predicted(rows)
    assert len(found) == 400 and (found["error"] == 0.1).all()
    power_repeats.print_predicted(power_repeats.repeats(found))
    assert capsys.readouterr().out.split() == ["prefill", "h200_sxm", "vllm", "0.22.0", "200", "pairs", "one", "reading", "12.9%", "predicted", "10.0%",
                                               "mean", "of", "both", "10.0%"]


def test_both_readings_of_a_kernel_are_held_out_together(monkeypatch):
    rows = pd.DataFrame([{**attention("prefill", window, 64, 1e-5, 300), "heads": heads}
                         for heads in range(2, 402, 2) for window in (0, 128)])
    apart = []

    def errors_of(part, train, test):
        apart.append(set(part.rows["heads"][train]).isdisjoint(part.rows["heads"][test]))
        return np.zeros(test.sum())

    monkeypatch.setattr(power_repeats.fit_kernels, "errors_of", errors_of)
    power_repeats.predicted(rows)
    assert apart == [True] * 5


def test_the_mean_of_two_readings_scatters_less():
    # Of readings that are 1.25 and 0.8 times what is predicted, the mean is predicted exactly.
    pairs = pd.DataFrame({"error_x": [0.25] * 3, "error_y": [-0.2] * 3})
    assert power_repeats.error_of_mean(pairs) == pytest.approx(0, abs=1e-12)


def test_kernels_that_do_the_same_work_are_like(tmp_path, capsys):
    rows = pd.DataFrame([{**attention("prefill", 0, 64, seconds, watts), "kv_heads": kv_heads}
                         for kv_heads, seconds, watts in ((1, 1e-5, 300), (2, 1.02e-5, 360), (4, 1.1e-5, 500))]
                        + [{**attention("decode", 0, 64, 1e-5, 300), "kv_heads": kv_heads} for kv_heads in (1, 2)])
    pairs = power_repeats.like_kernels(rows)
    assert pairs[["kv_heads_x", "kv_heads_y"]].to_numpy().tolist() == [[1, 2]]
    table = tmp_path / "rows.csv"
    pd.concat([rows.assign(batch=batch) for batch in range(20)]).to_csv(table, index=False)
    assert power_repeats.main([str(table), "--like"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split() == ["prefill", "h200_sxm", "vllm", "0.22.0", "12.9%", "(20)", "12.9%", "(20)"]


def test_readings_beside_a_row_are_in_columns():
    columns = power_repeats.beside(np.arange(20.0))
    assert columns.shape == (20, 2 * len(power_repeats.NEIGHBOURS))
    # One place before and after, two before and after, …
    assert columns[10, :4].tolist() == [9, 11, 8, 12]
    assert np.isnan(columns[0, 0]) and columns[0, 1] == 1


def test_neighbours_tell_what_no_shape_does(capsys):
    pytest.importorskip("lightgbm")
    # Readings keep for 50 rows, whatever the kernel: from the shape, all are best called 300 W, 25 % off in median.
    watts = [watts for _ in range(8) for watts in (200, 300, 400) for _ in range(50)]
    rows = pd.DataFrame([{**attention("prefill", 0, 64, 1e-5, each), "heads": 2 * (1 + place % 7)} for place, each in enumerate(watts)])
    power_repeats.print_neighbours(rows)
    cells = capsys.readouterr().out.splitlines()[1].split()
    assert cells[:5] == ["prefill", "h200_sxm", "vllm", "0.22.0", "1200"]
    assert float(cells[6].strip("%")) > 15
    assert float(cells[7].strip("%")) < 1
