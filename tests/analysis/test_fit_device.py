import numpy as np
import pandas as pd
import pytest

from dse_analysis import fit_device
from test_device_kernels import products, warnings_of
from test_nccl_log import nccl_log

BASE = ["--base", "h100_sxm", "--rate", "1e15", "--bandwidth", "3e12"]


def test_a_device_file_is_based_on_its_datasheet(tmp_path, capsys):
    rows, output = tmp_path / "rows.csv", tmp_path / "mine.yaml"
    products().to_csv(rows, index=False)
    assert fit_device.main(["--kernels", str(rows), *BASE, "-o", str(output)]) == 0
    text = output.read_text()
    assert "base: h100_sxm\n" in text
    assert "\nmatmul:\n  sustained:\n    bf16: {value: 70" in text
    assert text.count("\nmatmul:") == 1
    assert "fitted on rows.csv by dse fit" in text
    assert "held out: median" in capsys.readouterr().out


def test_a_base_of_ones_own_is_named_from_the_output(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    assert fit_device.base_beside("out/mine.yaml", "chips/mine.yaml") == "../chips/mine.yaml"
    assert fit_device.base_beside("mine2.yaml", "mine.yaml") == "./mine.yaml"
    assert fit_device.base_beside("out/mine.yaml", "h100_sxm") == "h100_sxm"


def test_a_file_that_cannot_be_written_says_which(tmp_path, capsys):
    rows = tmp_path / "rows.csv"
    products().to_csv(rows, index=False)
    assert fit_device.main(["--kernels", str(rows), *BASE, "-o", str(tmp_path / "none" / "mine.yaml")]) == 2
    assert "mine.yaml': No such file or directory" in capsys.readouterr().err


def test_products_in_fp8_are_not_fitted_as_bf16(tmp_path, capsys):
    for column in ("format", "precision"):
        rows, output = tmp_path / "rows.csv", tmp_path / "mine.yaml"
        products().assign(format="fp8").rename(columns={"format": column}).to_csv(rows, index=False)
        assert fit_device.main(["--kernels", str(rows), *BASE, "-o", str(output)]) == 2
        assert "36 products in fp8 are left out (the device states no peak in fp8)" in capsys.readouterr().err


def test_fp16_is_fitted_as_bf16(tmp_path):
    rows, output = tmp_path / "rows.csv", tmp_path / "mine.yaml"
    products().drop(columns="format").assign(precision="fp16").to_csv(rows, index=False)
    assert fit_device.main(["--kernels", str(rows), *BASE, "-o", str(output)]) == 0


def test_a_constant_at_its_bound(tmp_path, capsys):
    # 1.4 times the peak: microseconds were mistaken, or the device.
    rows = products().assign(seconds=lambda table: table["seconds"] / 2)
    assert any("set to 0.99 of the datasheet's peak" in text for text in warnings_of(rows))
    path, output = tmp_path / "rows.csv", tmp_path / "mine.yaml"
    rows.to_csv(path, index=False)
    assert fit_device.main(["--kernels", str(path), *BASE, "-o", str(output)]) == 0
    assert "dse: warning: matmul.sustained would be" in capsys.readouterr().err
    assert "# warning: matmul.sustained would be" in output.read_text()


def test_columns_of_other_units_are_read(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("m,n,k,microseconds\n16,32,64,5\n16,32,128,6\n")
    rows = fit_device.read_kernels(path)
    assert rows["seconds"].tolist() == pytest.approx([5e-6, 6e-6])
    assert rows["operator"].tolist() == ["gemm", "gemm"]


def test_spaces_around_values_do_not_matter(tmp_path):
    path = tmp_path / "rows.csv"
    path.write_text("operator , format , m , n , k , seconds\n gemm , bf16 , 1 , 2 , 3 , 1e-5 \n")
    rows = fit_device.read_kernels(path)
    assert rows.iloc[0].to_dict() == {"operator": "gemm", "format": "bf16", "m": 1, "n": 2, "k": 3, "seconds": 1e-5}


def test_a_network_comes_back(tmp_path):
    sizes = [2**power for power in range(9, 31)]
    rows = pd.DataFrame({"kind": "all_reduce", "members": 8, "bytes": sizes})
    truth = np.array([np.log(9e-6), np.log(1e-6), 1.5, 0.2])
    times = fit_device.collectives_model(450e9)(truth, rows)
    log, output = tmp_path / "log.txt", tmp_path / "network.yaml"
    log.write_text(nccl_log([(size, time * 1e6) for size, time in zip(sizes, times)]))
    assert fit_device.main(["--nccl", str(log), "--link", "450", *BASE, "-o", str(output)]) == 0
    assert "network:\n  scale_up:\n    latency: {value:" in output.read_text()
    assert fit_device.main(["--nccl", str(log), *BASE, "-o", str(output)]) == 2
