#include "dse/model/compute/learned/kernel_features.hpp"

#include <algorithm>
#include <cmath>

#include "dse/base/check.hpp"
#include "dse/base/error.hpp"
#include "model/compute/learned/kernel_costs.hpp"
#include "model/compute/learned/kernel_runner.hpp"

namespace dse::model {
namespace {

/// Fraction of the datasheet bandwidth that long kernels attain.
constexpr double memory_share = 0.9;
/// Fraction of the matrix-product rate that attention attains, because exponentials are computed between its
/// products.
constexpr double attention_share = 0.6;
/// Sets of choices that a measurement of experts goes through in turn, if they are not balanced.
/// Source: ai-dynamo/aiconfigurator 095f58a51c4c, collector/vllm, trtllm and sglang, collect_moe.py
constexpr double draws = 5.0;
/// TensorRT-LLM's latent decode where warps multiply: cycles of one thread block per key, and the share of
/// the rate in 16 bits at which blocks compute that share a multiprocessor. Of A100, L40S and RTX PRO 6000:
/// 170, 200 and 215 cycles, shares of 0.51, 0.65 and 0.64. Source: the tables of latent decode with 2,048
/// keys or more, in bf16; two blocks for each row of the result, which both take the whole product of queries
/// and keys: TensorRT-LLM, fused_multihead_flash_attention_kernel_noloop_tiled.h (ctas_per_o_row)
constexpr double serial_cycles = 180.0;
constexpr double serial_share = 0.6;
/// Width of a block of query heads in latent decode.
constexpr double serial_heads = 64.0;
/// Families by what runs kernels follow those by library, release and format.
constexpr int runner_families = 100000;

struct FormatRow {
    std::size_t rate;   ///< row of KernelDevice::rates_
    double activation;  ///< bytes per element, scales included
    double weight;
};

const FormatRow& row_of(OperandFormat format) {
    static constexpr std::array<FormatRow, 9> rows{{{0, 2.0, 2.0},
                                                    {1, 1.0, 1.0},
                                                    {1, 1.0, 1.0},
                                                    {2, 0.5625, 0.5625},
                                                    {3, 1.0, 1.0},
                                                    {0, 2.0, 1.0},
                                                    {0, 2.0, 0.5},
                                                    {0, 2.0, 0.53},
                                                    {1, 1.03, 0.53}}};
    return rows[static_cast<std::size_t>(format)];
}

double log2_of(double value) {
    return std::log2(std::max(value, 1e-9));
}

/// Logarithm of the analytical estimate. \param serial  lower bound that neither compute nor memory sets [s]
double bare_form(double launch, double compute, double memory, double serial = 0.0) {
    return std::log(launch + std::max({compute, memory, serial}) + 0.3 * std::min(compute, memory));
}

/// Builds a feature vector one feature at a time.
class Row {
  public:
    Row(double compute, double memory, double bare) {
        add(log2_of(compute * 1e6), log2_of(memory * 1e6), log2_of(compute / memory));
        features_.bare = bare;
        add(bare);
    }

    template <class... Values>
    void add(Values... values) {
        (push(static_cast<double>(values)), ...);
    }

    /// Adds the number of waves of thread blocks over the multiprocessors, and the waste of the last wave.
    void add_waves(double blocks, double multiprocessors) {
        const double waves = blocks / multiprocessors;
        add(log2_of(waves), std::ceil(waves) / waves);
    }

    KernelFeatures finish(const Kernel& work, const CostList& costs, int family) {
        add(work.library == KernelLibrary::vllm ? 1.0 : 0.0);
        features_.costs = costs.values;
        features_.cost_count = costs.count;
        features_.family = family;
        return features_;
    }

  private:
    void push(double value) {
        DSE_EXPECT(features_.count < KernelFeatures::most);
        features_.values[features_.count++] = value;
    }

