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

std::vector<CommonReason> common_reasons(const results::Table& table,
                                         const std::function<bool(Status)>& counts) {
    CommonReasons reasons;
    reasons.add(table);
    return reasons.ordered(counts);
}

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

TEST(CommonReasons, AreCountedOverBlocks) {
    CommonReasons reasons;
    reasons.add(mixed);
    reasons.add(mixed);
    EXPECT_EQ(reasons.ordered(space::is_failure)[0].rows, 4U);
    EXPECT_EQ(reasons.ordered(space::is_failure)[0].example, "took 3 s");
}

TEST(CommonReasons, StayFewWhereEveryOneIsAnother) {
    CommonReasons reasons;
    std::vector<std::pair<Status, std::string>> rows;
    for (std::size_t i = 0; i < CommonReasons::most_beginnings + 100; ++i) {
        std::string text;
        for (std::size_t rest = i; rest > 0; rest /= 26) text += static_cast<char>('a' + rest % 26);
        rows.emplace_back(Status::failed, text);
    }
    reasons.add(table_of(rows));
    EXPECT_EQ(reasons.ordered(space::is_failure).size(), CommonReasons::most_beginnings);
}

}  // namespace
}  // namespace dse::app
