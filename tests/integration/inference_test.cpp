// Inference of the shipped templates: work, cache and parameters against closed forms
// (docs/theory/inference.md), over factorisations of the devices.
#include <algorithm>
#include <cmath>
#include <numeric>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "dse/sim/engine.hpp"
#include "small_models.hpp"
#include "support/soft_equal.hpp"

namespace dse {
namespace {

using graph::MemoryKind;
using graph::MeshAxis;
using graph::Mode;

struct Layout {
    std::int64_t tp{1};
    std::int64_t pp{1};
    std::int64_t dp{1};
    std::int64_t ep{1};
    std::int64_t cp{1};
    [[nodiscard]] std::int64_t devices() const { return tp * pp * dp * cp; }
};

class Inference : public testing::Test {
  protected:
    graph::WorkloadSpec spec(const std::string& model, Mode mode, std::int64_t batch, std::int64_t sequence,
                             const Layout& layout = {}) {
        graph::WorkloadSpec result;
        result.model = model;
        result.mode = mode;
        result.global_batch = batch;
        result.sequence = sequence;
        result.layout.tp = layout.tp;
        result.layout.pp = layout.pp;
        result.layout.ep = layout.ep;
        result.layout.cp = layout.cp;
        if (layout.ep > 1) result.layout.etp = 1;
        return result;
    }

    const graph::Graph& build(const graph::WorkloadSpec& spec, const Layout& layout = {}) {
        resolved_ = graph::resolve(spec, layout.devices());
        const graph::Graph& graph = frontend_.build(spec, resolved_);
        graph::validate(graph);
        return graph;
    }

    /// Of all ranks, a step.
    graph::Totals work(const graph::WorkloadSpec& spec, const Layout& layout = {}) {
        const graph::Totals all = graph::totals(build(spec, layout));
        return all * (1.0 / resolved_.steps);
    }

