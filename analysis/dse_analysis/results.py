"""Reads results files of `dse` as tables."""

import pathlib
import re

import h5py
import numpy as np
import pandas as pd

from dse_analysis.guarded import GuardedError, run_guarded
from dse_analysis.seal import is_sealed
from dse_analysis.units import WrittenUnit

SCHEMA_MAJOR = 2
KIND = "dse results"

_SIGNATURE = b"\x89HDF\r\n\x1a\n"

_ABSENT_INTEGER = np.iinfo(np.int64).min

_PARTS = ("compute_time", "exposed_tp", "exposed_cp", "exposed_ep", "exposed_dp", "exposed_pp", "imbalance", "idle")

_COLUMNS = ("status", "reason", "point_id", "rank", "wall_seconds")


class ResultsError(ValueError):
    """The file is not a results file that this reader supports; the message says why."""


def read_results(path, unsealed=False):
    """Read a finished results file completely.

    Files with millions of rows are better read in parts: see `Results`.

    Parameters
    ----------
    path : str or os.PathLike
    unsealed : bool
        Also read a file without a valid seal, which is damaged or was modified by another program. It is read
        in a separate process, and nothing guarantees that its rows are correct.

    Returns
    -------
    pandas.DataFrame, shape (n_points, n_columns)
        One row per point. Columns are the axes and derived values (labels as categories), the metrics (SI
        units, NaN if there is no value), then `status` (category), `reason`, `point_id`, `rank` and
        `wall_seconds` [s]. `attrs` has ``units`` {column: SI unit}, ``shown_units`` {column: `WrittenUnit`} of
        the columns that the sweep writes in a unit of its own, ``axes`` and ``metrics`` (lists of columns), ``objectives`` [(metric, "minimize" | "maximize")], ``file``, the root attributes of the
        file, and ``unsealed``, whether the rows are not guaranteed by a seal.

    Raises
    ------
    ResultsError
        If the file does not exist, is not HDF5, has no results of dse or no valid seal, or if its major
        schema version is neither this reader's nor the one before.
    """
    return with_results(path, Results.table, unsealed)


def with_results(path, work, unsealed=False):
    """Return the result of `work` on an open `Results`, in a separate process if the seal is not valid.

    Parameters
    ----------
    path : str or os.PathLike
    work : callable
        Takes a `Results`. A DataFrame that it returns is marked in ``attrs["unsealed"]``.
    unsealed : bool
        As for `read_results`.

    Raises
    ------
    ResultsError
        As `read_results`.
    """
    if not pathlib.Path(path).is_file():
        if pathlib.Path(f"{path}.shards").is_dir():
            raise ResultsError(f"{path}: the sweep is not finished; run it again with -o {path} to resume it")
        what = "it is a directory" if pathlib.Path(path).is_dir() else "not a file" if pathlib.Path(path).exists() else "no such file"
        raise ResultsError(f"{path}: {what}")
    if is_sealed(path):
        return _with_open(path, work, False)
    if not _may_be_hdf5(path):
        raise ResultsError(f"{path}: it is not an HDF5 file")
    others = _content_of_others(path)
    if others:
        raise ResultsError(f"{path}: not a results file of dse: {others}")
    if not unsealed:
        raise ResultsError(f"{path}: no valid seal: it is damaged, or another program has written to it since "
                           "(unsealed=True, or --unsealed, reads it anyway)")
    try:
        return run_guarded(_with_open, path, work, True)
    except GuardedError as error:
        raise ResultsError(f"{path}: damaged, cannot be read: {error}") from error


def _may_be_hdf5(path):
    """Return whether a file begins as HDF5 files do: a damaged one still does, one of another kind does not."""
    with open(path, "rb") as file:
        return file.read(len(_SIGNATURE)) == _SIGNATURE


def _content_of_others(path):
    """Return what an HDF5 file of another program holds; an empty text for those of dse, damaged or not."""
    try:
        names = run_guarded(_names_of_others, path)
    except GuardedError:
        return ""
    if names is None:
        return ""
    return ("it holds " + ", ".join(map(repr, names[:6])) + (", …" if len(names) > 6 else "")) if names else "it is empty"


