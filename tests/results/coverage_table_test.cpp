#include "results/coverage_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include "results/hdf5/dataset.hpp"
#include "support/temporary_folder.hpp"

namespace dse::results {
namespace {

using testing::ElementsAre;

TEST(CoverageTable, GivesBackRangesInOrder) {
    const dse::test::TemporaryFolder folder;
    const std::string path = folder.path("a.h5");
    {
        h5::File file = h5::File::create(path);
        write_coverage(file, {{50, 10, 10}, {0, 40, 3}, {4, UINT64_MAX, 0}});
        file.close();
    }
    // The last one is no range.
    EXPECT_THAT(read_coverage(h5::File::open(path)), ElementsAre(Coverage{0, 40, 3}, Coverage{50, 10, 10}));
}

// A chunk is filled up and compressed whole: one of 16,384 ranges is most of the work of a short run's file.
TEST(CoverageTable, HasAChunkNoLargerThanItsRanges) {
    const dse::test::TemporaryFolder folder;
    h5::File file = h5::File::create(folder.path("a.h5"));
    write_coverage(file, {{0, 40, 3}, {50, 10, 10}});
    const h5::Dataset data = h5::Dataset::open(file, "coverage");
    const h5::Handle list{H5Dget_create_plist(data.id()), H5Pclose};
    hsize_t chunk = 0;
    ASSERT_EQ(H5Pget_chunk(list.id(), 1, &chunk), 1);
    EXPECT_EQ(chunk, 2U);
    EXPECT_EQ(h5::chunk_for(0, 10), 1U);
    EXPECT_EQ(h5::chunk_for(11, 10), 10U);
}

TEST(RowCounter, CountsTheRowsOfEachRange) {
    RowCounter counter{IntervalSet{{{0, 3}, {5, 10}, {20, 21}}}};
    for (const std::uint64_t id : {0, 2, 3, 5, 9, 10, 15}) counter.add(id);
    EXPECT_THAT(counter.ranges(), ElementsAre(Coverage{0, 3, 2}, Coverage{5, 5, 2}, Coverage{20, 1, 0}));
}

}  // namespace
}  // namespace dse::results
