"""Constants of a device, fitted to its kernels: products, attention and element-wise ones.

The models have the forms of hardware::MatmulSpec, AttentionSpec and EfficiencySpec.
"""

import numpy as np
import pandas as pd

from dse_analysis.fitted_file import FitError, TooFewRowsError
from dse_analysis.row_fit import check_units, fit_rows, held_out, logistic, odds, warn_of_undetermined

#: Fewest kernels of a class: with fewer, all of them are needed for its fit, and none says how good it is.
FEWEST_ROWS = 3
LARGEST_FLOP_SHARE = 0.99
#: Constants of a device that states none: those of hardware/devices/bases/typical_gpu.yaml, where shares of the rate and
#: of the bandwidth are of the datasheet's.
TYPICAL = {"sustained": 0.73, "memory_efficiency": 1.0, "area": 6.5e5, "depth": 104, "sharpness": 2.2, "latency": 4.7e-6, "split_outputs": 0.0,
           "attention": 0.65, "head_dim_half": 32, "sequence_half": 600, "elementwise": 0.9, "gemm": 1.0, "narrow_factor": 1.0}
#: Kernels that cast activations before a product in fewer bits, where they were measured with it: time [s] and bytes for each
#: activation, and how far they spread (logarithms). TensorRT-LLM's three take 9 to 11 us and 5 bytes, a product alone nothing.
CASTS = (1e-6, 0.5)
CASTS_SPREAD = (1.5, 1.5)
#: Casts that are worth a line: s.
NOTICED_CASTS = 2e-6
#: Formats below 16 bits: what device files call them, and bytes of an operand with its scales.
NARROW = {"fp8": ("fp8", 1.0), "int8": ("int8", 1.0), "nvfp4": ("fp4", 0.5625)}
#: How far constants lie from those of another device, as the standard deviation of their logarithms, of shares their odds':
#: over A100, H100, B200, L40S, MI300X and MI355X (hardware/devices). Latencies are from 2.4 us (replayed graphs) to 5 us.
SPREAD = {"sustained": 0.15, "memory_efficiency": 0.12, "area": 0.9, "depth": 0.7, "sharpness": 0.5, "latency": 0.3,
          "attention": 0.6, "head_dim_half": 0.7, "sequence_half": 0.9, "elementwise": 1.5}
#: Shortest attention that is fitted, in multiples of the time of an empty kernel.
SHORT_ATTENTION = 20


def spread_of(*names):
    return np.array([SPREAD[name] for name in names])


def products_model(width, split_outputs=0.0, factor=1.0):
    """Return the model of MatmulSpec, of operands of `width` bytes and results of two. Its parameters are logarithms.

    Parameters: rate, bandwidth, area, depth, sharpness, latency.
    """
    def model(parameters, rows):
        rate, bandwidth, area, depth, sharpness, latency = np.exp(np.clip(parameters, -60, 60))
        m, n, k = (rows[name].to_numpy(float) for name in "mnk")
        compute = 2 * m * n * k / rate * (1 + factor * area / np.maximum(m * n, split_outputs)) * (1 + factor * depth / k)
        memory = (width * (m * k + n * k) + 2 * m * n) / bandwidth
        longer, shorter = np.maximum(compute, memory), np.minimum(compute, memory)
        power = np.clip(sharpness, 0.3, 12)
        return latency + longer * (1 + (shorter / longer) ** power) ** (1 / power)
    return model


