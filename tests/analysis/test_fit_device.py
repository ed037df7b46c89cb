import json

import numpy as np
import pandas as pd
import pytest

from dse_analysis import fit_device

DATASHEET = {"rate": 1e15, "bandwidth": 3e12}
BASE = ["--base", "h100_sxm", "--rate", "1e15", "--bandwidth", "3e12"]


def products():
    sizes = [(m, n, k) for m in (1, 64, 1024, 8192) for n in (1024, 4096, 16384) for k in (1024, 4096, 16384)]
    rows = pd.DataFrame(sizes, columns=["m", "n", "k"]).assign(operator="gemm", format="bf16")
    truth = np.log([7e14, 2.4e12, 2e5, 150, 3, 4e-6])
    return rows.assign(seconds=fit_device.products_model(2.0)(truth, rows))


def nccl_log(rows, members=8, title="# Collective test starting: all_reduce_perf"):
    ranks = [f"#  Rank {rank:2} Group  0 Pid 1 on node device {rank} [0x00] NVIDIA" for rank in range(members)]
    lines = [f"{size:12} {size // 4:12} float sum -1 {time:.2f} 1.00 1.75 0 {time:.2f} 1.00 1.75 0" for size, time in rows]
    return "\n".join([title, *ranks, "#       size         count      type", *lines, "# Avg bus bandwidth : 3", ""])


def test_products_come_back():
    fitted = fit_device.Fitted("by hand")
    known = fit_device.fit_products(products(), DATASHEET, fitted)
    assert known["rate"] == pytest.approx(7e14, rel=0.02)
    assert known["latency"] == pytest.approx(4e-6, rel=0.02)
    assert "median 0." in fitted.report[0]


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
        assert "0 products in bf16" in capsys.readouterr().err


def test_fp16_is_fitted_as_bf16(tmp_path):
    rows, output = tmp_path / "rows.csv", tmp_path / "mine.yaml"
    products().drop(columns="format").assign(precision="fp16").to_csv(rows, index=False)
    assert fit_device.main(["--kernels", str(rows), *BASE, "-o", str(output)]) == 0


def warnings_of(rows):
    fitted = fit_device.Fitted("by hand")
    fit_device.fit_kernels(rows, DATASHEET, fitted)
    return fitted.warnings


def test_all_constants_of_rows_of_all_sizes_are_determined():
    assert warnings_of(products()) == []


def test_constants_that_rows_leave_open():
    rows = products()
    assert "warning: matmul.depth is not determined by these rows: all rows have k = 4096" in warnings_of(rows[rows["k"] == 4096])
    # Single rows wait for their weights, whatever the arithmetic takes.
    single = warnings_of(pd.concat([rows[rows["m"] == 1]] * 2))
    assert any(text.startswith("warning: matmul.sustained is not determined") for text in single)


def test_a_constant_at_its_bound(tmp_path, capsys):
    # 1.4 times the peak: microseconds were mistaken, or the device.
    rows = products().assign(seconds=lambda table: table["seconds"] / 2)
    assert any("set to 0.99 of the datasheet's peak" in text for text in warnings_of(rows))
    path, output = tmp_path / "rows.csv", tmp_path / "mine.yaml"
    rows.to_csv(path, index=False)
    assert fit_device.main(["--kernels", str(path), *BASE, "-o", str(output)]) == 0
    assert "dse: warning: matmul.sustained would be" in capsys.readouterr().err
    assert "# warning: matmul.sustained would be" in output.read_text()


def test_rows_of_one_size_cannot_be_tested():
    rows = products()
    with pytest.raises(fit_device.FitError, match="all 40 rows have n = 4096, k = 4096: none of another size is left"):
        warnings_of(pd.concat([rows[(rows["n"] == 4096) & (rows["k"] == 4096)]] * 10))


def test_classes_with_too_few_rows_are_left_out():
    few = pd.DataFrame({"operator": "elementwise", "shape": ["64x64"] * 3, "operands": 2, "seconds": 1e-5})
    assert warnings_of(pd.concat([products(), few])) == [
        "warning: 3 element-wise rows (a fit needs 10): their constants stay those of the device"]
    with pytest.raises(fit_device.FitError, match=r"3 products in bf16 \(a fit needs 10\); 3 element-wise rows"):
        warnings_of(pd.concat([products()[:3], few]))


def test_two_groups_are_held_out_in_turn():
    rows = pd.DataFrame({"n": [1, 1, 3, 3]})
    for other in range(2, 40):
        assert len(set(fit_device.folds_of(rows.replace(3, other), ["n"]))) == 2


def test_attention_with_an_8_bit_cache_is_another_kernel():
    sizes = [(heads, width, length) for heads in (8, 16, 32) for width in (64, 128) for length in (4096, 16384)]
    rows = pd.DataFrame(sizes, columns=["heads", "head_dim", "queries"])
    rows = rows.assign(operator="prefill", batch=1, kv_heads=8, format="bf16", cache="", keys=rows["queries"])
    known = {"rate": 7e14, "bandwidth": 3e12, "latency": 4e-6}
    rows = rows.assign(seconds=fit_device.attention_model(known)(np.array([0.5, np.log(32), np.log(600)]), rows))
    fitted = fit_device.Fitted("by hand")
    fit_device.fit_attention(pd.concat([rows, rows.assign(cache="fp8", seconds=rows["seconds"] / 2)]), known, fitted)
    assert "11 rows  held out: median 0.0%" in fitted.report[0]


