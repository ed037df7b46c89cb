import os
import pathlib
import subprocess
import sys

import matplotlib

matplotlib.use("Agg")

import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
import pytest  # noqa: E402
from conftest import write_results  # noqa: E402

from matplotlib import pyplot as plt  # noqa: E402
from matplotlib.colors import to_rgb  # noqa: E402

from dse_analysis import figures  # noqa: E402
from dse_analysis.__main__ import axes_of, main, parse_arguments  # noqa: E402
from dse_analysis.meaning import MEMORY_PARTS  # noqa: E402
from dse_analysis.results import read_results  # noqa: E402


def test_front_info_by_hand(table):
    info = figures.front_info(table)
    assert info.x.tolist() == [4.0, 3.0, 2.0, 2.5]
    assert info.y.tolist() == [10.0, 20.0, 40.0, 30.0]  # GiB
    assert info.labels == ("iteration time [s]", "memory peak [GiB]")
    assert info.on_front.tolist() == [True] * 4
    assert info.color_name == "tp"
    assert info.color_labels == ["1", "2", "4", "8"]
    assert info.color_codes.tolist() == [0, 1, 2, 3]
    assert info.counts == {"ok": 4, "out_of_memory": 1, "outside_validity": 1}
    assert info.limit == pytest.approx(80.0)


def test_front_info_of_a_quantity_and_a_label(table):
    info = figures.front_info(table, color="network.bandwidth")
    assert (info.color_name, info.color_labels) == ("bandwidth [GB/s]", ["25", "50"])
    assert figures.front_info(table, color="schedule").color_labels == ["1f1b", "gpipe"]


def test_front_info_of_a_flag(table):
    table["flash"] = [True, False, True, True, False, True]
    info = figures.front_info(table, color="flash")
    assert (info.color_labels, info.color_codes.tolist()) == (["no", "yes"], [1, 0, 1, 1])


def test_a_front_for_each_value_of_an_axis(table):
    info = figures.front_info(table, by="network.bandwidth", mark=3)
    # 25 GB/s: (4 s, 10 GiB) and (3 s, 20 GiB); 50 GB/s: (2 s, 40 GiB) and (2.5 s, 30 GiB).
    assert [text for text, _ in info.fronts] == ["bandwidth = 25 GB/s", "bandwidth = 50 GB/s"]
    assert [positions.tolist() for _, positions in info.fronts] == [[0, 1], [2, 3]]
    assert info.color_name == "bandwidth [GB/s]"
    assert info.marked == 3
    assert figures.spread(info, 2).tolist() == [1, 2]  # the fastest of each


def test_a_figure_is_drawn_although_nobody_reads_the_summary(results_file, tmp_path):
    reader, writer = os.pipe()
    os.close(reader)
    command = [sys.executable, "-m", "dse_analysis", results_file, "--summary", "-o", tmp_path / "a.png"]
    environment = os.environ | {"PYTHONPATH": str(pathlib.Path(figures.__file__).parents[1])}
    done = subprocess.run(command, stdout=writer, stderr=subprocess.PIPE, env=environment, text=True)
    os.close(writer)
    assert (done.returncode, done.stderr) == (0, "")
    assert (tmp_path / "a.png").exists()


def test_a_single_objective_has_best_points_and_no_front(table):
    info = figures.front_info(table, "memory_peak", "iteration_time", alone="memory_peak")
    # 10, 20, 40 and 30 GiB.
    assert [(text, positions.tolist()) for text, positions in info.fronts] == [("best", [0])]
    assert figures.best_in(table, info, "memory_peak", most=3).tolist() == [0, 1, 3]
    assert figures.best_in(table, info, "memory_peak", ["memory_peak"], 2).tolist() == [2, 3]


@pytest.mark.parametrize("asked, objective, axes", [
    (["--objectives=memory_peak"], "memory_peak", ("memory_peak", "iteration_time")),
    (["--objectives=mfu"], "mfu", ("mfu", "memory_peak")),
    (["--objectives=mfu", "-y=energy"], "mfu", ("mfu", "energy")),
    ([], "mfu", ("iteration_time", "memory_peak"))])
def test_the_objective_that_is_asked_for_is_drawn(asked, objective, axes):
    options = parse_arguments(["rows.h5", *asked])
    assert axes_of(options, [(objective, "minimize")], [objective]) == axes


def test_a_point_on_the_front_of_its_value_alone_is_on_a_front(tmp_path):
    metrics = {"iteration_time": ([1.0, 2.0], "s"), "memory_peak": ([1.0, 2.0], "B")}
    path = write_results(tmp_path / "x.h5", metrics=metrics, status=["ok"] * 2, points={"tp": ([1, 2], "1")})
    table = read_results(path)
    assert figures.front_info(table).on_front.tolist() == [True, False]
    assert figures.front_info(table, by="tp").on_front.tolist() == [True, True]


