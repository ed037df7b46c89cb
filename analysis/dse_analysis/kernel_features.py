"""Features of kernels for regression trees: src/model/compute/learned/kernel_features.cpp, on arrays.

Both must be changed together; tests/analysis/test_kernel_features.py checks that they yield the same numbers.
"""

import numpy as np

from dse_analysis.kernel_runners import RUNNERS, attention_runner, runner

#: Rate (0: 16 bits, 1: 8 bits, 2: 4 bits, 3: 8-bit integers), bytes per activation, bytes per weight; in the
#: order of model::OperandFormat.
FORMATS = {"bf16": (0, 2.0, 2.0), "fp8": (1, 1.0, 1.0), "fp8_block": (1, 1.0, 1.0), "nvfp4": (2, 0.5625, 0.5625),
           "int8": (3, 1.0, 1.0), "int8_weight": (0, 2.0, 1.0), "int4_weight": (0, 2.0, 0.5), "mxfp4_weight": (0, 2.0, 0.53),
           "mxfp4_fp8": (1, 1.03, 0.53)}
#: Formats whose weights were one constant when a library's products were measured: vLLM's are filled with 0.01 or left as
#: allocated, TensorRT-LLM's weights of 8 and 4 bits without activations in them are not loaded. Tensor cores that multiply
#: random numbers draw more and slow down at the power limit: these products run at the rate of the largest one.
#: Source: collector/vllm/collect_gemm.py and collector/trtllm/collect_gemm.py of the measurements; their rates in long loops.
CONSTANT_WEIGHTS = {"vllm": ("bf16", "fp8"), "trtllm": ("int8", "int8_weight", "int4_weight")}
LOADS = {"balanced": 0, "power_law_1.01": 1, "power_law_1.2": 2}
MEMORY_SHARE = 0.9
ATTENTION_SHARE = 0.6
#: Exponents of the power laws by which LOADS spread tokens over experts (0: none), as in the collector of the
#: measurements: an expert's weight is drawn from [1, 0.8 tokens], or from [0.01, 2] if tokens are few.
EXPONENTS = np.array([0.0, 1.01, 1.2])
#: Fraction of the cache that attention's operands may fill to remain there between repetitions.
WARM_SHARE = 0.5
#: Working set of a loop, relative to the cache: up to the first, all of it remains there between repetitions, beyond the
#: second nothing, since a cache that drops what was used least recently drops what a loop needs next. Products with few rows
#: and experts with few tokens on L40S and RTX PRO 6000, whose memory is slow: three to four times its bandwidth up to 0.85,
#: its bandwidth from 1.2.
LOOP_FITS, LOOP_EXCEEDS = 0.85, 1.2
#: Copies of a product's weights that its measurement goes through in turn, by library (TensorRT-LLM: at most, as many as
#: exceed the cache; vLLM: one in ONE_COPY). Source: collect_gemm.py of each in the collector of the measurements.
COPIES = {"trtllm": 5.0, "vllm": 6.0, "sglang": 6.0}
ONE_COPY = ("fp8_block", "nvfp4")
#: Sets of choices that a measurement of experts goes through in turn, if they are not balanced. Source: collect_moe.py.
DRAWS = 5
#: Bytes that the cache yields to a multiprocessor in a cycle: what exceeds it, or does not reach it, is in the weights of costs.
CACHE_WIDTH = 32.0
#: TensorRT-LLM's latent decode where warps multiply: cycles of one thread block per key, and the share of the rate of products
#: in 16 bits at which blocks compute that share a multiprocessor. Of A100, L40S and RTX PRO 6000: 170, 200 and 215 cycles, shares
#: of 0.51, 0.65 and 0.64. Source: the tables of latent decode with 2,048 keys or more, in bf16; two blocks for each row of the
#: result, which both take the whole product of queries and keys: TensorRT-LLM,
#: cpp/kernels/fmha_v2/src/fused_multihead_flash_attention_kernel_noloop_tiled.h (ctas_per_o_row).
SERIAL_CYCLES = 180.0
SERIAL_SHARE = 0.6
#: Grouped products of compute capability 12 have tiles of one size, whatever the rows of an expert. CUTLASS' of 4-bit weights have
#: 128 rows and columns, and compute them at the share of the rate of large products that L40S' grouped products in fp8 have (0.68),
#: which are CUTLASS', too, with the same kind of tensor core. Source of the tiles: TensorRT-LLM,
#: cpp/tensorrt_llm/kernels/cutlass_kernels/cutlass_heuristic.cpp (get_candidate_configs_sm120).
GROUPED_TILE = 128
GROUPED_SHARE = 0.68
#: TensorRT-LLM's Triton kernel for fp8 with block scales has tiles of 16 rows and 32 columns, of activations in 16 bits and weights
#: that it widens, so that operands come from the cache for few operations each. It computes all rows of a token, also those of other
#: ranks' experts, and scales them by 0. Source: tensorrt_llm/_torch/modules/fused_moe/fused_moe_triton_fp8_block_scale.py and
#: fused_moe_cutlass.py.
TRITON_ROWS, TRITON_COLUMNS = 16, 32
#: Families by what runs kernels follow those by library, release and format.
RUNNER_FAMILIES = 100_000
#: Exponentials of a multiprocessor in a cycle.
EXPONENTIALS = 32.0
#: Width of a block of query heads in latent decode.
HEAD_BLOCK = 64


