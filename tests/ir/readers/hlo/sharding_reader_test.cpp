#include "ir/readers/hlo/sharding_reader.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::ir::hlo {
namespace {

struct Read {
    Source source;
    Scanner scanner{source};
    Program program;
    ShardingReader reader{scanner, program};
    std::vector<Sharding> leaves;
    explicit Read(const std::string& text) : source{Source::text(text, "t")} {
        leaves = reader.read();
        EXPECT_TRUE(scanner.at_end()) << text;
    }
    [[nodiscard]] std::vector<AxisRef> axes(std::size_t dimension) const {
        return leaves.at(0).dimensions.at(dimension).axes;
    }
};

using Axes = std::vector<AxisRef>;

TEST(ShardingReader, ReadsWords) {
    EXPECT_EQ(Read{"{replicated}"}.leaves[0].kind, Sharding::Kind::tiled);
    EXPECT_TRUE(Read{"{replicated}"}.leaves[0].dimensions.empty());
    EXPECT_EQ(Read{"{manual}"}.leaves[0].kind, Sharding::Kind::manual);
    EXPECT_EQ(Read{"{unknown}"}.leaves[0].kind, Sharding::Kind::unknown);
    EXPECT_EQ(Read{"{maximal device=3}"}.leaves[0].device, 3);
    EXPECT_EQ(Read{"{maximal device=3 metadata={op_name=\"}\"}}"}.leaves[0].kind, Sharding::Kind::maximal);
}

// [2,4]<=[8]: dimension 0 by the slower factor 2 of the 8 devices, dimension 1 by the faster 4.
TEST(ShardingReader, TilesAreParts0fOneAxisOfAllDevices) {
    const Read read{"{devices=[2,4]<=[8]}"};
    EXPECT_EQ(read.program.meshes.at(0).axes.at(0).size, 8);
    EXPECT_EQ(read.axes(0), (Axes{{0, 1, 2}}));
    EXPECT_EQ(read.axes(1), (Axes{{0, 2, 4}}));
    EXPECT_EQ(read.reader.devices(), 8);
}

// [4,2]<=[2,4]T(1,0): the list is transposed, so dimension 0 runs through the faster factor 4.
TEST(ShardingReader, TransposedListsSwapTheParts) {
    const Read read{"{devices=[4,2]<=[2,4]T(1,0)}"};
    EXPECT_EQ(read.axes(0), (Axes{{0, 2, 4}}));
    EXPECT_EQ(read.axes(1), (Axes{{0, 1, 2}}));
}

// [8]<=[2,2,2]T(2,0,1): the fastest factor first, then the two slower ones, which are one part of 4.
TEST(ShardingReader, NeighbouringPartsAreOne) {
    EXPECT_EQ(Read{"{devices=[8]<=[2,2,2]T(2,0,1)}"}.axes(0), (Axes{{0, 4, 2}, {0, 1, 4}}));
}

TEST(ShardingReader, TheLastTilesMayMeanSomethingElse) {
    const Read replicated{"{devices=[2,1,4]<=[8] last_tile_dim_replicate}"};
    EXPECT_EQ(replicated.leaves[0].dimensions.size(), 2U);
    EXPECT_TRUE(replicated.axes(1).empty());
    EXPECT_EQ(Read{"{devices=[1,1,8]<=[8] last_tile_dims={manual}}"}.leaves[0].kind, Sharding::Kind::manual);
    const Read sums{"{devices=[2,4,1]<=[8] last_tile_dims={unreduced, replicated}}"};
    EXPECT_EQ(sums.leaves[0].unreduced, (Axes{{0, 2, 4}}));
    EXPECT_EQ(sums.leaves[0].dimensions.size(), 1U);
}

TEST(ShardingReader, ListsInAnotherOrderHaveAMeshOfTheirOwn) {
    const Read read{"{devices=[2,2]0,3,1,2}"};
    EXPECT_EQ(read.program.meshes.at(0).devices, (std::vector<std::int64_t>{0, 3, 1, 2}));
    EXPECT_EQ(read.axes(1), (Axes{{1, 1, 2}}));
    EXPECT_TRUE(Read{"{devices=[2,2]0,1,2,3}"}.program.meshes.at(0).devices.empty());
    const Read across{"{devices=[3,2]<=[2,3]T(1,0)}"};
    EXPECT_TRUE(across.program.meshes.at(0).devices.empty());
    const Read cut{"{devices=[2,3]<=[3,2]}"};
    EXPECT_EQ(cut.program.meshes.at(0).devices, (std::vector<std::int64_t>{0, 1, 2, 3, 4, 5}));
}

TEST(ShardingReader, ReadsNamedAxes) {
    const Read read{"{mesh['x'=2,'y'=4], [{'y':(1)2, ?}, {}], replicated={'x'}, unreduced={'y':(2)2}}"};
    EXPECT_EQ(read.program.meshes.at(0).axes.at(1).name, "y");
    EXPECT_EQ(read.axes(0), (Axes{{1, 1, 2}}));
    EXPECT_TRUE(read.leaves[0].dimensions[0].open);
    EXPECT_EQ(read.leaves[0].replicated, (Axes{{0, 1, 2}}));
    EXPECT_EQ(read.leaves[0].unreduced, (Axes{{1, 2, 2}}));
}

TEST(ShardingReader, NamedAxesMayLieOverDevicesInAnyOrder) {
    const Read read{"{mesh['x'=2,'y'=2], device_ids=(3,2,1,0), [{'x'}, {}]}"};
    EXPECT_EQ(read.program.meshes.at(0).devices, (std::vector<std::int64_t>{3, 2, 1, 0}));
    EXPECT_EQ(read.axes(0), (Axes{{0, 1, 2}}));
}

TEST(ShardingReader, TuplesHaveOneALeaf) {
    const Read read{"{{devices=[2]<=[2]}, {{replicated}, /*index=2*/{manual}}}"};
    ASSERT_EQ(read.leaves.size(), 3U);
    EXPECT_EQ(read.leaves[2].kind, Sharding::Kind::manual);
    EXPECT_TRUE(Read{"{}"}.leaves.empty());
}

TEST(ShardingReader, RefusesWhatIsNone) {
    for (const char* text :
         {"{replicatd}", "{devices=[2,2]<=[16]}", "{devices=[2]0,1,2}", "{devices=[2", "replicated",
          "{mesh['x'=2], [{'z'}]}", "{devices=[2]<=[2] last_tile_dims={manual,manual}}"})
        EXPECT_THROW(Read{text}, InputError) << text;
}

}  // namespace
}  // namespace dse::ir::hlo
