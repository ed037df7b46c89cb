#include "dse/sim/timeline.hpp"

#include <gtest/gtest.h>

namespace dse::sim {
namespace {

TEST(ToSeconds, TurnsAllTimesOfATimeline) {
    Timeline timeline;
    timeline.end = 8.0;
    timeline.spans.push_back({0, 2.0, 4.0, 3.0, workload::WorkId{0}, {}, {}, Span::Phase::task});
    std::vector<Timeline> timelines{timeline};
    to_seconds(timelines, 0.5);
    EXPECT_EQ(timelines[0].end, 4.0);
    EXPECT_EQ(timelines[0].spans[0].start, 1.0);
    EXPECT_EQ(timelines[0].spans[0].end, 2.0);
    EXPECT_EQ(timelines[0].spans[0].hold_end, 1.5);
}

TEST(Describe, SaysWhatAWorkIs) {
    workload::Compute attention;
    attention.op_class = workload::OpClass::attention;
    EXPECT_EQ(describe(attention), "attention");
    workload::Collective gather;
    gather.kind = workload::CollectiveKind::all_gather;
    gather.axes = workload::AxisSet{workload::MeshAxis::context} | workload::MeshAxis::data;
    EXPECT_EQ(describe(gather), "all_gather cp+dp");
    EXPECT_EQ(describe(workload::Transfer{}), "message");
    EXPECT_EQ(describe(workload::Launch{}), "launch");
    EXPECT_EQ(describe(workload::Copy{}), "copy_to_host");
    EXPECT_EQ(describe(workload::HostUpdate{}), "host update");
}

}  // namespace
}  // namespace dse::sim