def test_a_marked_point_without_a_result_has_no_star(table):
    assert figures.front_info(table, mark=4).marked == -1  # out of memory


def test_the_figure_names_the_fronts_and_the_mark(table):
    table.attrs.update(by="network.bandwidth", mark=0)
    figure = figures.overview(table)
    names = [text.get_text() for axes in figure.axes if axes.get_legend() for text in axes.get_legend().get_texts()]
    assert {"bandwidth = 25 GB/s (2 points)", "bandwidth = 50 GB/s (2 points)", "marked point"} <= set(names)
    plt.close(figure)


def test_a_sweep_with_metrics_of_its_own_has_a_figure_of_its_objectives(tmp_path):
    metrics = {"latency": ([1.0, 2.0], "s"), "area": ([4.0, 3.0], "1")}
    path = write_results(tmp_path / "x.h5", metrics=metrics, status=["ok"] * 2, points={"tp": ([1, 2], "1")})
    assert main([str(path), "--objectives", "latency, area", "-o", str(tmp_path / "x.png")]) == 0
    table = read_results(path)
    figure = figures.overview(table, "latency", "area")
    texts = [text.get_text() for axes in figure.axes for text in axes.texts]
    assert "no time breakdown: these points have no iteration time" in texts
    plt.close(figure)


def test_options_of_gain_alone_are_refused(capsys):
    with pytest.raises(SystemExit):
        main(["x.h5", "-o", "x.png", "--over", "tp"])
    assert "belong to --gain" in capsys.readouterr().err


def test_many_values_fall_into_classes(tmp_path):
    rows = 1000
    points = {"x": (np.arange(rows), "1")}
    metrics = {"iteration_time": (np.linspace(1, 2, rows), "s"), "memory_peak": (np.linspace(2, 1, rows), "B")}
    path = write_results(tmp_path / "x.h5", points=points, metrics=metrics, status=["ok"] * rows)
    info = figures.front_info(read_results(path), color="x")
    assert len(info.color_labels) == 12
    assert np.unique(info.color_codes).tolist() == list(range(12))
    assert np.all(np.diff(info.color_codes) >= 0)


def test_breakdown_info_by_hand(table):
    info = figures.breakdown_info(table, [2, 3, 1])
    # 2.0 s (tp 4), 2.5 s (tp 8), 3.0 s (tp 2); no part that is zero everywhere is named.
    assert info.totals.tolist() == [2.0, 2.5, 3.0]
    assert info.parts["bubble"].tolist() == [0.0, 0.0, 0.5]
    assert set(info.parts) == {"compute_time", "exposed_tp", "bubble"}
    assert info.columns == ["tp", "bandwidth [GB/s]", "schedule"]
    assert info.cells[0] == ["4", "50", "1f1b"]
    assert info.unit == "s"


def test_rows_without_parts_are_said_to_have_none(tmp_path):
    nan = np.nan
    metrics = {"iteration_time": ([2.0, 4.0], "s"), "compute_time": ([1.5, nan], "s"), "bubble": ([0.5, nan], "s")}
    path = write_results(tmp_path / "x.h5", metrics=metrics, status=["ok"] * 2, points={"tp": ([1, 2], "1")})
    info = figures.breakdown_info(read_results(path), [0, 1])
    assert set(info.parts) == {"compute_time", "bubble"}
    assert all(np.isnan(values[1]) for values in info.parts.values())
    _, axes = plt.subplots()
    figures.draw_breakdown(axes, info)
    assert "parts not computed" in [text.get_text() for text in axes.get_legend().get_texts()]


def test_axes_in_which_the_points_agree_have_no_column(table):
    assert figures.breakdown_info(table, [0, 2]).columns == ["tp", "bandwidth [GB/s]"]
    assert figures.breakdown_info(table, [2]).columns == ["tp", "bandwidth [GB/s]", "schedule"], "one: what it is"


def test_points_of_two_fronts_at_one_place_share_a_text(tmp_path):
    metrics = {"iteration_time": ([1.0, 2.0, 1.0, 3.0], "s"), "memory_peak": ([4.0, 2.0, 4.0, 1.0], "B")}
    points = {"tp": ([1, 1, 2, 2], "1")}
    path = write_results(tmp_path / "x.h5", points=points, metrics=metrics, status=["ok"] * 4)
    info = figures.front_info(read_results(path), by="tp")
    axes = plt.figure().subplots()
    figures.draw_front(axes, info, figures.spread(info))
    assert sorted(text.get_text() for text in axes.texts) == ["1, 3", "2", "4"]


def test_parts_fill_the_bars(table):
    info = figures.breakdown_info(table, [0, 1, 2, 3])
    assert sum(info.parts.values()) == pytest.approx(info.totals)


