#include "dse/config/diagnostics.hpp"

#include <memory>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::config {
namespace {

Location at(const char* file, int line, int column) {
    return {std::make_shared<const std::string>(file), line, column};
}

TEST(Location, SaysAsMuchAsIsKnown) {
    EXPECT_EQ(to_string(at("sweeps/a.yaml", 3, 7)), "sweeps/a.yaml:3:7");
    EXPECT_EQ(to_string(at("--set", 0, 0)), "--set");
    EXPECT_EQ(to_string(Location{}), "");
}

TEST(Diagnostics, LinesHavePlacePathAndMessage) {
    Diagnostics diagnostics;
    diagnostics.error(at("a.yaml", 3, 7), "axes.tp", "'x' is not an integer");
    diagnostics.warning(at("a.yaml", 4, 1), "", "nothing asks for it");
    diagnostics.error({}, "tp", "missing");
    EXPECT_EQ(diagnostics.text(),
              "error: tp: missing\n"
              "a.yaml:3:7: error: axes.tp: 'x' is not an integer\n"
              "a.yaml:4:1: warning: nothing asks for it");
}

TEST(Diagnostics, OrderIsThatOfThePlaces) {
    Diagnostics diagnostics;
    diagnostics.error(at("b.yaml", 1, 1), "", "fifth");
    diagnostics.error(at("a.yaml", 10, 1), "", "third");
    diagnostics.error(at("a.yaml", 10, 2), "", "fourth");
    diagnostics.error(at("a.yaml", 2, 9), "", "first");
    diagnostics.error(at("a.yaml", 2, 9), "", "second, told later");
    EXPECT_EQ(diagnostics.text(),
              "a.yaml:2:9: error: first\n"
              "a.yaml:2:9: error: second, told later\n"
              "a.yaml:10:1: error: third\n"
              "a.yaml:10:2: error: fourth\n"
              "b.yaml:1:1: error: fifth");
}

TEST(Diagnostics, OnlyErrorsMakeItFail) {
    Diagnostics diagnostics;
    EXPECT_TRUE(diagnostics.ok());
    EXPECT_NO_THROW(diagnostics.throw_if_any());
    diagnostics.warning(at("a.yaml", 1, 1), "", "odd");
    EXPECT_TRUE(diagnostics.ok());
    EXPECT_NO_THROW(diagnostics.throw_if_any());
    diagnostics.error(at("a.yaml", 2, 1), "", "wrong");
    EXPECT_FALSE(diagnostics.ok());
    EXPECT_EQ(diagnostics.error_count(), 1U);
    EXPECT_EQ(diagnostics.all().size(), 2U);
}

TEST(Diagnostics, ThrowsEverythingAtOnce) {
    Diagnostics diagnostics;
    diagnostics.error(at("a.yaml", 1, 1), "", "one");
    diagnostics.error(at("a.yaml", 2, 1), "", "two");
    try {
        diagnostics.throw_if_any();
        FAIL() << "nothing was thrown";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "a.yaml:1:1: error: one\na.yaml:2:1: error: two");
    }
}

// A device file that two clusters name is read twice.
TEST(Diagnostics, SameErrorIsShownOnce) {
    Diagnostics diagnostics;
    diagnostics.error(at("a.yaml", 1, 1), "x", "wrong");
    diagnostics.error(at("a.yaml", 1, 1), "x", "wrong");
    EXPECT_EQ(diagnostics.text(), "a.yaml:1:1: error: x: wrong");
    EXPECT_EQ(diagnostics.error_count(), 2U);
}

TEST(Diagnostics, KeysOfTheUserCannotDriveTheTerminal) {
    Diagnostics diagnostics;
    diagnostics.error(at("a.yaml", 1, 1), "axes.\x1B[2J", "wrong");
    EXPECT_EQ(diagnostics.text(), "a.yaml:1:1: error: axes.\\x1B[2J: wrong");
}

TEST(Diagnostics, FloodIsCutAt200Lines) {
    Diagnostics diagnostics;
    for (int line = 1; line <= 200; ++line) diagnostics.error(at("a.yaml", line, 1), "", "wrong");
    EXPECT_THAT(diagnostics.text(), testing::EndsWith("a.yaml:200:1: error: wrong"));
    for (int line = 201; line <= 207; ++line) diagnostics.error(at("a.yaml", line, 1), "", "wrong");
    EXPECT_THAT(diagnostics.text(), testing::EndsWith("a.yaml:200:1: error: wrong\n… and 7 more"));
}

}  // namespace
}  // namespace dse::config
