#include "dse/space/answers.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/space/space_text.hpp"

namespace dse::space {
namespace {

metrics::Metrics answer(double time, double peak, double capacity) {
    metrics::Metrics metrics;
    metrics.iteration_time = time;
    metrics.memory_peak = peak;
    metrics.memory_capacity = capacity;
    return metrics;
}

double violation(const std::string& where, const metrics::Metrics& metrics) {
    Answers answers{
        parse_space("axes: {tp: [1, 2]}\nderive: {twice: 2 * tp}\nmetrics: {headroom: memory_capacity - "
                    "memory_peak, share: headroom / memory_capacity}\nwhere: " +
                    where)};
    answers.take(std::vector<double>{2.0, 4.0}, metrics);
    return answers.violation();
}

TEST(Answers, KnowMetricsAndWhatIsDerivedFromThem) {
    Answers answers{parse_space("axes: {tp: [1, 2]}\nmetrics: {work: iteration_time * tp, half: work / 2}")};
    answers.take(std::vector<double>{2.0}, answer(3.0, 1.0, 1.0));
    EXPECT_EQ(answers[*answers.slot("iteration_time")], 3.0);
    EXPECT_EQ(answers[*answers.slot("work")], 6.0);
    EXPECT_EQ(answers[*answers.slot("half")], 3.0);
    EXPECT_FALSE(answers.slot("beauty"));
    EXPECT_TRUE(std::isnan(answers[*answers.slot("cost")]));
}

TEST(Answers, SayHowFarTheyAreFromFeasible) {
    const metrics::Metrics metrics = answer(10.0, 60.0, 80.0);
    EXPECT_EQ(violation("memory_peak <= 0.9 * memory_capacity", metrics), 0.0);
    // 60 where 40 at most may be: a third of 60 too much.
    EXPECT_DOUBLE_EQ(violation("memory_peak <= 0.5 * memory_capacity", metrics), 1.0 / 3.0);
    EXPECT_DOUBLE_EQ(violation("iteration_time > twice", metrics), 0.0) << "names of the space";
    EXPECT_DOUBLE_EQ(violation("share >= 0.5 and headroom >= 40", metrics), 0.5 + 0.5);
    EXPECT_DOUBLE_EQ(violation("[share >= 0.5, headroom >= 40]", metrics), 0.5 + 0.5);
    EXPECT_DOUBLE_EQ(violation("memory_peak - 57 <= 0", metrics), 0.75) << "3 / (1 + 3)";
    EXPECT_EQ(violation("tp == 1", metrics), 1.0) << "no distance";
    EXPECT_EQ(violation("energy < 5", metrics), 1.0) << "no value";
    const double touching = violation("memory_peak < 60", metrics);
    EXPECT_GT(touching, 0.0);
    EXPECT_LT(touching, 1e-9);
}

TEST(Answers, RefuseWhatIsNoMetricOrNoCondition) {
    for (const char* wrong : {"where: memory_peek < 3", "where: memory_peak", "metrics: {cost: 3}",
                              "metrics: {a: b}", "metrics: [3]", "where: {a: b}", "metrics: {a: a + 1}"})
        EXPECT_THROW(parse_space(std::string{"axes: {tp: [1, 2]}\n"} + wrong), InputError) << wrong;
}

TEST(Answers, KnowWhatAProgramAnswersWith) {
    Answers answers{
        parse_space("axes: {x: [1, 2]}\nexec: {command: [run], metrics: {area: mm2, energy: J}}\n"
                    "metrics: {density: energy / area}\nwhere: area <= 4")};
    metrics::Metrics metrics;
    metrics.energy = 6.0;
    answers.take(std::vector<double>{2.0}, metrics, std::vector<double>{8.0});
    EXPECT_EQ(answers[*answers.slot("area")], 8.0);
    EXPECT_EQ(answers.derived().size(), 1U);
    EXPECT_EQ(answers.derived()[0], 0.75);
    EXPECT_EQ(answers.violation(), 0.5) << "half of 8 is too much";
    answers.take(std::vector<double>{2.0}, metrics);
    EXPECT_TRUE(std::isnan(answers.derived()[0]));
}

}  // namespace
}  // namespace dse::space
