#include "dse/sim/replay/dependency_table.hpp"

#include <gmock/gmock.h>

#include "dse/base/error.hpp"
#include "support/hand_trace.hpp"

namespace dse::sim::replay {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

TEST(DependencyTable, knows_who_waits_and_who_goes_first) {
    test::HandTrace hand;
    hand.recorded(30, 1).recorded(10, 1, {30, 30, 20}).recorded(20, 1, {30});
    const auto rank = hand.build();
    const DependencyTable table{rank};
    EXPECT_EQ(table.waits(0), 0U);
    EXPECT_EQ(table.waits(1), 2U) << "node 30 counts once";
    EXPECT_THAT(table.children(0), ElementsAre(1, 2));
    EXPECT_THAT(table.children(2), ElementsAre(1));
    // By id: 10, 20, 30.
    EXPECT_EQ(table.place(0), 2U);
    EXPECT_EQ(table.at_place(0), 1U);
    EXPECT_EQ(table.at_place(1), 2U);
}

TEST(DependencyTable, leaves_out_control_where_it_is_told_to) {
    test::HandTrace hand;
    hand.recorded(0, 1).recorded(1, 1, {0}).control({0}).recorded(2, 1, {1});
    const auto rank = hand.build();
    EXPECT_EQ(DependencyTable{rank}.waits(2), 2U);
    EXPECT_EQ((DependencyTable{rank, {}, Dependencies::data}.waits(2)), 1U);
}

TEST(DependencyTable, names_a_circle) {
    test::HandTrace hand;
    hand.recorded(1, 1).recorded(2, 1, {1, 4}).recorded(3, 1, {2}).recorded(4, 1, {3}).recorded(5, 1, {4});
    const auto rank = hand.build("a.7.et");
    try {
        const DependencyTable table{rank};
        FAIL() << "2, 3 and 4 wait for each other";
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), HasSubstr("a.7.et"));
        for (const char* member : {"node 2 ", "node 3 ", "node 4 "}) {
            EXPECT_THAT(error.what(), HasSubstr(member));
        }
        EXPECT_THAT(error.what(), testing::Not(HasSubstr("node 5 ")));
    }
}

}  // namespace
}  // namespace dse::sim::replay
