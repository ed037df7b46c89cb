"""Write the tables of docs/ that state how far predictions are from measurements, or that predict measured traffic.

    python -m dse_analysis.accuracy_tables --dse BUILD/dse [--conformance DIR] [--check]

A table stands between <!-- accuracy_tables: NAME --> and <!-- end -->. Those of servers need measurements or traces that are not
shipped: without --conformance (by default, the environment's DSE_CONFORMANCE) they are left as they are. With --check nothing is written, and the exit code is 2 if a
table is out of date; its message has the command that writes the tables.
"""

import argparse
import csv
import difflib
import functools
import os
import re
import sys
from pathlib import Path

import numpy as np
from scipy.stats import spearmanr

from dse_analysis import (credibility, first_predictions, fit_errors, fit_serving_errors, memory_errors, memory_fits, ratio_errors,
                          repeats)
from dse_analysis.script import add_program, answered, exit_code, validated
from dse_analysis.serving_full_load import errors_at_full_load

MEASURED = Path("workloads/measured")
FIRST = "docs/first_predictions.csv"
SERVING = "serving/serving_points.csv"
ENERGY = "energy/energy_llm_serving.csv"
CONVERSATIONS = "serving/traces/mooncake_conversation.csv.gz"

ENGINES = {"vllm": "vLLM", "trtllm": "TensorRT-LLM", "sglang": "SGLang"}
ROUTERS = ("round_robin", "least_loaded", "prefix", "session")
CHIPS = {"h100_sxm": "H100", "h200_sxm": "H200", "b200_sxm": "B200", "gb200": "GB200"}


def percent(share, digits=1):
    """Return a share as 5.2 %, or nothing."""
    return "" if share is None else f"{100 * share:.{digits}f} %"


def signed(share, digits=1):
    """Return a share with its sign, as −1.3 %, or nothing."""
    if share is None:
        return ""
    text = percent(abs(share), digits)
    if not re.search("[1-9]", text):
        return text
    return ("+" if share > 0 else "−") + text


def count(number):
    """Return a number of rows as 1,460."""
    return f"{number:,}"


def table(header, rows):
    """Return the lines of a table in Markdown."""
    return [f"| {' | '.join(cells)} |" for cells in (header, ["---"] * len(header), *rows)]


def errors_of(rows, column="error"):
    """Return the mean absolute error, its median and 90 % quantile, and the bias of rows of `dse validate --json`, by weight."""
    weights = np.array([row["weight"] for row in rows])
    errors = np.array([row[column] for row in rows])
    if not weights.any():
        weights = np.ones(len(rows))
    quantile = functools.partial(credibility.weighted_quantile, np.abs(errors), weights)
    return np.average(np.abs(errors), weights=weights), quantile(0.5), quantile(0.9), np.average(errors, weights=weights)


class Facts:
    """What `dse validate` says of each table of measurements, asked when first needed."""

    def __init__(self, dse, data, conformance=None):
        self.dse, self.data, self.conformance = dse, Path(data), conformance

    def has(self, table):
        return self.conformance is not None and (self.conformance / table).exists()

    @functools.cached_property
    def steps(self):
        return validated(self.dse, folder=self.data)

    @functools.cached_property
    def servers(self):
        return validated(self.dse, "--truth", str((self.conformance / SERVING).resolve()), folder=self.data)

    @functools.cached_property
    def energy(self):
        return validated(self.dse, "--truth", str((self.conformance / ENERGY).resolve()), folder=self.data)

    @functools.cached_property
    def compared(self):
        """Steps that count."""
        return [row for row in self.steps["rows"]
                if row["metric"] == "iteration_time" and row["error"] is not None and not row["set_aside"]]

    @functools.cached_property
    def kinds(self):
        return {summary["name"]: summary for summary in self.steps["summary"] if summary["by"] in ("kind", "memory")}

    def routed(self, workload, system, kept):
        """Metrics of Mooncake's conversations, by router and `prefix_cache`.

        Parameters
        ----------
        workload, system : dict
            Of a sweep; `traffic` names no trace.
        kept : list of bool
            Values of `prefix_cache`.

        Returns
        -------
        dict of (str, bool) to dict
        """
        traffic = {"trace": str((self.conformance / CONVERSATIONS).resolve()), **workload["traffic"]}
        sweep = {"name": "routers", "workload": {"model": "llama3_70b", "mode": "serving", **workload, "traffic": traffic},
                 "system": {"cluster": "h100_ndr400", "devices": 64, **system},
                 "axes": {"tp": [8], "serving.router": list(ROUTERS), "serving.prefix_cache": kept},
                 "objectives": {"ttft_mean": "minimize"}}
        points = [(router, keeps) for router in ROUTERS for keeps in kept]
        values = [{"tp": 8, "serving.router": router, "serving.prefix_cache": keeps} for router, keeps in points]
        return dict(zip(points, answered(self.dse, self.data, sweep, values)))

    def rows(self, file):
        with open(self.data / file, newline="") as text:
            return list(csv.DictReader(text))


