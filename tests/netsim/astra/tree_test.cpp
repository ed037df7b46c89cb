#include "netsim/astra/tree.hpp"

#include <gtest/gtest.h>

namespace dse::netsim {
namespace {

constexpr std::int64_t none = AstraTreePlace::none;

void expect_place(const AstraTreePlace& place, std::int64_t parent, std::int64_t left, std::int64_t right) {
    EXPECT_EQ(place.parent, parent);
    EXPECT_EQ(place.left, left);
    EXPECT_EQ(place.right, right);
}

TEST(AstraTree, the_first_tree_has_the_last_member_as_root) {
    // Below the root 7 the perfect tree of 0..6 in order: 3 over 1 and 5, these over 0, 2 and 4, 6.
    expect_place(place_in_tree(7, 8, false), none, 3, none);
    expect_place(place_in_tree(3, 8, false), 7, 1, 5);
    expect_place(place_in_tree(1, 8, false), 3, 0, 2);
    expect_place(place_in_tree(5, 8, false), 3, 4, 6);
    expect_place(place_in_tree(2, 8, false), 1, none, none);
    expect_place(place_in_tree(4, 8, false), 5, none, none);
}

TEST(AstraTree, the_second_tree_has_the_first_member_as_root) {
    expect_place(place_in_tree(0, 8, true), none, 4, none);
    expect_place(place_in_tree(4, 8, true), 0, 2, 6);
    expect_place(place_in_tree(7, 8, true), 6, none, none);
    expect_place(place_in_tree(0, 2, true), none, 1, none);
    expect_place(place_in_tree(1, 2, true), 0, none, none);
}

TEST(AstraTree, children_and_parents_agree_at_every_size) {
    for (std::int64_t nodes = 2; nodes <= 256; nodes *= 2) {
        for (const bool root_first : {false, true}) {
            std::int64_t edges = 0;
            for (std::int64_t i = 0; i < nodes; ++i) {
                const AstraTreePlace place = place_in_tree(i, nodes, root_first);
                for (const std::int64_t child : {place.left, place.right}) {
                    if (child == none) continue;
                    ++edges;
                    ASSERT_EQ(place_in_tree(child, nodes, root_first).parent, i);
                }
            }
            ASSERT_EQ(edges, nodes - 1);
        }
    }
}

}  // namespace
}  // namespace dse::netsim
