// Also tests: why/machine_bench.cpp
#include "dse/eval/why/shadow_price.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/config/field_index.hpp"
#include "dse/eval/simulator.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "eval/serve/served_scenario.hpp"
#include "eval/why/explained.hpp"

namespace dse::eval {
namespace {

std::unique_ptr<frontend::Frontend> frontend_of(const test::Explained& point) {
    return std::make_unique<frontend::TemplateFrontend>(point.sweep().library);
}

/// The metric with another value of a field.
double with(const test::Explained& point, const std::string& path, double value, const std::string& metric) {
    study::Scenario scenario = *point.explanation().scenario;
    config::FieldIndex fields;
    fields.add("", scenario);
    fields.find(path)->assign(value);
    Simulator simulator{frontend_of(point)};
    const double key = value;
    return simulator
               .run(scenario, std::span<const double>{&key, 1}, WhenFull::simulate, sim::Asked::For::time)
               .metrics.*
           metrics::metric_field(metric).member;
}

/// A price holds over a larger step than the one that it was taken from.
TEST(ShadowPrices, EqualFiniteDifferences) {
    const test::Explained point{test::explained_sweeps().front()};
    int held = 0;
    for (const ShadowPrice& price :
         shadow_prices(*point.explanation().scenario, {"iteration_time", "energy"}, frontend_of(point))) {
        const double units = 0.004 * price.value / price.unit;
        const double here = with(point, price.field.path, price.value, price.metric);
        const double above = with(point, price.field.path, 1.004 * price.value, price.metric);
        const double below = with(point, price.field.path, 0.996 * price.value, price.metric);
        // What is too small to be seen beside the metric's own rounding is no price to hold.
        if (std::abs(price.more) * units < 1e-6 * here || price.has_kink()) continue;
        EXPECT_NEAR((above - here) / units, price.more, 0.01 * std::abs(price.more)) << price.field.path;
        EXPECT_NEAR((here - below) / units, price.less, 0.01 * std::abs(price.less)) << price.field.path;
        EXPECT_EQ(price.metric == "iteration_time" && price.more > 0.0, false) << price.field.path;
        ++held;
    }
    EXPECT_GE(held, 3);
}

/// With a faster memory, decode steps are shorter, and more requests keep their level: a highest rate that is
/// only searched for within 20 % would not show it.
TEST(ShadowPrices, OfServingAreTakenOverATenth) {
    study::Scenario scenario = served_scenario();
    scenario.workload.levels.most[1][4] = Seconds{0.02};
    scenario.workload.levels.rate_within = 0.2;
    bool found = false;
    for (const ShadowPrice& price : shadow_prices(scenario, {"max_request_rate"}, library_frontend())) {
        EXPECT_EQ(price.step, 0.1);
        if (price.field.path != "system.cluster.device.memory.bandwidth") continue;
        EXPECT_GT(price.more, 0.0);
        EXPECT_GT(price.less, 0.0);
        found = true;
    }
    EXPECT_TRUE(found);
}

TEST(ShadowPrices, TellAKink) {
    ShadowPrice price;
    price.more = -1.0;
    price.less = -1.005;
    EXPECT_FALSE(price.has_kink());
    price.less = -1.02;
    EXPECT_TRUE(price.has_kink());
    price.less = metrics::not_a_number;
    EXPECT_TRUE(price.has_kink()) << "there is no such machine on one side";
    // 1 / x at x = 1 over a tenth: 1 / 1.1 - 1 and 1 - 1 / 0.9.
    price.more = -1.0 / 1.1;
    price.less = -1.0 / 0.9;
    price.step = 0.1;
    EXPECT_FALSE(price.has_kink()) << "is smooth";
}

}  // namespace
}  // namespace dse::eval
