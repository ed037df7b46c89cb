from pathlib import Path

from dse_analysis.kernel_runners import RUNNERS, attention_runner, runner

#: Lines that kernel_runner_test.cpp reads, too.
FOLDER = Path(__file__).parents[1] / "model" / "compute" / "learned"


def lines_of(name):
    return [line.split() for line in (FOLDER / name).read_text(encoding="utf-8").splitlines() if not line.startswith("#")]


def test_runners_are_those_of_the_tables():
    for library, release, form, capability, gated, low_latency, expected in lines_of("runners.txt"):
        assert runner(library, release, form, float(capability), gated == "yes", low_latency == "yes") == expected, (library, release, form)


def test_runners_of_attention_are_those_of_the_tables():
    for library, release, head_dim, cache, window, capability, expected in lines_of("attention_runners.txt"):
        found = attention_runner(library, release, float(head_dim), cache == "fp8", window == "yes", float(capability))
        assert found == expected, (library, release, head_dim, cache)


def test_tables_have_each_runner():
    assert {line[-1] for name in ("runners.txt", "attention_runners.txt") for line in lines_of(name)} == set(RUNNERS)
