#!/usr/bin/env python3
"""Holds the rows of a real sweep against each other: at 1, 2 and 4 ranks, and after three kills.

    sweep_runs.py --dse BUILD/dse --sweep sweeps/smoke.yaml [--mpirun mpirun] TEST

Rows are compared as `dse export --csv` writes them, with every digit: all columns but rank, host and wall_seconds.
"""

import argparse
import collections
import csv
import io
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from farm_faults import MPI_ENVIRONMENT, PATIENCE, SKIPPED, Failure, Run, demand

NOT_PART_OF_THE_ANSWER = ("rank", "host", "wall_seconds")


class Bench:
    """The program, a folder for its files, and the sweep."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = Path(folder)
        self.sweep = Path(options.sweep).resolve()
        self.runs = 0

    def start(self, out, ranks):
        self.runs += 1
        launch = [self.options.mpirun, "-np", str(ranks)] if ranks else []
        command = [self.options.dse, str(self.sweep), "-o", str(out)]
        return Run(launch + command, self.folder / f"log{self.runs}")

    def finish(self, out, ranks):
        run = self.start(out, ranks)
        code = run.wait()
        demand(code == 0, f"exit code {code}:\n{run.text()}")
        return run

    def export(self, out):
        """Rows that are on disk, of a finished or a running sweep."""
        done = subprocess.run(
            [self.options.dse, "export", str(out), "--csv"], capture_output=True, text=True, check=False
        )
        return list(csv.DictReader(io.StringIO(done.stdout))) if done.returncode == 0 else []

    def rows(self, out):
        rows = self.export(out)
        demand(rows, f"no rows in {out}")
        for row in rows:
            for key in NOT_PART_OF_THE_ANSWER:
                del row[key]
        return rows

    def demand_same_rows(self, out, reference):
        found, wanted = self.rows(out), self.rows(reference)
        demand(len(found) == len(wanted), f"{len(found)} rows instead of {len(wanted)}")
        for one, other in zip(found, wanted):
            if one == other:
                continue
            for key, value in other.items():
                demand(one[key] == value, f"point {other['point_id']}: {key} is {one[key]}, was {value}")
        demand(not Path(f"{out}.shards").exists(), "shards are left behind")

    def widen(self):
        """A sweep like the given one with two more axes, so that it takes seconds: 10 times `values` the points."""
        text = self.sweep.read_text()
        demand("\naxes:\n" in text, "the sweep has no axes in block style")
        shares = ", ".join(f"{1 - i / 40:.6f}" for i in range(self.options.values))
        tenths = ", ".join(f"{i / 10:.6f}" for i in range(10))
        self.sweep = self.folder / "wide.yaml"
        self.sweep.write_text(
            text.replace("\naxes:\n", f"\naxes:\n  exposed_tp: [{shares}]\n  exposed_dp: [{tenths}]\n")
        )

    def wait_for_rows(self, run, out, before):
        """Waits until shards hold more bytes than before; false when the run was over first."""
        end = time.monotonic() + PATIENCE
        while size_on_disk(out) <= before:
            if run.process.poll() is not None:
                return False
            demand(time.monotonic() < end, f"no rows came:\n{run.text()}")
            time.sleep(0.01)
        return True


def size_on_disk(out):
    """Bytes of the shards of a running sweep."""
    total = 0
    for shard in Path(f"{out}.shards").glob("*.rows"):
        try:
            total += shard.stat().st_size
        except FileNotFoundError:
            pass
    return total


def test_ranks(bench):
    """Equal rows on 1, 2 and 4 ranks and without mpirun; every rank wrote some."""
    reference = bench.folder / "alone.h5"
    bench.finish(reference, 0)
    for ranks in (1, 2, 4):
        out = bench.folder / f"ranks{ranks}.h5"
        bench.finish(out, ranks)
        bench.demand_same_rows(out, reference)
        by_rank = collections.Counter(int(row["rank"]) for row in bench.export(out))
        demand(sorted(by_rank) == list(range(ranks)), f"rows by rank: {dict(by_rank)}")


def kill_one(run, seeded):
    pids = [run.process.pid, *run.ranks().values()]
    try:
        os.kill(seeded.choice(pids), signal.SIGKILL)
    except ProcessLookupError:
        pass
    run.wait_for_all()


def test_kills_at_any_moment(bench):
    """Three kills at random moments of a run that is over in less than a second, its start and its end included."""
    seeded = random.Random(bench.options.seed)
    reference, out = bench.folder / "alone.h5", bench.folder / "killed.h5"
    bench.finish(reference, 0)
    for _ in range(3):
        run = bench.start(out, 3)
        time.sleep(seeded.uniform(0.1, 1.2))
        kill_one(run, seeded)
    bench.finish(out, 3)
    bench.demand_same_rows(out, reference)


def test_leftovers(bench):
    """What a kill between the last rename and the removal of the shards leaves is removed by the next run."""
    bench.widen()
    out, left = bench.folder / "killed.h5", bench.folder / "left"
    shards = Path(f"{out}.shards")
    run = bench.start(out, 2)
    demand(bench.wait_for_rows(run, out, 0), f"the sweep was over before it could be killed:\n{run.text()}")
    os.kill(run.process.pid, signal.SIGKILL)
    run.wait_for_all()
    (shards / "rank-00001-begun.rows.tmp").write_bytes(b"begun")
    shutil.copytree(shards, left)
    bench.finish(out, 2)
    wanted = bench.rows(out)
    # All that a kill before the removal leaves, and what one in the middle of it does.
    for ranks, removed in ((2, ""), (0, "*.rows"), (2, "*.rows")):
        shutil.copytree(left, shards, ignore=shutil.ignore_patterns(removed))
        bench.finish(out, ranks)
        demand(bench.rows(out) == wanted, "the rows are others than before")
        demand(not shards.exists(), f"left behind: {os.listdir(shards) if shards.exists() else []}")


def test_three_kills(bench):
    """A worker, rank 0 and mpirun are killed, each after rows have come to disk: none is lost, none comes twice."""
    bench.widen()
    reference, out = bench.folder / "alone.h5", bench.folder / "killed.h5"
    bench.finish(reference, 2)
    kept = 0
    for victim in (1, 0, "mpirun"):
        before = size_on_disk(out)
        run = bench.start(out, 2)
        demand(bench.wait_for_rows(run, out, before), f"the sweep was over before it could be killed:\n{run.text()}")
        ranks = run.ranks()
        os.kill(run.process.pid if victim == "mpirun" else ranks[victim], signal.SIGKILL)
        demand(run.wait_for_all() != 0, "a killed job reports success")
        previous, kept = kept, len(bench.export(out))
        demand(kept > previous, f"{kept} rows outlived the kill, {previous} were there before")
    bench.finish(out, 2)
    bench.demand_same_rows(out, reference)


def test_drain(bench):
    """SIGUSR1 to mpirun, as a batch system sends it: exit code 4 and every row on disk; the next run goes on."""
    bench.widen()
    reference, out = bench.folder / "alone.h5", bench.folder / "drained.h5"
    bench.finish(reference, 2)
    run = bench.start(out, 2)
    demand(bench.wait_for_rows(run, out, 0), f"ended too early:\n{run.text()}")
    os.kill(run.process.pid, signal.SIGUSR1)
    code = run.wait()
    demand(code == 4, f"exit code {code} instead of 4:\n{run.text()}")
    demand("The same command resumes it" in run.text(), run.text())
    bench.finish(out, 2)
    bench.demand_same_rows(out, reference)


PROGRAM = """
import json, sys, time
for line in sys.stdin:
    values = json.loads(line)["values"]
    time.sleep(0.01)
    if values["x"] == 3 and values["y"] > 5:
        print("a wild crash", file=sys.stderr)
        sys.exit(9)
    print(json.dumps({"height": (values["x"] - 7) ** 2 + values["y"], "depth": values["x"] * 2.5}), flush=True)
