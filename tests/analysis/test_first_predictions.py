from pathlib import Path

import numpy as np
import pytest

from dse_analysis import first_predictions

FIRST = Path(__file__).parents[2] / "docs/first_predictions.csv"


def test_programs_have_releases():
    programs = {"torchtitan 2024, eager": "torchtitan", "MLPerf Training v5.0 LoRA": "MLPerf Training", "PyTorch eager": "PyTorch eager",
                "NeMo AutoModel 2026": "NeMo AutoModel", "2026": ""}
    assert {stack: first_predictions.program_of(stack) for stack in programs} == programs


def test_a_folded_normal_variable():
    # Without a bias the mean of absolute values is sqrt(2 / pi) deviations; a constant has none.
    assert first_predictions.deviation_of(0.1 * np.sqrt(2 / np.pi), 0.0) == pytest.approx(0.1)
    assert first_predictions.deviation_of(0.1, 0.1) == pytest.approx(0.0, abs=1e-3)


def test_an_interval_of_new_software(tmp_path):
    file = tmp_path / "first.csv"
    # One family whose errors are all -10 %. A chip that was new does not count, nor a family whose bias is not known.
    file.write_text("mean,bias,unknown,quantity,program\n0.1,-0.1,,,known\n0.5,-0.5,chip,,\n0.2,,,,\n0.3,-0.3,,memory,\n")
    shift, width = first_predictions.interval_of(first_predictions.families_of(file))
    assert shift == pytest.approx(-np.log(0.9), abs=1e-3)
    assert width == pytest.approx(0.0, abs=1e-3)
    peaks, _ = first_predictions.interval_of(first_predictions.families_of(file, "memory"))
    assert peaks == pytest.approx(-np.log(0.7), abs=1e-3)
    assert len(first_predictions.families_of(file, program="known")) == 1
    assert not first_predictions.families_of(file, program="")
    # A second one with errors of both signs, around 0, whose spread the first one is given: 1.2816 deviations around 0, and around
    # -ln 0.9, so that the percentiles of both together lie between.
    file.write_text("mean,bias,unknown,quantity,program\n0.1,-0.1,,,\n0.0798,0.0,,,\n")
    both, wider = first_predictions.interval_of(first_predictions.families_of(file))
    assert both == pytest.approx(-np.log(0.9) / 2, abs=1e-3)
    assert wider > 1.2816 * 0.1


def test_a_family_is_held_against_the_others():
    # Four families like 0 ± 0.1, and one that is 0.5 away, of which bars of the others hold nothing. Bars of three and that one end
    # where a tenth of all, 0.4 / 3 of the three, is below, and beyond all of the three above.
    alike = {"mean": str(0.1 * np.sqrt(2 / np.pi)), "bias": "0"}
    number, inside, width, ratio = first_predictions.coverage([alike] * 4 + [{"mean": "0.3935", "bias": "-0.3935"}])
    assert (number, inside) == (5, pytest.approx(4 / 5 * (1 - 0.4 / 3), abs=1e-3))
    assert ratio == pytest.approx(width / 0.1, rel=0.2)
    # Of four alike, bars of three hold four of five.
    assert first_predictions.coverage([alike] * 4)[1] == pytest.approx(0.8, abs=1e-3)


@pytest.mark.parametrize("program", ["known", ""])
def test_bars_of_new_software_hold_four_of_five_steps_of_unseen_families(program):
    number, inside, _, ratio = first_predictions.coverage(first_predictions.families_of(FIRST, program=program))
    assert number >= 10
    assert 0.72 <= inside <= 0.88
    assert ratio <= 2.5


def test_a_known_program_errs_by_two_thirds():
    widths = {program: first_predictions.interval_of(first_predictions.families_of(FIRST, program=program))[1] for program in ("known", "")}
    assert widths["known"] < 0.67 * widths[""]
