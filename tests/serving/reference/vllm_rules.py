"""vLLM's scheduler (v1), slow and obvious: one step at a time, one request at a time.

Written from vLLM's documented rules (docs.vllm.ai, design documents "V1 scheduler" and "paged attention"): requests
that run come first, in the order in which they were let in, then those that wait, who came first first; a step has a
budget of tokens; prompts may be read in pieces; a request takes pages as its tokens need them; where none is free, the
last let in is preempted, which gives all its pages back and reads its prompt and what it generated again; after a
preemption nobody is let in within the step.
"""


class Request:
    def __init__(self, number, arrival, prompt, output):
        self.number, self.arrival, self.prompt, self.output = number, arrival, prompt, output
        self.generated = 0
        self.computed = 0
        self.pages = 0
        self.reads = True  # its prompt, or that and what it had generated before it was preempted
        self.tokens = []  # when each was generated

    def length(self):
        return self.prompt + self.generated


class Engine:
    """One replica; `step_time(chunks, contexts)` says what a step takes."""

    def __init__(self, options, step_time):
        self.options, self.step_time = options, step_time
        self.free = options["pages"]
        self.waiting, self.running = [], []
        self.now = 0

    def pages_of(self, tokens):
        return -(-tokens // self.options["page_tokens"])

    def allocate(self, request, tokens):
        more = self.pages_of(request.computed + tokens) - request.pages
        if more > self.free:
            return False
        self.free -= more
        request.pages += more
        return True

    def release(self, request):
        self.free += request.pages
        request.pages = 0

    def may_enter(self, request, tokens):
        if self.options["scheduler"] == "tensorrt":
            reserved = sum(self.pages_of(r.prompt + r.output - 1) for r in self.running)
            return reserved + self.pages_of(request.prompt + request.output - 1) <= self.options["pages"]
        kept = self.options["watermark_pages"] if self.running else 0
        return self.pages_of(tokens) + kept <= self.free

    def schedule(self):
        """Return {request: tokens} of the next step, in order, and how many were preempted."""
        budget = self.options["token_budget"]
        scheduled, preempted = {}, 0
        index = 0
        while index < len(self.running):
            request = self.running[index]
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
        while preempted == 0 and self.waiting and budget > 0 and len(self.running) < self.options["max_sequences"]:
            request = self.waiting[0]
            tokens = request.length()
            if tokens > budget and not self.options["chunked"]:
                break
            tokens = min(tokens, budget)
            if not self.may_enter(request, tokens):
                break
            assert self.allocate(request, tokens)
            self.waiting.pop(0)
            self.running.append(request)
            scheduled[request] = tokens
            budget -= tokens
        return scheduled, preempted

    def step(self):
        """Return (start, duration, decoding, context, chunks, preempted), or None where nothing ran."""
        scheduled, preempted = self.schedule()
        if not scheduled:
            return None
        decoding = [r for r in scheduled if not r.reads]
        contexts = [r.length() for r in decoding]
        chunks = [(r.computed, tokens) for r, tokens in scheduled.items() if r not in decoding]
        start = self.now
        duration = self.step_time(chunks, contexts)
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


def serve(options, requests, step_time):
    """Answer all; with options["clients"] each request but the first ones is sent when another has ended."""
    engine = Engine(options, step_time)
    clients = options["clients"]
    to_come = list(requests)
    if clients:
        for request in to_come:
            request.arrival = 0
        engine.waiting, to_come = to_come[:clients], to_come[clients:]
    steps, done = [], 0
    while True:
        while not clients and to_come and to_come[0].arrival <= engine.now:
            engine.waiting.append(to_come.pop(0))
        if not engine.waiting and not engine.running:
            if not to_come:
                return steps
            engine.now = to_come[0].arrival
            continue
        step = engine.step()
        if step is not None:
            steps.append(step)
        ended = sum(request.generated == request.output for request in requests)
        for _ in range(ended - done if clients else 0):
            if to_come:
                to_come[0].arrival = engine.now
                engine.waiting.append(to_come.pop(0))
        done = ended
