#include "dse/eval/evaluator.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using space::Record;
using space::Status;
using test::bits_of;
using test::SweepFiles;

/// Layouts, a machine that varies, points that do not fit (all states on one device) and points that cannot
/// be (tp = 3, microbatches that do not divide the batch).
const std::string axes =
    "axes:\n"
    "  tp: [1, 2, 3, 8]\n"
    "  pp: [1, 2]\n"
    "  microbatch: [1, 8]\n"
    "  zero: [0, 1, 3]\n"
    "  recompute: [none, full]\n"
    "  cluster.network.scale_out.bandwidth: [50 Gbps, 400 Gbps]\n"
    "  cluster: [h100_ndr400, dgx_a100_hdr200]\n";

class EvaluatorTest : public testing::Test {
  protected:
    static std::vector<Record> answers(Evaluator& evaluator, const std::vector<space::Point>& points) {
        std::vector<Record> records(points.size());
        for (std::size_t i = 0; i < points.size(); ++i) evaluator.evaluate(points[i], records[i]);
        return records;
    }

    static void expect_equal(const Record& a, const Record& b) {
        ASSERT_EQ(a.point.id, b.point.id);
        ASSERT_EQ(a.status, b.status) << a.point.id;
        ASSERT_EQ(a.reason, b.reason) << a.point.id;
        ASSERT_EQ(bits_of(a.metrics), bits_of(b.metrics)) << a.point.id;
    }

    SweepFiles files_;
    study::Sweep sweep_{files_.load(SweepFiles::llama(axes))};
    std::vector<space::Point> points_{test::points_of(sweep_)};
};

/// Every node of 16 ranks is played: milliseconds, where a microsecond is allowed.
TEST(EvaluatorTimeLimit, APointThatTakesTooLongHasARowThatSaysSo) {
    const SweepFiles files;
    const auto record_of = [&](const std::string& limit) {
        const study::Sweep sweep = files.load(
            SweepFiles::llama("axes: {tp: [8]}\nfidelity: {engine: event, time_limit: " + limit + "}\n"));
        Evaluator evaluator(sweep);
        Record record;
        evaluator.evaluate(test::points_of(sweep).front(), record);
        return record;
    };
    const Record late = record_of("1 us");
    EXPECT_EQ(late.status, Status::timed_out);
    EXPECT_EQ(late.reason, "took longer than 1 us (fidelity.time_limit)");
    EXPECT_TRUE(std::isnan(late.metrics.iteration_time));
    const Record in_time = record_of("1 h");
    EXPECT_EQ(in_time.status, Status::ok);
    EXPECT_EQ(bits_of(in_time.metrics), bits_of(record_of("0 s").metrics));
}

/// The limit is an axis like any other field: each point has its own.
TEST(EvaluatorTimeLimit, OnePointThatTakesTooLongDoesNotTouchTheNext) {
    const SweepFiles files;
    const study::Sweep sweep = files.load(
        SweepFiles::llama("axes: {tp: [2, 8], time_limit: [1 us, 1 h]}\nfidelity: {engine: event}\n"));
    Evaluator evaluator(sweep);
    std::vector<Record> records;
    for (const space::Point& point : test::points_of(sweep))
        evaluator.evaluate(point, records.emplace_back());
    ASSERT_EQ(records.size(), 4U);
    for (std::size_t i = 0; i < records.size(); ++i) {
        EXPECT_EQ(records[i].status == Status::timed_out, i % 2 == 0) << i;
    }
    for (const std::size_t i : {1U, 3U}) {
        Evaluator fresh(sweep);
        Record record;
        fresh.evaluate(records[i].point, record);
        EXPECT_EQ(bits_of(record.metrics), bits_of(records[i].metrics));
    }
}

/// Only loops of many thousand steps ask: what a signal finds all but done is not lost.
TEST(EvaluatorStop, AShortPointIsFinished) {
    const SweepFiles files;
    const study::Sweep sweep = files.load(SweepFiles::llama("axes: {tp: [8]}\n"));
    Evaluator evaluator(sweep);
    evaluator.stop_when([] { return true; });
    Record record;
    evaluator.evaluate(test::points_of(sweep).front(), record);
    EXPECT_EQ(record.status, Status::ok) << record.reason;
}

