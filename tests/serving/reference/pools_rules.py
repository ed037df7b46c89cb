"""Two pools, slow and obvious: workers that read prompts, a way, and workers that generate.

Requests take turns over the workers of a pool, and at a worker that reads over its ranks. A prompt is read in steps of
at most token_budget tokens, first come first served; its cache then goes to the other pool, where it waits for a place
and for all the pages that it will need.
What happens at one moment (prompts read, tokens made, caches and requests that arrive, clients that send, in that
order) happens before any worker begins a step. Requests that are sent at one moment are accepted together, and then
tokenized side by side.
"""

import itertools

from routed_rules import choose
from vllm_rules import with_host


def gives_up(options, request, now):
    """Whether its client has waited too long for a token that it does not have."""
    first_token, whole = options.get("patience", (0, 0))
    in_time = request.tokens and request.tokens[0] <= request.arrival + first_token
    return bool(whole and request.arrival + whole <= now or
                first_token and request.arrival + first_token <= now and not in_time)


class Worker:
    def __init__(self, options, step_time):
        self.options, self.step_time = options, step_time
        self.step, self.until = None, None


class Sender:
    """One process that sends the tokens of a worker that reads, or of a rank that generates, one after the other."""

    def __init__(self, options):
        self.token, self.arrived = options.get("send", 0), 0

    def send(self, now, tokens):
        self.arrived = max(self.arrived, now) + self.token * tokens
        return self.arrived


def drawn_rank(seed, number, ranks):
    """Of SplitMix64's output for the seed and the number of a request."""
    mask, golden = 2 ** 64 - 1, 0x9E3779B97F4A7C15

    def mixed(state):
        state = (state ^ state >> 30) * 0xBF58476D1CE4E5B9 & mask
        state = (state ^ state >> 27) * 0x94D049BB133111EB & mask
        return state ^ state >> 31

    return mixed(mixed(seed + golden & mask) + (number + 1) * golden & mask) % ranks


