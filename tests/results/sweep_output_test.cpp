// Also tests: work_folder.cpp
#include "dse/results/sweep_output.hpp"

#include <algorithm>
#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "dse/base/error.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

using testing::HasSubstr;

SweepOutput open_output(const std::filesystem::path& file, const ResultSchema& schema,
                        Start start = Start::resume) {
    return {file, schema, sample_provenance(), start, Logger{}};
}

std::string refusal(const std::filesystem::path& file, const ResultSchema& schema) {
    try {
        open_output(file, schema);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

void expect_sample_rows(const Table& table, std::uint64_t rows) {
    ASSERT_EQ(table.rows(), rows);
    for (std::uint64_t id = 0; id < rows; ++id) {
        const space::Record record = sample_record(id);
        EXPECT_EQ(table.point_id[id], id);
        EXPECT_EQ(table.status[id], record.status);
        EXPECT_EQ(table.reason[id], record.reason);
        for (std::size_t c = 0; c < table.points.size(); ++c)
            EXPECT_EQ(table.points[c][id], record.point.values[c]);
        const double time = table.metric("iteration_time")[id];
        if (record.status == space::Status::ok) {
            EXPECT_EQ(time, record.metrics.iteration_time);
            EXPECT_EQ(table.metric("mfu")[id], record.metrics.mfu);
        } else {
            EXPECT_NE(time, time);
        }
    }
}

TEST(SweepOutput, MergesShardsIntoOneFileInTheOrderOfThePoints) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(3000);
    {
        SweepOutput output = open_output(folder.path("a.h5"), schema);
        EXPECT_EQ(output.covered().count(), 0U);
        ShardSink one{output.shard_folder(), schema, sample_provenance(), 1};
        ShardSink two{output.shard_folder(), schema, sample_provenance(), 2};
        write_range(two, 1500, 3000);
        write_range(one, 700, 1500);
        write_range(one, 0, 700);
        const MergeSummary summary = output.finish();
        EXPECT_EQ(summary.rows, 3000U);
        EXPECT_EQ(summary.covered, 3000U);
        EXPECT_EQ(summary.duplicates, 0U);
    }
    EXPECT_FALSE(std::filesystem::exists(shard_folder(folder.path("a.h5"))));
    const Table table = read_results(folder.path("a.h5"));
    expect_sample_rows(table, 3000);
    EXPECT_EQ(table.rank[0], 1);
    EXPECT_EQ(table.rank[2999], 2);
    EXPECT_EQ(table.host[5], "node7");
    EXPECT_EQ(table.schema.points, schema.points);
    EXPECT_EQ(table.schema.metrics, schema.metrics);
    EXPECT_EQ(table.schema.sweep.yaml, schema.sweep.yaml);
    EXPECT_EQ(table.schema.sweep.digest, schema.sweep.digest);
    EXPECT_EQ(table.schema.sweep.facts, schema.sweep.facts);
    EXPECT_EQ(table.schema.sweep.objectives, schema.sweep.objectives);
    EXPECT_EQ(table.provenance.git_hash, "0123456789ab");
}

TEST(SweepOutput, GoesOnWithWhatIsThere) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(100);
    {
        SweepOutput output = open_output(folder.path("a.h5"), schema);
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        write_range(sink, 10, 30);
    }
    {
        SweepOutput output = open_output(folder.path("a.h5"), schema);
        EXPECT_THAT(output.covered().intervals(), testing::ElementsAre(Interval{10, 30}));
        EXPECT_EQ(output.rows_found(), 20U);
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        write_range(sink, 0, 10);
        output.finish();
    }
    // The finished file itself is gone on with: here the rest of a space that was limited before.
    {
        SweepOutput output = open_output(folder.path("a.h5"), schema);
        EXPECT_THAT(output.covered().intervals(), testing::ElementsAre(Interval{0, 30}));
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        write_range(sink, 30, 100);
        EXPECT_EQ(output.finish().covered, 100U);
    }
    expect_sample_rows(read_results(folder.path("a.h5")), 100);
}