TEST(EvaluatorStop, GivesALongPointUpAndAnswersTheNextAsEver) {
    const SweepFiles files;
    const study::Sweep sweep = files.load(SweepFiles::llama("axes: {tp: [8]}\nfidelity: {engine: event}\n"));
    const space::Point point = test::points_of(sweep).front();
    Evaluator evaluator(sweep);
    Record record;
    evaluator.stop_when([] { return true; });
    EXPECT_THROW(evaluator.evaluate(point, record), Stopped);
    evaluator.stop_when([] { return false; });
    evaluator.evaluate(point, record);
    Evaluator fresh(sweep);
    Record undisturbed;
    fresh.evaluate(point, undisturbed);
    EXPECT_EQ(record.status, Status::ok);
    EXPECT_EQ(bits_of(record.metrics), bits_of(undisturbed.metrics));
}

/// A million microbatches: to list their tasks takes longer than most points.
TEST(EvaluatorStop, GivesALongScheduleUpBeforeAnyEngineHasIt) {
    const SweepFiles files;
    const study::Sweep sweep =
        files.load(SweepFiles::llama("axes: {tp: [8], pp: [2], global_batch: [1048576], microbatch: [1]}\n"));
    Evaluator evaluator(sweep);
    evaluator.stop_when([] { return true; });
    Record record;
    EXPECT_THROW(evaluator.evaluate(test::points_of(sweep).front(), record), Stopped);
}

TEST(EvaluatorExplain, APointThatDoesNotFitMayNotBePlayableEither) {
    const SweepFiles files;
    const study::Sweep sweep = files.load(SweepFiles::llama("axes: {sequence: [9000000000000000]}\n"));
    Evaluator evaluator(sweep);
    const Explanation explanation = evaluator.explain(test::points_of(sweep).front());
    EXPECT_EQ(explanation.record.status, Status::out_of_memory);
    EXPECT_EQ(explanation.result.iteration_time, 0.0) << "longer than what is simulated";
}

TEST(EvaluatorTimeLimit, IsNotNegative) {
    const SweepFiles files;
    EXPECT_EQ(
        files.errors(SweepFiles::llama("axes: {tp: [8]}\nfidelity: {time_limit: -1 s}\n")),
        "t.yaml:5:24: error: fidelity.time_limit: '-1 s' is out of range: must be at least 0 s (wall time of "
        "one point; 0 s for no limit)");
}

TEST_F(EvaluatorTest, SameRecordWhateverCameBefore) {
    Evaluator one(sweep_);
    const std::vector<Record> records = answers(one, points_);
    for (const std::uint32_t seed : {1U, 2U, 3U}) {
        std::mt19937 random(seed);
        std::vector<std::size_t> order(points_.size());
        for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
        std::shuffle(order.begin(), order.end(), random);
        Evaluator other(sweep_);
        Record record;
        for (const std::size_t i : order) {
            if (seed == 3U && random() % 4 == 0) other.forget();
            other.evaluate(points_[i], record);
            expect_equal(records[i], record);
        }
    }
}

TEST_F(EvaluatorTest, PartsSumToTheIterationExactly) {
    Evaluator evaluator(sweep_, sim::Asked::For::parts);
    std::size_t feasible = 0;
    for (const Record& record : answers(evaluator, points_)) {
        if (record.status != Status::ok) continue;
        ++feasible;
        const metrics::Metrics& m = record.metrics;
        EXPECT_EQ(m.compute_time + m.exposed_tp + m.exposed_cp + m.exposed_ep + m.exposed_dp + m.exposed_pp +
                      m.bubble + m.idle,
                  m.iteration_time);
        EXPECT_DOUBLE_EQ(m.memory_parameters + m.memory_gradients + m.memory_optimizer +
                             m.memory_activations + m.memory_communication + m.memory_workspace,
                         m.memory_peak);
        EXPECT_LE(m.memory_peak, m.memory_capacity);
        EXPECT_GT(m.mfu, 0.0);
        EXPECT_LT(m.mfu, 1.0);
        EXPECT_EQ(m.tokens_per_second, 16.0 * 2048.0 / m.iteration_time);
        EXPECT_GE(m.executed_flop, m.model_flop);
    }
    EXPECT_GT(feasible, 100U);
}