def log2(values):
    return np.log2(np.maximum(values, 1e-9))


def blocks(sizes, tile):
    return np.ceil(sizes / tile)


def waves(count, multiprocessors):
    """Return features of the waves of thread blocks: their number (log2), and the waste in the last one."""
    rounds = count / multiprocessors
    return [log2(rounds), np.ceil(rounds) / rounds]


class Kernels:
    """Rows of one kind of kernel. Devices may differ between rows.

    Parameters
    ----------
    rows : pandas.DataFrame
        As written by dse_analysis.kernel_rows.
    devices : dict of str, list
        Per row: rates (four each, FLOP/s), products (those of the largest products), loaded (share of these that long products
        of random numbers sustain), memory (B/s, datasheet), multiprocessors, cache (B), capability (NVIDIA's), cycle (s).
    """

    def __init__(self, rows, devices):
        self.rows = rows
        names = list(FORMATS)
        formats = np.array([FORMATS[name] for name in rows["format"]])
        self.code = np.array([names.index(name) for name in rows["format"]], float)
        self.activation, self.weight = formats[:, 1], formats[:, 2]
        rates, products = (np.take_along_axis(np.asarray(devices[name]), formats[:, :1].astype(int), axis=1)[:, 0] for name in ("rates", "products"))
        self.rate = rates
        self.wide_rate = np.asarray(devices["rates"], float)[:, 0]
        constant = np.array([name in CONSTANT_WEIGHTS.get(library, ()) for library, name in zip(rows["library"], rows["format"])], bool)
        self.product_rate = products * np.where(constant, 1.0, np.asarray(devices["loaded"], float))
        self.memory = np.asarray(devices["memory"], float) * MEMORY_SHARE
        self.multiprocessors = np.asarray(devices["multiprocessors"], float)
        self.cache = np.asarray(devices["cache"], float)
        # Tensor cores that take operands from the registers of a warp: LearnedSpec::warp_products.
        capability = np.asarray(devices["capability"], float)
        self.capability = capability
        self.before_hopper = capability < 9.0
        self.warp_products = (capability < 9.0) | (capability >= 12.0)
        self.cycle = np.asarray(devices["cycle"], float)
        # Launches and what one thread block does after the other take cycles: these times at 2 GHz.
        self.microsecond, self.nanosecond = 2000 * self.cycle, 2 * self.cycle

    def __getitem__(self, column):
        return self.rows[column].to_numpy(float)

    def vllm(self):
        return (self.rows["library"] == "vllm").to_numpy(float)

    def variant(self):
        """Return a number of library and format together: each pair has kernels of its own."""
        return self.code + len(FORMATS) * self.vllm()

    @staticmethod
    def families():
        """Return the number of sets of weights of a release: of each variant, with two properties of its kind."""
        return 8 * len(FORMATS)

    def family(self, first=0, second=0):
        """Return the number of a row's set of weights: that of its variant, and two properties of its kind."""
        return (self.variant() + 2 * len(FORMATS) * (np.asarray(first) + 2 * np.asarray(second))).astype(int)

    def resident(self, moved, share=WARM_SHARE):
        """Return the times of bytes that a share of the cache holds between repetitions, and of the others."""
        held = np.minimum(moved, share * self.cache)
        return held / self.memory, (moved - held) / self.memory

    def from_cache(self, moved):
        """Return the time of bytes at the rate of the cache."""
        return moved / (self.multiprocessors * CACHE_WIDTH) * self.cycle

    def in_loop(self, moved, working):
        """Return the times of bytes that the cache holds between repetitions of a loop, and of the others.

        `working` is the working set: all bytes that come between two uses of one.
        """
        held = np.clip((LOOP_EXCEEDS - working / self.cache) / (LOOP_EXCEEDS - LOOP_FITS), 0, 1)
        return self.from_cache(moved * held), moved * (1 - held) / self.memory

    def copies(self, weights):
        """Return how many copies of a product's weights [B] its measurement goes through."""
        known = self.rows["library"].map(COPIES).to_numpy(float)
        filling = np.clip(np.ceil(self.cache / weights), 1, known)
        one = (self.rows["library"] == "vllm") & self.rows["format"].isin(ONE_COPY)
        return np.where(self.rows["library"] == "trtllm", filling, np.where(one, 1.0, known))

    def finish(self, compute, memory, bare, features, costs, family):
        """Return the features [n, k], the logarithm of the bare form [s], the costs and the family of each row.

        Costs, by name, are what a kernel would take for one part of its work [s]: cost_sums adds them up with
        weights. The bare form is a feature, and the measure of a kernel's size.
        """
        first = [log2(compute * 1e6), log2(memory * 1e6), log2(compute / memory), bare]
        costs = {name: np.broadcast_to(values, bare.shape) for name, values in costs.items()}
        return np.array(first + features + [self.vllm()]).T, bare, costs, family

    def grouped_tiles(self):
        """Return which rows are CUTLASS' grouped products of weights in 4 bits where warps multiply them."""
        return (self.capability >= 12) & self.rows["format"].isin(["nvfp4", "mxfp4_fp8"]).to_numpy()

    def all_pairs(self):
        """Return which rows are TensorRT-LLM's Triton kernel, which computes the rows of all ranks' experts."""
        return (self.capability >= 12) & ((self.rows["library"] == "trtllm") & (self.rows["format"] == "fp8_block")).to_numpy()

    def narrow_cache(self):
        return (self.rows["cache"] == "fp8").to_numpy()


