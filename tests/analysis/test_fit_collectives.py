import numpy as np
import pandas as pd
import pytest

from dse_analysis import fit_collectives

CONSTANTS = [5.0, 2.0, 0.25, 25.0, 1.5, 0.8]


def by_the_form(gpu):
    rows = [{"gpu": gpu, "op_name": "all_reduce", "num_gpus": members, "message_bytes": 2**power}
            for members in (2, 4, 8) for power in range(9, 30, 2)]
    table = pd.DataFrame(rows)
    microseconds = fit_collectives.time([*np.log(CONSTANTS), 0.2], table, np.full(len(table), 450.0))
    return table.assign(latency_s=microseconds * 1e-6)


def test_the_sooner_way_decides():
    table = pd.DataFrame({"op_name": ["all_gather"] * 2, "num_gpus": [2, 2], "message_bytes": [512, 2**30]})
    short, long = fit_collectives.time([*np.log(CONSTANTS), 0.0], table, np.full(2, 450.0))
    assert short == pytest.approx(5.0 + 2.0 + 256 / (0.25 * 450e3), rel=3e-3)
    assert long == pytest.approx(25.0 + 1.5 + 2**29 / (0.8 * 450e3), rel=3e-2)


def test_constants_come_back_and_meet_what_is_held_out():
    table = pd.concat([by_the_form("h100_sxm"), by_the_form("h200_sxm")], ignore_index=True)
    found = fit_collectives.fit(table, np.full(len(table), 450.0))
    assert np.exp(found[:6]) == pytest.approx(CONSTANTS, rel=1e-2)
    assert found[6] == pytest.approx(0.2, abs=1e-2)
    by_size, by_system = fit_collectives.held_out(table)
    assert len(by_size) == 4 and len(by_system) == 2
    assert pd.concat(by_size)["error"].max() < 0.02


def test_a_generation_follows_its_short_all_gather():
    """Latencies of Blackwell are twice those of Hopper, its links twice as fast; no row of it is known but that."""
    hopper = by_the_form("h100_sxm")
    unit = np.full(len(hopper), 2.0)
    seconds = fit_collectives.time([*np.log(CONSTANTS), 0.2], hopper, np.full(len(hopper), 900.0), unit) * 1e-6
    table = pd.concat([hopper, hopper.assign(gpu="b200_sxm", latency_s=seconds)], ignore_index=True)
    errors = pd.concat(fit_collectives.generation_held_out(table, {"h100_sxm": 1.0, "b200_sxm": 2.0}))
    assert set(errors["gpu"]) == {"h100_sxm", "b200_sxm"}
    assert errors["error"].max() < 0.02


def test_the_short_all_gather_is_that_of_two_devices():
    rows = pd.DataFrame({"gpu": "h100_sxm", "op_name": ["all_gather"] * 3 + ["all_reduce"], "num_gpus": [2, 2, 4, 2],
                         "message_bytes": [512, 2**20, 512, 512], "latency_s": [5e-6, 9e-6, 7e-6, 6e-6]})
    assert fit_collectives.short_all_gather(rows, ["h100_sxm"]) == pytest.approx(5.0)


def test_all_reduces_that_switches_do_not_add_are_left_out_where_they_add():
    rows = pd.DataFrame([{"gpu": gpu, "op_name": kind, "nccl_dtype": name} for gpu in ("a100_sxm", "h200_sxm", "b200_sxm")
                         for kind in ("all_reduce", "all_gather") for name in ("half", "int8")])
    left_out = rows.drop(fit_collectives.by_switches(rows).index)
    assert left_out.to_numpy().tolist() == [["h200_sxm", "all_reduce", "int8"]]
    assert len(fit_collectives.by_switches(rows.drop(columns="nccl_dtype"))) == len(rows)


def test_a_system_held_out_is_printed_by_system(tmp_path, capsys):
    table = tmp_path / "nccl.csv"
    pd.concat([by_the_form("h100_sxm"), by_the_form("h200_sxm")]).to_csv(table, index=False)
    assert fit_collectives.main([str(table)]) == 0
    lines = capsys.readouterr().out.splitlines()
    first = next(place for place, line in enumerate(lines) if line.startswith("a system held out: up to 64 KiB 0.0%"))
    assert [line.split(":")[0] for line in lines[first + 1:first + 3]] == ["  h100_sxm", "  h200_sxm"]
