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
import re
import sys

import numpy as np
import pandas as pd

from dse_analysis.least_squares import fit_log
from dse_analysis.whole_file import whole_file

FOLDS = 5
#: With fewer rows, nothing can be concluded about rows that were not fitted.
FEWEST_ROWS = 10
LARGEST_FLOP_SHARE = 0.99
#: A constant is not determined if errors hardly larger than those of the fit allow it to change by this factor.
UNKNOWN_FACTOR = 2.0
#: Errors below this are not taken as real in that comparison: times are not measured more precisely.
SMALLEST_ERROR = 0.01
#: A constant without influence: its factor of two changes no row by more than this.
NO_INFLUENCE = 0.01
#: Shortest attention that is fitted, in multiples of the time of an empty kernel.
SHORT_ATTENTION = 20
#: Beyond what any machine has or waits for: B, s.
LARGEST_MESSAGE = 2**50
LONGEST_COLLECTIVE = 1e5


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

    def add(self, path, value, unit=""):
        """Add a number. `path`: names of its sections, outermost first, and its own, separated by dots."""
        *outer, name = path.split(".")
        section = self.sections
        for key in outer:
            section = section.setdefault(key, {})
        section[name] = f"{{value: {float(f'{value:.4g}'):g}{unit}, source: \"{self.source}\"}}"

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


def held_out(rows, groups, model, start):
    """Return the relative error of each row under parameters fitted to other groups of rows."""
    folds = folds_of(rows, groups)
    errors = np.zeros(len(rows))
    for fold in np.unique(folds):
        train, test = rows[folds != fold], rows[folds == fold]
        parameters = fit_rows(train, model, start)
        errors[folds == fold] = model(parameters, test) / test["seconds"].to_numpy(float) - 1
    return errors


def fit_rows(rows, model, start):
    return fit_log(lambda parameters: model(parameters, rows), start, rows["seconds"].to_numpy(float))


def warn_of_undetermined(rows, model, parameters, constants, fitted):
    """Warn of each constant that the rows leave open, with the reason, and return their names.

    Parameters
    ----------
    parameters : numpy.ndarray, shape (n,)
        As fitted: logarithms, or logarithms of odds.
    constants : dict of str, str or None
        Per parameter: its name in the file, and the column of the size that distinguishes it from others.
    """
    names = list(constants)
    # Whatever determines a constant has to show as it grows by a factor of e^0.01 to two.
    step = 0.01
    logs = np.log(model(parameters, rows))
    jacobian = np.array([(np.log(model(parameters + step * unit, rows)) - logs) / step for unit in np.eye(len(names))]).T
    error = max(SMALLEST_ERROR, float(np.median(np.abs(logs - np.log(rows["seconds"].to_numpy(float))))))
    covariance = np.linalg.inv(jacobian.T @ jacobian + 1e-9 * np.eye(len(names))) * error**2
    undetermined = set()
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
            reason = f"a change of {names[int(np.argmax(correlation))]} has the same effect on these rows"
        fitted.warn(f"{name} is not determined by these rows: {reason}")
        undetermined.add(name)
    return undetermined


def logistic(value):
    """Map any number to a fraction in (0, 1)."""
    return 1 / (1 + np.exp(-np.clip(value, -30, 30)))


def products_model(width):
    """Return the model of MatmulSpec. Its parameters are logarithms.

    Parameters: rate, bandwidth, area, depth, sharpness, latency.
    """
    def model(parameters, rows):
        rate, bandwidth, area, depth, sharpness, latency = np.exp(np.clip(parameters, -60, 60))
        m, n, k = (rows[name].to_numpy(float) for name in "mnk")
        compute = 2 * m * n * k / rate * (1 + area / (m * n)) * (1 + depth / k)
        memory = width * (m * k + n * k + m * n) / bandwidth
        longer, shorter = np.maximum(compute, memory), np.minimum(compute, memory)
        power = np.clip(sharpness, 0.3, 12)
        return latency + longer * (1 + (shorter / longer) ** power) ** (1 / power)
    return model


