"""Small results files, written with h5py as docs/results-schema.md describes them."""

import contextlib
import pathlib
import sys

import h5py
import numpy as np
import pytest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[2] / "analysis"))

from dse_analysis.seal import seal  # noqa: E402 (the folder comes first)

STATUS = {"ok": 1, "out_of_memory": 2, "outside_validity": 3, "failed": 4, "timed_out": 5}


def write_column(group, name, values, units=None, dtype=None):
    dataset = group.create_dataset(name, data=values, dtype=dtype)
    if units is not None:
        dataset.attrs["units"] = units


def write_results(path, version="2.0", metrics=None, status=None, points=None):
    """Write a results file of six points (or as many as the given columns have)."""
    nan = np.nan
    points = points or {"tp": ([1, 2, 4, 8, 8, 8], "1"),
                        "network.bandwidth": ([25e9, 25e9, 50e9, 50e9, 25e9, 50e9], "B/s")}
    metrics = metrics or {
        "iteration_time": ([4.0, 3.0, 2.0, 2.5, nan, nan], "s"),
        "compute_time": ([3.0, 2.0, 1.5, 1.0, nan, nan], "s"),
        "exposed_tp": ([0.0, 0.5, 0.5, 1.5, nan, nan], "s"),
        "bubble": ([1.0, 0.5, 0.0, 0.0, nan, nan], "s"),
        "memory_peak": ([10 * 2.0**30, 20 * 2.0**30, 40 * 2.0**30, 30 * 2.0**30, nan, nan], "B"),
        "memory_capacity": ([80 * 2.0**30] * 4 + [nan] * 2, "B"),
        "energy": ([nan] * 6, "J"),
    }
    status = status or ["ok", "ok", "ok", "ok", "out_of_memory", "outside_validity"]
    rows = len(status)
    with h5py.File(path, "w") as file:
        file.attrs["schema_version"] = version
        file.attrs["kind"] = "dse results"
        file.attrs["sweep_name"] = "tiny"
        file.attrs["objectives"] = ["iteration_time: minimize", "memory_peak: minimize", "energy: minimize"]
        file.attrs["point_columns"] = [*points, "schedule"]
        file.attrs["metric_columns"] = list(metrics)
        for folder, columns in (("points", points), ("metrics", metrics)):
            group = file.create_group(folder)
            for name, (values, units) in columns.items():
                write_column(group, name, values, units)
        labels = h5py.enum_dtype({"1f1b": 0, "gpipe": 1}, basetype="i4")
        file["points"].create_dataset("schedule", data=np.arange(rows) % 2, dtype=labels)
        for column in file["points"].values():
            column.attrs["role"] = "axis"
        file.create_dataset("status", data=[STATUS[name] for name in status], dtype=h5py.enum_dtype(STATUS, "u1"))
        file.create_dataset("reason", data=["" if name == "ok" else f"why {name}" for name in status],
                            dtype=h5py.string_dtype(length=40))
        file.create_dataset("long_reasons/point_id", data=np.array([], dtype="u8"))
        file.create_dataset("long_reasons/text", data=np.array([], dtype=object), dtype=h5py.string_dtype())
        file.create_dataset("point_id", data=np.arange(rows, dtype="u8"))
        file.create_dataset("rank", data=np.zeros(rows, dtype="i4"))
        file.create_dataset("wall_seconds", data=np.full(rows, 1e-3))
    seal(path)
    return path


@contextlib.contextmanager
def changed(path):
    """Open a results file to be changed, and seal it again."""
    with h5py.File(path, "a") as file:
        yield file
    seal(path)


@pytest.fixture
def results_file(tmp_path):
    return write_results(tmp_path / "tiny.h5")


@pytest.fixture
def table(results_file):
    from dse_analysis.results import read_results

    return read_results(results_file)
