#include "dse/eval/why/sensitivity.hpp"

#include <cmath>
#include <random>
#include <set>

#include <gtest/gtest.h>

#include "dse/base/seed.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "dse/netsim/registry.hpp"
#include "eval/serve/served_scenario.hpp"
#include "eval/why/explained.hpp"
#include "support/source_dir.hpp"

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

/// Whether a network model cuts times to ticks of its own.
bool has_clock(const std::string& network) {
    return netsim::network_models().find(network)(hardware::NetworkSpec{})->traits().tick > Seconds{};
}

/// No number of the machine makes a point slower when it gets better, twice helps at least as much as 10 %,
/// and all of them together are worth no more than the whole time.
TEST(Sensitivities, BetterIsNeverSlower) {
    for (const std::string& yaml : test::explained_sweeps()) {
        const test::Explained point{yaml};
        const bool ticks = has_clock(point.explanation().scenario->fidelity.network);
        double sum = 0;
        for (const Sensitivity& one : of(point)) {
            // Ticks of a network's clock are coarse.
            const double rounding = ticks ? 1e-5 : 1e-9;
            double before = point.time() * (1.0 + rounding);
            for (const WhatIf& what_if : one.what_if) {
                ASSERT_FALSE(std::isnan(what_if.time)) << one.field.path << ": " << what_if.why;
                EXPECT_LE(what_if.time, before) << one.field.path << " x " << what_if.factor << "\n" << yaml;
                before = what_if.time * (1.0 + rounding);
            }
            sum += one.elasticity;
        }
        // Kernels take whole microseconds under such a clock: 1 % of a short one is none, or several.
        EXPECT_LE(sum, ticks ? 1.2 : 1.05) << yaml;
        EXPECT_GT(sum, 0.5) << yaml;
    }
}

/// Random points of a sweep that comes with dse, under a network model; those without an answer are passed
/// over.
void expect_better_is_never_slower(const std::string& file, const std::string& network) {
    const study::Sweep sweep =
        load_sweep(std::string{DSE_SOURCE_DIR} + "/sweeps/" + file, {{"fidelity.network", network}});
    std::mt19937_64 random{seed_of(file.size(), network.size())};
    Evaluator evaluator{sweep};
    space::Point point;
    int looked_at = 0;
    for (int tries = 0; looked_at < 4 && tries < 400; ++tries) {
        point.id = random() % sweep.space->grid_size().exact.value();
        if (!sweep.space->point(point.id, point)) continue;
        const Explanation explanation = evaluator.explain(point);
        if (explanation.record.status != space::Status::ok) continue;
        ++looked_at;
        const double time = explanation.result.iteration_time;
        for (const Sensitivity& one : sensitivities(
                 *explanation.scenario, time, std::make_unique<frontend::TemplateFrontend>(sweep.library))) {
            double before = time;
            for (const WhatIf& what_if : one.what_if) {
                // The one allowance: times are cut to the network's ticks, one node at a time.
                EXPECT_LE(what_if.time, before * (1.0 + (has_clock(network) ? 1e-6 : 0.0)))
                    << file << " point " << point.id << ": " << one.field.path << " x " << what_if.factor;
                before = what_if.time;
            }
        }
    }
    EXPECT_GT(looked_at, 0) << file;
}

TEST(Sensitivities, BetterIsNeverSlowerOnRandomPointsOfSweeps) {
    for (const char* file : {"llm_70b.yaml", "mixtral_8x7b.yaml", "llama3_8b_long_context.yaml", "smoke.yaml",
                             "dlrm.yaml", "llama3_70b_inference.yaml"}) {
        for (const char* network : {"latency_bandwidth", "multi_dim", "astra_sim"})
            expect_better_is_never_slower(file, network);
    }
    // Where every link is played, small machines do. NCCL is not here: it may choose worse
    // (docs/networks.md).
    for (const char* file : {"smoke.yaml", "dlrm.yaml"}) expect_better_is_never_slower(file, "flow");
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

/// A single request has a time, and no rate that a search could find.
TEST(Sensitivities, SearchForNoRate) {
    study::Scenario scenario = served_scenario();
    scenario.workload.traffic.requests = 1;
    scenario.workload.levels.most[1][4] = Seconds{0.02};
    scenario.workload.levels.rate_within = 0.1;
    const auto all = sensitivities(scenario, 0.01, library_frontend());
    ASSERT_FALSE(all.empty());
    for (const Sensitivity& one : all) EXPECT_EQ(one.what_if.front().why, "") << one.field.path;
}

TEST(Sensitivities, MostValuableFirstAndEachOnce) {
    const test::Explained point{test::explained_sweeps().front()};
    const auto all = of(point);
    std::set<std::string> paths;
    for (std::size_t i = 0; i < all.size(); ++i) {
        EXPECT_TRUE(paths.insert(all[i].field.path).second);
        if (i > 0) {
            EXPECT_LE(all[i].elasticity, all[i - 1].elasticity);
        }
    }
    EXPECT_TRUE(paths.contains("system.cluster.device.memory.bandwidth"));
    EXPECT_FALSE(paths.contains("system.cluster.device.memory.capacity"));
}

}  // namespace
}  // namespace dse::eval
