#include "dse/eval/error_bars.hpp"

#include <cmath>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "support/temporary_folder.hpp"

namespace dse::eval {
namespace {

/// ln 2 of time, and ln 1.25 of memory.
constexpr const char* table =
    "templates: [{name: llama, of: dense}]\n"
    "generations: [{name: chip, of: new}]\n"
    "time: [{width: 0.6931471805599453}]\n"
    "memory: [{width: 0.22314355131420976}]\n"
    "of_device: 0\nof_operators: 0\nof_doubling: 0\ncorrelation: 0.5\n";

class ErrorBarsTest : public testing::Test {
  protected:
    ErrorBarsTest() {
        folder_.write("workloads/measured/errors.yaml", table);
        folder_.write("workloads/models/small.yaml", "name: small\ntemplate: llama\n");
        scenario_.workload.model = "small";
        scenario_.system.cluster.device.name = "chip";
    }
    static metrics::Metrics predicted() {
        metrics::Metrics metrics;
        metrics.iteration_time = 3.0;
        metrics.memory_peak = 40.0;
        metrics.memory_capacity = 50.0;
        return metrics;
    }
    [[nodiscard]] metrics::Metrics barred() const {
        metrics::Metrics metrics = predicted();
        ErrorBars{config::Library({folder_.path()})}.add(scenario_, metrics);
        return metrics;
    }

