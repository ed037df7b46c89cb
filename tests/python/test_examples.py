"""The examples of python/examples, where what they are about is installed."""

import importlib.util
import pathlib

import dse
import pytest

ROOT = pathlib.Path(__file__).parents[2]


def example(name):
    spec = importlib.util.spec_from_file_location(name, ROOT / "python" / "examples" / f"{name}.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def best():
    """Of all 360 points, the best in each objective."""
    table = dse.Sweep(ROOT / "sweeps" / "smoke.yaml").sweep()
    return table[table.status == "ok"][["iteration_time", "memory_peak"]].min()


def test_optuna(best):
    optuna = pytest.importorskip("optuna")
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    study = example("optuna_study").search(dse.Sweep(ROOT / "sweeps" / "smoke.yaml"), trials=150)
    found = [min(values) for values in zip(*(trial.values for trial in study.best_trials))]
    assert best.iteration_time <= found[0] < 1.1 * best.iteration_time
    assert best.memory_peak <= found[1] < 1.5 * best.memory_peak


def test_pymoo(best):
    pytest.importorskip("pymoo")
    problem, result = example("pymoo_problem").search(dse.Sweep(ROOT / "sweeps" / "smoke.yaml"), evaluations=400)
    assert best.iteration_time <= result.F[:, 0].min() < 1.1 * best.iteration_time
    assert problem.sweep.evaluate(**problem.point(result.X[0]))["iteration_time"] == pytest.approx(result.F[0][0])
