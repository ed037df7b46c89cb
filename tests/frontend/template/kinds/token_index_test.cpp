#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

/// b 2, s 4: queries of 3, an indexer of n 4 heads of h 8.
class TokenIndex : public test::OneLine, public testing::Test {
  protected:
    TokenIndex() {
        declare("q0", {"b", "s", "d"});
        declare("index_q", {"b", "s", "n*h"});
        declare("weights", {"b", "s", "n"});
        declare("index_k", {"b", "s", "h"});
    }
};

/// 2·b·s·context·n·h in decode, whose keys are cached; half of 2·b·s·s·n·h of a prompt.
TEST_F(TokenIndex, ComparesWithAllTokensBefore) {
    mode = graph::Mode::decode;
    const auto decode = read("q = token_index(q0, index_q, weights, index_k, heads=n)");
    ASSERT_TRUE(decode) << errors();
    EXPECT_EQ(shape(decode->results[0].tensor), (std::vector<double>{2, 4, 3}))
        << "the queries that it chose for";
    EXPECT_DOUBLE_EQ(model_flop(decode->forward), 2.0 * 2 * 4 * context * 4 * 8);
    ASSERT_EQ(decode->cached.size(), 1U);
    EXPECT_EQ(shape(decode->cached[0].tensor), (std::vector<double>{2, context, 8}));
    EXPECT_TRUE(decode->backward.empty());
}

TEST_F(TokenIndex, OfAPromptIsCausal) {
    mode = graph::Mode::prefill;
    const auto prefill = read("q = token_index(q0, index_q, weights, index_k, heads=n)");
    ASSERT_TRUE(prefill) << errors();
    EXPECT_DOUBLE_EQ(model_flop(prefill->forward), 2.0 * 2 * 4 * 4 * 4 * 8 / 2);
}

TEST_F(TokenIndex, SaysWhatDoesNotFit) {
    EXPECT_FALSE(read("q = token_index(q0, index_q, weights, index_k, heads=n)"));
    EXPECT_NE(errors().find("has no backward pass"), std::string::npos) << errors();
    mode = graph::Mode::decode;
    EXPECT_FALSE(read("q = token_index(q0, index_q, weights, index_k, heads=h)"));
    EXPECT_NE(errors().find("the last dimension of 'weights' is 4, but heads is 8"), std::string::npos)
        << errors();
}

}  // namespace
}  // namespace dse::frontend
