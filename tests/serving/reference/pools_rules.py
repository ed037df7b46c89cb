"""Two pools, slow and obvious: workers that read prompts, a way, and workers that generate.

Requests take turns over the workers of a pool. A prompt is read in steps of at most token_budget tokens, first come
first served; its cache then goes to the other pool, where it waits for a place and for all the pages that it will need.
What happens at one moment (prompts read, tokens made, caches and requests that arrive, in that order) happens
before any worker begins a step.
"""

import itertools

from vllm_rules import with_host


class Worker:
    def __init__(self, options, step_time):
        self.options, self.step_time = options, step_time
        self.queue, self.running, self.step, self.until = [], [], None, None


class Reader(Worker):
    def begin(self, now):
        budget, self.step = self.options["token_budget"], []
        for request in self.queue:
            left = request.prompt - request.computed
            if budget == 0 or len(self.step) == self.options["max_sequences"]:
                break
            if left > budget and not self.options["chunked"]:
                break
            if request.computed == 0:
                request.begun = now
            self.step.append((request, min(left, budget)))
            budget -= min(left, budget)
        if not self.step:
            self.step = None
            return
        chunks = [(request.computed, tokens) for request, tokens in self.step]
        self.until = now + with_host(self.options, self.step_time(chunks, []), 0)

    def end(self):
        for request, tokens in self.step:
            request.computed += tokens
        done = [request for request, _ in self.step if request.computed == request.prompt]
        self.queue = [request for request in self.queue if request not in done]
        self.step = None
        return done


class Generator(Worker):
    def pages(self, request):
        return -(-(request.prompt + request.output - 1) // self.options["page_tokens"])

    def begin(self, now):
        while self.queue and len(self.running) < self.options["decode_sequences"]:
            taken = sum(self.pages(request) for request in self.running)
            if taken + self.pages(self.queue[0]) > self.options["pages"]:
                break
            self.running.append(self.queue.pop(0))
        if not self.running:
            return
        self.step = [request.prompt + request.generated for request in self.running]
        self.until = now + with_host(self.options, self.step_time([], self.step), len(self.step))

    def end(self, now):
        for request in self.running:
            request.generated += 1
            request.tokens.append(now)
        done = sorted((r for r in self.running if r.generated == r.output), key=lambda r: r.number)
        self.running = [request for request in self.running if request not in done]
        self.step = None
        return done


def serve(options, requests, step_time):
    """Answer all; returns how many steps there were."""
    readers = [Reader(options, step_time) for _ in range(options["prefill_workers"])]
    generators = [Generator(options, step_time) for _ in range(options["decode_workers"])]
    read_by, generated_by = itertools.cycle(readers), itertools.cycle(generators)
    to_come, coming, caches = list(requests), [], []
    free, now, steps = 0, 0, 0

    def send(time):
        nonlocal free
        request = to_come.pop(0)
        request.arrival = time
        free = max(free, time) + options["tokenize"] * request.prompt
        coming.append((free + options["request"], request))

    def finish():
        if options["clients"] and to_come:
            send(now)

    for request in requests[:options["clients"]] if options["clients"] else requests:
        send(0 if options["clients"] else request.arrival)
    while True:
        for worker in [w for w in readers if w.step and w.until == now]:
            for request in worker.end():
                request.generated = 1
                if request.output == 1:
                    request.tokens.append(now)
                    finish()
                    continue
                arrival = now + max(options["transfer"], options["transfer"] * request.prompt - (now - request.begun))
                request.tokens.append(arrival if options["first_token_waits"] else now)
                caches.append((arrival, request.number, request))
        for worker in [w for w in generators if w.step and w.until == now]:
            for _ in worker.end(now):
                finish()
        for cache in sorted(cache for cache in caches if cache[0] == now):
            next(generated_by).queue.append(cache[2])
            caches.remove(cache)
        while coming and coming[0][0] == now:
            next(read_by).queue.append(coming.pop(0)[1])
        for worker in readers + generators:
            if worker.step is None:
                worker.begin(now)
                steps += worker.step is not None
        times = [w.until for w in readers + generators if w.step] + [c[0] for c in caches] + [c[0] for c in coming]
        if not times:
            return steps
        now = min(times)
