#!/usr/bin/env python3
"""Changes logs of collective benchmarks at random, and reads them as `dse fit --nccl` does.

    mutated_logs.py [--logs 20000] [--seconds 600] [--seed 1] [--keep DIR]

The logs are of nccl-tests and rccl-tests, as text and JSON, and of programs that are not read. Whatever is done to them, either a
LogError says where and why, in one printable line, or every row that is read is one that a machine can have.
"""

import argparse
import json
import math
import random
import sys
import tempfile
import time
from pathlib import Path

from mutated_inputs import mutated

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))
from dse_analysis import nccl_log  # noqa: E402

SECONDS = 2.0  # for a log of some kilobytes
NCCL_RANKS = "".join(f"#  Rank {rank:2} Group  0 Pid  {4000 + rank} on node0 device {rank:2} [0x{rank}b] NVIDIA H100 80GB HBM3\n" for rank in range(8))
RCCL_RANKS = "".join(f"#   Rank {rank:2} Pid {9000 + rank} on gpu-node device {rank:2} [0000:{rank}c:00.0] AMD Instinct MI300X\n" for rank in range(8))
HEADING = ("#                                                              out-of-place                       in-place          \n"
           "#       size         count      type   redop    root     time   algbw   busbw #wrong     time   algbw   busbw #wrong\n"
           "#        (B)    (elements)                               (us)  (GB/s)  (GB/s)            (us)  (GB/s)  (GB/s)       \n")
OLD_HEADING = HEADING.replace("   root", "").replace("#wrong", "error ")


def rows(redop, root=" -1"):
    return "".join(f"{size:12} {size // 4:12}     float {redop:>7} {root} {time:8.2f} {size / time / 1e3:7.2f} {1.75 * size / time / 1e3:7.2f}"
                   f"      0 {time + 1:8.2f} {size / time / 1e3:7.2f} {1.75 * size / time / 1e3:7.2f}      0\n"
                   for size, time in ((8, 12.3), (65536, 15.1), (1 << 20, 35.0), (1 << 30, 4801.5)))


def nccl_json():
    times = [{"size": size, "count": size // 4, "type": "float", "redop": "sum", "root": "-1",
              "out_of_place": {"time": time, "alg_bw": 1.0, "bus_bw": 1.75, "nwrong": 0},
              "in_place": {"time": time, "alg_bw": 1.0, "bus_bw": 1.75, "nwrong": 0}} for size, time in ((1024, 12.5), (1 << 20, 40.0))]
    devices = [{"rank": rank, "group": 0, "device": rank} for rank in range(8)]
    return json.dumps({"version": 3, "args": ["./build/all_reduce_perf", "-J", "x"], "config": {"nthreads": 1}, "devices": devices,
                       "results": times}, indent=1)


LOGS = {
    "nccl": "# Collective test starting: all_reduce_perf\n# nThread 1 nGpus 8\n" + NCCL_RANKS + HEADING + rows("sum") + "# Out of bounds values : 0 OK\n",
    "two tests": "# Collective test starting: all_gather_perf\n" + NCCL_RANKS + HEADING + rows("none")
                 + "# Collective test starting: alltoall_perf\n" + NCCL_RANKS + HEADING + rows("none"),
    "rccl": "# nThread: 1 nGpus: 8 minBytes: 8 maxBytes: 1073741824 step: 2(factor)\n#\nrccl-tests: Version develop:ae3e635\n# Using devices\n"
            + RCCL_RANKS + OLD_HEADING + rows("sum", "") + "# Errors with asterisks indicate errors that have exceeded the maximum threshold.\n",
    "labelled": "".join("[1,0]<stdout>:" + line + "\n" for line in ("# nThread 1 nGpus 1\n" + NCCL_RANKS + HEADING + rows("sum")).splitlines()),
    "json": nccl_json(),
    "osu": "\n# OSU MPI Allreduce Latency Test v7.2\n# Datatype: MPI_FLOAT.\n# Size       Avg Latency(us)\n4                       1.53\n8                       1.49\n",
    "imb": "# Benchmarking Allreduce \n# #processes = 4 \n#---\n       #bytes #repetitions  t_min[usec]  t_max[usec]  t_avg[usec]\n"
           "            0         1000         0.03         0.03         0.03\n            4         1000         1.10         1.20         1.15\n",
    "oneccl": "#------------------------------------------------------------\n# Benchmarking: allreduce \n# #processes: 2 \n#---\n\n"
              "        #bytes  #repetitions   t_min[usec]   t_max[usec]   t_avg[usec]  stddev[%]\n           64            16         20.57         33.17         27.36          23.1\n",
}


def fault_of(path, collective):
    """Return what is wrong with how a log was read; None if nothing is."""
    begin = time.process_time()
    try:
        table = nccl_log.read_nccl(path, collective)
    except nccl_log.LogError as error:
        text = str(error)
        if not text.startswith(str(path)) or not text.isprintable() or len(text) > 1000:
            return f"no message for users: {text[:300]!r}"
        return None
    except Exception as error:  # whatever it is: a user would see a traceback
        return f"{type(error).__name__}: {str(error)[:300]}"
    if time.process_time() - begin > SECONDS:
        return "takes too long"
    for row in table.itertuples():
        if not (0 < row.bytes <= nccl_log.LARGEST_MESSAGE and math.isfinite(row.bytes) and 0 < row.seconds <= nccl_log.LONGEST_COLLECTIVE
                and row.kind in nccl_log.KINDS and row.members >= 2):
            return f"a row that no machine has: {row}"
    return None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--logs", type=int, default=20_000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop earlier")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keep", help="folder for logs that led to a fault")
    options = parser.parse_args()
    seeded = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    faults, read, tried = 0, 0, 0
    with tempfile.TemporaryDirectory(prefix="dse_logs_") as folder:
        path = Path(folder) / "log.txt"
        names = list(LOGS)
        while tried < options.logs and time.monotonic() < end:
            name = names[tried % len(names)]
            content = LOGS[name].encode()
            path.write_bytes(content if tried < len(names) else mutated(content, seeded))
            fault = fault_of(path, seeded.choice((None, *nccl_log.KINDS)))
            tried += 1
            if fault is None:
                continue
            faults += 1
            print(f"{name}: {fault}", file=sys.stderr, flush=True)
            if options.keep:
                Path(options.keep).mkdir(parents=True, exist_ok=True)
                (Path(options.keep) / f"{faults:03}.txt").write_bytes(path.read_bytes())
    print(f"{tried} logs, {faults} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
