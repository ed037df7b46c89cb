"""The package dse, as the wheel has it (tests/python/build_wheel.sh)."""

import os
import pathlib
import pickle
import signal
import subprocess
import sys
import time

import dse
import numpy as np
import pytest

SWEEPS = pathlib.Path(__file__).parents[2] / "sweeps"
SMOKE = SWEEPS / "smoke.yaml"
FULL = {"tp": 8, "pp": 1, "microbatch": 1, "zero": 1, "recompute": "none", "schedule": "1f1b"}


def row(table, values):
    for name, value in values.items():
        table = table[table[name] == value]
    assert len(table) == 1
    return table.iloc[0]


def test_answers_are_those_of_the_program(tmp_path):
    sweep = dse.Sweep(SMOKE)
    table = sweep.sweep(output=tmp_path / "smoke.h5")
    answer = sweep.evaluate(**FULL)
    assert answer["status"] == "ok" and answer["reason"] == ""
    same = row(table, FULL)
    for metric in ("iteration_time", "memory_peak", "energy", "mfu"):
        assert answer[metric] == same[metric], metric
    assert len(dse.read_results(tmp_path / "smoke.h5")) == len(table) == 360
    full = sweep.evaluate(**FULL | {"tp": 1, "pp": 4, "microbatch": 2})
    assert full["status"] == "out_of_memory" and full["reason"].startswith("needs ") and "mfu" not in full


def test_open_axes_take_the_first_value_that_is_valid():
    sweep = dse.Sweep(SMOKE)
    # schedule gpipe comes first, but without a pipeline all schedules are 1f1b here.
    assert sweep.evaluate(pp=1, tp=8)["iteration_time"] == sweep.evaluate(**FULL | {"zero": 0})["iteration_time"]
    assert sweep.axes["recompute"] == ["none", "selective", "full"] and sweep.axes["tp"] == [1, 2, 4, 8]
    assert sweep.objectives == {"iteration_time": "minimize", "memory_peak": "minimize"}


def test_settings_are_those_of_the_command_line():
    half = dse.Sweep(SMOKE, devices=16, global_batch=32)
    assert half.evaluate(**FULL)["iteration_time"] != dse.Sweep(SMOKE).evaluate(**FULL)["iteration_time"]
    slow = dse.Sweep(SMOKE, **{"cluster.network.scale_up.bandwidth": "100 GB/s"})
    assert slow.evaluate(**FULL)["iteration_time"] > dse.Sweep(SMOKE).evaluate(**FULL)["iteration_time"]


def test_quantities_are_numbers_or_text(tmp_path):
    file = tmp_path / "links.yaml"
    file.write_text("name: links\nworkload: {model: llama3_8b, global_batch: 8, sequence: 4096}\n"
                    "system: {cluster: h100_ndr400, devices: 8}\n"
                    "axes: {tp: [8], scale_up.bandwidth: [100 GB/s, 450 GB/s], sequence_parallel: [true, false]}\n"
                    "metrics: {us_a_token: iteration_time * 1e6 / (8 * 4096)}\nobjectives: {us_a_token: minimize}\n")
    sweep = dse.Sweep(file)
    text = sweep.evaluate(**{"scale_up.bandwidth": "100 GB/s", "sequence_parallel": False})
    assert text == sweep.evaluate(**{"scale_up.bandwidth": 1e11, "sequence_parallel": 0})
    assert text["us_a_token"] == pytest.approx(text["iteration_time"] * 1e6 / 32768)
    assert sweep.axes["sequence_parallel"] == [True, False]


def test_names_and_numbers_may_be_written_as_on_the_command_line(tmp_path):
    file = tmp_path / "links.yaml"
    file.write_text("name: links\nworkload: {model: llama3_8b, global_batch: 8, sequence: 4096}\n"
                    "system: {cluster: h100_ndr400, devices: 8}\n"
                    "axes: {tp: [4, 8], cluster.network.scale_up.bandwidth: [100 GB/s, 450 GB/s]}\n"
                    "objectives: {iteration_time: minimize}\n")
    sweep = dse.Sweep(file)
    short = sweep.evaluate(**{"tp": "8", "scale_up.bandwidth": "100 GB/s"})
    assert short == sweep.evaluate(**{"tp": 8, "cluster.network.scale_up.bandwidth": 1e11})


def test_an_empty_space_says_so():
    with pytest.raises(dse.InputError, match="no point is in the space"):
        dse.Sweep(SMOKE, devices=33).evaluate()


