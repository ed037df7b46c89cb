#!/usr/bin/env python3
"""Kills, stops and damages a sweep under MPI, then lets it go on and holds the rows against an undisturbed run.

    farm_faults.py --probe BUILD/tests/mpi/farm_probe [--mpirun mpirun] TEST

By default the sweep is `farm_probe run`. With --command the same faults are tried on another program: a shell
command with {out} for the results file; rows are still compared by farm_probe, which reads any results file.
"""

import argparse
import os
import random
import re
import resource
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

SKIPPED = 77
PATIENCE = 90.0  # seconds before a run that should end is called hung

MPI_ENVIRONMENT = {
    "OMPI_ALLOW_RUN_AS_ROOT": "1",
    "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM": "1",
    "OMPI_MCA_rmaps_base_oversubscribe": "1",
    "OMPI_MCA_mpi_yield_when_idle": "1",
    # Leaks of plugins that Open MPI unloads are not ours; the tests without MPI look for leaks.
    "ASAN_OPTIONS": "detect_leaks=0:" + os.environ.get("ASAN_OPTIONS", ""),
}


class Failure(Exception):
    """Something that the test demands is not so."""


class Skip(Exception):
    """The test cannot be done here."""


def demand(condition, message):
    if not condition:
        raise Failure(message)


class Run:
    """A sweep under way."""

    def __init__(self, arguments, log, file_limit=None):
        self.log = log
        with open(log, "wb") as output:
            self.process = subprocess.Popen(
                arguments,
                stdout=output,
                stderr=subprocess.STDOUT,
                env=os.environ | MPI_ENVIRONMENT,
                start_new_session=True,
                preexec_fn=limit_files(file_limit) if file_limit else None,
            )

    def text(self):
        return Path(self.log).read_text(errors="replace")

    def wait(self, patience=PATIENCE):
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            os.killpg(self.process.pid, signal.SIGKILL)
            raise Failure(f"did not end within {patience} s:\n{self.text()}") from None

    def wait_for_all(self, patience=10.0):
        """Waits for mpirun and for ranks that outlive it by a moment; none may stay."""
        code = self.wait_for_launcher()
        end = time.monotonic() + patience
        while session_members(self.process.pid):
            demand(time.monotonic() < end, f"ranks outlive the job:\n{self.text()}")
            time.sleep(0.02)
        return code

    def wait_for_launcher(self, patience=20.0):
        """Of Open MPI 4.1, mpirun can hang when a rank dies in the middle of MPI_Init. That is not held against
        the ranks, as long as they are gone."""
        try:
            return self.process.wait(patience)
        except subprocess.TimeoutExpired:
            if session_members(self.process.pid) != [self.process.pid]:
                return self.wait()
            self.process.kill()
            return self.process.wait()

    def ranks(self):
        """Process ids of the ranks, by rank."""
        found = {}
        for pid in descendants(self.process.pid):
            rank = environment(pid).get("OMPI_COMM_WORLD_RANK")
            if rank is not None:
                found[int(rank)] = pid
        return found


def limit_files(size):
    def apply():
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return apply


def processes():
    """Of every process: its id, its state letter, its parent and its session."""
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            text = Path(f"/proc/{entry}/stat").read_text()
        except OSError:
            continue
        state, parent, _, session = text[text.rindex(")") + 2 :].split()[:4]
        yield int(entry), state, int(parent), int(session)


def session_members(leader):
    """Processes of a session that still run."""
    return [pid for pid, state, _, session in processes() if session == leader and state not in "ZX"]


def descendants(root):
    children = {}
    for pid, _, parent, _ in processes():
        children.setdefault(parent, []).append(pid)
    result, queue = [], [root]
    while queue:
        for child in children.get(queue.pop(), []):
            result.append(child)
            queue.append(child)
    return result


def environment(pid):
    try:
        fields = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
    except OSError:
        return {}
    return dict(field.decode(errors="replace").partition("=")[::2] for field in fields if field)


