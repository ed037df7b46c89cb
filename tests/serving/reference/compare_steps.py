#!/usr/bin/env python3
"""Hold dse's replicas against the slow scheduler of vllm_rules.py, step by step, on random traffic.

    compare_steps.py PROGRAM [--cases N] [--seeds S ...]

Steps must be equal to the tick; so must all that follows from them: tokens, latencies, percentiles (linear, as
numpy's), queues (by Little's law, from the requests' own times).
"""

import argparse
import json
import math
import random
import subprocess
import sys

import pools_rules
import ranks_rules
import routed_rules
import sglang_rules
import vllm_rules

TICK = 2.0**-40


def random_pieces(draw, requests, number):
    """The first pieces of somebody before, and then new ones."""
    shared = draw.choice(requests)[3] if requests and draw.random() < 0.8 else []
    shared = shared[:draw.randint(0, number)]
    first = max((piece for request in requests for piece in request[3]), default=-1) + 1
    return shared + list(range(first, first + number - len(shared)))


def random_case(seed):
    draw = random.Random(seed)
    page_tokens = draw.choice([1, 4, 16, 16, 64])
    longest = draw.choice([8, 60, 300])
    piece_tokens = page_tokens * draw.choice([1, 2, 4])
    shares = draw.random() < 0.5
    requests = []
    arrival = 0
    for _ in range(draw.choice([1, 5, 40, 120])):
        arrival += draw.choice([0, 1, 1, 1]) * int(draw.expovariate(1.0) * draw.choice([3_000, 30_000, 3_000_000]))
        prompt = draw.randint(1, longest)
        requests.append([arrival, prompt, draw.randint(1, longest), random_pieces(draw, requests, prompt // piece_tokens)])
    largest = max(-(-(prompt + output - 1) // page_tokens) for _, prompt, output, _ in requests)
    pages = largest + draw.choice([0, 1, largest, 10 * largest])
    max_sequences = draw.choice([1, 3, 8, 64])
    chunked = draw.random() < 0.8
    budget = max(max_sequences, draw.choice([1, 16, 100, 1000]))
    if not chunked:
        budget = max(budget, 2 * longest)
    watermark = draw.choice([0.0, 0.0, 0.1])
    options = {"pages": pages, "page_tokens": page_tokens, "token_budget": budget, "max_sequences": max_sequences,
               "chunked": chunked, "piece_tokens": piece_tokens, "prefix_cache": shares, "watermark": watermark, "watermark_pages": int(watermark * pages),
               "scheduler": draw.choice(["vllm", "vllm", "vllm", "vllm", "tensorrt", "sglang"]),
               "tokenize": draw.choice([0, 0, 30, 3000]), "request": draw.choice([0, 0, 20_000]),
               "host": draw.choice([0, 0, 9_000]), "host_sequence": draw.choice([0, 0, 150]),
               "asynchronous": draw.random() < 0.3, "clients": draw.choice([0, 0, 0, 1, 7])}
    options |= {"receive_every": draw.choice([1, 1, 3, 20]) if options["scheduler"] == "sglang"
                else random.Random(f"looks {seed}").choice([1, 1, 2, 3]),  # steps with draft tokens
                "hold_steps": draw.choice([0, 0, 2, 30]) if options["scheduler"] == "tensorrt" else 0,
                "hold_share": draw.choice([0.1, 0.9])}
    options["accept"] = random.Random(f"accept {seed}").choice([0, 0, 500, 10_000])
    options["gap"] = random.Random(f"gap {seed}").choice([0, 0, 4_000])
    options["send"] = random.Random(f"send {seed}").choice([0, 0, 20, 300, 2_000])
    if options["scheduler"] == "vllm":
        options["state_pages"] = random.Random(f"states {seed}").choice([0, 0, 1, 5])
        options["pages"] += options["state_pages"]
        options["watermark_pages"] = int(watermark * options["pages"])
    extra = random.Random(f"adapters {seed}")
    if extra.random() < 0.4:
        adapters = extra.choice([1, 3, 10, 40])
        for request in requests:
            request.append(min(int(extra.expovariate(1.0) * adapters / 2), adapters - 1))
        options |= {"adapters": adapters, "max_loras": extra.choice([1, 1, 2, 4, 64]), "stages": 1, "ranks": 1,
                    "adapter": extra.choice([0, 7, 300]), "load": extra.choice([0, 5_000])}
    add_order(options, requests, random.Random(f"order {seed}"))
    costs = {"step": draw.randint(1, 20_000), "sequence": draw.randint(0, 200), "context": draw.randint(0, 9),
             "beyond": draw.randint(0, 9), "bend": draw.choice([1, 200, 100_000]), "token": draw.randint(0, 500),
             "pair": draw.randint(0, 5)} | {key: options[key] for key in ("adapter", "load") if "adapters" in options}
    return {"options": options, "costs": costs, "requests": requests, "ttft": 400_000 * TICK, "tpot": 20_000 * TICK}


def add_order(options, requests, draw):
    """Priorities, and clients that give up."""
    if "stages" in options:
        return
    if options["scheduler"] == "vllm" and draw.random() < 0.6:
        options |= {"policy": "priority", "priorities": [draw.choice([0, 0, 1, 2, -1]) for _ in requests]}
    if draw.random() < 0.4:
        options["patience"] = [draw.choice([0, 20_000, 300_000, 3_000_000]), draw.choice([0, 200_000, 3_000_000])]


def random_pools(seed):
    """The same on two pools."""
    draw = random.Random(seed)
    case = random_case(seed)
    options = case["options"]
    for key in ("policy", "priorities"):
        options.pop(key, None)  # the pools' order has tests of its own
    options |= {"adapters": 0}
    options |= {"prefill_workers": draw.choice([1, 2, 3]), "decode_workers": draw.choice([1, 2, 5]),
                "decode_sequences": draw.choice([1, 4, 16]), "transfer": draw.choice([0, 10, 20_000]),
                "first_token_waits": draw.random() < 0.5, "ranks": draw.choice([1, 1, 2, 3]),
                "decode_ranks": draw.choice([1, 1, 2, 4]),
                "pool_router": draw.choice(["round_robin", "least_loaded", "prefix"])}
    ranks = random.Random(f"ranks {seed}")
    if ranks.random() < 0.5:
        options["rank_seed"] = ranks.choice([0, 1, 2 ** 63, ranks.getrandbits(64)])
    if options["pool_router"] == "prefix":
        options["prefix_cache"] = True  # as for replicas
    options["token_budget"] = max(options["token_budget"], 16)
    return case


def random_routed(seed):
    """The same on replicas of a router."""
    draw = random.Random(seed)
    case = random_case(seed)
    router = draw.choice(["least_loaded", "prefix"])
    case["options"].pop("stages", None)
    case["options"] |= {"replicas": draw.choice([1, 2, 3, 5]), "router": router, "clients": 0}
    case["options"]["ranks"] = draw.choice([1, 1, 2, 3])
    if router == "prefix":
        case["options"]["prefix_cache"] = True  # those of others are not told
    elif draw.random() < 0.6:
        repair = draw.choice([0, 1_000, 300_000])
        case["options"] |= {"send": 0, "repair": repair, "failures": random_failures(draw, case, repair),
                            "most_retries": draw.choice([0, 1, 9])}
    return case


def random_lanes(seed):
    """The same on attention ranks, and on a pipeline, whose stages work on a batch each."""
    case = random_case(seed)
    draw = random.Random(seed)
    stages, ranks = draw.choice([(1, 2), (1, 3), (1, 8), (2, 1), (3, 1), (4, 1), (2, 2), (3, 4)])
    case["options"] |= {"stages": stages, "ranks": ranks}
    return case


def random_failures(draw, case, repair):
    """Times and replicas, in order; a replica that is down does not fail."""
    last = case["requests"][-1][0] + draw.choice([10_000, 1_000_000])
    failures = []
    for number in range(case["options"]["replicas"]):
        time = 0
        for _ in range(draw.choice([0, 1, 4])):
            time += 1 + int(draw.random() * last)
            failures.append((time, number))
            time += repair
    return sorted(failures)


def step_time_of(costs):
    def decode(contexts):
        total = sum(contexts)
        inside = min(total, costs["bend"])
        return costs["context"] * inside + costs["beyond"] * (total - inside) + costs["sequence"] * len(contexts)

    def step_time(chunks, contexts):
        reading = sum(costs["token"] * q + costs["pair"] * q * (2 * before + q) for before, q in chunks)
        return costs["step"] + reading + decode(contexts)

    return step_time


def expanded(steps, options, step_time):
    """Single steps of runs of equal ones."""
    for start, duration, sequences, context, chunks, preempted, number in steps:
        end = start + duration
        for i in range(number):
            # Any contexts of this sum: costs are linear in it.
            contexts = [context + i * sequences] + [0] * (sequences - 1) if sequences else []
            time = vllm_rules.with_host(options, step_time(chunks, contexts), sequences)
            yield start, time, sequences, context + i * sequences, [tuple(c) for c in chunks], preempted
            start += time
        assert start == end, f"{number} steps end at {end}, not at {start}"


def percentile(values, share):
    ordered = sorted(values)
    place = share * (len(ordered) - 1)
    low = math.floor(place)
    high = min(low + 1, len(ordered) - 1)
    return ordered[low] + (place - low) * (ordered[high] - ordered[low])


def close(found, wanted, tolerance=1e-9):
    return abs(found - wanted) <= tolerance * max(abs(wanted), 1e-12)


def check_outcome(outcome, requests, case, pools=False, lost_gaps=()):
    """Everything that follows from when each request's tokens came."""
    ttft = [TICK * (r.tokens[0] - r.arrival) for r in requests]
    e2e = [TICK * (r.tokens[-1] - r.arrival) for r in requests]
    tpot = [TICK * (r.tokens[-1] - r.tokens[0]) / (r.output - 1) for r in requests if r.output > 1]
    gaps = [TICK * gap for gap in lost_gaps]
    gaps += [TICK * (b - a) for r in requests for a, b in zip(r.tokens, r.tokens[1:])]
    for index, (values, tolerance) in enumerate(((ttft, 1e-9), (tpot, 1e-9), (gaps, None), (e2e, 1e-9))):
        if not values:
            continue
        found = outcome["latency"][index]
        assert close(found[0], sum(values) / len(values)), f"mean {index}: {found[0]}"
        for place, share in enumerate((0.5, 0.9, 0.95, 0.99), 1):
            if tolerance is None:
                wanted = sorted(values)[math.floor(share * (len(values) - 1))]
                assert close(found[place], wanted, 0.002), f"gap p{share}: {found[place]}, not {wanted}"
            else:
                wanted = percentile(values, share)
                assert close(found[place], wanted), f"{index} p{share}: {found[place]}, not {wanted}"
    good = sum(TICK * (r.tokens[0] - r.arrival) <= case["ttft"] and
               (r.output == 1 or TICK * (r.tokens[-1] - r.tokens[0]) / (r.output - 1) <= case["tpot"])
               for r in requests)
    assert outcome["good"] == good, f"good {outcome['good']}, not {good}"
    assert outcome["answered"] == len(requests)
    assert outcome["output_tokens"] == sum(len(r.tokens) for r in requests) == sum(r.output for r in requests)
    if pools or case["options"].get("failures") or case["options"].get("patience") or case["options"]["send"]:
        return  # caches and tokens on their way are in no line, and requests of a failed replica in two until its step ends
    # Little: those in the system, mean over time, are the arrivals a second times the mean time there.
    assert close((outcome["waiting"] + outcome["running"]) * outcome["duration"], sum(e2e), 1e-6)


def check_answered(outcome, requests, case, pools=False, lost_gaps=()):
    """Requests whose replicas failed too often, or whose clients have given up, have no latencies, but gaps."""
    lost = [request for request in requests if request.lost or request.gave_up]
    assert outcome["lost"] == len(lost), f"{outcome['lost']} lost, and by the rules {len(lost)}"
    gaps = [b - a for r in lost for a, b in zip(r.tokens, r.tokens[1:])]
    answered = [request for request in requests if not (request.lost or request.gave_up)]
    if answered:
        check_outcome(outcome, answered, case, pools=pools, lost_gaps=[*lost_gaps, *gaps])


def requests_of(case):
    shares = case["options"]["prefix_cache"]
    requests = [vllm_rules.Request(i, *each[:3], each[3] if shares else (), *each[4:]) for i, each in enumerate(case["requests"])]
    for request, priority in zip(requests, case["options"].get("priorities", ())):
        request.priority = priority
    return requests


def check_pools(case, answer):
    requests = requests_of(case)
    steps = pools_rules.serve(case["options"], requests, step_time_of(case["costs"]))
    assert answer["outcome"]["steps"] == steps, f"{answer['outcome']['steps']} steps, and by the rules {steps}"
    check_answered(answer["outcome"], requests, case, pools=True)
    assert answer["outcome"]["cached_tokens"] == sum(request.hit for request in requests)
    return 0, 0, 0, answer["outcome"]["cached_tokens"]


def check_lanes(case, requests, engine, answer):
    steps = ranks_rules.serve_by_turns(case["options"], requests, step_time_of(case["costs"]), engine)
    assert answer["outcome"]["steps"] == steps, f"{answer['outcome']['steps']} steps, and by the rules {steps}"
    check_answered(answer["outcome"], requests, case)
    return 0, 0, answer["outcome"]["preemptions"], answer["outcome"]["cached_tokens"]


def check_routed(case, requests, engine, answer):
    steps, lost_gaps = routed_rules.serve_routed(case["options"], requests, step_time_of(case["costs"]), engine)
    assert answer["outcome"]["steps"] == steps, f"{answer['outcome']['steps']} steps, and by the rules {steps}"
    assert answer["outcome"]["retried"] == sum(request.retries for request in requests)
    check_answered(answer["outcome"], requests, case, lost_gaps=lost_gaps)
    return 0, 0, 0, answer["outcome"]["cached_tokens"]


def check_case(case, answer):
    if "prefill_workers" in case["options"]:
        return check_pools(case, answer)
    step_time = step_time_of(case["costs"])
    requests = requests_of(case)
    engine = sglang_rules.PromptsFirst if case["options"]["scheduler"] == "sglang" else vllm_rules.Engine
    if "stages" in case["options"]:
        return check_lanes(case, requests, engine, answer)
    if "router" in case["options"]:
        return check_routed(case, requests, engine, answer)
    wanted = vllm_rules.serve(case["options"], requests, step_time, engine)
    found = list(expanded(answer["steps"], case["options"], step_time))
    for number, (mine, theirs) in enumerate(zip(found, wanted)):
        assert mine == theirs, f"step {number}: {mine}, and by the rules {theirs}"
    assert len(found) == len(wanted), f"{len(found)} steps, and by the rules {len(wanted)}"
    assert answer["outcome"]["steps"] == len(wanted)
    check_answered(answer["outcome"], requests, case)
    return len(wanted), len(answer["steps"]), answer["outcome"]["preemptions"], answer["outcome"]["cached_tokens"]


def cases_of(seed, number):
    cases = [random_case(seed * 1_000_000 + i) for i in range(number)]
    for random_kind in (random_pools, random_routed, random_lanes):
        cases += [random_kind(seed * 1_000_000 + i) for i in range(number // 3)]
    return cases


def check_cases(program, seed, cases):
    """Return steps, pieces of equal ones, preemptions and cached tokens of all."""
    lines = "".join(json.dumps(case) + "\n" for case in cases)
    result = subprocess.run([program], input=lines, capture_output=True, text=True, check=True)
    totals = [0, 0, 0, 0]
    for number, (case, line) in enumerate(zip(cases, result.stdout.splitlines(), strict=True)):
        try:
            totals = [a + b for a, b in zip(totals, check_case(case, json.loads(line)))]
        except AssertionError as error:
            sys.exit(f"case {number} of seed {seed}: {error}\n{json.dumps(case['options'])}")
    return totals


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--cases", type=int, default=75)
    # In 7 and 11, prompts whose adapters have no place meet hold_steps.
    parser.add_argument("--seeds", type=int, nargs="+", default=[1, 7, 11])
    options = parser.parse_args()
    number, totals = 0, [0, 0, 0, 0]
    for seed in options.seeds:
        cases = cases_of(seed, options.cases)
        totals = [a + b for a, b in zip(totals, check_cases(options.program, seed, cases))]
        number += len(cases)
    print(f"{number} cases, {totals[0]} steps in {totals[1]} pieces, {totals[2]} preemptions, "
          f"{totals[3]} tokens found in the prefix cache: all equal")
    if totals[1] > totals[0] / 2 or totals[2] < 100 or totals[3] < 1000:
        sys.exit("these cases jump, preempt or share too seldom to say anything")


if __name__ == "__main__":
    main()
