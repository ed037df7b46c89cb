"""An Optuna study over a sweep file: python optuna_study.py SWEEP.yaml [TRIALS]."""

import sys

import optuna

import dse


def suggest(trial, name, values):
    """Suggest a value of an axis. A range without steps is given by its two ends."""
    return trial.suggest_float(name, *values) if isinstance(values, tuple) else trial.suggest_categorical(name, values)


def search(sweep, trials, seed=1):
    """Return a study over all axes and objectives of the sweep. Infeasible points are pruned."""
    def objective(trial):
        try:
            answer = sweep.evaluate(**{name: suggest(trial, name, values) for name, values in sweep.axes.items()})
        except dse.InputError as error:  # a point that `require` excludes
            raise optuna.TrialPruned(str(error)) from None
        if answer["status"] != "ok":
            raise optuna.TrialPruned(answer["reason"])
        return [answer[metric] for metric in sweep.objectives]

    study = optuna.create_study(directions=list(sweep.objectives.values()), sampler=optuna.samplers.NSGAIISampler(seed=seed))
    study.optimize(objective, n_trials=trials)
    return study


if __name__ == "__main__":
    if len(sys.argv) < 2:
        sys.exit(__doc__)
    optuna.logging.set_verbosity(optuna.logging.WARNING)
    wanted = dse.Sweep(sys.argv[1])
    for best in search(wanted, int(sys.argv[2]) if len(sys.argv) > 2 else 200).best_trials:
        print(dict(zip(wanted.objectives, best.values)), best.params)