    test::TemporaryFolder folder_;
    study::Scenario scenario_;
};

TEST_F(ErrorBarsTest, AreFactorsOnWhatIsPredicted) {
    const metrics::Metrics metrics = barred();
    EXPECT_NEAR(metrics.iteration_time_low, 1.5, 1e-12);
    EXPECT_NEAR(metrics.iteration_time_high, 6.0, 1e-12);
    EXPECT_NEAR(metrics.memory_peak_low, 32.0, 1e-12);
    EXPECT_NEAR(metrics.memory_peak_high, 50.0, 1e-12);
}

/// Points of a sweep alternate between the two.
TEST_F(ErrorBarsTest, TensorParallelismHasItsOwn) {
    std::string text{table};
    const std::string whole = "time: [{width: 0.6931471805599453}";
    text.replace(text.find(whole), whole.size(), whole + ", {tensors: split, width: 1.0986122886681098}");
    folder_.write("workloads/measured/errors.yaml", text);
    ErrorBars bars{config::Library({folder_.path()})};
    for (int round = 0; round < 2; ++round) {
        for (const auto& [tp, low] : {std::pair{1, 1.5}, {8, 1.0}}) {
            scenario_.workload.layout.tp = tp;
            metrics::Metrics metrics = predicted();
            bars.add(scenario_, metrics);
            EXPECT_NEAR(metrics.iteration_time_low, low, 1e-12) << "tp " << tp;
        }
    }
}

/// ln 2 of all steps; with it, ln 3 for a chip whose products nobody measured.
TEST_F(ErrorBarsTest, AreWiderForAChipWithoutMeasuredProducts) {
    folder_.write("workloads/measured/errors.yaml",
                  std::string{table} + "of_products: {width: 0.8523473158838366}\n");
    scenario_.system.cluster.device.name = "another chip";
    EXPECT_NEAR(barred().iteration_time_low, 1.0, 1e-9);
    scenario_.system.cluster.device.matmul.area = 1e5;
    EXPECT_NEAR(barred().iteration_time_low, 1.5, 1e-9) << "of_device is 0";
}

/// Of a typical chip, only rates are typical: whoever measured his own has the bars of a chip that was
/// measured.
TEST_F(ErrorBarsTest, AreThoseOfTypicalChipsWithoutARateOfTheirOwn) {
    folder_.write("workloads/measured/errors.yaml",
                  std::string{table} + "of_typical: {width: 0.8523473158838366}\n");
    scenario_.system.cluster.device.name = "another chip";
    scenario_.system.cluster.device.matmul.area = 1e5;
    scenario_.system.cluster.device.matmul.peak_share = 0.7;
    EXPECT_NEAR(barred().iteration_time_low, 1.0, 1e-9);
    scenario_.system.cluster.device.matmul.sustained.bf16 = FlopPerSecond{7e14};
    EXPECT_NEAR(barred().iteration_time_low, 1.5, 1e-9) << "of_device is 0";
}

/// Axes may change a field of the device from point to point; bars do not depend on the point before.
TEST_F(ErrorBarsTest, FollowWhatAxesSayOfTheDevice) {
    folder_.write("workloads/measured/errors.yaml",
                  std::string{table} + "of_products: {width: 0.8523473158838366}\n");
    scenario_.system.cluster.device.name = "another chip";
    ErrorBars bars{config::Library({folder_.path()})};
    for (const auto& [area, low] : {std::pair{0.0, 1.0}, {1e5, 1.5}, {0.0, 1.0}}) {
        scenario_.system.cluster.device.matmul.area = area;
        metrics::Metrics metrics = predicted();
        bars.add(scenario_, metrics);
        EXPECT_NEAR(metrics.iteration_time_low, low, 1e-9) << "area " << area;
    }
}

/// Of chips known from their datasheets, all steps take longer: ln 2 and ln 4 around a middle of ln 6.
TEST_F(ErrorBarsTest, NeedNotHoldThePrediction) {
    folder_.write(
        "workloads/measured/errors.yaml",
        std::string{table} + "of_products: {shift: 1.791759469228055, width: 1.2005661338529436}\n");
    scenario_.system.cluster.device.name = "another chip";
    EXPECT_NEAR(barred().iteration_time_low, 4.5, 1e-9)
        << "a half-width of ln 4, in squares of ln 2 and the rest";
    EXPECT_NEAR(barred().iteration_time_high, 72.0, 1e-9);
}

/// Memory of software without a stack lies above the prediction: 40 stands for 60 and more, of 50.
TEST_F(ErrorBarsTest, AShiftOfMemoryCountsForWhatFits) {
    std::string text{table};
    const std::string whole = "memory: [{width: 0.22314355131420976}";
    text.replace(
        text.find(whole), whole.size(),
        whole + ", {kind: dense, idealized: true, shift: 0.4054651081081644, width: 0.1823215567939546}");
    folder_.write("workloads/measured/errors.yaml", text);
    EXPECT_NEAR(barred().memory_peak_low, 50.0, 1e-9);
    EXPECT_NEAR(barred().memory_peak_high, 72.0, 1e-9);
    EXPECT_NEAR(barred().probability_fits, 0.1, 1e-6);
    scenario_.workload.preset.name = "Mine 2026";
    EXPECT_NEAR(barred().probability_fits, 0.9, 1e-6);
}

/// One peak of ten lies above the interval's upper end, which is the capacity.
TEST_F(ErrorBarsTest, ProbabilityThatItFits) {
    EXPECT_NEAR(barred().probability_fits, 0.9, 1e-6);
}

/// A run needs more than its peak: with ln 1.25 more, a peak of four fifths of the capacity is the middle.
/// With the error of that, the interval is 5/3 as wide.
TEST_F(ErrorBarsTest, ARunNeedsMoreThanItsPeak) {
    folder_.write("workloads/measured/errors.yaml",
                  std::string{table} + "of_fits: {shift: 0.22314355131420976, width: 0.2975247350856130}\n");
    EXPECT_NEAR(barred().probability_fits, 0.5, 1e-6);
    EXPECT_NEAR(barred().memory_peak_high, 50.0, 1e-9);
    folder_.write("workloads/measured/errors.yaml",
                  std::string{table} + "of_fits: {shift: -0.14876236754280650, width: 0.2975247350856130}\n");
    EXPECT_NEAR(barred().probability_fits, 0.9, 1e-6) << "5/3 of ln 1.25 below the capacity";
}

TEST_F(ErrorBarsTest, StepsOfInferenceHaveATableOfTheirOwn) {
    scenario_.workload.mode = graph::Mode::decode;
    EXPECT_TRUE(std::isnan(barred().iteration_time_low)) << "without one";
    // ln 1.5, and ln 3 of prefill.
    folder_.write("workloads/measured/serving_errors.yaml",
                  "decode: [{width: 0.4054651081081644}]\nprompts: [{width: 1.0986122886681098}]\n");
    EXPECT_NEAR(barred().iteration_time_low, 2.0, 1e-12);
    EXPECT_TRUE(std::isnan(barred().probability_fits)) << "peaks of servers were not measured";
    scenario_.workload.mode = graph::Mode::serving;
    EXPECT_NEAR(barred().iteration_time_high, 4.5, 1e-12) << "of a decode step";
    ErrorBars bars{config::Library({folder_.path()})};
    for (const auto& [mode, low] : {std::pair{graph::Mode::prefill, 1.0}, {graph::Mode::decode, 2.0}}) {
        scenario_.workload.mode = mode;
        metrics::Metrics metrics = predicted();
        bars.add(scenario_, metrics);
        EXPECT_NEAR(metrics.iteration_time_low, low, 1e-12);
    }
}

/// Means and medians, of mode serving only: ln 2 of first tokens, ln 1.5 of later ones.
TEST_F(ErrorBarsTest, LatenciesOfRequestsHaveBars) {
    folder_.write("workloads/measured/serving_errors.yaml",
                  "decode: [{width: 0.4054651081081644}]\nfirst_token: [{width: 0.6931471805599453}]\n");
    const ErrorBars table{config::Library({folder_.path()})};
    metrics::Metrics metrics = predicted();
    metrics.ttft_mean = 1.0;
    metrics.ttft_p50 = 2.0;
    metrics.tpot_mean = 3.0;
    metrics.tpot_p50 = 6.0;
    scenario_.workload.mode = graph::Mode::decode;
    ErrorBars{table}.add(scenario_, metrics);
    EXPECT_TRUE(std::isnan(metrics.ttft_mean_low));
    EXPECT_TRUE(std::isnan(metrics.tpot_mean_low));
    scenario_.workload.mode = graph::Mode::serving;
    ErrorBars{table}.add(scenario_, metrics);
    EXPECT_NEAR(metrics.ttft_mean_low, 0.5, 1e-12);
    EXPECT_NEAR(metrics.ttft_mean_high, 2.0, 1e-12);
    EXPECT_NEAR(metrics.ttft_p50_low, 1.0, 1e-12);
    EXPECT_NEAR(metrics.ttft_p50_high, 4.0, 1e-12);
    EXPECT_NEAR(metrics.tpot_mean_low, 2.0, 1e-12);
    EXPECT_NEAR(metrics.tpot_mean_high, 4.5, 1e-12);
    EXPECT_NEAR(metrics.tpot_p50_low, 4.0, 1e-12);
    EXPECT_NEAR(metrics.tpot_p50_high, 9.0, 1e-12);
}

TEST_F(ErrorBarsTest, NoTableNoBars) {
    metrics::Metrics metrics = predicted();
    ErrorBars{config::Library({})}.add(scenario_, metrics);
    EXPECT_TRUE(std::isnan(metrics.iteration_time_high));
}

TEST_F(ErrorBarsTest, TemplateOfAModelOrAProgram) {
    const config::Library library{{folder_.path()}};
    EXPECT_EQ(ErrorBars::template_of(library, scenario_.workload), "llama");
    scenario_.workload.ir = "step.mlir";
    EXPECT_EQ(ErrorBars::template_of(library, scenario_.workload), "program");
    scenario_.workload = {};
    scenario_.workload.model = "nowhere";
    EXPECT_EQ(ErrorBars::template_of(library, scenario_.workload), "");
}

/// What is kept of one family does not go to another.
TEST_F(ErrorBarsTest, FollowTheScenario) {
    folder_.write("workloads/measured/errors.yaml",
                  "time: [{width: 0.6931471805599453, most_devices: 1}]\nmemory: []\n"
                  "of_device: 0\nof_operators: 0\nof_doubling: 1\ncorrelation: 0.5\n");
    ErrorBars bars{config::Library({folder_.path()})};
    const auto high = [&](std::int64_t devices) {
        scenario_.system.devices = devices;
        metrics::Metrics metrics = predicted();
        bars.add(scenario_, metrics);
        return metrics.iteration_time_high;
    };
    EXPECT_NEAR(high(1), 6.0, 1e-12);
    EXPECT_NEAR(high(2), 3.0 * std::exp(std::hypot(std::log(2.0), 1.0)), 1e-12);
    EXPECT_NEAR(high(1), 6.0, 1e-12);
}

}  // namespace
}  // namespace dse::eval