def fit_products(rows, datasheet, base, fitted):
    """Fit rate, fraction of the bandwidth, tiles and latency to matrix products in 16 bits, beginning from those of the base."""
    rows = in_16_bits(rows)
    if len(rows) < FEWEST_ROWS:
        raise TooFewRowsError(f"{len(rows)} products in bf16 (a fit needs {FEWEST_ROWS})")
    m, n, k = (rows[name].to_numpy(float) for name in "mnk")
    check_units(rows, np.maximum(2 * m * n * k / datasheet["rate"], 2 * (m * k + n * k + m * n) / datasheet["bandwidth"]), "products")
    model = products_model(2.0, base["split_outputs"])
    start = product_constants(base, datasheet["bandwidth"])
    spread = spread_of("sustained", "memory_efficiency", "area", "depth", "sharpness", "latency")
    parameters = fit_rows(rows, model, start, spread)
    rate, bandwidth, area, depth, sharpness, latency = np.exp(parameters)
    # Rows of one (n, k) are only held out by their m, which says less about other products.
    by, groups = ("", ["n", "k"]) if len(rows[["n", "k"]].drop_duplicates()) > 1 else (" by m", ["m", "n", "k"])
    fitted.errors(f"products, bf16{by}", held_out(rows, groups, model, start, spread))
    undetermined = warn_of_undetermined(
        rows.assign(outputs=rows["m"] * rows["n"]), model, parameters,
        {"matmul.sustained": None, "matmul.memory_efficiency": None, "matmul.area": "outputs", "matmul.depth": "k",
         "matmul.sharpness": None, "kernel_latency": None}, fitted, np.abs(parameters - start) <= spread)
    largest = LARGEST_FLOP_SHARE * datasheet["rate"]
    if rate > largest and "matmul.sustained" not in undetermined:
        fitted.warn(f"matmul.sustained would be {rate / 1e12:.4g} TFLOPS and is set to {LARGEST_FLOP_SHARE} of the datasheet's peak: "
                    "are the times in seconds, and is the device the one that was measured? (if it exceeds its rated clock, state the peak of that clock)")
    rate = min(rate, largest)
    if bandwidth > datasheet["bandwidth"] and "matmul.memory_efficiency" not in undetermined:
        fitted.warn(f"matmul.memory_efficiency would be {bandwidth / datasheet['bandwidth']:.3g} and is set to 1: operands may have stayed "
                    "in a cache while a product was repeated")
    for name in ("bf16", "fp16"):
        fitted.add(f"matmul.sustained.{name}", rate / 1e12, " TFLOPS")
    fitted.add("efficiency.gemm", 1.0)
    for name, largest in base.get("rates", {}).items():
        if largest > 0 and base["gemm"] < 1:
            fitted.add(f"matmul.sustained.{name}", largest * base["gemm"] / 1e12, " TFLOPS", "the base's, times its efficiency.gemm")
    fitted.add("matmul.memory_efficiency", min(1.0, bandwidth / datasheet["bandwidth"]))
    fitted.add("matmul.area", area)
    fitted.add("matmul.depth", depth)
    fitted.add("matmul.sharpness", np.clip(sharpness, 0.3, 12))
    fitted.add("kernel_latency", latency * 1e6, " us")
    return {"rate": rate, "latency": latency, "products": parameters}


def product_constants(base, bandwidth):
    """Return the parameters of `products_model` that a base has, at the bandwidth of long kernels [B/s]."""
    return np.log([base["sustained"], base["memory_efficiency"] * bandwidth, base["area"], base["depth"], base["sharpness"], base["latency"]])


def fit_narrow_products(rows, known, base, fitted):
    """Fit the rates of formats below 16 bits, whose other constants are those of 16 bits: as fitted, else the base's.

    Returns whether there were rows of any.
    """
    fixed = known.get("products")
    shared = 1.0 if fixed is not None else base["gemm"]  # a fit of 16 bits leaves efficiency.gemm at 1
    fixed = product_constants(base, known["bandwidth"]) if fixed is None else fixed
    found = False
    for name, (own, width) in NARROW.items():
        of_format = rows[rows["format"] == name] if "format" in rows else rows[:0]
        if of_format.empty:
            continue
        found = True
        peak = base.get("peaks", {}).get(own, 0)
        if len(of_format) < FEWEST_ROWS or not peak > 0:
            reason = f"the device states no peak in {own}" if not peak > 0 else f"a fit needs {FEWEST_ROWS}"
            fitted.warn(f"{len(of_format)} products in {name} are left out ({reason})")
            continue

        def model(parameters, table, width=width):
            rate, casts, moved = parameters
            product = products_model(width, base["split_outputs"], base["narrow_factor"])(np.array([rate, *fixed[1:]]), table)
            activations = (table["m"] * table["k"]).to_numpy(float)
            return product + np.exp(np.clip(casts, -60, 60)) + np.exp(np.clip(moved, -60, 60)) * activations / np.exp(fixed[1])

        start = np.array([np.log(base["rates"].get(own, 0) * base["gemm"] or np.exp(fixed[0]) * peak / base["peak"]), *np.log(CASTS)])
        spread = np.array([SPREAD["sustained"], *CASTS_SPREAD])
        parameters = fit_rows(of_format, model, start, spread)
        rate, casts = np.exp(parameters[:2])
        if casts > NOTICED_CASTS:
            fitted.report.append(f"{'':22} {casts * 1e6:.1f} us of each are taken to be casts of its operands, which are operators of their own in a step")
        fitted.errors(f"products, {name}", held_out(of_format, ["m", "n", "k"], model, start, spread))
        largest = LARGEST_FLOP_SHARE * peak * shared
        if rate > largest:
            fitted.warn(f"matmul.sustained.{own} would be {rate / 1e12:.4g} TFLOPS and is set to {LARGEST_FLOP_SHARE} of the datasheet's peak")
        fitted.add(f"matmul.sustained.{own}", min(rate, largest) / shared / 1e12, " TFLOPS")
    return found


