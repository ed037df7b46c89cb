"""A results file of `dse` as a table."""

import re

import h5py
import numpy as np
import pandas as pd

SCHEMA_MAJOR = 1

_COLUMNS = ("status", "reason", "point_id", "rank", "wall_seconds")


class ResultsError(ValueError):
    """The file is not a results file that this reader understands; the message says why."""


def read_results(path):
    """Read a finished results file.

    Parameters
    ----------
    path : str or os.PathLike

    Returns
    -------
    pandas.DataFrame, shape (n_points, n_columns)
        One row a point. Columns are the axes and derived values (labels as categories), the metrics (SI
        units, NaN without answer), then `status` (category), `reason`, `point_id`, `rank` and `wall_seconds` [s].
        `attrs` holds ``units`` {column: SI unit}, ``axes`` and ``metrics`` (lists of columns), ``objectives``
        [(metric, "minimize" | "maximize")] and ``file``, the root attributes as they stand.

    Raises
    ------
    ResultsError
        No such file, no HDF5, no results of dse, or another major schema version.
    """
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        raise ResultsError(f"{path}: cannot be read as HDF5 ({error})") from error
    with file:
        attributes = {name: _plain(value) for name, value in file.attrs.items()}
        _check_schema(path, file, attributes)
        columns, units = {}, {}
        for group in ("points", "metrics"):
            for name in _ordered(file[group]):
                columns[name] = _column(file[group][name])
                units[name] = str(_plain(file[group][name].attrs.get("units", "1")))
        for name in _COLUMNS:
            columns[name] = _column(file[name])
        units["wall_seconds"] = "s"
        axes, metrics = _ordered(file["points"]), _ordered(file["metrics"])
    lengths = {name: len(column) for name, column in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ResultsError(f"{path}: columns of unequal length: {lengths}")
    table = pd.DataFrame(columns)
    table.attrs = {"units": units, "axes": axes, "metrics": metrics, "file": attributes,
                   "objectives": parse_objectives(attributes.get("objectives", ""))}
    return table


def parse_objectives(text):
    """Return [(metric, direction)] of "iteration_time: minimize, mfu: maximize", or of a list of such."""
    parts = re.split(r"[,\n]", text) if isinstance(text, str) else [str(part) for part in text]
    pairs = [part.partition(":") for part in parts if part.strip()]
    return [(name.strip(), direction.strip() or "minimize") for name, _, direction in pairs]


def varied_axes(table):
    """Return the axes and derived values of a table that take more than one value, in its order."""
    return [name for name in table.attrs["axes"] if table[name].nunique(dropna=False) > 1]


def _check_schema(path, file, attributes):
    version = str(attributes.get("schema_version", ""))
    missing = [name for name in ("points", "metrics", *_COLUMNS) if name not in file]
    if not version or missing:
        what = f"no {', '.join(missing)}" if missing else "no attribute schema_version"
        raise ResultsError(f"{path}: not a results file of dse ({what})")
    if version.split(".")[0] != str(SCHEMA_MAJOR):
        raise ResultsError(f"{path}: schema version {version}, this reader understands {SCHEMA_MAJOR}.x; "
                           "use the analysis package of the dse that wrote it")


def _ordered(group):
    """Return the dataset names of a group: as its attribute `order` says, else as the file lists them."""
    names = [name for name in group if isinstance(group[name], h5py.Dataset)]
    order = [str(name) for name in _plain(group.attrs.get("order", []))]
    return [name for name in order if name in names] + [name for name in names if name not in order]


def _column(dataset):
    """Return a dataset as a pandas column: enumerations as categories, strings as str."""
    labels = h5py.check_enum_dtype(dataset.dtype)
    if labels is not None:
        by_code = sorted(labels.items(), key=lambda item: item[1])
        position = {code: index for index, (_, code) in enumerate(by_code)}
        codes = [position.get(code, -1) for code in range(max(position, default=0) + 1)]
        values = np.asarray(codes, dtype=int)[dataset[()].astype(int)]
        return pd.Categorical.from_codes(values, [name for name, _ in by_code])
    if h5py.check_string_dtype(dataset.dtype) is not None:
        return dataset.asstr()[()]
    return dataset[()]


def _plain(value):
    """Return an attribute as str, number or list."""
    if isinstance(value, bytes):
        return value.decode("utf-8")
    if isinstance(value, np.ndarray):
        return [_plain(item) for item in value.tolist()]
    return value.item() if isinstance(value, np.generic) else value
