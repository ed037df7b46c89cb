#include "dse/serving/recorder.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::serving {
namespace {

constexpr std::size_t ttft = 0;
constexpr std::size_t tpot = 1;
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

}  // namespace
}  // namespace dse::serving