def fit_products(rows, datasheet, fitted):
    """Fit rate, fraction of the bandwidth, tiles and latency to matrix products in 16 bits."""
    rows = in_16_bits(rows)
    if len(rows) < FEWEST_ROWS:
        raise TooFewRowsError(f"{len(rows)} products in bf16 (a fit needs {FEWEST_ROWS})")
    model = products_model(2.0)
    start = np.log([0.7 * datasheet["rate"], 0.8 * datasheet["bandwidth"], 2e5, 100, 2, 4e-6])
    parameters = fit_rows(rows, model, start)
    rate, bandwidth, area, depth, sharpness, latency = np.exp(parameters)
    fitted.errors("products, bf16", held_out(rows, ["n", "k"], model, start))
    undetermined = warn_of_undetermined(
        rows.assign(outputs=rows["m"] * rows["n"]), model, parameters,
        {"matmul.sustained": None, "matmul.memory_efficiency": None, "matmul.area": "outputs", "matmul.depth": "k",
         "matmul.sharpness": None, "kernel_latency": None}, fitted)
    largest = LARGEST_FLOP_SHARE * datasheet["rate"]
    if rate > largest and "matmul.sustained" not in undetermined:
        fitted.warn(f"matmul.sustained would be {rate / 1e12:.4g} TFLOPS and is set to {LARGEST_FLOP_SHARE} of the datasheet's peak: "
                    "are the times in seconds, and is the device the one that was measured?")
    rate = min(rate, largest)
    if bandwidth > datasheet["bandwidth"] and "matmul.memory_efficiency" not in undetermined:
        fitted.warn(f"matmul.memory_efficiency would be {bandwidth / datasheet['bandwidth']:.3g} and is set to 1: operands may have stayed "
                    "in a cache while a product was repeated")
    for name in ("bf16", "fp16"):
        fitted.add(f"matmul.sustained.{name}", rate / 1e12, " TFLOPS")
    fitted.add("efficiency.gemm", 1.0)
    fitted.add("matmul.memory_efficiency", min(1.0, bandwidth / datasheet["bandwidth"]))
    fitted.add("matmul.area", area)
    fitted.add("matmul.depth", depth)
    fitted.add("matmul.sharpness", np.clip(sharpness, 0.3, 12))
    fitted.add("kernel_latency", latency * 1e6, " us")
    return {"rate": rate, "latency": latency}


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


def fit_attention(rows, known, fitted):
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
    model, start = attention_model(known), [0.5, np.log(32), np.log(600)]
    parameters = fit_rows(rows, model, start)
    fitted.errors("long prefill, bf16", held_out(rows, ["heads", "kv_heads", "head_dim"], model, start))
    if logistic(parameters[0]) > LARGEST_FLOP_SHARE:
        fitted.warn("attention.efficiency is at its bound, 1: by this form, attention is as fast as the largest products or faster")
    warn_of_undetermined(rows, model, parameters, {"attention.efficiency": None, "attention.head_dim_half": "head_dim",
                                                   "attention.sequence_half": "queries"}, fitted)
    fitted.add("attention.efficiency", logistic(parameters[0]))
    fitted.add("attention.head_dim_half", np.exp(parameters[1]))
    fitted.add("attention.sequence_half", np.exp(parameters[2]))


def elements_of(shapes):
    return np.array([np.prod([float(size) for size in str(shape).split("x")]) for shape in shapes])


def fit_elementwise(rows, known, fitted):
    """Fit the fraction of the bandwidth that element-wise kernels in 16 bits reach."""
    if len(rows) < FEWEST_ROWS:
        raise TooFewRowsError(f"{len(rows)} element-wise rows (a fit needs {FEWEST_ROWS})")
    operands = rows["operands"].fillna(1) if "operands" in rows else pd.Series(1.0, rows.index)
    rows = rows.assign(bytes=2 * (operands + 1) * elements_of(rows["shape"]))

    def model(parameters, table):
        return np.exp(parameters[1]) + table["bytes"].to_numpy(float) / (known["bandwidth"] * logistic(parameters[0]))

    start = [1.0, np.log(known["latency"])]
    parameters = fit_rows(rows, model, start)
    fitted.errors("element-wise, 16 bits", held_out(rows, ["shape"], model, start))
    warn_of_undetermined(rows, model, parameters, {"efficiency.elementwise": "bytes", "kernel_latency": "bytes"}, fitted)
    fitted.add("efficiency.elementwise", logistic(parameters[0]))
    return float(np.exp(parameters[1]))


