#include "dse/explore/derived_metrics.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "explore/sample_search.hpp"

namespace dse::explore::test {
namespace {

space::Record answer(const std::shared_ptr<const space::Space>& space, std::vector<double> values) {
    space::Record record;
    record.status = space::Status::ok;
    record.point.values = std::move(values);
    with_derived_metrics(space, [](const space::Point& point, Fidelity fidelity, space::Record& into) {
        if (point.values[1] == 4.0) {
            into.status = space::Status::out_of_memory;
            return;
        }
        bowl(point, fidelity, into);
    })(record.point, {}, record);
    return record;
}

TEST(DerivedMetrics, StandBehindTheAnswer) {
    const auto space = plane("metrics: {rim: iteration_time + x, twice: 2 * rim}\n");
    EXPECT_THAT(answer(space, {1.0, -1.0}).more, ::testing::ElementsAre(5.0, 10.0)) << "(1 − 3)² + 1";
    EXPECT_TRUE(answer(space, {1.0, 4.0}).more.empty()) << "without an answer there is nothing to derive";
    EXPECT_TRUE(answer(plane(), {1.0, -1.0}).more.empty());
}

}  // namespace
}  // namespace dse::explore::test
