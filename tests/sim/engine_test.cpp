#include "dse/sim/engine.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/random_graph.hpp"

namespace dse::sim {
namespace {

void expect_equal(const Result& folded, const Result& event, std::uint64_t seed) {
    EXPECT_EQ(folded.iteration_time, event.iteration_time) << "seed " << seed;
    EXPECT_EQ(folded.limiting_stage, event.limiting_stage) << "seed " << seed;
    EXPECT_EQ(folded.parts, event.parts) << "seed " << seed;
    EXPECT_EQ(folded.parts.sum(), folded.iteration_time) << "seed " << seed;
    EXPECT_EQ(folded.memory, event.memory) << "seed " << seed;
}

void compare_engines(const test::RandomShape& shape, std::uint64_t first_seed, std::uint64_t cases) {
    const auto folded = engines().find("folded")();
    const auto event = engines().find("event")();
    int played = 0;
    for (std::uint64_t seed = first_seed; seed < first_seed + cases; ++seed) {
        const test::TimedGraph made = test::RandomGraph{seed, shape}.make();
        ASSERT_NO_THROW(workload::validate(made.graph)) << "seed " << seed;
        ASSERT_NO_THROW(validate(made.durations, made.graph)) << "seed " << seed;
        expect_equal(folded->play(made.graph, made.durations), event->play(made.graph, made.durations), seed);
        ++played;
        if (::testing::Test::HasFailure()) return;
    }
    EXPECT_EQ(played, cases);
}

TEST(Engines, AgreeOnSmallGraphs) {
    compare_engines({1, 1, 3, 5, 4, 1}, 1, 1000);
}

TEST(Engines, AgreeOnPipelines) {
    compare_engines({6, 3, 12, 10, 7, 1}, 10'000, 1500);
}

TEST(Engines, AgreeOnMeshes) {
    compare_engines({4, 2, 4, 6, 4, 2}, 20'000, 150);
}

TEST(Engines, AgreeOnLongSchedules) {
    compare_engines({4, 2, 48, 4, 12, 1}, 30'000, 300);
}

TEST(Engines, AreListed) {
    EXPECT_EQ(engines().names(), (std::vector<std::string>{"folded", "event"}));
    EXPECT_THROW(static_cast<void>(engines().find("fold")), InputError);
}

}  // namespace
}  // namespace dse::sim