def in_16_bits(rows):
    return rows[rows["format"].fillna("bf16").isin(["bf16", "fp16"])] if "format" in rows else rows


def attention_model(known):
    """Return the model of AttentionSpec: fractions of the rate of matrix products."""
    def model(parameters, rows):
        efficiency, head_half, length_half = logistic(parameters[0]), *np.exp(np.clip(parameters[1:], -9, 12))
        batch, heads, kv_heads, head_dim, length = (rows[name].to_numpy(float) for name in
                                                    ("batch", "heads", "kv_heads", "head_dim", "queries"))
        by_head = head_dim * (1 + head_half / 128) / (head_dim + head_half)
        share = np.minimum(1, efficiency * by_head * length / (length + length_half))
        compute = 2 * batch * heads * length**2 * head_dim / (known["rate"] * share)
        memory = 4 * batch * length * head_dim * (heads + kv_heads) / known["bandwidth"]
        return known["latency"] + np.maximum(compute, memory)
    return model


def fit_attention(rows, known, base, fitted):
    total = len(rows)
    rows = in_16_bits(rows)
    rows = rows[(rows["operator"] == "prefill") & (rows["queries"] == rows["keys"])]
    rows = rows[rows["window"].fillna(0) == 0] if "window" in rows else rows
    # With a cache of eight bits, kernels multiply in eight bits.
    rows = rows[rows["cache"] != "fp8"] if "cache" in rows else rows
    # The form has no latency besides that of any kernel, so that short rows reveal nothing about its rates.
    rows = rows[rows["seconds"] >= SHORT_ATTENTION * known["latency"]]
    if len(rows) < FEWEST_ROWS:
        raise TooFewRowsError(f"{len(rows)} rows of long prefill in bf16 without a window or earlier keys, of {total} of attention (a fit "
                              f"needs {FEWEST_ROWS}; decode, which waits for memory, has no constants of its own)")
    batch, heads, head_dim, length = (rows[name].to_numpy(float) for name in ("batch", "heads", "head_dim", "queries"))
    check_units(rows, 2 * batch * heads * length**2 * head_dim / known["rate"], "rows of prefill")
    model = attention_model(known)
    start = np.array([odds(base["attention"]), *np.log([base["head_dim_half"], base["sequence_half"]])])
    spread = spread_of("attention", "head_dim_half", "sequence_half")
    parameters = fit_rows(rows, model, start, spread)
    fitted.errors("long prefill, bf16", held_out(rows, ["heads", "kv_heads", "head_dim"], model, start, spread))
    if logistic(parameters[0]) > LARGEST_FLOP_SHARE:
        fitted.warn("attention.efficiency is at its bound, 1: by this form, attention is as fast as the largest products or faster")
    warn_of_undetermined(rows, model, parameters, {"attention.efficiency": None, "attention.head_dim_half": "head_dim",
                                                   "attention.sequence_half": "queries"}, fitted, np.abs(parameters - start) <= spread)
    fitted.add("attention.efficiency", logistic(parameters[0]))
    fitted.add("attention.head_dim_half", np.exp(parameters[1]))
    fitted.add("attention.sequence_half", np.exp(parameters[2]))


