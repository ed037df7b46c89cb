#include "explore/lattice.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

TEST(Lattice, KnowsWhichAxesHaveAnOrderAndWhichAreFree) {
    const Lattice lattice{
        space::parse_space("axes: {n: [1, 2, 4], name: [a, b], on: [true, false], one: [7], x: {from: 0.0, "
                           "to: 1.0, count: 5}}")};
    EXPECT_EQ(lattice.axes(), 5U);
    EXPECT_EQ(lattice.count(4), 5U);
    EXPECT_TRUE(lattice.is_ordered(0));
    EXPECT_FALSE(lattice.is_ordered(1));
    EXPECT_FALSE(lattice.is_ordered(2));
    EXPECT_TRUE(lattice.is_ordered(4));
    EXPECT_EQ(lattice.free_axes(), (std::vector<std::size_t>{0, 1, 2, 4}));
}

TEST(Lattice, GenomesAndIdsAreTheDigitsOfAnIndexInTheGrid) {
    const Lattice lattice{space::parse_space("axes: {a: [1, 2, 3], b: [1, 2], c: [1, 2, 3, 4]}")};
    // 13 = 1 · 8 + 1 · 4 + 1.
    EXPECT_EQ(lattice.genome_of(13), (Genome{1, 1, 1}));
    for (std::uint64_t id = 0; id < 24; ++id) EXPECT_EQ(lattice.id_of(lattice.genome_of(id)), id);
}

TEST(Lattice, SettlesAPointWithWhatIsDerived) {
    const Lattice lattice{
        space::parse_space("axes: {a: [1, 2, 3], b: [1, 2]}\nderive: {c: a * b}\nrequire: [c != 4]")};
    space::Point point;
    Genome genome{2, 1};
    EXPECT_TRUE(lattice.settle(genome, point));
    EXPECT_EQ(point.values, (std::vector<double>{3, 2, 6}));
    genome = {1, 1};
    EXPECT_FALSE(lattice.settle(genome, point)) << "2 · 2 is left out";
}

TEST(Lattice, DrawsEveryPointOfTheGrid) {
    const Lattice lattice{space::parse_space("axes: {a: [1, 2, 3], b: [1, 2]}")};
    Random random{5};
    std::set<Genome> drawn;
    for (int i = 0; i < 100; ++i) drawn.insert(lattice.draw(random));
    EXPECT_EQ(drawn.size(), 6U);
}

TEST(Lattice, RefusesARangeWithoutSteps) {
    EXPECT_THROW(
        Lattice{space::parse_space("axes: {x: {from: 0.0, to: 1.0}}\nsearch: {method: random, budget: 3}")},
        InputError);
}

}  // namespace
}  // namespace dse::explore::test
