#!/usr/bin/env python3
"""Writes sweeps of random models, stacks, machines and layouts in two ways that mean the same, and expects equal rows.

    equal_sweeps.py --dse BUILD/dse --source . [--sweeps 10] [--seed 1]

The other way is: one axis in two sweeps, axes in another order, other units, a field that is derived, set or required
rather than an axis, one axis of records, files whose names are derived or stand in records, files of one's own with a base
or with the same text, shards that are merged, points of `dse point` and `dse answer`, and orders of ranks on a machine
whose network is flat. The front of a proof is that of the grid, and twice the replicas of single devices are never slower
in inference.
"""

import collections
import csv
import io
import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

from random_sweeps import CLUSTERS, options_of, stacks_of

MODELS = ("llama3_8b", "mixtral_8x7b", "qwen3_30b_a3b", "nemotron_nano_9b_v2", "mamba2_1.3b", "gemma3_12b", "gpt_oss_20b", "moonlight_16b_a3b")
ENGINES = ("vllm_2025", "vllm_2026", "sglang_2025", "trtllm_2025")
# The same values in two units.
UNITS = {"cluster.device.memory.capacity": ("80 GB", "0.08 TB"), "cluster.network.scale_out.bandwidth": ("400 Gbps", "50 GB/s"),
         "cluster.network.scale_out.latency": ("5 us", "0.005 ms"), "cluster.device.memory.bandwidth": ("3 TB/s", "3000 GB/s"),
         "cluster.host.bandwidth": ("64 GB/s", "512 Gbps")}
MORE = 1 + 1e-9
OF_THE_RUN = ("point_id", "rank", "host", "wall_seconds")


def drawn_sweep(seeded, stacks):
    mode = seeded.choice(("training", "training", "decode", "prefill", "serving"))
    workload = {"model": seeded.choice(MODELS), "mode": mode, "global_batch": 32, "sequence": seeded.choice((1024, 4096))}
    axes = {"tp": [1, 2, 4], "pp": [1, 2]}
    if mode == "training":
        axes |= {"microbatch": [1, 2], "zero": seeded.sample([0, 1, 2, 3], 2), "recompute": ["none", "full"]}
    elif mode == "serving":
        traffic = {"prompt": 500, "output": 60, "requests": 60} | seeded.choice(({"rate": "4 1/s"}, {"clients": 6}))
        if seeded.random() < 0.5:
            traffic |= {"turns": 3, "turn_gap": "2 s", "output_spread": 0.5}
        workload |= {"traffic": traffic, "precision": "fp8"}
        axes["serving.token_budget"] = [2048, 8192]
    else:
        workload |= {"output": 20} if mode == "decode" else {}
        axes["precision"] = ["bf16", "fp8"]
        axes["ep"] = [1, 2]
    if seeded.random() < 0.7:
        workload["stack"] = seeded.choice(ENGINES if mode == "serving" else stacks)
    elif seeded.random() < 0.7:
        axes["stack"] = seeded.sample(ENGINES if mode == "serving" else stacks, 2)
    if seeded.random() < 0.3:
        axes["cluster"] = seeded.sample(CLUSTERS, 2)
    return {"name": "equal", "workload": workload, "system": {"cluster": seeded.choice(CLUSTERS), "devices": seeded.choice((8, 16))},
            "axes": axes, "derive": {"dp": "devices // (tp * pp)"}, "objectives": {"memory_peak": "minimize"}}


