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
