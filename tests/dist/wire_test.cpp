#include "dist/wire.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::dist {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(Wire, CarriesTrials) {
    std::string body;
    append(body, Trial{{5, {1.5, -0.0}}, {}});
    append(body, Trial{{6, {}}, {2}});
    const std::vector<Trial> trials = trials_of(body);
    ASSERT_EQ(trials.size(), 2U);
    EXPECT_EQ(trials[0].point.id, 5U);
    EXPECT_THAT(trials[0].point.values, ElementsAre(1.5, 0.0));
    EXPECT_TRUE(std::signbit(trials[0].point.values[1]));
    EXPECT_EQ(trials[0].fidelity, Fidelity{});
    EXPECT_THAT(trials[1].point.values, IsEmpty());
    EXPECT_EQ(trials[1].fidelity, Fidelity{2});
}

TEST(Wire, CarriesRecords) {
    space::Record fits;
    fits.point.id = 1;
    fits.status = space::Status::ok;
    fits.metrics.iteration_time = 1.0 / 3.0;
    fits.wall_seconds = 0.5;
    fits.rank = 7;
    space::Record refused;
    refused.point.id = 2;
    refused.status = space::Status::outside_validity;
    refused.reason = std::string(5000, 'r');
    std::string body;
    append(body, refused);
    append(body, fits);
    const std::vector<space::Record> records = records_of(body);
    ASSERT_EQ(records.size(), 2U);
    EXPECT_EQ(records[0].point.id, 2U);
    EXPECT_EQ(records[0].status, space::Status::outside_validity);
    EXPECT_EQ(records[0].reason, refused.reason);
    EXPECT_TRUE(std::isnan(records[0].metrics.iteration_time));
    EXPECT_EQ(records[1].metrics.iteration_time, 1.0 / 3.0);
    EXPECT_TRUE(std::isnan(records[1].metrics.energy));
    EXPECT_EQ(records[1].wall_seconds, 0.5);
    EXPECT_EQ(records[1].rank, 7);
}

TEST(Wire, KnowsWhatIsTorn) {
    std::string body;
    append(body, Trial{{5, {1.5, 2.5}}, {}});
    EXPECT_THROW(trials_of(std::string_view{body}.substr(0, body.size() - 1)), std::logic_error);
    EXPECT_THROW(records_of("short"), std::logic_error);
}

}  // namespace
}  // namespace dse::dist
