#include "dse/graph/buffer.hpp"

#include <set>
#include <string_view>

#include <gtest/gtest.h>

namespace dse::graph {
namespace {

// Results name their memory columns by these.
TEST(Buffer, EveryKindHasItsOwnName) {
    EXPECT_EQ(name(MemoryKind::parameters), "parameters");
    EXPECT_EQ(name(MemoryKind::gradients), "gradients");
    EXPECT_EQ(name(MemoryKind::optimizer), "optimizer");
    EXPECT_EQ(name(MemoryKind::activations), "activations");
    EXPECT_EQ(name(MemoryKind::communication), "communication");
    EXPECT_EQ(name(MemoryKind::workspace), "workspace");
    EXPECT_EQ(name(host_memory), "host");
    std::set<std::string_view> names{name(host_memory)};
    for (std::size_t kind = 0; kind < memory_kind_count; ++kind) {
        names.insert(name(static_cast<MemoryKind>(kind)));
    }
    EXPECT_EQ(names.size(), memory_kind_count + 1);
    EXPECT_FALSE(names.contains(""));
}

TEST(Buffer, HoldsNothingAtFirst) {
    EXPECT_EQ(Buffer{}.size, Bytes{0});
}

}  // namespace
}  // namespace dse::graph
