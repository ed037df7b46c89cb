#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

using test::OneLine;

OneLine sequences() {
    OneLine line;
    line.declare("x", {"b", "s", "h"});
    line.parameter("w", {"h"});
    return line;
}

TEST(Tokens, PrependMakesASequenceOneLonger) {
    OneLine line = sequences();
    const auto operation = line.read("y = prepend(x, w)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 5, 8}));
    EXPECT_EQ(operation->whole, "s") << "the new token lies on one device only where all tokens do";
    EXPECT_EQ(line.uses(operation->backward[0].reads), "d_y");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x d_w");
}

TEST(Tokens, FirstTokenTouchesNoOtherButToZeroItsGradient) {
    OneLine line = sequences();
    const auto operation = line.read("y = first_token(x)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 8}));
    EXPECT_EQ(line.uses(operation->forward.reads), "x*0");
    EXPECT_EQ(line.uses(operation->forward.writes), "y*2");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x");
}

TEST(Tokens, GatherTokensReadsAsManyAsItWrites) {
    OneLine line = sequences();
    const auto operation = line.read("y = gather_tokens(x, tokens=s/2)");
    ASSERT_TRUE(operation) << line.errors();
    EXPECT_EQ(line.shape(operation->results[0].tensor), (std::vector<double>{2, 2, 8}));
    EXPECT_EQ(operation->whole, "s");
    EXPECT_EQ(line.uses(operation->forward.reads), "x*0");
    EXPECT_EQ(line.uses(operation->forward.writes), "y*2");
    EXPECT_EQ(line.uses(operation->backward[0].writes), "d_x");
}

TEST(Tokens, RefuseWhatIsNoSequence) {
    OneLine line = sequences();
    line.parameter("long", {"f"});
    EXPECT_FALSE(line.read("y = prepend(x, long)"));
    EXPECT_NE(line.errors().find("'long' is f = 10, but h = 8 is needed"), std::string::npos)
        << line.errors();
    EXPECT_FALSE(line.read("y = gather_tokens(x)"));
    EXPECT_NE(line.errors().find("tokens"), std::string::npos) << line.errors();
    OneLine flat;
    flat.declare("x", {"b", "h"});
    EXPECT_FALSE(flat.read("y = first_token(x)"));
    EXPECT_NE(flat.errors().find("'x' has 2 dimensions, not 3"), std::string::npos) << flat.errors();
}

}  // namespace
}  // namespace dse::frontend
