"""Several lessons as one, for the networks."""

from collections import defaultdict

import numpy as np
import torch

from .steps import SIZE, root


class Batch:
    """Lessons one behind the other: every node, layer and question has a number over all of them.

    Of each layer some nodes are shown, in a random order of all; the others are asked for.
    """

    def __init__(self, lessons, random):
        self.nodes = self.layers = self.asks = 0
        self._rows = defaultdict(list)
        for lesson in lessons:
            self._add_graph(lesson)
            self._add_masks(lesson, random)
            self._add_partners(lesson)
            self.nodes += len(lesson.labels)
            self.layers += len(lesson.sizes)
        for name, parts in self._rows.items():
            setattr(self, name, torch.from_numpy(np.concatenate(parts)))
        del self._rows

    def _add(self, name, values, dtype=np.int64):
        self._rows[name].append(np.asarray(values, dtype))

    def _add_graph(self, lesson):
        nodes = self.nodes
        self._add("labels", lesson.labels)
        self._add("primary", lesson.primary + nodes)
        self._add("has_primary", np.arange(len(lesson.labels))[:, None] > 0, np.float32)
        self._add("step", np.maximum(lesson.step, 0) + self.layers)
        self._add("other_from", np.concatenate([np.zeros(0, np.int64), *lesson.extras]) + nodes)
        self._add("other_to", np.repeat(np.arange(len(lesson.labels)), lesson.counts()) + nodes)
        # Who may be hung on, in the layer behind.
        above = np.flatnonzero(lesson.step < len(lesson.sizes) - 1)
        self._add("candidate", above + nodes)
        self._add("candidate_step", lesson.step[above] + 1 + self.layers)
        # Sums over the layers before one are sums over the nodes before it.
        self._add("before_layer", np.stack([np.full(len(lesson.sizes), nodes), lesson.first[:-1] + nodes], 1))
        self._add("features", lesson.features(), np.float32)
        self._add("sizes", lesson.sizes)
        self._add("count", lesson.counts())
        self._add("child_features", lesson.child_features(), np.float32)

    def _add_masks(self, lesson, random):
        known = random.integers(lesson.sizes)
        rank = np.concatenate([[0], *(random.permutation(size) for size in lesson.sizes)])
        real = np.arange(len(rank)) > 0
        shown = real & (rank < known[lesson.step])
        left = lesson.sizes - known
        self._add("shown", shown, np.bool_)
        # All that are left are asked for at once, each for the one that would come next.
        self._add("weight", np.where(real & ~shown, (lesson.sizes / left)[lesson.step], 0.0), np.float32)
        self._add("progress", np.stack([root(known, SIZE), root(left, SIZE)], 1), np.float32)

    def _add_partners(self, lesson):
        for name in ("known_from", "known_to", "asked", "ask_size", "pair_ask", "pair_node"):
            self._add(name, [])
        self._add("pair_left", [], np.float32)
        self._add("pair_features", np.zeros((0, 6)), np.float32)
        for node, known, candidates, missing, features in lesson.partners():
            self._add("asked", [node + self.nodes])
            self._add("ask_size", [len(lesson.extras[node - 1])])
            self._add("known_from", known + self.nodes)
            self._add("known_to", np.full(len(known), self.asks))
            self._add("pair_ask", np.full(len(candidates), self.asks))
            self._add("pair_node", candidates + self.nodes)
            self._add("pair_left", missing / missing.sum(), np.float32)
            self._add("pair_features", features, np.float32)
            self.asks += 1