def _names_of_others(path):
    with h5py.File(path, "r") as file:
        return None if "kind" in file.attrs or "points" in file else list(file)


def _with_open(path, work, unsealed):
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read as HDF5 ({error})") from error
    with file:
        return work(_opened(path, file, unsealed))


def _opened(path, file, unsealed):
    """Return the `Results` of a file, which another program may have written in a form that nothing here expects."""
    try:
        return Results(path, file, unsealed)
    except ResultsError:
        raise
    except Exception as error:
        why = error.args[0] if isinstance(error, KeyError) and error.args else error
        raise ResultsError(f"{path}: not a results file of dse ({why})") from error


class Results:
    """An open results file, whose columns and rows are read on demand.

    Attributes
    ----------
    columns : list of str
        Axes and derived values, metrics, then `status`, `reason`, `point_id`, `rank` and `wall_seconds`.
    attrs : dict
        Those of the table that `read_results` returns.
    """

    def __init__(self, path, file, unsealed=False):
        attributes = {name: _plain(value) for name, value in file.attrs.items()}
        _check_schema(path, file, attributes)
        axes = _ordered(file["points"], attributes.get("point_columns", []))
        metrics = _ordered(file["metrics"], attributes.get("metric_columns", []))
        self._datasets = {name: file[group][name] for group, names in (("points", axes), ("metrics", metrics))
                          for name in names}
        units = {name: str(_plain(data.attrs.get("units", "1"))) for name, data in self._datasets.items()}
        units["wall_seconds"] = "s"
        written = {name: _written_unit(data) for name, data in self._datasets.items()}
        self._datasets.update({name: file[name] for name in _COLUMNS})
        for name, data in self._datasets.items():
            _check_column(path, name, data, is_metric=name in metrics)
        lengths = {name: len(data) for name, data in self._datasets.items()}
        if len(set(lengths.values())) > 1:
            raise ResultsError(f"{path}: columns of unequal length: {lengths}")
        self._rows = lengths["point_id"]
        self._long_reasons = file.get("long_reasons")
        self.columns = list(self._datasets)
        self.attrs = {"units": units, "shown_units": {name: unit for name, unit in written.items() if unit}, "axes": axes, "metrics": metrics, "file": attributes,
                      "objectives": parse_objectives(attributes.get("objectives", "")),
                      "unsealed": unsealed or bool(attributes.get("unsealed", 0))}

    def __len__(self):
        return self._rows

    def table(self, columns=None, first=0, count=None):
        """Return rows [first, first + count) of some columns (None: all) in the form of `read_results`."""
        rows = slice(first, self._rows if count is None else first + count)
        names = self.columns if columns is None else columns
        table = pd.DataFrame({name: self._column(name, rows) for name in names})
        table.attrs = dict(self.attrs)
        return table

    def blocks(self, columns=None, rows=1 << 17):
        """Yield consecutive tables with this number of rows."""
        for first in range(0, self._rows, rows):
            yield self.table(columns, first, min(rows, self._rows - first))

    def _column(self, name, rows):
        if name not in self._datasets:
            raise KeyError(f"no column '{name}'; the file has {', '.join(self.columns)}")
        column = _column(self._datasets[name], rows)
        if name != "reason" or self._long_reasons is None:
            return column
        return _whole_reasons(self._long_reasons, column, self._datasets["point_id"][rows])


def parse_objectives(text):
    """Return [(metric, direction)] from "iteration_time: minimize, mfu: maximize" or a list of such parts."""
    parts = re.split(r"[,\n]", text) if isinstance(text, str) else [str(part) for part in text]
    pairs = [part.partition(":") for part in parts if part.strip()]
    return [(name.strip(), direction.strip() or "minimize") for name, _, direction in pairs]


def is_part(metric):
    """Return whether a metric is a part of the iteration time; parts are NaN if they were not requested."""
    return metric in _PARTS or metric.startswith("bubble")


def varied_axes(table):
    """Return the axes and derived values of a table that have more than one value, in the table's order."""
    if "varied" in table.attrs:
        return table.attrs["varied"]
    return [name for name in table.attrs["axes"] if table[name].nunique(dropna=False) > 1]