def elements_of(shapes):
    return np.array([np.prod([float(size) for size in str(shape).split("x")]) for shape in shapes])


def fit_elementwise(rows, known, base, fitted):
    """Fit the fraction of the bandwidth that element-wise kernels in 16 bits reach."""
    if len(rows) < FEWEST_ROWS:
        raise TooFewRowsError(f"{len(rows)} element-wise rows (a fit needs {FEWEST_ROWS})")
    operands = rows["operands"].fillna(1) if "operands" in rows else pd.Series(1.0, rows.index)
    rows = rows.assign(bytes=2 * (operands + 1) * elements_of(rows["shape"]))

    def model(parameters, table):
        return np.exp(parameters[1]) + table["bytes"].to_numpy(float) / (known["bandwidth"] * logistic(parameters[0]))

    check_units(rows, rows["bytes"].to_numpy(float) / known["bandwidth"], "element-wise kernels")
    start = np.array([odds(base["elementwise"]), np.log(known["latency"])])
    spread = spread_of("elementwise", "latency")
    parameters = fit_rows(rows, model, start, spread)
    fitted.errors("element-wise, 16 bits", held_out(rows, ["shape"], model, start, spread))
    warn_of_undetermined(rows, model, parameters, {"efficiency.elementwise": "bytes", "kernel_latency": "bytes"}, fitted,
                         np.abs(parameters - start) <= spread)
    fitted.add("efficiency.elementwise", logistic(parameters[0]))
    return float(np.exp(parameters[1]))


def constants_of(base, rate):
    """Return the constants that a fit begins from: the base's where it states them, else those of TYPICAL.

    Parameters
    ----------
    base : dict of str, float
        Names of TYPICAL; 0: not stated. `sustained` is in FLOP/s. `rates` and `peaks` are mappings: those of formats other than
        of 16 bits, by the names of device files [FLOP/s].
    rate : float
        Of the datasheet [FLOP/s].
    """
    typical = TYPICAL | {"sustained": TYPICAL["sustained"] * rate, "peak": rate, "rates": {}, "peaks": {}}
    return typical | {name: value for name, value in base.items() if isinstance(value, dict) or value > 0}


def fit_kernels(rows, datasheet, fitted, base=None):
    """Fit the sections of a device file: those of classes of kernels with enough rows, if there are any.

    Returns rate [FLOP/s], bandwidth [B/s] and latency [s] of kernels.
    """
    base = constants_of(base or {}, datasheet["rate"])
    known = {"rate": base["sustained"], "bandwidth": datasheet["bandwidth"], "latency": base["latency"]}
    products = rows[rows["operator"] == "gemm"]
    attention = rows[rows["operator"].isin(["prefill", "decode"])]
    elementwise = rows[rows["operator"] == "elementwise"]
    if datasheet["rate"] <= 0 and not (products.empty and attention.empty):
        raise FitError("the device states no peak in bf16 or fp16, from which a fit starts")
    too_few = []

    def fit_class(fit, of_class):
        try:
            return None if of_class.empty else fit(of_class, known, base, fitted)
        except TooFewRowsError as error:
            too_few.append(str(error))
            return None

    known |= fit_class(lambda of_class, _, start, into: fit_products(of_class, datasheet, start, into), products) or {}
    if not products.empty:
        narrow = fit_narrow_products(products, known, base, fitted)
        if narrow and in_16_bits(products).empty:
            too_few.clear()  # products in 16 bits were not meant
    fit_class(fit_attention, attention)
    latency = fit_class(fit_elementwise, elementwise)
    if latency is not None and "kernel_latency" not in fitted.sections:
        fitted.add("kernel_latency", latency * 1e6, " us")
    if not fitted.sections:
        raise FitError("; ".join([*too_few, *(text.removeprefix("warning: ") for text in fitted.warnings)]) or "no rows of products, prefill or element-wise kernels, whose constants are fitted")
    for text in too_few:
        fitted.warn(f"{text}: their constants stay those of the device")
    return known