def test_a_chip_without_products_in_16_bits_is_not_fitted():
    with pytest.raises(fit_device.FitError, match="no peak in bf16 or fp16"):
        fit_device.fit_kernels(products(), DATASHEET | {"rate": 0.0}, fit_device.Fitted("by hand"))


def test_what_nccl_tests_print(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text(nccl_log([(1024, 12.5), (1 << 20, 40.0)]))
    rows = fit_device.read_nccl(log, None)
    assert rows["bytes"].tolist() == [1024, 1 << 20]
    assert rows["seconds"].tolist() == pytest.approx([12.5e-6, 40e-6])
    assert set(rows["kind"]) == {"all_reduce"} and set(rows["members"]) == {8}


def test_a_log_of_several_tests(tmp_path):
    log = tmp_path / "log.txt"
    gather = nccl_log([(2048, 20.0)], members=4, title="# Collective test starting: all_gather_perf")
    log.write_text(nccl_log([(1024, 12.5)]) + gather)
    rows = fit_device.read_nccl(log, "all_reduce")
    assert rows["kind"].tolist() == ["all_reduce", "all_gather"]
    assert rows["members"].tolist() == [8, 4]
    # Older versions have no title: the ranks are those of another test. mpirun and srun label every line.
    labelled = nccl_log([(1024, 12.5)], title="#") + nccl_log([(2048, 20.0)], members=2, title="#")
    for label in ("[1,0]<stdout>:", "[1,0]<stdout>: ", "0: "):
        log.write_text("".join(label + line + "\n" for line in labelled.splitlines()))
        assert fit_device.read_nccl(log, "all_to_all")["members"].tolist() == [8, 2]


def test_the_json_of_nccl_tests(tmp_path):
    log = tmp_path / "log.json"
    devices = [{"rank": rank, "group": 0, "device": rank} for rank in range(8)]
    row = {"size": 1024, "count": 256, "type": "float", "redop": "sum", "root": "-1",
           "out_of_place": {"time": 12.5, "alg_bw": 0.08, "bus_bw": 0.14, "nwrong": 0},
           "in_place": {"time": 13.0, "alg_bw": 0.08, "bus_bw": 0.14, "nwrong": 0}}
    report = {"version": 3, "args": ["./build/alltoall_perf", "-J", "x"], "config": {"nthreads": 1, "devices": devices},
              "results": [row, row | {"size": 4096, "out_of_place": None}]}
    log.write_text(json.dumps(report))
    rows = fit_device.read_nccl(log, None)
    assert rows["seconds"].tolist() == pytest.approx([12.5e-6, 13e-6])
    assert set(rows["kind"]) == {"all_to_all"} and set(rows["members"]) == {8}
    for wrong, message in ((report | {"results": None}, "no list 'results'"),
                           (report | {"results": [row | {"out_of_place": {"cpu_time": 3.0}}]}, "time of the CPU"),
                           (report | {"results": [{"size": 1024}]}, r"results\[0\]: states no size or no time"),
                           (report | {"args": ["./build/sendrecv_perf"]}, "is of sendrecv, which is not fitted")):
        log.write_text(json.dumps(wrong))
        with pytest.raises(fit_device.FitError, match=message):
            fit_device.read_nccl(log, None)


def test_rows_without_type_columns_are_read_too(tmp_path):
    log = tmp_path / "log.txt"
    log.write_text(nccl_log([], title="#") + "    1048576    262144     float    40.00   1.00   1.75      0    39.00   1.00   1.75      0\n")
    assert fit_device.read_nccl(log, "all_gather")["seconds"].tolist() == pytest.approx([40e-6])
    # A heading says where the time stands, also where neither root nor a decimal point tells it from others.
    heading = "#       size         count      type   redop     time   algbw   busbw  error\n"
    log.write_text(nccl_log([], title="#") + heading + "    1048576    262144     float     sum  1234567   1.00   1.75  0e+00\n")
    assert fit_device.read_nccl(log, "all_reduce")["seconds"].tolist() == pytest.approx([1.234567])


@pytest.mark.parametrize("text, collective, message", [
    ("1024 256 float\n", "all_reduce", "log.txt:1: not a row of nccl-tests"),
    ("1024 256 float sum -1 nan 0.1 0.1 0\n", "all_reduce", "log.txt:1: nan us is not the time of a collective"),
    ("1024 256 float sum -1 -5.0 0.1 0.1 0\n", "all_reduce", "log.txt:1: -5.0 us is not the time of a collective"),
    ("9" * 23 + " 256 float sum -1 5.0 0.1 0.1 0\n", "all_reduce", "bytes are more than any message has"),
    ("# nothing\n", "all_reduce", "contains no row of nccl-tests"),
    ("{", "all_reduce", "is not the JSON of nccl-tests"),
    ("#  size  count  type  redop  root  cputime  algbw  busbw\n1024 256 float sum -1 5.0 0.1 0.1 0\n", "all_reduce",
     "log.txt:1: the times are those of the CPU"),
    (nccl_log([(1024, 12.5)], title="#"), None, "does not state its collective"),
    (nccl_log([(1024, 12.5)], members=0), None, "no list of at least two ranks")])
def test_what_is_wrong_with_a_log(tmp_path, text, collective, message):
    log = tmp_path / "log.txt"
    log.write_text(text)
    with pytest.raises(fit_device.FitError, match=message):
        fit_device.read_nccl(log, collective)


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
