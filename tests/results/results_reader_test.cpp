#include "dse/results/results_reader.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "results/finished_sample.hpp"

namespace dse::results::test {
namespace {

using Extent = ResultsReader::Extent;

TEST(ResultsReader, GivesRowsInBlocks) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    const std::uint64_t rows = 40'000;  // more than two blocks
    ShardSink sink{shard_folder(file), sample_schema(rows), sample_provenance(), 0};
    write_range(sink, 0, rows);
    ResultsReader reader{file, Extent::so_far};
    Table block = reader.columns();
    EXPECT_EQ(block.rows(), 0U);
    std::uint64_t next = 0;
    std::size_t largest = 0;
    while (reader.next(block)) {
        largest = std::max(largest, block.rows());
        for (const std::uint64_t id : block.point_id) EXPECT_EQ(id, next++);
    }
    EXPECT_EQ(next, rows);
    EXPECT_LT(largest, rows / 2);
    EXPECT_FALSE(reader.next(block));
}

TEST(ResultsReader, ReadsARunningSweepTogetherWithWhatIsFinished) {
    const TemporaryFolder folder;
    finished_file(folder, 500);
    const std::string file = folder.path("good.h5");
    ShardSink sink{shard_folder(file), sample_schema(), sample_provenance(), 0};
    write_range(sink, 400, 700);
    folder.write("good.h5.shards/rank-00009-torn.rows", "torn");
    std::uint64_t so_far = 0;
    ResultsReader{file, Extent::so_far}.each([&](const Table& block) { so_far += block.rows(); });
    EXPECT_EQ(so_far, 700U);
    std::uint64_t finished = 0;
    ResultsReader{file, Extent::finished}.each([&](const Table& block) { finished += block.rows(); });
    EXPECT_EQ(finished, 500U);
    EXPECT_THROW(ResultsReader(folder.path("nothing.h5"), Extent::so_far), InputError);
}

TEST(ResultsReader, CountsWhatIsSettledAndShowsUnitsAsWritten) {
    const TemporaryFolder folder;
    ResultSchema schema = sample_schema();
    schema.points[1].shown_unit = "Gbps";
    ShardSink sink{shard_folder(folder.path("a.h5")), schema, sample_provenance(), 0};
    write_range(sink, 0, 300);
    ResultsReader reader{folder.path("a.h5"), Extent::so_far};
    EXPECT_EQ(reader.settled(), 300U);
    EXPECT_EQ(reader.columns().schema.points[0].shown_unit, "");
    EXPECT_EQ(reader.columns().schema.points[1].shown_unit, "Gbps");
    std::uint64_t rows = 0;
    reader.each([&](const Table& block) { rows += block.rows(); });
    EXPECT_EQ(rows, 300U) << "counting uses up nothing";
}

TEST(ResultsReader, LeavesOutShardsOfAnotherSweep) {
    const TemporaryFolder folder;
    finished_file(folder, 10);
    ResultSchema other = sample_schema();
    other.sweep.digest = digest("other");
    ShardSink sink{shard_folder(folder.path("good.h5")), other, sample_provenance(), 0};
    write_range(sink, 10, 20);
    std::uint64_t rows = 0;
    ResultsReader{folder.path("good.h5"), Extent::so_far}.each(
        [&](const Table& block) { rows += block.rows(); });
    EXPECT_EQ(rows, 10U);
}

}  // namespace
}  // namespace dse::results::test
