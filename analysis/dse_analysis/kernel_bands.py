"""Bands of kernel sizes that are held out whole: what a prediction beyond the measured sizes is worth."""

import numpy as np

LATENT = ("latent_prefill", "latent_decode", "latent_prefill_block", "latent_decode_block")
PREFILL = ("prefill", "latent_prefill", "latent_prefill_block")


def work_of(kind, rows):
    """Return a measure of each row's arithmetic, in decode of its bytes."""
    if kind == "gemm":
        return rows["m"] * rows["n"] * rows["k"]
    if kind == "experts":
        return rows["tokens"] * rows["choices"] * rows["hidden"] * rows["inner"] / rows["tensor_ranks"] / rows["expert_ranks"]
    if kind in LATENT:
        return rows["batch"] * rows["heads"] * rows["queries"] * rows["keys"]
    seen = np.where(rows["window"] > 0, np.minimum(rows["window"], rows["keys"]), rows["keys"])
    heads = rows["kv_heads"] if kind == "decode" else rows["heads"] * rows["queries"]
    return rows["batch"] * heads * rows["head_dim"] * seen


def beyond(rows, name, least):
    return lambda own: [(rows[name] >= least).to_numpy()]


def up_to(rows, name, most):
    return lambda own: [(rows[name] <= most).to_numpy()]


def each(rows, name):
    return lambda own: [(rows[name] == value).to_numpy() for value in np.unique(rows[name][own])]


def bands_of(kind, rows):
    """Yield (name, masks) of a kind: masks(own) returns what is held out, one after the other, of the rows `own`."""
    work = work_of(kind, rows).to_numpy(float)
    yield "largest quarter", lambda own: [work > np.quantile(work[own], 0.75)]
    yield "smallest quarter", lambda own: [work < np.quantile(work[own], 0.25)]
    if kind == "gemm":
        yield "m not a multiple of 64", lambda own: [((rows["m"] > 64) & (rows["m"] % 64 != 0)).to_numpy()]
        yield "m = 1", up_to(rows, "m", 1)
        yield "m from 8192", beyond(rows, "m", 8192)
        yield "n from 16384", beyond(rows, "n", 16384)
        yield "k from 16384", beyond(rows, "k", 16384)
        yield "n to 128", up_to(rows, "n", 128)
        yield "k to 128", up_to(rows, "k", 128)
    elif kind == "experts":
        yield "one token", up_to(rows, "tokens", 1)
        yield "tokens from 8192", beyond(rows, "tokens", 8192)
        yield "another number of experts", each(rows, "experts")
        yield "another hidden size", each(rows, "hidden")
        yield "ranks from 32", beyond(rows, "expert_ranks", 32)
    else:
        yield "batch 1", up_to(rows, "batch", 1)
        yield "batch from " + ("64" if kind in PREFILL else "512"), beyond(rows, "batch", 64 if kind in PREFILL else 512)
        yield "keys from " + ("8192" if kind in PREFILL else "32768"), beyond(rows, "keys", 8192 if kind in PREFILL else 32768)
        yield "another number of heads", each(rows, "heads")
        if kind not in LATENT:
            yield "another number of kv heads", each(rows, "kv_heads")
            yield "another head size", each(rows, "head_dim")