def fit_kernels(rows, datasheet, fitted):
    """Fit the sections of a device file: those of classes of kernels with enough rows, if there are any."""
    known = {"rate": datasheet["rate"], "bandwidth": datasheet["bandwidth"], "latency": 4e-6}
    products = rows[rows["operator"] == "gemm"]
    attention = rows[rows["operator"].isin(["prefill", "decode"])]
    elementwise = rows[rows["operator"] == "elementwise"]
    if datasheet["rate"] <= 0 and not (products.empty and attention.empty):
        raise FitError("the device states no peak in bf16 or fp16, from which a fit starts")
    too_few = []

    def fit_class(fit, of_class):
        try:
            return None if of_class.empty else fit(of_class, known, fitted)
        except TooFewRowsError as error:
            too_few.append(str(error))
            return None

    known |= fit_class(lambda of_class, _, into: fit_products(of_class, datasheet, into), products) or {}
    fit_class(fit_attention, attention)
    latency = fit_class(fit_elementwise, elementwise)
    if latency is not None and "kernel_latency" not in fitted.sections:
        fitted.add("kernel_latency", latency * 1e6, " us")
    if not fitted.sections:
        raise FitError("; ".join(too_few) or "no rows of products, prefill or element-wise kernels, whose constants are fitted")
    for text in too_few:
        fitted.warn(f"{text}: their constants stay those of the device")


KINDS = {"all_reduce": 2.0, "all_gather": 1.0, "reduce_scatter": 1.0, "all_to_all": 1.0}
#: Number of consecutive messages among n members, as counted by latency_bandwidth.
STEPS = {"all_reduce": lambda n: 2 * np.ceil(np.log2(n)), "all_gather": lambda n: np.ceil(np.log2(n)),
         "reduce_scatter": lambda n: np.ceil(np.log2(n)), "all_to_all": lambda n: 1.0 + 0.0 * n}


def read_kernels(path):
    """Read measured kernels, whose formats may have the name that they have in hardware/tables."""
    rows = pd.read_csv(path)
    if "precision" not in rows:
        return rows
    formats = rows["format"].fillna(rows["precision"]) if "format" in rows else rows["precision"]
    return rows.assign(format=formats)


def _nccl_row(fields, columns, place):
    """Return size and out-of-place time of a row: size, count, type, redop, root, then time, algbw, busbw, #wrong.

    Parameters
    ----------
    columns : list of str
        What the log's heading calls them. Without one, the time follows the numbers of redop and root, which older
        versions lack.
    """
    try:
        if "time" in columns:
            time = fields[columns.index("time")]
        else:
            numbers = [field for field in fields[3:] if re.fullmatch(r"[-+]?(\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)", field)]
            time = numbers[1] if "-1" in fields[3:6] or re.fullmatch(r"-?\d+", fields[4]) else numbers[0]
        row = {"bytes": float(fields[0]), "seconds": float(time) * 1e-6}
    except (IndexError, ValueError):
        raise FitError(f"{place}: not a row of nccl-tests (size count type redop root time …)") from None
    if not row["bytes"] <= LARGEST_MESSAGE:
        raise FitError(f"{place}: {fields[0]} bytes are more than any message has")
    if row["bytes"] > 0 and not 0 < row["seconds"] <= LONGEST_COLLECTIVE:
        raise FitError(f"{place}: {time} us is not the time of a collective")
    return row


#: What nccl-tests calls a collective, in its titles and in the names of its programs.
NCCL_NAMES = {"alltoall": "all_to_all", "all_to_all": "all_to_all"}
#: What `mpirun --tag-output` and `srun --label` write before every line.
LABEL = re.compile(r"^(\[\d+,\d+\]<std(out|err)>:|\d+:) ?")


def _collective_named(text):
    """Return the collective of 'all_reduce_perf' or '/opt/bin/alltoall_perf'; None if the text names no such program."""
    named = re.search(r"(\w+?)_perf\b", text)
    return NCCL_NAMES.get(named[1], named[1]) if named else None


