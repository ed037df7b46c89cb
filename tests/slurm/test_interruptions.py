"""dse under what a cluster does to jobs: time limits, preemption, scancel, a job array. No row is lost or wrong."""

import os

import pytest
from sweep_jobs import ENDED, SlowSweep, dse, end_of, log_of, requeued, start_soon, submit

pytestmark = pytest.mark.skipif("DSE_BINARY" not in os.environ, reason="DSE_BINARY names no dse")


def submit_slow(cluster, folder, *options, **settings):
    return submit(cluster, folder, "slow.yaml", *options, program=os.environ["DSE_BINARY"], **settings)


def wait_for_rows(cluster, folder, more_than=0):
    """Until the shards of a running sweep hold rows, and return their bytes."""
    def size():
        return sum(path.stat().st_size for path in (folder / "results").rglob("*.rows"))
    cluster.wait_for(lambda: size() > more_than, "flushed rows", 60)
    return size()


def test_time_limit_requeues_the_job_until_the_sweep_is_done(cluster, tmp_path):
    """Slurm itself sends the signal, at most a minute early: within 30 s of the minute that this job has, of which the
    sweep needs 45 s."""
    sweep = SlowSweep(tmp_path, points=450, pause=0.1)
    number = submit_slow(cluster, tmp_path, "--signal=B:USR1@30", limit="1")
    for _ in range(5):
        job = cluster.wait_for(lambda: (now := cluster.job(number)) and (now["JobState"] in ENDED or requeued(now)) and now,
                               "requeued or finished job", 120)
        if job["JobState"] in ENDED:
            break
        start_soon(cluster, number)
        cluster.wait_for(lambda: not requeued(cluster.job(number)), "started job", 60)
    log = log_of(tmp_path, number)
    assert job["JobState"] == "COMPLETED", log
    assert int(job["Restarts"]) >= 1, log
    assert "draining" in log and "dse ended with 4" in log
    sweep.check("results/slow.h5")


def test_preempted_job_is_requeued_and_goes_on(cluster, tmp_path):
    """A job of a partition with a higher priority takes both cores; Slurm stops the sweep and queues it again."""
    sweep = SlowSweep(tmp_path, points=200, pause=0.1)
    number = submit_slow(cluster, tmp_path, tasks=2)
    wait_for_rows(cluster, tmp_path)
    urgent = cluster.submit("--partition=urgent", "-n", 2, "-t", 1, "--output=urgent.log", "--wrap", "sleep 1",
                            folder=tmp_path)
    start_soon(cluster, number)
    assert end_of(cluster, urgent)["JobState"] == "COMPLETED"
    job = end_of(cluster, number, 120)
    assert (job["JobState"], job["Restarts"]) == ("COMPLETED", "1"), log_of(tmp_path, number)
    assert "start 2" in log_of(tmp_path, number)
    sweep.check("results/slow.h5")


def test_cancelled_sweep_goes_on_when_it_is_submitted_again(cluster, tmp_path):
    sweep = SlowSweep(tmp_path, points=100, pause=0.1)
    first = submit_slow(cluster, tmp_path)
    wait_for_rows(cluster, tmp_path)
    cluster.run("scancel", first)
    assert end_of(cluster, first)["JobState"] == "CANCELLED"
    kept = wait_for_rows(cluster, tmp_path)
    second = submit_slow(cluster, tmp_path)
    job = end_of(cluster, second, 60)
    assert (job["JobState"], job["Restarts"]) == ("COMPLETED", "0"), log_of(tmp_path, second)
    assert kept > 0 and "resum" in log_of(tmp_path, second)
    sweep.check("results/slow.h5")


def test_job_array_of_shards_and_the_merge_that_waits_for_it(cluster, tmp_path):
    """The commands of docs/tutorial/job_array.md."""
    sweep = SlowSweep(tmp_path, points=40, pause=0.02)
    program = os.environ["DSE_BINARY"]
    shard = "slow.yaml --shard $SLURM_ARRAY_TASK_ID/$SLURM_ARRAY_TASK_COUNT -o part$SLURM_ARRAY_TASK_ID.h5"
    array = cluster.submit("--array=1-4", "--ntasks=1", "-t", 1, "--output=array-%a.log", "--wrap",
                           f"{program} {shard}", folder=tmp_path)
    merge = cluster.submit(f"--dependency=afterok:{array}", "-t", 1, "--output=merge.log", "--wrap",
                           f"{program} merge part?.h5 -o slow.h5", folder=tmp_path)
    assert cluster.job(merge)["JobState"] == "PENDING"
    job = end_of(cluster, merge, 120)
    logs = "\n".join(log.read_text(encoding="utf-8") for log in sorted(tmp_path.glob("*.log")))
    assert job["JobState"] == "COMPLETED", logs
    parts = [dse("export", part, "--csv", folder=tmp_path).splitlines()[1:] for part in sorted(tmp_path.glob("part?.h5"))]
    assert len(parts) == 4 and all(parts) and sum(map(len, parts)) == 40
    sweep.check("slow.h5")
