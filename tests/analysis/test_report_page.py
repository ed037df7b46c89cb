"""The page in a browser: it draws without complaint, asks no network, and what is brushed is what the table shows."""

import base64
import json
import re
import subprocess
import sys

import numpy as np
import pytest
from browser import Browser, find_browser
from conftest import changed, write_results

from dse_analysis.__main__ import main
from dse_analysis.report import write_page
from dse_analysis.report.content import page_content, question
from dse_analysis.report.page import page_text
from dse_analysis.results import read_results

needs_browser = pytest.mark.skipif(find_browser() is None, reason="no Chromium is installed (./dev setup --ci installs one)")

PLACE_OF_BRUSH = """(() => {
  const box = parallel.canvas.getBoundingClientRect(), place = parallel.places[parallel.columns.findIndex((c) => c.name === %s)];
  return [box.left + place, box.top + yOf(%f), box.top + yOf(%f)];
})()"""
ROWS = "[...document.querySelectorAll('#best-table tbody tr')].map((row) => row.dataset.point)"


@pytest.fixture(scope="module")
def browser(tmp_path_factory):
    with Browser(tmp_path_factory.mktemp("profile")) as one:
        yield one


def opened(browser, path):
    browser.errors.clear()
    browser.requests.clear()
    browser.open(path)
    return browser


def brush(browser, axis, low, high):
    browser.run("parallel.canvas.scrollIntoView({block: 'center'})")
    x, bottom, top = browser.run(PLACE_OF_BRUSH % (json.dumps(axis), low, high))
    browser.drag((x, bottom), (x, top))


def open_report(browser, tmp_path, **columns):
    """Write a results file and its page, and open it."""
    page = tmp_path / "report.html"
    write_page(read_results(write_results(tmp_path / "x.h5", **columns)), page)
    return opened(browser, page)


@needs_browser
def test_brushing_changes_table_and_front(browser, results_file, tmp_path):
    assert main([str(results_file), "-o", str(tmp_path / "report.html")]) == 0
    opened(browser, tmp_path / "report.html")
    assert browser.run(ROWS) == ["2", "3", "1", "0"]  # by iteration time: 2, 2.5, 3, 4 s
    brush(browser, "tp", -0.02, 0.4)  # tp 1 and 2 of 1, 2, 4, 8
    assert browser.run(ROWS) == ["1", "0"]
    assert browser.run("byId('filter-text').textContent") == "2 of 4 points are selected."
    fronts = "byId('front-plot').data.filter((trace) => trace.name.startsWith('front')).map((trace) => trace.x.length)"
    assert browser.run(fronts) == [2]
    browser.run("byId('reset').click()")
    assert browser.run(ROWS) == ["2", "3", "1", "0"]
    assert browser.run(fronts) == [4]
    brush(browser, "tp", 0.2, 1.02)  # 2, 4, 8: points 1, 2, 3
    brush(browser, "network.bandwidth", 0.5, 1.02)  # 50 GB/s: points 2, 3
    assert browser.run(ROWS) == ["2", "3"]
    assert browser.errors == []
    assert [url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))] == []


@needs_browser
@pytest.mark.parametrize("width", [1440, 800])
def test_every_control_draws(browser, tmp_path, width):
    browser.resize(width, 900)
    open_report(browser, tmp_path)
    browser.run("""for (const select of document.querySelectorAll("select")) for (const option of select.options) {
      select.value = option.value;
      select.dispatchEvent(new Event("change"));
    }""")
    browser.run("for (const box of document.querySelectorAll('input[type=checkbox]')) if (box.isConnected) box.click()")
    assert browser.errors == []
    assert browser.run("document.documentElement.scrollWidth") <= width


@needs_browser
def test_choosing_points_changes_the_breakdown(browser, tmp_path):
    open_report(browser, tmp_path)
    bars = "byId('breakdown-time').data[0].y.length"
    before = browser.run(bars)
    assert browser.run("byId('breakdown-time').layout.annotations.map((total) => total.y)") == list(range(before))
    browser.run("document.querySelector('#best-table tbody tr.chosen input').click()")
    assert browser.run(bars) == before - 1
    browser.run("while (state.chosen.length > 1) toggleChoice(state.chosen[0])")
    assert browser.run("byId('breakdown-time').hidden")  # no chart of one bar
    assert browser.run("byId('table-time').rows.length") > 1
    browser.run("toggleChoice([0, 1, 2].find((point) => !state.chosen.includes(point)))")
    assert browser.run(bars) == 2
    assert browser.errors == []