def _nccl_json(text, path):
    """Return collective, members and rows of the output of `-J` (versions 1 to 3)."""
    try:
        report = json.loads(text)
    except ValueError as error:
        raise FitError(f"{path}: is not the JSON of nccl-tests ({error})") from None
    results = report.get("results") if isinstance(report, dict) else None
    if not isinstance(results, list):
        raise FitError(f"{path}: is not the JSON of nccl-tests (it has no list 'results')")
    rows = []
    for number, result in enumerate(results):
        place = f"{path}: results[{number}]"
        # Tests whose ranks cannot work out of place (-t) say null there.
        result = result if isinstance(result, dict) else {}
        measured = result.get("out_of_place") or result.get("in_place")
        measured = measured if isinstance(measured, dict) else {}
        if "cpu_time" in measured:
            raise FitError(f"{place}: has the time of the CPU (-C), not of the collective")
        if "size" not in result or "time" not in measured:
            raise FitError(f"{place}: states no size or no time")
        rows.append(_nccl_row([str(result["size"]), "", "", "", "", str(measured["time"])],
                              ["size", "count", "type", "redop", "root", "time"], place))
    arguments, config = report.get("args"), report.get("config")
    program = arguments[0] if isinstance(arguments, list) and arguments else ""
    devices = report.get("devices") or (config.get("devices") if isinstance(config, dict) else None)
    return _collective_named(str(program)), len(devices) if isinstance(devices, list) else 0, rows


def _nccl_text(text, path):
    """Yield collective, members and rows of each test of a log, which may hold the output of several."""
    name, members, rows, columns = None, 0, [], []
    for number, line in enumerate(text.splitlines(), 1):
        line = LABEL.sub("", line)
        started = re.search(r"Collective test starting: (\w+?)_perf", line)
        # Versions before 2.16 have no title: there, ranks or this line follow the rows of another test.
        first = started or re.match(r"#\s+nThread\b", line) or re.match(r"#\s+Rank\s+0\b", line)
        if first and rows:
            yield name, members, rows
            name, members, rows, columns = None, 0, [], []
        if started:
            name = NCCL_NAMES.get(started[1], started[1])
        if re.match(r"#\s+Rank\s+\d+\b", line):
            members += 1
        if re.match(r"#\s+size\s+count\s+type\b", line):
            columns = line.split()[1:]
            if "cputime" in columns:
                raise FitError(f"{path}:{number}: the times are those of the CPU (-C), not of the collective")
        if re.match(r"\s*\d", line):
            rows.append(_nccl_row(line.split(), columns, f"{path}:{number}"))
    if rows:
        yield name, members, rows


def read_nccl(path, collective):
    """Read the output of nccl-tests, as text or JSON (`-J`), as rows: kind, members, bytes, seconds (out of place).

    Raises
    ------
    FitError
        Naming the file, and the line of a malformed row: also if there are no rows, or if the collective or
        the number of ranks of a test is unknown.
    """
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    tests = [_nccl_json(text, path)] if text.lstrip().startswith("{") else list(_nccl_text(text, path))
    if not any(rows for _, _, rows in tests):
        raise FitError(f"{path}: contains no row of nccl-tests")
    tables = []
    for name, members, rows in tests:
        kind = name or collective
        if kind not in KINDS:
            stated = f"is of {kind}, which is not fitted" if kind else "does not state its collective"
            raise FitError(f"{path}: the log {stated} (--collective {'|'.join(KINDS)})")
        if members < 2:
            raise FitError(f"{path}: contains no list of at least two ranks (lines '#  Rank  0 …')")
        tables.append(pd.DataFrame(rows).assign(kind=kind, members=members))
    table = pd.concat(tables, ignore_index=True)
    return table[table["bytes"] > 0]  # some versions print a row of nothing


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
    if len(rows) < FEWEST_ROWS:
        raise FitError(f"{len(rows)} sizes in the logs (a fit needs {FEWEST_ROWS})")
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
            fit_kernels(rows, {"rate": options.rate, "bandwidth": options.bandwidth}, fitted)
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
