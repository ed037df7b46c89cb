"""vLLM's scheduler (v1), slow and obvious: one step at a time, one request at a time.

Written from vLLM's documented rules (docs.vllm.ai, design documents "V1 scheduler" and "paged attention"): requests
that run come first, in the order in which they were let in, then those that wait, who came first first; a step has a
budget of tokens; prompts may be read in pieces; a request takes pages as its tokens need them; where none is free, the
last let in is preempted, which gives all its pages back and reads its prompt and what it generated again; after a
preemption nobody is let in within the step. With a prefix cache, pieces of prompts stay in the pages of who computed them; pages
that nobody uses wait in a line, those of a request from its last to its first, and a piece is forgotten when its pages are taken.
Who was preempted finds what it had in whole pages again, too, up to the first page that somebody has taken. The state of
recurrent layers lies in pages of its own for as long as a request runs, and is never found again.
"""

import bisect


class Request:
    def __init__(self, number, arrival, prompt, output, pieces=(), adapter=None):
        self.number, self.arrival, self.prompt, self.output = number, arrival, prompt, output
        self.adapter = adapter
        self.priority = 0
        self.gave_up = False
        self.generated = 0
        self.computed = 0
        self.pieces = list(pieces)  # names of those that the prompt fills
        self.used = []  # of them, in the prefix cache
        self.looked_at = 0
        self.pages = []
        self.states = []  # pages of its recurrent state
        self.left = []  # whole pages behind its pieces that it had when it was preempted, while nobody takes them
        self.reads = True  # its prompt, or that and what it had generated before it was preempted
        self.tokens = []  # when each was generated
        self.retries, self.lost = 0, False  # after failures of its replica
        self.hit = 0  # tokens that a prefill pool has found in a cache

    def length(self):
        return self.prompt + self.generated

    def turn(self):
        return self.priority, self.came, self.number_here


def with_host(options, device_time, decoding):
    """What the host does for a step comes before it, or while the devices do another; they wait for the gap in any case."""
    host = options["host"] + options["host_sequence"] * decoding
    waiting = options["gap"] + device_time
    return max(host, waiting) if options["asynchronous"] else host + waiting


class Entrance:
    """Accepts requests, tokenizes prompts, one after the other, and hands them to the scheduler."""

    def __init__(self, options):
        self.options, self.free, self.sent = options, 0, 0
        self.burst, self.start, self.taken, self.last = None, 0, 0, 0
        self.coming, self.times = [], []  # requests, and when they are sent, in order

    def send(self, request, time):
        """Arrivals of requests that were sent before, but come later, are exchanged."""
        self.coming.append(request)
        request.number_here = self.sent
        self.sent += 1
        self.client_is_free(time)

    def client_is_free(self, time):
        """Whoever is free first sends the next request, though it was known before that others will be free."""
        place = bisect.bisect_right(self.times, time)
        self.times.insert(place, time)
        del self.times[len(self.coming):]
        for request, time in list(zip(self.coming, self.times))[place:]:
            request.arrival = request.came = time

    def accepted(self):
        """When the next one is accepted: with all that arrive at the same time."""
        arrival = self.times[0]
        if not self.options.get("accept"):
            return arrival
        if arrival != self.burst:
            self.burst, self.start, self.taken = arrival, max(self.last, arrival), 0
        return self.start + self.options["accept"] * (self.taken + self.times.count(arrival))

    def ready(self):
        """When the scheduler will know of the next one."""
        if not self.coming:
            return float("inf")
        tokenized = max(self.free, self.accepted()) + self.options["tokenize"] * self.coming[0].prompt
        return tokenized + self.options["request"]

    def take(self, now):
        """Return those whom the scheduler knows of by now."""
        known = []
        while self.ready() <= now:
            self.free = self.ready() - self.options["request"]
            self.last = self.accepted()
            self.taken += 1
            self.times.pop(0)
            known.append(self.coming.pop(0))
        return known


