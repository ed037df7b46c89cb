"""Nonlinear least squares on logarithms of times: Levenberg-Marquardt with reduced weights for outliers."""

import numpy as np


def fit_log(model, start, target, scale=0.1, rounds=200):
    """Return the parameters that fit log model(parameters) to log target.

    Parameters
    ----------
    model : callable
        Maps parameters, shape (n_parameters,), to positive values, shape (n_rows,).
    start : sequence of float, shape (n_parameters,)
    target : numpy.ndarray, shape (n_rows,)
    scale : float
        Errors of about this size and above get reduced weights (soft L1).

    Returns
    -------
    numpy.ndarray, shape (n_parameters,)
    """
    logs = np.log(target)

    def residual(parameters):
        return np.log(np.maximum(model(parameters), 1e-30)) - logs

    def cost(errors):
        return np.sum(np.sqrt(1 + (errors / scale) ** 2) - 1)

    parameters, damping = np.array(start, float), 1e-2
    errors = residual(parameters)
    for _ in range(rounds):
        steps = 1e-6 * np.maximum(np.abs(parameters), 1e-3)
        jacobian = np.array([(residual(parameters + step * unit) - errors) / step
                             for step, unit in zip(steps, np.eye(len(parameters)))]).T
        weights = 1 / np.sqrt(1 + (errors / scale) ** 2)
        normal = jacobian.T @ (weights[:, None] * jacobian)
        gradient = jacobian.T @ (weights * errors)
        move = np.linalg.solve(normal + damping * np.diag(np.diag(normal) + 1e-12), -gradient)
        tried = residual(parameters + move)
        if np.isfinite(tried).all() and cost(tried) < cost(errors):
            small = cost(errors) - cost(tried) < 1e-9 * cost(errors)
            parameters, errors, damping = parameters + move, tried, damping / 3
            if small:
                break
        else:
            damping *= 4
            if damping > 1e12:
                break
    return parameters
