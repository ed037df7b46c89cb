#include "dist/candidate_filter.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dist/wire.hpp"

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
    CandidateFilter filter{{metrics::parse_objectives("iteration_time, energy"), {}}};
    filter.look_at(timed(2, 2));
    filter.look_at(timed(3, 3));
    filter.look_at(timed(0, 0, space::Status::out_of_memory));
    filter.look_at(timed(1, 4));
    const auto message = filter.take();
    ASSERT_TRUE(message);
    EXPECT_EQ(message->kind, MessageKind::candidates);
    EXPECT_EQ(message->range.count, 2U);
    EXPECT_THAT(numbers_of(message->body), testing::ElementsAre(2.0, 2.0, 1.0, 4.0));
    EXPECT_FALSE(filter.take());
}

TEST(CandidateFilter, SendsAFewAtATime) {
    CandidateFilter filter{{metrics::parse_objectives("iteration_time, energy"), {}}};
    for (int i = 0; i < 500; ++i) filter.look_at(timed(i, -i));
    const std::vector<double> costs = numbers_of(filter.take()->body);
    EXPECT_EQ(costs.size(), 2 * 32U);
    EXPECT_EQ(costs.back(), -499.0) << "the latest";
}

TEST(CandidateFilter, SendsNothingWithoutObjectives) {
    CandidateFilter filter{{{}, {}}};
    filter.look_at(timed(1, 1));
    EXPECT_FALSE(filter.take());
}

}  // namespace
}  // namespace dse::dist