TEST(SweepOutput, CoversIndicesThatRequireDropped) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(100);
    SweepOutput output = open_output(folder.path("a.h5"), schema);
    ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
    const std::vector<space::Record> records{sample_record(3), sample_record(50)};
    sink.write(records);
    sink.cover({0, 100, 2});
    sink.flush();
    EXPECT_EQ(output.finish().covered, 100U);
    EXPECT_EQ(read_results(folder.path("a.h5")).rows(), 2U);
}

// Also where there is nothing new: the count is then of the rows that the finished file holds.
TEST(SweepOutput, CountsTheRowsWhoseEvaluationFailed) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(4);
    std::vector<space::Record> records{sample_record(0), sample_record(1), sample_record(2),
                                       sample_record(4)};  // the last one does not fit
    records[3].point.id = 3;
    records[1].status = space::Status::failed;
    records[2].status = space::Status::timed_out;
    {
        SweepOutput output = open_output(folder.path("a.h5"), schema);
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        sink.write(records);
        sink.cover({0, 4, 4});
        sink.flush();
        EXPECT_EQ(output.finish().failures, 2U);
    }
    SweepOutput again = open_output(folder.path("a.h5"), schema);
    const MergeSummary summary = again.finish();
    EXPECT_EQ(summary.rows, 4U);
    EXPECT_EQ(summary.failures, 2U);
}

TEST(SweepOutput, RefusesAChangedSweepWithWhatDiffers) {
    const TemporaryFolder folder;
    ResultSchema schema = sample_schema();
    {
        SweepOutput output = open_output(folder.path("a.h5"), schema);
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        write_range(sink, 0, 10);
    }
    schema.sweep.facts[0].second = "1 2 4 8";
    schema.sweep.digest = digest("another");
    EXPECT_THAT(refusal(folder.path("a.h5"), schema), HasSubstr("axes.tp: was 1 2 4, now 1 2 4 8"));
    SweepOutput fresh = open_output(folder.path("a.h5"), schema, Start::fresh);
    EXPECT_EQ(fresh.covered().count(), 0U);
}

TEST(SweepOutput, MovesAFinishedFileAsideWhenItBeginsAnew) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(10);
    std::uint64_t rows = 10;
    for (const Start start : {Start::resume, Start::fresh, Start::fresh}) {
        SweepOutput output = open_output(folder.path("a.h5"), schema, start);
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        write_range(sink, 0, rows--);
        output.finish();
    }
    expect_sample_rows(read_results(folder.path("a.h5.previous")), 10);
    expect_sample_rows(read_results(folder.path("a.h5.previous.2")), 9);
    expect_sample_rows(read_results(folder.path("a.h5")), 8);
}

TEST(SweepOutput, RefusesASecondDseAtWorkOnTheSameFile) {
    const TemporaryFolder folder;
    const SweepOutput first = open_output(folder.path("a.h5"), sample_schema());
    EXPECT_THAT(refusal(folder.path("a.h5"), sample_schema()),
                HasSubstr(fmt::format("process {} on host", getpid())));
}

TEST(SweepOutput, RefusesPlacesThatCannotHoldResults) {
    const TemporaryFolder folder;
    std::filesystem::create_directory(folder.path("folder.h5"));
    EXPECT_THAT(refusal(folder.path("folder.h5"), sample_schema()), HasSubstr("it is a directory"));
    EXPECT_THAT(refusal("/proc/no/such/place.h5", sample_schema()), HasSubstr("cannot make the folder"));
    folder.write("notes.h5", "not HDF5 at all\n");
    EXPECT_THAT(refusal(folder.path("notes.h5"), sample_schema()), HasSubstr("does not contain results"));
    EXPECT_TRUE(std::filesystem::exists(folder.path("notes.h5")));
    EXPECT_FALSE(std::filesystem::exists(folder.path("notes.h5.shards")))
        << "a refusal leaves nothing behind";
}

