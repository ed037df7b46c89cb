#include "dse/config/source_text.hpp"

#include <random>

#include <gtest/gtest.h>

namespace dse::config {
namespace {

using namespace std::string_literals;

TEST(Utf8, LengthsOfWellFormedCharacters) {
    EXPECT_EQ(utf8_length("a"), 1U);
    EXPECT_EQ(utf8_length("\0"s), 1U);
    EXPECT_EQ(utf8_length("µs"), 2U);
    EXPECT_EQ(utf8_length("…"), 3U);
    EXPECT_EQ(utf8_length("\U0001F600"), 4U);
    EXPECT_EQ(utf8_length("\xF4\x8F\xBF\xBF"), 4U);  // U+10FFFF, the last one
}

// The rows of table 3-7 of the Unicode Standard, each with the nearest sequence outside it.
TEST(Utf8, IllFormedSequencesHaveNoLength) {
    EXPECT_EQ(utf8_length(""), 0U);
    EXPECT_EQ(utf8_length("\x80"), 0U);              // a continuation without a beginning
    EXPECT_EQ(utf8_length("\xC1\xBF"), 0U);          // overlong form of U+007F
    EXPECT_EQ(utf8_length("\xE0\x9F\xBF"), 0U);      // overlong form of U+07FF
    EXPECT_EQ(utf8_length("\xED\xA0\x80"), 0U);      // surrogate U+D800
    EXPECT_EQ(utf8_length("\xF0\x8F\xBF\xBF"), 0U);  // overlong form of U+FFFF
    EXPECT_EQ(utf8_length("\xF4\x90\x80\x80"), 0U);  // U+110000, behind the last one
    EXPECT_EQ(utf8_length("\xF5\x80\x80\x80"), 0U);
    EXPECT_EQ(utf8_length("\xFF"), 0U);
    EXPECT_EQ(utf8_length("\xC2"), 0U);  // cut short
    EXPECT_EQ(utf8_length("\xE2\x80"), 0U);
    EXPECT_EQ(utf8_length("\xE2\x80 "), 0U);
    EXPECT_EQ(utf8_length("\xF0\x9F\x98 "), 0U);
}

TEST(SourceText, ColumnsCountCharactersNotBytes) {
    SourceText text("µ: 1\nab: \"é\", x\n");
    // Line 2: a b : space " é(2 bytes) " , space x: byte 10 is the tenth character.
    EXPECT_EQ(text.place(0, 2).column, 2);
    EXPECT_EQ(text.place(1, 0).column, 1);
    EXPECT_EQ(text.place(1, 5).column, 6);
    EXPECT_EQ(text.place(1, 10).column, 10);
    EXPECT_EQ(text.place(1, 10).line, 2);
}

TEST(SourceText, ByteOrderMarkIsNoColumn) {
    SourceText text(
        "\xEF\xBB\xBF"
        "ab");
    EXPECT_EQ(text.place(0, 1).column, 2);
    EXPECT_EQ(text.from(0, 0), "ab");
    EXPECT_FALSE(text.fault());
}

TEST(SourceText, PlacesOutsideAreClamped) {
    SourceText text("ab\ncd");
    EXPECT_EQ(text.place(-1, -1).line, 1);
    EXPECT_EQ(text.place(-1, -1).column, 1);
    EXPECT_EQ(text.place(7, 0).line, 2);
    EXPECT_EQ(text.place(1, 1000).column, 3);
    EXPECT_EQ(SourceText("").place(3, 3).column, 1);
    EXPECT_EQ(text.from(9, 9), "");
}

// The cursor that makes ascending places cheap must not change any answer.
TEST(SourceText, PlacesDoNotDependOnTheOrderOfQuestions) {
    std::mt19937 random(5);
    const std::string content = "aµ…b\ncc\n\né\U0001F600x\n";
    SourceText asked_often(content);
    for (int trial = 0; trial < 2000; ++trial) {
        const int line = static_cast<int>(random() % 6);
        const int column = static_cast<int>(random() % 10);
        SourceText fresh(content);
        EXPECT_EQ(asked_often.place(line, column).line, fresh.place(line, column).line);
        EXPECT_EQ(asked_often.place(line, column).column, fresh.place(line, column).column);
    }
}

TEST(SourceText, TextHasNoFault) {
    EXPECT_FALSE(SourceText("").fault());
    EXPECT_FALSE(SourceText("a: µ\r\n\tb\n").fault());
}

struct FaultCase {
    std::string text;
    int line;
    int column;
    std::string message;
};

TEST(SourceText, FaultsAreFoundWithTheirPlace) {
    const std::vector<FaultCase> cases{
        {"a: 1\nµ: \x04\n", 2, 4, "not a text file: control character 0x04"},
        {"\0"s, 1, 1, "not a text file: control character 0x00"},
        {"a\x7F", 1, 2, "not a text file: control character 0x7F"},
        {"a: \x1B[31m", 1, 4, "not a text file: control character 0x1B"},
        {"a: 1\rb: 2", 1, 5, "not a text file: control character 0x0D"},
        {"a: \xFFz", 1, 4, "not UTF-8 text: byte 0xFF"},
        {"\xFF\xFE"
         "a\0"s,
         1, 1, "UTF-16 text: save the file as UTF-8"},
        {"a\n\n  \xC3", 3, 3, "not UTF-8 text: byte 0xC3"},
    };
    for (const FaultCase& expected : cases) {
        const auto fault = SourceText(expected.text).fault();
        ASSERT_TRUE(fault) << expected.message;
        EXPECT_EQ(fault->message, expected.message);
        EXPECT_EQ(fault->where.line, expected.line) << expected.message;
        EXPECT_EQ(fault->where.column, expected.column) << expected.message;
    }
}

TEST(Printable, KeepsLinesAndEscapesWhatMovesTheCursor) {
    EXPECT_EQ(printable("a\nb µ\x1B[2J\t\xC3"s), "a\nb µ\\x1B[2J\\x09\\xC3");
    EXPECT_EQ(printable(std::string(1000, 'a')), std::string(1000, 'a'));
}

TEST(Excerpt, ShortTextIsItself) {
    EXPECT_EQ(excerpt("400 Gbps µ…"), "400 Gbps µ…");
    EXPECT_EQ(excerpt(""), "");
    EXPECT_EQ(excerpt(std::string(60, 'a')), std::string(60, 'a'));
}

TEST(Excerpt, LongTextIsCutBetweenCharacters) {
    EXPECT_EQ(excerpt(std::string(61, 'a')), std::string(60, 'a') + "…");
    std::string many;
    std::string sixty;
    for (int i = 0; i < 100; ++i) many += "é";
    for (int i = 0; i < 60; ++i) sixty += "é";
    EXPECT_EQ(excerpt(many), sixty + "…");
}

TEST(Excerpt, NothingReachesTheTerminalThatMovesItsCursor) {
    EXPECT_EQ(excerpt("a\nb\x1B[2Jc\0d\xFF"s), "a\\x0Ab\\x1B[2Jc\\x00d\\xFF"s);
}

}  // namespace
}  // namespace dse::config
