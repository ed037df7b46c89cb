"""Engines that wait for each other, slow and obvious: attention ranks that share experts, and lanes of a pipeline.

Ranks begin and end every step together (vLLM's documentation, "Data Parallel Deployment": forward passes must be aligned,
and a rank without requests runs a dummy batch): each plans its own batch, the host of the one with most sequences and the
devices of the slowest one say how long the step takes. Lanes have batches of their own, which pass the stages of the
pipeline one after the other.
"""

from vllm_rules import Engine, Entrance, look, send_next


class Rank:
    """An engine and its way in."""

    def __init__(self, options, step_time, engine_type=Engine):
        self.engine, self.entrance = engine_type(options, step_time), Entrance(options)
        self.sent, self.to_come = [], []

    def is_idle(self):
        return not self.engine.waiting and not self.engine.running

    def ready(self):
        return self.entrance.ready()

    def unended(self):
        return [r for r in self.sent if r.generated < r.output and not r.gave_up]

    def load(self, time):
        return len(self.unended()) + sum(r.ended > time for r in self.sent if r.generated == r.output or r.gave_up)

    def known(self, request):
        """Leading pieces of its prompt that were sent here."""
        here = {piece for other in self.sent for piece in other.pieces}
        return next((i for i, piece in enumerate(request.pieces) if piece not in here), len(request.pieces))


class Group:
    """Ranks that step together; `free` says until when the stages of a pipeline work on others."""

    def __init__(self, options, step_time, ranks, free=None):
        self.options, self.step_time, self.ranks, self.free = options, step_time, ranks, free
        self.now, self.steps = 0, 0

    def duration(self, engines):
        batches = [engine.batch for engine in engines]
        host = max(self.options["host"] + self.options["host_sequence"] * len(contexts) for _, contexts in batches)
        devices = max(self.step_time(*batch) for batch in batches) + max(engine.with_adapters() for engine in engines)
        before = self.options["gap"] + (0 if self.options["asynchronous"] else host)
        if self.free is None:
            return max(host, before + devices)
        time, left = self.now + before, devices
        for stage, free in enumerate(self.free):
            part = left // (len(self.free) - stage)
            left -= part
            time = self.free[stage] = max(time, free) + part
        return max(host, time - self.now)

    def step(self):
        planned = [rank for rank in self.ranks if rank.engine.plan()]
        if not planned:
            return
        self.steps += len(planned)
        duration = self.duration([rank.engine for rank in planned])
        self.now += duration
        for rank in self.ranks:
            if rank in planned:
                rank.engine.finish(duration)
                send_next(rank.engine.take_free_clients(), rank.entrance, rank.to_come)
            else:
                rank.engine.begun, rank.engine.now = rank.engine.now, self.now
                rank.engine.unlooked = self.options["receive_every"]

    def work(self, until):
        """Do one thing that begins before this time; returns whether there was any."""
        for rank in self.ranks:
            look(rank.engine, rank.entrance, rank.to_come)
        if all(rank.is_idle() for rank in self.ranks):
            ready = min(rank.ready() for rank in self.ranks)
            if ready >= until:
                return False
            self.now = ready
            for rank in self.ranks:
                rank.engine.now = ready
                rank.engine.rest()
            return True
        if self.now >= until:
            return False
        self.step()
        return True

    def advance(self, until):
        while self.work(until):
            pass

    def next_time(self):
        if not all(rank.is_idle() for rank in self.ranks):
            return self.now
        return max(self.now, min(rank.ready() for rank in self.ranks))


def serve_by_turns(options, requests, step_time, engine_type=Engine):
    """Answer all on one replica, whose lanes and ranks take requests (clients) in turns; returns the number of steps."""
    stages, clients = options["stages"], options["clients"]
    number = stages * options["ranks"]
    number = min(number, clients) if clients else number
    own = options | {"max_sequences": max(1, options["max_sequences"] // stages)}
    ranks = [Rank(own, step_time, engine_type) for _ in range(number)]
    for index, rank in enumerate(ranks):
        mine = requests[index::number]
        first = clients // number + (index < clients % number) if clients else len(mine)
        for request in mine[:first]:
            rank.entrance.send(request, 0 if clients else request.arrival)
        rank.to_come = mine[first:]
    free = [0] * stages if stages > 1 else None
    lanes = [Group(own, step_time, ranks[lane::stages], free) for lane in range(min(stages, number))]
    # A lane whose clients have all left does nothing more, but others may.
    while min(lanes, key=Group.next_time).work(float("inf")) or min(lane.next_time() for lane in lanes) < float("inf"):
        pass
    return sum(lane.steps for lane in lanes)
