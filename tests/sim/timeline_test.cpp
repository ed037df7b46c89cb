#include "dse/sim/timeline.hpp"

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

namespace dse::sim {
namespace {

workload::Graph one_kernel() {
    workload::Graph graph;
    workload::Compute attention;
    attention.op_class = workload::OpClass::attention;
    workload::Collective gather;
    gather.kind = workload::CollectiveKind::all_gather;
    gather.axes = workload::AxisSet{workload::MeshAxis::context} | workload::MeshAxis::data;
    graph.works = {attention, gather, workload::Transfer{}};
    graph.regions.resize(1);
    graph.regions[0].name = "layer \"7\"";
    return graph;
}

TEST(ChromeTrace, HoldsCompleteEventsInMicroseconds) {
    Timeline timeline{3, {"compute", "dp", "send"}, {}, 1e-3};
    timeline.spans.push_back({0,
                              1e-3,
                              3e-3,
                              1e-3,
                              workload::WorkId{0},
                              workload::RegionId{0},
                              {workload::Pass::backward, 1, 5},
                              Span::Phase::task});
    timeline.spans.push_back(
        {1, 0, 2e-6, 1e-6, workload::WorkId{1}, workload::RegionId{0}, {}, Span::Phase::update});
    timeline.spans.push_back({2, 0, 2e-6, 0, workload::WorkId{2}, {}, {}, Span::Phase::transfer});
    const auto trace = nlohmann::json::parse(to_chrome_trace({timeline}, one_kernel()));

    // One name for the process, one for each of three threads, then the spans.
    const auto& events = trace.at("traceEvents");
    ASSERT_EQ(events.size(), 7U);
    EXPECT_EQ(events[0].at("args").at("name"), "stage 3");
    EXPECT_EQ(events[2].at("args").at("name"), "dp");
    EXPECT_EQ(events[4].at("ph"), "X");
    EXPECT_EQ(events[4].at("name"), "attention");
    EXPECT_EQ(events[4].at("pid"), 3);
    EXPECT_DOUBLE_EQ(events[4].at("ts").get<double>(), 1000.0);
    EXPECT_DOUBLE_EQ(events[4].at("dur").get<double>(), 2000.0);
    EXPECT_EQ(events[4].at("args").at("task"), "backward 5.1");
    EXPECT_EQ(events[4].at("args").at("region"), "layer \"7\"");
    EXPECT_FALSE(events[4].at("args").contains("holds_compute_us"));
    EXPECT_EQ(events[5].at("name"), "all_gather cp+dp");
    EXPECT_EQ(events[5].at("args").at("task"), "update");
    EXPECT_DOUBLE_EQ(events[5].at("args").at("holds_compute_us").get<double>(), 1.0);
    EXPECT_EQ(events[6].at("name"), "message");
}

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

// Of two tasks that are played together no node says whose it is; their messages do.
TEST(ChromeTrace, NamesPairs) {
    Timeline timeline{0, {"compute", "send"}, {}, 1};
    const workload::Task task{workload::Pass::forward, 1, 5, workload::Form::overlapped};
    timeline.spans.push_back(
        {0, 0, 1, 0, workload::WorkId{0}, workload::RegionId{0}, task, Span::Phase::task});
    timeline.spans.push_back({1, 1, 2, 0, workload::WorkId{2}, {}, task, Span::Phase::transfer});
    const auto events = nlohmann::json::parse(to_chrome_trace({timeline}, one_kernel())).at("traceEvents");
    EXPECT_EQ(events[3].at("args").at("task"), "overlapped 5.1");
    EXPECT_EQ(events[4].at("args").at("task"), "forward 5.1");
}

}  // namespace
}  // namespace dse::sim
