#include "results/time_limit.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/results/hdf5_reader.hpp"
#include "dse/results/sweep_output.hpp"
#include "dse/space/identity.hpp"
#include "results/sample_sweep.hpp"

namespace dse::results::test {
namespace {

constexpr std::uint64_t points = 20;

ResultSchema schema_with(const std::string& seconds) {
    ResultSchema schema = sample_schema(points);
    schema.sweep.facts.emplace_back("fidelity.time_limit", seconds);
    schema.sweep.digest = space::digest(schema.sweep.facts);
    return schema;
}

TEST(TimeLimit, IsAFactOfTheSweep) {
    EXPECT_EQ(time_limit_of(schema_with("300")), 300.0);
    EXPECT_EQ(time_limit_of(schema_with("1e-06")), 1e-6);
    EXPECT_TRUE(std::isinf(time_limit_of(schema_with("0"))));
    EXPECT_TRUE(std::isinf(time_limit_of(sample_schema())));
}

TEST(TimeLimit, MakesNoOtherSweep) {
    const ResultSchema found = schema_with("1");
    EXPECT_FALSE(differences(found, schema_with("2")).empty());
    EXPECT_TRUE(differences(found, with_time_limit_of(found, schema_with("2"))).empty());
    ResultSchema other = schema_with("2");
    other.sweep.facts[0].second = "1 2";
    other.sweep.digest = space::digest(other.sweep.facts);
    EXPECT_THAT(differences(found, with_time_limit_of(found, other)),
                ::testing::ElementsAre("axes.tp: was 1 2 4, now 1 2"));
}

class Resumed : public ::testing::Test {
  protected:
    /// Evaluates what is open; points whose number divides by `late_every` run out of time.
    void run(const std::string& seconds, bool finish, std::uint64_t late_every) {
        SweepOutput output{file_, schema_with(seconds), sample_provenance(), Start::resume, Logger{}};
        found_ = output.covered();
        ShardSink sink{output.shard_folder(), schema_with(seconds), sample_provenance(), 0};
        for (const Interval& gap : found_.gaps(points).intervals()) {
            std::vector<space::Record> records;
            for (std::uint64_t id = gap.first; id < gap.last; ++id) {
                space::Record& record = records.emplace_back(sample_record(id));
                if (id % late_every != 0) continue;
                record.status = space::Status::timed_out;
                record.reason = "longer than " + seconds;
                record.metrics = {};
            }
            sink.write(records);
            sink.cover({gap.first, gap.count(), gap.count()});
        }
        sink.flush();
        if (finish) summary_ = output.finish();
    }

    const TemporaryFolder folder_;
    std::filesystem::path file_{folder_.path("a.h5")};
    IntervalSet found_;
    MergeSummary summary_;
};

TEST_F(Resumed, EvaluatesWhatRanOutOfLessTimeAgain) {
    run("1", true, 4);
    EXPECT_EQ(summary_.failures, 5U);
    run("10", true, 8);
    EXPECT_EQ(found_.count(), points - 5) << "0, 4, 8, 12 and 16 are open";
    EXPECT_FALSE(found_.contains(4));
    EXPECT_TRUE(found_.contains(5));
    EXPECT_EQ(summary_.rows, points);
    EXPECT_EQ(summary_.failures, 3U);
    EXPECT_EQ(summary_.duplicates, 0U);
    const Table table = read_results(file_);
    EXPECT_EQ(table.status[4], sample_record(4).status);
    EXPECT_EQ(table.reason[8], "longer than 10");
    EXPECT_EQ(table.schema.sweep.digest, schema_with("10").sweep.digest);
}

TEST_F(Resumed, KeepsWhatRanOutOfAsMuchTime) {
    run("10", true, 4);
    run("10", true, 4);
    EXPECT_EQ(found_.count(), points);
    run("1", true, 4);
    EXPECT_EQ(found_.count(), points) << "less time gives no better answer";
}

TEST_F(Resumed, LooksAtShardsToo) {
    run("1", false, 4);
    run("0", true, 1000);
    EXPECT_EQ(found_.count(), points - 5);
    EXPECT_EQ(summary_.rows, points);
    EXPECT_EQ(summary_.failures, 1U) << "point 0 alone";
}

}  // namespace
}  // namespace dse::results::test