def _check_schema(path, file, attributes):
    kind, version = attributes.get("kind", KIND), str(attributes.get("schema_version", ""))
    if kind != KIND and not str(kind).startswith("dse "):
        raise ResultsError(f"{path}: not a results file of dse: it calls itself {str(kind)[:60]!r}, not {KIND!r}")
    if kind != KIND:
        raise ResultsError(f"{path}: a '{kind}' file, not finished results; let dse end the sweep first")
    if not version:
        raise ResultsError(f"{path}: not a results file of dse (no attribute schema_version)")
    if version.split(".")[0] not in (str(SCHEMA_MAJOR), str(SCHEMA_MAJOR - 1)):
        raise ResultsError(f"{path}: schema version {version}, this reader understands {SCHEMA_MAJOR - 1}.x and "
                           f"{SCHEMA_MAJOR}.x; use the analysis package of the dse that wrote it")
    missing = [name for name in ("points", "metrics", *_COLUMNS) if name not in file]
    if missing:
        raise ResultsError(f"{path}: not a results file of dse (no {', '.join(missing)})")


def _ordered(group, order):
    """Return the dataset names of a group, in the sweep's order if it is given, else in the file's."""
    names = [name for name in group if isinstance(group[name], h5py.Dataset)]
    return [name for name in dict.fromkeys(order) if name in names] + [name for name in names if name not in order]


def _check_column(path, name, dataset, is_metric):
    def refuse(why):
        raise ResultsError(f"{path}: not a results file of dse (column '{name}' {why})")

    if not isinstance(dataset, h5py.Dataset) or dataset.ndim != 1:
        refuse("is not a list of values")
    is_enumeration = h5py.check_enum_dtype(dataset.dtype) is not None
    if name == "reason" and h5py.check_string_dtype(dataset.dtype) is None:
        refuse(f"holds values of type {dataset.dtype}, not text")
    if name != "reason" and dataset.dtype.kind not in "iufb":
        refuse(f"holds values of type {dataset.dtype}, not numbers")
    if is_enumeration if is_metric else name == "status" and not is_enumeration:
        refuse("holds names, not numbers" if is_metric else "holds numbers, not names")


def _column(dataset, rows):
    """Return rows of a dataset as a pandas column: enumerations as categories, missing values as NaN."""
    labels = h5py.check_enum_dtype(dataset.dtype)
    if labels is not None:
        by_code = sorted(labels.items(), key=lambda item: item[1])
        codes = np.array([code for _, code in by_code])
        values = dataset[rows].astype(codes.dtype)
        position = np.clip(np.searchsorted(codes, values), 0, len(codes) - 1)
        return pd.Categorical.from_codes(np.where(codes[position] == values, position, -1),
                                         [name for name, _ in by_code])
    if h5py.check_string_dtype(dataset.dtype) is not None:
        return dataset.asstr()[rows]
    values = dataset[rows]
    if values.dtype == np.int64 and (values == _ABSENT_INTEGER).any():
        return np.where(values == _ABSENT_INTEGER, np.nan, values.astype(float))
    return values


def _whole_reasons(long_reasons, reasons, point_ids):
    """Replace reasons that were too long for their column by the full text. Both are sorted by point."""
    ids = long_reasons["point_id"]
    if len(ids) == 0 or len(point_ids) == 0:
        return reasons
    first, last = np.searchsorted(ids[()], [point_ids[0], point_ids[-1] + 1])
    whole = dict(zip(ids[first:last].tolist(), long_reasons["text"].asstr()[first:last]))
    return np.array([whole.get(number, text) for number, text in zip(point_ids.tolist(), reasons)], dtype=object)


def _written_unit(dataset):
    """Return the unit to show a column in, or None if the file states none, as those before version 2.1."""
    name, size = (_plain(dataset.attrs.get(key, "")) for key in ("shown_units", "shown_size"))
    is_usable = isinstance(name, str) and name and isinstance(size, float) and np.isfinite(size) and size > 0
    return WrittenUnit(name, size) if is_usable else None


def _plain(value):
    """Convert an attribute to a str, number or list."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value.tolist()]
    return value.item() if isinstance(value, np.generic) else value
