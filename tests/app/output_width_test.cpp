#include "app/output_width.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace dse::app {
namespace {

TEST(OutputWidth, FollowsColumns) {
    setenv("COLUMNS", "60", 1);
    EXPECT_EQ(output_width(), 60U);
    for (const char* useless : {"", "wide", "60x", "3"}) {
        setenv("COLUMNS", useless, 1);
        EXPECT_NE(output_width(), 3U) << useless;
        EXPECT_GE(output_width(), 20U) << useless;
    }
    unsetenv("COLUMNS");
}

TEST(Wrapped, BreaksBetweenWords) {
    EXPECT_EQ(wrapped("all:", {"tp=8", "pp=4"}, any_width), "  all: tp=8 pp=4\n");
    EXPECT_EQ(wrapped("all:", {"tp=8", "pp=4", "dp=2"}, 12), "  all: tp=8\n    pp=4\n    dp=2\n");
    EXPECT_EQ(wrapped("all:", {"µ=1"}, 10), "  all: µ=1\n") << "µ takes one column";
}

}  // namespace
}  // namespace dse::app
