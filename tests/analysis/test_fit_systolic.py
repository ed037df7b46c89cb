import numpy as np
import pytest

from dse_analysis import fit_systolic


def sizes():
    side = np.array([64.0, 128.0, 256.0, 512.0, 1024.0, 2048.0])
    return (axis.ravel() for axis in np.meshgrid(side, side, side))


def test_cycles_of_a_product_by_hand():
    # 10 x 20 times 20 x 6 on 4 x 8: os has 3 folds of 30, ws 5 of 24, is 10 of 20.
    assert fit_systolic.cycles(*map(np.array, (10.0, 6.0, 20.0)), 4, 8) == 89
    # One long stream of 1000 vectors is best with the weights in place: 4 + 4 + 8 + 1000 - 2, less one.
    assert fit_systolic.cycles(*map(np.array, (1000.0, 8.0, 4.0)), 4, 8) == 1013


def test_fit_finds_the_constants_behind_exact_times():
    m, n, k = sizes()
    counts, data = fit_systolic.cycles(m, n, k, 128, 128), fit_systolic.bytes_moved(m, n, k)
    truth = np.array([1e-6, 2e-10, 2e-12, 8e6])
    found = fit_systolic.fit(counts, data, fit_systolic.predict(truth, counts, data))
    assert found == pytest.approx(truth, rel=0.05)


def test_errors_are_those_of_products_that_the_fit_has_not_seen():
    m, n, k = sizes()
    counts, data = fit_systolic.cycles(m, n, k, 128, 128), fit_systolic.bytes_moved(m, n, k)
    noise = np.random.default_rng(3).normal(0.0, 0.1, len(m))
    times = fit_systolic.predict(np.array([1e-6, 2e-10, 2e-12, 8e6]), counts, data) * np.exp(noise)
    errors = np.abs(fit_systolic.held_out_errors(counts, data, times))
    # Noise of 10 % has a mean size of 8 %; nothing can be nearer than that.
    assert 0.07 < errors.mean() < 0.095


def test_report_is_a_section_of_a_device_file(tmp_path, capsys):
    m, n, k = sizes()
    times = 1e6 * fit_systolic.predict(np.array([1e-6, 2e-10, 2e-12, 8e6]), fit_systolic.cycles(m, n, k, 128, 128),
                                       fit_systolic.bytes_moved(m, n, k))
    rows = [f"{a:.0f},{b:.0f},{c:.0f},{t}" for a, b, c, t in zip(m, n, k, times)]
    path = tmp_path / "products.csv"
    path.write_text("\n".join(["M,N,K,latency_us", *rows]))
    assert fit_systolic.main([str(path)]) == 0
    printed = capsys.readouterr().out
    assert "216 products" in printed
    # 2 * 128 * 128 FLOP in 0.2 ns are 163.84 TFLOP/s.
    rate = float(printed.split("products' format: ")[1].split()[0])
    assert rate == pytest.approx(163.84, rel=0.05)
    assert "latency: 1.0" in printed


def test_a_missing_file_is_told(capsys):
    assert fit_systolic.main(["nowhere.csv"]) == 2
    assert "nowhere.csv" in capsys.readouterr().err