def test_options_are_a_list():
    with pytest.raises(TypeError, match="list of words"):
        dse.Sweep(SMOKE).sweep(options="--quiet")


def test_a_sweep_needs_a_process(monkeypatch):
    with pytest.raises(ValueError, match="ranks is 0"):
        dse.Sweep(SMOKE).sweep(ranks=0)
    for ranks in (1.5, "2"):
        with pytest.raises(TypeError, match="integer"):
            dse.Sweep(SMOKE).sweep(ranks=ranks)
    monkeypatch.setattr("dse._sweep.program", lambda: "false")  # ends with 1 and without results
    with pytest.raises(ValueError, match="ended with 1, and did not say why"):
        dse.Sweep(SMOKE).sweep()


def test_the_package_says_what_it_is():
    assert dse.__version__ and repr(dse.Sweep(SMOKE)) == f"Sweep('{SMOKE}')"


def test_a_point_has_parts_and_its_critical_path():
    point = dse.point(SMOKE, what_if=False, tp=8, pp=1)
    parts = point["parts"]
    path = parts["compute"] + sum(parts["communication"].values()) + parts["message"] + parts["idle"]
    assert path == pytest.approx(point["metrics"]["iteration_time"], rel=1e-9), "no pipeline, no bubble"
    assert point["critical_path"]["operators"] and point["memory"]


@pytest.mark.parametrize("axes, says", [
    ({"tq": 8}, "has no axis 'tq' (did you mean 'tp'?)"),
    ({"tp": 3}, "axis 'tp' has no value 3 (it has 1, 2, 4, 8)"),
    ({"tp": 8.5}, "axis 'tp' has no value 8.5 (it has 1, 2, 4, 8)"),
    ({"tp": float("inf")}, "axis 'tp' has no value inf (it has 1, 2, 4, 8)"),
    ({"recompute": 2}, "axis 'recompute' has no value 2 (it has none, selective, full)"),
    ({"tp": "eight"}, "axis 'tp' has no value 'eight' (it has 1, 2, 4, 8)"),
    ({"pp": 1, "schedule": "gpipe"}, "no point of the space has these values: pp=1 schedule='gpipe'"),
])
def test_what_is_no_point_is_an_exception(axes, says):
    with pytest.raises(dse.InputError) as error:
        dse.Sweep(SMOKE).evaluate(**axes)
    assert says in str(error.value)


@pytest.mark.parametrize("value, says", [(None, "a value is a number or text, not NoneType"), ([8], "a value is a number or text, not list"),
                                         ("\ud800", "the text is not valid Unicode")])
def test_what_is_no_value_is_a_type_error(value, says):
    with pytest.raises(TypeError, match=f"axis 'tp': {says}"):
        dse.Sweep(SMOKE).evaluate(tp=value)


def test_errors_have_the_text_of_the_program(tmp_path):
    file = tmp_path / "wrong.yaml"
    file.write_text(SMOKE.read_text(encoding="utf-8").replace("model: llama3_8b", "modle: llama3_8b"), encoding="utf-8")
    printed = subprocess.run([dse.program(), "run", file], capture_output=True, text=True, check=False).stderr
    for wrong in (lambda: dse.Sweep(file), lambda: dse.point(file)):
        with pytest.raises(ValueError) as error:
            wrong()
        assert str(error.value) == printed.strip().removeprefix("dse: ")


def test_the_program_of_the_wheel_finds_its_data(tmp_path):
    environment = {name: value for name, value in os.environ.items() if name != "DSE_DATA"}
    run = subprocess.run([dse.program(), "list", "models"], cwd=tmp_path, env=environment, capture_output=True, text=True,
                         check=True)
    assert "llama3_8b" in run.stdout


def test_overhead_is_below_ten_microseconds():
    sweep = dse.Sweep(SMOKE)
    times = 2000

    def with_python():
        begin = time.process_time()
        for _ in range(times):
            sweep.evaluate(**FULL)
        return time.process_time() - begin

    alone = min(sweep._native._seconds_of(times, **FULL) for _ in range(5)) / times
    whole = min(with_python() for _ in range(5)) / times
    print(f"{(whole - alone) * 1e6:.1f} us a point beside {alone * 1e6:.1f} us of evaluation")
    assert whole - alone < 10e-6


def test_a_sweep_can_be_sent_to_another_process():
    sweep = dse.Sweep(SMOKE, devices=16, global_batch=32)
    again = pickle.loads(pickle.dumps(sweep))
    assert repr(again) == repr(sweep) and again.evaluate(**FULL) == sweep.evaluate(**FULL)


