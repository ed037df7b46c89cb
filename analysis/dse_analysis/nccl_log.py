"""Read the output of nccl-tests and rccl-tests, as text or JSON, as rows of collectives."""

import json
import pathlib
import re

import pandas as pd

#: Collectives that are read.
KINDS = ("all_reduce", "all_gather", "reduce_scatter", "all_to_all")
#: Beyond what any machine has or waits for: B, s.
LARGEST_MESSAGE = 2**50
LONGEST_COLLECTIVE = 1e5


class LogError(ValueError):
    """The log cannot be read; the message, intended for users, says where and why."""


def _nccl_row(fields, columns, place):
    """Return size and out-of-place time of a row: size, count, type, redop, root, then time, algbw, busbw, #wrong.

    Parameters
    ----------
    columns : list of str
        What the log's heading calls them. Without one, the time follows the numbers of redop and root, which older
        versions lack.
    """
    try:
        if "time" in columns:
            time = fields[columns.index("time")]
        else:
            numbers = [field for field in fields[3:] if re.fullmatch(r"[-+]?(\d+(\.\d+)?(e[-+]?\d+)?|nan|inf)", field)]
            time = numbers[1] if "-1" in fields[3:6] or re.fullmatch(r"-?\d+", fields[4]) else numbers[0]
        row = {"bytes": float(fields[0]), "seconds": float(time) * 1e-6}
    except (IndexError, ValueError):
        raise LogError(f"{place}: not a row of nccl-tests (size count type redop root time …)") from None
    if not row["bytes"] <= LARGEST_MESSAGE:
        raise LogError(f"{place}: {fields[0][:60]} bytes are more than any message has")
    if row["bytes"] > 0 and not 0 < row["seconds"] <= LONGEST_COLLECTIVE:
        raise LogError(f"{place}: {time[:60]} us is not the time of a collective")
    return row


#: What nccl-tests calls a collective, in its titles and in the names of its programs.
NCCL_NAMES = {"alltoall": "all_to_all", "all_to_all": "all_to_all"}
#: What `mpirun --tag-output` and `srun --label` write before every line.
LABEL = re.compile(r"^(\[\d+,\d+\]<std(out|err)>:|\d+:) ?")


#: First lines of benchmarks of collectives whose tables have other columns: some state no ranks, others only the slowest rank's time.
OTHER_BENCHMARKS = {r"#\s*OSU\b.*\bTest\b": "the OSU micro-benchmarks", r"#\s*Benchmarking:": "oneCCL's benchmark",
                    r"#\s*Benchmarking\s+\w": "the Intel MPI Benchmarks"}


def _refuse_other_benchmark(line, place):
    for heading, program in OTHER_BENCHMARKS.items():
        if re.match(heading, line):
            raise LogError(f"{place}: is the output of {program}, not of nccl-tests or rccl-tests, which alone are read")


def _collective_named(text):
    """Return the collective of 'all_reduce_perf' or '/opt/bin/alltoall_perf'; None if the text names no such program."""
    named = re.search(r"(\w+?)_perf\b", text)
    return NCCL_NAMES.get(named[1], named[1]) if named else None


def _nccl_json(text, path):
    """Return collective, members and rows of the output of `-J` (versions 1 to 3)."""
    try:
        report = json.loads(text)
    except ValueError as error:
        raise LogError(f"{path}: is not the JSON of nccl-tests ({error})") from None
    except RecursionError:
        raise LogError(f"{path}: is not the JSON of nccl-tests (it is nested too deeply)") from None
    results = report.get("results") if isinstance(report, dict) else None
    if not isinstance(results, list):
        raise LogError(f"{path}: is not the JSON of nccl-tests (it has no list 'results')")
    rows = []
    for number, result in enumerate(results):
        place = f"{path}: results[{number}]"
        # Tests whose ranks cannot work out of place (-t) say null there.
        result = result if isinstance(result, dict) else {}
        measured = result.get("out_of_place") or result.get("in_place")
        measured = measured if isinstance(measured, dict) else {}
        if "cpu_time" in measured:
            raise LogError(f"{place}: has the time of the CPU (-C), not of the collective")
        if "size" not in result or "time" not in measured:
            raise LogError(f"{place}: states no size or no time")
        rows.append(_nccl_row([str(result["size"]), "", "", "", "", str(measured["time"])],
                              ["size", "count", "type", "redop", "root", "time"], place))
    arguments, config = report.get("args"), report.get("config")
    program = arguments[0] if isinstance(arguments, list) and arguments else ""
    devices = report.get("devices") or (config.get("devices") if isinstance(config, dict) else None)
    return _collective_named(str(program)), len(devices) if isinstance(devices, list) else 0, rows


def _nccl_text(text, path):
    """Yield collective, members and rows of each test of a log, which may hold the output of several."""
    name, members, rows, columns = None, 0, [], []
    for number, line in enumerate(text.splitlines(), 1):
        line = LABEL.sub("", line)
        _refuse_other_benchmark(line, f"{path}:{number}")
        started = re.search(r"Collective test starting: (\w+?)_perf", line)
        # Versions before 2.16 have no title: there, ranks or this line follow the rows of another test.
        first = started or re.match(r"#\s+nThread\b", line) or re.match(r"#\s+Rank\s+0\b", line)
        if first and rows:
            yield name, members, rows
            name, members, rows, columns = None, 0, [], []
        if started:
            name = NCCL_NAMES.get(started[1], started[1])
        if re.match(r"#\s+Rank\s+\d+\b", line):
            members += 1
        if re.match(r"#\s+size\s+count\s+type\b", line):
            columns = line.split()[1:]
            if "cputime" in columns:
                raise LogError(f"{path}:{number}: the times are those of the CPU (-C), not of the collective")
        if re.match(r"\s*\d", line):
            rows.append(_nccl_row(line.split(), columns, f"{path}:{number}"))
    if rows:
        yield name, members, rows


def read_nccl(path, collective):
    """Read the output of nccl-tests, as text or JSON (`-J`), as rows: kind, members, bytes, seconds (out of place).

    Raises
    ------
    LogError
        Naming the file, and the line of a malformed row: also if there are no rows, or if the collective or
        the number of ranks of a test is unknown.
    """
    text = pathlib.Path(path).read_text(encoding="utf-8", errors="replace")
    tests = [_nccl_json(text, path)] if text.lstrip().startswith("{") else list(_nccl_text(text, path))
    if not any(rows for _, _, rows in tests):
        raise LogError(f"{path}: contains no row of nccl-tests")
    tables = []
    for name, members, rows in tests:
        kind = name or collective
        if kind not in KINDS:
            stated = f"is of {kind[:60]}, which is not fitted" if kind else "does not state its collective"
            raise LogError(f"{path}: the log {stated} (--collective {'|'.join(KINDS)})")
        if members < 2:
            raise LogError(f"{path}: contains no list of at least two ranks (lines '#  Rank  0 …')")
        tables.append(pd.DataFrame(rows).assign(kind=kind, members=members))
    table = pd.concat(tables, ignore_index=True)
    return table[table["bytes"] > 0]  # some versions print a row of nothing
