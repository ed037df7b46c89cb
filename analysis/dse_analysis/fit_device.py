"""Implementation of `dse fit`: fits a device or a network to measurements, with errors on held-out rows.

Kernels are read as the rows of `dse kernels`, with seconds, and collectives as the output of nccl-tests. The
models have the forms of hardware::MatmulSpec, AttentionSpec, EfficiencySpec and, for collectives, of the
model latency_bandwidth.
"""

import argparse
import datetime
import json
import os
import pathlib
import sys

import numpy as np
import pandas as pd

from dse_analysis.least_squares import fit_log
from dse_analysis.nccl_log import read_nccl
from dse_analysis.whole_file import whole_file

FOLDS = 5
#: Fewest kernels of a class: with fewer, all of them are needed for its fit, and none says how good it is.
FEWEST_ROWS = 3
#: Fewest sizes of a collective, of whose constants nothing is known beforehand.
FEWEST_SIZES = 10
LARGEST_FLOP_SHARE = 0.99
#: A constant is not determined if errors hardly larger than those of the fit allow it to change by this factor.
UNKNOWN_FACTOR = 2.0
#: Errors below this are not taken as real in that comparison: times are not measured more precisely.
SMALLEST_ERROR = 0.01
#: A constant without influence: its factor of two changes no row by more than this.
NO_INFLUENCE = 0.01
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
#: What a constant that rows leave open may do.
KEPT = "; it stays near the base's"
#: A median row that takes this many times as long as the datasheet allows, or this fraction of it, is not in seconds.
UNLIKELY_FACTOR = 100.0
#: Shortest time of any kernel, below which a datasheet says nothing: s.
EMPTY_KERNEL = 2e-6
#: Shortest attention that is fitted, in multiples of the time of an empty kernel.
SHORT_ATTENTION = 20


class FitError(ValueError):
    """The measurements cannot be fitted; the message, intended for users, says why."""


class TooFewRowsError(FitError):
    """The rows of one class of kernels are too few to fit its constants."""


class Fitted:
    """Sections of a YAML file with a source for each number, and lines to print."""

    def __init__(self, source):
        self.source = source
        self.sections = {}
        self.report = []
        self.warnings = []

    def warn(self, text):
        self.warnings.append(f"warning: {text}")

    def add(self, path, value, unit="", source=""):
        """Add a number. `path`: names of its sections, outermost first, and its own, separated by dots; `source`: if it is not fitted."""
        *outer, name = path.split(".")
        section = self.sections
        for key in outer:
            section = section.setdefault(key, {})
        section[name] = f"{{value: {float(f'{value:.4g}'):g}{unit}, source: \"{source or self.source}\"}}"

    def errors(self, name, errors):
        size = np.abs(errors)
        self.report.append(f"{name:22} {len(size):6} rows  held out: median {np.median(size):.1%}  mean {size.mean():.1%}  "
                           f"p90 {np.quantile(size, 0.9):.1%}  bias {np.median(errors):+.1%}")

    def text(self, head):
        return "\n".join([*head, *self.lines(self.sections, "")]) + "\n"

    def lines(self, section, indent):
        for name, value in section.items():
            if isinstance(value, dict):
                yield f"{indent}{name}:"
                yield from self.lines(value, indent + "  ")
            else:
                yield f"{indent}{name}: {value}"


def folds_of(rows, groups):
    """Return the number of the fold in which each row is held out, equal for rows with the same `groups`."""
    names = rows[groups].astype(str).agg("-".join, axis=1)
    if names.nunique() == 1:
        same = ", ".join(f"{name} = {rows[name].iloc[0]}" for name in groups)
        raise FitError(f"all {len(rows)} rows have {same}: none of another size is left to test a fit on (measure further sizes)")
    folds = (pd.util.hash_pandas_object(names, index=False) % FOLDS).to_numpy()
    return folds if len(np.unique(folds)) > 1 else pd.factorize(names)[0] % FOLDS


def held_out(rows, groups, model, start, spread=None):
    """Return the relative error of each row under parameters fitted to other groups of rows."""
    folds = folds_of(rows, groups)
    errors = np.zeros(len(rows))
    for fold in np.unique(folds):
        train, test = rows[folds != fold], rows[folds == fold]
        parameters = fit_rows(train, model, start, spread)
        errors[folds == fold] = model(parameters, test) / test["seconds"].to_numpy(float) - 1
    return errors


def fit_rows(rows, model, start, spread=None):
    return fit_log(lambda parameters: model(parameters, rows), start, rows["seconds"].to_numpy(float), spread=spread)


def spread_of(*names):
    return np.array([SPREAD[name] for name in names])


def check_units(rows, least, name):
    """Raise a FitError if times are hardly in seconds.

    Parameters
    ----------
    least : numpy.ndarray, shape (n_rows,)
        What the datasheet allows [s].
    """
    ratio = float(np.median(rows["seconds"].to_numpy(float) / (least + EMPTY_KERNEL)))
    if ratio > UNLIKELY_FACTOR:
        raise FitError(f"{name} take {ratio:.2g} times as long as the datasheet allows: are their seconds {unit_of(ratio)}? (columns "
                       "milliseconds and microseconds have these units; a device that is so slow needs a base with its own peak and bandwidth)")
    if ratio < 1 / UNLIKELY_FACTOR:
        raise FitError(f"{name} take {ratio:.2g} of the time that the datasheet allows: column seconds is in seconds (or is the base another device?)")