def bare_form(launch, compute, memory, serial=0.0):
    """Return the logarithm of the analytical estimate; `serial` is a bound that neither compute nor memory sets."""
    return np.log(launch + np.maximum(np.maximum(compute, memory), serial) + 0.3 * np.minimum(compute, memory))


def gemm(kernels):
    m, n, k = (kernels[name] for name in "mnk")
    rate = kernels.product_rate
    compute = 2 * m * n * k / rate
    weights, others = n * k * kernels.weight, m * k * kernels.activation + 2 * m * n
    working = kernels.copies(weights) * weights + others
    hot, cold = kernels.in_loop(weights + others, working)
    memory = hot + cold
    features = [log2(m), log2(n), log2(k), kernels.code, log2(working / kernels.cache)]
    for tile_m, tile_n in ((128, 128), (128, 256), (64, 64), (128, 192)):
        features += waves(blocks(m, tile_m) * blocks(n, tile_n), kernels.multiprocessors)
    features += [blocks(m, 64) * 64 / m, blocks(m, 128) * 128 / m, log2(m * k), kernels.variant()]
    rounds = np.ceil(blocks(m, 128) * blocks(n, 128) / kernels.multiprocessors)
    costs = {"launch": kernels.microsecond, "compute": compute, "cached": hot, "memory": cold, "longer": np.maximum(compute, memory),
             "tiles": rounds * 2 * 128 * 128 * k * kernels.multiprocessors / rate, "depth": k * kernels.nanosecond,
             "results": kernels.from_cache(2 * m * n), "activations": kernels.from_cache(m * k * kernels.activation),
             "waves": rounds * kernels.microsecond}
    return kernels.finish(compute, memory, bare_form(3e-6, compute, memory), features, costs, kernels.family())


