#include "dse/graph/adapter.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

TEST(Adapter, NamesAreThoseOfSweeps) {
    EXPECT_EQ(choice_names(FrozenWeights{})[static_cast<std::size_t>(FrozenWeights::compute)], "compute");
    EXPECT_EQ(choice_names(FrozenWeights{})[static_cast<std::size_t>(FrozenWeights::nf4)], "nf4");
}

TEST(Adapter, RefusesNegativeRanks) {
    Adapter adapter;
    EXPECT_FALSE(adapter.on());
    EXPECT_NO_THROW(require_valid(adapter));
    adapter.rank = 16;
    EXPECT_TRUE(adapter.on());
    EXPECT_NO_THROW(require_valid(adapter));
    adapter.rank = -1;
    EXPECT_THROW(require_valid(adapter), ModelError);
}

}  // namespace
}  // namespace dse::graph