TEST_F(EvaluatorTest, MoreBandwidthIsNeverSlower) {
    Evaluator evaluator(sweep_);
    // By all values but the bandwidth: the times, by bandwidth.
    const std::size_t bandwidth = sweep_.space->slot("cluster.network.scale_out.bandwidth").value();
    std::map<std::vector<double>, std::map<double, double>> times;
    for (const Record& record : answers(evaluator, points_)) {
        if (record.status != Status::ok) continue;
        std::vector<double> others = record.point.values;
        others.erase(others.begin() + static_cast<std::ptrdiff_t>(bandwidth));
        times[others][record.point.values[bandwidth]] = record.metrics.iteration_time;
    }
    std::size_t faster = 0;
    for (const auto& [others, by_bandwidth] : times) {
        ASSERT_EQ(by_bandwidth.size(), 2U) << "what fits does not depend on the network";
        EXPECT_GE(by_bandwidth.begin()->second, by_bandwidth.rbegin()->second);
        if (by_bandwidth.begin()->second > by_bandwidth.rbegin()->second) ++faster;
    }
    EXPECT_GT(faster, times.size() / 4) << "the axis must matter";
}

TEST_F(EvaluatorTest, WhatIsNotFeasibleHasAReasonAndNoMetrics) {
    Evaluator evaluator(sweep_);
    std::map<Status, std::size_t> counts;
    for (const Record& record : answers(evaluator, points_)) {
        ++counts[record.status];
        if (record.status == Status::ok) {
            EXPECT_EQ(record.reason, "");
            continue;
        }
        for (const metrics::MetricField& field : metrics::metric_fields()) {
            EXPECT_TRUE(std::isnan(record.metrics.*field.member)) << field.name;
        }
        if (record.status == Status::out_of_memory) {
            EXPECT_THAT(record.reason,
                        testing::MatchesRegex("needs [0-9.]+ GiB of [0-9.]+ GiB on stage [0-9]+, most "
                                              "of it [a-z]+ \\([0-9.]+ GiB\\)"));
        } else {
            ASSERT_EQ(record.status, Status::outside_validity);
            const bool is_three = record.point.values[0] == 3.0;
            EXPECT_NE(record.reason.find(is_three ? "tp 3" : "a global batch of 16 is not divisible"),
                      std::string::npos)
                << record.reason;
        }
    }
    EXPECT_GT(counts[Status::outside_validity], points_.size() / 4) << "a quarter of the points has tp = 3";
    EXPECT_GT(counts[Status::out_of_memory], 4U);
}

TEST_F(EvaluatorTest, EnginesAgreeBitForBit) {
    const study::Sweep sweep = files_.load(SweepFiles::llama(
        "axes:\n"
        "  tp: [1, 4]\n"
        "  pp: [1, 2, 4]\n"
        "  virtual_stages: [1, 2]\n"
        "  zero: [1, 3]\n"
        "  recompute: [selective, full]\n"
        "  schedule: [gpipe, 1f1b, interleaved]\n"
        "  fidelity.engine: [folded, event]\n"
        "derive: {dp: devices / (tp * pp)}\n"
        "require: [(schedule == 'interleaved') == (virtual_stages > 1), pp > 1 or schedule == '1f1b',\n"
        "          schedule != 'interleaved' or (global_batch / dp) % pp == 0]\n"));
    const auto points = test::points_of(sweep);
    const std::size_t engine = sweep.space->slot("fidelity.engine").value();
    Evaluator evaluator(sweep);
    std::map<std::vector<double>, std::vector<std::uint64_t>> folded;
    std::size_t compared = 0;
    for (const Record& record : answers(evaluator, points)) {
        if (record.status != Status::ok) continue;
        std::vector<double> others = record.point.values;
        const bool is_folded = others[engine] == 0.0;
        others[engine] = 0.0;
        const auto bits = bits_of(record.metrics);
        if (is_folded) {
            folded[others] = bits;
        } else {
            ASSERT_EQ(folded.at(others), bits) << record.point.id;
            ++compared;
        }
    }
    EXPECT_GT(compared, 20U);
}