def test_spread_takes_both_ends_and_no_twins(tmp_path):
    # Ten points on the line (i, 9 - i), each there twice: four of them, evenly, fastest first.
    line = np.repeat(np.arange(10.0), 2)
    metrics = {"iteration_time": (line + 1, "s"), "memory_peak": ((10 - line) * 2.0**30, "B")}
    path = write_results(tmp_path / "x.h5", points={"tp": (np.arange(20), "1")}, metrics=metrics, status=["ok"] * 20)
    info = figures.front_info(read_results(path))
    assert info.on_front.all()
    assert info.x[figures.spread(info, 4)].tolist() == [1.0, 4.0, 7.0, 10.0]


def test_metrics_of_which_more_is_better(tmp_path):
    # Of (mfu, memory): 0.5 at 1 GiB beats 0.4 at 2 GiB; 0.6 at 3 GiB trades. The best mfu is numbered 1.
    metrics = {"iteration_time": ([1.0, 1.0, 1.0], "s"), "mfu": ([0.4, 0.5, 0.6], "1"),
               "memory_peak": ([2 * 2.0**30, 2.0**30, 3 * 2.0**30], "B")}
    path = write_results(tmp_path / "x.h5", points={"tp": ([1, 2, 4], "1")}, metrics=metrics, status=["ok"] * 3)
    info = figures.front_info(read_results(path), x="mfu")
    assert info.on_front.tolist() == [False, True, True]
    assert figures.spread(info).tolist() == [2, 1]


def test_status_info(table):
    info = figures.status_info(table)
    assert info.names[0] == "ok"
    assert info.counts.tolist() == [4, 1, 1]


def test_unknown_column_is_named(table):
    with pytest.raises(KeyError, match="no column 'speed'"):
        figures.front_info(table, x="speed")


@pytest.mark.parametrize("suffix, magic", [("png", b"\x89PNG"), ("pdf", b"%PDF"), ("svg", b"<?xml")])
def test_command_writes_the_figure(results_file, tmp_path, capsys, suffix, magic):
    output = tmp_path / f"out.{suffix}"
    assert main([str(results_file), "-o", str(output), "--summary"]) == 0
    assert output.read_bytes().startswith(magic)
    assert "Pareto front" in capsys.readouterr().out


def test_figure_without_feasible_point(tmp_path):
    path = write_results(tmp_path / "x.h5", status=["out_of_memory"] * 6)
    assert main([str(path), "-o", str(tmp_path / "x.png")]) == 0


def test_command_refuses_bad_input(tmp_path, capsys):
    assert main([str(tmp_path / "nothing.h5")]) == 2
    assert "nothing.h5" in capsys.readouterr().err


def test_command_names_unknown_columns(results_file, tmp_path, capsys):
    assert main([str(results_file), "-o", str(tmp_path / "x.png"), "-x", "speed"]) == 2
    assert "no column 'speed'" in capsys.readouterr().err


def test_same_table_same_picture(results_file, tmp_path):
    for name in ("a.png", "b.png"):
        main([str(results_file), "-o", str(tmp_path / name)])
    assert (tmp_path / "a.png").read_bytes() == (tmp_path / "b.png").read_bytes()


def test_a_chart_of_one_bar_is_none(tmp_path):
    metrics = {"iteration_time": ([4.0, 3.0], "s"), "memory_peak": ([1e9, 2e9], "B")}
    path = write_results(tmp_path / "x.h5", points={"tp": ([1, 2], "1")}, metrics=metrics, status=["ok"] * 2)
    figure = figures.overview(read_results(path))
    assert not any(axes.get_xlabel() == "points" for axes in figure.axes)
    assert "all ok" in figure.subfigs[0].get_suptitle()


def test_parts_of_one_point_stand_beside_each_other(table):
    axes = plt.figure().subplots()
    figures.draw_breakdown(axes, figures.breakdown_info(table, [3]))  # 1.0 compute, 1.5 exposed TP
    assert [text.get_text() for text in axes.get_yticklabels()] == ["compute", "exposed TP"]
    assert [patch.get_width() for patch in axes.patches] == [1.0, 1.5]


def test_parts_that_were_not_computed_are_said(table):
    parts = ["compute_time", "exposed_tp", "bubble"]
    table.loc[1, parts] = np.nan
    axes = plt.figure().subplots()
    figures.draw_breakdown(axes, figures.breakdown_info(table, [1, 2]))
    assert axes.get_legend_handles_labels()[1][-1] == "parts not computed"
    unknown = axes.containers[-1].patches
    assert [patch.get_width() for patch in unknown] == [3.0]


def test_parts_are_told_apart_in_grey():
    for parts in (figures.PARTS, MEMORY_PARTS):
        assert len({(to_rgb(color), hatch) for _, color, hatch in parts.values()}) == len(parts)
        plain = [color for _, color, hatch in parts.values() if not hatch]
        shades = sorted(np.dot(to_rgb(color), [0.299, 0.587, 0.114]) for color in plain)
        assert all(high - low > 0.15 for low, high in zip(shades, shades[1:]))
