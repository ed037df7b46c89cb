import pathlib

import numpy as np
import pandas as pd
import pytest
from conftest import changed

from dse_analysis.parquet import main, write_parquet
from dse_analysis.results import read_results, with_results


def test_rows_come_back(results_file, tmp_path):
    output = tmp_path / "rows.parquet"
    assert main([str(results_file), str(output)]) == 0
    pd.testing.assert_frame_equal(pd.read_parquet(output), read_results(results_file))
    assert not (tmp_path / "rows.parquet.unfinished").exists()


def test_blocks_are_one_table(results_file, tmp_path):
    with changed(results_file) as file:
        file["points/tp"][4] = np.iinfo(np.int64).min  # absent, but in the last block only
    output = tmp_path / "rows.parquet"
    with_results(results_file, lambda results: write_parquet(results, output, block=2))
    back, whole = pd.read_parquet(output), read_results(results_file)
    assert back["tp"].isna().tolist() == [False] * 4 + [True, False]
    pd.testing.assert_frame_equal(back, whole, check_dtype=False)


@pytest.mark.skipif(not pathlib.Path("/dev/full").exists(), reason="no device that is always full")
def test_a_full_disk_is_said_in_words(results_file, tmp_path, capsys):
    output = tmp_path / "rows.parquet"
    (tmp_path / "rows.parquet.unfinished").symlink_to("/dev/full")
    assert main([str(results_file), str(output)]) == 2
    assert capsys.readouterr().err == f"dse: cannot write '{output}': No space left on device\n"
    assert not output.exists()


def test_unsealed_rows_are_marked(results_file, tmp_path, capsys):
    results_file.write_bytes(results_file.read_bytes()[:-16])
    output = tmp_path / "rows.parquet"
    assert main([str(results_file), str(output)]) == 2
    assert "no valid seal" in capsys.readouterr().err
    assert not output.exists()
    assert main([str(results_file), str(output), "--unsealed"]) == 0
    assert pd.read_parquet(output)["unsealed"].all()
