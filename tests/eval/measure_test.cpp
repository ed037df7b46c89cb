// Also tests: expenses.cpp
#include "dse/eval/measure.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

using graph::AxisSet;
using graph::MemoryKind;
using graph::MeshAxis;

class MeasureTest : public testing::Test {
  protected:
    MeasureTest() {
        scenario_.workload.global_batch = 6;
        scenario_.workload.sequence = 100;
        scenario_.system.devices = 4;
        hardware::ClusterSpec& cluster = scenario_.system.cluster;
        cluster.device.peak.bf16 = FlopPerSecond{50.0};
        cluster.device.memory.capacity = Bytes{1000.0};
        cluster.device.memory.bandwidth = BytesPerSecond{1.0};
        cluster.network.scale_up.link.bandwidth = BytesPerSecond{1.0};
        cluster.device.power.idle = Watts{10.0};
        cluster.device.power.per_flop = JoulesPerFlop{2.0};
        cluster.device.power.per_memory_byte = JoulesPerByte{3.0};
        cluster.device.power.per_link_byte = JoulesPerByte{5.0};
        cluster.host.power = Watts{1.0};
        cluster.facility.pue = 1.5;
        cluster.device.price = DollarsPerSecond{0.5};
        graph_.mesh = graph::Mesh::dense(2, 1, 2, 1);
        total_.model_flop = Flop{200.0};
        total_.executed_flop = Flop{240.0};
        total_.memory_traffic = Bytes{80.0};
        total_.sent = Bytes{40.0};
        result_.iteration_time = 2.0;
    }

    [[nodiscard]] metrics::Metrics measured() const {
        return measure(scenario_, graph_, total_, result_, memory_);
    }

    study::Scenario scenario_;
    graph::Graph graph_;
    graph::Totals total_;
    sim::Result result_;
    sim::MemoryPeak memory_;
};

TEST_F(MeasureTest, RatesOfTheIteration) {
    const metrics::Metrics m = measured();
    EXPECT_EQ(m.iteration_time, 2.0);
    EXPECT_EQ(m.tokens_per_second, 6 * 100 / 2.0);
    EXPECT_EQ(m.samples_per_second, 6 / 2.0);
    EXPECT_EQ(m.mfu, 200.0 / (50.0 * 4 * 2.0));
    EXPECT_EQ(m.model_flop, 200.0);
    EXPECT_EQ(m.executed_flop, 240.0);
}

TEST_F(MeasureTest, NothingThatIsMeasuredIsInfinite) {
    scenario_.system.cluster.facility.pue = 1e308;
    EXPECT_THROW(static_cast<void>(measured()), ModelError);
    scenario_.system.cluster.facility.pue = 1.0;
    scenario_.system.cluster.device.price = DollarsPerSecond{1e308};
    EXPECT_THROW(static_cast<void>(measured()), ModelError);
    scenario_.system.cluster.device.price = {};
    static_cast<void>(measured());
    scenario_.system.cluster.facility.carbon_intensity = GramsPerJoule{1e308};
    EXPECT_THROW(static_cast<void>(measured()), ModelError);
}

// 10 W and (60·2 + 20·3 + 10·5) J in 2 s on a device, 1 W of its host, four of them, half as much again for
// cooling.
TEST_F(MeasureTest, PowerAndWhatATokenComesTo) {
    hardware::ClusterSpec& cluster = scenario_.system.cluster;
    cluster.device.power.embodied = Grams{700.0};
    cluster.host.embodied = Grams{300.0};
    cluster.facility.carbon_intensity = GramsPerJoule{0.1};
    cluster.facility.lifetime = Seconds{100.0};
    const metrics::Metrics m = measured();
    constexpr double power = (10.0 + (60.0 * 2.0 + 20.0 * 3.0 + 10.0 * 5.0) / 2.0 + 1.0) * 4.0 * 1.5;
    EXPECT_DOUBLE_EQ(m.power, power);
    EXPECT_DOUBLE_EQ(m.energy, 2.0 * power);
    EXPECT_DOUBLE_EQ(m.joules_per_token, 2.0 * power / 600.0);
    EXPECT_DOUBLE_EQ(m.tokens_per_second_per_megawatt, 300.0 / (power / 1e6));
    // 0.5 USD/s of four devices for 2 s.
    EXPECT_DOUBLE_EQ(m.usd_per_mtoken, 4.0 / 600.0 * 1e6);
    // Two hundredths of 4 kg.
    EXPECT_DOUBLE_EQ(m.carbon, 2.0 * power * 0.1 + 80.0);
    EXPECT_DOUBLE_EQ(m.embodied_share, 80.0 / m.carbon);
    EXPECT_DOUBLE_EQ(m.gco2e_per_mtoken, m.carbon / 600.0 * 1e6);
}

