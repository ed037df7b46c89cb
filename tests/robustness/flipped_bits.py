#!/usr/bin/env python3
"""Flips single bits of the shards of a stopped sweep and of finished results, and counts what comes of it.

    flipped_bits.py --dse BUILD/dse --sweep sweeps/smoke.yaml [--flips 1000] [--seed 1]

Of a damaged shard, `dse export` may lose rows but show no other ones, and the sweep goes on to the rows of an
undisturbed run. A damaged results file is refused, and with --unsealed is read or refused, marked in either case.
Rows are held against those of an undisturbed run with every digit. Nothing may end by a signal or hang.
"""

import argparse
import collections
import concurrent.futures
import csv
import io
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PATIENCE = 180.0  # seconds before a command counts as hung: what reads unsealed files ends itself after 120
NOT_PART_OF_THE_ANSWER = ("rank", "host", "wall_seconds", "unsealed")
# Of the iteration time: computed where they are asked for.
PARTS = ("compute_time", "exposed_tp", "exposed_cp", "exposed_ep", "exposed_dp", "exposed_pp", "bubble", "bubble_compute",
         "bubble_tp", "bubble_cp", "bubble_ep", "bubble_dp", "bubble_pp", "bubble_idle", "idle")
COUNTED = ("wrong rows", "signals", "hangs", "other exit codes", "not gone on with")


class Bench:
    """The program, a folder for its files, and what was counted."""

    def __init__(self, options, folder):
        self.dse = options.dse
        self.folder = Path(folder)
        self.sweep = widened(Path(options.sweep), self.folder / "sweep.yaml")
        self.counts = collections.Counter(dict.fromkeys(COUNTED, 0))
        self.notes = collections.Counter()

    def blame(self, what, why):
        self.counts[what] += 1
        print(f"{what}: {why}", file=sys.stderr)

    def run(self, *arguments, allowed=(0,), what=""):
        """The output of a command; None where it did not end with an allowed exit code."""
        command = [self.dse, *map(str, arguments)]
        try:
            done = subprocess.run(command, capture_output=True, text=True, errors="replace", timeout=PATIENCE, check=False)
        except subprocess.TimeoutExpired:
            self.blame("hangs", f"{what}: {command}")
            return None
        if done.returncode < 0 or done.returncode >= 128:
            self.blame("signals", f"{what}: {command} ended with {done.returncode}: {done.stderr}")
            return None
        if done.returncode not in allowed:
            self.blame("other exit codes", f"{what}: {command} ended with {done.returncode}: {done.stderr}")
            return None
        self.notes[f"{arguments[0] if arguments[0] in ('export', 'pareto', 'merge') else 'run'}: exit code {done.returncode}"] += 1
        return done.stdout if done.returncode == 0 else None

    def rows(self, *arguments, **keywords):
        """{point_id: answer} as `dse export --csv` shows them; None without an output."""
        text = self.run("export", *arguments, "--csv", **keywords)
        if text is None:
            return None
        rows = list(csv.DictReader(io.StringIO(text)))
        return {row["point_id"]: {key: value for key, value in row.items() if key not in NOT_PART_OF_THE_ANSWER}
                for row in rows}

    def hold(self, rows, reference, what):
        """Rows have to be among those of the reference; the front of a sweep gets its parts when all rows are there."""
        for point, row in rows.items():
            if reference.get(point) not in (row, None) and not row["compute_time"]:
                row = row | {name: reference[point][name] for name in PARTS}
            if reference.get(point) != row:
                self.blame("wrong rows", f"{what}: point {point} is {row}, was {reference.get(point)}")
                return


def widened(sweep, path):
    """Write the sweep with one more axis, so that it can be stopped in the middle: twenty times the points."""
    shares = ", ".join(f"{i / 100:.6f}" for i in range(20))
    path.write_text(sweep.read_text().replace("\naxes:\n", f"\naxes:\n  allocator_overhead: [{shares}]\n"))
    return path



def stopped_shards(bench):
    """Run the sweep until it has flushed rows, stop it, and return its folder of shards."""
    out = bench.folder / "stopped.h5"
    shards = Path(f"{out}.shards")
    for _ in range(20):
        process = subprocess.Popen([bench.dse, bench.sweep, "-o", out], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        while process.poll() is None and not any(shard.stat().st_size for shard in shards.glob("*.rows")):
            time.sleep(0.002)
        process.send_signal(signal.SIGTERM)
        if process.wait(PATIENCE) == 4:
            return shards
        out.unlink(missing_ok=True)
    raise SystemExit("the sweep is over before it can be stopped")


def flipped(path, seeded):
    """Flip a random bit of a file. \\return its number"""
    content = bytearray(path.read_bytes())
    bit = seeded.randrange(8 * len(content))
    content[bit // 8] ^= 1 << bit % 8
    path.write_bytes(content)
    return bit


def flip_shard(bench, shards, reference, seeded):
    out = bench.folder / "out.h5"
    place = Path(f"{out}.shards")
    shutil.rmtree(place, ignore_errors=True)
    out.unlink(missing_ok=True)
    shutil.copytree(shards, place)
    what = f"bit {flipped(seeded.choice(sorted(place.glob('*.rows'))), seeded)} of a shard"
    rows = bench.rows(out, what=what)
    if rows is not None:
        bench.hold(rows, reference, what)
        bench.notes["rows lost by flips of shards"] += max(0, bench.before - len(rows))
    bench.run(bench.sweep, "-o", out, what=what)
    again = bench.rows(out, what=what) if out.exists() else None
    if again != reference:
        bench.blame("not gone on with", what)


def flip_results(bench, finished, reference, seeded):
    bad = bench.folder / "bad.h5"
    shutil.copyfile(finished, bad)
    what = f"bit {flipped(bad, seeded)} of results"
    for command in (["pareto", bad, "--json"], ["export", bad, "--csv"], ["merge", bad, "-o", bench.folder / "merged.h5"]):
        if bench.run(*command, allowed=(2,), what=what) is not None:
            bench.blame("wrong rows", f"{what}: taken without a seal: {command}")
    rows = bench.rows(bad, "--unsealed", allowed=(0, 2), what=what)
    text = bench.run("pareto", bad, "--json", "--unsealed", allowed=(0, 1, 2), what=what)
    if text is not None and '"unsealed": true' not in text:
        bench.blame("wrong rows", f"{what}: not marked")
    if rows is not None:
        bench.notes["unsealed files read, marked"] += 1
        bench.notes["of these, with rows other than before"] += rows != reference


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--flips", type=int, default=1000, help="half of them in shards, half in results")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="dse_flips_") as folder:
        bench = Bench(options, folder)
        finished = bench.folder / "finished.h5"
        bench.run(bench.sweep, "-o", finished)
        reference = bench.rows(finished)
        shards = stopped_shards(bench)
        bench.before = len(bench.rows(bench.folder / "stopped.h5"))

        def flip_all(kind, begun_from, seed):  # both kinds at once, in files of their own
            seeded = random.Random(seed)
            for _ in range(options.flips // 2):
                kind(bench, begun_from, reference, seeded)

        with concurrent.futures.ThreadPoolExecutor() as pool:
            for kind in [pool.submit(flip_all, flip_shard, shards, options.seed),
                         pool.submit(flip_all, flip_results, finished, options.seed + 1)]:
                kind.result()
        print(f"{options.flips} flips over {len(reference)} rows, {bench.before} of them in shards")
        for what, count in [*bench.counts.items(), *sorted(bench.notes.items())]:
            print(f"  {what}: {count}")
        return 1 if any(bench.counts.values()) else 0


if __name__ == "__main__":
    sys.exit(main())
