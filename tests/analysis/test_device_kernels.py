import numpy as np
import pandas as pd
import pytest

from dse_analysis import device_kernels
from dse_analysis.fitted_file import FitError, Fitted

DATASHEET = {"rate": 1e15, "bandwidth": 3e12}


def products():
    sizes = [(m, n, k) for m in (1, 64, 1024, 8192) for n in (1024, 4096, 16384) for k in (1024, 4096, 16384)]
    rows = pd.DataFrame(sizes, columns=["m", "n", "k"]).assign(operator="gemm", format="bf16")
    truth = np.log([7e14, 2.4e12, 2e5, 150, 3, 4e-6])
    return rows.assign(seconds=device_kernels.products_model(2.0)(truth, rows))


def test_products_come_back():
    fitted = Fitted("by hand")
    known = device_kernels.fit_products(products(), DATASHEET, device_kernels.constants_of({}, DATASHEET["rate"]), fitted)
    assert known["rate"] == pytest.approx(7e14, rel=0.02)
    assert known["latency"] == pytest.approx(4e-6, rel=0.02)
    # What is known beforehand pulls by as much as if rows erred by 10 %.
    assert "median 1.5%" in fitted.report[0]


def in_fp8(rows, rate):
    truth = np.log([rate, 2.4e12, 2e5, 150, 3, 4e-6])
    return rows.assign(format="fp8", seconds=device_kernels.products_model(1.0)(truth, rows))


def test_formats_below_16_bits_have_rates_of_their_own():
    # All other constants are those of 16 bits, which these rows determine.
    fitted = Fitted("by hand")
    base = {"rates": {"fp8": 1.5e15, "int8": 1.5e15}, "peaks": {"fp8": 2e15}, "gemm": 0.9}
    device_kernels.fit_kernels(pd.concat([products(), in_fp8(products(), 1.2e15)]), DATASHEET, fitted, base)
    sustained = {name: float(text.split()[1]) for name, text in fitted.sections["matmul"]["sustained"].items()}
    # Casts that these rows do not have are taken for at least a little.
    assert sustained["fp8"] == pytest.approx(1200, rel=0.04)
    # No rows in int8: the rate stays what it was, 0.9 of 1,500 TOPS, though efficiency.gemm is now 1.
    assert sustained["int8"] == pytest.approx(1350)
    assert "the base's, times its efficiency.gemm" in fitted.sections["matmul"]["sustained"]["int8"]
    assert any(line.startswith("products, fp8") for line in fitted.report)


def test_casts_before_a_product_are_not_its_rate():
    rows = in_fp8(products(), 1.2e15)
    rows = rows.assign(seconds=rows["seconds"] + 9e-6 + 5 * rows["m"] * rows["k"] / 2.4e12)
    fitted = Fitted("by hand")
    device_kernels.fit_kernels(pd.concat([products(), rows]), DATASHEET, fitted, {"rates": {"fp8": 1.5e15}, "peaks": {"fp8": 2e15}})
    assert float(fitted.sections["matmul"]["sustained"]["fp8"].split()[1]) == pytest.approx(1200, rel=0.03)
    (line,) = (line for line in fitted.report if "casts" in line)
    assert float(line.split()[0]) == pytest.approx(9, rel=0.05)


def test_rows_in_fp8_alone_leave_the_rest_to_the_base():
    fitted = Fitted("by hand")
    base = {"sustained": 7e14, "memory_efficiency": 0.8, "area": 2e5, "depth": 150, "sharpness": 3, "latency": 4e-6,
            "rates": {"fp8": 1.5e15}, "peaks": {"fp8": 2e15}, "gemm": 0.9}
    device_kernels.fit_kernels(in_fp8(products(), 1.2e15), DATASHEET, fitted, base)
    assert list(fitted.sections["matmul"]) == ["sustained"] and fitted.warnings == []
    # Of which the program takes 0.9.
    assert float(fitted.sections["matmul"]["sustained"]["fp8"].split()[1]) == pytest.approx(1200 / 0.9, rel=0.04)


def warnings_of(rows):
    fitted = Fitted("by hand")
    device_kernels.fit_kernels(rows, DATASHEET, fitted)
    return fitted.warnings


def test_all_constants_of_rows_of_all_sizes_are_determined():
    assert warnings_of(products()) == []


def test_constants_that_rows_leave_open():
    rows = products()
    assert "warning: matmul.depth is not determined by these rows: all rows have k = 4096; it stays near the base's" in warnings_of(rows[rows["k"] == 4096])
    # Single rows wait for their weights, whatever the arithmetic takes.
    single = warnings_of(pd.concat([rows[rows["m"] == 1]] * 2))
    assert any(text.startswith("warning: matmul.sustained, matmul.area") and "are not determined" in text for text in single)


def test_rows_of_one_size_cannot_be_tested():
    rows = products()
    one = rows[(rows["m"] == 64) & (rows["n"] == 4096) & (rows["k"] == 4096)]
    with pytest.raises(FitError, match="all 40 rows have m = 64, n = 4096, k = 4096: none of another size is left"):
        warnings_of(pd.concat([one] * 40))
    # Of one (n, k), the other rows of m tell how good the fit is.
    fitted = Fitted("by hand")
    device_kernels.fit_kernels(rows[(rows["n"] == 4096) & (rows["k"] == 4096)], DATASHEET, fitted)
    assert fitted.report[0].startswith("products, bf16 by m         4 rows  held out: median")