    KernelFeatures features_;
};

int formats() {
    return static_cast<int>(choice_names(OperandFormat{}).size());
}

/// Whether a product's weights were one constant when it was measured: vLLM's were filled or left as
/// allocated, TensorRT-LLM's of 8 and 4 bits not loaded. Tensor cores that multiply random numbers draw more,
/// and slow down at the power limit.
/// Source: ai-dynamo/aiconfigurator 095f58a51c4c, collector/vllm and collector/trtllm, collect_gemm.py
bool has_constant_weights(const Kernel& work) {
    switch (work.format) {
        case OperandFormat::bf16:
        case OperandFormat::fp8:
            return work.library == KernelLibrary::vllm;
        case OperandFormat::int8:
        case OperandFormat::int8_weight:
        case OperandFormat::int4_weight:
            return work.library == KernelLibrary::trtllm;
        default:
            return false;
    }
}

/// Number of library and format together: each pair has kernels of its own.
int variant(const Kernel& work) {
    return static_cast<int>(work.format) + (work.library == KernelLibrary::vllm ? formats() : 0);
}

/// Number of the weights of a kernel's costs: those of its variant, and of two properties of its kind.
int family(const Kernel& work, bool first = false, bool second = false) {
    return variant(work) + 2 * formats() * ((first ? 1 : 0) + (second ? 2 : 0));
}

/// Number of the weights that a kernel shares with all of its format that the same kernels run, in any
/// library, and that have the same two properties of its kind.
int runner_family(const Kernel& work, KernelRunner runner, bool first, bool second) {
    const int runners = static_cast<int>(choice_names(KernelRunner{}).size());
    const int way = static_cast<int>(runner) + runners * ((first ? 1 : 0) + (second ? 2 : 0));
    return runner_families + static_cast<int>(work.format) + formats() * way;
}

using Machine = KernelMachine;

/// How many copies of its weights the measurement of a product goes through in turn, so that small weights
/// come from memory, too. TensorRT-LLM: as many as exceed the cache, at most five; vLLM and SGLang: six, but
/// one in two formats under vLLM.
/// Source: ai-dynamo/aiconfigurator 095f58a51c4c, collector/trtllm, vllm and sglang, collect_gemm.py
double copies(const Kernel& work, double weights, const Machine& on) {
    if (work.library == KernelLibrary::trtllm) return std::clamp(std::ceil(on.cache / weights), 1.0, 5.0);
    const bool one = work.format == OperandFormat::fp8_block || work.format == OperandFormat::nvfp4;
    return one && work.library == KernelLibrary::vllm ? 1.0 : 6.0;
}

KernelFeatures of_product(const Kernel& work, const Machine& on) {
    const auto [m, n, k] = std::array{work.m, work.n, work.k};
    const FormatRow& format = row_of(work.format);
    const double weights = n * k * format.weight;
    const double others = m * k * format.activation + 2.0 * m * n;
    const double working = copies(work, weights, on) * weights + others;
    const LoopTraffic operands = loop_traffic(weights + others, working, on);
    const double compute = 2.0 * m * n * k / on.rate;
    const double memory = operands.cached + operands.rest;
    Row row{compute, memory, bare_form(3e-6, compute, memory)};
    row.add(log2_of(m), log2_of(n), log2_of(k), static_cast<int>(work.format));
    row.add(log2_of(working / on.cache));
    row.add_waves(blocks(m, 128) * blocks(n, 128), on.multiprocessors);
    row.add_waves(blocks(m, 128) * blocks(n, 256), on.multiprocessors);
    row.add_waves(blocks(m, 64) * blocks(n, 64), on.multiprocessors);
    row.add_waves(blocks(m, 128) * blocks(n, 192), on.multiprocessors);
    row.add(blocks(m, 64) * 64.0 / m, blocks(m, 128) * 128.0 / m, log2_of(m * k), variant(work));
    return row.finish(work, product_costs(work, on, operands, format.activation), family(work));
}

/// Number of query-key pairs per head.
double pairs_of(const Kernel& work, double seen) {
    if (work.kind == KernelKind::decode) return work.queries * seen;
    const double q = work.queries;
    return seen < work.keys ? q * seen - 0.5 * seen * seen : 0.5 * q * q;
}

KernelFeatures of_attention(const Kernel& work, const Machine& on) {
    const double seen = work.window > 0.0 ? std::min(work.window, work.keys) : work.keys;
    const double flop = 4.0 * work.batch * work.heads * work.head_dim * pairs_of(work, seen);
    const double held = 2.0 * work.batch * work.kv_heads * work.head_dim;
    const double cached = work.kind == KernelKind::decode ? held * seen * (work.narrow_cache ? 1.0 : 2.0)
                                                          : held * work.queries * 2.0;
    const double own = 4.0 * work.batch * work.heads * work.queries * work.head_dim;
    const double compute = flop / on.rate / attention_share;
    const double warm = work.kind == KernelKind::decode ? kept_by_cache(cached, on) : 0.0;
    const double memory = from_cache(warm, on) + (cached - warm + own) / on.memory;
    Row row{compute, memory, bare_form(4e-6, compute, memory)};
    row.add(log2_of(work.batch), log2_of(work.heads), log2_of(work.kv_heads));
    row.add(log2_of(work.batch * work.heads), log2_of(work.batch * work.kv_heads));
    row.add(log2_of(work.heads / work.kv_heads), log2_of(work.queries), log2_of(work.keys), log2_of(seen));
    row.add(work.window > 0.0 ? 1 : 0, work.head_dim, work.narrow_cache ? 1 : 2);
    row.add(work.format == OperandFormat::fp8 ? 1 : 0, log2_of(cached / on.cache));
    row.add_waves(work.batch * work.heads * blocks(work.queries, 128), on.multiprocessors);
    row.add_waves(work.batch * work.kv_heads, on.multiprocessors);
    const KernelRunner runner = attention_runner_of(work, on.capability);
    row.add(static_cast<int>(runner));
    const AttentionWork size{flop, cached, own, work.batch * work.heads * pairs_of(work, seen), seen};
    const bool window = work.window > 0.0;
    KernelFeatures features =
        row.finish(work, attention_costs(work, on, size), family(work, work.narrow_cache, window));
    features.runner_family = runner_family(work, runner, work.narrow_cache, window);
    return features;
}

/// Number of this rank's experts that receive a token.
double active_experts(const Kernel& work, double own, double rows) {
    if (work.load == ExpertLoad::balanced) return std::min(own, std::max(1.0, rows));
    return std::max(1.0, own * (1.0 - std::exp(-rows / own)));
}

/// Number of this rank's experts that receive a token in one of the draws that a measurement goes through.
double chosen_experts(const Kernel& work, double own, double active) {
    if (work.load == ExpertLoad::balanced) return active;
    return own * (1.0 - std::pow(1.0 - std::min(active / own, 1.0), draws));
}

/// Expected tokens of the busiest expert. In the collector of the measurements, an expert's weight follows a
/// power law on [1, 0.8 tokens], or on [0.01, 2] if tokens are few.
double busiest_expert(const Kernel& work) {
    const double pairs = work.tokens * work.choices;
    if (work.load == ExpertLoad::balanced) return std::max(pairs / work.experts, 1.0);
    const double spread = work.load == ExpertLoad::power_law_1_01 ? 1.0 - 1.01 : 1.0 - 1.2;
    const bool few = pairs <= work.experts;
    const double low = few ? 0.01 : 1.0;
    const double high = few ? 2.0 : std::max(0.8 * work.tokens, 1.01);
    const double low_power = std::pow(low, spread);
    const double high_power = std::pow(high, spread);
    const double mean =
        spread / (1.0 + spread) * (high * high_power - low * low_power) / (high_power - low_power);
    return std::min(work.tokens, high / mean * pairs / work.experts);
}

KernelFeatures of_experts(const Kernel& work, const Machine& on) {
    const FormatRow& format = row_of(work.format);
    const double own = work.experts / work.expert_ranks;
    const double inner = work.inner / work.tensor_ranks;
    const double rows = work.tokens * work.choices / work.expert_ranks;
    const double active = active_experts(work, own, rows);
    const double per_expert = std::max(rows / active, 1.0);
    const double matrices = work.gated ? 3.0 : 2.0;
    const double weights = active * matrices * work.hidden * inner * format.weight;
    const double busiest = busiest_expert(work);
    const double others = rows * (2.0 * work.hidden + 2.0 * inner) * format.activation;
    const double working = chosen_experts(work, own, active) / active * weights + others;
    const LoopTraffic traffic = loop_traffic(weights + others, working, on);
    const double compute = 2.0 * matrices * rows * work.hidden * inner / on.rate;
    const double memory = traffic.cached + traffic.rest;
    Row row{compute, memory, bare_form(15e-6, compute, memory)};
    row.add(log2_of(work.tokens), log2_of(work.hidden), log2_of(inner), log2_of(work.choices));
    row.add(log2_of(work.experts), log2_of(own), log2_of(rows), log2_of(per_expert));
    row.add(static_cast<int>(work.load), work.gated ? 0 : 1, work.low_latency ? 1 : 0);
    row.add(static_cast<int>(work.format), log2_of(work.expert_ranks), log2_of(working / on.cache));
    row.add(log2_of(busiest), blocks(inner, 128) * 128.0 / inner);
    row.add(log2_of(active * blocks(per_expert, 128) * 128.0 / rows), variant(work));
    row.add_waves(active * blocks(per_expert, 64) * blocks(2.0 * inner, 128), on.multiprocessors);
    row.add_waves(active * blocks(per_expert, 128) * blocks(work.hidden, 128), on.multiprocessors);
    const ExpertWork size{own,
                          active,
                          rows,
                          per_expert,
                          busiest,
                          compute,
                          traffic,
                          weights / (weights + others),
                          fixed_tiles(work, on, active, per_expert, memory)};
    KernelFeatures features =
        row.finish(work, expert_costs(work, on, size), family(work, !work.gated, work.low_latency));
    features.runner_family =
        runner_family(work, runner_of(work, on.capability), !work.gated, work.low_latency);
    return features;
}

/// Time of TensorRT-LLM's latent decode where warps multiply, 0 elsewhere. Two thread blocks visit the keys
/// of a sequence one after the other, for up to 64 heads, and have half of its 512 results each. Alone on a
/// multiprocessor, a block waits for one key after the other; several share its arithmetic.
double serial_decode(const Kernel& work, const Machine& on) {
    const bool decodes =
        work.kind == KernelKind::latent_decode || work.kind == KernelKind::latent_decode_block;
    if (!on.warp_products || !decodes || work.library != KernelLibrary::trtllm) return 0.0;
    const double rounds = std::ceil(2.0 * work.batch * blocks(work.heads, serial_heads) / on.multiprocessors);
    const double shared =
        rounds * 2.0 * serial_heads * (576.0 + 256.0) * on.multiprocessors / (serial_share * on.wide_rate);
    return work.keys * std::max(serial_cycles * on.cycle, shared);
}

/// Sizes of DeepSeek-V2 and V3: a latent of 512 and 64 rotated dimensions, heads of 128 + 64 and 128.
KernelFeatures of_latent(const Kernel& work, const Machine& on) {
    const bool decodes =
        work.kind == KernelKind::latent_decode || work.kind == KernelKind::latent_decode_block;
    const bool block =
        work.kind == KernelKind::latent_prefill_block || work.kind == KernelKind::latent_decode_block;
    const auto [b, h, q, n] = std::array{work.batch, work.heads, work.queries, work.keys};
    double flop = decodes ? 2.0 * b * h * q * n * 1088.0 : 2.0 * b * h * 320.0 * (q * n - 0.5 * q * q);
    LatentWork size{};
    size.flop = flop;
    size.cached = b * n * 576.0 * (work.narrow_cache ? 1.0 : 2.0);
    size.own = b * h * q * (decodes ? 1088.0 : 320.0) * 2.0;
    size.serial = serial_decode(work, on);
    double bytes = size.cached + size.own;
    if (block) {
        size.projections = 7168.0 * (1536.0 + 576.0) + h * (1536.0 * 192.0 + 512.0 * 256.0 + 128.0 * 7168.0);
        size.weight_bytes = size.projections * row_of(work.format).weight;
        flop += 2.0 * b * q * size.projections;
        bytes += size.weight_bytes + b * q * 7168.0 * 4.0;
    }
    const double compute = flop / on.rate;
    const double memory = bytes / on.memory;
    Row row{compute, memory, bare_form(8e-6, compute, memory, size.serial)};
    row.add(log2_of(b), log2_of(h), log2_of(b * h), log2_of(q), log2_of(n), log2_of(b * q));
    row.add(work.narrow_cache ? 1 : 2, static_cast<int>(work.format), log2_of(bytes / on.cache));
    row.add_waves(b * h * blocks(q, 128), on.multiprocessors);
    row.add_waves(b * blocks(h, 64) * blocks(n, 1024), on.multiprocessors);
    row.add(on.before_hopper ? 1 : 0);
    return row.finish(work, latent_costs(work, on, size), family(work, work.narrow_cache));
}

}  // namespace

void KernelFeatures::set_release(int number) {
    DSE_EXPECT(count < most);
    values[count++] = number;
    family += (number + 1) * 8 * formats();
}

KernelDevice::KernelDevice(const hardware::DeviceSpec& device, const hardware::LearnedSpec& learned)
    : loaded_{device.efficiency.gemm},
      memory_{device.memory.bandwidth.value() * learned.memory_share * memory_share},
      multiprocessors_{learned.multiprocessors},
      cache_{learned.cache.value()},
      cycle_{learned.cycle.value()},
      capability_{learned.capability},
      before_hopper_{learned.before_hopper()},
      warp_products_{learned.warp_products()} {
    const hardware::PrecisionRates& measured = device.matmul.sustained;
    const FlopPerSecond peak = std::max(device.peak.bf16, device.peak.fp16);
    if (!(peak > FlopPerSecond{})) {
        if (!learned.trees) return;  // nothing uses the rates
        throw ModelError(
            "the device states no peak in bf16 or fp16, from which the rates of its kernels follow");
    }
    const double share = device.matmul.largest(std::max(measured.bf16, measured.fp16), peak) / peak;
    rates_.fill(peak.value() * share);
    const std::array narrow{device.peak.fp8.value(), device.peak.fp4.value(), device.peak.int8.value()};
    for (std::size_t i = 0; i < narrow.size(); ++i) {
        if (narrow[i] > 0.0) rates_[i + 1] = narrow[i] * share;
    }
    products_ = rates_;
    const std::array largest{measured.fp8.value(), measured.fp4.value(), measured.int8.value()};
    for (std::size_t i = 0; i < largest.size(); ++i) {
        if (largest[i] > 0.0) products_[i + 1] = largest[i];
    }
}

double KernelDevice::rate(const Kernel& kernel) const {
    const std::size_t row = row_of(kernel.format).rate;
    if (kernel.kind != KernelKind::gemm) return rates_[row];
    return products_[row] * (has_constant_weights(kernel) ? 1.0 : loaded_);
}

KernelFeatures KernelDevice::features(const Kernel& kernel) const {
    const Machine on{rate(kernel),   memory_,        multiprocessors_, cache_,     cycle_,
                     before_hopper_, warp_products_, rates_[0],        capability_};
    switch (kernel.kind) {
        case KernelKind::gemm:
            return of_product(kernel, on);
        case KernelKind::prefill:
        case KernelKind::decode:
            return of_attention(kernel, on);
        case KernelKind::experts:
            return of_experts(kernel, on);
        default:
            return of_latent(kernel, on);
    }
}

}  // namespace dse::model