def prefill_costs(kernels, compute, cached, own, exponentials, seen):
    batch, heads, head_dim, queries = (kernels[name] for name in ("batch", "heads", "head_dim", "queries"))
    units, cached = kernels.multiprocessors, cached / kernels.memory
    hot, cold = kernels.resident(own)
    waves_of_blocks = batch * heads * blocks(queries, 128) / units
    tile = 128 * 4 * head_dim * units / kernels.rate
    return {"launch": kernels.microsecond, "compute": compute, "keys": cached,
            "hot": hot * kernels.memory / (units * CACHE_WIDTH) * kernels.cycle, "own": cold,
            "longer": np.maximum(compute, cached + hot + cold),
            "exponentials": exponentials / (units * EXPONENTIALS) * kernels.cycle, "waves": np.ceil(waves_of_blocks) * kernels.microsecond,
            "edge": batch * heads * queries * 128 * 4 * head_dim / kernels.rate, "tiles": np.ceil(waves_of_blocks) * 128 * tile,
            "heads": batch * heads * kernels.nanosecond, "queries": queries * kernels.nanosecond,
            "serial": np.minimum(waves_of_blocks, 1) * seen * tile, "batch": batch * kernels.nanosecond}


def decode_costs(kernels, _, cached, own, exponentials, seen):
    batch, heads, kv_heads, head_dim = (kernels[name] for name in ("batch", "heads", "kv_heads", "head_dim"))
    units, groups = kernels.multiprocessors, batch * kv_heads
    hot, rest = kernels.resident(cached)
    # Arithmetic on keys from memory hides behind the reading of them, which takes longer.
    exposed = np.where(hot + rest > 0, hot / np.maximum(hot + rest, 1e-30), 1.0)
    between = np.minimum(rest, (1 - WARM_SHARE) * kernels.cache / kernels.memory)
    warm = kernels.from_cache(hot * kernels.memory)
    return {"launch": kernels.microsecond, "cached": warm, "partly": between, "memory": rest - between, "own": own / kernels.memory,
            "waves": np.ceil(groups / units) * kernels.microsecond, "batch": batch * kernels.nanosecond,
            "heads": batch * heads * kernels.nanosecond,
            "exponentials": exposed * exponentials / (units * EXPONENTIALS) * kernels.cycle,
            "padded": exposed * blocks(heads / kv_heads, 64) * 64 * groups * seen * head_dim * 4 / kernels.rate,
            "few": warm * units / (groups + units)}


def attention_runners(kernels):
    """Return the places in RUNNERS of what runs prefill and decode."""
    columns = (kernels.rows["library"], kernels.rows["release"], kernels["head_dim"], kernels.narrow_cache(), kernels["window"] > 0,
               kernels.capability)
    return np.array([RUNNERS.index(attention_runner(*row)) for row in zip(*columns)])


def attention(kernels, decodes):
    batch, heads, cached_heads, head_dim, window = (kernels[name] for name in
                                                    ("batch", "heads", "kv_heads", "head_dim", "window"))
    queries, keys = kernels["queries"], kernels["keys"]
    narrow = kernels.narrow_cache()
    seen = np.where(window > 0, np.minimum(window, keys), keys)
    if decodes:
        pairs = queries * seen
    else:
        pairs = np.where(seen < keys, queries * seen - 0.5 * seen * seen, 0.5 * queries * queries)
    held = 2 * batch * cached_heads * head_dim
    cached = held * seen * np.where(narrow, 1.0, 2.0) if decodes else held * queries * 2.0
    warm, rest = kernels.resident(cached) if decodes else (0.0, cached / kernels.memory)
    memory = kernels.from_cache(warm * kernels.memory) + rest + 4 * batch * heads * queries * head_dim / kernels.memory
    features = [log2(batch), log2(heads), log2(cached_heads), log2(batch * heads), log2(batch * cached_heads),
                log2(heads / cached_heads), log2(queries), log2(keys), log2(seen), (window > 0) * 1.0, head_dim,
                np.where(narrow, 1.0, 2.0), (kernels.rows["format"] == "fp8").to_numpy(float), log2(cached / kernels.cache)]
    features += waves(batch * heads * blocks(queries, 128), kernels.multiprocessors)
    features += waves(batch * cached_heads, kernels.multiprocessors)
    features += [attention_runners(kernels)]
    compute = 4 * batch * heads * head_dim * pairs / kernels.rate / ATTENTION_SHARE
    costs_of = decode_costs if decodes else prefill_costs
    costs = costs_of(kernels, 4 * batch * heads * head_dim * pairs / kernels.rate, cached,
                     4 * batch * heads * queries * head_dim, batch * heads * pairs, seen)
    return kernels.finish(compute, memory, bare_form(4e-6, compute, memory), features, costs, kernels.family(narrow, window > 0))