class Reader(Worker):
    """Ranks with a queue each, which take requests in turns, or as they are drawn, and begin and end every step together."""

    def __init__(self, options, step_time):
        super().__init__(options, step_time)
        self.queues = [[] for _ in range(options["ranks"])]
        self.cached = [[] for _ in self.queues]  # pieces, those to be forgotten first in front
        self.sent = []
        self.sender = Sender(options)
        self.turns = itertools.cycle(self.queues)
        self.there = []  # those that were there when the last step began

    def take(self, request):
        self.sent.append(request)
        seed = self.options.get("rank_seed")
        queue = next(self.turns) if seed is None else self.queues[drawn_rank(seed, request.number, len(self.queues))]
        queue.append(request)

    def load(self):
        return sum(len(queue) for queue in self.queues)

    def known(self, request):
        here = {piece for other in self.sent for piece in other.pieces}
        return next((i for i, piece in enumerate(request.pieces) if piece not in here), len(request.pieces))

    def found(self, request, cached):
        """Tokens of its leading pieces that are cached; at least one token is read."""
        number = next((i for i, piece in enumerate(request.pieces) if piece not in cached), len(request.pieces))
        while number * self.options["piece_tokens"] >= request.prompt and number:
            number -= 1
        return number * self.options["piece_tokens"]

    def keep(self, request, rank):
        """A prompt that has been read leaves its pieces; pieces that prompts under way use are not forgotten."""
        cached, length = self.cached[rank], self.options["piece_tokens"]
        room = self.options["pages"] // (length // self.options["page_tokens"])
        held = [p for other in self.queues[rank] if other is not request for p in other.pieces[:other.hit // length]]
        mine = []
        for piece in request.pieces:
            if piece not in cached:
                while len(cached) >= room:
                    idle = next((p for p in cached if p not in held and p not in mine and
                                 p not in request.pieces[:request.hit // length]), None)
                    if idle is None:
                        break
                    cached.remove(idle)
                if len(cached) >= room:
                    break
                cached.append(piece)
            mine.append(piece)
        for piece in reversed(mine):
            if piece not in held:
                cached.remove(piece)
                cached.append(piece)

    def drop(self, now):
        """Those whose clients have given up."""
        gone = []
        for rank, queue in enumerate(self.queues):
            for request in [request for request in queue if gives_up(self.options, request, now)]:
                queue.remove(request)
                length, cached = self.options["piece_tokens"], self.cached[rank]
                held = [p for other in queue for p in other.pieces[:other.hit // length]]
                for piece in reversed(request.pieces[:request.hit // length]):
                    if piece not in held:
                        cached.remove(piece)
                        cached.append(piece)
                gone.append(request)
        return gone

    def begin(self, now):
        present = [request for queue in self.queues for request in queue]
        ahead = self.options["asynchronous"] and self.options["scheduler"] != "tensorrt"
        composed = [request for request in present if ahead and request in self.there] or present
        queues = [[request for request in queue if request in composed] for queue in self.queues]
        self.there = present
        self.step = [self.fill(now, queue, cached) for queue, cached in zip(queues, self.cached)]
        if not any(self.step):
            self.step = None
            return
        times = [self.step_time([(request.computed, tokens) for request, tokens in part], []) for part in self.step if part]
        self.until = now + with_host(self.options, max(times), 0)

    def fill(self, now, queue, cached):
        budget, part = self.options["token_budget"], []
        for request in queue:
            begins = not hasattr(request, "begun")
            hit = self.found(request, cached) if begins else 0
            left = request.prompt - request.computed - hit
            if budget == 0 or len(part) == self.options["max_sequences"]:
                break
            if left > budget and not self.options["chunked"]:
                break
            if begins:
                request.begun, request.hit, request.computed = now, hit, hit
            part.append((request, min(left, budget)))
            budget -= min(left, budget)
        return part

    def end(self):
        done = []
        for rank, (queue, part) in enumerate(zip(self.queues, self.step)):
            for request, tokens in part:
                request.computed += tokens
                if request.computed == request.prompt:
                    self.keep(request, rank)
                    queue.remove(request)
                    done.append(request)
        self.step = None
        return done


class Generator:
    """An attention rank that generates."""

    def __init__(self, options):
        self.options, self.sender = options, Sender(options)
        self.queue, self.running = [], []

    def pages(self, request):
        tokens = request.prompt + request.output - 1
        return -(-tokens // self.options["page_tokens"]) + self.options.get("state_pages", 0)

    def let_in(self, now):
        while self.queue and len(self.running) < self.options["decode_sequences"]:
            taken = sum(self.pages(request) for request in self.running)
            if taken + self.pages(self.queue[0]) > self.options["pages"]:
                break
            self.running.append(self.queue.pop(0))
            if self.options["first_token_waits"]:
                self.running[-1].tokens.append(self.sender.send(now, 1))
        return [request.prompt + request.generated for request in self.running]

    def take(self, request):
        self.queue.append(request)

    def load(self):
        return len(self.queue) + len(self.running)

    def drop(self, now):
        gone = [request for request in self.queue + self.running if gives_up(self.options, request, now)]
        self.queue = [request for request in self.queue if request not in gone]
        self.running = [request for request in self.running if request not in gone]
        return gone

    def end(self, now):
        arrival = self.sender.send(now, len(self.running)) if self.running else 0
        for request in self.running:
            request.generated += 1
            request.tokens.append(max(arrival, request.tokens[0]))  # not before the first
        done = sorted((r for r in self.running if r.generated == r.output), key=lambda r: r.number)
        self.running = [request for request in self.running if request not in done]
        return done


class Generators(Worker):
    """Ranks that begin and end every step together; one without requests takes part as well."""

    def __init__(self, options, step_time, ranks):
        super().__init__(options, step_time)
        self.ranks = ranks

    def begin(self, now):
        self.step = [contexts for contexts in (rank.let_in(now) for rank in self.ranks) if contexts]
        if not self.step:
            self.step = None
            return
        longest = max(self.step_time([], contexts) for contexts in self.step)
        self.until = now + with_host(self.options, longest, max(map(len, self.step)))

    def drop(self, now):
        return [request for rank in self.ranks for request in rank.drop(now)]

    def end(self, now):
        self.step = None
        return [request for rank in self.ranks for request in rank.end(now)]


def serve(options, requests, step_time):
    """Answer all; returns how many steps there were."""
    readers = [Reader(options, step_time) for _ in range(options["prefill_workers"])]
    together = options["decode_ranks"]
    generators = [Generator(options) for _ in range(options["decode_workers"] * together)]
    groups = [Generators(options, step_time, generators[i:i + together]) for i in range(0, len(generators), together)]
    read_by, generated_by = itertools.cycle(readers), itertools.cycle(generators)
    to_come, coming, caches = list(requests), [], []
    accepted, now, steps, free_clients, together = 0, 0, 0, [], []

    def send(time):
        request = to_come.pop(0)
        request.arrival = time
        together.append(request)

    def accept(time):
        """All that are sent at this time have been."""
        nonlocal accepted
        if together:
            accepted = max(accepted, time) + options["accept"] * len(together)
        for request in together:
            coming.append((accepted + options["tokenize"] * request.prompt + options["request"], request.number, request))
        together.clear()

    def finish(request):
        first_token, whole = options.get("patience", (0, 0))
        late = [request.arrival + first_token] if first_token and request.tokens[0] > request.arrival + first_token else []
        late += [request.arrival + whole] if whole and request.tokens[-1] > request.arrival + whole else []
        request.gave_up = bool(late)
        leave(max(now, min(late)) if late else request.tokens[-1])

    def leave(time):
        """Its client is free from then on, and then sends the next request."""
        if options["clients"]:
            free_clients.append(time)

    def send_free():
        """Clients that are free now send; returns whether a request arrives at the first pool now."""
        while to_come and now in free_clients:
            free_clients.remove(now)
            send(now)
        accept(now)
        return any(c[0] == now for c in coming)

    for request in requests[:options["clients"]] if options["clients"] else requests:
        if together and together[0].arrival != request.arrival and not options["clients"]:
            accept(together[0].arrival)
        send(0 if options["clients"] else request.arrival)
    accept(together[0].arrival)
    while True:
        for worker in [w for w in readers if w.step and w.until == now]:
            for request in worker.end():
                request.generated = 1
                if request.output == 1:
                    request.tokens.append(worker.sender.send(now, 1))
                    finish(request)
                    continue
                arrival = now + max(options["transfer"], options["transfer"] * request.prompt - (now - request.begun))
                if not options["first_token_waits"]:
                    request.tokens.append(worker.sender.send(now, 1))
                if gives_up(options, request, now):
                    request.gave_up = True
                    leave(now)
                    continue
                caches.append((arrival, request.number, request))
        for worker in [w for w in groups if w.step and w.until == now]:
            for request in worker.end(now):
                finish(request)
        for cache in sorted(cache for cache in caches if cache[0] == now):
            by_turns = options["pool_router"] == "round_robin"
            (next(generated_by) if by_turns else min(generators, key=Generator.load)).take(cache[2])
            caches.remove(cache)
        happens = True
        while happens:
            while happens:
                for request in [one for _, _, one in sorted(c for c in coming if c[0] == now)]:
                    coming.remove(next(c for c in coming if c[2] is request))
                    if options["pool_router"] == "round_robin":
                        next(read_by).take(request)
                    else:
                        readers[choose(options | {"router": options["pool_router"]}, readers, request)].take(request)
                happens = send_free()
            for worker in readers + groups:
                for request in worker.drop(now) if worker.step is None else ():
                    request.gave_up = True
                    leave(now)
            happens = send_free()
        for worker in readers + groups:
            if worker.step is None:
                worker.begin(now)
                steps += 0 if worker.step is None else len(worker.step) if worker in groups else 1
        times = [w.until for w in readers + groups if w.step] + [c[0] for c in caches] + [c[0] for c in coming]
        times += free_clients if to_come else []
        if not times:
            return steps
        now = min(times)
