from pathlib import Path

from dse_analysis import serving_throughput

DATA = Path(__file__).parents[2]


def test_reads_the_shipped_table():
    rows = serving_throughput.read_table(DATA / serving_throughput.TABLE)
    assert len(rows) == 18
    assert rows[0] == {"model": "llama3_70b", "tp": "2", "prompt": "128", "output": "2048", "tokens_per_second": "6651"}


def test_a_row_is_a_sweep_of_one_point():
    sweep = serving_throughput.sweep_of({"model": "llama3_8b", "tp": "1", "prompt": "500", "output": "2000"})
    assert sweep["workload"]["traffic"]["prompt"] == 500 and sweep["workload"]["traffic"]["output"] == 2000
    assert sweep["system"]["devices"] == 1 and sweep["axes"]["tp"] == [1]