TEST_F(MeasureTest, WhatIsUnknownHasNoFigure) {
    scenario_.workload.sequence = 0;
    const metrics::Metrics m = measured();
    EXPECT_GT(m.power, 0.0);
    EXPECT_TRUE(std::isnan(m.joules_per_token));
    EXPECT_TRUE(std::isnan(m.carbon)) << "no grid is stated";
    EXPECT_TRUE(std::isnan(m.embodied_share)) << "nor what making the machine took";
}

// A compiler's program may do nothing but hand on its arguments.
TEST_F(MeasureTest, NothingHasNoRates) {
    result_.iteration_time = 0.0;
    EXPECT_THROW((void)measured(), ModelError);
}

TEST_F(MeasureTest, ImagesHaveNoTokens) {
    scenario_.workload.sequence = 0;
    const metrics::Metrics m = measured();
    EXPECT_TRUE(std::isnan(m.tokens_per_second));
    EXPECT_EQ(m.samples_per_second, 6 / 2.0);
}

/// Charged to the outermost axis of the group: dp, pp, ep, cp, tp.
TEST_F(MeasureTest, ExposedCommunicationByTheWidestAxis) {
    sim::PathParts& parts = result_.parts.emplace();
    const auto charge = [&](AxisSet axes, double seconds) {
        parts.busy.communication[graph::group_index(axes)] = seconds;
        parts.bubble.communication[graph::group_index(axes)] = 3.0 * seconds;
    };
    const AxisSet tp = MeshAxis::tensor;
    const AxisSet cp = MeshAxis::context;
    charge(tp, 1.0);
    charge(cp, 2.0);
    charge(tp | cp, 4.0);
    charge(AxisSet{MeshAxis::expert} | MeshAxis::expert_tensor, 8.0);
    charge(MeshAxis::expert_data, 8192.0);
    charge(MeshAxis::pipeline, 16.0);
    charge(MeshAxis::pipeline | tp, 32.0);
    charge(MeshAxis::data, 64.0);
    charge(MeshAxis::data | cp | AxisSet{MeshAxis::pipeline}, 128.0);
    parts.busy.compute[0] = 256.0;
    parts.busy.compute[3] = 512.0;
    parts.busy.message = 1024.0;
    parts.busy.idle = 4096.0;
    parts.bubble.compute[1] = 0.5;
    parts.bubble.message = 0.25;
    parts.bubble.idle = 0.125;
    const metrics::Metrics m = measured();
    EXPECT_EQ(m.exposed_tp, 1.0);
    EXPECT_EQ(m.exposed_cp, 2.0 + 4.0);
    EXPECT_EQ(m.exposed_ep, 8.0);
    EXPECT_EQ(m.exposed_pp, 16.0 + 32.0 + 1024.0);
    EXPECT_EQ(m.exposed_dp, 64.0 + 128.0 + 8192.0) << "replicas of experts as well";
    EXPECT_EQ(m.compute_time, 256.0 + 512.0);
    EXPECT_EQ(m.idle, 4096.0);
    EXPECT_EQ(m.bubble_compute, 0.5);
    EXPECT_EQ(m.bubble_tp, 3.0 * m.exposed_tp);
    EXPECT_EQ(m.bubble_cp, 3.0 * m.exposed_cp);
    EXPECT_EQ(m.bubble_ep, 3.0 * m.exposed_ep);
    EXPECT_EQ(m.bubble_dp, 3.0 * m.exposed_dp);
    EXPECT_EQ(m.bubble_pp, 3.0 * (16.0 + 32.0) + 0.25);
    EXPECT_EQ(m.bubble_idle, 0.125);
    EXPECT_EQ(m.bubble, m.bubble_compute + m.bubble_tp + m.bubble_cp + m.bubble_ep + m.bubble_dp +
                            m.bubble_pp + m.bubble_idle);
}

