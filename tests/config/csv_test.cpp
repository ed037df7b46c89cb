#include "dse/config/csv.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::config {
namespace {

using Records = std::vector<std::vector<std::string>>;

TEST(ParseCsv, FieldsAndRecords) {
    EXPECT_EQ(parse_csv("a,b\n1,\n", "t"), (Records{{"a", "b"}, {"1", ""}}));
    EXPECT_EQ(parse_csv("a,b\r\n1,2", "t"), (Records{{"a", "b"}, {"1", "2"}}))
        << "no line end after the last";
    EXPECT_EQ(parse_csv("", "t"), Records{});
}

TEST(ParseCsv, QuotesHoldCommasQuotesAndLines) {
    EXPECT_EQ(parse_csv("\"a,b\",\"say \"\"x\"\"\",\"two\nlines\"\n", "t"),
              (Records{{"a,b", "say \"x\"", "two\nlines"}}));
}

TEST(ParseCsv, AByteOrderMarkIsNotPartOfTheFirstField) {
    EXPECT_EQ(parse_csv("\xef\xbb\xbfid,b\n1,2\n", "t"), (Records{{"id", "b"}, {"1", "2"}}));
    EXPECT_EQ(parse_csv("\xef\xbb\xbf", "t"), Records{});
}

TEST(ParseCsv, Utf16IsNamed) {
    const std::string text{"\xff\xfe\"\0i\0d\0\"\0x\0", 12};
    try {
        static_cast<void>(parse_csv(text, "rows.csv"));
        FAIL();
    } catch (const InputError& error) {
        EXPECT_NE(std::string{error.what()}.find("the file is in UTF-16, not UTF-8"), std::string::npos)
            << error.what();
    }
}

TEST(ParseCsv, BrokenQuotesNameTheRecord) {
    for (const char* text : {"a\nb\n\"c", "a\nb\nc\"d\n"}) {
        try {
            static_cast<void>(parse_csv(text, "rows.csv"));
            FAIL() << text;
        } catch (const InputError& error) {
            EXPECT_NE(std::string{error.what()}.find("rows.csv:3: not comma-separated values: a quote"),
                      std::string::npos)
                << error.what();
        }
    }
}

}  // namespace
}  // namespace dse::config