def unit_of(ratio):
    """Return the unit that times probably have which are `ratio` times too long in seconds."""
    return "milliseconds" if ratio < 3e4 else "microseconds" if ratio < 3e7 else "nanoseconds"


def warn_of_undetermined(rows, model, parameters, constants, fitted, near=None):
    """Warn of each constant that the rows leave open, with the reason, and return their names.

    Parameters
    ----------
    parameters : numpy.ndarray, shape (n,)
        As fitted: logarithms, or logarithms of odds.
    constants : dict of str, str or None
        Per parameter: its name in the file, and the column of the size that distinguishes it from others.
    near : numpy.ndarray of bool, shape (n,), optional
        Which of them stay near the base's.
    """
    names = list(constants)
    kept = dict(zip(names, near if near is not None else [False] * len(names)))
    if len(rows) < len(names):
        fitted.warn(f"{len(rows)} rows cannot determine {', '.join(names)}: what they leave open stays near the base's")
        return set(names)
    # Whatever determines a constant has to show as it grows by a factor of e^0.01 to two.
    step = 0.01
    logs = np.log(model(parameters, rows))
    jacobian = np.array([(np.log(model(parameters + step * unit, rows)) - logs) / step for unit in np.eye(len(names))]).T
    error = max(SMALLEST_ERROR, float(np.median(np.abs(logs - np.log(rows["seconds"].to_numpy(float))))))
    covariance = np.linalg.inv(jacobian.T @ jacobian + 1e-9 * np.eye(len(names))) * error**2
    undetermined, alike, reasons = set(), [], {}
    for i, name in enumerate(names):
        if np.sqrt(covariance[i, i]) < np.log(UNKNOWN_FACTOR):
            continue
        column, influence = constants[name], np.abs(jacobian[:, i]).max() * np.log(UNKNOWN_FACTOR)
        correlation = np.abs(covariance[i]) / np.sqrt(covariance[i, i] * np.diag(covariance))
        correlation[i] = 0
        if column and rows[column].nunique() == 1:
            reason = f"all rows have {column} = {rows[column].iloc[0]:g}"
        elif influence < NO_INFLUENCE:
            reason = f"a factor of two changes the time of no row by more than {max(influence, 0.001):.1%}"
        else:
            alike.append(name)
            reason = f"a change of {names[int(np.argmax(correlation))]} has the same effect on these rows"
        undetermined.add(name)
        reasons[name] = f"{name} is not determined by these rows: {reason}{KEPT if kept[name] else ''}"
    if len(alike) > 2:
        reasons = {name: text for name, text in reasons.items() if name not in alike}
        fitted.warn(f"{', '.join(alike)} are not determined by these rows: changes of them have the same effect{KEPT.replace('it stays', 'they stay') if all(kept[name] for name in alike) else ''}")
    for text in reasons.values():
        fitted.warn(text)
    return undetermined


def logistic(value):
    """Map any number to a fraction in (0, 1)."""
    return 1 / (1 + np.exp(-np.clip(value, -30, 30)))


def odds(share):
    """Return the inverse of `logistic`, of shares that are not quite 0 or 1."""
    share = np.clip(share, 0.01, 0.99)
    return np.log(share / (1 - share))


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


KINDS = {"all_reduce": 2.0, "all_gather": 1.0, "reduce_scatter": 1.0, "all_to_all": 1.0}
#: Number of consecutive messages among n members, as counted by latency_bandwidth.
STEPS = {"all_reduce": lambda n: 2 * np.ceil(np.log2(n)), "all_gather": lambda n: np.ceil(np.log2(n)),
         "reduce_scatter": lambda n: np.ceil(np.log2(n)), "all_to_all": lambda n: 1.0 + 0.0 * n}


#: Columns of times in other units than seconds.
TIMES = {"milliseconds": 1e-3, "microseconds": 1e-6}


def read_kernels(path):
    """Read measured kernels: formats may have the name that they have in hardware/tables, and times those of TIMES."""
    rows = pd.read_csv(path)
    if "operator" not in rows and {"m", "n", "k"} <= set(rows):
        rows = rows.assign(operator="gemm")
    for name, unit in TIMES.items():
        if name in rows:
            rows["seconds"] = (rows["seconds"] if "seconds" in rows else pd.Series(np.nan, rows.index)).fillna(rows[name] * unit)
    if "precision" not in rows:
        return rows
    formats = rows["format"].fillna(rows["precision"]) if "format" in rows else rows["precision"]
    return rows.assign(format=formats)