def summary(facts):
    """All steps, by kind of model."""
    lines = []
    for name in ("dense models", "mixtures of experts", "all", "set aside", "all, and those set aside"):
        kind = facts.kinds[name]
        lines.append([name, count(kind["rows"]), str(kind["constants"] or ""), percent(kind["mean_absolute_error"]),
                      percent(kind["median_absolute_error"]), percent(kind["p90_absolute_error"]), signed(kind["bias"]),
                      percent(kind["constant_mfu_error"], 0), percent(kind["constant_mfu_by_chip_error"], 0)])
    return table(["", "steps", "constants", "mean error", "median", "90 % within", "bias", "error of one constant share of the peak",
                  "of one share per chip"], lines)


def roles(facts):
    """Steps that constants were fitted to, also with constants fitted without them, and those without."""
    lines = []
    for kind in ("dense models", "mixtures of experts"):
        for part, name in (("calibration", f"{kind}, calibration rows"), ("left out", "left out"),
                           ("validation", f"**{kind}, validation rows**")):
            found = facts.kinds[f"{kind}, {part}"]
            lines.append([name, count(found["rows"]), percent(found["mean_absolute_error"]), percent(found["median_absolute_error"]),
                          percent(found["p90_absolute_error"]), signed(found["bias"]),
                          f"{count(len(found['reversed']))} of {count(found['pairs'])}"])
    biased = [row for row in facts.compared if row["template"] == "gpt_oss"]
    fitted = [row for row in biased if row["left_out"] is not None]
    for name, rows, column in (("gpt-oss", biased, "error"), ("left out", fitted, "left_out")):
        *sizes, bias = errors_of(rows, column)
        lines.append([name, count(len(rows)), *map(percent, sizes), signed(bias), ""])
    return table(["", "steps", "mean error", "median", "90 % within", "bias", "pairs reversed"], lines)


def families(facts):
    """First predictions of families of steps that had not been seen, and today's."""
    lines = []
    for family in facts.rows(FIRST):
        if family["quantity"]:
            continue
        rows = [row for row in facts.compared if re.match(family["ids"], row["id"])
                and family["kind"] in ("", "experts" if row["experts"] else "dense")]
        remarks = [family["note"]] if family["note"] else []
        if len(rows) != int(family["steps"]):
            remarks.insert(0, f"now {len(rows)}")
        name = family["family"] + (f" ({': '.join(remarks)})" if remarks else "")
        error, _, _, bias = errors_of(rows) if rows else [None] * 4
        first = [float(family[key]) if family[key] else None for key in ("mean", "bias", "inside")]
        lines.append([name, family["steps"], percent(first[0]), signed(first[1]), percent(first[2], 0), percent(error), signed(bias)])
    return table(["family", "steps", "first prediction: mean error", "bias", "inside the bars", "now", "bias"], lines)


def bars(facts):
    """Coverage and width of the error bars of steps and of peaks of memory."""
    kinds = {"dense": "dense models", "experts": "mixtures of experts, but for the next two", "experts with biases": "gpt-oss",
             "hybrid": "hybrids with experts", "all": "all"}
    unseen = fit_errors.calibration(fit_errors.read_rows(facts.data / MEASURED / "left_out.csv"))
    lines = [[f"bars made without the group of a step: {kinds[kind]}", count(rows), percent(inside, 0), percent(width), f"{ratio:.1f}"]
             for kind, (rows, inside, width, ratio) in unseen.items() if kind in kinds]
    figures = {"peak_memory": "by the allocator", "device_memory": "by nvidia-smi"}
    lines += [[f"bars made without the group of a peak: {figures[metric]}", count(rows), percent(inside, 0), percent(width), f"{ratio:.1f}"]
              for metric, (rows, inside, width, ratio)
              in memory_errors.calibration(memory_errors.read_rows(facts.data / MEASURED / "memory_errors.csv")).items()]
    for program, name in NEW_STACKS.items():
        families, inside, width, ratio = first_predictions.coverage(first_predictions.families_of(facts.data / FIRST, program=program))
        lines.append([f"bars made without the first prediction of a family: {name}", f"{families} families", percent(inside, 0), percent(width),
                      f"{ratio:.1f}"])
    for kind, name in (("dense models, validation", "validation rows, dense models"),
                       ("mixtures of experts, validation", "validation rows, mixtures of experts"),
                       ("peaks", "peaks of memory by the allocator"), ("peaks by nvidia-smi", "peaks of memory by nvidia-smi")):
        found = facts.kinds[kind]
        lines.append([name, count(found["rows"]), percent(found["inside"], 0), percent(found["median_width"]),
                      f"{found['width_over_median_error']:.1f}"])
    return table(["", "rows", "inside", "half of the interval, median", "over the median error"], lines)


