import h5py
import numpy as np
import pandas as pd
import pytest
from conftest import changed, write_results

from dse_analysis.results import SCHEMA_MAJOR, ResultsError, parse_objectives, read_results, varied_axes
from dse_analysis.summary import summary_text


def test_columns_units_and_order(table):
    assert len(table) == 6
    assert table.attrs["axes"] == ["tp", "network.bandwidth", "schedule"]
    assert table.attrs["metrics"][:2] == ["iteration_time", "compute_time"]
    assert table.attrs["units"]["memory_peak"] == "B"
    assert table.attrs["units"]["network.bandwidth"] == "B/s"
    assert table.attrs["shown_units"] == {}, "the file is older than these attributes"
    assert table["tp"].tolist() == [1, 2, 4, 8, 8, 8]
    assert table["iteration_time"].isna().sum() == 2


def test_enumerations_are_categories(table):
    assert table["status"].tolist()[3:] == ["ok", "out_of_memory", "outside_validity"]
    assert table["schedule"].tolist()[:3] == ["1f1b", "gpipe", "1f1b"]
    assert table["reason"].tolist()[3:5] == ["", "why out_of_memory"]


def test_written_units_are_those_of_the_file(results_file):
    with changed(results_file) as file:
        file["points/network.bandwidth"].attrs.update({"shown_units": "Gbps", "shown_size": 1.25e8})
        file["points/tp"].attrs["shown_units"] = "without a size"
    table = read_results(results_file)
    assert table.attrs["shown_units"] == {"network.bandwidth": ("Gbps", 1.25e8)}
    assert "bandwidth [Gbps]" in summary_text(table)


def test_objectives_of_the_sweep(table):
    assert table.attrs["objectives"][0] == ("iteration_time", "minimize")
    assert parse_objectives(["mfu: maximize", "cost"]) == [("mfu", "maximize"), ("cost", "minimize")]


def test_varied_axes(tmp_path):
    points = {"tp": ([4] * 6, "1"), "pp": ([1, 2, 1, 2, 1, 2], "1")}
    assert varied_axes(read_results(write_results(tmp_path / "x.h5", points=points))) == ["pp", "schedule"]


def test_absent_values_are_missing(results_file):
    with changed(results_file) as file:
        file["points/tp"][1] = np.iinfo(np.int64).min
        file["points/schedule"][1] = -1
    table = read_results(results_file)
    assert table["tp"].isna().tolist() == [False, True, False, False, False, False]
    assert table["schedule"].isna().tolist() == [False, True, False, False, False, False]


def test_flags_are_booleans(results_file):
    with changed(results_file) as file:
        file["points/flash"] = np.array([True, False, True, True, False, True])
    assert read_results(results_file)["flash"].tolist() == [True, False, True, True, False, True]


def test_long_reasons_are_whole(results_file):
    with changed(results_file) as file:
        del file["long_reasons"]
        file["long_reasons/point_id"] = np.array([4], dtype="u8")
        file["long_reasons/text"] = ["why " * 200]
    assert read_results(results_file)["reason"].tolist()[3:5] == ["", "why " * 200]


def test_shard_of_a_running_sweep_is_refused(results_file):
    with changed(results_file) as file:
        file.attrs["kind"] = "dse shard"
    with pytest.raises(ResultsError, match="'dse shard' file, not finished results"):
        read_results(results_file)


@pytest.mark.parametrize("kind", ["", "keras", 7, [1, 2]])
def test_a_file_that_calls_itself_something_else_is_refused(results_file, kind):
    with changed(results_file) as file:
        file.attrs["kind"] = kind
    with pytest.raises(ResultsError, match=r"not a results file of dse: it calls itself '.*', not 'dse results'"):
        read_results(results_file)


def test_newer_minor_version_is_read(tmp_path):
    assert len(read_results(write_results(tmp_path / "x.h5", version=f"{SCHEMA_MAJOR}.7"))) == 6


def test_the_major_version_before_is_read(tmp_path):
    assert len(read_results(write_results(tmp_path / "x.h5", version=f"{SCHEMA_MAJOR - 1}.4"))) == 6


@pytest.mark.parametrize("major", [SCHEMA_MAJOR - 2, SCHEMA_MAJOR + 1])
def test_other_major_versions_are_refused(tmp_path, major):
    with pytest.raises(ResultsError, match=f"schema version {major}.0, this reader understands"):
        read_results(write_results(tmp_path / "x.h5", version=f"{major}.0"))


