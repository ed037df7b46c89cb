// Nodes of one training step of Llama-3 8B as torchtitan lays it out, against the counts of traces taken on
// H200s. Source of the counts: the figure data of Flint (arXiv 2604.17550): per step and rank 675 matrix
// products, 64 attention kernels, 224 all-reduces at tp 8 without sequence parallelism; with fully sharded
// parameters 292 all-gathers (582 where the backward pass gathers again) and 292 reduce-scatters. They
// decompose over 32 layers of 7 projections and 2 norms, an embedding, a final norm and a head.
#include <gtest/gtest.h>

#include "dse/graph/totals.hpp"
#include "small_models.hpp"
#include "support/collective_totals.hpp"
#include "support/source_dir.hpp"

namespace dse {
namespace {

using graph::AxisSet;
using graph::CollectiveKind;
using graph::MeshAxis;
using graph::OpClass;

constexpr std::int64_t sequence = 8192;
const AxisSet tp{MeshAxis::tensor};
const AxisSet dp{MeshAxis::data};

/// Nodes of the only microbatch, by class of operators, kind, group and size.
class Nodes {
  public:
    explicit Nodes(const graph::Graph& graph) : graph_{graph}, program_{graph.programs.front()} {
        EXPECT_EQ(graph.schedule.microbatches, 1U);
        play(program_.chunks.front().forward_first, 1);
        play(program_.chunks.front().backward_last, 1);
    }

    [[nodiscard]] std::int64_t kernels(OpClass op_class) const {
        const auto found = kernels_.find(op_class);
        return found == kernels_.end() ? 0 : found->second;
    }
    /// \param smallest  of the full buffers, in bytes
    [[nodiscard]] std::int64_t collectives(CollectiveKind kind, AxisSet axes, double smallest = 0) const {
        std::int64_t count = 0;
        for (const auto& [key, times] : collectives_) {
            const auto& [of_kind, bits, size] = key;
            if (of_kind == kind && bits == axes.bits() && size >= smallest) count += times;
        }
        return count;
    }

  private:
    void play(graph::RegionId region, std::int64_t times) {
        for (const graph::Item& item : graph_.regions[region.index()].items) {
            if (item.kind == graph::Item::Kind::repeat) {
                play(item.body, times * program_.counts[item.count.index()]);
                continue;
            }
            const graph::Work& work = graph_.works[item.work.index()];
            if (const auto* compute = std::get_if<graph::Compute>(&work))
                kernels_[compute->op_class] += times;
            if (const auto* collective = std::get_if<graph::Collective>(&work))
                collectives_[{collective->kind, collective->axes.bits(), collective->size.value()}] += times;
        }
    }

    const graph::Graph& graph_;
    const graph::StageProgram& program_;
    std::map<OpClass, std::int64_t> kernels_;
    std::map<std::tuple<CollectiveKind, std::uint8_t, double>, std::int64_t> collectives_;
};

class TorchtitanCounts : public testing::Test {
  protected:
    const graph::Graph& build(const std::string& model, std::int64_t degree, std::int64_t replicas,
                              bool reshards = true, std::int64_t shard = 0) {
        graph::WorkloadSpec spec;
        spec.model = model;
        spec.global_batch = replicas;
        spec.sequence = sequence;
        spec.layout.tp = degree;
        spec.layout.sequence_parallel = false;
        spec.layout.dp_shard = shard;
        spec.stack.zero = 3;
        spec.stack.gather_unit = graph::GatherUnit::parameter;
        spec.stack.merge_input_gradients = false;
        spec.stack.regather_inputs = false;
        spec.stack.reshard_after_forward = reshards;
        return frontend_.build(spec, graph::resolve(spec.layout, degree * replicas, replicas));
    }

    frontend::TemplateFrontend frontend_{config::Library({DSE_SOURCE_DIR})};
};

constexpr double activation = 2.0 * sequence * 4096;
const std::string unfused = "llama3_8b_torchtitan";

TEST_F(TorchtitanCounts, TensorParallelStep) {
    const Nodes nodes(build(unfused, 8, 1));
    EXPECT_EQ(nodes.kernels(OpClass::gemm), 675) << "3 (32 · 7 + 1)";
    EXPECT_EQ(nodes.kernels(OpClass::attention), 64) << "2 · 32";
    // A layer: the results of wo and w2; the input gradients of wq, wk, wv, w1 and w3, each apart.
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_reduce, tp, activation), 224) << "32 · 7";
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_reduce, tp), 224 + 3)
        << "and three numbers a token of the loss, which stands outside of the captured graph";
    // The head's input is split over the sequence: gathered, and its gradient scattered.
    EXPECT_EQ(nodes.collectives(CollectiveKind::reduce_scatter, tp), 1);
    // One more than was captured: what was split from a whole tensor, whole gradients go back to. The
    // captured program takes the whole tensor of each rank for its share of a longer sequence, so that
    // nothing goes back.
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_gather, tp), 1 + 1);
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_gather, dp), 0);
}

