#include "ir/readers/hlo/scanner.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir::hlo {
namespace {

TEST(Scanner, PassesOverBlanksAndComments) {
    const Source source = Source::text(" /* a\n b */ // c\n x", "t");
    Scanner scanner{source};
    EXPECT_EQ(scanner.word(), "x");
    EXPECT_EQ(scanner.line(), 3U);
    EXPECT_TRUE(scanner.at_end());
}

TEST(Scanner, TellsNamesFromWhatFollows) {
    const Source source = Source::text("%add.1-clone_2(b01f->b)ROOTS 7", "t");
    Scanner scanner{source};
    EXPECT_EQ(scanner.name(), "add.1-clone_2");
    scanner.expect('(');
    EXPECT_EQ(scanner.word(), "b01f");
    scanner.expect("->");
    EXPECT_EQ(scanner.word(), "b");
    scanner.expect(')');
    EXPECT_FALSE(scanner.accept_word("ROOT"));
    EXPECT_TRUE(scanner.accept_word("ROOTS"));
    EXPECT_EQ(scanner.integer(), 7);
    EXPECT_THROW(scanner.name(), InputError);
}

TEST(Scanner, FindsTheBracketThatCloses) {
    const Source source = Source::text(R"({a="}\"}" b={c<=[2]}} x)", "t");
    Scanner scanner{source};
    EXPECT_EQ(scanner.enclosed(), R"(a="}\"}" b={c<=[2]})");
    EXPECT_EQ(scanner.word(), "x");
    const Source open = Source::text("{a=(1}", "t");
    Scanner unclosed{open};
    EXPECT_EQ(unclosed.enclosed(), "a=(1");
    const Source cut = Source::text("  {a", "t");
    Scanner end{cut};
    EXPECT_THROW(end.enclosed(), InputError);
}

TEST(Scanner, MovesOverAnyValue) {
    const Source source =
        Source::text(R"([2,4]<=[8]T(1,0), {"a":[1,{}]}, "s, t", b01f_01io->b01f, 1x2 next)", "t");
    Scanner scanner{source};
    EXPECT_EQ(scanner.value(), "[2,4]<=[8]T(1,0)");
    scanner.expect(',');
    EXPECT_EQ(scanner.value(), R"({"a":[1,{}]})");
    scanner.expect(',');
    EXPECT_EQ(scanner.value(), R"("s, t")");
    scanner.expect(',');
    EXPECT_EQ(scanner.value(), "b01f_01io->b01f");
    scanner.expect(',');
    EXPECT_EQ(scanner.value(), "1x2");
    EXPECT_EQ(scanner.word(), "next");
    EXPECT_THROW((void)scanner.value(), InputError);
}

// Longer than the pieces in which memory is given back.
TEST(Scanner, MovesOverLiteralsOfAnySize) {
    std::string text = "{ (1, 2),\n";
    while (text.size() < 5'000'000) text += "(3.5, nan),\n";
    const auto lines = static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
    text += "} ), next";
    const Source source = Source::text(text, "t");
    Scanner scanner{source};
    scanner.skip_literal();
    EXPECT_EQ(scanner.line(), lines + 1);
    scanner.expect("),");
    EXPECT_EQ(scanner.word(), "next");
    const Source cut = Source::text("{1, 2", "t");
    Scanner end{cut};
    EXPECT_THROW(end.skip_literal(), InputError);
}

}  // namespace
}  // namespace dse::ir::hlo
