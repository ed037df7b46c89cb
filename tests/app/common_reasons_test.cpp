#include "app/common_reasons.hpp"

#include <gtest/gtest.h>

namespace dse::app {
namespace {

using space::Status;

results::Table table_of(const std::vector<std::pair<Status, std::string>>& rows) {
    results::Table table;
    for (const auto& [status, reason] : rows) {
        table.point_id.push_back(table.rows());
        table.status.push_back(status);
        table.reason.push_back(reason);
    }
    return table;
}

const results::Table mixed = table_of({{Status::ok, ""},
                                       {Status::failed, "broke"},
                                       {Status::out_of_memory, "needs 90 GiB"},
                                       {Status::failed, "took 3 s"},
                                       {Status::out_of_memory, "needs 100 GiB"},
                                       {Status::timed_out, "took 4 s"},
                                       {Status::failed, "took 5 s"}});

TEST(CommonReasons, AreOneUpToTheirNumbersTheCommonestFirst) {
    const auto reasons = common_reasons(mixed, space::is_failure);
    // Status is part of what is common: "took 4 s" of a point that ran out of time stands alone.
    ASSERT_EQ(reasons.size(), 3U);
    EXPECT_EQ(reasons[0].rows, 2U);
    EXPECT_EQ(reasons[0].example, "took 3 s");
    EXPECT_EQ(reasons[1].rows, 1U);
}

TEST(CommonReasons, LookAtTheStatusesThatAreAskedFor) {
    const auto reasons = common_reasons(mixed, [](Status status) { return status == Status::out_of_memory; });
    ASSERT_EQ(reasons.size(), 1U);
    EXPECT_EQ(reasons[0].rows, 2U);
    EXPECT_EQ(reasons[0].example, "needs 90 GiB");
    EXPECT_TRUE(common_reasons(table_of({{Status::ok, ""}}), space::is_failure).empty());
}

}  // namespace
}  // namespace dse::app
