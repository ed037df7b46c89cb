"""The file of the networks: whole numbers, and what one of them is worth in each row."""

import json

import numpy as np

LARGEST = 2047  # of a row: twelve bits


def rounded(weights, bias):
    """Return an affine map as {"worth": of each row, "weights": row by row, "bias": …}."""
    weights = np.asarray(weights, np.float64)
    worth = np.abs(weights).max(1) / LARGEST
    worth[worth == 0] = 1.0
    return {"worth": [float(f"{value:.9g}") for value in worth],
            "weights": np.rint(weights / worth[:, None]).astype(int).ravel().tolist(),
            "bias": [float(f"{value:.9g}") for value in np.asarray(bias, np.float64)]}


def as_json(net, operators, training):
    """Return the networks as src/synth/layerdag reads them. `training` is for people."""
    state = {name: value.detach().numpy() for name, value in net.state_dict().items()}
    embedding = state["embedding.weight"]
    nets = {"embedding": rounded(embedding, np.zeros(len(embedding)))}
    for name in sorted({key.rsplit(".", 2)[0] for key in state if key.endswith(".0.weight")}):
        nets[name] = [rounded(state[f"{name}.{part}.weight"], state[f"{name}.{part}.bias"]) for part in (0, 3)]
    return {"settings": net.settings, "labels": operators, "nets": nets, "training": training}


def write(path, net, operators, training):
    path.write_text(json.dumps(as_json(net, operators, training), separators=(",", ":")) + "\n", encoding="utf-8")
