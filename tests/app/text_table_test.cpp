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

TEST(TextTable, LeavesOutEmptyHeadingsAndIndents) {
    TextTable table;
    table.add_column("", TextTable::Align::left);
    table.add_row({"x"});
    EXPECT_EQ(table.text(2), "  x\n");
}

}  // namespace
}  // namespace dse::app
