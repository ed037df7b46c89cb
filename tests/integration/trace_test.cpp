// What traces say, read back, against what they were made from: the whole order of a workload is in them, and
// all of its work.
#include <cmath>

#include <gtest/gtest.h>

#include "dse/graph/totals.hpp"
#include "dse/sim/event/event_engine.hpp"
#include "dse/trace/chakra/export.hpp"
#include "small_models.hpp"
#include "support/random_graph.hpp"
#include "support/temporary_folder.hpp"
#include "support/trace_world.hpp"

namespace dse {
namespace {

using graph::Graph;
using graph::ScheduleKind;
using test::TraceWorld;
using trace::chakra::Compression;

TraceWorld export_and_read(const Graph& graph, std::span<const double> seconds,
                           Compression compression = Compression::none) {
    const test::TemporaryFolder folder;
    const trace::chakra::ExportOptions options{
        folder.path("t"), trace::chakra::every_rank(graph.mesh), compression, {}};
    const auto summary = trace::chakra::export_traces(graph, seconds, options);
    TraceWorld world{options.prefix, options.ranks.size()};
    EXPECT_EQ(summary.nodes, world.nodes);
    EXPECT_EQ(summary.files, options.ranks.size());
    EXPECT_EQ(summary.communicators, world.groups.size());
    return world;
}

constexpr std::int64_t message_micros = 7;

/// Whole microseconds for everything, and nothing that a trace cannot say: no value before its node ends, no
/// hold.
test::TimedGraph in_micros(test::TimedGraph made) {
    std::vector<double> seconds;
    for (std::size_t w = 0; w < made.durations.of_work.size(); ++w) {
        const double time = sim::quantise(1e-6 * static_cast<double>(w * 7 % 40));
        made.durations.of_work[w] = {time, time, 0};
    }
    for (auto* transfers : {&made.durations.forward, &made.durations.backward}) {
        for (sim::TransferTime& time : *transfers) time = {sim::quantise(1e-6 * message_micros), 0};
    }
    const std::size_t barrier = made.graph.barrier.index();
    made.durations.barrier = made.durations.of_work[barrier].duration;
    if (made.graph.mesh.ranks() == 1) made.durations.barrier = 0;
    return made;
}

// A player that knows nothing but the traces ends when the event engine ends: no order and no dependency is
// missing, and none is too many.
TEST(Trace, HoldsTheWholeOrder) {
    sim::event::EventEngine engine;
    for (std::uint64_t seed = 0; seed < 120; ++seed) {
        test::RandomShape shape;
        shape.microbatches = 6;
        const test::TimedGraph made = in_micros(test::RandomGraph{seed, shape}.make());
        std::vector<double> seconds;
        for (const sim::NodeTime& time : made.durations.of_work) seconds.push_back(time.duration);
        const TraceWorld world = export_and_read(made.graph, seconds);
        const double expected = engine.play(made.graph, made.durations).iteration_time;
        EXPECT_EQ(world.play(message_micros), std::llround(expected * 1e6)) << "seed " << seed;
        if (testing::Test::HasFailure()) return;
    }
}

struct Layout {
    std::string model;
    std::int64_t devices;
    void (*choose)(graph::ParallelLayout& layout, graph::SoftwareStack& stack);
};

class TraceOfModels : public testing::TestWithParam<Layout> {};

// FLOPs and bytes of the nodes are those of the graph; the rounding to whole numbers is half a unit a node at
// most.
TEST_P(TraceOfModels, HoldsAllWork) {
    const Layout& layout = GetParam();
    graph::WorkloadSpec spec;
    spec.model = layout.model;
    spec.global_batch = 32;
    spec.sequence = 64;
    layout.choose(spec.layout, spec.stack);
    const test::SmallModels models;
    frontend::TemplateFrontend frontend{models.frontend()};
    const auto resolved = graph::resolve(spec.layout, layout.devices, spec.global_batch);
    const Graph& graph = frontend.build(spec, resolved);

    const TraceWorld world = export_and_read(graph, {}, Compression::gzip);
    const graph::Totals totals = graph::totals(graph);
    EXPECT_GT(totals.executed_flop.value(), 0);
    const double rounding = 0.5 * static_cast<double>(world.nodes);
    EXPECT_NEAR(world.num_ops, totals.executed_flop.value(), rounding);
    EXPECT_NEAR(world.tensor_bytes, totals.memory_traffic.value(), rounding);
    EXPECT_GE(world.play(message_micros), 0) << "not everything ever starts";
}

using L = graph::ParallelLayout;
using S = graph::SoftwareStack;

INSTANTIATE_TEST_SUITE_P(Layouts, TraceOfModels,
                         testing::Values(Layout{"small_llama", 1, [](L&, S&) {}},
                                         Layout{"small_llama", 8, [](L& layout, S&) { layout.tp = 4; }},
                                         Layout{"small_llama", 16,
                                                [](L& layout, S& stack) {
                                                    layout.tp = 2;
                                                    layout.pp = 4;
                                                    stack.zero = 2;
                                                    stack.recompute = graph::Recompute::full;
                                                }},
                                         Layout{"small_llama", 8,
                                                [](L& layout, S& stack) {
                                                    layout.tp = layout.pp = layout.virtual_stages = 2;
                                                    layout.schedule = ScheduleKind::interleaved;
                                                    layout.sequence_parallel = false;
                                                    stack.zero = 3;
                                                }},
                                         // The ends of the pipeline share the embedding.
                                         Layout{"small_gpt", 16,
                                                [](L& layout, S& stack) {
                                                    layout.pp = 4;
                                                    layout.virtual_stages = 2;
                                                    layout.schedule = ScheduleKind::interleaved;
                                                    stack.recompute = graph::Recompute::selective;
                                                }},
                                         Layout{"small_gpt", 16,
                                                [](L& layout, S&) {
                                                    layout.tp = 2;
                                                    layout.pp = 8;
                                                    layout.schedule = ScheduleKind::gpipe;
                                                }},
                                         Layout{"small_llama", 16,
                                                [](L& layout, S& stack) {
                                                    layout.cp = 4;
                                                    layout.pp = 2;
                                                    stack.cp_attention = graph::ContextAttention::ring;
                                                }},
                                         Layout{"small_moe", 16, [](L& layout, S&) {
                                                    layout.tp = layout.pp = 2;
                                                    layout.ep = 4;
                                                }}));

}  // namespace
}  // namespace dse