@needs_browser
def test_small_shares_of_importance_have_ticks_of_their_own(browser, tmp_path):
    random = np.random.default_rng(1)
    points = {f"axis_{i}": (random.integers(0, 5, 200), "1") for i in range(40)}  # noise: shares of at most some percent
    open_report(browser, tmp_path, points=points, metrics={"iteration_time": (random.random(200), "s"),
                                                           "memory_peak": (random.random(200), "B")}, status=["ok"] * 200)
    ticks = browser.run("[...document.querySelectorAll('#importance-plot .xtick text')].map((tick) => tick.textContent)")
    assert len(ticks) > 2 and len(set(ticks)) == len(ticks), ticks


@needs_browser
def test_axes_are_shown_in_the_unit_of_the_sweep(browser, results_file, tmp_path):
    with changed(results_file) as file:
        file["points/network.bandwidth"].attrs.update({"shown_units": "Gbps", "shown_size": 1.25e8})
    write_page(read_results(results_file), tmp_path / "report.html")
    opened(browser, tmp_path / "report.html")
    heads = browser.run("[...document.querySelectorAll('#best-table th')].map((head) => head.textContent)")
    assert any("bandwidth" in head and "Gbps" in head for head in heads), heads
    assert browser.errors == []


ODD = {
    "one row": {"points": {"tp": ([1], "1")}, "metrics": {"iteration_time": ([2.0], "s"), "memory_peak": ([1e9], "B")}, "status": ["ok"]},
    "all out of memory": {"metrics": {"iteration_time": ([np.nan] * 6, "s"), "memory_peak": ([np.nan] * 6, "B")}, "status": ["out_of_memory"] * 6},
    "one metric": {"metrics": {"iteration_time": ([4.0, 3.0, 2.0, 2.5, np.nan, np.nan], "s")}},
    "constant metrics": {"metrics": {"iteration_time": ([2.0] * 6, "s"), "memory_peak": ([1e9] * 6, "B")}, "status": ["ok"] * 6},
    "parts not computed": {"metrics": {"iteration_time": ([4.0, 3.0, 2.0, 2.5, 5.0, 6.0], "s"), "memory_peak": ([1e9, 2e9, 3e9, 2.5e9, 1e9, 1e9], "B"),
                                       "compute_time": ([np.nan] * 3 + [2.0] * 3, "s"), "bubble": ([np.nan] * 3 + [0.5, 3.0, 4.0], "s")}, "status": ["ok"] * 6},
    "negative and zero": {"metrics": {"iteration_time": ([0.0, 0.0, 0.0, 0.0, -1.0, 2.0], "s"), "cost": ([1.0, 2.0, -3.0, 4.0, 5.0, 6.0], "USD")}, "status": ["ok"] * 6},
}


@needs_browser
@pytest.mark.parametrize("name", ODD)
def test_odd_results_draw(browser, tmp_path, name):
    open_report(browser, tmp_path, **ODD[name])
    assert browser.errors == []
    assert browser.run(SAID.get(name, "true")) is True


# Of odd results, what the page says about what is odd.
SAID = {
    "all out of memory": "byId('counts').textContent.includes('No point is feasible') && byId('fronts') === null",
    "one row": "byId('best-table').tBodies[0].rows.length === 1",
    "constant metrics": "byId('best-table').tBodies[0].rows.length === 6",
    "parts not computed": "(state.chosen = [0, 3], state.tell('choice'),"
                          " byId('breakdown-time').data.some((trace) => trace.name === 'parts not computed'))",
}


@needs_browser
def test_a_search_has_its_convergence(browser, results_file, tmp_path):
    with changed(results_file) as file:
        file.attrs["fact_names"], file.attrs["fact_values"] = ["search.method"], ["sobol"]
    write_page(read_results(results_file), tmp_path / "report.html")
    opened(browser, tmp_path / "report.html")
    assert browser.run("document.querySelectorAll('#convergence-plots .js-plotly-plot').length") == 2
    assert browser.errors == []


@needs_browser
def test_many_points_are_decimated_and_it_is_said(browser, tmp_path):
    rows = 30_000
    shuffle = np.random.default_rng(2)
    metrics = {"iteration_time": (shuffle.uniform(1, 2, rows), "s"), "memory_peak": (shuffle.uniform(1e9, 2e9, rows), "B")}
    open_report(browser, tmp_path, points={"tp": (np.arange(rows) % 8, "1")}, metrics=metrics, status=["ok"] * rows)
    said = browser.run("byId('decimated').textContent")
    assert re.search(r"contains 20,\d\d\d of 30,000 feasible points: the whole front \(\d+\)", said)
    assert not browser.run("byId('decimated').hidden")
    brush(browser, "tp", -0.02, 0.05)
    assert 2000 < browser.run("state.selected") < 3000  # an eighth of 20,000
    assert browser.errors == []


