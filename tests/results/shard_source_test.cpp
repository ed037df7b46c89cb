#include "results/shard_source.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

using dse::test::read_file;
using testing::HasSubstr;

/// A shard with rows 0 to 5 in two batches.
std::string sample_shard(const TemporaryFolder& folder) {
    ShardSink sink{folder.path(), sample_schema(), sample_provenance(), 4};
    write_range(sink, 0, 3);
    write_range(sink, 3, 6);
    return sink.path();
}

/// Ids of the rows that are read; all of them have to be those that were written.
std::vector<std::uint64_t> ids(RowSource& source) {
    std::vector<std::uint64_t> found;
    for (const auto& run : source.runs(1 << 16)) {
        for (Row row; run->next(row);) {
            const space::Record record = sample_record(row.point_id);
            EXPECT_EQ(row.status, record.status);
            EXPECT_EQ(row.reason, record.reason);
            for (std::size_t i = 0; i < record.point.values.size(); ++i) {
                EXPECT_EQ(row.values[i], record.point.values[i]);
            }
            EXPECT_EQ(row.rank, 4);
            found.push_back(row.point_id);
        }
    }
    return found;
}

TEST(ShardSource, GivesBackWhatWasWritten) {
    const TemporaryFolder folder;
    const auto source = open_shard(sample_shard(folder));
    EXPECT_EQ(source->scan().rows, 6U);
    EXPECT_EQ(source->scan().lost, 0U);
    EXPECT_EQ(source->count_runs(), 1U);
    EXPECT_THAT(source->scan().covered.intervals(), testing::ElementsAre(Interval{0, 6}));
    EXPECT_THAT(ids(*source), testing::ElementsAre(0, 1, 2, 3, 4, 5));
    EXPECT_THAT(source->hosts(), testing::ElementsAre("node7"));
    EXPECT_TRUE(differences(source->header().schema, sample_schema()).empty());
}

// The header included, which stands twice.
TEST(ShardSource, LosesAtMostTheRecordThatAFlippedBitHits) {
    const TemporaryFolder folder;
    const std::string good = read_file(sample_shard(folder));
    for (std::size_t byte = 0; byte < good.size(); byte += 5) {
        std::string bad = good;
        bad[byte] = static_cast<char>(bad[byte] ^ (1 << (byte % 8)));
        const auto source = open_shard(folder.write("bad.rows", bad));
        ASSERT_EQ(source->scan().lost, 1U) << byte;
        ASSERT_GE(ids(*source).size(), 5U) << byte;
        // What is covered is there: of indices whose row is lost, none is.
        const std::uint64_t covered = source->scan().covered.count();
        ASSERT_EQ(covered, ids(*source).size()) << byte;
    }
}

TEST(ShardSource, CannotBeOpenedWithoutItsHeader) {
    const TemporaryFolder folder;
    std::string bytes = read_file(sample_shard(folder));
    for (const char* content : {"", "torn", "\x89HDF\r\n\x1a\n"}) {
        EXPECT_THROW(open_shard(folder.write("bad.rows", content)), InputError);
    }
    const std::size_t second = bytes.find("rank-00004", bytes.find("rank-00004") + 1);
    bytes[bytes.find("rank-00004")] ^= 1;
    bytes[second] ^= 1;
    EXPECT_THROW(open_shard(folder.write("bad.rows", bytes)), InputError);
    EXPECT_THROW(open_shard(folder.path("missing.rows")), InputError);
}

TEST(ShardSource, BelievesNoRecordOfAnotherShard) {
    const TemporaryFolder folder;
    const std::string one = read_file(sample_shard(folder));
    const std::string other = read_file(sample_shard(folder));
    const auto source = open_shard(folder.write("both.rows", one + other));
    EXPECT_EQ(source->scan().rows, 6U);
}

TEST(ShardSource, FindsTheRunsOfPointsInAnyOrder) {
    const TemporaryFolder folder;
    ShardSink sink{folder.path(), sample_schema(), sample_provenance(), 4};
    for (const std::uint64_t first : {40, 10, 20}) write_range(sink, first, first + 5);
    const auto source = open_shard(sink.path());
    EXPECT_EQ(source->count_runs(), 2U);
    EXPECT_EQ(ids(*source).size(), 15U);
    const auto rows = source->rows_as_written(1 << 16);
    Row row;
    ASSERT_TRUE(rows->next(row));
    EXPECT_EQ(row.point_id, 40U);
}

}  // namespace
}  // namespace dse::results::test
