#!/usr/bin/env python3
"""Changes results files as other programs may, through HDF5's own interface, and runs every command that reads them.

    foreign_results.py --dse BUILD/dse --sweep sweeps/smoke.yaml [--files 1000] [--seconds 600] [--seed 1] [--keep DIR]

Bits that flip make files that HDF5 refuses (flipped_bits.py); these files are sound HDF5, but not what dse writes:
attributes and datasets are missing, of other types, shapes and sizes, linked in cycles or to other files. Half of
them get a valid seal, so that dse trusts them. A command may answer (0), find nothing (1) or refuse (2); it may not
end by a signal, hang, take more memory than 6 GiB, or call its input an internal error (3). An unsealed file is
refused without --unsealed.
"""

import argparse
import collections
import functools
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import h5py
import numpy as np
from mutated_inputs import limit

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "analysis"))
from dse_analysis import seal  # noqa: E402

SECONDS = 30  # of the processor; of the clock eight times as many, since machines are shared
HUGE = 2**40
TEXTS = ["", "x", "iteration_time", "integer", "real", "label", "flag", "axis", "nan", "GiB", "0" * 32, "\n" * 3, "a\nb\n" * 9, "é" * 40,
         "x" * 60_000, "iteration_time: maximize", "iteration_time: minimise", "3.0", "2.99", "1.0", "points/tp", "../../x", "\x1b[31m",
         "reason", "status", "point_id"]
NUMBERS = [0, 1, -1, 2, 255, 2**31, 2**53 + 1, 2**63 - 1, -2**63, 2**64 - 1]
REALS = [0.0, -0.0, 1e308, -1e308, 1e-320, np.nan, np.inf, -np.inf, 0.5]


def any_value(seeded):
    """A value of an attribute, or of a small dataset."""
    kinds = (lambda: seeded.choice(TEXTS), lambda: np.uint64(seeded.choice(NUMBERS) % 2**64), lambda: np.float32(seeded.choice(REALS)),
             lambda: [seeded.choice(TEXTS) for _ in range(seeded.choice((1, 3, 50)))], lambda: np.zeros((2, 3)),
             lambda: h5py.Empty("f8"), lambda: np.bytes_(b"fixed"), lambda: np.zeros(0, dtype=h5py.string_dtype()),
             lambda: np.array([(1, 2.0)], dtype=[("a", "i4"), ("b", "f8")]), lambda: np.True_, lambda: np.complex128(1j))
    return seeded.choice(kinds)()


def drop_attribute(file, seeded):
    owner = seeded.choice((file, *objects(file)))
    if owner.attrs:
        del owner.attrs[seeded.choice(list(owner.attrs))]


def other_attribute(file, seeded):
    name = seeded.choice(list(file.attrs))
    file.attrs[name] = any_value(seeded)


def other_text(file, seeded):
    """One of several texts, so that the attribute keeps its length."""
    name = seeded.choice(list(file.attrs))
    value = file.attrs[name]
    if isinstance(value, str):
        file.attrs[name] = seeded.choice(TEXTS)
    elif isinstance(value, np.ndarray) and value.dtype == object and len(value):
        texts = list(value)
        texts[seeded.randrange(len(texts))] = seeded.choice((*TEXTS, *texts))
        file.attrs[name] = texts


def shorter_attribute(file, seeded):
    name = seeded.choice(list(file.attrs))
    value = file.attrs[name]
    if isinstance(value, np.ndarray) and len(value):
        file.attrs[name] = list(value)[:-1] if seeded.random() < 0.5 else [*value, value[0]]


def objects(file):
    found = []
    file.visititems(lambda _, item: found.append(item) if item is not None else None)
    return found


def datasets(file):
    return [item for item in objects(file) if isinstance(item, h5py.Dataset)]


def drop_object(file, seeded):
    item = seeded.choice(objects(file)).name
    if item in file:
        del file[item]


def other_type(file, seeded):
    data = seeded.choice(datasets(file))
    kind = seeded.choice(("i1", "<i8", ">i8", "u8", "<f4", ">f8", "f2", "S3", "V5", h5py.string_dtype(), [("a", "f8")], "bool",
                          h5py.enum_dtype({"A": 0, "B": 7}), h5py.vlen_dtype("i4"), h5py.ref_dtype, "complex128"))
    name, size = data.name, data.shape
    del file[name]
    file.create_dataset(name, size, dtype=kind, chunks=True if size and size[0] else None)


def other_shape(file, seeded):
    data = seeded.choice(datasets(file))
    name, kind, rows = data.name, data.dtype, data.shape[0] if data.shape else 1
    del file[name]
    shape = seeded.choice(((), (0,), (1,), (max(rows - 1, 0),), (rows + 1,), (rows, 2), (HUGE,), (HUGE, 2), (2**62,), (rows,) * 3))
    try:
        file.create_dataset(name, shape, dtype=kind, chunks=tuple(min(64, max(1, n)) for n in shape) if shape else None,
                            maxshape=tuple(None for _ in shape) if shape else None)
    except (ValueError, TypeError):
        file.create_dataset(name, data=h5py.Empty("f8"))


