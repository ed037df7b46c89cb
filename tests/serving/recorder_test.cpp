// Also tests: class_meter.cpp, request_latencies.cpp
#include "dse/serving/recorder.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

constexpr std::size_t p99 = 4;

Ticks at(double seconds) {
    return to_ticks(seconds);
}

/// Request a: first token after 1 s, then 4 more in 2 s; b: after 3 s, none more.
TEST(Recorder, HoldsRequestsAgainstLevels) {
    graph::ServiceLevels levels;
    levels.most[ttft][p99] = Seconds{2.0};
    levels.most[tpot][p99] = Seconds{0.5};
    Recorder recorder{levels, 2};
    recorder.answered({{at(10), 100, 5}, at(11), at(13), 0});
    recorder.answered({{at(10), 200, 1}, at(13), at(13), 0});
    recorder.ended(at(20));
    const Outcome outcome = recorder.outcome(1);
    EXPECT_EQ(outcome.answered, 2);
    EXPECT_EQ(outcome.good, 1);
    EXPECT_EQ(outcome.prompt_tokens, 300);
    EXPECT_EQ(outcome.output_tokens, 6);
    EXPECT_SOFT_EQ(outcome.duration, 20.0);
    EXPECT_SOFT_EQ(outcome.latency[ttft][0], 2.0);
    EXPECT_SOFT_EQ(outcome.latency[tpot][0], 0.5) << "of the one that has more than a token";
    // 2.98 s is the 99th percentile of 1 and 3.
    EXPECT_SOFT_EQ(outcome.worst_level, 1.49);
}

/// Answers arrive in another order than requests.
TEST(Recorder, KeepsRequestsByArrival) {
    Recorder recorder{{}, 2};
    const AnsweredRequest late{{at(2), 100, 5}, at(3), at(4), 1};
    const AnsweredRequest early{{at(1), 200, 9}, at(4), at(6), 0};
    recorder.keep_course();
    for (const AnsweredRequest& one : {late, early}) recorder.answered(one);
    recorder.ended(at(6));
    EXPECT_EQ(recorder.outcome(2).requests, (std::vector<AnsweredRequest>{early, late}));
    Recorder other{{}, 1};
    other.answered(late);
    EXPECT_TRUE(other.outcome(1).requests.empty()) << "nobody asked";
}

TEST(Recorder, MeansAreOverTime) {
    Recorder recorder{{}, 0};
    recorder.arrived(at(2));
    recorder.spent(at(1), at(4), {1, 2, 2, 10.0, 0.25, 0.5, 3});
    recorder.spent(at(5), at(4), {0, 1, 0, 0.0, 0.75, 0.75, 1});
    recorder.ended(at(16));
    const Outcome outcome = recorder.outcome(2);
    EXPECT_SOFT_EQ(outcome.waiting, (2.0 + 4.0) / 16.0);
    EXPECT_SOFT_EQ(outcome.running, 12.0 / 16.0);
    EXPECT_SOFT_EQ(outcome.cache_use, (1.0 + 3.0) / 16.0 / 2.0);
    EXPECT_EQ(outcome.most_cache_use, 0.75);
    EXPECT_EQ(outcome.most_waiting, 1);
    EXPECT_EQ(outcome.steps, 4);
    EXPECT_SOFT_EQ(outcome.decoding, 2.0) << "while somebody decodes";
    EXPECT_SOFT_EQ(outcome.context, 10.0);
    EXPECT_TRUE(std::isnan(outcome.worst_level)) << "nothing is promised";
}

/// First tokens after 1 s (chat) and 3 s (batch): within 2 s of all requests is only the first, which misses
/// the 0.5 s of its class; the second would be within the 10 s of its own.
TEST(Recorder, JudgesClassesByTheirLevels) {
    graph::RequestClass chat;
    chat.name = "chat";
    chat.levels.most[ttft][p99] = Seconds{0.5};
    graph::RequestClass batch;
    batch.name = "batch";
    batch.levels.most[ttft][p99] = Seconds{10.0};
    graph::RequestClass absent = chat;
    absent.name = "absent";
    const std::vector<graph::RequestClass> classes{chat, batch, absent};
    const auto outcome_with = [&](const graph::ServiceLevels& levels) {
        Recorder recorder{levels, 2};
        recorder.set_classes(classes);
        recorder.answered({{at(10), 100, 5, 0}, at(11), at(13), 0});
        recorder.answered({{at(10), 200, 1, 1}, at(13), at(13), 0});
        recorder.ended(at(20));
        return recorder.outcome(1);
    };
    const Outcome outcome = outcome_with({});
    EXPECT_EQ(outcome.good, 1) << "batch";
    EXPECT_SOFT_EQ(outcome.worst_level, 2.0) << "1 s of 0.5 s";
    ASSERT_EQ(outcome.classes.size(), 3U);
    EXPECT_EQ(outcome.classes[0].good, 0);
    EXPECT_EQ(outcome.classes[1].good, 1);
    EXPECT_SOFT_EQ(outcome.classes[0].latency[tpot][0], 0.5);
    EXPECT_TRUE(std::isnan(outcome.classes[1].latency[tpot][0])) << "its request has one token";
    EXPECT_SOFT_EQ(outcome.classes[1].worst_level, 0.3);
    EXPECT_EQ(outcome.classes[2].answered, 0);

    graph::ServiceLevels levels;
    levels.most[ttft][p99] = Seconds{2.0};
    EXPECT_EQ(outcome_with(levels).good, 0);
    levels.most[ttft][p99] = Seconds{1.0};
    EXPECT_SOFT_EQ(outcome_with(levels).worst_level, 2.98) << "the 99th percentile of 1 and 3";
}

/// Sent at 4 s, lost by its replica, and at another from 10 s on: 7 s to the first token.
TEST(Recorder, LatenciesCountFromWhenTheClientSent) {
    Recorder recorder{{}, 1};
    recorder.keep_course();
    recorder.answered({{at(10), 100, 1, 0, 1, 0, 0, at(6)}, at(11), at(11), 0});
    recorder.ended(at(20));
    const Outcome outcome = recorder.outcome(1);
    EXPECT_SOFT_EQ(outcome.latency[ttft][0], 7.0);
    EXPECT_EQ(outcome.requests.front().request.arrival, at(4));
}

}  // namespace
}  // namespace dse::serving
