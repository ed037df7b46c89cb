#include "dse/eval/uncertain_evaluator.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/eval/evaluator.hpp"
#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;

TEST(Statistics, AreThoseOfTheDraws) {
    std::vector<double> values{5, 1, 4, 2, 3};
    // Sum of squares from the mean 3: 10, over 4; percentiles at 0.4, 2 and 3.6 of the places 0 … 4.
    EXPECT_THAT(statistics_of(values, metrics::Direction::minimize),
                ElementsAre(DoubleEq(3.0), DoubleEq(std::sqrt(2.5)), DoubleEq(1.4), DoubleEq(3.0),
                            DoubleEq(4.6), DoubleEq(5.0)));
    EXPECT_EQ(statistics_of(values, metrics::Direction::maximize).back(), 1.0);
    std::vector<double> none;
    EXPECT_TRUE(std::isnan(statistics_of(none, metrics::Direction::minimize).front()));
}

study::Sweep load(dse::test::SweepFiles& files, const std::string& uncertain) {
    return files.load(dse::test::SweepFiles::llama("axes: {tp: [1, 2, 8], zero: [0, 1]}\n" + uncertain +
                                                   "objectives: {iteration_time_mean: minimize}\n"));
}

std::vector<space::Record> answers(const study::Sweep& sweep) {
    UncertainEvaluator evaluator{sweep, sim::Asked::For::time};
    std::vector<space::Record> records;
    for (const space::Point& point : dse::test::points_of(sweep))
        evaluator.evaluate(point, records.emplace_back());
    return records;
}

TEST(UncertainEvaluator, HasNoSpreadWhereNothingIsUncertain) {
    dse::test::SweepFiles files;
    const study::Sweep sweep =
        load(files, "uncertain: {draws: 4, scale_up.bandwidth: {factor: {normal: [1.0, 0.0]}}}\n");
    Evaluator plain{sweep};
    for (const space::Record& record : answers(sweep)) {
        space::Record expected;
        plain.evaluate(record.point, expected);
        EXPECT_EQ(record.status, expected.status);
        if (record.status != space::Status::ok) continue;
        EXPECT_EQ(record.metrics.iteration_time, expected.metrics.iteration_time);
        ASSERT_EQ(record.more.size(), 7U);
        EXPECT_EQ(record.more[0], 1.0) << "every draw is feasible";
        EXPECT_DOUBLE_EQ(record.more[1], expected.metrics.iteration_time);
        EXPECT_NEAR(record.more[2], 0.0, 1e-12);
    }
}

TEST(UncertainEvaluator, SlowerNetworksAreSlowerEachByTheSameDraws) {
    dse::test::SweepFiles files;
    const study::Sweep sweep =
        load(files, "uncertain: {draws: 16, scale_up.bandwidth: {factor: {uniform: [0.3, 0.9]}}}\n");
    const std::vector<space::Record> first = answers(sweep);
    const std::vector<space::Record> again = answers(sweep);
    std::size_t slower = 0;
    for (std::size_t i = 0; i < first.size(); ++i) {
        EXPECT_EQ(first[i].more, again[i].more);
        if (first[i].status != space::Status::ok) continue;
        EXPECT_GE(first[i].more[1], first[i].metrics.iteration_time * (1.0 - 1e-12));
        EXPECT_LE(first[i].more[3], first[i].more[5]) << "the 10th percentile is below the 90th";
        if (first[i].more[1] > first[i].metrics.iteration_time) ++slower;
    }
    EXPECT_GT(slower, 0U) << "tensor parallelism feels its network";
}

TEST(UncertainEvaluator, CountsDrawsThatAreNoMachine) {
    dse::test::SweepFiles files;
    const study::Sweep sweep =
        load(files, "uncertain: {draws: 10, scale_up.bandwidth: {factor: {uniform: [-1.0, 1.0]}}}\n");
    bool some = false;
    for (const space::Record& record : answers(sweep)) {
        if (record.status != space::Status::ok) continue;
        EXPECT_DOUBLE_EQ(record.more[0], 0.5);
        some = true;
    }
    EXPECT_TRUE(some);
}

}  // namespace
}  // namespace dse::eval
