"""Graphs as the questions that they answer: one for each layer, node and further parent."""

import numpy as np

# How far numbers reach, so that all features are about 1: roots of numbers, divided by these. The same stand in
# src/synth/layerdag/layer_drawing.cpp.
LAYERS, NODES, EXTRAS, SIZE = 4.0, 8.0, 3.0, 2.0


def root(number, scale):
    return np.sqrt(np.maximum(number, 0)) / scale


def before(values):
    """Return the sum of all values before each."""
    return np.cumsum(values) - values


class Lesson:
    """One graph as arrays. Node 0 is what roots hang on; nodes of a layer stand in random order."""

    def __init__(self, graph, virtual_label, random):
        count = len(graph.labels)
        order = np.lexsort((random.random(count), graph.layer))
        place = np.zeros(count + 1, np.int64)  # the last one is that of -1, the parent of roots
        place[order] = np.arange(1, count + 1)
        self.labels = np.concatenate([[virtual_label], np.asarray(graph.labels)[order]])
        self.step = np.concatenate([[-1], np.asarray(graph.layer)[order]])
        self.primary = np.concatenate([[0], place[np.asarray(graph.primary)[order]]])
        self.extras = [place[graph.others[node]] for node in order]  # of node 1 and all behind it
        self.sizes = np.asarray(graph.sizes)
        self.first = np.concatenate([[1], 1 + np.cumsum(self.sizes)])  # node of each layer, and one behind the last
        self.random = random

    def counts(self):
        """Return the number of further parents of each node."""
        return np.array([0] + [len(parents) for parents in self.extras])

    def features(self):
        """Return what is known of each layer before it is drawn, (layers, 10)."""
        layers, number = len(self.sizes), self.counts()
        all_layers, nodes, extras = np.full(layers, layers), np.full(layers, self.sizes.sum()), np.full(layers, number.sum())
        layers_left = layers - np.arange(layers)
        nodes_left = nodes - before(self.sizes)
        extras_left = extras - before(np.bincount(self.step[1:], weights=number[1:], minlength=layers))
        last_size = np.concatenate([[1], self.sizes[:-1]])
        return np.stack([root(all_layers, LAYERS), root(nodes, NODES), root(extras, EXTRAS), root(layers_left, LAYERS),
                         root(nodes_left, NODES), root(extras_left, EXTRAS), root(nodes_left / layers_left, SIZE),
                         root(last_size, SIZE), layers_left == 1, layers_left == layers], 1)

    def child_features(self):
        """Return of each node: further parents of those before it in its layer, those left, nodes left to ask. (nodes, 3)"""
        number = self.counts()
        of_layer = before(number)[np.minimum(self.first[self.step], len(number) - 1)]
        left = self.first[self.step + 1] - np.arange(len(number))
        rows = np.stack([root(before(number) - of_layer, 1.0), root(number.sum() - before(number), EXTRAS), root(left, SIZE)], 1)
        rows[0] = 0.0
        return rows

    def partners(self):
        """Yield for each node with further parents, some of them known: the node, those, candidates, who of them is one of
        those left, and what is known of each pair, (candidates, 6)."""
        kids = np.bincount(self.primary[1:], minlength=len(self.labels))
        extra_kids = np.zeros(len(self.labels))
        for node, parents in enumerate(self.extras, 1):
            if len(parents) == 0:
                continue
            known = self.random.permutation(parents)[: self.random.integers(len(parents))]
            parent = self.primary[node]
            candidates = np.arange(1, self.first[self.step[node]])
            candidates = candidates[(candidates != parent) & ~np.isin(candidates, known)]
            distance = self.step[node] - self.step[candidates]
            grandparent = self.primary[parent]
            features = np.stack([root(distance, SIZE), distance == 1, root(kids[candidates], SIZE),
                                 root(extra_kids[candidates], 1.0), candidates == grandparent,
                                 self.primary[candidates] == grandparent], 1)
            yield node, known, candidates, np.isin(candidates, parents), features
            extra_kids[parents] += 1