/// Overwrites part of a file with zeros.
void blot_out(const std::string& file, double from, double to) {
    std::string bytes = dse::test::read_file(file);
    const auto at = [&](double share) {
        return static_cast<std::size_t>(share * static_cast<double>(bytes.size()));
    };
    std::fill(bytes.begin() + static_cast<std::ptrdiff_t>(at(from)),
              bytes.begin() + static_cast<std::ptrdiff_t>(at(to)), '\0');
    std::ofstream{file, std::ios::binary} << bytes;
}

TEST(SweepOutput, EvaluatesTornRowsAgainAndKeepsTheOthers) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    const ResultSchema schema = sample_schema(4000);
    std::filesystem::path shard;
    {
        ShardSink sink{shard_folder(file), schema, sample_provenance(), 0};
        write_range(sink, 0, 4000);
        shard = sink.path();
    }
    blot_out(shard, 0.6, 0.7);
    SweepOutput output = open_output(file, schema);
    const std::uint64_t kept = output.covered().count();
    EXPECT_EQ(kept, output.rows_found());
    EXPECT_GT(kept, 3000U);
    EXPECT_LT(kept, 4000U);
    ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
    const IntervalSet missing = output.covered().gaps(4000);
    for (const Interval& gap : missing.intervals()) write_range(sink, gap.first, gap.last);
    EXPECT_EQ(output.finish().covered, 4000U);
    expect_sample_rows(read_results(file), 4000);
}

TEST(SweepOutput, DoesNotBelieveACoverageWhoseRowsAreMissing) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(100);
    ShardSink sink{shard_folder(folder.path("a.h5")), schema, sample_provenance(), 0};
    const std::vector<space::Record> records{sample_record(3), sample_record(50)};
    sink.write(records);
    sink.cover({0, 40, 2});   // has one row only
    sink.cover({45, 10, 1});  // is borne out
    sink.flush();
    const SweepOutput output = open_output(folder.path("a.h5"), schema);
    EXPECT_THAT(output.covered().intervals(), testing::ElementsAre(Interval{3, 4}, Interval{45, 55}));
}

/// The first rows of a sweep of 100 points, in the finished file.
void finish_range(const std::string& file, std::uint64_t rows) {
    const ResultSchema schema = sample_schema(100);
    SweepOutput output = open_output(file, schema);
    ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
    write_range(sink, 0, rows);
    output.finish();
}

TEST(SweepOutput, SaysHowToGetPastADamagedFinishedFile) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    finish_range(file, 100);
    std::string bytes = dse::test::read_file(file);
    bytes[bytes.size() / 2] ^= 1;
    folder.write("a.h5", bytes);
    EXPECT_THAT(refusal(file, sample_schema(100)), HasSubstr("no valid seal"));
    EXPECT_THAT(refusal(file, sample_schema(100)), HasSubstr("--fresh"));
    {
        const SweepOutput fresh = open_output(file, sample_schema(100), Start::fresh);
        EXPECT_EQ(fresh.covered().count(), 0U);
    }
    EXPECT_EQ(dse::test::read_file(file + ".previous"), bytes);
}

TEST(SweepOutput, ShowsEveryRowOfTheFinishedFile) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    const ResultSchema schema = sample_schema(100);
    std::uint64_t seen = 0;
    const auto watch = [&](const Table& block) {
        for (const std::uint64_t id : block.point_id) EXPECT_EQ(id, seen++);
    };
    {
        SweepOutput output = open_output(file, schema);
        ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
        write_range(sink, 60, 100);
        write_range(sink, 0, 70);
        EXPECT_EQ(output.settled(), 100U);
        output.each(watch);
        EXPECT_EQ(seen, 100U) << "also before it is finished";
        seen = 0;
        output.finish(watch);
    }
    EXPECT_EQ(seen, 100U);
    seen = 0;
    SweepOutput output = open_output(file, schema);
    output.finish(watch);
    EXPECT_EQ(seen, 100U) << "also where there is nothing to merge";
}

