"""slurm/sweep.sbatch under a real Slurm: done, drained and queued again, crashed and taken up again, refused."""

import os
import pathlib
import subprocess

import pytest
import sweep_jobs
from sweep_jobs import ROOT, end_of, log_of, start_soon

COUNTING = pathlib.Path(__file__).resolve().parent / "counting_program.py"


def submit(cluster, folder, sweep, text, program=COUNTING, tasks=1):
    (folder / sweep).write_text(text, encoding="utf-8")
    return sweep_jobs.submit(cluster, folder, sweep, program=program, tasks=tasks)


def test_a_sweep_that_is_done_ends_the_job(cluster, tmp_path):
    number = submit(cluster, tmp_path, "short.yaml", "3")
    job = end_of(cluster, number)
    assert (job["JobState"], job["Restarts"]) == ("COMPLETED", "0"), log_of(tmp_path, number)
    assert (tmp_path / "results" / "short.h5").read_text(encoding="utf-8") == "3"


def test_bad_input_is_not_queued_again(cluster, tmp_path):
    job = end_of(cluster, submit(cluster, tmp_path, "bad.yaml", "many"))
    assert (job["JobState"], job["ExitCode"], job["Restarts"]) == ("FAILED", "2:0", "0")


@pytest.mark.parametrize("setting, says", [({"DSE_PROGRAM": "/no/dse"}, "no program '/no/dse'"),
                                           ({"DSE_MOST_RESTARTS": "many"}, "DSE_MOST_RESTARTS=many: a number is needed"),
                                           ({"DSE_MOST_CRASHES": "-1"}, "DSE_MOST_CRASHES=-1: a number is needed")])
def test_wrong_settings_are_told_before_anything_runs(setting, says, tmp_path):
    done = subprocess.run(["bash", ROOT / "slurm/sweep.sbatch", "x.yaml"], cwd=tmp_path, text=True, capture_output=True,
                          env=os.environ | {"DSE_PROGRAM": str(COUNTING), "SLURM_SUBMIT_DIR": str(tmp_path)} | setting)
    assert done.returncode == 2 and says in done.stderr
    assert not (tmp_path / "results").exists()


def test_drained_sweep_is_queued_again_and_goes_on(cluster, tmp_path):
    results = tmp_path / "results" / "long.h5"
    number = submit(cluster, tmp_path, "long.yaml", "60")
    cluster.wait_for(results.exists, "first row", 60)
    # What --signal=B:USR1@60 sends shortly before the time limit.
    cluster.run("scancel", "--signal=USR1", "--batch", number)
    start_soon(cluster, number)
    before = int(results.read_text(encoding="utf-8"))
    assert 0 < before < 60
    assert "dse ended with 4" in log_of(tmp_path, number)
    job = end_of(cluster, number, 240)
    assert (job["JobState"], job["Restarts"]) == ("COMPLETED", "1"), log_of(tmp_path, number)
    assert results.read_text(encoding="utf-8") == "60"
    assert "start 2" in log_of(tmp_path, number)


def test_crash_is_taken_up_in_the_same_start(cluster, tmp_path):
    number = submit(cluster, tmp_path, "crash.yaml", "6 crash")
    job = end_of(cluster, number)
    assert (job["JobState"], job["Restarts"]) == ("COMPLETED", "0"), log_of(tmp_path, number)
    assert "dse ended with 137" in log_of(tmp_path, number)


needs_dse = pytest.mark.skipif("DSE_BINARY" not in os.environ, reason="DSE_BINARY names no dse")


def submit_dse(cluster, folder, sweep):
    for name in ("workloads", "hardware"):
        (folder / name).symlink_to(ROOT / name)
    text = (ROOT / "sweeps" / sweep).read_text(encoding="utf-8")
    return submit(cluster, folder, sweep, text, program=os.environ["DSE_BINARY"], tasks=2)


@needs_dse
def test_dse_itself_on_two_ranks(cluster, tmp_path):
    number = submit_dse(cluster, tmp_path, "smoke.yaml")
    job = end_of(cluster, number, 120)
    assert job["JobState"] == "COMPLETED", log_of(tmp_path, number)
    assert (tmp_path / "results" / "smoke.h5").stat().st_size > 0


@needs_dse
def test_dse_itself_drains(cluster, tmp_path):
    number = submit_dse(cluster, tmp_path, "llm_70b.yaml")
    shards = tmp_path / "results"
    cluster.wait_for(lambda: list(shards.rglob("*.rows")), "first rows", 60)
    cluster.run("scancel", "--signal=USR1", "--batch", number)
    cluster.wait_for(lambda: "dse ended with" in log_of(tmp_path, number), "drained dse", 60)
    assert "dse ended with 4" in log_of(tmp_path, number)
    cluster.wait_for(lambda: cluster.job(number)["JobState"] == "PENDING", "requeued job", 60)
    assert cluster.job(number)["Restarts"] == "1"
    assert list(shards.rglob("*.rows"))
    cluster.run("scancel", number)