def serving_bars(facts):
    """Coverage and width of the error bars of prompts, decode steps and first tokens."""
    names = {"prompts": "prompts, ", "decode": "times per output token, ", "first_token": "times to first token, "}
    tables = fit_serving_errors.read_residuals(facts.data / MEASURED / "serving_left_out.csv")
    lines = [[names[quantity] + name, count(rows), percent(inside, 0), percent(width, 0), f"{ratio:.1f}"]
             for quantity, found in fit_serving_errors.calibrations(tables).items()
             for name, (rows, inside, width, ratio) in found.items()]
    return table(["", "rows", "inside", "half of the interval, median", "over the median error"], lines)


UNKNOWN = {"datasheet": "the chip's rates: a datasheet alone", "typical": "the chip's rates: `base: typical_gpu`",
           "software": "the software: no `stack`"}
OF_QUANTITY = {"time": "training step", "memory": "peak of memory", "prompts": "prefill", "first_token": "time to first token",
               "decode": "time per output token"}


#: Of docs/first_predictions.csv, by column `program`.
NEW_STACKS = {"known": "another release of a program", "": "a new program, or one new to this kind of model"}


def unknown(facts):
    """How long measured times are, of predicted ones, where a part is not known."""
    lines = []
    for row in facts.rows(MEASURED / "unknown_errors.csv"):
        kind = f", {row['kind']}" if row["kind"] else ""
        lines.append([UNKNOWN[row["unknown"]], OF_QUANTITY[row["quantity"]] + kind, count(int(row["rows"])),
                      *(f"{np.exp(float(row[share])):.2f}" for share in ("low", "median", "high"))])
    for program, name in NEW_STACKS.items():
        families = first_predictions.families_of(facts.data / FIRST, program=program)
        shift, width = first_predictions.interval_of(families)
        steps = sum(int(row["steps"]) for row in families)
        lines.append([f"how a described stack errs that has no rows: {name}", "training step", count(steps), f"{np.exp(shift - width):.2f}", "",
                      f"{np.exp(shift + width):.2f}"])
    return table(["not known", "", "rows", "one in ten is below", "median", "one in ten is above"], lines)


def ratios(facts):
    """Coverage of the error bars of ratios."""
    rows, steps, _ = fit_errors.read_inputs(facts.data)
    names = {"layout": "another layout on the same chip under the same stack", "stack": "the same chip, another stack", "chip": "another chip"}
    found = ratio_errors.coverage(ratio_errors.pairs_of(fit_errors.with_bars(steps, rows, facts.data)))
    return table(["steps of one model and sequence length", "pairs", "inside"],
                 [[name, count(found[differs][0]), percent(found[differs][1], 0)] for differs, name in names.items()])


def fits(facts):
    """How often layouts ran that were said to fit with some probability, which was made without them."""
    found = memory_fits.reliability(credibility.read_rows(facts.data / MEASURED / "memory_fits.csv"))
    return table(["`probability_fits`", "layouts", "on average", "ran"],
                 [[f"{low:.2f} to {high:.2f}", count(rows), percent(mean, 0), percent(ran, 0)] for low, high, rows, mean, ran in found])


def order(facts):
    """Pairs of steps of one model and sequence that are predicted the other way round."""
    compared, every = facts.kinds["all"], facts.kinds["all, and those set aside"]
    stated = {row["id"]: row for row in facts.rows(MEASURED / "steps.csv")}
    counted = [row for row in facts.compared if row["weight"]]
    least = repeats.expected_reversals(repeats.gaps(counted, stated), repeats.deviations(counted, stated))
    lines = [["measured more than 15 % apart", count(compared["pairs"]), count(len(compared["reversed"])), ""],
             ["the same, by an exact predictor, since measurements scatter", count(compared["pairs"]), count(round(least)), ""],
             ["predicted further apart than the error bars of both", count(compared["sure_pairs"]),
              count(len(compared["sure_reversed"])), percent(compared["largest_sure_reversed"])],
             ["measured more than 15 % apart, with the steps that are set aside", count(every["pairs"]), count(len(every["reversed"])), ""]]
    return table(["pairs of steps", "", "predicted the other way round", "by at most"], lines)