    /// What all ranks hold of a kind throughout.
    static double resident(const graph::Graph& graph, MemoryKind kind) {
        double total = 0;
        for (const std::uint32_t program : graph.program_of) {
            for (const graph::BufferId id : graph.programs[program].resident) {
                const graph::Buffer& buffer = graph.buffers[id.index()];
                if (buffer.kind == kind) total += buffer.size.value();
            }
        }
        return total * static_cast<double>(graph.mesh.ranks()) / static_cast<double>(graph.program_of.size());
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
    graph::ResolvedLayout resolved_;
};

/// 2·80·8·128·2 B = 327,680 B a token of Llama-3 70B, 2·126·8·128·2 = 516,096 B of 405B; 61·(512 + 64)·2 =
/// 70,272 B of DeepSeek-V3: as published.
TEST_F(Inference, CachesTheBytesThatArePublished) {
    for (const auto& [model, bytes] :
         {std::pair{"llama3_70b", 327680.0}, {"llama3_405b", 516096.0}, {"deepseek_v3", 70272.0}}) {
        for (const Mode mode : {Mode::prefill, Mode::decode}) {
            graph::WorkloadSpec one = spec(model, mode, 1, 1600);
            EXPECT_EQ(resident(build(one), MemoryKind::kv_cache), 1600 * bytes) << model;
            one.serving.kv_cache_precision = graph::CachePrecision::fp8;
            EXPECT_EQ(resident(build(one), MemoryKind::kv_cache), 1600 * bytes / 2) << model;
            one.sequence = 1601;
            EXPECT_EQ(resident(build(one), MemoryKind::kv_cache), 1616 * bytes / 2) << "one more page";
        }
    }
}

/// Per sequence, 27 scans of Nemotron Nano 2: 128 heads of 80 x 128 numbers of 32 bits, and of 16 bits the
/// last three tokens of 128·80 values and 2·8·128 keys and queries; 45 linear layers of Qwen3.5: 64 heads of
/// 128 x 128, 64·128 values and 2·16·128 keys and queries. Every device has all keys.
TEST_F(Inference, KeepsStatesOfRecurrentLayers) {
    const auto states = [&](const char* model, std::int64_t sequences, const Layout& layout,
                            graph::StatePrecision precision = graph::StatePrecision::fp32) {
        graph::WorkloadSpec some = spec(model, Mode::decode, sequences, 64, layout);
        some.serving.state_precision = precision;
        return resident(build(some, layout), MemoryKind::recurrent_state);
    };
    const double scan = 128.0 * 80 * 128;
    const double values = 3.0 * 128 * 80 * 2;
    const double keys = 3.0 * 2 * 8 * 128 * 2;
    const char* nano = "nemotron_nano_9b_v2";
    EXPECT_EQ(states(nano, 1, {1, 1, 1}), 27 * (4 * scan + values + keys));
    EXPECT_EQ(states(nano, 3, {1, 1, 1}), 3 * 27 * (4 * scan + values + keys));
    EXPECT_EQ(states(nano, 1, {8, 1, 1}), 27 * (4 * scan + values + 8 * keys));
    EXPECT_EQ(states(nano, 1, {1, 1, 1}, graph::StatePrecision::bf16), 27 * (2 * scan + values + keys));
    EXPECT_EQ(states("qwen3_5_397b_a17b", 1, {1, 1, 1}),
              45 * (4 * 64.0 * 128 * 128 + 3.0 * (64 * 128 + 2 * 16 * 128) * 2));
    EXPECT_EQ(states("llama3_70b", 1, {1, 1, 1}), 0.0);
}

TEST_F(Inference, SplitsTheCacheOverHeadsAndLayersButNotLatentVectors) {
    const Layout layout{4, 2, 2};
    const double whole = 8.0 * 2 * 4 * 8 * 2 * 64;  // layers·2·k·d·2 B, 64 tokens
    EXPECT_EQ(resident(build(spec("small_llama", Mode::decode, 8, 64, layout), layout), MemoryKind::kv_cache),
              8 * whole);
    const double latent = 8.0 * (16 + 4) * 2 * 64;
    EXPECT_EQ(
        resident(build(spec("small_deepseek", Mode::decode, 8, 64, layout), layout), MemoryKind::kv_cache),
        4 * 8 * latent)
        << "every tensor-parallel rank has all of it";
}

/// 8 layers of 2·64 tokens: 4·h² and 2·h·f products, 2·64·h of scores and values; one token a text at the
/// head, h·h + h·vocab. Nothing reads what encoders would cache.
TEST_F(Inference, EncodersReadATextOnce) {
    const double layer = 2.0 * (4 * 64 * 64 + 2 * 64 * 256 + 2 * 64 * 64);
    const double head = 2.0 * (64 * 64 + 64 * 128);
    graph::WorkloadSpec text = spec("small_bert", Mode::prefill, 2, 64);
    EXPECT_EQ(work(text).model_flop.value(), 2 * (64 * 8 * layer + head));
    EXPECT_EQ(resident(build(text), MemoryKind::kv_cache), 0.0);
    EXPECT_THROW(build(spec("small_bert", Mode::decode, 2, 64)), ModelError);
}

/// Of 4 key-value heads over tp 8, every rank has a copy of one: twice the cache, and twice the parameters
/// that make it, 8 layers of h·2·k·d.
TEST_F(Inference, CopiesKeyValueHeadsBeyondTheirNumber) {
    const Layout four{4, 1, 1};
    const Layout eight{8, 1, 1};
    const double cache =
        resident(build(spec("small_llama", Mode::decode, 2, 64, four), four), MemoryKind::kv_cache);
    const graph::Graph& graph = build(spec("small_llama", Mode::decode, 2, 64, eight), eight);
    EXPECT_EQ(resident(graph, MemoryKind::kv_cache), 2 * cache);
    const double vectors = 8 * 2 * 64 + 64;
    const double matrices = 8 * test::small_llama.layer_matrices() + 2 * 128 * 64;
    EXPECT_EQ(resident(graph, MemoryKind::parameters), 2 * (8 * vectors + matrices + 8 * 64 * 2 * 4 * 8));
    // A training layout has no such copies.
    graph::WorkloadSpec training = spec("small_llama", Mode::training, 2, 64, eight);
    EXPECT_THROW(build(training, eight), ModelError);
}

/// Four bits are for the layers' products, and of a layer with experts for these alone: 16 of 3·64·48
/// parameters in each of 8 layers.
TEST_F(Inference, FourBitsLeaveTheHeadAndAttentionOfExperts) {
    const auto parameters = [&](const std::string& model, graph::Precision precision) {
        graph::WorkloadSpec decode = spec(model, Mode::decode, 4, 64);
        decode.stack.precision = precision;
        return resident(build(decode), MemoryKind::parameters);
    };
    const auto less = [&](const std::string& model) {
        return parameters(model, graph::Precision::bf16) - parameters(model, graph::Precision::fp4);
    };
    // Half a byte and a sixteenth for its scale, instead of two.
    EXPECT_EQ(less("small_llama"), 1.4375 * 8 * test::small_llama.layer_matrices());
    EXPECT_EQ(less("small_moe"), 1.4375 * 8 * 16 * 3 * 64 * 48);
}

std::vector<Layout> dense_layouts() {
    std::vector<Layout> layouts;
    for (const std::int64_t tp : {1, 2, 4}) {
        for (const std::int64_t pp : {1, 2, 4}) {
            for (const std::int64_t dp : {1, 2}) layouts.push_back({tp, pp, dp});
        }
    }
    return layouts;
}

/// 2·matrices a token and layer; half the square of the sequence of attention; the head for one position
/// alone.
TEST_F(Inference, PrefillDoesTheWorkOfAForwardPass) {
    const test::ModelSizes& m = test::small_llama;
    const double b = 8;
    const double s = 64;
    const double flop = 2 * b * s * m.layers * m.layer_matrices() + m.layers * 2 * b * s * s * m.n * m.d +
                        2 * b * m.h * m.vocab;
    for (const Layout& layout : dense_layouts()) {
        for (const bool sequence_parallel : {false, true}) {
            graph::WorkloadSpec prefill = spec("small_llama", Mode::prefill, 8, 64, layout);
            prefill.layout.sequence_parallel = sequence_parallel;
            const graph::Totals total = work(prefill, layout);
            EXPECT_SOFT_EQ(total.model_flop.value(), flop);
            EXPECT_SOFT_EQ(total.executed_flop.value(), flop);
        }
    }
    for (const auto how : {graph::ContextAttention::ring, graph::ContextAttention::all_gather,
                           graph::ContextAttention::ulysses}) {
        Layout layout{2, 1, 1, 1, 2};
        graph::WorkloadSpec prefill = spec("small_llama", Mode::prefill, 8, 64, layout);
        prefill.stack.cp_attention = how;
        const graph::Totals total = work(prefill, layout);
        EXPECT_SOFT_EQ(total.model_flop.value(), flop);
        // The last position is a single one: both ranks put it through the head.
        EXPECT_SOFT_EQ(total.executed_flop.value(), flop + 2 * b * m.h * m.vocab);
        EXPECT_EQ(resident(build(prefill, layout), MemoryKind::kv_cache), 8.0 * 8 * 2 * 4 * 8 * 2 * 64)
            << "each rank keeps its part of the sequence";
    }
}

/// 2·matrices a sequence; 4·context·q of attention.
TEST_F(Inference, DecodeDoesTheWorkOfAToken) {
    const test::ModelSizes& m = test::small_llama;
    const double b = 8;
    const double flop =
        2 * b * m.layers * m.layer_matrices() + m.layers * 4 * b * 100 * m.n * m.d + 2 * b * m.h * m.vocab;
    for (const Layout& layout : dense_layouts()) {
        graph::WorkloadSpec decode = spec("small_llama", Mode::decode, 8, 64, layout);
        decode.serving.context = 100;
        EXPECT_SOFT_EQ(work(decode, layout).model_flop.value(), flop);
    }
}

/// Parameters in the precision of products, once, with nothing beside them; the head and the table of a stage
/// that only looks rows up stay in bf16.
TEST_F(Inference, HoldsParametersAlone) {
    const test::ModelSizes& m = test::small_llama;
    const double matrices = m.layers * m.layer_matrices();
    const double others = 2 * m.h * m.vocab + m.layers * m.layer_vectors() + m.head_vectors();
    for (const auto& [precision, bytes] : {std::pair{graph::Precision::bf16, 2.0},
                                           {graph::Precision::fp8, 1.0},
                                           {graph::Precision::int8, 1.0}}) {
        graph::WorkloadSpec decode = spec("small_llama", Mode::decode, 4, 64, {1, 2, 1});
        decode.stack.precision = precision;
        decode.stack.zero = 3;
        decode.stack.recompute = graph::Recompute::full;
        const graph::Graph& graph = build(decode, {1, 2, 1});
        EXPECT_EQ(resident(graph, MemoryKind::parameters), bytes * matrices + 2 * others);
        EXPECT_EQ(resident(graph, MemoryKind::gradients) + resident(graph, MemoryKind::optimizer), 0);
    }
}

/// b 8 of batch on dp·ep: FLOPs do not depend on where experts are.
TEST_F(Inference, ExpertsDoTheSameWorkWhereverTheyAre) {
    for (const std::string model : {"small_moe", "small_qwen", "small_deepseek"}) {
        for (const Mode mode : {Mode::prefill, Mode::decode}) {
            const double alone = work(spec(model, mode, 8, 64)).model_flop.value();
            for (const Layout& layout : {Layout{1, 1, 4, 4}, Layout{1, 2, 4, 2}, Layout{1, 4, 2, 1},
                                         Layout{2, 1, 4, 4}, Layout{4, 2, 2, 8}})
                EXPECT_SOFT_EQ(work(spec(model, mode, 8, 64, layout), layout).model_flop.value(), alone)
                    << model;
        }
    }
}

/// Of 16 experts, 4 a token: 2 tokens touch 16·(1 - (3/4)²) = 7 of them. Of small_moe's 8 layers, an expert
/// has 3·64·48 parameters of 2 bytes.
TEST_F(Inference, ReadsTheExpertsThatAreTouched) {
    const auto read = [&](std::int64_t batch) { return work(spec("small_moe", Mode::decode, batch, 64)); };
    const double expert = 8.0 * 3 * 64 * 48 * 2;
    const double two = read(2).memory_traffic.value();
    const double one = read(1).memory_traffic.value();
    const double many = read(64).memory_traffic.value();
    const double more = read(65).memory_traffic.value();
    // One sequence more costs the same at any size, but for the experts that it touches first.
    const double a_sequence = more - many - expert * 16 * (std::pow(0.75, 64) - std::pow(0.75, 65));
    EXPECT_NEAR(two - one - a_sequence, expert * (7.0 - 4.0), 1e-6 * two);
}

/// Absorbed: what a token reads of the cache is one vector, whatever the heads; per head, the low-rank
/// products and 2·(rank + rope) + 2·rank a cached token (docs/theory/inference.md).
TEST_F(Inference, LatentAttentionReadsVectorsOfLowRank) {
    const auto at = [&](std::int64_t context) {
        graph::WorkloadSpec decode = spec("small_deepseek", Mode::decode, 4, 64);
        decode.serving.context = context;
        return work(decode);
    };
    const graph::Totals far = at(2048);
    const graph::Totals near = at(1024);
    const double tokens = 4.0 * 1024 * 8;  // sequences, cached tokens, layers
    EXPECT_SOFT_EQ((far.model_flop - near.model_flop).value(), tokens * 8 * 2 * (2 * 16 + 4));
    EXPECT_SOFT_EQ((far.memory_traffic - near.memory_traffic).value(), tokens * (16 + 4) * 2);
}

/// Unfused attention computes the half of the scores that causality masks as well, 2·s²·n·d FLOP a layer and
/// prompt, and caches the same keys and values.
TEST_F(Inference, UnfusedPrefillComputesAllScores) {
    graph::WorkloadSpec prompts = spec("small_llama", Mode::prefill, 4, 64);
    const graph::Totals flash = work(prompts);
    const double cache = resident(build(prompts), MemoryKind::kv_cache);
    prompts.stack.attention = graph::Attention::unfused;
    const graph::Totals unfused = work(prompts);
    EXPECT_SOFT_EQ(unfused.model_flop.value(), flash.model_flop.value());
    EXPECT_SOFT_EQ((unfused.executed_flop - flash.executed_flop).value(), 8 * 4 * 2.0 * 64 * 64 * 8 * 8);
    EXPECT_SOFT_EQ(resident(build(prompts), MemoryKind::kv_cache), cache);
    // Scores are written, read by the softmax and written, and read again: 2 B each.
    EXPECT_GE((unfused.memory_traffic - flash.memory_traffic).value(), 8 * 4 * 4 * 8 * 64.0 * 64 * 2);
}

/// A plain forward pass makes logits of all positions: 2·h·vocabulary FLOP for each of s - 1 more.
TEST_F(Inference, LogitsOfEveryPositionWhereAsked) {
    graph::WorkloadSpec prompts = spec("small_llama", Mode::prefill, 4, 64);
    const graph::Totals last = work(prompts);
    prompts.stack.all_logits = true;
    EXPECT_SOFT_EQ((work(prompts).model_flop - last.model_flop).value(), 4 * 63 * 2.0 * 64 * 128);
}

TEST_F(Inference, RefusesByName) {
    graph::WorkloadSpec decode = spec("small_llama", Mode::decode, 4, 64);
    decode.stack.attention = graph::Attention::unfused;
    try {
        build(decode);
        FAIL() << "accepted";
    } catch (const ModelError& error) {
        EXPECT_STREQ(error.what(),
                     "attention unfused with mode decode: only a flash kernel reads cached keys and values");
    }
}

/// Kernels of one pass through a stage.
double kernels(const graph::Graph& graph, const graph::StageProgram& program, graph::RegionId region) {
    double count = 0;
    for (const graph::Item& item : graph.regions[region.index()].items) {
        if (item.kind == graph::Item::Kind::repeat) {
            count +=
                static_cast<double>(program.counts[item.count.index()]) * kernels(graph, program, item.body);
        } else if (std::holds_alternative<graph::Compute>(graph.works[item.work.index()])) {
            count += 1;
        }
    }
    return count;
}

/// Kernels of one time, messages of another: a stage does a part in T_s. A step takes the longer of two: all
/// parts on the slowest stage, or one after the other on the slowest link; and one part's way through all
/// stages and back to the first.
TEST_F(Inference, TheLoopOfDecodeHasThePeriodOfItsTightestCircle) {
    const double kernel = sim::quantise(1e-5);
    const double around = sim::quantise(3e-5);
    int bound_by_stage = 0;
    for (const double message : {sim::quantise(2e-5), sim::quantise(8e-4)}) {
        for (const std::int64_t pp : {2, 4}) {
            for (const std::int64_t parts : {1, 2, 3, 4, 6, 12}) {
                graph::WorkloadSpec decode = spec("small_llama", Mode::decode, 12, 64, {1, pp, 1});
                decode.serving.pipeline_batches = parts;
                decode.stack.cuda_graphs = true;
                const auto played = [&](std::uint32_t steps) {
                    resolved_ = graph::resolve(decode, pp);
                    resolved_.steps = steps;
                    const graph::Graph& graph = frontend_.build(decode, resolved_);
                    sim::Durations durations;
                    for (const graph::Work& work : graph.works) {
                        const double time = std::holds_alternative<graph::Compute>(work) ? kernel : 0.0;
                        durations.of_work.push_back({time, time, 0.0});
                    }
                    durations.forward.assign(static_cast<std::size_t>(pp), {message, 0.0});
                    durations.forward.back() = {around, 0.0};
                    durations.backward.assign(static_cast<std::size_t>(pp), {});
                    sim::validate(durations, graph);
                    return sim::engines().find("folded")()->play(graph, durations).iteration_time;
                };
                const graph::Graph& graph = build(decode, {1, pp, 1});
                std::vector<double> stages;
                for (const std::uint32_t program : graph.program_of) {
                    const graph::StageProgram& stage = graph.programs[program];
                    stages.push_back(kernel * kernels(graph, stage, stage.chunks.front().forward));
                }
                const double slowest = std::max(message, *std::max_element(stages.begin(), stages.end()));
                const double way = std::accumulate(stages.begin(), stages.end(), 0.0) +
                                   static_cast<double>(pp - 1) * message + around;
                const double period = std::max(static_cast<double>(parts) * slowest, way);
                bound_by_stage += period > way ? 1 : 0;
                const std::uint32_t half = graph::decode_steps;
                EXPECT_SOFT_EQ((played(2 * half) - played(half)) / half, period) << pp << " " << parts;
            }
        }
    }
    EXPECT_GT(bound_by_stage, 0);
    EXPECT_LT(bound_by_stage, 24);
}

}  // namespace
}  // namespace dse