"""

PROGRAM_SWEEP = """
name: program
exec: {command: [python3, program.py], metrics: {height: m, depth: m}, time_limit: 20 s}
axes: {x: {from: 0, to: 15}, y: {from: 0, to: 15}}
metrics: {slope: height / (1 + depth)}
search: {method: [nsga2, refine], budget: 150, population: 20, seed: 5}
objectives: {height: minimize, slope: maximize}
"""


def test_program(bench):
    """A program of one's own answers (exec): equal rows on 1 and 3 ranks, after a drain and after a killed rank, and
    no process of it stays."""
    (bench.folder / "program.py").write_text(PROGRAM)
    bench.sweep = bench.folder / "program.yaml"
    bench.sweep.write_text(PROGRAM_SWEEP)
    reference, out = bench.folder / "alone.h5", bench.folder / "ranks.h5"
    bench.finish(reference, 0)
    demand(any("a wild crash" in row["reason"] for row in bench.rows(reference)), "no row says how it crashed")
    bench.finish(out, 3)
    bench.demand_same_rows(out, reference)
    out = bench.folder / "broken.h5"
    run = bench.start(out, 3)
    demand(bench.wait_for_rows(run, out, 0), f"ended too early:\n{run.text()}")
    os.kill(run.process.pid, signal.SIGTERM)
    run.wait_for_all()
    run = bench.start(out, 3)
    if bench.wait_for_rows(run, out, size_on_disk(out)):
        kill_one(run, random.Random(bench.options.seed))
    else:
        run.wait_for_all()
    bench.finish(out, 2)
    bench.demand_same_rows(out, reference)


SEARCHED = """
name: searched
workload: {model: llama3_70b, global_batch: 512, sequence: 8192}
system: {cluster: h100_ndr400, devices: 256}
axes:
  tp: [1, 2, 4, 8]
  pp: [1, 2, 4, 8]
  cp: [1, 2, 4]
  microbatch: [1, 2, 4, 8]
  zero: [0, 1, 2, 3]
  recompute: [none, selective, full]