def chips(facts):
    """Rank correlation of predicted and measured steps, by chip."""
    found = sorted((kind for kind in facts.steps["summary"] if kind["by"] == "chip" and kind["rows"] >= 10), key=lambda kind: -kind["rows"])
    cells = [[kind["name"], count(kind["rows"]), f"{kind['rank_correlation']:.2f}"] for kind in found]
    if len(cells) % 2:
        cells.append([""] * 3)
    half = len(cells) // 2
    lines = [[*left, "", *right] for left, right in zip(cells[:half], cells[half:])]
    return table(["chip", "steps", "rank correlation", "", "chip", "steps", "rank correlation"], lines)


def models(facts):
    """Rank correlation of a device's best throughputs, over the chips and number formats of a model."""
    stated = {row["id"]: row for row in facts.rows(MEASURED / "steps.csv")}
    best = {}
    for row in facts.compared:
        facts_of = stated[row["id"]]
        if not row["weight"] or not facts_of["gbs"] or not facts_of["seq"]:
            continue
        tokens = float(facts_of["gbs"]) * float(facts_of["seq"]) / row["devices"]
        key = facts_of["model"], facts_of["seq"]
        place = facts_of["chip"], facts_of["precision"]
        known = best.setdefault(key, {}).setdefault(place, [0.0, 0.0])
        known[:] = max(known[0], tokens / row["measured"]), max(known[1], tokens / row["predicted"])
    lines = []
    for (model, length), places in sorted(best.items()):
        if len(places) < 5:
            continue
        measured, predicted = np.array(list(places.values())).T
        names = sorted({chip.replace("-SXM", "") for chip, _ in places})
        lines.append([f"{model}, {count(int(length))} tokens", f"{len(places)} ({', '.join(names)})",
                      f"{spearmanr(measured, predicted).statistic:.2f}"])
    return table(["model, sequence", "chips and formats", "rank correlation"], lines)


def _server(name, found):
    cells = [name, count(found["tpot"]["rows"])]
    for metric, with_bias in (("tpot", True), ("ttft", True), ("output_tokens_per_second", False)):
        cells.append(percent(found[metric]["median_absolute_error"]))
        if with_bias:
            cells.append(signed(found[metric]["bias"]))
    return cells


def deployments(facts):
    """Measured deployments, by model, engine and chip, of ten rows and more."""
    found = {kind["name"]: kind for kind in facts.servers["summary"]}
    lines = [_server(name, found[name]) for name in ("one pool", "two pools")]
    for name, kind in found.items():
        model, *rest = name.split(" ")
        if "/" in model and kind["tpot"]["rows"] >= 10:
            chip, engine, *pools = rest
            lines.append(_server(f"{model.split('/')[-1]}, {ENGINES[engine]}, {CHIPS[chip]}{', two pools' if pools else ''}", kind))
    return table(["", "rows", "time per output token", "bias", "time to first token", "bias", "throughput"], lines)


def full_load(facts):
    """Throughput at full load, by engine."""
    stated = {row["id"]: row for row in facts.rows(facts.conformance.resolve() / SERVING)}
    lines = []
    for engine, errors in errors_at_full_load(facts.servers["rows"], stated).items():
        size = np.abs(errors)
        lines.append([ENGINES[engine], count(len(errors)), percent(np.median(size)), percent(np.mean(size)), signed(np.median(errors))])
    return table(["", "rows", "median", "mean", "bias"], sorted(lines, key=lambda line: -int(line[1])))


def energy(facts):
    """Joules per token and power of servers."""
    lines = []
    for kind in facts.energy["summary"]:
        cells = [kind["name"].replace(" ", ", "), count(kind["rows"])]
        for metric in ("joules_per_token", "power", "power_at_pace"):
            cells += [percent(kind[metric]["median_absolute_error"], 0), signed(kind[metric]["bias"], 0)]
        lines.append(cells)
    return table(["", "rows", "J/token", "bias", "power", "bias", "power at the measured throughput", "bias"], lines)


