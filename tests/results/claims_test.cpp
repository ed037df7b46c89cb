#include "results/claims.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::results {
namespace {

using testing::ElementsAre;

IntervalSet covered(const std::vector<std::uint64_t>& rows, const std::vector<Coverage>& ranges) {
    Claims claims;
    for (const std::uint64_t id : rows) claims.add_row(id);
    for (const Coverage& range : ranges) claims.add_claim(range);
    return claims.take();
}

TEST(Claims, CountWhereTheirRowsAreThere) {
    EXPECT_THAT(covered({1, 5}, {{0, 10, 2}}).intervals(), ElementsAre(Interval{0, 10}));
    EXPECT_THAT(covered({}, {{7, 3, 0}}).intervals(), ElementsAre(Interval{7, 10}));
    // In any order, and each point once however many rows it has.
    EXPECT_THAT(covered({5, 1, 5}, {{0, 10, 2}}).intervals(), ElementsAre(Interval{0, 10}));
}

TEST(Claims, LeaveTheirRowsWhereOneIsMissing) {
    EXPECT_THAT(covered({1, 5}, {{0, 10, 3}}).intervals(), ElementsAre(Interval{1, 2}, Interval{5, 6}));
    EXPECT_THAT(covered({5, 5}, {{0, 10, 2}}).intervals(), ElementsAre(Interval{5, 6}));
    EXPECT_THAT(covered({3, 50}, {{0, 40, 2}, {45, 10, 1}}).intervals(),
                ElementsAre(Interval{3, 4}, Interval{45, 55}));
}

TEST(Claims, AreAboutTheRowsOfTheirBatch) {
    Claims claims;
    claims.add_row(1);
    claims.add_claim({0, 2, 1});
    claims.add_row(2);
    claims.add_claim({0, 4, 2});  // row 1 belongs to the batch before
    EXPECT_THAT(claims.take().intervals(), ElementsAre(Interval{0, 3}));
}

TEST(Claims, KeepRowsWithoutAny) {
    EXPECT_THAT(covered({4, 5, 9}, {}).intervals(), ElementsAre(Interval{4, 6}, Interval{9, 10}));
}

TEST(Claims, ThatAreNoRangeAreNotBelieved) {
    EXPECT_THAT(covered({4}, {{4, UINT64_MAX, 0}}).intervals(), ElementsAre(Interval{4, 5}));
}

}  // namespace
}  // namespace dse::results
