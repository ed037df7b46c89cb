// Also tests: row_merger.cpp, columnar_writer.cpp, finished_source.cpp, finished_columns.cpp
#include "dse/results/merge.hpp"

#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/proof.hpp"
#include "dse/results/sweep_output.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

using Path = std::filesystem::path;

/// A finished file with the given records.
Path finished(const TemporaryFolder& folder, const std::string& name,
              const std::vector<space::Record>& records, const ResultSchema& schema = sample_schema()) {
    const Path file = folder.path(name);
    SweepOutput output{file, schema, sample_provenance(), Start::resume, Logger{}};
    ShardSink sink{output.shard_folder(), schema, sample_provenance(), 0};
    sink.write(records);
    sink.cover({0, 0, 0});
    sink.flush();
    output.finish();
    return file;
}

std::vector<space::Record> sample_records(std::uint64_t first, std::uint64_t last) {
    std::vector<space::Record> records;
    for (std::uint64_t id = first; id < last; ++id) records.push_back(sample_record(id));
    return records;
}

std::string refusal(const std::vector<Path>& inputs, const Path& output) {
    try {
        merge_files(inputs, output);
    } catch (const InputError& error) {
        return error.what();
    }
    return "accepted";
}

TEST(Merge, LeavesAloneWhatASweepIsWriting) {
    const TemporaryFolder folder;
    const std::vector<Path> parts{finished(folder, "a.h5", sample_records(0, 60))};
    const Path output = folder.path("c.h5");
    {
        const SweepOutput sweep{output, sample_schema(), sample_provenance(), Start::resume, Logger{}};
        EXPECT_THAT(refusal(parts, output), testing::HasSubstr("is writing to this output"));
        ShardSink sink{sweep.shard_folder(), sample_schema(), sample_provenance(), 0};
        write_range(sink, 0, 5);
    }
    EXPECT_THAT(refusal(parts, output), testing::HasSubstr("a sweep that is not finished has its rows in"));
    std::filesystem::remove_all(shard_folder(output));
    EXPECT_EQ(refusal(parts, output), "accepted");
    EXPECT_FALSE(std::filesystem::exists(shard_folder(output)));
}

TEST(Merge, PutsPartsTogether) {
    const TemporaryFolder folder;
    const std::vector<Path> parts{finished(folder, "b.h5", sample_records(40, 90)),
                                  finished(folder, "a.h5", sample_records(0, 60))};
    const MergeSummary summary = merge_files(parts, folder.path("c.h5"));
    EXPECT_EQ(summary.rows, 90U);
    EXPECT_EQ(summary.duplicates, 20U);
    const Table table = read_results(folder.path("c.h5"));
    ASSERT_EQ(table.rows(), 90U);
    for (std::uint64_t id = 0; id < 90; ++id) {
        EXPECT_EQ(table.point_id[id], id);
        EXPECT_EQ(table.reason[id], sample_record(id).reason);
    }
}

TEST(Merge, KeepsTheProofThatCameFarthest) {
    const TemporaryFolder folder;
    const std::vector<Path> parts{finished(folder, "a.h5", sample_records(0, 20)),
                                  finished(folder, "b.h5", sample_records(0, 60)),
                                  finished(folder, "c.h5", sample_records(0, 10))};
    merge_files(parts, folder.path("none.h5"));
    EXPECT_EQ(read_proof(folder.path("none.h5")), std::nullopt);
    for (const std::size_t part : {std::size_t{0}, std::size_t{1}}) {
        Proof proof;
        proof.course = {{20, 3, part == 0 ? 0.5 : 0.01}};
        write_proof(parts[part], proof);
    }
    merge_files(parts, folder.path("merged.h5"));
    EXPECT_EQ(read_proof(folder.path("merged.h5")).value().course.back().epsilon, 0.01);
    EXPECT_EQ(read_results(folder.path("merged.h5")).rows(), 60U);
}

TEST(Merge, IsTheSameInAnyOrderAndFromAnyParts) {
    std::mt19937_64 random{3};
    const TemporaryFolder folder;
    const Path whole = finished(folder, "whole.h5", sample_records(0, 300));
    for (int round = 0; round < 5; ++round) {
        std::vector<std::vector<space::Record>> parts(3);
        for (const space::Record& record : sample_records(0, 300)) {
            parts[random() % 3].push_back(record);
            if (random() % 4 == 0) parts[random() % 3].push_back(record);
        }
        std::vector<Path> files;
        for (auto& part : parts) {
            std::shuffle(part.begin(), part.end(), random);
            files.push_back(finished(folder, fmt::format("{}-{}.h5", round, files.size()), part));
        }
        const Path merged = folder.path(fmt::format("merged{}.h5", round));
        merge_files(files, merged);
        const Table a = read_results(whole);
        const Table b = read_results(merged);
        EXPECT_EQ(a.point_id, b.point_id);
        EXPECT_EQ(a.points, b.points);
        EXPECT_EQ(a.status, b.status);
        EXPECT_EQ(a.reason, b.reason);
    }
}

