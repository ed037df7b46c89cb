#include "app/questions/marked_row.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/questions/small_results.hpp"
#include "support/error_message.hpp"

namespace dse::app {
namespace {

using testing::HasSubstr;

const results::Table& rows() {
    static const results::Table table = test::small_results({1, 2, 2, 4}, {4, 3, 2, 1}, {1, 2, 3, 4});
    return table;
}

MarkedRow marked(const std::string& text) {
    MarkedRow row{results::without_rows(rows()), text, rows().schema.sweep.objectives};
    row.add(rows());
    return row;
}

TEST(MarkedRow, IsTheBestOfThoseWithTheseValues) {
    const MarkedRow found = marked("tp=2, schedule=1f1b,bandwidth=400 Gbps,devices=8");
    EXPECT_EQ(found.matches(), 2U);
    EXPECT_EQ(found.row().point_id.front(), 2U) << "2 s, not 3 s";
    EXPECT_TRUE(found.open().empty());
    EXPECT_EQ(marked("tp=4").open(), (std::vector<std::size_t>{1, 2}));
}

TEST(MarkedRow, PrefersARowWithAnAnswer) {
    results::Table table = rows();
    table.status[2] = space::Status::out_of_memory;
    table.metrics[0][2] = table.metrics[1][2] = metrics::not_a_number;
    MarkedRow row{results::without_rows(table), "tp=2", table.schema.sweep.objectives};
    row.add(table);
    EXPECT_EQ(row.row().point_id.front(), 1U);
}

TEST(MarkedRow, SaysWhichValuesThereAre) {
    EXPECT_THAT(dse::test::error_message([] { static_cast<void>(marked("tp=3").row()); }),
                HasSubstr("no row has tp=3 (tp is 1, 2, 4"));
    EXPECT_THAT(dse::test::error_message([] { marked("devices=16"); }),
                HasSubstr("system.devices is 8 in all"));
    EXPECT_THAT(dse::test::error_message([] { marked("pipeline=1"); }), HasSubstr("no axis"));
    EXPECT_THAT(dse::test::error_message([] { marked("tp"); }), HasSubstr("tp=8,pp=16"));
    EXPECT_THAT(dse::test::error_message([] { marked(" , "); }), HasSubstr("names no axis"));
}

}  // namespace
}  // namespace dse::app
