#include "dse/graph/class_columns.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::graph {
namespace {

RequestClass named(const char* name) {
    RequestClass one;
    one.name = name;
    return one;
}

TEST(ClassColumns, PrefixesAreIdentifiers) {
    EXPECT_EQ(column_prefix(named("chat")), "chat");
    EXPECT_EQ(column_prefix(named("long report")), "long_report");
    EXPECT_EQ(column_prefix(named("8k")), "class_8k");
    EXPECT_EQ(column_prefix(named("\u00e9")), "class___") << "two bytes";
}

/// Three latencies of five statistics each, and four more.
TEST(ClassColumns, EachClassHasItsOwn) {
    Traffic traffic;
    EXPECT_TRUE(class_columns(traffic).empty());
    traffic.classes = {named("chat"), named("batch")};
    const auto columns = class_columns(traffic);
    ASSERT_EQ(columns.size(), 2U * 19U);
    EXPECT_EQ(columns[0].name, "chat_ttft_mean");
    EXPECT_EQ(columns[9].name, "chat_tpot_p99");
    EXPECT_EQ(columns[9].unit, "s");
    EXPECT_EQ(columns[18].name, "chat_slo_worst");
    EXPECT_EQ(columns[19].name, "batch_ttft_mean");
}

}  // namespace
}  // namespace dse::graph
