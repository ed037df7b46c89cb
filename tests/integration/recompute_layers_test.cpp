// Recomputation of some layers (Megatron-LM's block method) and of some tensors: activations and work that
// remain.
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/graph/totals.hpp"
#include "stage_memory.hpp"

namespace dse {
namespace {

using graph::Recompute;
using graph::WorkloadSpec;

const test::ModelSizes& model = test::small_llama;
constexpr double tokens = 32;

class RecomputeLayers : public testing::Test {
  protected:
    RecomputeLayers() {
        spec_.model = model.name;
        spec_.global_batch = 4;
        spec_.sequence = static_cast<std::int64_t>(tokens);
        spec_.stack.zero = 0;
    }
    const graph::Graph& build() {
        const auto& graph =
            frontend_.build(spec_, graph::resolve(spec_.layout, spec_.layout.pp, spec_.global_batch));
        graph::validate(graph);
        return graph;
    }
    /// What a microbatch's forward pass through one chunk leaves, a token; the head's (4V + 4h) taken off.
    double kept(const graph::Graph& graph, std::size_t stage = 0, std::size_t chunk = 0) {
        const auto& program = graph.programs[graph.program_of[stage]];
        const bool head = stage + 1 == graph.program_of.size() && chunk + 1 == program.chunks.size();
        const double all = test::memory_of(graph, program.chunks[chunk].forward, stage).net();
        return all / tokens - (head ? 4 * model.vocab + 4 * model.h : 0);
    }

    test::SmallModels models_;
    frontend::TemplateFrontend frontend_{models_.frontend()};
    WorkloadSpec spec_;
};

/// Of 8 layers, n keep their input (2h a token) and 8 - n everything.
TEST_F(RecomputeLayers, FirstLayersOfAChunkKeepTheirInputOnly) {
    spec_.stack.recompute = Recompute::full;
    for (const std::int64_t layers : {1, 3, 7, 8, 100}) {
        spec_.stack.recompute_layers = layers;
        const double full = static_cast<double>(std::min<std::int64_t>(layers, 8));
        EXPECT_EQ(kept(build()), full * 2 * model.h + (8 - full) * test::kept_by_layer(model)) << layers;
    }
    spec_.stack.recompute_layers = 0;
    EXPECT_EQ(kept(build()), 8 * 2 * model.h) << "0: all of them";
}

/// Megatron-LM counts in each model chunk: 2 stages x 2 chunks of 2 layers, one of which is recomputed.
TEST_F(RecomputeLayers, CountInEachModelChunk) {
    spec_.stack.recompute = Recompute::full;
    spec_.stack.recompute_layers = 1;
    spec_.layout.pp = 2;
    spec_.layout.virtual_stages = 2;
    spec_.layout.schedule = graph::ScheduleKind::interleaved;
    const graph::Graph& graph = build();
    for (const std::size_t stage : {0U, 1U}) {
        for (const std::size_t chunk : {0U, 1U})
            EXPECT_EQ(kept(graph, stage, chunk), 2 * model.h + test::kept_by_layer(model)) << stage << chunk;
    }
}

/// The forward pass of a recomputed layer runs once more; the model asks for no more work than before.
TEST_F(RecomputeLayers, RepeatTheWorkOfTheseLayersOnly) {
    const auto totals = [&](Recompute recompute, std::int64_t layers) {
        spec_.stack.recompute = recompute;
        spec_.stack.recompute_layers = layers;
        return graph::totals(build());
    };
    const graph::Totals none = totals(Recompute::none, 0);
    const graph::Totals all = totals(Recompute::full, 0);
    const graph::Totals two = totals(Recompute::full, 2);
    EXPECT_EQ(two.model_flop, none.model_flop);
    EXPECT_DOUBLE_EQ((two.executed_flop - none.executed_flop).value(),
                     (all.executed_flop - none.executed_flop).value() * 2 / 8);
}

TEST_F(RecomputeLayers, SelectiveForSomeLayers) {
    spec_.stack.recompute = Recompute::selective;
    spec_.stack.recompute_layers = 5;
    // The template drops both norms' outputs (4h) and the product (2f).
    EXPECT_EQ(kept(build()), 8 * test::kept_by_layer(model) - 5 * (4 * model.h + 2 * model.f));
}

/// Names of the point go before the template's own list.
TEST_F(RecomputeLayers, ATensorAtATime) {
    spec_.stack.recompute = Recompute::selective;
    const double all = 8 * test::kept_by_layer(model);
    spec_.recompute_tensors = "act";
    EXPECT_EQ(kept(build()), all - 8 * 2 * model.f);
    spec_.recompute_tensors = "a1  a2";
    EXPECT_EQ(kept(build()), all - 8 * 4 * model.h);
    spec_.recompute_tensors = "core";
    EXPECT_EQ(kept(build()), all - 8 * (2 * model.d + 4) * model.n)
        << "the kernel that is run again makes its statistics, too";
    spec_.recompute_tensors = "";
    EXPECT_EQ(kept(build()), all - 8 * (4 * model.h + 2 * model.f));
    spec_.recompute_tensors = "acts";
    try {
        build();
        FAIL() << "no such tensor";
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string{error.what()},
                  "recompute_tensors: no tensor is called 'acts' (did you mean 'act'?)");
    }
}

}  // namespace
}  // namespace dse
