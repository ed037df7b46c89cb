#include "dse/base/log.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse {

/// Counts how often it is formatted.
struct Counted {
    int* formatted;
};

}  // namespace dse

template <>
struct fmt::formatter<dse::Counted> : fmt::formatter<int> {
    template <class Context>
    auto format(const dse::Counted& value, Context& context) const {
        ++*value.formatted;
        return fmt::format_to(context.out(), "x");
    }
};

namespace dse {
namespace {

using testing::HasSubstr;
using testing::Not;

template <class Function>
std::string stderr_of(const Function& function) {
    testing::internal::CaptureStderr();
    function();
    return testing::internal::GetCapturedStderr();
}

TEST(Log, LineCarriesRankLevelAndText) {
    const std::string line = stderr_of([] { Logger(LogLevel::info, 3).warning("{} rows lost", 7); });
    EXPECT_THAT(line, HasSubstr("[rank 3]"));
    EXPECT_THAT(line, HasSubstr("[warning]"));
    EXPECT_THAT(line, HasSubstr("7 rows lost\n"));
}

TEST(Log, NoRankIsNamedWhereNoneIsGiven) {
    const std::string line = stderr_of([] { Logger(LogLevel::info).info("ready"); });
    EXPECT_THAT(line, HasSubstr("[info] ready\n"));
    EXPECT_THAT(line, Not(HasSubstr("rank")));
}

TEST(Log, LinesBelowTheLevelAreDropped) {
    const std::string lines = stderr_of([] {
        const Logger logger(LogLevel::warning, 0);
        logger.debug("d");
        logger.info("i");
        logger.warning("w");
        logger.error("e");
    });
    EXPECT_THAT(lines, Not(HasSubstr("[info]")));
    EXPECT_THAT(lines, Not(HasSubstr("[debug]")));
    EXPECT_THAT(lines, HasSubstr("[warning] w\n"));
    EXPECT_THAT(lines, HasSubstr("[error] e\n"));
}

TEST(Log, OffAndDefaultAreSilent) {
    EXPECT_EQ(stderr_of([] { Logger().error("e"); }), "");
    EXPECT_EQ(stderr_of([] { Logger(LogLevel::off, 0).error("e"); }), "");
}

// Text of the user may hold braces or percent signs: it is data, not a format.
TEST(Log, TextIsNotAFormat) {
    const std::string line = stderr_of([] { Logger(LogLevel::info, 0).info("{}", "100 % {0} %v {"); });
    EXPECT_THAT(line, HasSubstr("100 % {0} %v {\n"));
}

TEST(Log, StdoutStaysForResults) {
    testing::internal::CaptureStdout();
    stderr_of([] { Logger(LogLevel::debug, 0).error("e"); });
    EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
}

TEST(Log, DroppedLineIsNeverFormatted) {
    int formatted = 0;
    stderr_of([&] { Logger(LogLevel::error, 0).info("{}", Counted{&formatted}); });
    EXPECT_EQ(formatted, 0);
    stderr_of([&] { Logger(LogLevel::error, 0).error("{}", Counted{&formatted}); });
    EXPECT_EQ(formatted, 1);
}

}  // namespace
}  // namespace dse
