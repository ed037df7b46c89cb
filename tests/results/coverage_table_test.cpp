#include "results/coverage_table.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

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

TEST(RowCounter, CountsTheRowsOfEachRange) {
    RowCounter counter{IntervalSet{{{0, 3}, {5, 10}, {20, 21}}}};
    for (const std::uint64_t id : {0, 2, 3, 5, 9, 10, 15}) counter.add(id);
    EXPECT_THAT(counter.ranges(), ElementsAre(Coverage{0, 3, 2}, Coverage{5, 5, 2}, Coverage{20, 1, 0}));
}

}  // namespace
}  // namespace dse::results