def test_a_sweep_stays_the_same_in_another_folder(tmp_path, monkeypatch):
    monkeypatch.chdir(SMOKE.parent)
    sweep = dse.Sweep(SMOKE.name, tp=8, pp=1)
    sent = pickle.dumps(sweep)
    monkeypatch.chdir(tmp_path)
    assert pickle.loads(sent).evaluate(**FULL) == sweep.evaluate(**FULL)
    assert len(sweep.sweep()) > 0


def test_numbers_of_32_bits_are_the_values_nearest_to_them(tmp_path):
    file = tmp_path / "links.yaml"
    file.write_text("name: links\nworkload: {model: llama3_8b, global_batch: 8, sequence: 4096}\n"
                    "system: {cluster: h100_ndr400, devices: 8}\n"
                    "axes: {tp: [8], cluster.network.scale_up.bandwidth: [100 GB/s, 450 GB/s],\n"
                    "       a: {from: 0, to: 1000000, step: 0.25}}\nrequire: [a >= 0]\nobjectives: {iteration_time: minimize}\n")
    sweep = dse.Sweep(file)
    narrow = sweep.evaluate(**{"scale_up.bandwidth": np.float32(450e9), "a": np.float32(0.25)})
    assert narrow == sweep.evaluate(**{"scale_up.bandwidth": 450e9, "a": 0.25})
    with pytest.raises(dse.InputError, match="has no value"):
        sweep.evaluate(**{"scale_up.bandwidth": 450.001e9})
    with pytest.raises(dse.InputError, match="'cluster.network.scale_up.bandwidth' is given twice"):
        sweep.evaluate(**{"scale_up.bandwidth": 450e9, "cluster.network.scale_up.bandwidth": 100e9})
    steps = sweep.axes["a"]
    assert len(steps) == 4000001 and steps[-1] == 1000000 and list(steps[1:3]) == [0.25, 0.5]
    assert 0.75 in steps and 0.3 not in steps


def test_an_error_under_mpirun_is_that_of_dse(monkeypatch):
    for name in ("OMPI_ALLOW_RUN_AS_ROOT", "OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "OMPI_MCA_rmaps_base_oversubscribe"):
        monkeypatch.setenv(name, "1")
    with pytest.raises(dse.InputError) as error:
        dse.Sweep(SMOKE).sweep(ranks=2, options=["--oops"])
    assert str(error.value).startswith("unknown option --oops") and "-----" not in str(error.value)


def test_an_interrupt_leaves_the_program_time_to_end(tmp_path, monkeypatch):
    ended = tmp_path / "ended"
    script = tmp_path / "slow"
    script.write_text(f"#!/bin/sh\ntrap 'sleep 1; touch {ended}; exit 130' INT\nsleep 30 >/dev/null 2>&1 & wait\n")
    script.chmod(0o755)
    code = f"import dse, dse._sweep\ndse._sweep.program = lambda: {str(script)!r}\ndse.Sweep({str(SMOKE)!r}).sweep()"
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True, start_new_session=True) as process:
        time.sleep(3)
        os.killpg(process.pid, signal.SIGINT)
        said = process.communicate(timeout=20)[1]
    assert "KeyboardInterrupt" in said and ended.exists()


def test_a_long_axis_is_a_range(tmp_path):
    file = tmp_path / "long.yaml"
    file.write_text("name: long\nworkload: {model: llama3_8b, global_batch: 8, sequence: 4096}\n"
                    "system: {cluster: h100_ndr400, devices: 8}\n"
                    "axes: {tp: [8], a: {from: 1, to: 1000000000}, b: {from: 1, to: 1000000000}}\n"
                    "require: [a + b > 3000000000]\nobjectives: {iteration_time: minimize}\n")
    sweep = dse.Sweep(file)
    assert sweep.axes["a"] == range(1, 1000000001)
    start = time.perf_counter()
    with pytest.raises(dse.InputError, match="no point of the space"):
        sweep.evaluate(tp=8, a=1000000000, b=1000000000)
    with pytest.raises(dse.InputError, match="1000000001"):
        sweep.evaluate(tp=8, a=1000000001)
    assert time.perf_counter() - start < 0.5, "values are looked up, not searched for"
    with pytest.raises(dse.InputError, match="no point of the space was found with these values"):
        sweep.evaluate(tp=8)


def test_a_number_without_a_place_says_so():
    with pytest.raises(TypeError, match="axis 'tp': a number so large"):
        dse.Sweep(SMOKE).evaluate(tp=10**400)
