// Also tests: row_sorter.cpp, row_blocks.cpp
#include "results/merged_rows.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/row_blocks.hpp"
#include "results/sample_sweep.hpp"
#include "results/shard_source.hpp"

namespace dse::results::test {
namespace {

/// Shards in a folder, each with the records of these points in this order.
Sources shards(const TemporaryFolder& folder, const std::vector<std::vector<std::uint64_t>>& points) {
    Sources sources;
    for (std::size_t s = 0; s < points.size(); ++s) {
        Provenance by = sample_provenance();
        by.host = fmt::format("node{}", s);
        ShardSink sink{folder.path(), sample_schema(), by, static_cast<std::int32_t>(s)};
        for (const std::uint64_t id : points[s]) sink.write(std::vector{sample_record(id)});
        sink.flush();
        sources.push_back(open_shard(sink.path()));
    }
    return sources;
}

std::vector<std::uint64_t> ids(MergedRows& rows) {
    std::vector<std::uint64_t> found;
    for (Row row; rows.next(row);) {
        EXPECT_EQ(row.reason, sample_record(row.point_id).reason);
        EXPECT_EQ(rows.hosts().at(row.host), fmt::format("node{}", row.rank));
        found.push_back(row.point_id);
    }
    return found;
}

TEST(MergedRows, AscendAndGiveEachPointOnce) {
    const TemporaryFolder folder;
    const Sources sources = shards(folder, {{5, 6, 1, 2}, {2, 3}, {6, 0}});
    MergedRows rows{sources, folder.path()};
    EXPECT_THAT(ids(rows), testing::ElementsAre(0, 1, 2, 3, 5, 6));
    EXPECT_EQ(rows.duplicates(), 2U);
}

TEST(MergedRows, AreSortedByAFileWhereRunsAreTooMany) {
    const TemporaryFolder folder;
    std::vector<std::vector<std::uint64_t>> points(2);
    const std::uint64_t count = MergedRows::most_runs;
    for (std::uint64_t id = count; id-- > 0;) {
        points[id % 2].push_back(id);
        if (id % 64 == 0) points[1].push_back(id);
    }
    const Sources sources = shards(folder, points);
    MergedRows rows{sources, folder.path()};
    const std::vector<std::uint64_t> found = ids(rows);
    ASSERT_EQ(found.size(), count);
    for (std::uint64_t id = 0; id < count; ++id) EXPECT_EQ(found[id], id);
    EXPECT_EQ(rows.duplicates(), count / 64);
}

TEST(MergedRows, RefuseTwoAnswers) {
    const TemporaryFolder folder;
    Sources sources = shards(folder, {{1, 2}});
    ShardSink sink{folder.path(), sample_schema(), sample_provenance(), 9};
    space::Record record = sample_record(2);
    record.metrics.mfu = 0.5;
    sink.write(std::vector{record});
    sink.flush();
    sources.push_back(open_shard(sink.path()));
    MergedRows rows{sources, folder.path()};
    Row row;
    EXPECT_TRUE(rows.next(row));
    EXPECT_THROW(rows.next(row), InputError);
}

TEST(RowBlocks, HoldAsManyRowsAsAskedFor) {
    const TemporaryFolder folder;
    const Sources sources = shards(folder, {{0, 1, 2, 3, 4}, {5, 6}});
    RowBlocks blocks{sources, folder.path()};
    Table block = empty_table(sources.front()->header());
    std::vector<std::size_t> sizes;
    std::uint64_t next = 0;
    while (blocks.next(block, 3)) {
        sizes.push_back(block.rows());
        for (std::size_t i = 0; i < block.rows(); ++i) {
            const space::Record record = sample_record(next++);
            EXPECT_EQ(block.point_id[i], record.point.id);
            EXPECT_EQ(block.points[1][i], record.point.values[1]);
            EXPECT_EQ(block.status[i], record.status);
        }
    }
    EXPECT_THAT(sizes, testing::ElementsAre(3, 3, 1));
}

}  // namespace
}  // namespace dse::results::test
