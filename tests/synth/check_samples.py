"""Hold every sample of a family against what must be true of it: it parses, has no cycle, passes `dse et check`, is simulated to the end.

Usage: check_samples.py DSE F.model NUMBER [SEED]

Exit 1 with the first samples that do not. Of 10,000 it takes a quarter of an hour on one core.
"""

import json
import pathlib
import subprocess
import sys
import tempfile

BATCH = 250  # samples on disk at once


def has_cycle(graph):
    """Whether the edges of {"nodes": …, "edges": [[from, to], …]} run in a circle."""
    waits = [0] * len(graph["nodes"])
    children = [[] for _ in graph["nodes"]]
    for before, after in graph["edges"]:
        waits[after] += 1
        children[before].append(after)
    ready = [n for n, count in enumerate(waits) if count == 0]
    done = 0
    while ready:
        done += 1
        for child in children[ready.pop()]:
            waits[child] -= 1
            if waits[child] == 0:
                ready.append(child)
    return done < len(waits)


def fault_of(dse, prefix):
    """Return what is wrong with a sample's traces, or None."""
    check = subprocess.run([dse, "et", "check", prefix], capture_output=True, text=True, check=False)
    if check.returncode != 0:
        return check.stdout + check.stderr
    play = subprocess.run([dse, "simulate", prefix, "--system", "h100_ndr400", "--json"],
                          capture_output=True, text=True, check=False)
    if play.returncode != 0:
        return play.stderr
    return None if json.loads(play.stdout)["time"] > 0 else "it takes no time"


def faults_of_batch(dse, family, number, seed, folder):
    """Yield what is wrong with `number` samples of a seed."""
    subprocess.run([dse, "synth", "sample", family, "--number", str(number), "--seed", str(seed), "-o", folder],
                   check=True, stdout=subprocess.DEVNULL)
    graphs = [json.loads(line) for line in (folder / "samples.jsonl").read_text(encoding="utf-8").splitlines()]
    if len(graphs) != number:
        yield f"{len(graphs)} graphs of {number} samples"
    for i, graph in enumerate(graphs):
        fault = "its edges make a cycle" if has_cycle(graph) else fault_of(dse, folder / f"{i:06}")
        if fault:
            yield f"seed {seed}, sample {i}: {fault}"


def main(dse, family, number, seed):
    wrong, done = 0, 0
    while done < number:
        batch = min(BATCH, number - done)
        with tempfile.TemporaryDirectory() as folder:
            for fault in faults_of_batch(dse, family, batch, seed, pathlib.Path(folder) / "samples"):
                print(fault, file=sys.stderr)
                wrong += 1
        done += batch
        seed += 1
        print(f"{done} of {number} samples, {wrong} wrong", flush=True)
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]) if len(sys.argv) > 4 else 0))
