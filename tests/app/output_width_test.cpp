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

TEST(FittedHelp, BreaksDescriptionsAtTheirColumn) {
    const std::string text =
        "Usage: dse x\n"
        "  --top N       how many of them to show\n";
    EXPECT_EQ(fitted_help(text, 16, any_width), text);
    EXPECT_EQ(fitted_help(text, 16, 36),
              "Usage: dse x\n"
              "  --top N       how many of them to\n"
              "                show\n");
    // Too narrow for two columns: below each other.
    EXPECT_EQ(fitted_help(text, 16, 24),
              "Usage: dse x\n"
              "  --top N       how many\n"
              "    of them to show\n");
}

TEST(FittedHelp, AlignsBehindNamesThatWerePaddedByBytes) {
    // The ellipsis has three bytes and takes one column.
    EXPECT_EQ(fitted_help("  --of A,…    which\n  --top N     how many\n", 14, any_width),
              "  --of A,…      which\n  --top N     how many\n");
}

TEST(FittedHelp, KeepsWordsThatFitNowhere) {
    EXPECT_EQ(fitted_help("0123456789012345678901234\n", 16, 20), "0123456789012345678901234\n");
}

TEST(FittedLines, KeepTheIndentOfWhatTheyContinue) {
    EXPECT_EQ(fitted_lines("short\n  a line that is long\n", 14), "short\n  a line that\n    is long\n");
    EXPECT_EQ(fitted_lines("\n", 14), "\n");
    EXPECT_EQ(fitted_lines("  a line that is long\n", any_width), "  a line that is long\n");
}

TEST(Wrapped, BreaksBetweenWords) {
    EXPECT_EQ(wrapped("all:", {"tp=8", "pp=4"}, any_width), "  all: tp=8 pp=4\n");
    EXPECT_EQ(wrapped("all:", {"tp=8", "pp=4", "dp=2"}, 12), "  all: tp=8\n    pp=4\n    dp=2\n");
    EXPECT_EQ(wrapped("all of them:", {"tp=8"}, 10), "  all of\n    them:\n    tp=8\n");
    EXPECT_EQ(wrapped("all:", {"µ=1"}, 10), "  all: µ=1\n") << "µ takes one column";
}

}  // namespace
}  // namespace dse::app
