#include "dse/sim/timeline.hpp"

#include <gtest/gtest.h>

namespace dse::sim {
namespace {

TEST(ToSeconds, TurnsAllTimesOfATimeline) {
    Timeline timeline;
    timeline.end = 8.0;
    timeline.spans.push_back({0, 2.0, 4.0, 3.0, graph::WorkId{0}, {}, {}, Span::Phase::task});
    std::vector<Timeline> timelines{timeline};
    to_seconds(timelines, 0.5);
    EXPECT_EQ(timelines[0].end, 4.0);
    EXPECT_EQ(timelines[0].spans[0].start, 1.0);
    EXPECT_EQ(timelines[0].spans[0].end, 2.0);
    EXPECT_EQ(timelines[0].spans[0].hold_end, 1.5);
}

TEST(Describe, SaysWhatAWorkIs) {
    graph::Compute attention;
    attention.op_class = graph::OpClass::attention;
    EXPECT_EQ(describe(attention), "attention");
    graph::Collective gather;
    gather.kind = graph::CollectiveKind::all_gather;
    gather.axes = graph::AxisSet{graph::MeshAxis::context} | graph::MeshAxis::data;
    EXPECT_EQ(describe(gather), "all_gather cp+dp");
    EXPECT_EQ(describe(graph::Transfer{}), "message");
    EXPECT_EQ(describe(graph::Launch{}), "launch");
    EXPECT_EQ(describe(graph::Copy{}), "copy_to_host");
    EXPECT_EQ(describe(graph::HostUpdate{}), "host update");
}

}  // namespace
}  // namespace dse::sim
