#include "sim/replay/traced_collective.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {
namespace {

using graph::CollectiveKind;
using trace::chakra::CommType;

TEST(TracedCollective, HasTheSizeThatModelsExpect) {
    const TracedCollective gather = traced_collective(CommType::all_gather, 100, 8);
    EXPECT_EQ(gather.kind, CollectiveKind::all_gather);
    EXPECT_EQ(gather.size, Bytes{800}) << "traces say what one rank contributes";
    EXPECT_EQ(traced_collective(CommType::reduce_scatter, 100, 8).size, Bytes{100});
    const TracedCollective barrier = traced_collective(CommType::barrier, 0, 8);
    EXPECT_EQ(barrier.kind, CollectiveKind::all_reduce);
    EXPECT_EQ(barrier.size, Bytes{4});
    EXPECT_THROW(traced_collective(CommType::gather, 100, 8), ModelError);
}

}  // namespace
}  // namespace dse::sim::replay
