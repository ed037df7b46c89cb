"""A real Slurm on one machine, in a folder of its own, without systemd and beside any other."""

import os
import pathlib
import shutil
import signal
import subprocess
import time

PROGRAMS = ("munged", "slurmctld", "slurmd", "sbatch", "scontrol", "scancel", "squeue")

CONFIGURATION = """\
ClusterName=dse
SlurmctldHost=localhost
SlurmUser=root
SlurmdUser=root
AuthType=auth/munge
AuthInfo=socket={folder}/munge/munge.sock
CredType=cred/munge
SlurmctldPort=16817
SlurmdPort=16818
StateSaveLocation={folder}/state
SlurmdSpoolDir={folder}/spool
SlurmctldPidFile={folder}/run/slurmctld.pid
SlurmdPidFile={folder}/run/slurmd.pid
SlurmctldLogFile={folder}/log/slurmctld.log
SlurmdLogFile={folder}/log/slurmd.log
ProctrackType=proctrack/linuxproc
TaskPlugin=task/none
SelectType=select/cons_tres
SelectTypeParameters=CR_CPU
SchedulerType=sched/backfill
SchedulerParameters=bf_interval=2,sched_interval=2
AccountingStorageType=accounting_storage/none
JobAcctGatherType=jobacct_gather/none
JobCompType=jobcomp/none
ReturnToService=2
KillWait=5
MinJobAge=300
JobRequeue=1
NodeName=localhost NodeAddr=127.0.0.1 CPUs=2 Boards=1 SocketsPerBoard=1 CoresPerSocket=2 ThreadsPerCore=1 \
RealMemory=1000 State=UNKNOWN
PreemptType=preempt/partition_prio
PreemptMode=REQUEUE
PartitionName=debug Nodes=ALL Default=YES MaxTime=1:00:00 OverSubscribe=NO PriorityTier=1 State=UP
PartitionName=urgent Nodes=ALL MaxTime=1:00:00 OverSubscribe=NO PriorityTier=2 PreemptMode=OFF State=UP
"""


def why_not():
    """Return why no Slurm can run here, or None."""
    path = os.environ["PATH"] + ":/usr/sbin:/sbin"
    missing = [name for name in PROGRAMS if shutil.which(name, path=path) is None]
    if missing:
        return f"{', '.join(missing)} is not installed (apt-get install slurmctld slurmd slurm-client munge)"
    return None if os.geteuid() == 0 else "slurmd needs root"


class Cluster:
    """Started on entry, stopped on exit: jobs first, then the daemons, each by its process id."""

    def __init__(self, folder):
        self.folder = pathlib.Path(folder)
        self.environment = dict(os.environ, SLURM_CONF=str(self.folder / "slurm.conf"),
                                PATH=os.environ["PATH"] + ":/usr/sbin:/sbin", OMPI_ALLOW_RUN_AS_ROOT="1",
                                OMPI_ALLOW_RUN_AS_ROOT_CONFIRM="1", OMPI_MCA_mpi_yield_when_idle="1")

    def __enter__(self):
        for name in ("munge", "state", "spool", "run", "log"):
            (self.folder / name).mkdir(parents=True)
        # munged refuses sockets in folders that others cannot pass, and keys that others can read.
        for folder in (self.folder, self.folder / "munge", *self.folder.parents[:2]):
            folder.chmod(folder.stat().st_mode | 0o111)
        key = self.folder / "munge" / "key"
        key.write_bytes(os.urandom(1024))
        key.chmod(0o400)
        (self.folder / "slurm.conf").write_text(CONFIGURATION.format(folder=self.folder), encoding="utf-8")
        try:
            self._start()
        except BaseException:
            self.__exit__()
            raise
        return self

    def _start(self):
        munge = self.folder / "munge"
        self.run("munged", "--force", f"--key-file={munge}/key", f"--socket={munge}/munge.sock",
                 f"--pid-file={munge}/munged.pid", f"--seed-file={munge}/seed", f"--log-file={munge}/log")
        configuration = str(self.folder / "slurm.conf")
        self.run("slurmctld", "-f", configuration, "-c")
        self.run("slurmd", "-f", configuration, "-N", "localhost")
        self.wait_for(lambda: "idle" in self.run("sinfo", "-h", "-o", "%T"), "an idle node", 30)

    def __exit__(self, *_):
        if (self.folder / "run" / "slurmctld.pid").exists():
            self.run("scancel", "--user=root", check=False)
            try:
                self.wait_for(lambda: not self.run("squeue", "-h", "-t", "running,completing", check=False).strip(),
                              "the end of all jobs", 30)
            except TimeoutError as error:
                print(error)
        for name in ("run/slurmd.pid", "run/slurmctld.pid", "munge/munged.pid"):
            path = self.folder / name
            if path.exists():
                end_process(int(path.read_text(encoding="utf-8")))

    def run(self, *command, check=True):
        """Run a command of Slurm and return what it printed."""
        result = subprocess.run(command, env=self.environment, capture_output=True, text=True, timeout=60, check=False)
        if check and result.returncode != 0:
            raise RuntimeError(f"{' '.join(command)}: {result.returncode}\n{result.stdout}{result.stderr}")
        return result.stdout

    def submit(self, *arguments, folder, environment=None):
        """Submit a job from `folder` and return its number."""
        environment = dict(self.environment, **(environment or {}))
        result = subprocess.run(["sbatch", "--parsable", *map(str, arguments)], cwd=folder, env=environment,
                                capture_output=True, text=True, timeout=60, check=False)
        if result.returncode != 0:
            raise RuntimeError(f"sbatch: {result.stderr}")
        return result.stdout.strip().split(";")[0]

    def job(self, number):
        """Return the fields of a job, {"JobState": …, "Restarts": …}."""
        words = self.run("scontrol", "show", "job", number).split()
        return dict(word.split("=", 1) for word in words if "=" in word)

    def wait_for(self, condition, what, seconds):
        """Ask again and again until `condition()` holds and return what it gave."""
        end = time.monotonic() + seconds
        while time.monotonic() < end:
            answer = condition()
            if answer:
                return answer
            time.sleep(0.2)
        raise TimeoutError(f"no {what} in {seconds} s\n{self.logs()}")

    def logs(self):
        """Return the ends of the daemons' logs."""
        texts = [f"{path}:\n{path.read_text(encoding='utf-8')[-2000:]}" for path in self.folder.glob("log/*.log")]
        return "\n".join(texts)


def end_process(pid, seconds=10):
    """Ask a process to end, and kill it when it does not."""
    end = time.monotonic() + seconds
    try:
        os.kill(pid, signal.SIGTERM)
        while time.monotonic() < end:
            os.kill(pid, 0)
            time.sleep(0.1)
        os.kill(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