def busiest_expert(tokens, choices, count, load):
    """Return the expected tokens of the busiest expert, in closed form."""
    exponent = EXPONENTS[load.astype(int)]
    pairs = tokens * choices
    low = np.where(pairs > count, 1.0, 0.01)
    high = np.where(pairs > count, np.maximum(0.8 * tokens, 1.01), 2.0)
    spread = 1 - np.where(exponent > 0, exponent, EXPONENTS[1])
    low_power, high_power = low**spread, high**spread
    mean = spread / (1 + spread) * (high * high_power - low * low_power) / (high_power - low_power)
    return np.where(exponent > 0, np.minimum(tokens, high / mean * pairs / count), np.maximum(pairs / count, 1))


def families_of_runners(kernels, places, first, second):
    """Return the numbers of sets of weights by what runs kernels, their format and two properties of the kind, in any library."""
    ways = places + len(RUNNERS) * (np.asarray(first) + 2 * np.asarray(second))
    return (RUNNER_FAMILIES + kernels.code + len(FORMATS) * ways).astype(int)


def runner_families(kernels):
    """Return the numbers of the sets of weights that experts share with all that the same kernels run, in any library."""
    columns = (kernels.rows[name] for name in ("library", "release", "format"))
    gated, low_latency = (kernels.rows["gated"] != "no").to_numpy(), (kernels.rows["low_latency"] == "yes").to_numpy()
    places = np.array([RUNNERS.index(runner(*row)) for row in zip(*columns, kernels.capability, gated, low_latency)])
    return families_of_runners(kernels, places, ~gated, low_latency)


def attention_families(kernels):
    """Return the same of prefill and decode."""
    return families_of_runners(kernels, attention_runners(kernels), kernels.narrow_cache(), kernels["window"] > 0)


#: Kinds that the fits to many devices give families by what runs them. Decode differs more between releases of one kernel.
FAMILIES_OF_RUNNERS = {"experts": runner_families, "prefill": attention_families}


def fixed_tiles(kernels, active, per_expert, others, inner, columns, moved):
    """Return the time of grouped products whose tiles have one size, 0 of others [s].

    `active` experts have `per_expert` rows, experts of other ranks `others`. The first product has `columns`; `moved` is the time of
    the bytes of both.
    """
    hidden, units = kernels["hidden"], kernels.multiprocessors
    tall = active * blocks(per_expert, GROUPED_TILE)
    rounds = np.ceil(tall * blocks(columns, GROUPED_TILE) / units) * hidden + np.ceil(tall * blocks(hidden, GROUPED_TILE) / units) * inner
    grouped = rounds * 2 * GROUPED_TILE**2 * units / (GROUPED_SHARE * kernels.rate)
    low = active * blocks(per_expert, TRITON_ROWS) + blocks(others, TRITON_ROWS)
    steps = low * (blocks(columns, TRITON_COLUMNS) * hidden + blocks(hidden, TRITON_COLUMNS) * inner)
    fused = kernels.from_cache(steps * (2 * TRITON_ROWS + TRITON_COLUMNS))
    time = np.where(kernels.grouped_tiles(), grouped, fused)
    return np.where(kernels.grouped_tiles() | kernels.all_pairs(), np.maximum(time, moved), 0.0)


