"""Graphs of operators as lists of numbers, in the layers of their longest paths.

A line of a file is a graph, {"nodes": [operator, …], "edges": [[from, to], …]}, as `dse synth sample` writes them and
data sets of compilers' graphs have them; compressed with gzip or not.
"""

import gzip
import json
import pathlib
from dataclasses import dataclass, field


@dataclass
class LayeredGraph:
    """Nodes by layer; a node behind the first layer hangs on its first parent in the layer before."""

    labels: list
    layer: list
    primary: list  # of each node; -1 in the first layer
    others: list   # of each node its further parents
    sizes: list = field(default_factory=list)  # of the layers

    @property
    def extras(self):
        return sum(len(parents) for parents in self.others)


def layers_of(count, edges):
    """Return how many edges the longest path to each node has. Raise ValueError where there is a cycle."""
    waits, children = [0] * count, [[] for _ in range(count)]
    for source, target in edges:
        waits[target] += 1
        children[source].append(target)
    layer, ready = [0] * count, [node for node in range(count) if waits[node] == 0]
    for node in ready:
        for child in children[node]:
            layer[child] = max(layer[child], layer[node] + 1)
            waits[child] -= 1
            if waits[child] == 0:
                ready.append(child)
    if len(ready) != count:
        raise ValueError("a graph with a cycle")
    return layer


def layered(nodes, edges, numbers):
    """Return a graph in layers. `numbers` maps operators to numbers, and takes new ones in."""
    layer = layers_of(len(nodes), edges)
    order = sorted(range(len(nodes)), key=lambda node: layer[node])
    place = {node: i for i, node in enumerate(order)}
    parents = [set() for _ in nodes]
    for source, target in edges:
        parents[place[target]].add(place[source])
    ordered = [layer[node] for node in order]
    graph = LayeredGraph([numbers.setdefault(nodes[node], len(numbers)) for node in order], ordered, [], [],
                         [ordered.count(i) for i in range(ordered[-1] + 1)])
    for node, before in enumerate(parents):
        near = [p for p in before if ordered[p] == ordered[node] - 1]
        graph.primary.append(min(near) if near else -1)
        graph.others.append(sorted(before - {graph.primary[-1]}))
    return graph


def read_graphs(path, numbers):
    """Return the graphs of a file."""
    path = pathlib.Path(path)
    opened = gzip.open(path, "rt") if path.suffix == ".gz" else path.open()
    with opened as lines:
        rows = [json.loads(line) for line in lines if line.strip()]
    return [layered(row["nodes"], row["edges"], numbers) for row in rows if row["nodes"]]
