"""vLLM's scheduler (v1), slow and obvious: one step at a time, one request at a time.

Written from vLLM's documented rules (docs.vllm.ai, design documents "V1 scheduler" and "paged attention"): requests
that run come first, in the order in which they were let in, then those that wait, who came first first; a step has a
budget of tokens; prompts may be read in pieces; a request takes pages as its tokens need them; where none is free, the
last let in is preempted, which gives all its pages back and reads its prompt and what it generated again; after a
preemption nobody is let in within the step. With a prefix cache, pieces of prompts stay in the pages of who computed them; pages
that nobody uses wait in a line, those of a request from its last to its first, and a piece is forgotten when its pages are taken.
"""


class Request:
    def __init__(self, number, arrival, prompt, output, pieces=()):
        self.number, self.arrival, self.prompt, self.output = number, arrival, prompt, output
        self.generated = 0
        self.computed = 0
        self.pieces = list(pieces)  # names of those that the prompt fills
        self.used = []  # of them, in the prefix cache
        self.looked_at = 0
        self.pages = []
        self.reads = True  # its prompt, or that and what it had generated before it was preempted
        self.tokens = []  # when each was generated
        self.retries, self.lost = 0, False  # after failures of its replica
        self.hit = 0  # tokens that a prefill pool has found in a cache

    def length(self):
        return self.prompt + self.generated


def with_host(options, device_time, decoding):
    """What the host does for a step comes before it, or while the devices do another."""
    host = options["host"] + options["host_sequence"] * decoding
    return max(host, device_time) if options["asynchronous"] else host + device_time


class Entrance:
    """Tokenizes prompts, one after the other, and hands them to the scheduler."""

    def __init__(self, options):
        self.options, self.free, self.coming = options, 0, []

    def send(self, request, time):
        request.arrival = time
        self.free = max(self.free, time) + self.options["tokenize"] * request.prompt
        self.coming.append((self.free + self.options["request"], request))

    def take(self, now):
        """Return those whom the scheduler knows of by now."""
        known = [request for time, request in self.coming if time <= now]
        self.coming = self.coming[len(known):]
        return known


