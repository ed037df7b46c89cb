#include "dse/eval/why/sensitivity.hpp"

#include <cmath>
#include <set>

#include <gtest/gtest.h>

#include "dse/frontend/template/template_frontend.hpp"
#include "eval/why/explained.hpp"

namespace dse::eval {
namespace {

std::vector<Sensitivity> of(const test::Explained& point) {
    return sensitivities(*point.explanation().scenario, point.time(),
                         std::make_unique<frontend::TemplateFrontend>(point.sweep().library));
}

const Sensitivity* find(const std::vector<Sensitivity>& all, const std::string& path) {
    for (const Sensitivity& one : all) {
        if (one.field.path == path) return &one;
    }
    return nullptr;
}

/// No number of the machine makes a point slower when it gets better, twice helps at least as much as 10 %,
/// and all of them together are worth no more than the whole time.
TEST(Sensitivities, BetterIsNeverSlower) {
    for (const std::string& yaml : test::explained_sweeps()) {
        const test::Explained point{yaml};
        double sum = 0;
        for (const Sensitivity& one : of(point)) {
            // Ticks of a network's clock are coarse.
            const double rounding = yaml.find("astra_sim") != std::string::npos ? 1e-5 : 1e-9;
            double before = point.time() * (1.0 + rounding);
            for (const WhatIf& what_if : one.what_if) {
                ASSERT_FALSE(std::isnan(what_if.time)) << one.field.path << ": " << what_if.why;
                EXPECT_LE(what_if.time, before) << one.field.path << " x " << what_if.factor << "\n" << yaml;
                before = what_if.time * (1.0 + rounding);
            }
            sum += one.elasticity;
        }
        EXPECT_LE(sum, 1.05) << yaml;
        EXPECT_GT(sum, 0.5) << yaml;
    }
}

/// Sixteen devices in one domain never use the fabric; of what they do use, less latency is better.
TEST(Sensitivities, TheFabricIsWorthNothingToASingleDomain) {
    const test::Explained point{test::SweepFiles::llama(
        "axes: {tp: [8], pp: [1]}\n", "", "{base: h100_ndr400, network: {scale_up: {domain: 16}}}")};
    const auto all = of(point);
    const Sensitivity* fabric = find(all, "system.cluster.network.scale_out.bandwidth");
    ASSERT_NE(fabric, nullptr);
    EXPECT_EQ(fabric->elasticity, 0.0);
    EXPECT_EQ(fabric->what_if.size(), 1U);
    EXPECT_FALSE(fabric->is_time);
    const Sensitivity* latency = find(all, "system.cluster.network.scale_up.latency");
    ASSERT_NE(latency, nullptr);
    EXPECT_TRUE(latency->is_time);
    EXPECT_GT(latency->elasticity, 0.0);
}

/// What a field is worth is what the point takes when a sweep sets it so.
TEST(Sensitivities, AreWhatASweepWouldSay) {
    const std::string axes = "axes: {tp: [8], pp: [2]}\n";
    const test::Explained point{test::SweepFiles::llama(axes)};
    const auto all = of(point);
    const Sensitivity* fabric = find(all, "system.cluster.network.scale_out.bandwidth");
    ASSERT_NE(fabric, nullptr);
    ASSERT_EQ(fabric->what_if.size(), 4U);
    // 400 Gbps are doubled.
    const test::Explained faster{test::SweepFiles::llama(
        "axes: {tp: [8], pp: [2], cluster.network.scale_out.bandwidth: [800 Gbps]}\n")};
    EXPECT_EQ(fabric->what_if[2].factor, 2.0);
    EXPECT_EQ(fabric->what_if[2].time, faster.time());
}

TEST(Sensitivities, MostValuableFirstAndEachOnce) {
    const test::Explained point{test::explained_sweeps().front()};
    const auto all = of(point);
    std::set<std::string> paths;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(paths.insert(all[i].field.path).second);
        if (i > 0) EXPECT_LE(all[i].elasticity, all[i - 1].elasticity);
    }
    EXPECT_TRUE(paths.contains("system.cluster.device.memory.bandwidth"));
    EXPECT_FALSE(paths.contains("system.cluster.device.memory.capacity"));
}

}  // namespace
}  // namespace dse::eval
