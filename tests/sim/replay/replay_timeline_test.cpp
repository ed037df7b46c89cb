// Also tests: chrome_events.cpp

#include "dse/sim/replay/replay_timeline.hpp"

#include <map>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/sim/replay/machine_replay.hpp"
#include "sim/replay/small_machine.hpp"
#include "support/hand_trace.hpp"

namespace dse::sim::replay {
namespace {

using nlohmann::json;
using test::HandTrace;
using testing::ElementsAre;
using testing::UnorderedElementsAre;
using trace::chakra::CommType;

/// In microseconds: times are cut to whole nanoseconds.
constexpr double two_ns = 2e-3;

/// Plays traces made by hand, in which a byte takes a nanosecond, and draws them.
class ReplayTimelineTest : public testing::Test {
  protected:
    json draw(std::vector<HandTrace>& hands) {
        std::vector<trace::chakra::RankTrace> traces;
        for (HandTrace& hand : hands) traces.push_back(hand.build());
        const trace::chakra::Groups groups{std::ssize(hands)};
        const hardware::ClusterSpec cluster = small_cluster();
        NodeTimes times{cluster, network_, std::ssize(hands), KernelTimes::recorded_first};
        ReplayedJob job{"", traces, {}};
        const auto observe = [&job](const NodeSpan& span) { job.spans.push_back(span); };
        replay_on_machine({traces, &groups}, times, Dependencies::all, observe);
        return json::parse(to_chrome_trace({&job, 1})).at("traceEvents");
    }
    static std::vector<json> kind(const json& events, const std::string& phase) {
        std::vector<json> chosen;
        for (const json& event : events) {
            if (event.at("ph") == phase) chosen.push_back(event);
        }
        return chosen;
    }
    static json event(const json& events, std::size_t process, const std::string& name) {
        for (const json& each : kind(events, "X")) {
            if (each.at("name") == name && each.at("pid") == process) return each;
        }
        return {};
    }
    /// Names of threads, by their number.
    static std::map<std::size_t, std::string> threads(const json& events) {
        std::map<std::size_t, std::string> names;
        for (const json& each : kind(events, "M")) {
            if (each.at("name") == "thread_name") names[each.at("tid")] = each.at("args").at("name");
        }
        return names;
    }

    PlainNetwork network_;
};

TEST_F(ReplayTimelineTest, ACollectiveSaysHowLongItWaited) {
    std::vector<HandTrace> hands(2);
    hands[0].recorded(0, 10).collective(1, CommType::all_reduce, 5000, "", {0});
    hands[1].recorded(0, 30).collective(1, CommType::all_reduce, 5000, "", {0});
    const json events = draw(hands);
    // Rank 0 comes after 10 us and waits for 20; then both take 5.
    const json early = event(events, 1, "n1");
    EXPECT_NEAR(early.at("ts"), 10, two_ns);
    EXPECT_NEAR(early.at("dur"), 25, two_ns);
    EXPECT_NEAR(early.at("args").at("waits_us"), 20, two_ns);
    EXPECT_EQ(early.at("cat"), "collective");
    EXPECT_EQ(early.at("args").at("bytes"), 5000);
    const json late = event(events, 2, "n1");
    EXPECT_NEAR(late.at("ts"), 30, two_ns);
    EXPECT_FALSE(late.at("args").contains("waits_us"));
    std::vector<std::string> names;
    for (const auto& [number, name] : threads(events)) {
        EXPECT_GT(number, 2U) << "not that of a process";
        names.push_back(name);
    }
    EXPECT_THAT(names, UnorderedElementsAre("kernels", "all ranks", "kernels", "all ranks"));
}

TEST_F(ReplayTimelineTest, ArrowsLeadFromSendersToReceivers) {
    std::vector<HandTrace> hands(2);
    hands[0].recorded(0, 10).send(1, 1, 4000, 3, {0}).send(2, 1, 4000, 3, {1});
    hands[1].receive(0, 0, 4000, 3).receive(1, 0, 4000, 3, {0});
    const json events = draw(hands);
    EXPECT_NEAR(event(events, 2, "n0").at("args").at("waits_us"), 14, two_ns);
    const auto starts = kind(events, "s");
    const auto ends = kind(events, "f");
    ASSERT_EQ(starts.size(), 2U);
    ASSERT_EQ(ends.size(), 2U);
    for (std::size_t a = 0; a < 2; ++a) {
        EXPECT_EQ(starts[a].at("id"), ends[a].at("id"));
        EXPECT_EQ(starts[a].at("pid"), 1);
        EXPECT_EQ(ends[a].at("pid"), 2);
    }
    // The second message leaves at 14 us, when the first has arrived and its receiver awaits the second.
    EXPECT_NEAR(ends[1].at("ts"), 14, two_ns);
}

TEST_F(ReplayTimelineTest, NodesThatOverlapHaveLinesOfTheirOwn) {
    std::vector<HandTrace> hands(2);
    hands[0].recorded(0, 10).send(1, 1, 4000, 3, {0}).send(2, 1, 4000, 4, {0});
    hands[1].receive(0, 0, 4000, 3).receive(1, 0, 4000, 4).metadata(2);
    const json events = draw(hands);
    EXPECT_NE(event(events, 2, "n0").at("tid"), event(events, 2, "n1").at("tid"));
    EXPECT_TRUE(event(events, 2, "n2").is_null()) << "it takes no time";
}

TEST_F(ReplayTimelineTest, StreamsAndJobsAreNamed) {
    std::vector<HandTrace> hands(1);
    hands[0].recorded(0, 4, {}, true).stream(7).recorded(1, 5, {0});
    std::vector<std::string> names;
    for (const auto& [number, name] : threads(draw(hands))) names.push_back(name);
    EXPECT_THAT(names, ElementsAre("host 0", "stream 7"));

    HandTrace kernel;
    kernel.recorded(0, 1);
    const trace::chakra::RankTrace trace = kernel.build();
    const NodeSpan span{0, trace::chakra::NodeIndex{0}, Seconds{0}, Seconds{0}, Seconds{1e-6}};
    const std::vector<ReplayedJob> jobs{{"a", {&trace, 1}, {span}}, {"b", {&trace, 1}, {span}}};
    std::vector<std::string> processes;
    for (const json& each : kind(json::parse(to_chrome_trace(jobs)).at("traceEvents"), "M")) {
        if (each.at("name") == "process_name") processes.push_back(each.at("args").at("name"));
    }
    EXPECT_THAT(processes, ElementsAre("a rank 0", "b rank 0"));
}

}  // namespace
}  // namespace dse::sim::replay
