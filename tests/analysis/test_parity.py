"""dse_analysis.parity: predicted over measured times."""

import json

import numpy as np
import pytest

from dse_analysis.parity import FAMILIES, draw_parity, family_of, main, parity_info


def row(**changes):
    return {"metric": "iteration_time", "chip": "H100-SXM-80", "template": "llama", "experts": False, "measured": 2.0,
            "predicted": 1.9, "role": "calibration", "why": "", "weight": 1.0, **changes}


@pytest.mark.parametrize("changes, family", [
    ({}, "dense models, GPU"),
    ({"chip": "TPU-v5e"}, "dense models, TPU"),
    ({"experts": True, "template": "qwen3_moe"}, "mixtures of experts"),
    ({"experts": True, "template": "gpt_oss"}, "gpt-oss 120B"),
    ({"metric": "prefill_latency"}, "prompts"),
])
def test_families(changes, family):
    assert family_of(row(**changes)) == family


def test_only_compared_times_with_a_weight():
    info = parity_info([row(), row(why="does not run"), row(weight=0.0), row(metric="peak_memory"),
                        row(metric="out_of_memory"), row(predicted=3.0, role="validation")])
    np.testing.assert_allclose(info.ratio, [0.95, 1.5])
    np.testing.assert_array_equal(info.calibration, [True, False])


def test_families_differ_without_colours():
    markers = [marker for _, marker in FAMILIES.values()]
    assert len(set(markers)) == len(markers)


def test_every_row_is_drawn_and_none_is_under_the_legend():
    rows = [row(measured=10.0 ** k, predicted=10.0 ** k * ratio) for k in (-1, 0, 1, 2) for ratio in (0.43, 1.0, 1.3)]
    figure = draw_parity(parity_info(rows))
    axes = figure.axes[0]
    figure.canvas.draw()
    drawn = np.concatenate([points.get_offsets() for points in axes.collections if len(points.get_offsets())])
    assert len(drawn) == len(rows)
    (left, right), (low, high) = axes.get_xlim(), axes.get_ylim()
    assert np.all((left < drawn[:, 0]) & (drawn[:, 0] < right) & (low < drawn[:, 1]) & (drawn[:, 1] < high))
    assert not figure.legends[0].get_window_extent().overlaps(axes.get_window_extent())


@pytest.mark.parametrize("name, start", [("parity.png", b"\x89PNG"), ("parity.svg", b"<?xml")])
def test_writes_the_same_figure_twice(tmp_path, name, start):
    (tmp_path / "rows.json").write_text(json.dumps({"rows": [row(), row(role="validation", predicted=2.2)]}))
    written = []
    for _ in range(2):
        assert main([str(tmp_path / "rows.json"), "-o", str(tmp_path / name)]) == 0
        written.append((tmp_path / name).read_bytes())
    assert written[0] == written[1] and written[0].startswith(start)


def test_says_that_there_is_nothing_to_draw(tmp_path, capsys):
    (tmp_path / "rows.json").write_text(json.dumps({"rows": [row(why="unknown model")]}))
    assert main([str(tmp_path / "rows.json"), "-o", str(tmp_path / "parity.png")]) == 2
    assert "no row" in capsys.readouterr().err