def collectives_model(links):
    """Return the model of latency_bandwidth inside a domain.

    Parameters: launch, latency per step, fraction of the rate, sharpness.
    """
    def model(parameters, rows):
        launch, latency, sharpness = np.exp(np.clip(parameters[[0, 1, 3]], -40, 3))
        n = rows["members"].to_numpy(float)
        steps = np.array([STEPS[kind](members) for kind, members in zip(rows["kind"], n)])
        wire = rows["kind"].map(KINDS).to_numpy(float) * (n - 1) / n * rows["bytes"].to_numpy(float)
        waits, moves = launch + latency * steps, wire / (links * logistic(parameters[2]))
        power = np.clip(sharpness, 0.3, 12)
        longer, shorter = np.maximum(waits, moves), np.minimum(waits, moves)
        return longer * (1 + (shorter / longer) ** power) ** (1 / power)
    return model


def fit_collectives(rows, links, fitted):
    """Fit the sections of a cluster's network."""
    if len(rows) < FEWEST_SIZES:
        raise FitError(f"{len(rows)} sizes in the logs (a fit needs {FEWEST_SIZES})")
    model, start = collectives_model(links), np.array([np.log(8e-6), np.log(1e-6), 1.4, 0.0])
    parameters = fit_rows(rows, model, start)
    errors = held_out(rows, ["bytes"], model, start)
    fitted.errors("collectives", errors)
    small = (rows["bytes"] <= 65536).to_numpy()
    for name, chosen in (("  up to 64 KiB", small), ("  larger", ~small)):
        if chosen.any():
            fitted.errors(name, errors[chosen])
    warn_of_undetermined(rows, model, parameters, {"network.collective.launch": "members", "network.scale_up.latency": "members",
                                                   "network.scale_up.efficiency": "bytes", "network.collective.sharpness": None}, fitted)
    launch, latency, sharpness = np.exp(parameters[[0, 1, 3]])
    fitted.add("network.scale_up.latency", latency * 1e6, " us")
    fitted.add("network.scale_up.efficiency", logistic(parameters[2]))
    fitted.add("network.collective.launch", launch * 1e6, " us")
    fitted.add("network.collective.sharpness", np.clip(sharpness, 0.3, 12))


def parse_arguments(arguments):
    parser = argparse.ArgumentParser(prog="fit_device", description="Fit a device or a network to measurements.")
    parser.add_argument("--kernels", action="append", default=[], help="rows of measured kernels")
    parser.add_argument("--nccl", action="append", default=[], help="output of nccl-tests")
    parser.add_argument("--collective", choices=sorted(KINDS))
    parser.add_argument("--link", type=float, help="rate of a device's links, GB/s per direction")
    parser.add_argument("--base", required=True, help="name of the device or cluster that the file starts from")
    parser.add_argument("--rate", type=float, required=True, help="rate according to the datasheet, 16 bits [FLOP/s]")
    parser.add_argument("--bandwidth", type=float, required=True, help="bandwidth that long kernels sustain [B/s]")
    parser.add_argument("--constants", type=json.loads, default={}, help="those of the base, as a JSON object (names of TYPICAL; 0: not stated)")
    parser.add_argument("-o", "--output", required=True)
    return parser.parse_args(arguments)


def base_beside(output, base):
    """Return the name of the base as the output file has to write it: paths are relative to the file that names them."""
    if "/" not in base and not base.endswith(".yaml"):
        return base
    path = pathlib.PurePath(os.path.relpath(base, pathlib.Path(output).resolve().parent)).as_posix()
    return path if path.startswith("../") else f"./{path}"


def main(arguments=None):
    options = parse_arguments(arguments)
    names = ", ".join(pathlib.Path(path).name for path in options.kernels + options.nccl)
    fitted = Fitted(f"fitted on {names} by dse fit, {datetime.date.today():%B %Y}")
    try:
        if options.kernels:
            rows = pd.concat([read_kernels(path) for path in options.kernels], ignore_index=True)
            fit_kernels(rows, {"rate": options.rate, "bandwidth": options.bandwidth}, fitted, options.constants)
        if options.nccl:
            if not options.link or options.link <= 0:
                raise FitError("--nccl needs --link, the rate of a device's links in GB/s per direction")
            logs = pd.concat([read_nccl(path, options.collective) for path in options.nccl], ignore_index=True)
            fit_collectives(logs, options.link * 1e9, fitted)
        head = [f"# {options.base}, fitted on {names}.", *(f"# {line}" for line in fitted.report + fitted.warnings)]
        if options.kernels and not options.nccl:
            head.append(f"base: {base_beside(options.output, options.base)}")
        else:
            head.append("# A line 'base: CLUSTER' (one of `dse list clusters`) makes this a cluster file: cluster: ./FILE.yaml")
        with whole_file(options.output) as file:
            file.write(fitted.text(head).encode("utf-8"))
    except (FitError, KeyError, OSError, ValueError, np.linalg.LinAlgError) as error:
        print(f"dse: {error.args[0] if isinstance(error, KeyError) else error}", file=sys.stderr)
        return 2
    print("\n".join(fitted.report))
    for line in fitted.warnings:
        print(f"dse: {line}", file=sys.stderr)
    print(f"wrote {options.output}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
