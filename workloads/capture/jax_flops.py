"""FLOPs of a traced program: dots and convolutions, loops times their length, before any compiler has seen it.

A count of its own, from JAX's own form: what a model's author states and what is read from the captured text are
both held against it.
"""

import math

from jax.extend.core import ClosedJaxpr, Jaxpr

import windows


def dot_flops(jaxpr):
    """Return 2 x multiply-adds of every dot of a program on all devices together.

    Parameters
    ----------
    jaxpr : jax.extend.core.ClosedJaxpr

    Returns
    -------
    int
        A `while` of unknown length counts once; of a `cond` the dearest branch.
    """
    return _walk(jaxpr, {"dot_general": _dot})


def convolution_flops(jaxpr):
    """Return 2 x multiply-adds of every convolution by XLA's rule: products with padding and holes are none."""
    return _walk(jaxpr, {"conv_general_dilated": _convolution})


def _walk(jaxpr, costs):
    total = 0
    for equation in _open(jaxpr).eqns:
        name = equation.primitive.name
        if name in costs:
            total += costs[name](equation)
        elif name == "cond":
            total += max(_walk(branch, costs) for branch in equation.params["branches"])
        else:
            times = _times(equation)
            total += times * sum(_walk(inner, costs) for inner in _inner(equation.params.values()))
    return total


def _times(equation):
    """Return how often what is inside an equation runs: a loop's length, or the parts a program is split into."""
    if equation.primitive.name == "scan":
        return equation.params["length"]
    if equation.primitive.name == "shard_map":
        return math.prod(equation.params["mesh"].shape[axis] for axis in equation.params["newly_manual_axes"])
    return 1


def _open(jaxpr):
    return jaxpr.jaxpr if isinstance(jaxpr, ClosedJaxpr) else jaxpr


def _inner(values):
    for value in values:
        if isinstance(value, (ClosedJaxpr, Jaxpr)):
            yield value
        elif isinstance(value, (tuple, list)):
            yield from _inner(value)


def _dot(equation):
    (contracted, _), _ = equation.params["dimension_numbers"]
    lhs = equation.invars[0].aval.shape
    return 2 * math.prod(equation.outvars[0].aval.shape) * math.prod(lhs[d] for d in contracted)


def _convolution(equation):
    parameters = equation.params
    numbers = parameters["dimension_numbers"]
    lhs, rhs, out = (variable.aval.shape for variable in (*equation.invars, *equation.outvars))
    # A specification lists batch, features, then space; of the kernel output features, input features, space.
    positions = math.prod(
        windows.valid_positions(lhs[i], rhs[k], out[o], stride, padding[0], input_dilation, kernel_dilation)
        for i, k, o, stride, padding, input_dilation, kernel_dilation in zip(
            numbers.lhs_spec[2:], numbers.rhs_spec[2:], numbers.out_spec[2:], parameters["window_strides"],
            parameters["padding"], parameters["lhs_dilation"], parameters["rhs_dilation"]))
    batch = lhs[numbers.lhs_spec[0]] // parameters["batch_group_count"]
    inputs = lhs[numbers.lhs_spec[1]] // parameters["feature_group_count"]
    return 2 * batch * inputs * rhs[numbers.rhs_spec[0]] * positions
