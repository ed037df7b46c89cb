from pathlib import Path

from dse_analysis.kernel_runners import RUNNERS, runner

#: Lines that kernel_runner_test.cpp reads, too.
KNOWN = Path(__file__).parents[1] / "model" / "compute" / "learned" / "runners.txt"


def test_runners_are_those_of_the_tables():
    lines = [line.split() for line in KNOWN.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
    assert {line[-1] for line in lines} == set(RUNNERS)
    for library, release, form, capability, gated, low_latency, expected in lines:
        assert runner(library, release, form, float(capability), gated == "yes", low_latency == "yes") == expected, (library, release, form)
