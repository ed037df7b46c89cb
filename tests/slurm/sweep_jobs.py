"""Jobs of slurm/sweep.sbatch: submission, their ends, and a sweep of known length with known answers."""

import csv
import io
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCRIPT = ROOT / "slurm" / "sweep.sbatch"
ENDED = ("COMPLETED", "FAILED", "CANCELLED", "TIMEOUT", "NODE_FAIL")

# dse's own points take microseconds; a program that sleeps makes a sweep last as long as a test needs, anywhere.
SLOW_PROGRAM = """\
import json, sys, time
for line in sys.stdin:
    point = json.loads(line)
    time.sleep({pause})
    print(json.dumps({{"height": 100 * point["values"]["x"] + point["values"]["y"]}}), flush=True)
"""
SLOW_SWEEP = """\
name: slow
exec: {{command: [python3, slow.py], metrics: {{height: m}}}}
axes: {{x: [{xs}], y: [{ys}]}}
objectives: {{height: minimize}}
"""


class SlowSweep:
    """`slow.yaml` in a folder: `points` points of `pause` seconds each, whose answers are 100 x + y."""

    def __init__(self, folder, points, pause):
        self.folder, self.file, self.columns = folder, folder / "slow.yaml", 10
        self.rows = points // self.columns
        (folder / "slow.py").write_text(SLOW_PROGRAM.format(pause=pause), encoding="utf-8")
        xs, ys = (", ".join(map(str, range(count))) for count in (self.rows, self.columns))
        self.file.write_text(SLOW_SWEEP.format(xs=xs, ys=ys), encoding="utf-8")

    def check(self, results):
        """Assert that a results file has every point once, with its answer."""
        text = dse("export", results, "--csv", folder=self.folder)
        found = [(int(row["x"]), int(row["y"]), float(row["height"])) for row in csv.DictReader(io.StringIO(text))]
        wanted = [(x, y, 100.0 * x + y) for x in range(self.rows) for y in range(self.columns)]
        assert sorted(found) == wanted


def dse(*arguments, folder):
    """Run dse and return what it printed."""
    run = subprocess.run([os.environ["DSE_BINARY"], *map(str, arguments)], cwd=folder, capture_output=True, text=True,
                         timeout=60, check=False)
    assert run.returncode == 0, run.stderr
    return run.stdout


def submit(cluster, folder, sweep, *options, program, tasks=1, limit="5"):
    return cluster.submit("-n", tasks, "-t", limit, *options, SCRIPT, sweep, folder=folder,
                          environment={"DSE_PROGRAM": str(program)})


def end_of(cluster, number, seconds=60):
    return cluster.wait_for(lambda: (job := cluster.job(number))["JobState"] in ENDED and job, f"end of {number}",
                            seconds)


def log_of(folder, number):
    return (folder / f"dse-{number}.log").read_text(encoding="utf-8")


def start_soon(cluster, number):
    """Spare the test the two minutes that Slurm lets pass before a job starts again. Not in the same second: what slurmd
    has just killed it takes for dead, and the job then fails as "Job credential revoked"."""
    cluster.wait_for(lambda: requeued(cluster.job(number)), "requeued job", 60)
    cluster.run("scontrol", "update", f"JobId={number}", "StartTime=now+2")


def requeued(job):
    return job["JobState"] == "PENDING" and int(job["Restarts"]) > 0