class Engine:
    """One replica; `step_time(chunks, contexts)` says what a step takes."""

    def __init__(self, options, step_time):
        self.options, self.step_time = options, step_time
        self.free = list(range(options["pages"]))  # in the order in which they are taken
        self.cached = {}  # pages of a piece
        self.users = {}  # of a piece
        self.piece_of = {}  # of a page
        self.waiting, self.running = [], []
        self.now = 0
        self.held = 0  # steps that prompts have waited for others
        self.looks = True  # for new requests
        self.unlooked = 0  # steps since it did

    def rest(self):
        """Nobody is there."""

    def duration(self, device_time, decoding):
        return with_host(self.options, device_time, decoding)

    def pages_of(self, tokens):
        return -(-tokens // self.options["page_tokens"])

    def allocate(self, request, tokens):
        more = self.pages_of(request.computed + tokens) - len(request.pages)
        if more > len(self.free):
            return False
        for page in self.free[:more]:
            if page in self.piece_of:
                piece = self.piece_of[page]
                for other in self.cached.pop(piece):
                    del self.piece_of[other]
                del self.users[piece]
        request.pages += self.free[:more]
        del self.free[:more]
        self.add_pieces(request, request.computed + tokens)
        return True

    def add_pieces(self, request, tokens):
        length = self.options["piece_tokens"]
        wide = length // self.options["page_tokens"]
        while request.looked_at < len(request.pieces) and (request.looked_at + 1) * length <= tokens:
            piece = request.pieces[request.looked_at]
            if piece not in self.cached:
                pages = request.pages[request.looked_at * wide:(request.looked_at + 1) * wide]
                self.cached[piece], self.users[piece] = pages, 1
                self.piece_of.update(dict.fromkeys(pages, piece))
                request.used.append(piece)
            request.looked_at += 1

    def hits(self, request):
        """The leading pieces that are cached, but for what would leave no token to read."""
        found = []
        for piece in request.pieces:
            if piece not in self.cached or (len(found) + 1) * self.options["piece_tokens"] >= request.length():
                break
            found.append(piece)
        return found

    def use(self, request, hits):
        for piece in hits:
            if self.users[piece] == 0:
                self.free = [page for page in self.free if page not in self.cached[piece]]
            self.users[piece] += 1
            request.pages += self.cached[piece]
            request.used.append(piece)
        request.looked_at = len(hits)
        request.computed = len(hits) * self.options["piece_tokens"]

    def release(self, request):
        shared = {page for piece in request.used for page in self.cached[piece]}
        self.free += [page for page in reversed(request.pages) if page not in shared]
        for piece in reversed(request.used):
            self.users[piece] -= 1
            if self.users[piece] == 0:
                self.free += reversed(self.cached[piece])
        request.pages, request.used, request.looked_at = [], [], 0

    def may_enter(self, request, hits, tokens):
        if self.options["scheduler"] == "tensorrt":
            reserved = sum(self.pages_of(r.prompt + r.output - 1) for r in self.running)
            return reserved + self.pages_of(request.prompt + request.output - 1) <= self.options["pages"]
        kept = self.options["watermark_pages"] if self.running else 0
        cached = len(hits) * self.options["piece_tokens"]
        more = self.pages_of(cached + tokens) - self.pages_of(cached)
        idle = sum(len(self.cached[piece]) for piece in hits if self.users[piece] == 0)
        return more + idle + kept <= len(self.free)

    def admit(self, scheduled, budget):
        """Let in those who wait, who came first first, and add what each reads in this step."""
        while self.waiting and budget > 0 and len(self.running) < self.options["max_sequences"]:
            request = self.waiting[0]
            hits = self.hits(request)
            tokens = request.length() - len(hits) * self.options["piece_tokens"]
            if tokens > budget and not self.options["chunked"]:
                break
            tokens = min(tokens, budget)
            if not self.may_enter(request, hits, tokens):
                break
            self.use(request, hits)
            assert self.allocate(request, tokens)
            self.waiting.pop(0)
            self.running.append(request)
            scheduled[request] = tokens
            budget -= tokens

    def tokens_to_read(self, budget):
        """Of whole prompts that would be read in a step, by TensorRT-LLM's rules."""
        tokens = sum(min(r.length() - r.computed, budget) for r in self.running if r.reads)
        reserved = sum(self.pages_of(r.prompt + r.output - 1) for r in self.running)
        for request in self.waiting[:self.options["max_sequences"] - len(self.running)]:
            reserved += self.pages_of(request.prompt + request.output - 1)
            left = budget - tokens
            if reserved > self.options["pages"] or left <= 0 or (request.prompt > left and not self.options["chunked"]):
                break
            tokens += min(request.prompt, left)
        return tokens

    def holds_prompts(self):
        """Whether prompts wait for others, while somebody decodes (batch_wait_timeout_iters)."""
        decoding = sum(not r.reads for r in self.running)
        tokens = self.tokens_to_read(self.options["token_budget"] - decoding)
        if not self.options["hold_steps"] or not decoding or not tokens:
            return False
        few = tokens + decoding < self.options["hold_share"] * self.options["token_budget"]
        holds = few and self.held < self.options["hold_steps"]
        self.held = self.held + 1 if holds else 0
        return holds

    def schedule(self):
        """Return {request: tokens} of the next step, in order, and how many were preempted."""
        budget = self.options["token_budget"]
        scheduled, preempted = {}, 0
        holds = self.holds_prompts()
        index = 0
        while index < len(self.running):
            request = self.running[index]
            if holds and request.reads:
                break  # the last
            tokens = min(request.length() - request.computed, budget)
            while not self.allocate(request, tokens):
                victim = self.running.pop()
                self.release(victim)
                victim.computed = 0
                victim.reads = True
                self.waiting.insert(0, victim)
                preempted += 1
                if victim is request:
                    return scheduled, preempted
            scheduled[request] = tokens
            budget -= tokens
            index += 1
        if preempted == 0 and not holds:
            self.admit(scheduled, budget)
        return scheduled, preempted

    def step(self):
        """Return (start, duration, decoding, context, chunks, preempted), or None where nothing ran."""
        scheduled, preempted = self.schedule()
        if not scheduled:
            return None
        decoding = [r for r in scheduled if not r.reads]
        contexts = [r.length() for r in decoding]
        chunks = [(r.computed, tokens) for r, tokens in scheduled.items() if r not in decoding]
        before = 0 if self.looks else self.unlooked
        self.unlooked = before + 1 if decoding else self.options["receive_every"]
        start = self.now
        duration = self.duration(self.step_time(chunks, contexts), len(decoding))
        self.now += duration
        for request, tokens in scheduled.items():
            request.computed += tokens
            if request.computed == request.length():
                request.generated += 1
                request.reads = False
                request.tokens.append(self.now)
                if request.generated == request.output:
                    self.running.remove(request)
                    self.release(request)
        return start, duration, len(decoding), sum(contexts), chunks, preempted


def serve(options, requests, step_time, engine_type=Engine):
    """Answer all; with options["clients"] each request but the first ones is sent when another has ended."""
    engine = engine_type(options, step_time)
    entrance = Entrance(options)
    clients = options["clients"]
    to_come = list(requests)
    for request in to_come[:clients] if clients else to_come:
        entrance.send(request, 0 if clients else request.arrival)
    to_come = to_come[clients:] if clients else []
    steps, done = [], 0
    while True:
        look(engine, entrance)
        if not engine.waiting and not engine.running:
            if not entrance.coming:
                return steps
            rest(engine, entrance)
            continue
        step = engine.step()
        if step is not None:
            steps.append(step)
        ended = sum(request.generated == request.output for request in requests)
        for _ in range(ended - done):
            if to_come:
                entrance.send(to_come.pop(0), engine.now)
        done = ended


def look(engine, entrance):
    """New requests are looked for now and then, and by an engine with nothing to do."""
    engine.looks = engine.unlooked >= engine.options["receive_every"] or not (engine.waiting or engine.running)
    if engine.looks:
        engine.waiting += entrance.take(engine.now)


def rest(engine, entrance):
    """Nothing to do until somebody comes."""
    engine.now = entrance.coming[0][0]
    engine.rest()


class Lane(Engine):
    """A scheduler whose batches pass stages, which `free` says until when they work on others."""

    def __init__(self, options, step_time, free):
        super().__init__(options, step_time)
        self.free_stages, self.entrance, self.to_come = free, Entrance(options), []

    def duration(self, device_time, decoding):
        host = self.options["host"] + self.options["host_sequence"] * decoding
        before = 0 if self.options["asynchronous"] else host
        time, left = self.now + before, device_time
        for stage, free in enumerate(self.free_stages):
            part = left // (len(self.free_stages) - stage)
            left -= part
            time = self.free_stages[stage] = max(time, free) + part
        return max(host, time - self.now)

    def next_time(self):
        if self.waiting or self.running:
            return self.now
        return max(self.now, self.entrance.coming[0][0]) if self.entrance.coming else float("inf")


def serve_lanes(options, requests, step_time):
    """Answer all on one pipeline, whose lanes take requests (clients) in turns; returns the number of steps."""
    stages, clients = options["stages"], options["clients"]
    number = min(stages, clients) if clients else stages
    own = options | {"max_sequences": max(1, options["max_sequences"] // stages)}
    free, steps = [0] * stages, 0
    lanes = [Lane(own, step_time, free) for _ in range(number)]
    for index, lane in enumerate(lanes):
        mine = requests[index::number]
        first = clients // number + (index < clients % number) if clients else len(mine)
        for request in mine[:first]:
            lane.entrance.send(request, 0 if clients else request.arrival)
        lane.to_come = mine[first:]
    while True:
        lane = min(lanes, key=Lane.next_time)
        if lane.next_time() == float("inf"):
            return steps
        look(lane, lane.entrance)
        if not lane.waiting and not lane.running:
            rest(lane, lane.entrance)
            continue
        here = lane.running + lane.waiting
        steps += lane.step() is not None
        for _ in (request for request in here if request.generated == request.output):
            if lane.to_come:
                lane.entrance.send(lane.to_come.pop(0), lane.now)


class Server:
    """A replica that a router sends requests to."""

    def __init__(self, options, step_time, engine_type):
        self.engine, self.entrance = engine_type(options, step_time), Entrance(options)
        self.sent, self.steps = [], 0

    def advance(self, until):
        """Begin all steps that begin before this time."""
        engine, entrance = self.engine, self.entrance
        while True:
            look(engine, entrance)
            if not engine.waiting and not engine.running:
                if not entrance.coming or entrance.coming[0][0] >= until:
                    return
                rest(engine, entrance)
            elif engine.now >= until:
                return
            else:
                self.steps += engine.step() is not None

    def load(self, time):
        return sum(r.generated < r.output or r.tokens[-1] > time for r in self.sent)

    def known(self, request):
        """Leading pieces of its prompt that were sent here."""
        here = {piece for other in self.sent for piece in other.pieces}
        return next((i for i, piece in enumerate(request.pieces) if piece not in here), len(request.pieces))


def choose(options, servers, request, *now):
    """The least loaded, or by sgl-router's cache_aware, with its defaults, the one that knows most of the prompt."""
    loads = [server.load(*now) for server in servers]
    least = loads.index(min(loads))
    if options["router"] == "least_loaded":
        return least
    known = [server.known(request) for server in servers]
    if max(loads) - min(loads) > 64 and max(loads) > 1.5 * min(loads):
        return least
    if max(known) <= 0.3 * len(request.pieces):
        return least
    return min(range(len(servers)), key=lambda i: (-known[i], loads[i], i))


def start_over(request, lost_gaps):
    """All that a failed replica had of a request is gone."""
    lost_gaps += [b - a for a, b in zip(request.tokens, request.tokens[1:])]
    request.generated = request.computed = request.looked_at = 0
    request.pages, request.used, request.tokens, request.reads = [], [], [], True


def serve_routed(options, requests, step_time, engine_type):
    """Return the number of steps of all replicas, and gaps between tokens of answers that were lost.

    options["failures"] lists times and replicas, in order. A step that has begun by then ends; the replica's requests
    start over elsewhere, at most options["most_retries"] times, and it is sent others from options["repair"] later on. Where none runs, a request waits for the first.
    """
    servers = [Server(options, step_time, engine_type) for _ in range(options["replicas"])]
    up = [0] * len(servers)
    failures = list(options.get("failures", []))
    steps, lost_gaps = 0, []

    def deliver(request, now):
        for server in servers:
            server.advance(now)
        running = [i for i, time in enumerate(up) if time <= now]
        if running:
            chosen = choose(options, [servers[i] for i in running], request, now)
            server, time = servers[running[chosen]], now
        else:
            server, time = servers[up.index(min(up))], min(up)
        server.sent.append(request)
        sent_at, request.arrival = request.arrival, time
        server.entrance.send(request, time)
        request.arrival = sent_at

    def fail(time, number):
        nonlocal steps
        servers[number].advance(time)
        lost = [r for r in servers[number].sent if r.generated < r.output]
        steps += servers[number].steps
        servers[number], up[number] = Server(options, step_time, engine_type), time + options["repair"]
        for request in lost:
            start_over(request, lost_gaps)
            if request.retries == options["most_retries"]:
                request.lost = True
                continue
            request.retries += 1
            deliver(request, time)

    for request in requests:
        while failures and failures[0][0] <= request.arrival:
            fail(*failures.pop(0))
        deliver(request, request.arrival)
    for time, number in failures:
        for server in servers:
            server.advance(time)
        if not any(server.load(time) for server in servers):
            break
        fail(time, number)
    for server in servers:
        server.advance(float("inf"))
    return steps + sum(server.steps for server in servers), lost_gaps
