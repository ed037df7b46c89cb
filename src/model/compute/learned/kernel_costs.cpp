#include "model/compute/learned/kernel_costs.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"

namespace dse::model {
namespace {

/// Exponentials of a multiprocessor in a cycle.
constexpr double exponentials = 32.0;
/// Bytes that the cache yields to a multiprocessor in a cycle; the weights of costs say by how much it is
/// off.
constexpr double cache_width = 32.0;
/// Width of a block of query heads in latent decode.
constexpr double head_block = 64.0;
/// Fraction of the cache that attention's operands may fill to remain there between repetitions.
constexpr double warm_share = 0.5;
/// Working set of a loop, relative to the cache: up to the first, all of it remains there between
/// repetitions, beyond the second nothing, since a cache that drops what was used least recently drops what a
/// loop needs next. Products with few rows and experts with few tokens on L40S and RTX PRO 6000, whose memory
/// is slow: three to four times its bandwidth up to 0.85, its bandwidth from 1.2.
constexpr double loop_fits = 0.85;
constexpr double loop_exceeds = 1.2;
/// CUTLASS' grouped products of weights in 4 bits on compute capability 12: rows and columns of a tile, and
/// the share of the rate of large products at which it is computed: that of L40S' grouped products in fp8,
/// which are CUTLASS', too, with the same kind of tensor core. Source of the tile: TensorRT-LLM,
/// cutlass_heuristic.cpp (get_candidate_configs_sm120); of the share: the tables of experts on L40S
constexpr double grouped_tile = 128.0;
constexpr double grouped_share = 0.68;
/// Rows and columns of a tile of TensorRT-LLM's Triton kernel for fp8 with block scales on compute capability
/// 12, with activations in 16 bits. It computes the rows of all ranks' experts, and scales those of others
/// by 0. Source: TensorRT-LLM, fused_moe_triton_fp8_block_scale.py and fused_moe_cutlass.py
constexpr double triton_rows = 16.0;
constexpr double triton_columns = 32.0;

/// Launches and what one thread block does after the other take cycles: these times at 2 GHz.
double microsecond(const KernelMachine& on) {
    return 2000.0 * on.cycle;
}

double nanosecond(const KernelMachine& on) {
    return 2.0 * on.cycle;
}

/// Times of bytes that the cache holds between repetitions, and of the others.
struct Residence {
    double cached;
    double rest;
};

Residence residence(double bytes, const KernelMachine& on) {
    const double held = kept_by_cache(bytes, on);
    return {held / on.memory, (bytes - held) / on.memory};
}

CostList prefill_costs(const Kernel& work, const KernelMachine& on, const AttentionWork& size) {
    const double compute = size.flop / on.rate;
    const double cached = size.cached / on.memory;
    const Residence own = residence(size.own, on);
    const double waves = work.batch * work.heads * blocks(work.queries, 128) / on.multiprocessors;
    const double tile = 128.0 * 4.0 * work.head_dim * on.multiprocessors / on.rate;
    const double us = microsecond(on);
    const double ns = nanosecond(on);
    CostList costs;
    costs.add(us, compute, cached, from_cache(own.cached * on.memory, on));
    costs.add(own.rest, std::max(compute, cached + own.cached + own.rest));
    costs.add(size.pairs / (on.multiprocessors * exponentials) * on.cycle, std::ceil(waves) * us);
    costs.add(work.batch * work.heads * work.queries * 128.0 * 4.0 * work.head_dim / on.rate);
    costs.add(std::ceil(waves) * 128.0 * tile, work.batch * work.heads * ns, work.queries * ns);
    costs.add(std::min(waves, 1.0) * size.seen * tile, work.batch * ns);
    return costs;
}

CostList decode_costs(const Kernel& work, const KernelMachine& on, const AttentionWork& size) {
    const double groups = work.batch * work.kv_heads;
    const Residence keys = residence(size.cached, on);
    // Arithmetic on keys from memory hides behind the reading of them, which takes longer.
    const double all = keys.cached + keys.rest;
    const double exposed = all > 0.0 ? keys.cached / all : 1.0;
    const double partly = std::min(keys.rest, (1.0 - warm_share) * on.cache / on.memory);
    const double warm = from_cache(keys.cached * on.memory, on);
    const double us = microsecond(on);
    const double ns = nanosecond(on);
    CostList costs;
    costs.add(us, warm, partly, keys.rest - partly, size.own / on.memory);
    costs.add(std::ceil(groups / on.multiprocessors) * us, work.batch * ns, work.batch * work.heads * ns);
    costs.add(exposed * size.pairs / (on.multiprocessors * exponentials) * on.cycle);
    costs.add(exposed * blocks(work.heads / work.kv_heads, 64) * 64.0 * groups * size.seen * work.head_dim *
              4.0 / on.rate);
    costs.add(warm * on.multiprocessors / (groups + on.multiprocessors));
    return costs;
}

}  // namespace

double blocks(double size, double tile) {
    return std::ceil(size / tile);
}

double kept_by_cache(double bytes, const KernelMachine& on) {
    return std::min(bytes, warm_share * on.cache);
}

double from_cache(double bytes, const KernelMachine& on) {
    return bytes / (on.multiprocessors * cache_width) * on.cycle;
}

LoopTraffic loop_traffic(double bytes, double working, const KernelMachine& on) {
    const double held =
        std::clamp((loop_exceeds - working / on.cache) / (loop_exceeds - loop_fits), 0.0, 1.0);
    return {from_cache(bytes * held, on), bytes * (1.0 - held) / on.memory};
}

void CostList::push(double value) {
    DSE_EXPECT(count < values.size());
    values[count++] = value;
}

CostList product_costs(const Kernel& work, const KernelMachine& on, const LoopTraffic& operands,
                       double activation_bytes) {
    const auto [m, n, k] = std::array{work.m, work.n, work.k};
    const double compute = 2.0 * m * n * k / on.rate;
    const double rounds = std::ceil(blocks(m, 128) * blocks(n, 128) / on.multiprocessors);
    const double us = microsecond(on);
    const double ns = nanosecond(on);
    CostList costs;
    costs.add(us, compute, operands.cached, operands.rest,
              std::max(compute, operands.cached + operands.rest));
    costs.add(rounds * 2.0 * 128.0 * 128.0 * k * on.multiprocessors / on.rate, k * ns);
    costs.add(from_cache(2.0 * m * n, on), from_cache(m * k * activation_bytes, on), rounds * us);
    return costs;
}

CostList attention_costs(const Kernel& work, const KernelMachine& on, const AttentionWork& size) {
    return work.kind == KernelKind::decode ? decode_costs(work, on, size) : prefill_costs(work, on, size);
}

double fixed_tiles(const Kernel& work, const KernelMachine& on, double active, double per_expert,
                   double moved) {
    if (on.capability < 12.0) return 0.0;
    const double inner = work.inner / work.tensor_ranks;
    const double columns = (work.gated ? 2.0 : 1.0) * inner;
    if (work.format == OperandFormat::nvfp4 || work.format == OperandFormat::mxfp4_fp8) {
        const double tall = active * blocks(per_expert, grouped_tile);
        const double rounds =
            std::ceil(tall * blocks(columns, grouped_tile) / on.multiprocessors) * work.hidden +
            std::ceil(tall * blocks(work.hidden, grouped_tile) / on.multiprocessors) * inner;
        const double step = 2.0 * grouped_tile * grouped_tile * on.multiprocessors;
        return std::max(rounds * step / (grouped_share * on.rate), moved);
    }
    if (work.library != KernelLibrary::trtllm || work.format != OperandFormat::fp8_block) return 0.0;
    const double pairs = work.tokens * work.choices;
    const double others = pairs - pairs / work.expert_ranks;
    const double low = active * blocks(per_expert, triton_rows) + blocks(others, triton_rows);
    const double steps =
        low * (blocks(columns, triton_columns) * work.hidden + blocks(work.hidden, triton_columns) * inner);
    return std::max(from_cache(steps * (2.0 * triton_rows + triton_columns), on), moved);
}

CostList expert_costs(const Kernel& work, const KernelMachine& on, const ExpertWork& size) {
    const double inner = work.inner / work.tensor_ranks;
    const double product = 2.0 * (work.gated ? 3.0 : 2.0) * work.hidden * inner / on.rate;
    const double us = microsecond(on);
    const double ns = nanosecond(on);
    CostList costs;
    // What tiles of one size compute and read is in their time.
    const double free = size.fixed > 0.0 ? 0.0 : 1.0;
    const double moved = size.memory.cached + size.memory.rest;
    costs.add(us, free * size.compute, free * size.memory.cached, free * size.memory.rest);
    costs.add(free * std::max(size.compute, moved));
    costs.add(free * size.active * blocks(size.per_expert, 128) * 128.0 * product);
    costs.add(free * size.weights * size.memory.rest);
    costs.add(from_cache(size.rows * work.hidden * 2.0, on), from_cache(size.rows * inner * 2.0, on));
    costs.add(from_cache(work.tokens * work.hidden * 2.0, on), size.own * ns, size.active * ns);
    costs.add(size.rows * ns, work.tokens * work.choices * ns, work.experts * ns);
    costs.add(free * blocks(size.busiest, 128) * 128.0 * product, work.hidden * ns, inner * ns, size.fixed);
    return costs;
}

CostList latent_costs(const Kernel& work, const KernelMachine& on, const LatentWork& size) {
    const auto [b, h, q, n] = std::array{work.batch, work.heads, work.queries, work.keys};
    const double compute = size.flop / on.rate;
    const double own = size.own / on.memory;
    const Residence keys = residence(size.cached, on);
    const double us = microsecond(on);
    const double ns = nanosecond(on);
    CostList costs;
    // What serial blocks compute and find in the cache is in their time.
    const double exposed = size.serial > 0.0 ? 0.0 : 1.0;
    costs.add(us, exposed * compute, exposed * keys.cached, keys.rest, own,
              exposed * std::max(compute, keys.cached + keys.rest + own));
    if (work.kind == KernelKind::latent_decode || work.kind == KernelKind::latent_decode_block) {
        const double padded = blocks(h, head_block);
        costs.add(exposed * 2.0 * b * padded * head_block * q * n * 1088.0 / on.rate, b * ns, size.serial);
    } else {
        const double waves = b * h * blocks(q, 128) / on.multiprocessors;
        costs.add(b * h * q * n / (on.multiprocessors * exponentials) * on.cycle, std::ceil(waves) * us);
        costs.add(b * h * q * 128.0 * 640.0 / on.rate, q * ns);
        costs.add(std::min(waves, 1.0) * n * 128.0 * 640.0 * on.multiprocessors / on.rate);
    }
    if (size.projections > 0.0) {
        costs.add(2.0 * b * q * size.projections / on.rate, size.weight_bytes / on.memory);
        costs.add(b * q * 7168.0 * 4.0 / on.memory, b * q * h * ns, blocks(b * q, 128) * us);
    }
    return costs;
}

}  // namespace dse::model
