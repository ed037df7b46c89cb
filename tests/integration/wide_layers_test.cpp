// First and last layers of a model in 16 bits, while the others run in eight or four: work, memory and time.
#include <gtest/gtest.h>

#include "dse/graph/totals.hpp"
#include "stage_memory.hpp"

namespace dse {
namespace {

using graph::MemoryKind;
using graph::Precision;
using graph::PrimaryWeights;

const test::ModelSizes& model = test::small_llama;

class WideLayers : public testing::Test {
  protected:
    WideLayers() {
        spec_.model = model.name;
        spec_.global_batch = 4;
        spec_.sequence = 32;
        spec_.stack.zero = 0;
        spec_.stack.precision = Precision::fp8;
    }
    const graph::Graph& build() {
        const auto& graph =
            frontend_.build(spec_, graph::resolve(spec_.layout, spec_.layout.pp, spec_.global_batch));
        graph::validate(graph);
        return graph;
    }
    /// Executed FLOPs of one iteration's products and attention in a precision.
    double flop_in(Precision precision, graph::OpClass op_class = graph::OpClass::gemm) {
        const graph::Graph& graph = build();
        double sum = 0.0;
        for (std::size_t stage = 0; stage < graph.program_of.size(); ++stage) {
            graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
                const auto* compute = std::get_if<graph::Compute>(&work);
                if (compute != nullptr && compute->op_class == op_class && compute->precision == precision)
                    sum += compute->executed_flop.value() * times;
            });
        }
        return sum;
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
    graph::WorkloadSpec spec_;
};

/// Of 8 layers, 3 take their products from eight to 16 bits, in which the head is already.
TEST_F(WideLayers, ShareTheProducts) {
    const double narrow = flop_in(Precision::fp8);
    const double head = flop_in(Precision::bf16);
    const double model_flop = graph::totals(build()).model_flop.value();
    spec_.stack.bf16_first_layers = 1;
    spec_.stack.bf16_last_layers = 2;
    EXPECT_DOUBLE_EQ(flop_in(Precision::fp8), narrow * 5 / 8);
    EXPECT_DOUBLE_EQ(flop_in(Precision::bf16), head + narrow * 3 / 8);
    EXPECT_DOUBLE_EQ(graph::totals(build()).model_flop.value(), model_flop);
}

/// The same in a pipeline of two stages with two chunks each.
TEST_F(WideLayers, AreThoseOfTheModelInAPipeline) {
    const double narrow = flop_in(Precision::fp8);
    spec_.layout.pp = 2;
    spec_.layout.virtual_stages = 2;
    spec_.layout.schedule = graph::ScheduleKind::interleaved;
    spec_.stack.bf16_last_layers = 3;
    EXPECT_DOUBLE_EQ(flop_in(Precision::fp8), narrow * 5 / 8);
    // Stage 0 holds layers 0, 1, 4 and 5, one of which is among the last three, stage 1 the others.
    spec_.stack.primary_weights = PrimaryWeights::fp8;
    const auto parameters = [&](std::int64_t layers, std::size_t stage) {
        spec_.stack.bf16_last_layers = layers;
        return test::resident(build(), stage)[MemoryKind::parameters];
    };
    EXPECT_EQ(parameters(3, 0) - parameters(0, 0), model.layer_matrices());
    EXPECT_EQ(parameters(3, 1) - parameters(0, 1), 2 * model.layer_matrices());
}

TEST_F(WideLayers, AttendInSixteenBits) {
    spec_.stack.fp8_attention = true;
    const double narrow = flop_in(Precision::fp8, graph::OpClass::attention);
    ASSERT_GT(narrow, 0.0);
    spec_.stack.bf16_last_layers = 2;
    EXPECT_DOUBLE_EQ(flop_in(Precision::fp8, graph::OpClass::attention), narrow * 6 / 8);
    EXPECT_DOUBLE_EQ(flop_in(Precision::bf16, graph::OpClass::attention), narrow * 2 / 8);
}

/// Their weights take two bytes, where others are fp8 primary weights, and have no casts to keep.
TEST_F(WideLayers, KeepTheirWeightsInSixteenBits) {
    spec_.stack.primary_weights = PrimaryWeights::fp8;
    spec_.stack.keep_weight_casts = true;
    const double narrow = test::resident(build())[MemoryKind::parameters];
    spec_.stack.bf16_last_layers = 3;
    EXPECT_EQ(test::resident(build())[MemoryKind::parameters], narrow) << "2 bytes in place of both orders";
    spec_.stack.keep_weight_casts = false;
    const double mixed = test::resident(build())[MemoryKind::parameters];
    spec_.stack.bf16_last_layers = 0;
    EXPECT_EQ(mixed - test::resident(build())[MemoryKind::parameters], 3 * model.layer_matrices());
}

/// If all layers are in 16 bits, nothing differs from a stack of 16 bits.
TEST_F(WideLayers, AllOfThemAreAStackOfSixteenBits) {
    spec_.stack.keep_activation_casts = true;
    spec_.stack.keep_weight_casts = true;
    spec_.stack.fp8_attention = true;
    spec_.stack.bf16_last_layers = 8;
    const graph::Totals wide = graph::totals(build());
    auto kept = test::resident(build());
    const auto pass = test::memory_of(build(), build().programs.front().chunks.front().forward);
    spec_.stack.precision = Precision::bf16;
    const graph::Totals plain = graph::totals(build());
    EXPECT_EQ(wide.executed_flop, plain.executed_flop);
    EXPECT_EQ(wide.memory_traffic, plain.memory_traffic);
    EXPECT_EQ(wide.kernels, plain.kernels);
    for (const auto& [kind, bytes] : test::resident(build())) EXPECT_EQ(kept[kind], bytes);
    const auto plain_pass = test::memory_of(build(), build().programs.front().chunks.front().forward);
    EXPECT_EQ(pass.net(), plain_pass.net());
    EXPECT_EQ(pass.peak(), plain_pass.peak());
}

}  // namespace
}  // namespace dse
