#include "dse/graph/compiler_passes.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::graph {
namespace {

TEST(CompilerPasses, NamesAreThoseOfSweeps) {
    EXPECT_EQ(choice_names(Fusion{})[static_cast<std::size_t>(Fusion::automatic)], "auto");
    EXPECT_EQ(choice_names(Fusion{})[static_cast<std::size_t>(Fusion::full)], "full");
    EXPECT_EQ(choice_names(CollectiveOrder{})[static_cast<std::size_t>(CollectiveOrder::ahead)], "ahead");
}

TEST(CompilerPasses, RefuseNegativeNumbers) {
    CompilerPasses passes;
    EXPECT_NO_THROW(require_valid(passes));
    passes.collectives_ahead = -1;
    EXPECT_THROW(require_valid(passes), ModelError);
    passes = {};
    passes.bucket_size = Bytes{-1};
    EXPECT_THROW(require_valid(passes), ModelError);
}

}  // namespace
}  // namespace dse::graph