@needs_browser
def test_points_are_drawn_by_webgl_too(tmp_path):
    with Browser(tmp_path / "profile", webgl=True) as browser:
        open_report(browser, tmp_path)
        browser.run("usesWebGl = true; drawFronts()")  # as where a graphics processor draws
        assert browser.run("byId('front-plot').data[0].type") == "scattergl"
        assert browser.errors == []


def test_texts_of_a_sweep_cannot_leave_their_place(table):
    table.attrs["file"]["sweep_name"] = "</script><b>x</b>"
    table.attrs["file"]["sweep_yaml"] = "# why </script> {{plotly}} {{scripts}}?\nname: x"
    page = page_text(page_content(table))
    assert "<b>x</b>" not in page
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', page, re.DOTALL).group(1)
    assert json.loads(data)["question"] == "why </script> {{plotly}} {{scripts}}?"


def test_question_is_the_first_comment():
    assert question("# How many\n# devices?\nname: x\n# no\n") == "How many devices?"
    assert question("name: x\n") == ""


def test_nothing_loads_matplotlib(results_file, tmp_path):
    code = ("import sys; from dse_analysis.__main__ import main; "
            f"assert main([{str(results_file)!r}, '-o', {str(tmp_path / 'a.html')!r}]) == 0; assert 'matplotlib' not in sys.modules")
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, env={"PYTHONPATH": ":".join(sys.path)}).returncode == 0


def test_bad_input(results_file, tmp_path, capsys):
    assert main([str(tmp_path / "none.h5"), "-o", str(tmp_path / "a.html")]) == 2
    assert "no such file" in capsys.readouterr().err
    assert not (tmp_path / "a.html").exists()
    assert main([str(results_file), "-o", str(tmp_path / "no" / "a.html")]) == 2
    with pytest.raises(SystemExit):
        main([str(results_file), "-o", str(tmp_path / "a.html"), "--gain", "tp=1", "--over", "tp"])


WITH_BARS = {"iteration_time": ([4.0, 2.0], "s"), "iteration_time_low": ([3.6, 1.6], "s"), "iteration_time_high": ([4.4, 2.5], "s"),
             "tokens_per_second": ([100.0, 200.0], "tokens/s"), "memory_peak": ([10 * 2.0**30, 20 * 2.0**30], "B")}


def with_bars(path):
    return write_results(path, metrics=WITH_BARS, status=["ok", "ok"], points={"tp": ([1, 2], "1")})


def test_a_metric_carries_the_ends_of_its_interval(tmp_path):
    columns = {column["name"]: column for column in page_content(read_results(with_bars(tmp_path / "x.h5")))["columns"]}
    low, high = (np.frombuffer(base64.b64decode(ends), "<f4") for ends in columns["iteration_time"]["bars"])
    assert low == pytest.approx([0.9, 0.8])
    assert high == pytest.approx([1.1, 1.25])
    assert "bars" not in columns["memory_peak"]


@needs_browser
def test_the_front_has_error_bars(browser, tmp_path):
    page = tmp_path / "report.html"
    write_page(read_results(with_bars(tmp_path / "x.h5")), page)
    opened(browser, page)
    of = "barsOf(metricOf.get('%s'), 1)"
    assert browser.run(of % "iteration_time") == pytest.approx([1.6, 2.5], rel=1e-5)
    # A rate is the inverse of a time: 200 / 1.25, 200 / 0.8.
    assert browser.run(of % "tokens_per_second") == pytest.approx([160, 250], rel=1e-5)
    assert browser.run(of % "memory_peak") is None
    front = "document.getElementById('front-plot').data.find((trace) => trace.name.startsWith('front')).error_x"
    assert browser.run(f"{front}.arrayminus")[0] == pytest.approx(0.4, rel=1e-5)
    browser.run("document.getElementById('bars').click()")
    assert browser.run(f"{front} === undefined")


def served_content(tmp_path):
    return page_content(read_results(write_results(
        tmp_path / "served.h5", status=["ok"] * 2, points={"slo.ttft_p99": ([0.5, 3.0], "s"), "tp": ([1, 2], "1")},
        metrics={"iteration_time": ([1.0, 2.0], "s"), "memory_peak": ([2.0, 1.0], "B"), "ttft_p99": ([0.1, 0.2], "s"),
                 "tpot_p99": ([0.01, 0.02], "s")})))


def test_pages_of_requests_show_their_latencies(tmp_path, table):
    content = served_content(tmp_path)
    assert content["usual"] == ["ttft_p99", "tpot_p99"]
    titles = {column["name"]: column["title"] for column in content["columns"]}
    assert titles["slo.ttft_p99"] == "slo.ttft p99" and titles["ttft_p99"] == "ttft p99"
    assert page_content(table)["usual"] == ["memory_peak"]
