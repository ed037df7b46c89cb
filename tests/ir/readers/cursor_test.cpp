#include "ir/readers/cursor.hpp"

#include <functional>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"

namespace dse::ir {
namespace {

std::string refused(std::string text, const std::function<void(Cursor&)>& read) {
    const Source source = Source::text(std::move(text), "x");
    return test::error_message([&] {
        Cursor cursor{source};
        read(cursor);
    });
}

TEST(Cursor, AcceptsWhatIsNext) {
    const Source source = Source::text("  a.b = -12, \"q\\\"x\" ", "x");
    Cursor cursor{source};
    cursor.skip_blanks();
    EXPECT_EQ(cursor.word("."), "a.b");
    EXPECT_FALSE(cursor.accept(','));
    EXPECT_TRUE(cursor.accept('='));
    cursor.skip_blanks();
    EXPECT_EQ(cursor.integer(), -12);
    cursor.expect(",");
    EXPECT_EQ(cursor.quoted(), "q\\\"x");
    EXPECT_FALSE(cursor.at_end());
    cursor.skip_blanks();
    EXPECT_TRUE(cursor.at_end());
    EXPECT_EQ(cursor.peek(), '\0');
}

TEST(Cursor, MovesOverBracketsQuotesAndComments) {
    const Source source = Source::text("({[ \")\" ]}  // )\n < a -> b >) rest", "x");
    Cursor cursor{source};
    EXPECT_EQ(cursor.bracketed(), "{[ \")\" ]}  // )\n < a -> b >");
    EXPECT_EQ(cursor.rest(), " rest");
    EXPECT_EQ(cursor.line(), 2U);
}

TEST(Cursor, CountsLinesForwardsAndBackwards) {
    const Source source = Source::text("a\nb\nc", "x");
    Cursor cursor{source};
    cursor.move_to(4);
    EXPECT_EQ(cursor.line(), 3U);
    cursor.move_to(2);
    EXPECT_EQ(cursor.line(), 2U);
    cursor.skip_line();
    EXPECT_EQ(cursor.peek(), 'c');
}

TEST(Cursor, SaysWhatItWantedAndFound) {
    EXPECT_EQ(refused("a\n  b", [](Cursor& c) { c.expect("a"), c.expect(';'); }),
              "x:2:3: expected ';', found 'b'");
    EXPECT_EQ(refused("", [](Cursor& c) { c.expect(';'); }),
              "x:1:1: expected ';', found the end of the text");
    EXPECT_EQ(refused("99999999999999999999", [](Cursor& c) { c.integer(); }),
              "x:1:1: the integer is too large");
    EXPECT_EQ(refused("(a [b)", [](Cursor& c) { c.bracketed(), c.bracketed(); }),
              "x:1:1: the bracket '(' is not closed");
    EXPECT_EQ(refused("\"a\\\"", [](Cursor& c) { c.quoted(); }), "x:1:1: unterminated string");
}

// Over pieces of a MiB; lines are counted on the way.
TEST(Cursor, FindsTheNearerOfTwoCharacters) {
    const Source source = Source::text(std::string(3'000'000, '\n') + "a\"b>c", "x");
    Cursor cursor{source};
    EXPECT_TRUE(cursor.find('>', '"'));
    EXPECT_EQ(cursor.peek(), '"');
    EXPECT_EQ(cursor.line(), 3'000'001U);
    cursor.advance();
    EXPECT_TRUE(cursor.find('>', '"'));
    EXPECT_EQ(cursor.peek(), '>');
    EXPECT_FALSE(cursor.find('"', '"'));
    EXPECT_TRUE(cursor.at_end());
}

}  // namespace
}  // namespace dse::ir
