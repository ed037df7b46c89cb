#include "dse/netsim/astra/links.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "netsim/astra/small_systems.hpp"

namespace dse::netsim {
namespace {

TEST(AstraLinks, a_message_waits_for_the_one_before_it) {
    AstraLinks links{line_of(DimensionKind::ring, 4, Algorithm::ring, 7.0)};
    const AstraLinks::Departure* first = links.offer({0, 1, 100, 0}, 50);
    ASSERT_NE(first, nullptr);
    EXPECT_EQ(first->arrives, 157);
    EXPECT_EQ(first->frees_link, 150);
    EXPECT_EQ(links.offer({0, 1, 20, 1}, 60), nullptr);
    const AstraLinks::Departure* second = links.free(0, 1, 150);
    ASSERT_NE(second, nullptr);
    EXPECT_EQ(second->journey.message, 1);
    EXPECT_EQ(second->arrives, 177);
    EXPECT_EQ(links.free(0, 1, 170), nullptr);
}

TEST(AstraLinks, both_directions_are_links_of_their_own) {
    AstraLinks links{line_of(DimensionKind::ring, 4, Algorithm::ring)};
    EXPECT_NE(links.offer({0, 1, 100, 0}, 0), nullptr);
    EXPECT_NE(links.offer({1, 0, 100, 1}, 0), nullptr);
}

TEST(AstraLinks, a_ring_is_passed_the_shorter_way_clockwise_on_a_tie) {
    AstraLinks links{line_of(DimensionKind::ring, 6, Algorithm::ring)};
    EXPECT_EQ(links.offer({0, 5, 1, 0}, 0)->next, 5);
    EXPECT_EQ(links.offer({0, 3, 1, 0}, 0)->next, 1);
    EXPECT_EQ(links.offer({2, 0, 1, 0}, 0)->next, 1);
}

TEST(AstraLinks, a_switch_passes_on_whole_messages) {
    AstraLinks links{line_of(DimensionKind::switched, 4, Algorithm::ring)};
    const AstraLinks::Departure* up = links.offer({1, 3, 10, 0}, 0);
    EXPECT_EQ(up->next, 4);
    EXPECT_EQ(up->arrives, 10);
    const AstraLinks::Departure* down = links.offer(up->journey, 10);
    EXPECT_EQ(down->next, 3);
    EXPECT_EQ(down->arrives, 20);
}

TEST(AstraLinks, have_one_dimension) {
    AstraSystem system;
    system.add({DimensionKind::ring, 4, 1.0, 0.0});
    system.add({DimensionKind::ring, 4, 1.0, 0.0});
    EXPECT_THROW(AstraLinks{system}, ModelError);
}

}  // namespace
}  // namespace dse::netsim
