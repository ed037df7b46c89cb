#include "dse/base/id.hpp"

#include <type_traits>
#include <unordered_set>

#include <gtest/gtest.h>

namespace dse {
namespace {

using NodeId = Id<struct NodeTag>;
using StreamId = Id<struct StreamTag>;

static_assert(!std::is_convertible_v<NodeId, StreamId>);
static_assert(!std::is_constructible_v<NodeId, StreamId>);
static_assert(!std::is_convertible_v<std::size_t, NodeId>, "an index is no id until somebody says so");
static_assert(sizeof(NodeId) == 4, "graphs hold many of them");
static_assert(NodeId{7}.index() == 7);

TEST(Id, ComparesByIndex) {
    EXPECT_EQ(NodeId{3}, NodeId{3});
    EXPECT_LT(NodeId{3}, NodeId{4});
    EXPECT_EQ(NodeId{}.index(), 0U);
}

TEST(Id, LargestIndexSurvives) {
    EXPECT_EQ(NodeId{4294967295U}.index(), 4294967295U);
}

#ifndef NDEBUG
TEST(Id, IndexBeyond32BitsIsABug) {
    EXPECT_THROW((void)NodeId{4294967296U}, ContractViolation);
}
#endif

TEST(Id, HashesDistinctly) {
    std::unordered_set<NodeId> ids;
    for (std::size_t i = 0; i < 100; ++i) ids.insert(NodeId{i % 10});
    EXPECT_EQ(ids.size(), 10U);
}

}  // namespace
}  // namespace dse
