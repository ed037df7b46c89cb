from types import SimpleNamespace

import pytest

from dse_analysis import accuracy_tables
from dse_analysis.accuracy_tables import count, errors_of, families, models, percent, pool_routers, routers, signed, with_tables


def step(name, error, weight=1.0, experts=False, measured=1.0):
    return {"id": name, "error": error, "weight": weight, "experts": experts, "devices": 8, "measured": measured,
            "predicted": measured * (1 + error)}


def stated_facts(compared, rows):
    return SimpleNamespace(compared=compared, rows=lambda file: rows)


def test_numbers_are_written_alike():
    assert [percent(0.0524), percent(0.8, 0), percent(None)] == ["5.2 %", "80 %", ""]
    assert [signed(-0.013), signed(0.013), signed(-0.0004), signed(None)] == ["−1.3 %", "+1.3 %", "0.0 %", ""]
    assert count(1460) == "1,460"


def test_errors_count_by_weight():
    # 10 % with weight 3 and -30 % with weight 1: mean size 15 %, bias 0.
    rows = [step("A1", 0.1, weight=3.0), step("A2", -0.3)]
    mean, median, p90, bias = errors_of(rows)
    assert (mean, median, p90, bias) == (pytest.approx(0.15), pytest.approx(0.1), pytest.approx(0.3), pytest.approx(0.0))


def test_rows_without_any_weight_count_alike():
    mean, *_, bias = errors_of([step("A1", 0.1, weight=0.0), step("A2", -0.3, weight=0.0)])
    assert (mean, bias) == (pytest.approx(0.2), pytest.approx(-0.1))


def test_families_are_rows_whose_names_begin_alike():
    stated = [{"family": "dense of A", "ids": "A", "kind": "dense", "steps": "3", "mean": "0.25", "bias": "", "inside": "0.5", "quantity": "",
               "note": "one is gone"},
              {"family": "none", "ids": "C", "kind": "", "steps": "1", "mean": "0.1", "bias": "-0.1", "inside": "", "quantity": "", "note": ""},
              {"family": "peaks", "ids": "A", "kind": "", "steps": "2", "mean": "0.1", "bias": "0.1", "inside": "", "quantity": "memory", "note": ""}]
    compared = [step("A1", 0.1), step("A2", -0.2), step("A3", 0.9, experts=True), step("BA1", 0.9)]
    assert families(stated_facts(compared, stated))[2:] == [
        "| dense of A (now 2: one is gone) | 3 | 25.0 % |  | 50 % | 15.0 % | −5.0 % |",
        "| none (now 0) | 1 | 10.0 % | −10.0 % |  |  |  |"]


def test_models_are_ranked_by_their_best_steps():
    # Five chips, measured ever faster, each as predicted but for the last, which is predicted slowest; slower layouts do not count.
    stated, compared = [], []
    for chip in range(5):
        for layout in range(2):
            name = f"R{chip}{layout}"
            stated.append({"id": name, "model": "m", "seq": "2048", "gbs": "8", "chip": f"c{chip}", "precision": "bf16"})
            compared.append(step(name, 19.0 if chip == 4 else 0.0, measured=(10 - chip) * (1 + layout)))
    # Ranks 1..5 against 2..5 and 1: 1 - 6 · (4 · 1 + 16) / (5 · 24) = 0.
    assert models(stated_facts(compared, stated))[2:] == ["| m, 2,048 tokens | 5 (c0, c1, c2, c3, c4) | 0.00 |"]


def test_routers_are_compared_with_and_without_a_cache(tmp_path, monkeypatch):
    def asked(dse, data, sweep, points):
        assert sweep["workload"]["traffic"]["trace"].startswith(str(tmp_path.resolve()))
        assert set(sweep["axes"]) == set(points[0])
        keeps = [point["serving.prefix_cache"] for point in points]
        return [{"ttft_mean": len(point["serving.router"]) - 0.5 * keep, "cache_hit_rate": 0.1 if keep else 0.0}
                for point, keep in zip(points, keeps)]

    monkeypatch.setattr(accuracy_tables, "answered", asked)
    facts = accuracy_tables.Facts("dse", tmp_path, tmp_path)
    lines = pool_routers(facts)
    assert lines[2] == "| `round_robin` | 10.50 s | 11.00 s | 10 % |"
    assert lines[5] == "| `session` | 6.50 s | 7.00 s | 10 % |" and len(lines) == 6
    assert routers(facts)[2:4] == ["| `round_robin` | 10.5 s | 10 % |", "| `least_loaded` | 11.5 s | 10 % |"]


MAKERS = {"one": (lambda facts: ["new"], None), "two": (lambda facts: ["new"], "missing.csv")}
NOTHING = SimpleNamespace(has=lambda table: False)


def block(name, text="old"):
    return f"<!-- accuracy_tables: {name} -->\n\n{text}\n\n<!-- end -->"


def test_tables_are_replaced_where_their_data_is():
    page = f"before\n{block('one')}\nbetween\n{block('two')}\n"
    assert with_tables(page, MAKERS, NOTHING) == f"before\n{block('one', 'new')}\nbetween\n{block('two')}\n"


def test_a_table_without_a_place_or_a_maker_is_refused():
    with pytest.raises(ValueError, match="no place for the table two"):
        with_tables(block("one"), MAKERS, NOTHING)
    with pytest.raises(ValueError, match="no table 'three'; there are one, two"):
        with_tables(block("three"), MAKERS, NOTHING)


def test_pages_that_are_out_of_date_are_told_with_the_command_that_writes_them(tmp_path, monkeypatch, capsys):
    page = tmp_path / "page.md"
    page.write_text(block("one") + "\n", encoding="utf-8")
    monkeypatch.setattr(accuracy_tables, "PAGES", {"page.md": {"one": MAKERS["one"]}})
    monkeypatch.setattr(accuracy_tables, "Facts", lambda *given: NOTHING)
    arguments = ["--dse", "build/dse", "--data", str(tmp_path)]
    assert accuracy_tables.main([*arguments, "--check"]) == 2
    told = capsys.readouterr().err
    assert "-old\n" in told and "+new\n" in told
    assert "commit them with the change" in told
    assert told.strip().splitlines()[-1].split(" -m ")[1].split()[0] == "dse_analysis.accuracy_tables"
    assert accuracy_tables.main(arguments) == 0
    assert page.read_text(encoding="utf-8") == block("one", "new") + "\n"
    assert accuracy_tables.main([*arguments, "--check"]) == 0


def test_every_page_has_its_tables():
    for page, makers in accuracy_tables.PAGES.items():
        text = (accuracy_tables.Path(__file__).parents[2] / page).read_text(encoding="utf-8")
        for name in makers:
            assert text.count(f"<!-- accuracy_tables: {name} -->") == 1, (page, name)