def experts(kernels):
    tokens, hidden, choices, count = (kernels[name] for name in ("tokens", "hidden", "choices", "experts"))
    expert_ranks = kernels["expert_ranks"]
    own, inner, rows = count / expert_ranks, kernels["inner"] / kernels["tensor_ranks"], tokens * choices / expert_ranks
    load = kernels.rows["load"].map(LOADS).to_numpy(float)
    gated = (kernels.rows["gated"] != "no").to_numpy()
    low_latency = (kernels.rows["low_latency"] == "yes").to_numpy(float)
    active = np.where(load == 0, np.minimum(own, np.maximum(1, rows)), np.maximum(1, own * (1 - np.exp(-rows / own))))
    per_expert = np.maximum(rows / active, 1)
    matrices = np.where(gated, 3.0, 2.0)
    weights, others = active * matrices * hidden * inner * kernels.weight, rows * (2 * hidden + 2 * inner) * kernels.activation
    # Experts that one of the draws chooses.
    chosen = np.where(load == 0, active, own * (1 - (1 - np.minimum(active / own, 1)) ** DRAWS))
    working = chosen / active * weights + others
    hot, cold = kernels.in_loop(weights + others, working)
    features = [log2(tokens), log2(hidden), log2(inner), log2(choices), log2(count), log2(own), log2(rows), log2(per_expert), load,
                np.where(gated, 0.0, 1.0), low_latency, kernels.code, log2(expert_ranks), log2(working / kernels.cache),
                log2(busiest_expert(tokens, choices, count, load)), blocks(inner, 128) * 128 / inner,
                log2(active * blocks(per_expert, 128) * 128 / rows), kernels.variant()]
    features += waves(active * blocks(per_expert, 64) * blocks(2 * inner, 128), kernels.multiprocessors)
    features += waves(active * blocks(per_expert, 128) * blocks(hidden, 128), kernels.multiprocessors)
    compute, memory = 2 * matrices * rows * hidden * inner / kernels.rate, hot + cold
    product = 2 * matrices * hidden * inner / kernels.rate
    costs = {"launch": kernels.microsecond, "compute": compute, "cached": hot, "memory": cold, "longer": np.maximum(compute, memory),
             "tiles": active * blocks(per_expert, 128) * 128 * product,
             "weights": weights / (weights + others) * cold,
             "inputs": kernels.from_cache(rows * hidden * 2), "between": kernels.from_cache(rows * inner * 2),
             "tokens": kernels.from_cache(tokens * hidden * 2), "own": own * kernels.nanosecond, "active": active * kernels.nanosecond,
             "rows": rows * kernels.nanosecond, "choices": tokens * choices * kernels.nanosecond, "experts": count * kernels.nanosecond,
             "busiest": blocks(busiest_expert(tokens, choices, count, load), 128) * 128 * product,
             "hidden": hidden * kernels.nanosecond, "inner": inner * kernels.nanosecond}
    fixed = fixed_tiles(kernels, active, per_expert, tokens * choices - rows, inner, (matrices - 1) * inner, memory)
    # What tiles of one size compute and read is in their time.
    costs |= {name: np.where(fixed > 0, 0.0, costs[name]) for name in ("compute", "cached", "memory", "longer", "tiles", "weights", "busiest")}
    costs["fixed"] = fixed
    return kernels.finish(compute, memory, bare_form(15e-6, compute, memory), features, costs, kernels.family(~gated, low_latency))


def serial_decode(kernels):
    """Return the time of TensorRT-LLM's latent decode where warps multiply, 0 elsewhere.

    Two thread blocks visit the keys of a sequence one after the other, for up to 64 heads, and have half of its 512 results
    each. Alone on a multiprocessor, a block waits for one key after the other; several share its arithmetic.
    """
    units = kernels.multiprocessors
    rounds = np.ceil(2 * kernels["batch"] * blocks(kernels["heads"], HEAD_BLOCK) / units)
    shared = rounds * 2 * HEAD_BLOCK * (576.0 + 256.0) * units / (SERIAL_SHARE * kernels.wide_rate)
    time = kernels["keys"] * np.maximum(SERIAL_CYCLES * kernels.cycle, shared)
    return np.where(kernels.warp_products & (kernels.rows["library"] == "trtllm").to_numpy(), time, 0.0)