class Engine:
    """One replica; `step_time(chunks, contexts)` says what a step takes."""

    def __init__(self, options, step_time):
        self.options, self.step_time = options, step_time
        self.free = list(range(options["pages"]))  # in the order in which they are taken
        self.cached = {}  # pages of a piece
        self.users = {}  # of a piece
        self.piece_of = {}  # of a page
        self.left_by = {}  # of a page: who was preempted
        self.waiting, self.running = [], []
        self.now = 0
        self.begun = 0  # when the last step began
        self.arrived = 0  # when clients have the tokens of the last step
        self.held = 0  # steps that prompts have waited for others
        self.looks = True  # for new requests
        self.unlooked = 0  # steps since it did
        self.loaded = []  # adapters in memory, those unused for longest first, then those in use
        self.loads = 0  # adapters that the step waits for
        self.free_clients = []  # when those whose requests have ended are

    def take_free_clients(self):
        times, self.free_clients = self.free_clients, []
        return times

    def rest(self):
        """Nobody is there."""

    def pages_of(self, tokens):
        return -(-tokens // self.options["page_tokens"])

    def allocate(self, request, tokens):
        states = self.options.get("state_pages", 0) - len(request.states)
        more = self.pages_of(request.computed + tokens) - len(request.pages) + states
        if more > len(self.free):
            return False
        for page in self.free[:more]:
            if page in self.piece_of:
                piece = self.piece_of[page]
                for other in self.cached.pop(piece):
                    del self.piece_of[other]
                del self.users[piece]
            if page in self.left_by:
                left = self.left_by[page].left
                for other in left[left.index(page):]:
                    del self.left_by[other]
                del left[left.index(page):]
        request.states += self.free[:states]
        request.pages += self.free[states:more]
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

    def left_behind(self, request, hits):
        return request.left if len(hits) == len(request.pieces) else []

    def found(self, request, hits):
        """Tokens in these pieces, and in what it had before it was preempted."""
        return len(hits) * self.options["piece_tokens"] + len(self.left_behind(request, hits)) * self.options["page_tokens"]

    def use(self, request, hits):
        request.computed = self.found(request, hits)
        left = self.left_behind(request, hits)
        for page in request.left:
            del self.left_by[page]
        request.left = []
        self.free = [page for page in self.free if page not in left]
        for piece in hits:
            if self.users[piece] == 0:
                self.free = [page for page in self.free if page not in self.cached[piece]]
            self.users[piece] += 1
            request.pages += self.cached[piece]
            request.used.append(piece)
        request.pages += left
        request.looked_at = len(hits)

    def release(self, request, preempted=False):
        if preempted and self.options["prefix_cache"]:
            pieces = len(request.pieces) * self.options["piece_tokens"] // self.options["page_tokens"]
            request.left = request.pages[pieces:request.computed // self.options["page_tokens"]]
            self.left_by.update(dict.fromkeys(request.left, request))
        shared = {page for piece in request.used for page in self.cached[piece]}
        self.free += request.states
        self.free += [page for page in reversed(request.pages) if page not in shared]
        for piece in reversed(request.used):
            self.users[piece] -= 1
            if self.users[piece] == 0:
                self.free += reversed(self.cached[piece])
        request.pages, request.states, request.used, request.looked_at = [], [], [], 0

    def may_enter(self, request, hits, tokens):
        if self.options["scheduler"] == "tensorrt":
            reserved = sum(self.pages_of(r.prompt + r.output - 1) for r in self.running)
            return reserved + self.pages_of(request.prompt + request.output - 1) <= self.options["pages"]
        kept = self.options["watermark_pages"] if self.running else 0
        cached = self.found(request, hits)
        more = self.pages_of(cached + tokens) - self.pages_of(cached) + self.options.get("state_pages", 0)
        idle = sum(len(self.cached[piece]) for piece in hits if self.users[piece] == 0) + len(self.left_behind(request, hits))
        return more + idle + kept <= len(self.free)

    def admit(self, scheduled, budget):
        """Let in those who wait, who came first first, and add what each reads in this step."""
        self.passed = set()  # those whom others have passed in this step
        while self.waiting and budget > 0 and len(self.running) < self.options["max_sequences"]:
            request = self.next_waiting()
            if request is None:
                break
            hits = self.hits(request)
            tokens = request.length() - self.found(request, hits)
            if tokens > budget and not self.options["chunked"]:
                break
            tokens = min(tokens, budget)
            if not self.may_enter(request, hits, tokens):
                break
            self.use(request, hits)
            assert self.allocate(request, tokens)
            self.load_adapter(request)
            self.waiting.remove(request)
            self.running.append(request)
            scheduled[request] = tokens
            budget -= tokens

    def adapters(self):
        return {r.adapter for r in self.running} - {None}

    def may_run(self, request, used):
        """Whether its adapter is one of those in use, or there is a place for another."""
        return request.adapter is None or request.adapter in used or len(used) < self.options["max_loras"]

    def next_waiting(self):
        """The first whose adapter may run. vLLM passes over others (scheduled_loras), and so does TensorRT-LLM
        (capacityScheduler.cpp), but not over one that lacks pages, too."""
        for request in sorted(self.waiting, key=Request.turn) if self.by_priority() else self.waiting:
            if self.may_run(request, self.adapters()):
                return request
            if self.options["scheduler"] == "sglang":
                break
            if self.options["scheduler"] == "tensorrt" and request not in self.passed:
                if not self.may_enter(request, [], 0):
                    break
                self.passed.add(request)
        return None

    def load_adapter(self, request):
        if request.adapter is None or request.adapter in self.loaded:
            return
        if len(self.loaded) == self.options["max_loras"]:
            self.loaded.remove(next(adapter for adapter in self.loaded if adapter not in self.adapters()))
        self.loaded.append(request.adapter)
        self.loads += 1

    def leave(self, request, preempted=False):
        """It runs no longer."""
        self.running.remove(request)
        self.release(request, preempted)
        if request.adapter is not None and request.adapter not in self.adapters():
            self.loaded.remove(request.adapter)
            self.loaded.append(request.adapter)

    def with_adapters(self):
        """What those of the planned step add to its time."""
        chunks, contexts = self.batch
        adapters = len(self.adapters())
        if not adapters:
            return 0
        tokens = sum(tokens for _, tokens in chunks) + len(contexts)
        return self.options["adapter"] * (adapters + tokens) + self.options["load"] * self.loads

    def tokens_to_read(self, budget):
        """Of whole prompts of which something would be read in a step, by TensorRT-LLM's rules."""
        tokens, left, places = 0, budget, self.options["max_sequences"] - len(self.running)
        for request in self.running:
            if request.reads and left > 0:
                tokens += request.prompt
                left -= min(request.length() - request.computed, left)
        reserved = sum(self.pages_of(r.prompt + r.output - 1) for r in self.running)
        used = self.adapters()
        for request in self.waiting:
            pages = self.pages_of(request.prompt + request.output - 1)
            if places == 0 or left <= 0 or reserved + pages > self.options["pages"]:
                break
            if not self.may_run(request, used):
                continue
            if request.prompt > left and not self.options["chunked"]:
                break
            if request.adapter is not None:
                used.add(request.adapter)
            reserved += pages
            places -= 1
            tokens += request.prompt
            left -= min(request.prompt, left)
        return tokens

    def holds_prompts(self):
        """Whether prompts wait for others, while somebody decodes (batch_wait_timeout_iters)."""
        if not self.options["hold_steps"]:
            return False
        decoding = sum(not r.reads for r in self.running)
        tokens = self.tokens_to_read(self.options["token_budget"] - decoding)
        if not decoding or not tokens:
            return False
        few = tokens + decoding < self.options["hold_share"] * self.options["token_budget"]
        holds = few and self.held < self.options["hold_steps"]
        self.held = self.held + 1 if holds else 0
        return holds

    def victim(self):
        """Who is preempted first: the last let in, or the last in turn (--scheduling-policy priority)."""
        return max(self.running, key=Request.turn) if self.by_priority() else self.running[-1]

    def by_priority(self):
        return self.options.get("policy") == "priority"

    def give_up(self):
        """Clients that have waited too long close their connections; return how many."""
        first_token, whole = self.options.get("patience", (0, 0))
        late = []
        for request in self.waiting + self.running:
            late += [(request.arrival + first_token, request.number, True, request)] if first_token else []
            late += [(request.arrival + whole, request.number, False, request)] if whole else []
        count = 0
        for time, _, is_first, request in sorted(late, key=lambda each: each[:3]):
            if time > self.now or request.gave_up or is_first and request.tokens and request.tokens[0] <= time:
                continue
            request.gave_up, request.ended = True, self.now
            count += 1
            if request in self.waiting:
                self.waiting.remove(request)
            else:
                self.leave(request)
        return count

    def end(self, request):
        """It has all its tokens; its client, which may not have waited for them, is free from then on."""
        first_token, whole = self.options.get("patience", (0, 0))
        late = [request.arrival + first_token] if first_token and request.tokens[0] > request.arrival + first_token else []
        late += [request.arrival + whole] if whole and request.tokens[-1] > request.arrival + whole else []
        request.gave_up = bool(late)
        self.leave(request)
        self.free_clients.append(max(self.now, min(late)) if late else self.arrived)

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
                victim = self.victim()
                if victim in scheduled:
                    budget += scheduled.pop(victim)
                    index -= 1
                self.leave(victim, preempted=True)
                victim.computed = 0
                victim.reads = True
                self.waiting.insert(0, victim)
                preempted += 1
                if victim is request:
                    break
            if request not in self.running:
                continue  # with the one that follows, if there is any
            scheduled[request] = tokens
            budget -= tokens
            index += 1
        if preempted == 0 and not holds:
            self.admit(scheduled, budget)
        return scheduled, preempted

    def plan(self):
        """Decide what the next step processes, (chunks, contexts); returns whether there is anything."""
        self.loads = 0
        self.scheduled, self.preempted = self.schedule()
        contexts = [r.length() for r in self.scheduled if not r.reads]
        self.batch = [(r.computed, tokens) for r, tokens in self.scheduled.items() if r.reads], contexts
        return bool(self.scheduled)

    def finish(self, duration):
        """The planned step takes this long; return (start, duration, decoding, context, chunks, preempted)."""
        chunks, contexts = self.batch
        before = 0 if self.looks else self.unlooked
        self.unlooked = before + 1 if contexts else self.options["receive_every"]
        start = self.begun = self.now
        self.now += duration
        self.send(sum(r.computed + tokens == r.length() for r, tokens in self.scheduled.items()))
        for request, tokens in self.scheduled.items():
            request.computed += tokens
            if request.computed == request.length():
                request.generated += 1
                request.reads = False
                request.tokens.append(self.arrived)
                request.ended = self.now  # if it is the last
                if request.generated == request.output:
                    self.end(request)
        return start, duration, len(contexts), sum(contexts), chunks, self.preempted

    def send(self, tokens):
        """One process sends the tokens of all steps, one after the other."""
        self.arrived = max(self.arrived, self.now) + self.options.get("send", 0) * tokens

    def step(self):
        """Return the step as finish() does, or None where nothing ran."""
        if not self.plan():
            return None
        chunks, contexts = self.batch
        return self.finish(with_host(self.options, self.step_time(chunks, contexts) + self.with_adapters(), len(contexts)))


def serve(options, requests, step_time, engine_type=Engine):
    """Answer all; with options["clients"] each request but the first ones is sent when another has ended."""
    engine = engine_type(options, step_time)
    entrance = Entrance(options)
    clients = options["clients"]
    to_come = list(requests)
    for request in to_come[:clients] if clients else to_come:
        entrance.send(request, 0 if clients else request.arrival)
    to_come = to_come[clients:] if clients else []
    steps = []
    while True:
        look(engine, entrance, to_come)
        if not engine.waiting and not engine.running:
            if not entrance.coming:
                return steps
            rest(engine, entrance)
            continue
        step = engine.step()
        if step is not None:
            steps.append(step)
        send_next(engine.take_free_clients(), entrance, to_come)


def send_next(times, entrance, to_come):
    """These clients of a closed loop, which are free at these times, send the next requests."""
    for time in times if entrance.options["clients"] else ():
        if to_come:
            entrance.send(to_come.pop(0), time)
        else:
            entrance.client_is_free(time)


def look(engine, entrance, to_come):
    """New requests, and clients that have left, are looked for now and then, and by an engine with nothing to do."""
    idle = not (engine.waiting or engine.running)
    engine.looks = engine.unlooked >= engine.options["receive_every"] or idle
    if engine.looks:
        # A host that works ahead composed the next step when the last one began.
        engine.waiting += entrance.take(engine.begun if engine.options["asynchronous"] and not idle else engine.now)
        send_next([engine.now] * engine.give_up(), entrance, to_come)


def rest(engine, entrance):
    """Nothing to do until somebody comes."""
    engine.now = entrance.ready()
    engine.rest()