derive: {dp: devices / (tp * pp * cp)}
require: [global_batch % (dp * microbatch) == 0]
objectives: {iteration_time: minimize, memory_peak: minimize}
"""


def test_searches(bench):
    """Searches that learn, with conditions on results, and a proof go on after a worker and rank 0 were killed."""
    methods = {"nsga2": "method: nsga2, budget: 700", "moead": "method: moead, budget: 700",
               "refine": "method: [nsga2, refine], budget: 900", "proven": "method: proven"}
    killed = 0
    for name, search in methods.items():
        where = "" if name == "proven" else "where: [memory_peak <= 0.9 * memory_capacity]\n"
        bench.sweep = bench.folder / f"{name}.yaml"
        bench.sweep.write_text(f"{SEARCHED}search: {{{search}, seed: 3}}\n{where}")
        reference, out = bench.folder / f"{name}.h5", bench.folder / f"{name}_killed.h5"
        bench.finish(reference, 0)
        for victim in (1, 0):
            run = bench.start(out, 3)
            # Where the others finish first, there is nothing left to kill.
            if bench.wait_for_rows(run, out, size_on_disk(out)) and victim in run.ranks():
                os.kill(run.ranks()[victim], signal.SIGKILL)
            killed += run.wait_for_all() != 0
        bench.finish(out, 3)
        bench.demand_same_rows(out, reference)
        if name == "proven":
            done = subprocess.run([bench.options.dse, "verify", out, "--boxes", "200"], capture_output=True, text=True, check=False)
            demand(done.returncode == 0, done.stdout + done.stderr)
    demand(killed > 0, "all runs were over before they could be killed")


TINY = """
workload: {model: llama3_8b, global_batch: 16, sequence: 2048}
system: {cluster: h100_ndr400, devices: 8}
axes: {tp: [1, 2, 4, 8], zero: [0, 1, 3], recompute: [none, full]}
"""

SCREENED = f"""
name: screened
{TINY}
search: {{method: screen, budget: 8, population: 4, seed: 1}}
confirm: {{engine: event}}
objectives: {{iteration_time: minimize, memory_peak: minimize}}
"""

DRAWN = f"""
name: drawn
{TINY}
uncertain: {{draws: 32, scale_up.bandwidth: {{factor: {{normal: [0.9, 0.05]}}}}}}
metrics: {{spread: iteration_time_p90 - iteration_time_p10}}
search: {{method: nsga2, budget: 18, population: 8, seed: 2}}
objectives: {{iteration_time_p90: minimize, spread: minimize, memory_peak: minimize}}
"""


def demand_same_on_ranks_and_after_a_limit(bench, name, text):
    bench.sweep = bench.folder / f"{name}.yaml"
    bench.sweep.write_text(text)
    reference, out, halves = (bench.folder / f"{name}_{run}.h5" for run in ("alone", "ranks", "halves"))
    bench.finish(reference, 0)
    bench.finish(out, 3)
    bench.demand_same_rows(out, reference)
    subprocess.run([bench.options.dse, str(bench.sweep), "-o", str(halves), "--limit", "11"], check=True,
                   capture_output=True)
    bench.finish(halves, 2)
    bench.demand_same_rows(halves, reference)
    return bench.rows(reference)


def test_fidelities(bench):
    """A search that screens: equal rows on ranks and after a limit; the dear fidelity answers some, and its rows alone
    are the front."""
    rows = demand_same_on_ranks_and_after_a_limit(bench, "screened", SCREENED)
    dear = [row for row in rows if row["confirmed"] == "1"]
    demand(1 <= len(dear) <= 8, f"{len(dear)} points of 8 are confirmed")
    demand(len([row for row in rows if row["confirmed"] != "1"]) == 24, "not every point has a cheap answer")
    front = subprocess.run([bench.options.dse, "pareto", str(bench.folder / "screened_alone.h5"), "--csv"],
                           capture_output=True, text=True, check=True).stdout
    ids = {row["point_id"] for row in csv.DictReader(io.StringIO(front))}
    demand(ids and ids <= {row["point_id"] for row in dear}, f"the front has rows of the cheap fidelity: {ids}")


def test_draws(bench):
    """A sweep with uncertain fields: equal rows on ranks and after a limit, statistics in order."""
    for row in demand_same_on_ranks_and_after_a_limit(bench, "drawn", DRAWN):
        if row["status"] == "ok":
            low, high = float(row["iteration_time_p10"]), float(row["iteration_time_p90"])
            demand(low <= float(row["iteration_time_p50"]) <= high, "percentiles out of order")
            demand(float(row["spread"]) == high - low, "what is derived from draws is not what it says")
            demand(float(row["feasible_share"]) == 1.0, "every draw is feasible")


def test_errors_once(bench):
    """A sweep that is wrong is an error of the job, said once, with exit code 2, and no output appears."""
    bench.sweep = bench.folder / "bad.yaml"
    bench.sweep.write_text("name: bad\nworkload: {model: llama3_8b}\nsystm: {}\n")
    out = bench.folder / "none.h5"
    run = bench.start(out, 3)
    demand(run.wait() == 2, run.text())
    demand(run.text().count("did you mean 'system'?") == 1, run.text())
    demand(not out.exists() and not Path(f"{out}.shards").exists(), "there is output of nothing")


def test_all_failed(bench):
    """A sweep of which no point has an answer ends with 1, and rank 0 alone says why."""
    bench.sweep = bench.folder / "late.yaml"
    bench.sweep.write_text(
        "name: late\nworkload: {model: llama3_8b, global_batch: 8, sequence: 2048}\n"
        "system: {cluster: h100_ndr400, devices: 8}\naxes: {tp: [8], microbatch: [1, 2, 4]}\n"
        "fidelity: {engine: event, time_limit: 1 us}\n"
    )
    for _ in range(2):  # the second time there is nothing left to evaluate
        run = bench.start(bench.folder / "late.h5", 3)
        demand(run.wait() == 1, run.text())
        demand(run.text().count("all 3 points failed") == 1, run.text())
        demand("MPI_ABORT" not in run.text(), run.text())


def listing(folder):
    return sorted(str(path.relative_to(folder)) for path in Path(folder).rglob("*"))


def main():
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--values", type=int, default=20, help="up to 40; see widen()")
    parser.add_argument("--seed", type=int, default=11, help="of the moments and the victims of kills")
    parser.add_argument("test", choices=sorted(tests))
    options = parser.parse_args()
    if shutil.which(options.mpirun) is None:
        print(f"skipped: no {options.mpirun}")
        return SKIPPED
    os.environ.update(MPI_ENVIRONMENT)
    with tempfile.TemporaryDirectory(prefix="dse_sweep_") as folder:
        try:
            tests[options.test](Bench(options, folder))
        except Failure as failure:
            print(f"{options.test}: {failure}", *listing(folder), sep="\n")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