def latent_costs(kernels, decodes, block, compute, cached, own):
    batch, heads, queries, keys = (kernels[name] for name in ("batch", "heads", "queries", "keys"))
    hot, cold = kernels.resident(cached)
    units = kernels.multiprocessors
    costs = {"launch": kernels.microsecond, "compute": compute, "cached": hot, "memory": cold, "own": own,
             "longer": np.maximum(compute, hot + cold + own)}
    if decodes:
        serial = serial_decode(kernels)
        costs |= {"padded": 2 * batch * blocks(heads, HEAD_BLOCK) * HEAD_BLOCK * queries * keys * 1088.0 / kernels.rate,
                  "batch": batch * kernels.nanosecond, "blocks": serial}
        # What serial blocks compute and find in the cache is in their time.
        return costs | {name: np.where(serial > 0, 0.0, costs[name]) for name in ("compute", "cached", "longer", "padded")}
    waves_of_blocks = batch * heads * blocks(queries, 128) / units
    return costs | {"exponentials": batch * heads * queries * keys / (units * EXPONENTIALS) * kernels.cycle,
                    "waves": np.ceil(waves_of_blocks) * kernels.microsecond, "edge": batch * heads * queries * 128 * 640.0 / kernels.rate,
                    "queries": queries * kernels.nanosecond,
                    "serial": np.minimum(waves_of_blocks, 1) * keys * 128 * 640.0 * units / kernels.rate}


def latent(kernels, decodes, block):
    batch, heads, queries, keys = (kernels[name] for name in ("batch", "heads", "queries", "keys"))
    narrow = kernels.narrow_cache()
    if decodes:
        flop = 2 * batch * heads * queries * keys * 1088.0
    else:
        flop = 2 * batch * heads * 320.0 * (queries * keys - 0.5 * queries * queries)
    cached = batch * keys * 576.0 * np.where(narrow, 1.0, 2.0)
    own = batch * heads * queries * (1088.0 if decodes else 320.0) * 2.0
    moved = cached + own
    costs = latent_costs(kernels, decodes, block, flop / kernels.rate, cached, own / kernels.memory)
    if block:
        weights = 7168.0 * (1536.0 + 576.0) + heads * (1536.0 * 192.0 + 512.0 * 256.0 + 128.0 * 7168.0)
        costs |= {"projections": 2 * batch * queries * weights / kernels.rate, "weights": weights * kernels.weight / kernels.memory,
                  "activations": batch * queries * 7168.0 * 4.0 / kernels.memory, "heads": batch * queries * heads * kernels.nanosecond,
                  "rows": blocks(batch * queries, 128) * kernels.microsecond}
        flop = flop + 2 * batch * queries * weights
        moved = moved + weights * kernels.weight + batch * queries * 7168.0 * 4.0
    features = [log2(batch), log2(heads), log2(batch * heads), log2(queries), log2(keys), log2(batch * queries),
                np.where(narrow, 1.0, 2.0), kernels.code, log2(moved / kernels.cache)]
    features += waves(batch * heads * blocks(queries, 128), kernels.multiprocessors)
    features += waves(batch * blocks(heads, 64) * blocks(keys, 1024), kernels.multiprocessors)
    features += [kernels.before_hopper * 1.0]
    compute, memory = flop / kernels.rate, moved / kernels.memory
    serial = serial_decode(kernels) if decodes else 0.0
    return kernels.finish(compute, memory, bare_form(8e-6, compute, memory, serial), features, costs, kernels.family(narrow))


#: Functions that return features, bare form, costs and families, by the names of model::KernelKind.
KINDS = {"gemm": gemm,
         "prefill": lambda kernels: attention(kernels, False),
         "decode": lambda kernels: attention(kernels, True),
         "experts": experts,
         "latent_prefill": lambda kernels: latent(kernels, False, False),
         "latent_decode": lambda kernels: latent(kernels, True, False),
         "latent_prefill_block": lambda kernels: latent(kernels, False, True),
         "latent_decode_block": lambda kernels: latent(kernels, True, True)}

#: Columns that identify a shape. Rows of one shape are held out together, whatever their number of tokens.
SHAPES = {"gemm": ["n", "k"],
          "prefill": ["heads", "kv_heads", "head_dim", "window"],
          "decode": ["heads", "kv_heads", "head_dim", "window"],
          "experts": ["hidden", "inner", "choices", "experts", "tensor_ranks", "expert_ranks"]}
LATENT_SHAPE = ["heads", "batch", "cache"]