/// The same workload under every compute model; a device that lacks what a model needs has a row that says
/// so.
TEST(EvaluatorComputeModels, AreAnAxis) {
    const SweepFiles files;
    const study::Sweep sweep =
        files.load(SweepFiles::llama("axes: {fidelity.compute: [roofline, systolic, table], cluster: "
                                     "[tpu_v4_pod, h100_ndr400], zero: [3]}\n"));
    Evaluator evaluator{sweep};
    std::map<std::string, Record> records;
    for (const space::Point& point : test::points_of(sweep)) {
        const Explanation explanation = evaluator.explain(point);
        const study::Scenario& scenario = *explanation.scenario;
        records[scenario.system.cluster.device.name.substr(0, 6) + " " + scenario.fidelity.compute] =
            explanation.record;
    }
    ASSERT_EQ(records.size(), 6U);
    for (const char* model :
         {"Google roofline", "Google systolic", "Google table", "NVIDIA roofline", "NVIDIA table"})
        EXPECT_EQ(records.at(model).status, Status::ok) << model;
    EXPECT_EQ(records.at("NVIDIA systolic").status, Status::outside_validity);
    EXPECT_THAT(records.at("NVIDIA systolic").reason, testing::HasSubstr("no systolic array"));
    // Measured products are slower than the datasheet; the table's layer norms are as well.
    EXPECT_GT(records.at("Google table").metrics.iteration_time,
              records.at("Google systolic").metrics.iteration_time);
    EXPECT_GT(records.at("Google systolic").metrics.iteration_time,
              records.at("Google roofline").metrics.iteration_time);
}

/// A user's own measurements, beside the sweep; and tables themselves are an axis.
TEST(EvaluatorComputeModels, TakeAUsersTable) {
    const SweepFiles files;
    files.folder().write("mine.csv",
                         "operator,precision,shape,bytes,seconds\n"
                         "gemm,bf16,4096x4096x4096,,1\nelementwise,bf16,,1e6,1\n");
    const study::Sweep own =
        files.load(SweepFiles::llama("axes: {zero: [3]}\nfidelity: {compute: table}\n", "",
                                     "{base: h100_ndr400, device: {base: h100_sxm, table: "
                                     "{name: mine, source: by hand, rows: mine.csv}}}"));
    Record slow;
    Evaluator{own}.evaluate(test::points_of(own).front(), slow);
    ASSERT_EQ(slow.status, Status::ok) << slow.reason;
    const study::Sweep axis = files.load(SweepFiles::llama(
        "axes: {cluster.device.table: [h100_sxm, a100_80_sxm], zero: [3]}\nfidelity: {compute: table}\n"));
    Evaluator evaluator{axis};
    std::vector<Record> records(2);
    for (std::size_t i = 0; i < 2; ++i) evaluator.evaluate(test::points_of(axis)[i], records[i]);
    EXPECT_GT(slow.metrics.iteration_time, 100 * records[0].metrics.iteration_time);
    EXPECT_GT(records[1].metrics.iteration_time, 1.5 * records[0].metrics.iteration_time);
}

TEST_F(EvaluatorTest, ExplainsWhatDoesNotFit) {
    Evaluator evaluator(sweep_);
    Record record;
    for (const space::Point& point : points_) {
        evaluator.evaluate(point, record);
        if (record.status == Status::ok) continue;
        const Explanation explanation = evaluator.explain(point);
        expect_equal(explanation.record, record);
        ASSERT_NE(explanation.scenario, nullptr);
        if (record.status == Status::outside_validity) {
            EXPECT_EQ(explanation.graph, nullptr);
        } else {
            ASSERT_NE(explanation.graph, nullptr);
            ASSERT_NE(explanation.durations, nullptr);
            EXPECT_GT(explanation.metrics.memory_peak, explanation.metrics.memory_capacity);
            EXPECT_GT(explanation.result.iteration_time, 0.0);
        }
    }
}

}  // namespace
}  // namespace dse::eval
