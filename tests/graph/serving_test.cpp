#include "dse/graph/serving.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

TEST(CacheExtent, OfAPrefillIsThePromptInWholePages) {
    Serving serving;
    serving.output = 500;
    const CacheExtent extent = cache_extent(Mode::prefill, serving, 1000, 1);
    EXPECT_EQ(extent.context, 1000);
    EXPECT_EQ(extent.cached, 1008) << "63 pages of 16 tokens";
}

/// Half-way through 500 tokens after a prompt of 1000; room for all 1500 in 94 pages of 16.
TEST(CacheExtent, OfDecodeLetsEverySequenceRunToItsEnd) {
    Serving serving;
    serving.output = 500;
    const CacheExtent extent = cache_extent(Mode::decode, serving, 1000, 1);
    EXPECT_EQ(extent.context, 1250);
    EXPECT_EQ(extent.cached, 1504);
}

TEST(CacheExtent, TakesTheContextThatIsStated) {
    Serving serving;
    serving.output = 10;
    serving.context = 4096;
    serving.kv_block = 1;
    const CacheExtent extent = cache_extent(Mode::decode, serving, 1000, 1);
    EXPECT_EQ(extent.context, 4096);
    EXPECT_EQ(extent.cached, 4096) << "longer than prompt and output";
}

/// 1000 tokens over 4 ranks: 250 each, in 16 pages of 16 tokens.
TEST(CacheExtent, RoundsEveryRanksPartToPages) {
    EXPECT_EQ(cache_extent(Mode::prefill, Serving{}, 1000, 4).cached, 4 * 256);
}

TEST(StorageOf, FollowsActivationsUnlessStated) {
    EXPECT_EQ(storage_of(CachePrecision::automatic, Precision::fp16), Precision::fp16);
    EXPECT_EQ(storage_of(CachePrecision::fp8, Precision::bf16), Precision::fp8);
    const auto names = choice_names(CachePrecision{});
    for (std::size_t i = 1; i < names.size(); ++i) {
        const Precision storage = storage_of(static_cast<CachePrecision>(i), Precision::fp64);
        EXPECT_EQ(choice_names(storage)[static_cast<std::size_t>(storage)], names[i]);
    }
}

TEST(ServingIsValid, NamesTheFieldThatIsNot) {
    EXPECT_NO_THROW(require_valid(Serving{}));
    Serving serving;
    serving.kv_block = 0;
    try {
        require_valid(serving);
        FAIL() << "accepted";
    } catch (const ModelError& error) {
        EXPECT_STREQ(
            error.what(),
            "kv_block: 0 is out of range: must be between 1 and 1099511627776 (inference: tokens per "
            "page of the cache)");
    }
    serving = {};
    serving.output = -1;
    EXPECT_THROW(require_valid(serving), ModelError);
    serving = {};
    serving.context = std::int64_t{1} << 41;
    EXPECT_THROW(require_valid(serving), ModelError);
}

}  // namespace
}  // namespace dse::graph