def all_rows(file, seeded):
    """Every column has another, equal number of rows: none, one, or more than any memory holds."""
    rows = seeded.choice((0, 1, 10_000_000, 2**34, HUGE))
    for data in datasets(file):
        # HDF5 goes through all chunks of what shrinks, whether there are any.
        is_column = len(data.shape) == 1 and data.maxshape[0] is None and data.name != "/coverage" and "long_reasons" not in data.name
        if is_column and data.shape[0] < 10**8:
            data.resize((rows,))


def other_values(file, seeded):
    data = seeded.choice(datasets(file))
    if not data.shape or not data.shape[0] or len(data.shape) > 1:
        return
    at = seeded.randrange(data.shape[0]) if data.shape[0] < HUGE else 0
    every = seeded.random() < 0.3 and data.shape[0] < 10**7
    value = seeded.choice(REALS) if data.dtype.kind == "f" else seeded.choice(NUMBERS) if data.dtype.kind in "iu" else None
    if value is None:
        return
    if data.dtype.kind in "iu":
        limits = np.iinfo(data.dtype)
        value = min(max(value, limits.min), limits.max)
    if every:
        data[...] = value
    else:
        data[at] = value


def link(file, seeded):
    item = seeded.choice(objects(file)).name
    if item not in file:
        return
    del file[item]
    file[item] = seeded.choice((h5py.SoftLink(item), h5py.SoftLink("/nowhere"), h5py.SoftLink("/"), h5py.ExternalLink("missing.h5", "/x"),
                                h5py.ExternalLink(Path(file.filename).name, item), h5py.ExternalLink("/dev/zero", "/x"),
                                h5py.SoftLink("/points"), h5py.SoftLink("/metrics/mfu")))


def hard_cycle(file, seeded):
    group = seeded.choice([item for item in objects(file) if isinstance(item, h5py.Group)] or [file])
    group["again"] = file["/"]
    file[f"{seeded.choice(('x', 'points/loop', 'metrics/loop'))}{seeded.randrange(9)}"] = group


def group_for_dataset(file, seeded):
    name = seeded.choice(datasets(file)).name
    del file[name]
    file.create_group(name)


def more_columns(file, seeded):
    """Columns that dse does not know, or far more than it writes."""
    for number in range(seeded.choice((1, 20, 2000))):
        file.require_group("metrics").create_dataset(f"mine_{number}", data=np.zeros(seeded.choice((0, 1, 7))))
    if seeded.random() < 0.5:
        for name, value in (("metric_columns", "mine_0"), ("metric_units", seeded.choice(TEXTS))):
            if isinstance(file.attrs.get(name), np.ndarray):
                file.attrs[name] = [*file.attrs[name], value]


CHANGES = (drop_attribute, other_attribute, other_text, other_text, shorter_attribute, drop_object, other_type, other_shape, all_rows,
           other_values, other_values, link, hard_cycle, group_for_dataset, more_columns)


def other_program(path, seeded):
    """A file that has nothing of dse but, perhaps, its name."""
    path.unlink()
    with h5py.File(path, "w", libver=seeded.choice(("earliest", "latest"))) as file:
        file.create_dataset("x", data=np.arange(10.0), compression=seeded.choice((None, "gzip", "lzf")))
        if seeded.random() < 0.7:
            file.attrs["kind"] = seeded.choice(("dse results", "other", np.float64(1)))
        if seeded.random() < 0.5:
            file.attrs["schema_version"] = seeded.choice(("2.1", "2.999", "99.0", "", "-1.-1", "2", np.int64(2)))


def changed(path, seeded):
    """Change a copy of the results. \\return what was done"""
    kind = seeded.random()
    if kind < 0.05:
        other_program(path, seeded)
        return "other_program"
    done = []
    with h5py.File(path, "r+") as file:
        for _ in range(seeded.choice((1, 1, 1, 2, 3))):
            change = seeded.choice(CHANGES)
            try:
                change(file, seeded)
                done.append(change.__name__)
            except (KeyError, OSError, RuntimeError, ValueError, TypeError, IndexError, OverflowError):
                continue  # an earlier change stands in its way, or HDF5 cannot do it
    if kind < 0.12:
        size = path.stat().st_size
        with path.open("r+b") as file:
            file.truncate(seeded.randrange(size))
        done.append("truncate")
    return " ".join(done)


