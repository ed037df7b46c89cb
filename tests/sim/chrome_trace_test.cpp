// Also tests: track.cpp
#include "dse/sim/chrome_trace.hpp"

#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/sim/fold/folded_engine.hpp"
#include "support/layer_graph.hpp"
#include "support/random_graph.hpp"

namespace dse::sim {
namespace {

using nlohmann::json;

graph::Graph one_kernel() {
    graph::Graph graph;
    graph::Compute attention;
    attention.op_class = graph::OpClass::attention;
    graph::Collective gather;
    gather.kind = graph::CollectiveKind::all_gather;
    gather.axes = graph::AxisSet{graph::MeshAxis::context} | graph::MeshAxis::data;
    gather.size = Bytes{64};
    graph.works = {attention, gather, graph::Transfer{}};
    graph.streams = {"compute", "dp"};
    graph.names = {"", "core"};
    graph.regions.resize(1);
    graph.regions[0].name = "layer \"7\"";
    return graph;
}

/// Events of a kind ("X", "M", …).
std::vector<json> events_of(const json& trace, const std::string& phase) {
    std::vector<json> events;
    for (const json& event : trace.at("traceEvents")) {
        if (event.at("ph") == phase) events.push_back(event);
    }
    return events;
}

TEST(ChromeTrace, HoldsCompleteEventsInMicroseconds) {
    Timeline timeline{3, {"compute", "dp", "send"}, {}, 1e-3};
    timeline.spans.push_back({0,
                              1e-3,
                              3e-3,
                              1e-3,
                              graph::WorkId{0},
                              graph::RegionId{0},
                              {graph::Pass::backward, 1, 5},
                              Span::Phase::task,
                              graph::NameId{1}});
    timeline.spans.push_back(
        {1, 0, 2e-6, 1e-6, graph::WorkId{1}, graph::RegionId{0}, {}, Span::Phase::update});
    timeline.spans.push_back({2, 0, 2e-6, 0, graph::WorkId{2}, {}, {}, Span::Phase::transfer});
    const std::vector<Timeline> timelines{timeline};
    const json trace = json::parse(to_chrome_trace(timelines, one_kernel()));

    std::map<int, std::string> threads;
    for (const json& event : events_of(trace, "M")) {
        if (event.at("name") == "process_name") {
            EXPECT_EQ(event.at("args").at("name"), "stage 3");
        }
        if (event.at("name") == "thread_name")
            threads[event.at("tid").get<int>()] = event.at("args").at("name").get<std::string>();
    }
    EXPECT_EQ(threads,
              (std::map<int, std::string>{{400, "tasks"}, {401, "compute"}, {402, "dp"}, {403, "send"}}));

    const std::vector<json> spans = events_of(trace, "X");
    ASSERT_EQ(spans.size(), 4U);
    EXPECT_EQ(spans[0].at("name"), "core");
    EXPECT_EQ(spans[0].at("cat"), "compute");
    EXPECT_EQ(spans[0].at("pid"), 3);
    EXPECT_NEAR(spans[0].at("ts").get<double>(), 1000.0, 1e-5);
    EXPECT_NEAR(spans[0].at("dur").get<double>(), 2000.0, 1e-5);
    EXPECT_EQ(spans[0].at("args").at("task"), "backward 5.1");
    EXPECT_EQ(spans[0].at("args").at("is"), "attention");
    EXPECT_EQ(spans[0].at("args").at("region"), "layer \"7\"");
    EXPECT_FALSE(spans[0].at("args").contains("holds_compute_us"));
    EXPECT_EQ(spans[1].at("name"), "all_gather cp+dp");
    EXPECT_EQ(spans[1].at("args").at("bytes"), 64.0);
    EXPECT_EQ(spans[1].at("args").at("task"), "update");
    EXPECT_NEAR(spans[1].at("args").at("holds_compute_us").get<double>(), 1.0, 1e-5);
    EXPECT_EQ(spans[2].at("name"), "forward 0.0");
    EXPECT_EQ(spans[2].at("cat"), "message");
    // The task that the kernel belongs to, on a thread of its own.
    EXPECT_EQ(spans[3].at("name"), "backward 5.1");
    EXPECT_EQ(spans[3].at("tid"), 400);
}

// Of two tasks that are played together no node says whose it is; their messages do.
TEST(ChromeTrace, NamesPairs) {
    Timeline timeline{0, {"compute", "dp", "send"}, {}, 1};
    const graph::Task task{graph::Pass::forward, 1, 5, graph::Form::overlapped};
    timeline.spans.push_back({0, 0, 1, 0, graph::WorkId{0}, graph::RegionId{0}, task, Span::Phase::task});
    timeline.spans.push_back({2, 1, 2, 0, graph::WorkId{2}, {}, task, Span::Phase::transfer});
    const std::vector<Timeline> timelines{timeline};
    const std::vector<json> spans = events_of(json::parse(to_chrome_trace(timelines, one_kernel())), "X");
    EXPECT_EQ(spans[0].at("args").at("task"), "overlapped 5.1");
    EXPECT_EQ(spans[1].at("args").at("task"), "forward 5.1");
}

// It is a box on the compute stream, and moves no bytes of its own.
TEST(ChromeTrace, ShowsTimeThatKernelsLose) {
    Timeline timeline{0, {"compute", "dp", "send"}, {}, 3};
    const graph::Task task{graph::Pass::forward, 0, 0};
    timeline.spans.push_back({1, 1, 3, 1, graph::WorkId{1}, graph::RegionId{0}, task, Span::Phase::task});
    timeline.spans.push_back(
        {0, 1, 2, 1, graph::WorkId{1}, graph::RegionId{0}, task, Span::Phase::task, {}, true});
    const std::vector<Timeline> timelines{timeline};
    const std::vector<json> spans = events_of(json::parse(to_chrome_trace(timelines, one_kernel())), "X");
    EXPECT_EQ(spans[0].at("name"), "all_gather cp+dp");
    EXPECT_EQ(spans[1].at("name"), "lost to all_gather cp+dp");
    EXPECT_EQ(spans[1].at("tid"), 101);
    for (const Track::Sample& sample : bytes_in_flight(timeline, one_kernel()).samples)
        EXPECT_LE(sample.value, 64.0);
}

/// An iteration that was played, with all that a trace shows of it.
struct Traced {
    explicit Traced(const graph::Graph& graph, const Durations& durations) {
        std::vector<std::uint32_t> stages(graph.schedule.stages);
        std::iota(stages.begin(), stages.end(), 0U);
        result = engine.play(graph, durations, stages, timelines);
        const Dependencies dependencies{graph, durations, timelines};
        marks.path = critical_path(dependencies, result.last_stage, timelines[result.last_stage].end);
        marks.arrows = arrows_of(dependencies, timelines, marks.path);
        for (const Timeline& timeline : timelines) {
            marks.tracks.push_back(memory_level(timeline, graph));
            marks.tracks.push_back(bytes_in_flight(timeline, graph));
        }
    }
    fold::FoldedEngine engine;
    Result result;
    std::vector<Timeline> timelines;
    TraceMarks marks;
};

/// 2 stages, 4 microbatches: 4 activations go up and 4 gradients down, each with an arrow of two ends.
TEST(ChromeTrace, DrawsAnArrowForEveryMessage) {
    const test::LayerGraph made{{2, 4, 3}};
    const Traced traced{made.graph, made.durations};
    const json trace = json::parse(to_chrome_trace(traced.timelines, made.graph, traced.marks));
    std::map<std::string, int> begun;
    std::map<int, json> open;
    for (const json& event : events_of(trace, "s")) {
        ++begun[event.at("cat").get<std::string>()];
        open[event.at("id").get<int>()] = event;
    }
    EXPECT_EQ(begun["message_flow"], 8);
    EXPECT_GT(begun["critical_path"], 0);
    for (const json& event : events_of(trace, "f")) {
        ASSERT_TRUE(open.contains(event.at("id").get<int>()));
        const json& start = open[event.at("id").get<int>()];
        EXPECT_GE(event.at("ts").get<double>(), start.at("ts").get<double>());
        if (event.at("cat") == "message_flow") {
            EXPECT_NE(event.at("pid"), start.at("pid"));
        }
        open.erase(event.at("id").get<int>());
    }
    EXPECT_TRUE(open.empty());
    EXPECT_EQ(events_of(trace, "C").empty(), false);
}

/// Viewers count whole nanoseconds: on a stream no event may reach into the next one when both are cut to
/// them.
TEST(ChromeTrace, EventsOfAStreamDoNotOverlapInNanoseconds) {
    const test::TimedGraph made = test::RandomGraph{12, {3, 2, 6, 8, 4, 1}}.make();
    Traced traced{made.graph, made.durations};
    traced.marks.unit = 1.0 / 7000.0;  // nothing is a whole number of nanoseconds
    const json trace = json::parse(to_chrome_trace(traced.timelines, made.graph, traced.marks));
    std::map<std::pair<int, int>, std::int64_t> ends;
    for (const json& event : events_of(trace, "X")) {
        const auto nanoseconds = [&](const char* what) {
            const double written = event.at(what).get<double>() * 1e3;
            EXPECT_NEAR(written, std::round(written), 1e-2);
            EXPECT_EQ(std::floor(written), std::round(written));
            return std::llround(written);
        };
        std::int64_t& end = ends[{event.at("pid"), event.at("tid")}];
        EXPECT_GE(nanoseconds("ts"), end);
        end = nanoseconds("ts") + nanoseconds("dur");
    }
    EXPECT_GE(ends.size(), 2U) << "streams with events";
}

/// An arrow's ends lie inside events of their threads, where viewers look for them.
TEST(ChromeTrace, ArrowsBindToEvents) {
    const test::TimedGraph made = test::RandomGraph{11, {4, 2, 6, 8, 4, 1}}.make();
    const Traced traced{made.graph, made.durations};
    const json trace = json::parse(to_chrome_trace(traced.timelines, made.graph, traced.marks));
    using Place = std::pair<int, int>;
    std::map<Place, std::set<double>> starts;
    for (const json& event : events_of(trace, "X"))
        starts[{event.at("pid"), event.at("tid")}].insert(event.at("ts").get<double>());
    for (const char* phase : {"s", "f"}) {
        for (const json& event : events_of(trace, phase)) {
            const Place place{event.at("pid"), event.at("tid")};
            EXPECT_TRUE(starts[place].contains(event.at("ts").get<double>()) || phase[0] == 'f');
        }
    }
}

TEST(MemoryLevel, HasThePeakOfTheFullestStage) {
    for (std::uint64_t seed = 1; seed <= 60; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, {4, 3, 10, 8, 5, 1}}.make();
        Traced traced{made.graph, made.durations};
        const MemoryPeak peak = traced.engine.peak_memory(made.graph);
        const Track track = memory_level(traced.timelines[peak.stage], made.graph);
        double largest = 0;
        double time = 0;
        for (const Track::Sample& sample : track.samples) {
            EXPECT_GE(sample.time, time);
            time = sample.time;
            largest = std::max(largest, sample.value);
        }
        EXPECT_EQ(largest, peak.total) << "seed " << seed;
    }
}

TEST(BytesInFlight, BeginAndEndWithNothing) {
    Timeline timeline{0, {"compute", "dp", "send", "receive"}, {}, 9};
    const auto add = [&](std::uint32_t stream, double start, double end, std::size_t work,
                         Span::Phase phase) {
        timeline.spans.push_back({stream, start, end, start, graph::WorkId{work}, {}, {}, phase});
    };
    // 64 B from 1 to 4 and from 3 to 5; kernels and what comes in do not count.
    add(1, 1, 4, 1, Span::Phase::task);
    add(1, 3, 5, 1, Span::Phase::task);
    add(0, 0, 9, 0, Span::Phase::task);
    add(3, 0, 9, 2, Span::Phase::transfer);
    const Track track = bytes_in_flight(timeline, one_kernel());
    std::vector<std::pair<double, double>> samples;
    for (const Track::Sample& sample : track.samples) samples.emplace_back(sample.time, sample.value);
    EXPECT_EQ(samples, (std::vector<std::pair<double, double>>{{0, 0}, {1, 64}, {3, 128}, {4, 64}, {5, 0}}));
}

}  // namespace
}  // namespace dse::sim
