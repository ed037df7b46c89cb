"""Nonlinear least squares on logarithms of times: Levenberg-Marquardt with reduced weights for outliers.

What is known of the parameters beforehand keeps those that the rows leave open.
"""

import numpy as np


def fit_log(model, start, target, scale=0.1, rounds=200, spread=None):
    """Return the parameters that fit log model(parameters) to log target.

    Parameters
    ----------
    model : callable
        Maps parameters, shape (n_parameters,), to positive values, shape (n_rows,).
    start : sequence of float, shape (n_parameters,)
    target : numpy.ndarray, shape (n_rows,)
    scale : float
        Errors of about this size and above get reduced weights (soft L1).
    spread : numpy.ndarray, shape (n_parameters,), optional
        Standard deviations of the parameters around `start` before any row is known, where `scale` is that of a row's
        error. By default nothing is known of them: `start` is only where the search begins.

    Returns
    -------
    numpy.ndarray, shape (n_parameters,)
    """
    logs = np.log(target)
    start = np.array(start, float)
    # Of the cost below, which is that of rows in units of their variance.
    stiffness = np.zeros(len(start)) if spread is None else 1 / np.square(spread)

    def residual(parameters):
        return np.log(np.maximum(model(parameters), 1e-30)) - logs

    def cost(errors, parameters):
        return np.sum(np.sqrt(1 + (errors / scale) ** 2) - 1) + np.sum(stiffness * (parameters - start) ** 2) / 2

    parameters, damping = start, 1e-2
    errors = residual(parameters)
    for _ in range(rounds):
        steps = 1e-6 * np.maximum(np.abs(parameters), 1e-3)
        jacobian = np.array([(residual(parameters + step * unit) - errors) / step
                             for step, unit in zip(steps, np.eye(len(parameters)))]).T
        weights = 1 / np.sqrt(1 + (errors / scale) ** 2)
        normal = jacobian.T @ (weights[:, None] * jacobian) + scale**2 * np.diag(stiffness)
        gradient = jacobian.T @ (weights * errors) + scale**2 * stiffness * (parameters - start)
        move = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient)
        tried = residual(parameters + move)
        before, after = cost(errors, parameters), cost(tried, parameters + move)
        if np.isfinite(tried).all() and after < before:
            small = before - after < 1e-9 * before
            parameters, errors, damping = parameters + move, tried, damping / 3
            if small:
                break
        else:
            damping *= 4
            if damping > 1e12:
                break
    return parameters