COMMANDS = (["pareto", "{}"], ["pareto", "{}", "--json", "--top", "3"], ["best", "{}"], ["report", "{}", "-o", "page.html", "--force"],
            ["export", "{}", "--csv"], ["merge", "{}", "ref.h5", "-o", "merged.h5"], ["diff", "{}", "ref.h5"], ["sensitivity", "{}"],
            ["regret", "{}"], ["verify", "{}"], ["parts", "{}"], ["pareto", "{}", "--by", "tp"], ["best", "{}", "--where", "tp > 1"],
            ["SWEEP", "-o", "{}"], ["report", "{}", "-o", "page.png", "--force"])
WITHOUT_UNSEALED = ("verify", "parts", "SWEEP")


class Bench:
    def __init__(self, options, folder):
        self.dse, self.sweep = Path(options.dse).resolve(), Path(options.sweep).resolve()
        self.folder, self.keep = Path(folder), Path(options.keep) if options.keep else None
        self.memory = options.memory
        self.codes, self.faults = collections.Counter(), collections.Counter()
        self.slowest = 0.0, ""
        self.reference = self.folder / "ref.h5"
        subprocess.run([self.dse, self.sweep, "-o", self.reference, "--limit", "60"], check=True, capture_output=True)

    def run(self, command, what, path):
        begin = time.monotonic()
        words = [str(self.dse), *(str(path) if word == "{}" else str(self.sweep) if word == "SWEEP" else word for word in command)]
        try:
            done = subprocess.run(words, cwd=self.folder, capture_output=True, timeout=8 * SECONDS, check=False,
                                  preexec_fn=functools.partial(limit, SECONDS, self.memory))
            code, text = done.returncode, done.stderr.decode(errors="replace")
        except subprocess.TimeoutExpired:
            code, text = -int(signal.SIGXCPU), ""
        self.slowest = max(self.slowest, (time.monotonic() - begin, f"{what}: {' '.join(command)}"))
        kind = ("hangs" if code == -signal.SIGXCPU else "signals" if code < 0 or code >= 128 else "internal errors" if code == 3
                else "silent refusals" if code == 2 and not text.strip() else "tracebacks" if "Traceback (most" in text else None)
        if kind is None:
            self.codes[f"{command[0] if command[0] != 'SWEEP' else 'run'} {code}"] += 1
            return code
        self.blame(kind, f"{what}: {' '.join(command)} ended with {code}: {text[-600:]}", path)
        return code

    def blame(self, kind, why, path):
        self.faults[kind] += 1
        print(f"{kind}: {why}", file=sys.stderr, flush=True)
        if self.keep:
            self.keep.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(path, self.keep / f"{kind.split()[0]}-{sum(self.faults.values()):03}.h5")

    def try_one(self, seeded):
        path = self.folder / "changed.h5"
        for left in (path, self.folder / "merged.h5"):
            left.unlink(missing_ok=True)
        shutil.rmtree(f"{path}.shards", ignore_errors=True)
        shutil.copyfile(self.reference, path)
        what = changed(path, seeded)
        # dse trusts a seal, and would read 2^40 rows of zeros to their end.
        sealed = "all_rows" not in what and path.stat().st_size > 1000 and seeded.random() < 0.5
        if sealed:
            seal.seal(path)
        command = list(seeded.choice(COMMANDS))
        if not sealed and command[0] not in WITHOUT_UNSEALED and seeded.random() < 0.8:
            command.append("--unsealed")
        before = path.read_bytes() if path.stat().st_size < 1 << 26 else None
        code = self.run(command, what + (" sealed" if sealed else ""), path)
        if not sealed and "--unsealed" not in command and code == 0 and command[0] != "SWEEP":
            self.blame("read without a seal", f"{what}: {command}", path)
        if code == 2 and before is not None and command[0] != "SWEEP" and path.read_bytes() != before:
            self.blame("changed though refused", f"{what}: {command}", path)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dse", required=True)
    parser.add_argument("--sweep", required=True)
    parser.add_argument("--files", type=int, default=1000)
    parser.add_argument("--seconds", type=float, default=float("inf"), help="stop earlier")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--memory", type=int, default=6,
                        help="GiB of addresses that a command may have; 0: any, for AddressSanitizer, which reserves 16 TiB")
    parser.add_argument("--keep", help="folder for files that led to a fault")
    options = parser.parse_args()
    os.environ.pop("OMPI_COMM_WORLD_SIZE", None)
    seeded = random.Random(options.seed)
    end = time.monotonic() + options.seconds
    with tempfile.TemporaryDirectory(prefix="dse_foreign_") as folder:
        bench = Bench(options, folder)
        tried = 0
        while tried < options.files and time.monotonic() < end:
            bench.try_one(seeded)
            tried += 1
        print(f"{tried} changed files: " + ", ".join(f"{code}: {count}" for code, count in sorted(bench.codes.items())))
        print(f"slowest: {bench.slowest[0]:.1f} s, {bench.slowest[1]}")
        for kind, count in sorted(bench.faults.items()):
            print(f"  {kind}: {count}")
        return 1 if bench.faults else 0


if __name__ == "__main__":
    sys.exit(main())
