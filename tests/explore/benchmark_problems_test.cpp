#include <array>
#include <cmath>
#include <numbers>
#include <numeric>
#include <tuple>

#include <gtest/gtest.h>

#include "dse/metrics/hypervolume.hpp"
#include "explore/sample_problem.hpp"

namespace dse::explore::test {
namespace {

/// Twelve variables from 0 to 1 in steps of a hundredth; costs, and for a constrained problem what may not be
/// above 0 in `mfu`.
struct Benchmark {
    std::string name;
    std::size_t objectives;
    void (*costs)(const std::vector<double>& x, metrics::Metrics& metrics);
    double reference;
    double pymoo;  ///< hypervolume that its NSGA-II finds
};

/// Zitzler, Deb, Thiele, Evolutionary Computation 8 (2000).
double zdt_distance(const std::vector<double>& x) {
    return 1.0 + 9.0 * std::accumulate(x.begin() + 1, x.end(), 0.0) / static_cast<double>(x.size() - 1);
}

void zdt1(const std::vector<double>& x, metrics::Metrics& metrics) {
    const double g = zdt_distance(x);
    metrics.iteration_time = x[0];
    metrics.energy = g * (1.0 - std::sqrt(x[0] / g));
}

void zdt2(const std::vector<double>& x, metrics::Metrics& metrics) {
    const double g = zdt_distance(x);
    metrics.iteration_time = x[0];
    metrics.energy = g * (1.0 - (x[0] / g) * (x[0] / g));
}

void zdt3(const std::vector<double>& x, metrics::Metrics& metrics) {
    const double g = zdt_distance(x);
    metrics.iteration_time = x[0];
    metrics.energy = g * (1.0 - std::sqrt(x[0] / g) - x[0] / g * std::sin(10.0 * std::numbers::pi * x[0]));
}

/// Deb, Thiele, Laumanns, Zitzler, "Scalable test problems for evolutionary multiobjective optimization"
/// (2005).
void dtlz2(const std::vector<double>& x, metrics::Metrics& metrics) {
    double g = 0.0;
    for (std::size_t i = 2; i < x.size(); ++i) g += (x[i] - 0.5) * (x[i] - 0.5);
    const double a = x[0] * std::numbers::pi / 2.0;
    const double b = x[1] * std::numbers::pi / 2.0;
    metrics.iteration_time = (1.0 + g) * std::cos(a) * std::cos(b);
    metrics.energy = (1.0 + g) * std::cos(a) * std::sin(b);
    metrics.cost = (1.0 + g) * std::sin(a);
}

/// Only around the corners and the middle of the front. Jain, Deb, IEEE TEC 18 (2014), C2-DTLZ2, r = 0.4.
void c2_dtlz2(const std::vector<double>& x, metrics::Metrics& metrics) {
    dtlz2(x, metrics);
    const std::array costs{metrics.iteration_time, metrics.energy, metrics.cost};
    constexpr double radius = 0.4 * 0.4;
    double squares = 0.0;
    double middle = -radius;
    for (const double cost : costs) {
        squares += cost * cost;
        middle += (cost - std::numbers::inv_sqrt3) * (cost - std::numbers::inv_sqrt3);
    }
    double least = middle;
    for (const double cost : costs)
        least = std::min(least, (cost - 1.0) * (cost - 1.0) + squares - cost * cost - radius);
    metrics.mfu = least;
}

class OnBenchmark : public testing::TestWithParam<std::tuple<Benchmark, std::string>> {};

/// pymoo 0.6: NSGA2(pop_size=100, SBX(prob=0.9, eta=15), PM(eta=20), rounded to the same grid), 5,000
/// evaluations, the median of five seeds; of all points that it evaluated.
TEST_P(OnBenchmark, FindsTheHypervolumeThatPymooFinds) {
    // No binding: clang 14 lets lambdas capture none.
    const Benchmark& benchmark = std::get<0>(GetParam());
    const std::string& method = std::get<1>(GetParam());
    std::string text = "axes: {";
    for (int i = 0; i < 12; ++i) text += fmt::format("x{}: {{from: 0, to: 100}}, ", i);
    text += fmt::format("}}\nsearch: {{method: {}, budget: 5000}}\n", method);
    const bool constrained = benchmark.name.starts_with("C");
    if (constrained) text += "where: mfu <= 0\n";
    std::vector<metrics::Objective> objectives{{"iteration_time"}, {"energy"}, {"cost"}};
    objectives.resize(benchmark.objectives);
    const Found found = search_for(space::parse_space(text), objectives,
                                   [&](const space::Point& point, space::Record& record) {
                                       std::vector<double> x = point.values;
                                       for (double& value : x) value /= 100.0;
                                       benchmark.costs(x, record.metrics);
                                   });
    metrics::CostTable costs{objectives.size()};
    for (const space::Record& record : found.records) {
        if (!constrained || record.metrics.mfu <= 0.0) costs.add(metrics::costs(record.metrics, objectives));
    }
    const std::vector<double> reference(objectives.size(), benchmark.reference);
    EXPECT_GT(metrics::hypervolume(costs, reference), 0.98 * benchmark.pymoo);
}

INSTANTIATE_TEST_SUITE_P(All, OnBenchmark,
                         testing::Combine(testing::Values(Benchmark{"ZDT1", 2, &zdt1, 2.0, 3.6608},
                                                          Benchmark{"ZDT2", 2, &zdt2, 2.0, 3.3250},
                                                          Benchmark{"ZDT3", 2, &zdt3, 2.0, 4.8058},
                                                          Benchmark{"DTLZ2", 3, &dtlz2, 1.1, 0.7546},
                                                          Benchmark{"C2-DTLZ2", 3, &c2_dtlz2, 1.1, 0.6763}),
                                          testing::Values("nsga2", "moead")));

}  // namespace
}  // namespace dse::explore::test
