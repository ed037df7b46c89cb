"""The networks of `layerdag`: what a layer is, given those before it.

A layer is drawn in four steps. How many nodes it has (`size`); what they hang on and what they are: of this diffusion
every step takes the mask of one node away, first of its parent in the layer before (`parent`), then of its operator
(`label`); how many further parents each has (`count`), and which (`partner`). src/synth/layerdag plays the same
networks: names and shapes here are those of its file.
"""

import torch
from torch import nn
from torch.nn import functional

STEP_FEATURES, PLACE_FEATURES, CHILD_FEATURES, PAIR_FEATURES = 10, 3, 3, 6


class Net(nn.Module):
    """All networks. `width` is that of every hidden layer, `rounds` how far a node looks up to its ancestors."""

    def __init__(self, labels, most_size, most_extras, width=64, rounds=3, dropout=0.1):
        super().__init__()
        self.settings = {"labels": labels, "most_size": most_size, "most_extras": most_extras, "width": width,
                         "rounds": rounds}

        def two(wide, narrow):
            return nn.Sequential(nn.Linear(wide, width), nn.ReLU(), nn.Dropout(dropout), nn.Linear(width, narrow))

        # One more for what roots hang on.
        self.embedding = nn.Embedding(labels + 1, width)
        nn.init.normal_(self.embedding.weight, std=0.5)
        self.rise = nn.ModuleList([two(4 * width, width) for _ in range(rounds)])
        self.step = two(2 * width + STEP_FEATURES, width)
        self.size = two(width, most_size)
        self.place = two(3 * width + PLACE_FEATURES, width)
        self.pool = two(2 * width, width)
        self.mix = two(2 * width, width)
        self.parent = two(width, 1)
        self.label = two(width, labels)
        self.child = two(4 * width + CHILD_FEATURES, width)
        self.count = two(width, most_extras + 1)
        self.wish = two(2 * width, width)
        self.partner = two(2 * width + PAIR_FEATURES, 1)

    def losses(self, batch):
        """Return the negative log likelihoods of all layers together, by question, in nats."""
        h = self.ancestry(batch)
        g = self.states(batch, h)
        y = self.young(batch, h, g)
        return {"size": functional.cross_entropy(self.size(g), batch.sizes - 1, reduction="sum"),
                **self.mask_losses(batch, h, g),
                "count": functional.cross_entropy(self.count(y[batch.has_primary[:, 0] > 0]),
                                                  batch.count[batch.has_primary[:, 0] > 0], reduction="sum"),
                "partner": self.partner_loss(batch, h, y)}

    def ancestry(self, batch):
        """Return what each node is, from its operator, those above it and beside it: (nodes, width)."""
        h = self.embedding(batch.labels)
        for rise in self.rise:
            beside = mean_at(h, batch.primary, batch.nodes, batch.has_primary)
            h = h + rise(torch.cat([h, h[batch.primary] * batch.has_primary, beside[batch.primary] * batch.has_primary,
                                    mean_at(h[batch.other_from], batch.other_to, batch.nodes)], 1))
        return h

    def states(self, batch, h):
        """Return what each layer is drawn from: (layers, width)."""
        last = mean_at(h[batch.candidate], batch.candidate_step, batch.layers)
        sums = torch.cat([torch.zeros(1, h.shape[1]), torch.cumsum(h, 0)])
        begin, end = batch.before_layer.T
        mean = (sums[end] - sums[begin]) / (end - begin).unsqueeze(1)
        return self.step(torch.cat([last, mean, batch.features], 1))

    def mask_losses(self, batch, h, g):
        """Of a layer some nodes are known; asked are parent and operator of the others."""
        shown = batch.shown
        kids = mean_at(self.embedding(batch.labels[shown]), batch.primary[shown], batch.nodes)
        number = torch.bincount(batch.primary[shown], minlength=batch.nodes).float()
        step = batch.candidate_step
        at = torch.cat([h[batch.candidate], kids[batch.candidate], g[step],
                        number[batch.candidate].sqrt().unsqueeze(1), batch.progress[step]], 1)
        c = self.place(at)
        q = self.pool(torch.cat([mean_at(c, step, batch.layers), g], 1))
        c = c + self.mix(torch.cat([c, q[step]], 1))
        of_place = torch.zeros(batch.nodes, c.shape[1]).index_copy(0, batch.candidate, c)
        log_parent = torch.zeros(batch.nodes).index_copy(
            0, batch.candidate, log_softmax_at(self.parent(c).squeeze(1), step, batch.layers))
        hidden = batch.weight > 0
        weight, primary = batch.weight[hidden], batch.primary[hidden]
        label = functional.cross_entropy(self.label(of_place[primary]), batch.labels[hidden], reduction="none")
        return {"parent": -(weight * log_parent[primary]).sum(), "label": (weight * label).sum()}

    def young(self, batch, h, g):
        """Return what each node is for the choice of further parents: (nodes, width)."""
        kids = mean_at(self.embedding(batch.labels), batch.primary, batch.nodes, batch.has_primary)
        return self.child(torch.cat([self.embedding(batch.labels), h[batch.primary], kids[batch.primary],
                                     g[batch.step], batch.child_features], 1))

    def partner_loss(self, batch, h, y):
        """Of a node's further parents some are known; asked is for any of the others."""
        if batch.asks == 0:
            return torch.zeros(())
        known = mean_at(h[batch.known_from], batch.known_to, batch.asks)
        z = self.wish(torch.cat([y[batch.asked], known], 1))
        score = self.partner(torch.cat([z[batch.pair_ask], h[batch.pair_node], batch.pair_features], 1)).squeeze(1)
        log = log_softmax_at(score, batch.pair_ask, batch.asks)
        return -(batch.ask_size[batch.pair_ask] * batch.pair_left * log).sum()


def mean_at(values, place, count, weight=None):
    """Return the mean of the rows that stand at each place, of those with a weight alone; 0 where none does."""
    if weight is None:
        weight = torch.ones(len(place), 1)
    total = torch.zeros(count, values.shape[1]).index_add(0, place, values * weight)
    number = torch.zeros(count, 1).index_add(0, place, weight)
    return total / number.clamp(min=1)


def log_softmax_at(scores, place, count):
    """Return logarithms of the softmax among the scores at the same place."""
    most = torch.full((count,), -1e9).scatter_reduce(0, place, scores.detach(), "amax")
    shifted = scores - most[place]
    total = torch.zeros(count).index_add(0, place, shifted.exp())
    return shifted - total.log()[place]
