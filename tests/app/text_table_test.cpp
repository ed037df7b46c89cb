#include "app/text_table.hpp"

#include <gtest/gtest.h>

namespace dse::app {
namespace {

TEST(TextTable, AlignsColumns) {
    TextTable table;
    table.add_column("name", TextTable::Align::left);
    table.add_column("time");
    table.add_row({"a", "1 s"});
    table.add_row({"longer", "10 s"});
    EXPECT_EQ(table.text(),
              "name    time\n"
              "a        1 s\n"
              "longer  10 s\n");
}

TEST(TextTable, CountsCharactersAndNotBytes) {
    EXPECT_EQ(display_width("12 µs"), 5U);
    TextTable table;
    table.add_column("");
    table.add_column("");
    table.add_row({"µs", "|"});
    table.add_row({"ms", "|"});
    EXPECT_EQ(table.text(), "µs  |\nms  |\n");
}

TEST(TextTable, BreaksTheTextsOfItsLastColumn) {
    TextTable table;
    table.add_column("axis", TextTable::Align::left);
    table.add_column("", TextTable::Align::left);
    table.add_row({"tp", "1, 2, 4, 8, 16, 32, 64"});
    table.add_row({"pp", "1"});
    // 16 columns are left beside the axis: "1, 2, 4, 8, 16," are 15.
    EXPECT_EQ(table.fitted_text(2, 24),
              "  axis\n"
              "  tp    1, 2, 4, 8, 16,\n"
              "        32, 64\n"
              "  pp    1\n");
    EXPECT_EQ(table.fitted_text(2, 100), table.text(2)) << "a test's output has any width";
}

TEST(TextTable, RepeatsItsFirstColumnWhereTheOthersDoNotFit) {
    TextTable table;
    table.add_column("stage", TextTable::Align::left);
    for (const char* heading : {"compute", "idle", "bubble"}) table.add_column(heading);
    table.add_row({"0", "64.8 %", "0.0 %", "9.7 %"});
    table.add_row({"1", "52.5 %", "0.0 %", "16.3 %"});
    // stage and compute take 14 columns, idle seven more.
    EXPECT_EQ(table.fitted_text(0, 21),
              "stage  compute   idle\n"
              "0       64.8 %  0.0 %\n"
              "1       52.5 %  0.0 %\n"
              "stage  bubble\n"
              "0       9.7 %\n"
              "1      16.3 %\n");
}

TEST(TextTable, PutsRowsBelowTheirLongNames) {
    TextTable table;
    table.add_column("", TextTable::Align::left);
    table.add_column("");
    table.add_column("");
    table.add_row({"messages between stages", "731.1 µs", "0.0 %"});
    table.add_row({"compute: gemm", "1.368 s", "47.1 %"});
    EXPECT_EQ(table.fitted_text(2, 30),
              "  messages between stages\n"
              "    731.1 µs   0.0 %\n"
              "  compute: gemm\n"
              "     1.368 s  47.1 %\n");
}

TEST(TextTable, LeavesOutEmptyHeadingsAndIndents) {
    TextTable table;
    table.add_column("", TextTable::Align::left);
    table.add_row({"x"});
    EXPECT_EQ(table.text(2), "  x\n");
}

}  // namespace
}  // namespace dse::app