TEST(Merge, KeepsValuesThatAreNotThere) {
    const TemporaryFolder folder;
    std::vector<space::Record> records = sample_records(0, 3);
    for (double& value : records[1].point.values) value = std::numeric_limits<double>::quiet_NaN();
    records[2].point.values[4] = -9007199254740993.0;
    const Table table = read_results(finished(folder, "a.h5", records));
    for (const auto& column : table.points) {
        EXPECT_NE(column[1], column[1]);
        EXPECT_EQ(column[0], column[0]);
    }
    EXPECT_EQ(table.points[4][2], records[2].point.values[4]);
}

TEST(Merge, RefusesDifferentAnswersForOnePoint) {
    const TemporaryFolder folder;
    std::vector<space::Record> records = sample_records(0, 10);
    const Path a = finished(folder, "a.h5", records);
    records[7].metrics.mfu = 0.123;
    const Path b = finished(folder, "b.h5", records);
    EXPECT_THAT(refusal({a, b}, folder.path("c.h5")), testing::HasSubstr("different answers for point 7"));
    EXPECT_FALSE(std::filesystem::exists(folder.path("c.h5")));
    EXPECT_FALSE(std::filesystem::exists(folder.path("c.h5.unfinished")));
}

TEST(Merge, PrefersAnAnswerToAnEvaluationThatBroke) {
    const TemporaryFolder folder;
    std::vector<space::Record> records = sample_records(0, 3);
    const Path good = finished(folder, "good.h5", records);
    records[0].status = space::Status::timed_out;
    records[1].status = space::Status::failed;
    records[1].reason = std::string(400, 'f');
    const Path broken = finished(folder, "broken.h5", records);
    int count = 0;
    for (const auto& parts : {std::vector<Path>{good, broken}, {broken, good}}) {
        const Path merged = folder.path(fmt::format("c{}.h5", count++));
        merge_files(parts, merged);
        const Table table = read_results(merged);
        EXPECT_EQ(table.status[0], space::Status::ok);
        EXPECT_EQ(table.status[1], space::Status::ok);
        EXPECT_EQ(table.reason[1], "");
    }
}

/// In whatever order they come.
TEST(Merge, PrefersARowWithPartsToTheSameWithout) {
    const TemporaryFolder folder;
    std::vector<space::Record> records = sample_records(0, 3);
    const Path without = finished(folder, "without.h5", records);
    records[1].metrics.compute_time = 0.25;
    const Path with = finished(folder, "with.h5", records);
    int count = 0;
    for (const auto& parts : {std::vector<Path>{with, without}, {without, with}}) {
        const Path merged = folder.path(fmt::format("c{}.h5", count++));
        merge_files(parts, merged);
        const Table table = read_results(merged);
        EXPECT_EQ(table.rows(), 3U);
        EXPECT_EQ(table.metric("compute_time")[1], 0.25);
        EXPECT_NE(table.metric("compute_time")[0], table.metric("compute_time")[0]);
    }
}

TEST(Merge, RefusesDifferentSweeps) {
    const TemporaryFolder folder;
    ResultSchema other = sample_schema();
    other.sweep.facts[1].second = "gpt3";
    other.sweep.digest = digest("other");
    const Path a = finished(folder, "a.h5", sample_records(0, 3));
    const Path b = finished(folder, "b.h5", sample_records(3, 6), other);
    EXPECT_THAT(refusal({a, b}, folder.path("c.h5")),
                testing::HasSubstr("workload.model: was llama, now gpt3"));
}

TEST(Merge, WritesOverNothing) {
    const TemporaryFolder folder;
    const Path a = finished(folder, "a.h5", sample_records(0, 3));
    EXPECT_THAT(refusal({a}, a), testing::HasSubstr("already exists"));
    EXPECT_THAT(refusal({}, folder.path("c.h5")), testing::HasSubstr("nothing to merge"));
    EXPECT_THAT(refusal({folder.path("no.h5")}, folder.path("c.h5")), testing::HasSubstr("no such file"));
}

}  // namespace
}  // namespace dse::results::test
