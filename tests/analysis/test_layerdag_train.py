"""Networks of synthetic workloads: they learn, go on where they were, and are written as they are read. Needs PyTorch."""

import argparse
import json

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from layerdag import export, train  # noqa: E402 (PyTorch comes first)
from layerdag.__main__ import main  # noqa: E402
from layerdag.graphs import layered  # noqa: E402

OPTIONS = argparse.Namespace(batch=32, width=8, dropout=0.0, rate=1e-2, decay=0.0)


def combs(number):
    """Chains of 3 to 5 nodes, from each of which a leaf hangs."""
    graphs = []
    for i in range(number):
        length = 3 + i % 3
        nodes = ["a"] * length + ["b"] * (length - 1)
        edges = [[n, n + 1] for n in range(length - 1)] + [[n, length + n] for n in range(length - 1)]
        graphs.append(layered(nodes, edges, {"a": 0, "b": 1}))
    return graphs


def test_it_learns():
    training = train.Training(combs(20), 2, 0, OPTIONS)
    first = training.epoch_once(0.0)
    for _ in range(60):
        last = training.epoch_once(0.0)
    assert last < first / 2


def test_a_stopped_run_goes_on_as_if_nothing_had_happened(tmp_path):
    whole = train.Training(combs(20), 2, 0, OPTIONS)
    train.run(whole, 20, tmp_path / "whole", lambda line: None)
    part = train.Training(combs(20), 2, 0, OPTIONS)
    for _ in range(10):
        part.epoch_once(part.epoch / 20)
    part.check()
    part.save(tmp_path / "part")
    again = train.Training(combs(20), 2, 5, OPTIONS)
    again.resume(tmp_path / "part")
    train.run(again, 20, tmp_path / "part", lambda line: None)
    for one, other in zip(whole.net.parameters(), again.net.parameters()):
        assert torch.equal(one, other)


def test_a_map_is_written_to_a_part_of_2047(tmp_path):
    written = export.rounded([[1.0, -0.3, 0.0]], [0.5])
    assert np.allclose(np.array(written["weights"]) * written["worth"][0], [1.0, -0.3, 0.0], atol=1 / 2047)
    assert written["bias"] == [0.5]


def test_the_command_writes_all_networks(tmp_path):
    graphs, output = tmp_path / "g.jsonl", tmp_path / "nets.json"
    rows = [{"nodes": [7, 8, 9], "edges": [[0, 1], [1, 2], [0, 2]]}] * 12
    graphs.write_text("".join(json.dumps(row) + "\n" for row in rows))
    main([str(graphs), "-o", str(output), "--epochs", "2", "--width", "8"])
    file = json.loads(output.read_text())
    assert file["labels"] == ["7", "8", "9"]
    assert file["settings"] == {"labels": 3, "most_size": 1, "most_extras": 1, "width": 8, "rounds": 3}
    assert len(file["nets"]["partner"][0]["weights"]) == 8 * (2 * 8 + 6)
    assert file["training"]["epochs"] == 2