class Bench:
    """The program under test, a folder for its files, and the rows that it should produce."""

    def __init__(self, options, folder):
        self.options = options
        self.folder = Path(folder)
        self.runs = 0

    def command(self, out, extra):
        if self.options.command:
            return shlex.split(self.options.command.format(out=out)) + list(extra)
        # About two seconds of work for one rank: long enough to be killed in the middle of it.
        return [self.options.probe, "run", str(out), "--points", "6000", "--delay-us", "300", *extra]

    def start(self, out, ranks=3, extra=(), mpirun=(), file_limit=None):
        self.runs += 1
        launch = [self.options.mpirun, *mpirun, "-np", str(ranks)] if ranks else []
        return Run(launch + self.command(out, extra), self.folder / f"log{self.runs}", file_limit)

    def finish(self, out, ranks=3, extra=()):
        run = self.start(out, ranks, extra)
        code = run.wait()
        demand(code == 0, f"exit code {code}:\n{run.text()}")
        return run

    def file(self, name="out.h5"):
        return self.folder / name

    def reference(self):
        """The rows of an undisturbed run of one process."""
        out = self.file("reference.h5")
        if not out.exists():
            self.finish(out, ranks=0)
        return out

    def probe(self, *arguments):
        done = subprocess.run([self.options.probe, *map(str, arguments)], capture_output=True, text=True, check=False)
        return done.returncode, done.stdout + done.stderr

    def demand_reference_rows(self, out):
        code, text = self.probe("compare", self.reference(), out)
        demand(code == 0, f"rows are not those of an undisturbed run: {text}")
        demand(not Path(f"{out}.shards").exists(), "shards are left behind")

    def rows(self, out):
        """Rows on disk so far: in all, and of each rank."""
        code, text = self.probe("show", out)
        if code != 0:
            return 0, {}
        by_rank = {int(rank): int(rows) for rank, rows in re.findall(r"rank (\d+) rows (\d+)", text)}
        return int(re.search(r"rows (\d+)", text)[1]), by_rank

    def wait_for_rows(self, run, out, rows):
        end = time.monotonic() + PATIENCE
        while self.rows(out)[0] < rows:
            demand(run.process.poll() is None, f"ended too early:\n{run.text()}")
            demand(time.monotonic() < end, f"no rows came:\n{run.text()}")
            time.sleep(0.05)


def evaluated(run):
    found = re.search(r"evaluated (\d+)", run.text())
    return int(found[1]) if found else None


def test_ranks(bench):
    """The same rows on 1, 2 and 4 ranks, and every rank wrote some."""
    for ranks in (1, 2, 4):
        out = bench.file(f"ranks{ranks}.h5")
        bench.finish(out, ranks)
        bench.demand_reference_rows(out)
        by_rank = bench.rows(out)[1]
        demand(sorted(by_rank) == list(range(ranks)), f"rows by rank: {by_rank}")


def kill_and_go_on(bench, out, victim):
    """Kills one process in the middle of a run and lets the next run finish the work."""
    run = bench.start(out)
    bench.wait_for_rows(run, out, 500)
    target = run.process.pid if victim == "mpirun" else run.ranks()[victim]
    os.kill(target, signal.SIGKILL)
    demand(run.wait_for_all() != 0, "a killed job reports success")
    kept = bench.rows(out)[0]
    demand(kept >= 500, f"only {kept} rows outlived the kill")
    again = bench.finish(out)
    if evaluated(again) is not None:
        demand(evaluated(again) < 6000, "the second run began anew")
    bench.demand_reference_rows(out)


def test_kill_worker(bench):
    kill_and_go_on(bench, bench.file(), 2)


def test_kill_rank_zero(bench):
    kill_and_go_on(bench, bench.file(), 0)


def test_kill_mpirun(bench):
    kill_and_go_on(bench, bench.file(), "mpirun")


def test_kill_often(bench):
    """Kills at random moments, the first ones of a run included, until a run gets through."""
    seeded = random.Random(20240711)
    out = bench.file()
    for _ in range(8):
        run = bench.start(out, seeded.choice([1, 2, 3]))
        time.sleep(seeded.uniform(0.2, 1.2))
        pids = [run.process.pid, *run.ranks().values()]
        try:
            os.kill(seeded.choice(pids), signal.SIGKILL)
        except ProcessLookupError:
            pass
        run.wait_for_all()
    bench.finish(out)
    bench.demand_reference_rows(out)