def test_classes_with_too_few_rows_are_left_out():
    few = pd.DataFrame({"operator": "elementwise", "shape": ["64x64"] * 2, "operands": 2, "seconds": 1e-5})
    assert warnings_of(pd.concat([products(), few])) == [
        "warning: 2 element-wise rows (a fit needs 3): their constants stay those of the device"]
    with pytest.raises(FitError, match=r"2 products in bf16 \(a fit needs 3\); 2 element-wise rows"):
        warnings_of(pd.concat([products()[:2], few]))


def test_few_rows_keep_what_the_base_knows():
    # Three large products reveal the rate; nothing of them depends on the latency or the bandwidth of memory.
    rows = products()
    large = rows[(rows["m"] == 8192) & (rows["n"] == 16384)]
    fitted = Fitted("by hand")
    known = device_kernels.fit_kernels(large, DATASHEET, fitted, {"sustained": 8e14, "latency": 3e-6, "area": 2e5, "depth": 150})
    assert known["rate"] == pytest.approx(7e14, rel=0.03)
    assert known["latency"] == pytest.approx(3e-6, rel=0.05)
    assert any(text.startswith("warning: 3 rows cannot determine matmul.sustained") for text in fitted.warnings)


def test_products_that_are_split_are_fitted_as_the_base_predicts_them():
    rows = products()
    truth = np.log([7e14, 2.4e12, 1e6, 150, 3, 4e-6])
    rows = rows.assign(seconds=device_kernels.products_model(2.0, 5e5)(truth, rows))
    fitted = Fitted("by hand")
    device_kernels.fit_kernels(rows, DATASHEET, fitted, {"split_outputs": 5e5})
    assert float(fitted.sections["matmul"]["area"].split()[1].rstrip(",")) == pytest.approx(1e6, rel=0.06)
    # 64 x 1024 outputs cost what 5e5 do: the loss is twice, not 16 times, the arithmetic.
    rows = pd.DataFrame({"m": [64], "n": [1024], "k": [1e6]})
    long = np.log([7e14, 1e20, 1e6, 1e-9, 3, 1e-9])
    assert device_kernels.products_model(2.0, 5e5)(long, rows)[0] == pytest.approx(3 * 2 * 64 * 1024 * 1e6 / 7e14, rel=1e-5)


def test_prefill_alone_is_fitted_to_the_rate_of_the_base():
    sizes = [(heads, width, length) for heads in (8, 32) for width in (64, 128) for length in (8192, 16384)]
    rows = pd.DataFrame(sizes, columns=["heads", "head_dim", "queries"])
    rows = rows.assign(operator="prefill", batch=1, kv_heads=8, format="bf16", keys=rows["queries"])
    known = {"rate": 5e14, "bandwidth": 3e12, "latency": 3e-6}
    rows = rows.assign(seconds=device_kernels.attention_model(known)(np.array([0.5, np.log(32), np.log(600)]), rows))
    fitted = Fitted("by hand")
    device_kernels.fit_kernels(rows, DATASHEET, fitted, {"sustained": 5e14, "latency": 3e-6})
    assert float(fitted.sections["attention"]["efficiency"].split()[1].rstrip(",")) == pytest.approx(1 / (1 + np.exp(-0.5)), rel=0.02)


@pytest.mark.parametrize("factor, unit", [(1e3, "milliseconds"), (1e6, "microseconds"), (1e9, "nanoseconds")])
def test_times_in_other_units_than_seconds_are_refused(factor, unit):
    rows = products().assign(seconds=lambda table: table["seconds"] * factor)
    with pytest.raises(FitError, match=f"products take .* as long as the datasheet allows: are their seconds {unit}"):
        warnings_of(rows)
    with pytest.raises(FitError, match="of the time that the datasheet allows"):
        warnings_of(products().assign(seconds=lambda table: table["seconds"] / factor))


def test_attention_with_an_8_bit_cache_is_another_kernel():
    sizes = [(heads, width, length) for heads in (8, 16, 32) for width in (64, 128) for length in (4096, 16384)]
    rows = pd.DataFrame(sizes, columns=["heads", "head_dim", "queries"])
    rows = rows.assign(operator="prefill", batch=1, kv_heads=8, format="bf16", cache="", keys=rows["queries"])
    known = {"rate": 7e14, "bandwidth": 3e12, "latency": 4e-6}
    rows = rows.assign(seconds=device_kernels.attention_model(known)(np.array([0.5, np.log(32), np.log(600)]), rows))
    fitted = Fitted("by hand")
    device_kernels.fit_attention(pd.concat([rows, rows.assign(cache="fp8", seconds=rows["seconds"] / 2)]), known, device_kernels.TYPICAL, fitted)
    assert "11 rows  held out: median 0.2%" in fitted.report[0]


def test_a_chip_without_products_in_16_bits_is_not_fitted():
    with pytest.raises(FitError, match="no peak in bf16 or fp16"):
        device_kernels.fit_kernels(products(), DATASHEET | {"rate": 0.0}, Fitted("by hand"))
