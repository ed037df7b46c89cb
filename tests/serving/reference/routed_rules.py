"""Replicas behind a router, slow and obvious; they may fail, and have attention ranks, which the router chooses among."""

from ranks_rules import Group, Rank


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
    request.pages, request.states, request.left, request.used, request.tokens, request.reads = [], [], [], [], [], True


def serve_routed(options, requests, step_time, engine_type):
    """Return the number of steps of all replicas, and gaps between tokens of answers that were lost.

    options["failures"] lists times and replicas, in order. A step that has begun by then ends; the replica's requests
    start over elsewhere, at most options["most_retries"] times, and it is sent others from options["repair"] later on. Where none runs, a request waits for the first.
    """
    replicas, number = options["replicas"], options["replicas"] * options["ranks"]
    servers = [Rank(options, step_time, engine_type) for _ in range(number)]
    groups = [Group(options, step_time, servers[i::replicas]) for i in range(replicas)]
    up = [0] * replicas
    failures = list(options.get("failures", []))
    steps, lost_gaps = 0, []

    def deliver(request, now):
        for group in groups:
            group.advance(now)
        time = max(now, min(up))
        running = [i for i in range(number) if up[i % replicas] <= time]
        server = servers[running[choose(options, [servers[i] for i in running], request, now)]]
        server.sent.append(request)
        sent_at, request.arrival = request.arrival, time
        server.entrance.send(request, time)
        request.arrival = sent_at

    def fail(time, replica):
        nonlocal steps
        groups[replica].advance(time)
        lost = [r for server in servers[replica::replicas] for r in server.unended()]
        steps += groups[replica].steps
        servers[replica::replicas] = [Rank(options, step_time, engine_type) for _ in range(options["ranks"])]
        groups[replica], up[replica] = Group(options, step_time, servers[replica::replicas]), time + options["repair"]
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
    for time, replica in failures:
        for group in groups:
            group.advance(time)
        if not any(server.load(time) for server in servers):
            break
        fail(time, replica)
    for group in groups:
        group.advance(float("inf"))
    return steps + sum(group.steps for group in groups), lost_gaps
