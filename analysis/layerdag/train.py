"""Learning of the networks: resumable, with progress, and the best state by graphs that are held back."""

import copy
import pathlib
import time

import numpy as np
import torch

from .batch import Batch
from .net import Net
from .steps import Lesson

HELD_BACK = 10      # every tenth graph tells when to stop
CHECK_EVERY = 10    # epochs


def batches(graphs, size, labels, random):
    order = random.permutation(len(graphs))
    for begin in range(0, len(order), size):
        yield Batch([Lesson(graphs[i], labels, random) for i in order[begin:begin + size]], random)


class Training:
    """A run: net, optimizer, moving average of the weights, and how far it is."""

    def __init__(self, graphs, labels, seed, options):
        torch.manual_seed(seed)
        self.random = np.random.default_rng(seed)
        self.labels, self.batch = labels, options.batch
        self.held_back = graphs[HELD_BACK - 1::HELD_BACK]
        self.graphs = [graph for i, graph in enumerate(graphs) if i % HELD_BACK != HELD_BACK - 1]
        most_size = max(max(graph.sizes) for graph in graphs)
        most_extras = max(max(map(len, graph.others)) for graph in graphs)
        self.net = Net(labels, most_size, most_extras, width=options.width, dropout=options.dropout)
        self.optimizer = torch.optim.AdamW(self.net.parameters(), lr=options.rate, weight_decay=options.decay)
        self.average = copy.deepcopy(self.net)
        self.best, self.best_loss, self.epoch, self.seconds = copy.deepcopy(self.average.state_dict()), float("inf"), 0, 0.0

    def epoch_once(self, share):
        """`share` of the whole run that is done decides the rate."""
        for group in self.optimizer.param_groups:
            group["lr"] = group.setdefault("initial_lr", group["lr"]) * (0.02 + 0.98 * 0.5 * (1 + np.cos(np.pi * min(1, share))))
        self.net.train()
        total = 0.0
        for batch in batches(self.graphs, self.batch, self.labels, self.random):
            loss = sum(self.net.losses(batch).values())
            self.optimizer.zero_grad()
            (loss / self.batch).backward()
            torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
            self.optimizer.step()
            with torch.no_grad():
                for mean, value in zip(self.average.parameters(), self.net.parameters()):
                    mean.lerp_(value, 0.005)
            total += loss.item()
        self.epoch += 1
        return total / len(self.graphs)

    @torch.no_grad()
    def check(self):
        """Return the held-back graphs' loss by question, per graph; keeps the state if it is the best."""
        self.average.eval()
        random = np.random.default_rng(0)  # the same masks each time
        sums = {}
        for _ in range(4):
            for batch in batches(self.held_back, self.batch, self.labels, random):
                for name, value in self.average.losses(batch).items():
                    sums[name] = sums.get(name, 0.0) + value.item() / 4 / len(self.held_back)
        if sum(sums.values()) < self.best_loss:
            self.best, self.best_loss = copy.deepcopy(self.average.state_dict()), sum(sums.values())
        return sums

    def save(self, path):
        state = {"net": self.net.state_dict(), "average": self.average.state_dict(), "optimizer": self.optimizer.state_dict(),
                 "best": self.best, "best_loss": self.best_loss, "epoch": self.epoch, "seconds": self.seconds,
                 "random": self.random.bit_generator.state, "torch": torch.get_rng_state()}
        torch.save(state, str(path) + ".part")
        pathlib.Path(str(path) + ".part").replace(path)

    def resume(self, path):
        state = torch.load(path, weights_only=False)
        self.net.load_state_dict(state["net"])
        self.average.load_state_dict(state["average"])
        self.optimizer.load_state_dict(state["optimizer"])
        self.best, self.best_loss, self.epoch, self.seconds = (state[name] for name in ("best", "best_loss", "epoch", "seconds"))
        self.random.bit_generator.state = state["random"]
        torch.set_rng_state(state["torch"])


def run(training, epochs, checkpoint, say):
    """Train until `epochs` are done; a checkpoint and a line of progress every few."""
    begin = time.monotonic() - training.seconds
    while training.epoch < epochs:
        loss = training.epoch_once(training.epoch / epochs)
        training.seconds = time.monotonic() - begin
        if training.epoch % CHECK_EVERY == 0 or training.epoch == epochs:
            parts = training.check()
            say(f"epoch {training.epoch}/{epochs}, {training.seconds:.0f} s: {loss:.2f} nats per graph, held-back "
                f"{sum(parts.values()):.2f} (best {training.best_loss:.2f}): "
                + ", ".join(f"{name} {value:.2f}" for name, value in parts.items()))
            training.save(checkpoint)