TEST_F(MeasureTest, PartsAreNoAnswerUnasked) {
    const metrics::Metrics m = measured();
    for (const metrics::MetricField& field : metrics::metric_fields()) {
        if (!field.is_part) continue;
        EXPECT_TRUE(std::isnan(m.*field.member)) << field.name;
    }
}

/// A communicator for all eight devices, one for tp 2, one for pp 2 and one for the two replicas.
TEST_F(MeasureTest, CommunicatorsTakeMemoryOutsideOfTheAllocator) {
    scenario_.workload.stack.runtime_memory = Bytes{100};
    scenario_.workload.stack.communicator_memory = Bytes{10};
    scenario_.workload.stack.allocator_overhead = 0.5;
    memory_.total = 200;
    scenario_.system.devices = 8;
    scenario_.workload.layout.tp = scenario_.workload.layout.pp = 2;
    EXPECT_EQ(memory_outside(scenario_), Bytes{140});
    EXPECT_EQ(peak_memory(scenario_, memory_), Bytes{440});
    scenario_.workload.layout.tp = 4;
    EXPECT_EQ(memory_outside(scenario_), Bytes{130}) << "no replicas";
    scenario_.system.devices = 1;
    scenario_.workload.layout.tp = scenario_.workload.layout.pp = 1;
    EXPECT_EQ(memory_outside(scenario_), Bytes{100});
    scenario_.workload.mode = graph::Mode::decode;
    EXPECT_EQ(memory_outside(scenario_), Bytes{0});
}

TEST_F(MeasureTest, MemoryByKindSumsToThePeak) {
    scenario_.workload.stack.allocator_overhead = 0.25;
    for (std::size_t kind = 0; kind < graph::memory_kind_count; ++kind) {
        memory_.by_kind[kind] = static_cast<double>(std::size_t{16} << kind);
        memory_.total += memory_.by_kind[kind];
    }
    const auto by_kind = [&](MemoryKind kind) { return memory_.by_kind[static_cast<std::size_t>(kind)]; };
    const metrics::Metrics m = measured();
    EXPECT_EQ(m.memory_peak, 1.25 * memory_.total);
    EXPECT_EQ(peak_memory(scenario_, memory_).value(), m.memory_peak);
    EXPECT_EQ(m.memory_parameters, by_kind(MemoryKind::parameters));
    EXPECT_EQ(m.memory_gradients, by_kind(MemoryKind::gradients));
    EXPECT_EQ(m.memory_optimizer, by_kind(MemoryKind::optimizer));
    EXPECT_EQ(m.memory_activations, by_kind(MemoryKind::activations));
    EXPECT_EQ(m.memory_communication, by_kind(MemoryKind::communication));
    EXPECT_EQ(m.memory_workspace, by_kind(MemoryKind::workspace) + 0.25 * memory_.total);
    EXPECT_EQ(m.memory_parameters + m.memory_gradients + m.memory_optimizer + m.memory_activations +
                  m.memory_communication + m.memory_workspace + m.memory_kv_cache,
              m.memory_peak);
    EXPECT_EQ(m.memory_capacity, 1000.0);
}

/// A device: 10 W · 2 s + 60 FLOP · 2 J + 20 B · 3 J + 10 B · 5 J = 250 J; with its host's 1 W · 2 s: 252 J.
/// Four of them, and half as much again for the building: 1512 J. Rent: 4 · 2 s · 0.5 $.
TEST_F(MeasureTest, EnergyAndCost) {
    const metrics::Metrics m = measured();
    EXPECT_DOUBLE_EQ(m.energy, 1512.0);
    EXPECT_DOUBLE_EQ(m.cost, 4.0);
}

}  // namespace
}  // namespace dse::eval