class Attack:
    """One sweep, and the rows that it has."""

    def __init__(self, dse, source, folder, sweep, seeded):
        self.dse, self.source, self.folder, self.sweep, self.seeded = dse, Path(source), Path(folder), sweep, seeded
        self.files = 0
        self.rows = self.rows_of(sweep)

    def new_path(self, suffix):
        self.files += 1
        return self.folder / f"{self.files}{suffix}"

    def written(self, sweep):
        path = self.new_path(".yaml")
        path.write_text(json.dumps(sweep))
        return path

    def run(self, *arguments, **options):
        return subprocess.run([self.dse, *map(str, arguments)], capture_output=True, text=True, check=False, cwd=self.folder, **options)

    def results_of(self, sweep, *arguments):
        results = self.new_path(".h5")
        done = self.run("run", self.written(sweep), "-o", results, "--parts", "none", "--progress", "none", *arguments)
        if done.returncode not in (0, 1):
            raise ValueError(f"ended with {done.returncode}: {done.stderr[:600]}")
        return results

    def rows_in(self, results, axes=None):
        """{labels of these axes, or those of the whole sweep: the row without what differs by run}"""
        done = self.run("export", results, "--csv")
        if done.returncode != 0:
            raise ValueError(done.stderr)
        rows = {}
        for row in csv.DictReader(io.StringIO(done.stdout)):
            key = tuple(row.get(axis) or row.get(name_of(axis)) for axis in axes or self.sweep["axes"])
            rows[key] = {name: value for name, value in row.items() if name not in OF_THE_RUN}
        return rows

    def rows_of(self, sweep, *arguments):
        return self.rows_in(self.results_of(sweep, *arguments))

    def front_of(self, sweep):
        """{the objectives of each point of the front: nothing}"""
        rows = self.rows_in(self.results_of(sweep), sweep["axes"]).values()
        costs = {tuple(float(row[name]) for name in sweep["objectives"]) for row in rows if row["status"] == "ok"}
        return {cost: {} for cost in costs
                if not any(other != cost and all(a <= b for a, b in zip(other, cost)) for other in costs)}

    def with_axes(self, axes, **parts):
        return {**self.sweep, "axes": axes, **parts}

    # The other ways: each yields rows and those that they have to equal.

    def split(self):
        axis = self.seeded.choice(list(self.sweep["axes"]))
        values = self.sweep["axes"][axis]
        rows = {}
        for some in (values[:1], values[1:]):
            rows |= self.rows_of(self.with_axes({**self.sweep["axes"], axis: some}))
        yield rows, self.rows

    def order(self):
        axes = list(self.sweep["axes"].items())
        self.seeded.shuffle(axes)
        yield self.rows_of(self.with_axes(dict(axes))), self.rows

    def units(self):
        ways = [{name: [pair[way]] for name, pair in UNITS.items()} for way in (0, 1)]
        one, other = (self.rows_of(self.with_axes({**self.sweep["axes"], **way})) for way in ways)
        yield one, other

    def not_an_axis(self):
        """One of the values is set, derived or required."""
        axis = self.seeded.choice(list(self.sweep["axes"]))
        value = self.seeded.choice(self.sweep["axes"][axis])
        others = {name: values for name, values in self.sweep["axes"].items() if name != axis}
        at = list(self.sweep["axes"]).index(axis)
        wanted = {key: row for key, row in self.rows.items() if key[at] == str(value)}

        def with_column(rows):
            return {(*key[:at], str(value), *key[at + 1:]): {**row, axis: str(value)} for key, row in rows.items()}

        yield with_column(self.rows_of(self.sweep, "--set", f"{axis}={value}")), wanted
        if isinstance(value, int):
            yield with_column(self.rows_of(self.with_axes(others, derive={axis: value, **self.sweep["derive"]}))), wanted
        yield self.rows_of({**self.sweep, "require": [f"{name_of(axis)} == {value!r}"]}), wanted

    def records(self):
        """One axis for the layout, in the order of two."""
        axes = {name: values for name, values in self.sweep["axes"].items() if name not in ("tp", "pp")}
        layouts = [{"tp": tp, "pp": pp} for tp in self.sweep["axes"]["tp"] for pp in self.sweep["axes"]["pp"]]
        rows = self.rows_of(self.with_axes({"layout": layouts, **axes}))
        yield {key: {name: text for name, text in row.items() if name != "layout"} for key, row in rows.items()}, self.rows

    def names(self):
        """Files by a number, from which their names are derived, and in records."""
        for axis in ("stack", "cluster"):
            if axis not in self.sweep["axes"]:
                continue
            first, second = self.sweep["axes"][axis]
            others = {name: values for name, values in self.sweep["axes"].items() if name != axis}
            derive = {axis: f"'{first}' if which == 0 else '{second}'", **self.sweep["derive"]}
            yield self.rows_of(self.with_axes({"which": [0, 1], **others}, derive=derive)), self.rows
            yield self.rows_of(self.with_axes({"files": [{axis: first}, {axis: second}], **others})), self.rows

    def proofs(self):
        """The front that is proven is that of the grid, also where records name machines, and other axes derive their fields."""
        if self.sweep["workload"]["mode"] != "training":
            return
        axes = {name: values for name, values in self.sweep["axes"].items() if name != "cluster"}
        machines = [{"cluster": name} for name in self.seeded.sample(CLUSTERS, 2)]
        sweep = self.with_axes({**axes, "machine": machines, "lanes": [1, 3], "scale_out.latency": ["2 us", "20 us"]},
                               derive={"scale_up.bandwidth": "150e9 * lanes", **self.sweep["derive"]},
                               objectives={"iteration_time": "minimize", "memory_peak": "minimize"})
        yield self.front_of({**sweep, "search": {"method": "proven"}}), self.front_of(sweep)

    def bases(self):
        workload, system = self.sweep["workload"], self.sweep["system"]
        yield self.rows_of({**self.sweep, "system": {**system, "cluster": {"base": system["cluster"]}}}), self.rows
        (self.folder / "own_cluster.yaml").write_text(f"base: {system['cluster']}\n")
        yield self.rows_of({**self.sweep, "system": {**system, "cluster": "./own_cluster.yaml"}}), self.rows
        for field, where in (("stack", "workloads/stacks"), ("model", "workloads/models")):
            if field not in workload:
                continue
            text = (self.source / where / f"{workload[field]}.yaml").read_text()
            (self.folder / f"{workload[field]}.yaml").write_text(text)
            yield self.rows_of({**self.sweep, "workload": {**workload, field: f"./{workload[field]}.yaml"}}), self.rows
            (self.folder / f"{workload[field]}.yaml").unlink()
        if "stack" in workload:
            (self.folder / "own_stack.yaml").write_text(f"base: {workload['stack']}\n")
            yield self.rows_of({**self.sweep, "workload": {**workload, "stack": "./own_stack.yaml"}}), self.rows

    def shards(self):
        number = self.seeded.choice((2, 3))
        parts = [self.results_of(self.sweep, "--shard", f"{i + 1}/{number}") for i in range(number)]
        merged = self.new_path(".h5")
        done = self.run("merge", *parts, "-o", merged)
        if done.returncode != 0:
            raise ValueError(done.stderr)
        yield self.rows_in(merged), self.rows

    def points(self):
        """The shown point and the answered one are the row."""
        path = self.written(self.sweep)
        for key in self.seeded.sample(list(self.rows), min(3, len(self.rows))):
            row = self.rows[key]
            names = list(self.sweep["axes"])
            values = {name: type(self.sweep["axes"][name][0])(text) for name, text in zip(names, key)}
            settings = [part for name, text in values.items() for part in ("--set", f"{name}={text}")]
            shown = json.loads(self.run("point", path, "--json", "--no-what-if", *settings).stdout)
            answered = json.loads(self.run("answer", path, input=json.dumps({"values": values}) + "\n").stdout)
            for one in ({"status": shown["status"], "reason": shown["reason"] or "", **shown["metrics"]}, answered):
                known = {name: text for name, text in row.items() if name in one and text}
                yield {key: {name: alike(one[name]) for name in known}}, {key: {name: alike(text) for name, text in known.items()}}

    def ranks(self):
        """All devices of the machine are equally near to each other."""
        if self.sweep["workload"]["mode"] != "training":
            return
        machine = {"cluster": {"base": "h100_ndr400", "devices_per_node": 16, "network": {"scale_up": {"domain": 16}}}, "devices": 16}
        workload = self.sweep["workload"]
        orders = ["tp-cp-ep-dp-pp", self.seeded.choice(("tp-cp-ep-pp-dp", "dp-tp-cp-ep-pp", "pp-dp-tp-cp-ep"))]
        rows = [self.rows_of({**self.sweep, "system": machine, "workload": {**workload, "rank_order": order}})
                for order in orders]
        yield rows[1], rows[0]

    def more_replicas(self):
        """Half the sequences for each single device, which exchange nothing: no longer steps."""
        if self.sweep["workload"]["mode"] not in ("decode", "prefill"):
            return
        few, many = (self.rows_of({**self.sweep, "system": {**self.sweep["system"], "devices": devices}}) for devices in (8, 16))
        times = {key: (float(few[key]["iteration_time"]), float(many[key]["iteration_time"])) for key in few.keys() & many.keys()
                 if few[key]["iteration_time"] and many[key]["iteration_time"]
                 and all(few[key][degree] == "1" for degree in ("tp", "pp", "ep"))}
        yield ({key: {"slower": many > few * MORE and (few, many)} for key, (few, many) in times.items()},
               {key: {"slower": False} for key in times})


