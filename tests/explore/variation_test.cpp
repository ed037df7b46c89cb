#include "explore/variation.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

TEST(Variation, AChildHasItsAxesFromItsParentsButForAFew) {
    std::string axes = "axes: {";
    for (int i = 0; i < 12; ++i) axes += fmt::format("a{}: {{from: 1, to: 100}}, ", i);
    Walked walked{axes + "}"};
    const Genome a(12, 10);
    const Genome b(12, 90);
    std::size_t changed = 0;
    std::size_t from_b = 0;
    constexpr std::size_t children = 500;
    for (std::size_t i = 0; i < children; ++i) {
        const auto child = claim_child(walked.knowledge, a, b);
        ASSERT_TRUE(child);
        for (const std::uint64_t digit : *child) {
            from_b += digit == 90 ? 1 : 0;
            changed += digit != 10 && digit != 90 ? 1 : 0;
        }
    }
    // One axis in twelve is changed; nine children in ten have half of their axes from b.
    EXPECT_NEAR(static_cast<double>(changed) / children, 1.0, 0.2);
    EXPECT_NEAR(static_cast<double>(from_b) / children, 12 * 0.9 * 0.5 * 11.0 / 12.0, 0.5);
}

TEST(Variation, GivesUpWhereAllIsKnown) {
    Walked walked{"axes: {a: [1, 2], b: [x, y]}"};
    std::set<Genome> children;
    while (const auto child = claim_child(walked.knowledge, {0, 0}, {1, 1})) children.insert(*child);
    EXPECT_EQ(children.size(), 4U);
    Walked point{"axes: {a: [1]}"};
    EXPECT_EQ(claim_child(point.knowledge, {0}, {0}), Genome{0});
    EXPECT_FALSE(claim_child(point.knowledge, {0}, {0}));
}

}  // namespace
}  // namespace dse::explore::test
