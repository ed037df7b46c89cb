import json

import pytest

from dse_analysis.nccl_log import LogError, read_nccl


def nccl_log(rows, members=8, title="# Collective test starting: all_reduce_perf"):
    ranks = [f"#  Rank {rank:2} Group  0 Pid 1 on node device {rank} [0x00] NVIDIA" for rank in range(members)]
    lines = [f"{size:12} {size // 4:12} float sum -1 {time:.2f} 1.00 1.75 0 {time:.2f} 1.00 1.75 0" for size, time in rows]
    return "\n".join([title, *ranks, "#       size         count      type", *lines, "# Avg bus bandwidth : 3", ""])


def test_what_nccl_tests_print(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text(nccl_log([(1024, 12.5), (1 << 20, 40.0)]))
    rows = read_nccl(log, None)
    assert rows["bytes"].tolist() == [1024, 1 << 20]
    assert rows["seconds"].tolist() == pytest.approx([12.5e-6, 40e-6])
    assert set(rows["kind"]) == {"all_reduce"} and set(rows["members"]) == {8}


def test_a_log_of_several_tests(tmp_path):
    log = tmp_path / "log.txt"
    gather = nccl_log([(2048, 20.0)], members=4, title="# Collective test starting: all_gather_perf")
    log.write_text(nccl_log([(1024, 12.5)]) + gather)
    rows = read_nccl(log, "all_reduce")
    assert rows["kind"].tolist() == ["all_reduce", "all_gather"]
    assert rows["members"].tolist() == [8, 4]
    # Older versions have no title: the ranks are those of another test. mpirun and srun label every line.
    labelled = nccl_log([(1024, 12.5)], title="#") + nccl_log([(2048, 20.0)], members=2, title="#")
    for label in ("[1,0]<stdout>:", "[1,0]<stdout>: ", "0: "):
        log.write_text("".join(label + line + "\n" for line in labelled.splitlines()))
        assert read_nccl(log, "all_to_all")["members"].tolist() == [8, 2]


def test_the_json_of_nccl_tests(tmp_path):
    log = tmp_path / "log.json"
    devices = [{"rank": rank, "group": 0, "device": rank} for rank in range(8)]
    row = {"size": 1024, "count": 256, "type": "float", "redop": "sum", "root": "-1",
           "out_of_place": {"time": 12.5, "alg_bw": 0.08, "bus_bw": 0.14, "nwrong": 0},
           "in_place": {"time": 13.0, "alg_bw": 0.08, "bus_bw": 0.14, "nwrong": 0}}
    report = {"version": 3, "args": ["./build/alltoall_perf", "-J", "x"], "config": {"nthreads": 1, "devices": devices},
              "results": [row, row | {"size": 4096, "out_of_place": None}]}
    log.write_text(json.dumps(report))
    rows = read_nccl(log, None)
    assert rows["seconds"].tolist() == pytest.approx([12.5e-6, 13e-6])
    assert set(rows["kind"]) == {"all_to_all"} and set(rows["members"]) == {8}
    for wrong, message in ((report | {"results": None}, "no list 'results'"),
                           (report | {"results": [row | {"out_of_place": {"cpu_time": 3.0}}]}, "time of the CPU"),
                           (report | {"results": [{"size": 1024}]}, r"results\[0\]: states no size or no time"),
                           (report | {"args": ["./build/sendrecv_perf"]}, "is of sendrecv, which is not fitted")):
        log.write_text(json.dumps(wrong))
        with pytest.raises(LogError, match=message):
            read_nccl(log, None)


def test_json_that_is_nested_without_end(tmp_path):
    log = tmp_path / "log.json"
    log.write_text('{"results": ' + "[" * 100_000)
    with pytest.raises(LogError, match="nested too deeply|not the JSON"):
        read_nccl(log, None)


@pytest.mark.parametrize(("heading", "program"), [
    ("# OSU MPI Allreduce Latency Test v7.2", "OSU micro-benchmarks"), ("# Benchmarking: allreduce ", "oneCCL"),
    ("# Benchmarking Allreduce ", "Intel MPI Benchmarks")])
def test_other_benchmarks_are_named(tmp_path, heading, program):
    log = tmp_path / "log.txt"
    log.write_text(f"\n{heading}\n# Size       Avg Latency(us)\n4         1.53\n")
    with pytest.raises(LogError, match=f"log.txt:2: is the output of .*{program}"):
        read_nccl(log, "all_reduce")


def test_rows_without_type_columns_are_read_too(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text(nccl_log([], title="#") + "    1048576    262144     float    40.00   1.00   1.75      0    39.00   1.00   1.75      0\n")
    assert read_nccl(log, "all_gather")["seconds"].tolist() == pytest.approx([40e-6])
    # A heading says where the time stands, also where neither root nor a decimal point tells it from others.
    heading = "#       size         count      type   redop     time   algbw   busbw  error\n"
    log.write_text(nccl_log([], title="#") + heading + "    1048576    262144     float     sum  1234567   1.00   1.75  0e+00\n")
    assert read_nccl(log, "all_reduce")["seconds"].tolist() == pytest.approx([1.234567])


@pytest.mark.parametrize("text, collective, message", [
    ("1024 256 float\n", "all_reduce", "log.txt:1: not a row of nccl-tests"),
    ("1024 256 float sum -1 nan 0.1 0.1 0\n", "all_reduce", "log.txt:1: nan us is not the time of a collective"),
    ("1024 256 float sum -1 -5.0 0.1 0.1 0\n", "all_reduce", "log.txt:1: -5.0 us is not the time of a collective"),
    ("9" * 23 + " 256 float sum -1 5.0 0.1 0.1 0\n", "all_reduce", "bytes are more than any message has"),
    ("# nothing\n", "all_reduce", "contains no row of nccl-tests"),
    ("{", "all_reduce", "is not the JSON of nccl-tests"),
    ("#  size  count  type  redop  root  cputime  algbw  busbw\n1024 256 float sum -1 5.0 0.1 0.1 0\n", "all_reduce",
     "log.txt:1: the times are those of the CPU"),
    (nccl_log([(1024, 12.5)], title="#"), None, "does not state its collective"),
    (nccl_log([(1024, 12.5)], members=0), None, "no list of at least two ranks")])
def test_what_is_wrong_with_a_log(tmp_path, text, collective, message):
    log = tmp_path / "log.txt"
    log.write_text(text)
    with pytest.raises(LogError, match=message):
        read_nccl(log, collective)
