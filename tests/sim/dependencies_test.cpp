#include "dse/sim/dependencies.hpp"

#include <numeric>

#include <gtest/gtest.h>

#include "dse/sim/list_play.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim {
namespace {

std::vector<Timeline> all_timelines(const graph::Graph& graph, const Durations& durations) {
    std::vector<std::uint32_t> stages(graph.schedule.stages);
    std::iota(stages.begin(), stages.end(), 0U);
    return list_play(graph, durations, stages);
}

/// Whether what a span waited for was there then: its value, its stream, or the compute stream that it held;
/// of a message that comes in, that it was sent.
bool arrives_at(const Span& span, const Durations& durations, double time) {
    const bool is_message = span.phase == Span::Phase::transfer;
    if (is_message && time == span.start) return true;
    const double visible = is_message ? span.end : span.start + durations.of_work[span.work.index()].visible;
    return time == span.end || time == visible || time == span.hold_end;
}

TEST(Dependencies, EverySpanStartsWhenTheOneItWaitedForArrives) {
    for (std::uint64_t seed = 1; seed <= 200; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {5, 3, 12, 8, 7, 1}}.make();
        const std::vector<Timeline> timelines = all_timelines(made.graph, made.durations);
        const Dependencies dependencies{made.graph, made.durations, timelines};
        for (std::uint32_t t = 0; t < timelines.size(); ++t) {
            for (std::uint32_t s = 0; s < timelines[t].spans.size(); ++s) {
                const double start = timelines[t].spans[s].start;
                const SpanRef last = dependencies.last_of({t, s});
                if (last.is_none()) {
                    EXPECT_EQ(start, 0.0) << "seed " << seed << " stage " << t << " span " << s;
                } else {
                    EXPECT_TRUE(arrives_at(dependencies.at(last), made.durations, start))
                        << "seed " << seed << " stage " << t << " span " << s;
                }
            }
        }
    }
}

/// Occupation and waits of a compute stream leave no time out and never overlap.
TEST(Dependencies, TheComputeStreamIsTiledByWhatOccupiesIt) {
    for (std::uint64_t seed = 1; seed <= 100; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {4, 3, 10, 8, 7, 1}}.make();
        const std::vector<Timeline> timelines = all_timelines(made.graph, made.durations);
        const Dependencies dependencies{made.graph, made.durations, timelines};
        for (std::uint32_t t = 0; t < timelines.size(); ++t) {
            double free = 0;
            for (const Dependencies::Occupant& occupant : dependencies.compute_stream(t)) {
                EXPECT_EQ(occupant.free, free) << "seed " << seed;
                EXPECT_GE(occupant.until, free);
                free = occupant.until;
            }
            EXPECT_EQ(free, timelines[t].end);
            EXPECT_TRUE(dependencies.compute_stream(t).back().who.is_none());
        }
    }
}

TEST(Dependencies, AreReadAgainWithNothingOfTheTimeBefore) {
    Dependencies again;
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {4, 3, 10, 8, 7, 1}}.make();
        const std::vector<Timeline> timelines = all_timelines(made.graph, made.durations);
        const Dependencies fresh{made.graph, made.durations, timelines};
        again.read(made.graph, made.durations, timelines, Dependencies::Occupants::left_out);
        for (std::uint32_t t = 0; t < timelines.size(); ++t) {
            EXPECT_EQ(again.end_of(t), fresh.end_of(t)) << "seed " << seed;
            EXPECT_TRUE(again.compute_stream(t).empty());
            for (std::uint32_t s = 0; s < timelines[t].spans.size(); ++s)
                ASSERT_EQ(again.last_of({t, s}), fresh.last_of({t, s})) << "seed " << seed;
        }
    }
}

/// Stage 1's first forward task takes the message of stage 0, which was sent when that stage's had its value.
TEST(Dependencies, AMessageLeadsToItsSender) {
    const test::LayerGraph made{{2, 2, 1}};
    const std::vector<Timeline> timelines = all_timelines(made.graph, made.durations);
    const Dependencies dependencies{made.graph, made.durations, timelines};
    const std::vector<Span>& spans = timelines[1].spans;
    const auto received = std::find_if(spans.begin(), spans.end(),
                                       [](const Span& s) { return s.phase == Span::Phase::transfer; });
    ASSERT_NE(received, spans.end());
    const SpanRef sent = dependencies.last_of({1, static_cast<std::uint32_t>(received - spans.begin())});
    EXPECT_EQ(sent.timeline, 0U);
    EXPECT_EQ(dependencies.at(sent).start, received->start);
    EXPECT_EQ(dependencies.at(sent).end, received->end);
    const SpanRef maker = dependencies.last_of(sent);
    EXPECT_EQ(maker.timeline, 0U);
    EXPECT_EQ(dependencies.at(maker).phase, Span::Phase::task);
}

}  // namespace
}  // namespace dse::sim
