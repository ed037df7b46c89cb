#include "explore/judge.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

space::Record record_of(space::Status status, double time, double throughput) {
    space::Record record;
    record.point.values = {2.0};
    record.status = status;
    record.metrics.iteration_time = time;
    record.metrics.tokens_per_second = throughput;
    return record;
}

class JudgeTest : public testing::Test {
  protected:
    Judge judge_{space::parse_space("axes: {a: [1, 2]}\nwhere: iteration_time <= 4 * a"),
                 metrics::parse_objectives("iteration_time, tokens_per_second: maximize")};
};

TEST_F(JudgeTest, CostsAreToBeMinimised) {
    const Solution one = judge_.judge({1}, record_of(space::Status::ok, 3.0, 50.0));
    EXPECT_TRUE(one.is_feasible());
    EXPECT_EQ(one.costs, (std::vector<double>{3.0, -50.0}));
    EXPECT_EQ(one.genome, Genome{1});
}

TEST_F(JudgeTest, SaysHowFarAnAnswerIsFromFeasible) {
    // 10 instead of 8 at most.
    EXPECT_DOUBLE_EQ(judge_.judge({1}, record_of(space::Status::ok, 10.0, 1.0)).violation, 0.2);
    space::Record full = record_of(space::Status::out_of_memory, NAN, NAN);
    full.reason = "needs 120.0 GiB of 80.0 GiB on stage 3, most of it activations (70.0 GiB)";
    const double worse = judge_.judge({1}, full).violation;
    full.reason = "needs 90.0 GiB of 80.0 GiB on stage 3, most of it activations (70.0 GiB)";
    const double better = judge_.judge({1}, full).violation;
    EXPECT_NEAR(worse - better, 0.375, 1e-9);
    EXPECT_GT(better, 1.0) << "a constraint on an answer is never missed by as much";
    EXPECT_TRUE(std::isinf(judge_.judge({1}, record_of(space::Status::failed, 1.0, 1.0)).violation));
    EXPECT_TRUE(std::isinf(judge_.judge({1}, record_of(space::Status::ok, 1.0, NAN)).violation))
        << "an objective without a value";
}

TEST_F(JudgeTest, NeedsObjectivesThatAreMetrics) {
    const auto space = space::parse_space("axes: {a: [1]}");
    EXPECT_THROW(Judge(space, {}), InputError);
    EXPECT_THROW(Judge(space, {{"beauty"}}), InputError);
}

TEST(Shortage, StandsInTheReason) {
    EXPECT_DOUBLE_EQ(shortage_in("needs 120.0 GiB of 80.0 GiB on stage 0"), 0.5);
    EXPECT_DOUBLE_EQ(shortage_in("needs 2.5 GiB of 2.0 GiB of host memory a device"), 0.25);
    EXPECT_DOUBLE_EQ(shortage_in("needs 80.0 GiB of 80.0 GiB on stage 0"), 0.0);
    for (const char* reason : {"", "too large", "needs x GiB of y GiB", "needs 80.0 GiB"})
        EXPECT_TRUE(std::isinf(shortage_in(reason))) << reason;
}

}  // namespace
}  // namespace dse::explore::test
