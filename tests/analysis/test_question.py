"""What is asked of a table: rows by a mask, other objectives, a front for each value, a marked point."""

import pytest
from browser import Browser, find_browser
from conftest import write_results

from dse_analysis.__main__ import axes_of, main, parse_arguments
from dse_analysis.figures import front_info
from dse_analysis.question import asked
from dse_analysis.report.content import page_content
from dse_analysis.results import ResultsError, read_results


def table_of(tmp_path, *arguments):
    """Return the table of six points that is asked for so."""
    file = write_results(tmp_path / "x.h5")
    return asked(read_results(file), parse_arguments([str(file), *arguments]))


def mask(tmp_path, text):
    path = tmp_path / "mask"
    path.write_text(text)
    return f"--rows={path}"


def test_a_mask_keeps_its_rows(tmp_path):
    table = table_of(tmp_path, mask(tmp_path, "011010"), "--where=tp > 1")
    assert list(table["point_id"]) == [1, 2, 4]
    content = page_content(table)
    assert content["counts"]["points"] == 3
    assert content["counts"]["feasible"] == 2
    assert content["asked"]["where"] == ["tp > 1"]


def test_figures_draw_the_objectives():
    options = parse_arguments(["x.h5"])
    columns = ["iteration_time", "memory_peak", "cost", "ttft_p99", "tpot_p99", "max_request_rate"]
    assert axes_of(options, [("cost", "minimize"), ("memory_peak", "minimize")], columns) == ("cost", "memory_peak")
    assert axes_of(options, [("cost", "minimize")], columns[:3]) == ("iteration_time", "memory_peak")
    assert axes_of(options, [("max_request_rate", "maximize")], columns) == ("ttft_p99", "max_request_rate")
    assert axes_of(options, [("ttft_p99", "minimize")], columns) == ("tpot_p99", "ttft_p99")


def test_a_mask_of_another_length_is_refused(tmp_path):
    with pytest.raises(ResultsError, match="among 2 rows"):
        table_of(tmp_path, mask(tmp_path, "01"))


def test_a_column_that_is_none_is_refused(tmp_path, capsys):
    with pytest.raises(ResultsError, match="no column 'tpp'"):
        table_of(tmp_path, "--by=tpp")
    assert main([str(write_results(tmp_path / "y.h5")), "-o", str(tmp_path / "y.html"), "-x", "nothing"]) == 2
    assert "no column 'nothing'" in capsys.readouterr().err


def test_several_axes_make_a_front_for_each_combination(tmp_path):
    table = table_of(tmp_path, "--by=tp,network.bandwidth")
    # In ascending order of the values, not of the texts: 8 before 16.
    pairs = sorted(set(zip(table["tp"], table["network.bandwidth"])))
    wanted = [f"{tp:g}, {bandwidth / 1e9:g} GB/s" for tp, bandwidth in pairs]
    assert list(table["tp, bandwidth"].cat.categories) == wanted
    assert list(table["tp, bandwidth"]) == [wanted[pairs.index(pair)] for pair in zip(table["tp"], table["network.bandwidth"])]
    content = page_content(table)
    group = content["columns"][-1]
    assert (group["name"], group["role"], group["texts"]) == ("tp, bandwidth", "group", wanted)
    info = front_info(table, by=table.attrs["by"])
    feasible = set(table.loc[table["status"] == "ok", "tp, bandwidth"])
    assert [name for name, _ in info.fronts] == [f"tp, bandwidth = {text}" for text in wanted if text in feasible]
    with pytest.raises(ResultsError, match="no column 'tpp'"):
        table_of(tmp_path, "--by=tp,tpp")


def test_other_objectives_make_another_front(tmp_path):
    assert page_content(table_of(tmp_path, "--objectives=memory_peak: minimize"))["objectives"] == ["memory_peak"]


@pytest.mark.parametrize("mark, place, said", [(3, 3, None), (4, None, "out of memory"), (77, None, "excluded by")])
def test_a_marked_point_is_placed_or_explained(tmp_path, mark, place, said):
    found = page_content(table_of(tmp_path, f"--mark={mark}"))["asked"]
    assert found["mark"] == place
    assert said is None or said in found["markText"]


@pytest.mark.skipif(find_browser() is None, reason="no Chromium is installed (./dev setup --ci installs one)")
def test_the_page_shows_what_is_asked(tmp_path):
    file, page = write_results(tmp_path / "x.h5"), tmp_path / "report.html"
    assert main([str(file), "-o", str(page), "--by=network.bandwidth", "--mark=1", mask(tmp_path, "111111"), "--where=tp < 9",
                 "-x=memory_peak", "-y=iteration_time"]) == 0
    with Browser(tmp_path / "profile") as browser:
        browser.open(page)
        names = browser.run("byId('front-plot').data.map((trace) => trace.name)")
        # Points 0, 1 have 25 GB/s, points 2, 3 have 50 GB/s; each is better than its like in time or in memory.
        assert [name for name in names if name.startswith("front of")] == ["front of 25 (2)", "front of 50 (2)"]
        assert "marked" in names
        assert browser.run("state.chosen[0]") == 1
        assert browser.run("[byId('x').value, byId('y').value]") == ["memory_peak", "iteration_time"]
        assert "Only points where tp < 9. Marked: point 1" in browser.run("byId('asked').textContent")
        assert browser.errors == []


def test_a_condition_without_its_rows_is_refused(capsys):
    with pytest.raises(SystemExit):
        parse_arguments(["x.h5", "--where=tp > 1"])
    assert "dse report --where" in capsys.readouterr().err


def test_a_figure_of_no_known_format_is_refused(tmp_path, capsys):
    file = write_results(tmp_path / "x.h5")
    assert main([str(file), "-o", str(tmp_path / "x.xyz")]) == 2
    assert "no figure can have the suffix 'xyz'" in capsys.readouterr().err
    assert not (tmp_path / "x.xyz").exists()
