#include <gtest/gtest.h>

#include "frontend/template/one_line.hpp"

namespace dse::frontend {
namespace {

/// b 2, s 4, n 4 heads; keys of h 8 without and k 2 with a position, values of d 3, low rank f 10. What is
/// cached of a token is 10 + 2 wide.
class AbsorbedAttention : public test::OneLine, public testing::Test {
  protected:
    AbsorbedAttention() {
        mode = graph::Mode::decode;
        declare("q", {"b", "s", "n*(h + k)"});
        declare("kv_low", {"b", "s", "f"});
        declare("k_rope", {"b", "s", "k"});
        parameter("w_kv_up", {"f", "n*(h + d)"});
    }
};

TEST_F(AbsorbedAttention, CachesALatentVectorAndTheSharedKeys) {
    const auto operation = read("c = latent_cache(kv_low, k_rope)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 12}));
    EXPECT_EQ(tensor(operation->results[0].tensor).role, TensorRole::cache);
    ASSERT_TRUE(operation->resident);
    EXPECT_EQ(shape(operation->resident->tensor), (std::vector<double>{served, cached, 12}));
    EXPECT_EQ(tensor(operation->resident->tensor).storage, Storage::cache);
    EXPECT_EQ(operation->whole, "srp") << "every tensor-parallel rank has all of it";
    EXPECT_EQ(operation->context_split, "s");
}

/// A product a head: 2·b·s·n·8·10 = 2·8·4·80 FLOP; of the weight, the 8 of 11 columns that make keys.
TEST_F(AbsorbedAttention, DrawsTheKeysWeightIntoQueries) {
    const auto operation = read("ql = latent_query(q, w_kv_up, heads=n, nope=h, rope=k, value=d)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 48})) << "4 (10 + 2)";
    EXPECT_DOUBLE_EQ(model_flop(operation->forward), 2.0 * 8 * 4 * 80);
    EXPECT_DOUBLE_EQ(operation->forward.reads[1].passes, 8.0 / 11);
    EXPECT_EQ(letters(operation->indivisible), "o");
    EXPECT_TRUE(operation->backward.empty());
}

/// Two products over all that is cached, of width 12 and 10: 2·b·s·context·n·(12 + 10).
TEST_F(AbsorbedAttention, AttendsToWhatIsCached) {
    ASSERT_TRUE(read("c = latent_cache(kv_low, k_rope)")) << errors();
    ASSERT_TRUE(read("ql = latent_query(q, w_kv_up, heads=n, nope=h, rope=k, value=d)")) << errors();
    const auto operation = read("z = latent_cached_attention(ql, c, heads=n, rank=f)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 40}));
    EXPECT_DOUBLE_EQ(model_flop(operation->forward), 2.0 * 8 * context * 4 * 22);
    EXPECT_EQ(operation->forward.kernels, 4.0) << "it is split along the context";
    ASSERT_EQ(operation->cached.size(), 1U);
    EXPECT_EQ(shape(operation->cached[0].tensor), (std::vector<double>{2, context, 12}))
        << "once for all heads";
    EXPECT_EQ(operation->forward.reads[1].tensor, operation->cached[0].tensor);
}

/// Of 3 tokens that an indexer chose: 2·b·s·3·n·(12 + 10).
TEST_F(AbsorbedAttention, AttendsToWhatWasSelected) {
    ASSERT_TRUE(read("c = latent_cache(kv_low, k_rope)")) << errors();
    ASSERT_TRUE(read("ql = latent_query(q, w_kv_up, heads=n, nope=h, rope=k, value=d)")) << errors();
    const auto operation = read("z = latent_cached_attention(ql, c, heads=n, rank=f, selected=3)");
    ASSERT_TRUE(operation) << errors();
    ASSERT_LT(3, context);
    EXPECT_DOUBLE_EQ(model_flop(operation->forward), 2.0 * 8 * 3 * 4 * 22);
    EXPECT_EQ(shape(operation->cached[0].tensor), (std::vector<double>{2, 3, 12}));
}

TEST_F(AbsorbedAttention, MakesValuesOfWhatItTook) {
    declare("z", {"b", "s", "n*f"});
    const auto operation = read("y = latent_values(z, w_kv_up, heads=n, nope=h, value=d)");
    ASSERT_TRUE(operation) << errors();
    EXPECT_EQ(shape(operation->results[0].tensor), (std::vector<double>{2, 4, 12}));
    EXPECT_DOUBLE_EQ(model_flop(operation->forward), 2.0 * 8 * 4 * 10 * 3);
    EXPECT_DOUBLE_EQ(operation->forward.reads[1].passes, 3.0 / 11);
}

TEST_F(AbsorbedAttention, SaysWhatDoesNotFit) {
    EXPECT_FALSE(read("z = latent_cached_attention(q, kv_low, heads=n, rank=f)"));
    EXPECT_NE(errors().find("'kv_low' is not a part of the cache"), std::string::npos) << errors();
    EXPECT_FALSE(read("ql = latent_query(q, w_kv_up, heads=n, nope=h, rope=k, value=k)"));
    EXPECT_NE(errors().find("'w_kv_up' is 44, but heads (nope + value) is 40"), std::string::npos)
        << errors();
    mode = graph::Mode::training;
    EXPECT_FALSE(read("c = latent_cache(kv_low, k_rope)"));
    EXPECT_NE(errors().find("latent_cache: has no backward pass"), std::string::npos) << errors();
}

}  // namespace
}  // namespace dse::frontend