TEST_F(TorchtitanCounts, FullyShardedStep) {
    for (const auto& [degree, replicas] : {std::pair<std::int64_t, std::int64_t>{8, 2}, {4, 4}}) {
        // A parameter at a time: 32 · 9 of the layers, the embedding, the final norm and the head.
        constexpr std::int64_t parameters = 32 * 9 + 3;
        const Nodes kept(build(unfused, degree, replicas, false));
        EXPECT_EQ(kept.kernels(OpClass::gemm), 675);
        EXPECT_EQ(kept.kernels(OpClass::attention), 64);
        EXPECT_EQ(kept.collectives(CollectiveKind::all_reduce, tp, activation), 224);
        EXPECT_EQ(kept.collectives(CollectiveKind::all_gather, dp), parameters) << "292 with the one over tp";
        EXPECT_EQ(kept.collectives(CollectiveKind::reduce_scatter, dp), parameters);
        EXPECT_EQ(kept.collectives(CollectiveKind::reduce_scatter, dp) +
                      kept.collectives(CollectiveKind::reduce_scatter, tp),
                  292);
        // The embedding's backward pass needs no table: 582 = 292 + 290.
        const Nodes again(build(unfused, degree, replicas, true));
        EXPECT_EQ(again.collectives(CollectiveKind::all_gather, dp), parameters + 290);
        EXPECT_EQ(again.collectives(CollectiveKind::reduce_scatter, dp), parameters);
    }
}

/// TP2+FSDP2+DP2: 516 all-reduces in the capture, 225 that FSDP has without replicas too (the seven a layer
/// and one that we take for the loss's), and one of the sharded gradient of each parameter over the two
/// replicas.
TEST_F(TorchtitanCounts, HybridShardedStep) {
    constexpr std::int64_t parameters = 32 * 9 + 3;
    const Nodes nodes(build(unfused, 2, 4, false, 2));
    EXPECT_EQ(nodes.kernels(OpClass::gemm), 675);
    EXPECT_EQ(nodes.kernels(OpClass::attention), 64);
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_reduce, tp, activation), 224);
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_reduce, graph::MeshAxis::replica), parameters);
    EXPECT_EQ(224 + 1 + parameters, 516);
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_gather, dp), parameters) << "292 with the one over tp";
    EXPECT_EQ(nodes.collectives(CollectiveKind::reduce_scatter, dp), parameters);
    // Gathered again in the backward pass: 582.
    EXPECT_EQ(Nodes(build(unfused, 2, 4, true, 2)).collectives(CollectiveKind::all_gather, dp),
              parameters + 290);
}

/// The default model keeps Megatron's form: projections fused, input gradients added before they are reduced.
TEST_F(TorchtitanCounts, MegatronsModelIsFused) {
    graph::WorkloadSpec spec;
    spec.model = "llama3_8b";
    spec.global_batch = 1;
    spec.sequence = sequence;
    spec.layout.tp = 8;
    spec.layout.sequence_parallel = false;
    const Nodes nodes(frontend_.build(spec, graph::resolve(spec.layout, 8, 1)));
    EXPECT_EQ(nodes.kernels(OpClass::gemm), 3 * (32 * 4 + 1));
    EXPECT_EQ(nodes.collectives(CollectiveKind::all_reduce, tp, activation), 32 * 4 + 2)
        << "four a layer; the embedding's result and the input gradient of the head";
}

/// Kept from the first forward pass to the last backward pass, parameters are whole throughout.
TEST_F(TorchtitanCounts, ParametersThatAreKeptAreGatheredOnceAnIteration) {
    graph::WorkloadSpec spec;
    spec.model = "llama3_8b";
    spec.global_batch = 8;
    spec.sequence = sequence;
    spec.stack.zero = 3;
    const auto gathers = [&](bool reshards) {
        spec.stack.reshard_after_forward = reshards;
        const graph::Graph& graph = frontend_.build(spec, graph::resolve(spec.layout, 2, 8));
        return test::collectives_of_stage(graph, 0).at({CollectiveKind::all_gather, dp.bits()}).count;
    };
    constexpr double blocks = 32 + 2;
    EXPECT_EQ(gathers(true), 2 * 4 * blocks) << "in both passes of four microbatches";
    EXPECT_EQ(gathers(false), blocks);
}

TEST(TorchtitanModel, HasLlamasParametersAndWork) {
    frontend::TemplateFrontend frontend{config::Library({DSE_SOURCE_DIR})};
    graph::WorkloadSpec spec;
    spec.global_batch = 4;
    spec.sequence = sequence;
    spec.layout.tp = 2;
    const auto totals = [&](const std::string& model) {
        spec.model = model;
        return graph::totals(frontend.build(spec, graph::resolve(spec.layout, 8, 4)));
    };
    const graph::Totals apart = totals("llama3_8b_torchtitan");
    const graph::Totals fused = totals("llama3_8b");
    EXPECT_EQ(apart.model_flop, fused.model_flop);
    EXPECT_EQ(apart.executed_flop, fused.executed_flop);
    EXPECT_EQ(apart.sent, fused.sent) << "with sequence parallelism both gather once for all projections";
    spec.model = "llama3_8b_torchtitan";
    EXPECT_EQ(frontend.parameter_count(spec), 8030261248.0);
}

}  // namespace
}  // namespace dse
