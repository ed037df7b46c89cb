#include "dse/sim/list_play.hpp"

#include <algorithm>

#include <gtest/gtest.h>

#include "dse/sim/engine.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim {
namespace {

std::vector<std::uint32_t> all_stages(const graph::Graph& graph) {
    std::vector<std::uint32_t> stages;
    for (std::uint32_t i = 0; i < graph.schedule.stages; ++i) stages.push_back(i);
    return stages;
}

/// The last stream of the last stage, node by node, is bitwise what the operators say.
TEST(ListPlay, EndsWhenTheOperatorsSay) {
    const auto engine = engines().find("folded")();
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {5, 3, 20, 8, 7, 1}}.make();
        const Result result = engine->play(made.graph, made.durations);
        double last = 0;
        for (const Timeline& timeline : list_play(made.graph, made.durations, all_stages(made.graph))) {
            last = std::max(last, timeline.end);
        }
        EXPECT_EQ(last + made.durations.barrier, result.iteration_time) << "seed " << seed;
    }
}

TEST(ListPlay, NeverPlacesTwoSpansOfAStreamOverEachOther) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {4, 3, 10, 8, 7, 1}}.make();
        for (const Timeline& timeline : list_play(made.graph, made.durations, all_stages(made.graph))) {
            std::vector<double> free(timeline.streams.size(), 0.0);
            for (const Span& span : timeline.spans) {
                // Receivers have no queue where senders have one for all.
                if (made.graph.message_stream && is_received(span, made.graph)) continue;
                EXPECT_GE(span.start, free[span.stream]) << "seed " << seed;
                EXPECT_GE(span.end, span.start);
                free[span.stream] = span.end;
            }
            EXPECT_LE(*std::max_element(free.begin(), free.end()), timeline.end);
        }
    }
}

/// 2 passes × 4 microbatches × (3 layers × 26 nodes + 1), update, finish, and 4 messages each way of a middle
/// stage.
TEST(ListPlay, ShowsEveryNodeAndMessage) {
    const test::LayerGraph made{{3, 4, 3}};
    const std::vector<Timeline> timelines = list_play(made.graph, made.durations, {1});
    ASSERT_EQ(timelines.size(), 1U);
    EXPECT_EQ(timelines[0].stage, 1U);
    EXPECT_EQ(timelines[0].streams, (std::vector<std::string>{"compute", "tp", "dp", "send", "receive"}));
    const auto messages = std::count_if(timelines[0].spans.begin(), timelines[0].spans.end(),
                                        [](const Span& span) { return span.phase == Span::Phase::transfer; });
    EXPECT_EQ(messages, 16);
    EXPECT_EQ(timelines[0].spans.size() - 16, 2U * 4U * (3U * 26U + 1U) + 2U);
}

}  // namespace
}  // namespace dse::sim
