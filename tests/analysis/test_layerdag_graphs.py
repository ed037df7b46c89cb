"""Graphs in layers, as the networks of synthetic workloads learn them."""

import gzip
import json

import pytest

from layerdag.graphs import layered, layers_of, read_graphs

# a → b → c, a → c, and d, that hangs on nothing but feeds c
NODES, EDGES = ["a", "b", "c", "d"], [[0, 1], [1, 2], [0, 2], [3, 2]]


def test_layers_are_those_of_longest_paths():
    assert layers_of(4, EDGES) == [0, 1, 2, 0]
    with pytest.raises(ValueError, match="cycle"):
        layers_of(2, [[0, 1], [1, 0]])


def test_nodes_hang_on_the_first_parent_in_the_layer_before():
    numbers = {"d": 0}
    graph = layered(NODES, EDGES, numbers)
    # By layer: a, d, b, c.
    assert graph.layer == [0, 0, 1, 2]
    assert graph.labels == [numbers["a"], 0, numbers["b"], numbers["c"]]
    assert graph.primary == [-1, -1, 0, 2]
    assert graph.others == [[], [], [], [0, 1]]
    assert (graph.sizes, graph.extras) == ([2, 1, 1], 2)


def test_edges_that_stand_twice_count_once():
    graph = layered(["a", "b"], [[0, 1], [0, 1]], {})
    assert graph.primary == [-1, 0]
    assert graph.extras == 0


def test_files_have_a_graph_a_line(tmp_path):
    text = json.dumps({"nodes": [18, 45], "edges": [[0, 1]]}) + "\n\n" + json.dumps({"nodes": [45], "edges": []}) + "\n"
    plain, packed = tmp_path / "g.jsonl", tmp_path / "g.jsonl.gz"
    plain.write_text(text)
    packed.write_bytes(gzip.compress(text.encode()))
    numbers = {}
    assert read_graphs(plain, numbers) == read_graphs(packed, numbers)
    assert numbers == {18: 0, 45: 1}
    assert [graph.sizes for graph in read_graphs(plain, {})] == [[1, 1], [1]]