def test_hdf5_of_something_else_is_refused(tmp_path):
    with changed(tmp_path / "x.h5") as file:
        file["weights"] = np.zeros(3)
    with pytest.raises(ResultsError, match="not a results file of dse"):
        read_results(tmp_path / "x.h5")


def test_what_is_not_hdf5_is_refused(tmp_path):
    (tmp_path / "x.h5").write_text("tp,pp\n" * 100, encoding="utf-8")
    for unsealed in (False, True):
        with pytest.raises(ResultsError, match="x.h5: it is not an HDF5 file"):
            read_results(tmp_path / "x.h5", unsealed=unsealed)


def test_missing_file_is_refused(tmp_path):
    with pytest.raises(ResultsError, match="nothing.h5: no such file"):
        read_results(tmp_path / "nothing.h5")


@pytest.mark.parametrize(("name", "data", "message"), [
    ("metrics/energy", np.float64(1), "'energy' is not a list of values"),
    ("metrics/energy", np.zeros((6, 2)), "'energy' is not a list of values"),
    ("metrics/energy", np.array([b"a"] * 6), "'energy' holds values of type"),
    ("metrics/energy", np.array([(1,)] * 6, dtype=[("a", "f8")]), "'energy' holds values of type"),
    ("status", np.ones(6, dtype="u1"), "'status' holds numbers, not names"),
    ("reason", np.ones(6), "'reason' holds values of type"),
    ("points", np.ones(6), "not a results file of dse")])
def test_columns_of_other_programs_are_refused(results_file, name, data, message):
    with changed(results_file) as file:
        del file[name]
        file[name] = data
    with pytest.raises(ResultsError, match=message):
        read_results(results_file)


def test_a_metric_that_holds_names_is_refused(results_file):
    with changed(results_file) as file:
        del file["metrics/energy"]
        file.create_dataset("metrics/energy", (6,), dtype=h5py.enum_dtype({"A": 0}))
    with pytest.raises(ResultsError, match="'energy' holds names, not numbers"):
        read_results(results_file)


def test_a_column_that_is_named_twice_is_shown_once(results_file):
    with changed(results_file) as file:
        file.attrs["metric_columns"] = ["energy", *file.attrs.get("metric_columns", []), "energy"]
    assert list(read_results(results_file).columns).count("energy") == 1


def test_columns_of_unequal_length_are_refused(results_file):
    with changed(results_file) as file:
        del file["rank"]
        file["rank"] = np.zeros(5, dtype="i4")
    with pytest.raises(ResultsError, match="unequal length"):
        read_results(results_file)


def test_a_file_with_one_flipped_bit_is_refused(results_file):
    good = bytearray(results_file.read_bytes())
    for place in range(0, len(good), 997):
        bad = bytearray(good)
        bad[place] ^= 1 << place % 8
        results_file.write_bytes(bad)
        with pytest.raises(ResultsError, match="no valid seal" if place >= 8 else "not an HDF5 file"):
            read_results(results_file)


def test_files_of_other_programs_are_not_called_damaged(tmp_path):
    with h5py.File(tmp_path / "x.h5", "w"):
        pass
    with pytest.raises(ResultsError, match="not a results file of dse: it is empty"):
        read_results(tmp_path / "x.h5")
    with h5py.File(tmp_path / "x.h5", "r+") as file:
        file.create_group("model_weights")
        file["epochs"] = [1, 2]
    for unsealed in (False, True):
        with pytest.raises(ResultsError, match="not a results file of dse: it holds 'epochs', 'model_weights'"):
            read_results(tmp_path / "x.h5", unsealed=unsealed)


def test_a_file_without_a_seal_is_read_when_asked_and_marked(results_file):
    results_file.write_bytes(results_file.read_bytes()[:-16])
    with pytest.raises(ResultsError, match="no valid seal"):
        read_results(results_file)
    table = read_results(results_file, unsealed=True)
    assert len(table) == 6
    assert table.attrs["unsealed"]
    assert "UNSEALED" in summary_text(table)


def test_the_mark_of_an_unsealed_origin_is_kept(results_file):
    assert not read_results(results_file).attrs["unsealed"]
    with changed(results_file) as file:
        file.attrs["unsealed"] = np.uint64(1)
    assert read_results(results_file).attrs["unsealed"]


def test_goes_into_parquet_and_back(table, tmp_path):
    table.attrs = {}  # pandas would write them as JSON, and tuples would not come back
    table.to_parquet(tmp_path / "x.parquet")
    back = pd.read_parquet(tmp_path / "x.parquet")
    assert back.columns.tolist() == table.columns.tolist()
    pd.testing.assert_frame_equal(back, table)
