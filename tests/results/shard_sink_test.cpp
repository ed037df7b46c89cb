#include "dse/results/shard_sink.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/sweep_output.hpp"
#include "results/sample_sweep.hpp"
#include "results/small_files.hpp"

namespace dse::results::test {
namespace {

std::filesystem::path shards_of(const TemporaryFolder& folder) {
    return shard_folder(folder.path("out.h5"));
}

Table so_far(const TemporaryFolder& folder) {
    return read_so_far(folder.path("out.h5"));
}

TEST(ShardSink, LeavesNothingWithoutAFlush) {
    const TemporaryFolder folder;
    {
        ShardSink sink{shards_of(folder), sample_schema(), sample_provenance(), 0};
        const std::vector<space::Record> records{sample_record(1)};
        sink.write(records);
        EXPECT_TRUE(sink.path().empty());
    }
    EXPECT_FALSE(std::filesystem::exists(shards_of(folder)));
}

TEST(ShardSink, ShowsRowsToReadersWhileItWrites) {
    const TemporaryFolder folder;
    ShardSink sink{shards_of(folder), sample_schema(), sample_provenance(), 5};
    for (std::uint64_t first = 0; first < 5000; first += 500) {
        write_range(sink, first, first + 500);
        const Table table = so_far(folder);
        ASSERT_EQ(table.rows(), first + 500);
        EXPECT_EQ(table.rank.back(), 5);
        EXPECT_EQ(table.metric("mfu")[first + 1], sample_record(first + 1).metrics.mfu);
    }
    EXPECT_TRUE(std::filesystem::exists(sink.path()));
}

TEST(ShardSink, KeepsLongReasonsWhole) {
    const TemporaryFolder folder;
    ShardSink sink{shards_of(folder), sample_schema(), sample_provenance(), 0};
    std::vector<space::Record> records;
    for (const std::size_t length : {0, 1, 154, 155, 156, 231, 232, 233, 464, 10000}) {
        records.push_back(sample_record(records.size()));
        records.back().reason.assign(length, static_cast<char>('a' + records.size()));
    }
    sink.write(records);
    sink.flush();
    const Table table = so_far(folder);
    ASSERT_EQ(table.rows(), records.size());
    for (std::size_t i = 0; i < records.size(); ++i) EXPECT_EQ(table.reason[i], records[i].reason) << i;
}

TEST(ShardSink, GivesEveryProcessAFileOfItsOwn) {
    const TemporaryFolder folder;
    for (std::uint64_t i = 0; i < 3; ++i) {
        ShardSink sink{shards_of(folder), sample_schema(), sample_provenance(), 0};
        write_range(sink, 10 * i, 10 * i + 10);
    }
    EXPECT_EQ(shards_in(shards_of(folder)).size(), 3U);
    EXPECT_EQ(so_far(folder).rows(), 30U);
}

TEST(ShardSink, RefusesAPlaceThatCannotBeWritten) {
    ShardSink sink{"/proc/no/such/folder", sample_schema(), sample_provenance(), 0};
    EXPECT_THROW(write_range(sink, 0, 1), InputError);
}

TEST(ShardSink, StopsAtTheFirstFailedFlushAndKeepsWhatWasFlushedBefore) {
    const TemporaryFolder folder;
    std::uint64_t flushed = 0;
    {
        ShardSink sink{shards_of(folder), sample_schema(), sample_provenance(), 0};
        const SmallFiles limit{2'000'000};
        try {
            for (;; flushed += 100) write_range(sink, flushed, flushed + 100);
        } catch (const InputError& error) {
            EXPECT_THAT(error.what(), testing::HasSubstr("File too large"));
            EXPECT_THAT(error.what(), testing::HasSubstr("rank-00000"));
        }
        EXPECT_THROW(sink.flush(), InputError);
        EXPECT_THROW(write_range(sink, 0, 1), InputError);
    }
    EXPECT_GT(flushed, 1000U);
    const Table table = so_far(folder);
    ASSERT_GE(table.rows(), flushed);
    for (std::uint64_t id = 0; id < flushed; ++id) EXPECT_EQ(table.point_id[id], id);
}

}  // namespace
}  // namespace dse::results::test