def routers(facts):
    """First tokens of Mooncake's conversations on replicas, by router."""
    found = facts.routed({"traffic": {"speed": 2}}, {}, [True])
    lines = [[f"`{router}`", f"{metrics['ttft_mean']:.1f} s", percent(metrics["cache_hit_rate"], 0)]
             for (router, _), metrics in found.items()]
    return table(["`router`", "time to first token, mean", "tokens of prompts found in a cache"], lines)


def pool_routers(facts):
    """First tokens of Mooncake's conversations in two pools, by router."""
    pools = {"prefill": {"devices": 48, "tp": 8}, "decode": {"devices": 16, "tp": 8}}
    found = facts.routed({"precision": "fp8", "traffic": {"speed": 1.5}}, {"pools": pools}, [True, False])
    lines = []
    for router in ROUTERS:
        kept, without = found[router, True], found[router, False]
        lines.append([f"`{router}`", f"{kept['ttft_mean']:.2f} s", f"{without['ttft_mean']:.2f} s", percent(kept["cache_hit_rate"], 0)])
    return table(["`router`", "time to first token, mean", "without `prefix_cache`", "found in a cache"], lines)


#: {page: {name: (function, table of conformance data that it needs)}}
PAGES = {
    "docs/accuracy.md": {"summary": (summary, None), "roles": (roles, None), "families": (families, None), "bars": (bars, None),
                         "serving_bars": (serving_bars, None), "unknown": (unknown, None), "ratios": (ratios, None),
                         "fits": (fits, None), "order": (order, None), "chips": (chips, None), "models": (models, None)},
    "docs/serving-accuracy.md": {"deployments": (deployments, SERVING), "full_load": (full_load, SERVING)},
    "docs/serving.md": {"pool_routers": (pool_routers, CONVERSATIONS)},
    "docs/serving-engine.md": {"routers": (routers, CONVERSATIONS)},
    "docs/energy-accuracy.md": {"servers": (energy, ENERGY)},
}


def with_tables(text, makers, facts):
    """Return a page's text with its tables made anew.

    Parameters
    ----------
    text : str
    makers : dict
        An entry of PAGES.
    facts : Facts

    Raises
    ------
    ValueError
        If a table that the page names is unknown, or one of `makers` is not in the page.
    """
    left = set(makers)

    def replaced(mark):
        name = mark["name"]
        if name not in makers:
            raise ValueError(f"no table {name!r}; there are {', '.join(makers)}")
        left.discard(name)
        maker, needed = makers[name]
        if needed and not facts.has(needed):
            return mark[0]
        return "\n".join([mark["begin"], "", *maker(facts), "", mark["end"]])

    text = re.sub(r"(?P<begin><!-- accuracy_tables: (?P<name>\w+) -->)\n.*?(?P<end><!-- end -->)", replaced, text, flags=re.S)
    if left:
        raise ValueError(f"no place for the table {', '.join(sorted(left))}")
    return text


def advice(options):
    """Return what to do about tables that are out of date, with the command that writes them."""
    analysis = Path(__file__).resolve().parents[1]
    folder = f" --conformance {options.conformance}" if options.conformance else ""
    return ("If predictions or measured rows were meant to change, make residuals and error bars again (docs/accuracy.md, Error bars), write the tables,\n"
            "and commit them with the change; otherwise, find out which change has moved predictions.\n"
            f"    PYTHONPATH={analysis} {sys.executable} -m dse_analysis.accuracy_tables --dse {options.dse} --data {options.data}{folder}")


@exit_code(RuntimeError)
def main(arguments=None):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_program(parser)
    folder = os.environ.get("DSE_CONFORMANCE")
    parser.add_argument("--conformance", type=Path, default=folder and Path(folder), help="folder with measurements of servers")
    parser.add_argument("--check", action="store_true", help="write nothing; fail if a table is out of date")
    options = parser.parse_args(arguments)
    facts = Facts(options.dse, options.data, options.conformance)
    stale = []
    for page, makers in PAGES.items():
        path = options.data / page
        old = path.read_text(encoding="utf-8")
        new = with_tables(old, makers, facts)
        if new == old:
            continue
        if options.check:
            stale += difflib.unified_diff(old.splitlines(), new.splitlines(), page, "as predicted now", lineterm="", n=0)
        else:
            path.write_text(new, encoding="utf-8")
    if stale:
        raise ValueError("\n".join(["tables of errors in docs/ are not those of today's predictions:", *stale, "", advice(options)]))


if __name__ == "__main__":
    sys.exit(main())
