#include "dse/config/require_kind.hpp"

#include <gtest/gtest.h>

#include "support/yaml.hpp"

namespace dse::config {
namespace {

TEST(RequireKind, ReportsAnotherKindAtItsPlace) {
    Diagnostics diagnostics;
    const Node root = test::parse_right("blocks: [a, b]\n");
    EXPECT_TRUE(require_kind(root, Node::Kind::map, "a map", diagnostics));
    EXPECT_TRUE(diagnostics.ok());
    EXPECT_FALSE(require_kind(*root.find("blocks"), Node::Kind::map, "a map of blocks", diagnostics));
    EXPECT_EQ(diagnostics.text(), "t.yaml:1:9: error: blocks: expected a map of blocks, found a list of 2");
}

}  // namespace
}  // namespace dse::config