def name_of(axis):
    """Of its column: serving.token_budget has token_budget."""
    return axis.rsplit(".", 1)[-1]


def alike(value):
    try:
        return float(value)
    except (TypeError, ValueError):
        return value


def differences(rows, others):
    if rows.keys() != others.keys():
        yield f"{len(rows)} rows, not {len(others)}: {sorted(rows.keys() ^ others.keys())[:3]}"
    for key in rows.keys() & others.keys():
        names = [name for name in others[key] if name in rows[key] and rows[key][name] != others[key][name]]
        if names:
            yield f"{key}: " + ", ".join(f"{name}: {rows[key][name]} not {others[key][name]}" for name in names[:6])


def main():
    options = options_of(__doc__, sweeps=10, seed=1)
    seeded = random.Random(options.seed)
    stacks = stacks_of(options.source)
    counts, faults = collections.Counter(), 0
    for _ in range(options.sweeps):
        sweep = drawn_sweep(seeded, stacks)
        with tempfile.TemporaryDirectory(prefix="dse_equal_") as folder:
            try:
                attack = Attack(options.dse, options.source, folder, sweep, seeded)
            except ValueError as error:
                counts["refused sweeps"] += 1
                if "ended with 2" not in str(error):
                    faults += 1
                    print(f"{error}\n  {json.dumps(sweep)}", file=sys.stderr)
                continue
            counts.update(row["status"] for row in attack.rows.values())
            for way in (Attack.split, Attack.order, Attack.units, Attack.not_an_axis, Attack.records, Attack.names, Attack.proofs, Attack.bases,
                        Attack.shards, Attack.points, Attack.ranks, Attack.more_replicas):
                found = []
                try:
                    for number, (rows, others) in enumerate(way(attack)):
                        counts[way.__name__] += len(rows)
                        found += [f"{way.__name__} {number}: {text}" for text in differences(rows, others)]
                except ValueError as error:
                    found.append(f"{way.__name__}: {error}")
                if found:
                    faults += 1
                    print("\n".join([*found[:4], f"  {json.dumps(sweep)}"]), file=sys.stderr)
    print(", ".join(f"{name}: {count}" for name, count in sorted(counts.items())))
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
