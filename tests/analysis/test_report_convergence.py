from conftest import changed

from dse_analysis.report.convergence import convergence_info, search_method
from dse_analysis.results import read_results


def searched(path, method="random"):
    with changed(path) as file:
        file.attrs["fact_names"] = ["axes.0.tp", "search.method"]
        file.attrs["fact_values"] = ["1, 2", method]
    return read_results(path)


def test_best_so_far_by_hand(results_file):
    # Times 4, 3, 2, 2.5 and two without answer; memories 10, 20, 40, 30 GiB; no energy anywhere.
    info = convergence_info(searched(results_file))
    assert (info.method, info.objectives) == ("random", ["iteration_time", "memory_peak"])
    time, memory = info.steps
    assert (time[0].tolist(), time[1].tolist()) == ([1, 2, 3, 6], [4.0, 3.0, 2.0, 2.0])
    assert (memory[0].tolist(), (memory[1] / 2**30).tolist()) == ([1, 6], [10.0, 10.0])


def test_more_may_be_better(results_file):
    table = searched(results_file)
    table.attrs["objectives"] = [("compute_time", "maximize")]
    ((places, bests),) = convergence_info(table).steps
    assert (places.tolist(), bests.tolist()) == ([1, 6], [3.0, 3.0])


def test_a_grid_does_not_converge(results_file, table):
    assert convergence_info(table) is None
    assert convergence_info(searched(results_file, "grid")) is None


def test_methods_one_after_the_other():
    facts = {"fact_names": ["search.method", "search.then.0", "seed"], "fact_values": ["sobol", "nsga2", "1"]}
    assert search_method(facts) == "sobol, nsga2"