TEST(SweepOutput, GoesOnWithoutAShardThatCannotBeOpened) {
    const TemporaryFolder folder;
    const ResultSchema schema = sample_schema(100);
    folder.write("a.h5.shards/rank-00000-torn.rows", "torn");
    SweepOutput output = open_output(folder.path("a.h5"), schema);
    EXPECT_EQ(output.covered().count(), 0U);
    ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
    write_range(sink, 0, 100);
    EXPECT_EQ(output.finish().rows, 100U);
    EXPECT_FALSE(std::filesystem::exists(folder.path("a.h5.shards/rank-00000-torn.rows")));
}

/// Opens the output once more and finishes without a new row. \return names of what is left in the folder
std::vector<std::string> left_after_another_run(const std::string& file) {
    {
        SweepOutput output = open_output(file, sample_schema(100));
        output.finish();
    }
    std::vector<std::string> names;
    std::error_code none;
    for (const auto& entry : std::filesystem::directory_iterator{shard_folder(file), none}) {
        names.push_back(entry.path().filename().string());
    }
    return names;
}

// Killed between the rename of the finished file and the removal of its shards, or in the middle of that.
TEST(SweepOutput, RemovesShardsWhoseRowsTheFinishedFileHolds) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    finish_range(file, 100);
    ShardSink sink{shard_folder(file), sample_schema(100), sample_provenance(), 0};
    write_range(sink, 20, 60);
    ASSERT_TRUE(std::filesystem::exists(sink.path()));
    EXPECT_THAT(left_after_another_run(file), testing::IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(shard_folder(file)));
    expect_sample_rows(read_results(file), 100);
}

TEST(SweepOutput, RemovesWhatKilledRunsHaveLeftBesideAFinishedFile) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    finish_range(file, 100);
    const std::string before = dse::test::read_file(file);
    folder.write("a.h5.shards/rank-00001-node7-12-5f.h5.tmp", "begun");
    folder.write("a.h5.shards/rank-00002-node7-13-5f.rows", "torn");
    folder.write("a.h5.shards/crash-00001-node7-12", std::string(16, '\0'));
    folder.write("a.h5.shards/crashes", "3\n");
    folder.write("a.h5.shards/owner.12", "");
    folder.write("a.h5.shards/owner", "");
    EXPECT_THAT(left_after_another_run(file), testing::IsEmpty());
    EXPECT_FALSE(std::filesystem::exists(shard_folder(file)));
    EXPECT_EQ(dse::test::read_file(file), before);
}

TEST(SweepOutput, KeepsAShardThatCannotBeOpenedWhileTheFileLacksPoints) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    finish_range(file, 60);
    folder.write("a.h5.shards/rank-00001-node7-12-5f.rows", "torn");
    folder.write("a.h5.shards/crash-00001-node7-12", std::string(16, '\0'));
    EXPECT_THAT(left_after_another_run(file), testing::ElementsAre("rank-00001-node7-12-5f.rows"));
    finish_range(file, 100);
    EXPECT_FALSE(std::filesystem::exists(shard_folder(file)));
    expect_sample_rows(read_results(file), 100);
}

TEST(SweepOutput, LeavesFilesOfOthersInTheFolderAlone) {
    const TemporaryFolder folder;
    const std::string file = folder.path("a.h5");
    finish_range(file, 100);
    folder.write("a.h5.shards/notes.txt", "mine");
    EXPECT_THAT(left_after_another_run(file), testing::ElementsAre("notes.txt"));
}

TEST(SweepOutput, FinishesASweepWithoutPoints) {
    const TemporaryFolder folder;
    SweepOutput output = open_output(folder.path("a.h5"), sample_schema(0));
    EXPECT_EQ(output.finish().rows, 0U);
    EXPECT_EQ(read_results(folder.path("a.h5")).rows(), 0U);
}

}  // namespace
}  // namespace dse::results::test