def drain(bench, number):
    out = bench.file()
    run = bench.start(out)
    bench.wait_for_rows(run, out, 300)
    for pid in run.ranks().values():
        os.kill(pid, number)
    begin = time.monotonic()
    code = run.wait()
    demand(code == 4, f"exit code {code} instead of 4:\n{run.text()}")
    demand(time.monotonic() - begin < 5, "the drain took too long")
    stopped = re.search(r"stopped after (\d+)", run.text())
    kept = bench.rows(out)[0]
    if stopped:
        # Of seven indices, six have a row: everything that was evaluated must be on disk.
        demand(kept >= int(stopped[1]) * 6 // 7 - 1, f"{kept} rows kept of {stopped[1]} indices evaluated")
    bench.finish(out)
    bench.demand_reference_rows(out)


def test_drain_term(bench):
    drain(bench, signal.SIGTERM)


def test_drain_usr1(bench):
    drain(bench, signal.SIGUSR1)


def test_one_owner(bench):
    """A second run on the same output is refused and disturbs nothing."""
    out = bench.file()
    # Long enough for the second run to start meanwhile, also on a machine that does other work.
    first = bench.start(out, extra=("--delay-us", "3000"))
    bench.wait_for_rows(first, out, 100)
    second = bench.start(out)
    code = second.wait()
    demand(code == 2, f"exit code {code} of the second run:\n{second.text()}")
    demand("is writing to this output" in second.text(), second.text())
    demand(first.wait() == 0, first.text())
    bench.demand_reference_rows(out)


def test_stale_owner(bench):
    """The owner file of a run that was killed is no obstacle; that of a living one on another machine is."""
    out = bench.file()
    shards = Path(f"{out}.shards")
    shards.mkdir()
    (shards / "owner").write_text("elsewhere 1 1")
    refused = bench.start(out)
    demand(refused.wait() == 2, refused.text())
    demand("elsewhere" in refused.text(), refused.text())
    long_ago = time.time() - 3600
    os.utime(shards / "owner", (long_ago, long_ago))
    bench.finish(out)
    bench.demand_reference_rows(out)


def test_full_disk(bench):
    """No room left, at several moments: exit code 2, the reason in words, and the next run goes on."""
    for limit in (2_000, 60_000, 300_000, 700_000):
        out = bench.file(f"full{limit}.h5")
        # Without mpirun: its own files would be limited as well.
        run = bench.start(out, ranks=0, file_limit=limit)
        code = run.wait()
        demand(code == 2, f"exit code {code} with files of at most {limit} bytes:\n{run.text()}")
        demand("File too large" in run.text(), f"no reason is given:\n{run.text()}")
        bench.finish(out, ranks=0)
        bench.demand_reference_rows(out)


def test_full_file_system(bench):
    """The same with three ranks on a file system with room for a first chunk of each shard, which later gets larger."""
    disk = bench.folder / "disk"
    disk.mkdir()
    mount = ["mount", "-t", "tmpfs", "-o", "size=1536k", "none", str(disk)]
    if subprocess.run(mount, capture_output=True, check=False).returncode != 0:
        raise Skip("mounting a small tmpfs is not permitted here")
    try:
        out = disk / "out.h5"
        run = bench.start(out)
        code = run.wait()
        demand(code == 2, f"exit code {code}:\n{run.text()}")
        demand("No space left on device" in run.text(), f"no reason is given:\n{run.text()}")
        subprocess.run(["mount", "-o", "remount,size=64m", str(disk)], check=True)
        demand(bench.rows(out)[0] > 0, "no row outlived the full disk")
        bench.finish(out)
        bench.demand_reference_rows(out)
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_damaged_shard(bench):
    """Flipped bytes and lost ends cost the rows they hit, which are evaluated again."""
    seeded = random.Random(7)
    out = bench.file()
    run = bench.start(out)
    bench.wait_for_rows(run, out, 2000)
    os.killpg(run.process.pid, signal.SIGKILL)
    run.wait_for_all()
    before = bench.rows(out)[0]
    shards = sorted(Path(f"{out}.shards").glob("*.rows"))
    demand(len(shards) >= 2, f"shards: {shards}")
    flip_bytes(shards[0], seeded, 20)
    cut_end(shards[1], seeded)
    after = bench.rows(out)[0]
    demand(after < before, "the damage went unnoticed")
    again = bench.finish(out)
    if evaluated(again) is not None:
        demand(evaluated(again) < 6000, "undamaged rows were evaluated again")
    bench.demand_reference_rows(out)


def flip_bytes(path, seeded, count):
    content = bytearray(path.read_bytes())
    # Behind the header, which a shard has twice but cannot do without.
    for _ in range(count):
        content[seeded.randrange(len(content) // 2, len(content))] ^= 0xFF
    path.write_bytes(content)


def cut_end(path, seeded):
    content = path.read_bytes()
    path.write_bytes(content[: seeded.randrange(len(content) // 2, len(content) - 1)])


def test_changed_sweep(bench):
    """Another sweep is not mixed into the rows of the first, unless the user begins anew."""
    out = bench.file()
    run = bench.start(out)
    bench.wait_for_rows(run, out, 100)
    os.killpg(run.process.pid, signal.SIGKILL)
    run.wait_for_all()
    changed = bench.start(out, extra=["--fact", "second"])
    demand(changed.wait() == 2, changed.text())
    demand("fact: was first, now second" in changed.text(), changed.text())
    bench.finish(out)
    bench.demand_reference_rows(out)
    bench.finish(out, extra=["--fact", "second", "--fresh"])
    bench.demand_reference_rows(out)


def test_poor_places(bench):
    """Places that cannot hold results: exit code 2 and a reason, on every number of ranks."""
    (bench.folder / "folder.h5").mkdir()
    (bench.folder / "notes.h5").write_text("not HDF5\n")
    places = {f"{bench.folder}/folder.h5": "it is a directory", f"{bench.folder}/notes.h5": "does not contain results",
              f"{bench.folder}/": "names a folder", "/proc/nowhere/out.h5": ""}
    runs = [(bench.start(place, ranks), words) for ranks in (0, 1, 3) for place, words in places.items()]
    for run, words in runs:
        demand(run.wait() == 2, run.text())
        demand(words in run.text(), run.text())
    demand((bench.folder / "notes.h5").read_text() == "not HDF5\n", "a file of somebody else was touched")


def test_recovery(bench):
    """With Open MPI's recovery, the sweep outlives a worker."""
    out = bench.file()
    run = bench.start(out, ranks=4, mpirun=["--enable-recovery"], extra=["--silence-ms", "1500"])
    bench.wait_for_rows(run, out, 300)
    os.kill(run.ranks()[2], signal.SIGKILL)
    code = run.wait()
    demand(code == 0, f"exit code {code}:\n{run.text()}")
    demand("lost 1" in run.text(), run.text())
    bench.demand_reference_rows(out)


def test_poison(bench):
    """A point that takes two processes along has a row that says so, and all others have theirs."""
    poison = ["--die-at", "3000", "--die-signal", str(int(signal.SIGSEGV))]
    out = bench.file()
    for _ in range(2):
        demand(bench.start(out, extra=poison).wait() != 0, "a fault reports success")
    run = bench.finish(out, extra=poison)
    text = bench.probe("show", out)[1]
    demand("point 3000 failed: evaluating it ended two processes" in text, text)
    demand("rows 5143" in text, text + run.text())  # of 6000 indices, 857 are dropped
    demand(not Path(f"{out}.shards").exists(), "records are left behind")


def test_killed_is_not_poison(bench):
    """A point is not to blame for a kill -9 that hits its process, however often."""
    out = bench.file()
    for _ in range(3):
        run = bench.start(out, extra=["--die-at", "3000"])
        demand(run.wait() != 0, "a killed job reports success")
    bench.finish(out)
    bench.demand_reference_rows(out)


def main():
    tests = {name[5:]: test for name, test in globals().items() if name.startswith("test_")}
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--probe", required=True)
    parser.add_argument("--mpirun", default="mpirun")
    parser.add_argument("--command", help="another program to try; {out} is the results file")
    parser.add_argument("test", choices=sorted(tests))
    options = parser.parse_args()
    if shutil.which(options.mpirun) is None:
        print(f"skipped: no {options.mpirun}")
        return SKIPPED
    with tempfile.TemporaryDirectory(prefix="dse_farm_") as folder:
        try:
            tests[options.test](Bench(options, folder))
        except Skip as why:
            print(f"skipped: {why}")
            return SKIPPED
        except Failure as failure:
            print(f"{options.test}: {failure}")
            return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
