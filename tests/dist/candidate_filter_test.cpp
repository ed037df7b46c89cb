#include "dist/candidate_filter.hpp"

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

space::Record timed(double time, double energy, space::Status status = space::Status::ok) {
    space::Record record;
    record.status = status;
    record.metrics.iteration_time = time;
    record.metrics.energy = energy;
    return record;
}

TEST(CandidateFilter, TellsOnceWhatEntersTheFront) {
    CandidateFilter filter{metrics::parse_objectives("iteration_time, energy")};
    filter.look_at(timed(2, 2));
    filter.look_at(timed(3, 3));
    filter.look_at(timed(0, 0, space::Status::out_of_memory));
    filter.look_at(timed(1, 4));
    const auto messages = filter.take();
    ASSERT_EQ(messages.size(), 2U);
    EXPECT_EQ(messages[1].kind, MessageKind::candidate);
    EXPECT_EQ(messages[1].range.count, 2U);
    EXPECT_EQ(messages[1].costs[0], 1.0);
    EXPECT_EQ(messages[1].costs[1], 4.0);
    EXPECT_TRUE(filter.take().empty());
}

TEST(CandidateFilter, SendsAFewAtATime) {
    CandidateFilter filter{metrics::parse_objectives("iteration_time, energy")};
    for (int i = 0; i < 500; ++i) filter.look_at(timed(i, -i));
    EXPECT_LE(filter.take().size(), 32U);
}

TEST(CandidateFilter, SendsNothingWithoutObjectives) {
    CandidateFilter filter{{}};
    filter.look_at(timed(1, 1));
    EXPECT_TRUE(filter.take().empty());
}

}  // namespace
}  // namespace dse::dist
