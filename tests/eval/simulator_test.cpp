// Also tests: iteration.cpp
#include "dse/eval/simulator.hpp"

#include <algorithm>
#include <array>
#include <limits>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/eval/machine.hpp"
#include "dse/frontend/template/template_frontend.hpp"
#include "eval/sweeps.hpp"
#include "model/devices.hpp"

namespace dse::eval {
namespace {

class SimulatorTest : public testing::Test {
  protected:
    SimulatorTest() {
        scenario_.system.cluster = model::catalogue_cluster("h100_ndr400");
        scenario_.system.devices = 16;
        scenario_.workload.model = "llama3_8b";
        scenario_.workload.global_batch = 16;
        scenario_.workload.sequence = 2048;
        scenario_.workload.layout.tp = 4;
    }

    static std::unique_ptr<Simulator> make() {
        return std::make_unique<Simulator>(
            std::make_unique<frontend::TemplateFrontend>(config::Library::standard("")));
    }

    static graph::MemoryKind largest(const Shortage& shortage) {
        const auto most = std::max_element(shortage.by_kind.begin(), shortage.by_kind.end());
        return static_cast<graph::MemoryKind>(most - shortage.by_kind.begin());
    }

    /// The scenario's answer of a simulator that knows nothing yet.
    [[nodiscard]] std::vector<std::uint64_t> fresh() const {
        return test::bits_of(make()->run(scenario_, {}, WhenFull::refuse).metrics);
    }

    study::Scenario scenario_;
    std::unique_ptr<Simulator> simulator_{make()};
};

TEST_F(SimulatorTest, SaysWhatItWasMadeFrom) {
    const Evaluation& evaluation = simulator_->run(scenario_, {}, WhenFull::refuse);
    ASSERT_NE(evaluation.graph, nullptr);
    ASSERT_NE(evaluation.durations, nullptr);
    EXPECT_EQ(evaluation.graph->mesh.ranks(), 16);
    EXPECT_EQ(evaluation.durations->of_work.size(), evaluation.graph->works.size());
    EXPECT_EQ(evaluation.metrics.iteration_time, evaluation.result.iteration_time);
    EXPECT_GT(evaluation.result.iteration_time, 0.0);
    EXPECT_EQ(&simulator_->last(), &evaluation);
}

/// Parameters, gradients and optimizer states of 8 B on one device: 2 + 4 + 12 bytes each.
TEST_F(SimulatorTest, WhatIsResidentMustFit) {
    scenario_.workload.layout.tp = 1;
    scenario_.workload.stack.zero = 0;
    const auto shortage = simulator_->run(scenario_, {}, WhenFull::refuse).shortage;
    ASSERT_TRUE(shortage);
    EXPECT_EQ(shortage->stage, 0U);
    EXPECT_EQ(shortage->capacity.value(), scenario_.system.cluster.device.memory.capacity.value());
    EXPECT_EQ(largest(*shortage), graph::MemoryKind::optimizer);
    EXPECT_NEAR(shortage->need.value(), 18.0 * 8.03e9, 0.01 * 18.0 * 8.03e9);
    EXPECT_NE(simulator_->last().graph, nullptr);
    EXPECT_EQ(simulator_->last().durations, nullptr) << "nothing was played";
    const Evaluation& evaluation = simulator_->run(scenario_, {}, WhenFull::simulate);
    EXPECT_GT(evaluation.metrics.memory_peak, evaluation.metrics.memory_capacity);
}

/// Adam's states of 8 B over tp 4 and dp 4: 12 + 4 B a parameter are the host's.
TEST_F(SimulatorTest, WhatIsOffloadedMustFitTheHost) {
    scenario_.workload.stack.offload = graph::Offload::optimizer;
    const double own = 16.0 * 8.03e9 / 16;
    EXPECT_FALSE(simulator_->run(scenario_, {}, WhenFull::refuse).shortage);
    EXPECT_NEAR(simulator_->last().metrics.host_memory, own, 0.01 * own);
    EXPECT_EQ(simulator_->last().metrics.memory_optimizer, 0.0);
    scenario_.system.cluster.host.capacity = Bytes{0.9 * own};
    const auto shortage = simulator_->run(scenario_, {}, WhenFull::refuse).shortage;
    ASSERT_TRUE(shortage);
    EXPECT_EQ(shortage->of, Shortage::Of::host);
    EXPECT_NEAR(shortage->need.value(), own, 0.01 * own);
}

/// A slow link hides nothing: an iteration takes as long as its copies in one direction, at least; a fast one
/// all.
TEST_F(SimulatorTest, OffloadedActivationsCostWhatTheirCopiesTake) {
    const auto time = [&](graph::Offload offload, double bandwidth) {
        scenario_.workload.stack.offload = offload;
        scenario_.system.cluster.host.bandwidth = BytesPerSecond{bandwidth};
        const std::array key{bandwidth};
        return simulator_->run(scenario_, key, WhenFull::refuse).metrics.iteration_time;
    };
    const double plain = time(graph::Offload::none, 50e9);
    // Four microbatches of 2048 tokens; a layer keeps 139,264 B a token and 128 of statistics over tp 4.
    const double bytes = 4.0 * 2048 * 32 * (139264 + 128) / 4;
    EXPECT_GE(time(graph::Offload::activations, 1e9), bytes / 1e9);
    EXPECT_LT(time(graph::Offload::activations, 1e13), 1.01 * plain);
    EXPECT_GT(time(graph::Offload::activations, 50e9), plain);
}

TEST_F(SimulatorTest, ActivationsMustFitToo) {
    scenario_.workload.global_batch = 64;
    scenario_.workload.layout.microbatch = 16;
    scenario_.workload.sequence = 8192;
    scenario_.workload.stack.zero = 3;
    const auto shortage = simulator_->run(scenario_, {}, WhenFull::refuse).shortage;
    ASSERT_TRUE(shortage);
    EXPECT_EQ(largest(*shortage), graph::MemoryKind::activations);
    const Evaluation& evaluation = simulator_->run(scenario_, {}, WhenFull::simulate);
    EXPECT_FALSE(evaluation.shortage);
    EXPECT_EQ(evaluation.metrics.memory_peak, shortage->need.value()) << "known before it is played";
}

/// The share that the allocator adds decides at the edge.
TEST_F(SimulatorTest, AllocatorOverheadCounts) {
    const double peak = simulator_->run(scenario_, {}, WhenFull::refuse).metrics.memory_peak;
    scenario_.system.cluster.device.memory.capacity = Bytes{peak};
    const std::vector<double> key{1};
    EXPECT_FALSE(simulator_->run(scenario_, key, WhenFull::refuse).shortage) << "exactly full";
    scenario_.workload.stack.allocator_overhead = 1e-6;
    EXPECT_TRUE(simulator_->run(scenario_, key, WhenFull::refuse).shortage);
}

/// The backward pass of a frozen embedding has no steps, but the gradient that arrives must be freed, and its
/// parameters need not be gathered.
TEST_F(SimulatorTest, PeaksOfAdaptersDoNotGrowWithTheNumberOfMicrobatches) {
    scenario_.workload.adapter.rank = 16;
    scenario_.workload.layout.tp = 1;
    const auto peak = [&](std::int64_t zero, std::int64_t pp, std::int64_t microbatches) {
        scenario_.workload.stack.zero = zero;
        scenario_.workload.layout.pp = pp;
        scenario_.workload.global_batch = microbatches * scenario_.system.devices / pp;
        const metrics::Metrics& found = simulator_->run(scenario_, {}, WhenFull::simulate).metrics;
        return found.memory_peak;
    };
    for (const std::int64_t zero : {0, 1, 3}) {
        for (const std::int64_t pp : {1, 2})
            EXPECT_EQ(peak(zero, pp, 4), peak(zero, pp, 32)) << "zero " << zero << ", pp " << pp;
    }
}

TEST_F(SimulatorTest, LayoutThatCannotBeLeavesNothingBehind) {
    simulator_->run(scenario_, {}, WhenFull::refuse);
    scenario_.workload.layout.tp = 3;
    EXPECT_THROW(simulator_->run(scenario_, {}, WhenFull::refuse), ModelError);
    EXPECT_EQ(simulator_->last().graph, nullptr);
    EXPECT_EQ(simulator_->last().result.iteration_time, 0.0);
}

TEST_F(SimulatorTest, UnknownEngine) {
    scenario_.fidelity.engine = "evnt";
    EXPECT_THROW(simulator_->run(scenario_, {}, WhenFull::refuse), InputError);
}

/// More machines than are kept, and back again: what was kept for one must not answer for another that the
/// cache put in its place.
TEST_F(SimulatorTest, ForgottenMachinesGiveNoStaleCosts) {
    const BytesPerSecond bandwidth = scenario_.system.cluster.network.scale_up.link.bandwidth;
    std::vector<std::vector<std::uint64_t>> first;
    const int count = static_cast<int>(MachineCache::most_machines) + 20;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < count; ++i) {
            scenario_.system.cluster.network.scale_up.link.bandwidth = bandwidth * (1.0 + 0.01 * i);
            const std::vector<double> key{static_cast<double>(i)};
            const auto bits = test::bits_of(simulator_->run(scenario_, key, WhenFull::refuse).metrics);
            if (round == 0) first.push_back(bits);
            ASSERT_EQ(bits, first[static_cast<std::size_t>(i)]);
            if (round == 0 && i % 40 == 0) {
                ASSERT_EQ(bits, fresh());
            }
        }
    }
    EXPECT_NE(first.front(), first.back()) << "the bandwidth must matter";
}

/// A model that refuses leaves costs half filled; the next scenario of the same numbers must not see them.
TEST_F(SimulatorTest, RefusedScenarioSpoilsNothing) {
    const auto expected = fresh();
    const std::vector<double> good{1};
    const std::vector<double> bad{2};
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(test::bits_of(simulator_->run(scenario_, good, WhenFull::refuse).metrics), expected);
        study::Scenario wrong = scenario_;
        wrong.system.cluster.device.peak.bf16 = FlopPerSecond{};
        wrong.system.cluster.device.matmul.sustained.bf16 = FlopPerSecond{};
        EXPECT_THROW(simulator_->run(wrong, bad, WhenFull::refuse), ModelError);
    }
}

/// Gradients are reduced beside the last backward passes of two stages: these take longer than without, in
/// both engines alike.
TEST_F(SimulatorTest, KernelsLoseTimeBesideReductions) {
    scenario_.workload.layout = {};
    scenario_.workload.layout.tp = 2;
    scenario_.workload.layout.pp = 2;
    const auto run = [&](const char* engine, double slowdown) {
        scenario_.fidelity.engine = engine;
        scenario_.system.cluster.device.overlap.compute_slowdown = slowdown;
        return make()->run(scenario_, {}, WhenFull::simulate).result;
    };
    const sim::Result plain = run("folded", 1.0);
    const sim::Result slowed = run("folded", 1.189);
    EXPECT_GT(slowed.iteration_time, plain.iteration_time);
    EXPECT_EQ(slowed.parts->sum(), slowed.iteration_time);
    const sim::Result event = run("event", 1.189);
    EXPECT_EQ(event.iteration_time, slowed.iteration_time);
    EXPECT_EQ(event.parts, slowed.parts);
    EXPECT_EQ(event.stages, slowed.stages);
}

/// Sixteen devices in four tensor-parallel groups, which meet in gradients once: one slow device makes its
/// group as slow as itself, and all wait for that group at the end. So it costs as much as if all were slow.
TEST_F(SimulatorTest, OneStragglerIsAsDearAsAll) {
    scenario_.fidelity.engine = "event";
    // The critical path leads over kernels, not over the reductions beside them.
    scenario_.system.cluster.network.scale_out.link.bandwidth *= 2.0;
    const auto time = [&](std::int64_t number, std::int64_t first, double slowdown) {
        scenario_.system.stragglers = {{number, first, 1}, slowdown};
        return make()->run(scenario_, {}, WhenFull::refuse).result;
    };
    const sim::Result equal = time(0, 0, 1.0);
    const sim::Result all = time(16, 0, 1.25);
    const sim::Result one = time(1, 6, 1.25);
    EXPECT_EQ(one.iteration_time, all.iteration_time);
    EXPECT_GT(one.iteration_time, equal.iteration_time);
    EXPECT_NEAR(all.parts->busy.compute_time(), 1.25 * equal.parts->busy.compute_time(), 1e-9);
    // A device that is no slower changes nothing; one that is faster does not either.
    EXPECT_EQ(time(1, 6, 1.0).iteration_time, equal.iteration_time);
    EXPECT_EQ(time(1, 6, 0.5).iteration_time, equal.iteration_time);
    scenario_.fidelity.engine = "folded";
    EXPECT_THROW(static_cast<void>(time(1, 6, 1.25)), ModelError);
}

/// Sixteen devices in four stages, some with devices of another class.
class DeviceClassesTest : public SimulatorTest {
  protected:
    DeviceClassesTest() {
        scenario_.workload.layout.tp = 2;
        scenario_.workload.layout.pp = 4;
    }
    void add_class(const hardware::DeviceSpec& device, hardware::RankSet ranks) {
        scenario_.system.device_classes.push_back({device, ranks});
    }
    [[nodiscard]] hardware::DeviceSpec device(double speed) const {
        hardware::DeviceSpec device = scenario_.system.cluster.device;
        device.matmul.sustained.bf16 = device.matmul.sustained.bf16 * speed;
        device.memory.bandwidth = device.memory.bandwidth * speed;
        return device;
    }
    [[nodiscard]] metrics::Metrics run(const char* engine = "event") {
        scenario_.fidelity.engine = engine;
        return make()->run(scenario_, {}, WhenFull::simulate).metrics;
    }
};

TEST_F(DeviceClassesTest, OfEqualDevicesChangeNothing) {
    for (const char* engine : {"event", "folded"}) {
        scenario_.system.device_classes.clear();
        const auto plain = test::bits_of(run(engine));
        add_class(device(1.0), {.number = 4, .first_rank = 4});
        add_class(device(1.0), {.number = 4, .first_rank = 12});
        EXPECT_EQ(test::bits_of(run(engine)), plain) << engine;
    }
    scenario_.system.device_classes.clear();
    const auto plain = test::bits_of(run());
    add_class(device(1.0), {.number = 5, .first_rank = 1, .rank_stride = 3});
    EXPECT_EQ(test::bits_of(run()), plain) << "nor where stages have several";
}

TEST_F(DeviceClassesTest, EnginesAgreeWhereAStageHasOneClass) {
    add_class(device(0.5), {.number = 4, .first_rank = 8});
    add_class(device(1.7), {.number = 4, .first_rank = 0});
    EXPECT_EQ(test::bits_of(run("folded")), test::bits_of(run("event")));
}

TEST_F(DeviceClassesTest, FoldedRefusesAStageOfSeveral) {
    add_class(device(0.5), {.number = 1, .first_rank = 8});
    EXPECT_GT(run().iteration_time, 0.0);
    try {
        static_cast<void>(run("folded"));
        FAIL() << "a stage of several classes";
    } catch (const ModelError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("system.device_classes"));
    }
}

TEST_F(DeviceClassesTest, AFasterClassIsNeverSlower) {
    for (const hardware::RankSet& ranks :
         {hardware::RankSet{.number = 4, .first_rank = 0}, hardware::RankSet{.number = 4, .first_rank = 12},
          hardware::RankSet{.number = 3, .first_rank = 2, .rank_stride = 5}}) {
        double before = std::numeric_limits<double>::infinity();
        for (const double speed : {0.25, 0.5, 0.9, 1.0, 1.3, 4.0}) {
            scenario_.system.device_classes.clear();
            add_class(device(speed), ranks);
            const double time = run().iteration_time;
            EXPECT_LE(time, before) << speed << " from rank " << ranks.first_rank;
            before = time;
        }
    }
}

/// A job whose devices are all of a class is a job of that device.
TEST_F(DeviceClassesTest, OfAllRanksAreTheJobsDevice) {
    const hardware::DeviceSpec usual = device(1.0);
    const hardware::DeviceSpec slow = model::catalogue_cluster("dgx_a100_hdr200").device;
    add_class(slow, {.number = 16, .first_rank = 0});
    const double classed = run().iteration_time;
    scenario_.system.device_classes.clear();
    scenario_.system.cluster.device = slow;
    scenario_.system.cluster.device.overlap = usual.overlap;
    EXPECT_EQ(run().iteration_time, classed);
}

TEST_F(DeviceClassesTest, EachStageMustFitItsOwnDevices) {
    const Evaluation& fits = simulator_->run(scenario_, {}, WhenFull::refuse);
    ASSERT_FALSE(fits.shortage);
    hardware::DeviceSpec small = device(1.0);
    small.memory.capacity = Bytes{fits.metrics.memory_peak * 0.2};
    add_class(small, {.number = 4, .first_rank = 8});
    const auto shortage = make()->run(scenario_, {}, WhenFull::refuse).shortage;
    ASSERT_TRUE(shortage);
    EXPECT_EQ(shortage->stage, 2U);
    EXPECT_EQ(shortage->capacity, small.memory.capacity);
    // A stage that needs more than the usual device has may lie on a larger one.
    hardware::DeviceSpec large = device(1.0);
    scenario_.system.cluster.device.memory.capacity = Bytes{fits.metrics.memory_peak * 0.999};
    scenario_.system.device_classes.clear();
    ASSERT_TRUE(make()->run(scenario_, {}, WhenFull::refuse).shortage);
    const std::int64_t fullest = make()->run(scenario_, {}, WhenFull::refuse).shortage->stage;
    add_class(large, {.number = 4, .first_rank = 4 * fullest});
    EXPECT_FALSE(make()->run(scenario_, {}, WhenFull::refuse).shortage);
}

TEST_F(DeviceClassesTest, PriceAndPowerAreThoseOfEachClass) {
    scenario_.system.cluster.device.price = DollarsPerSecond{3.0};
    scenario_.system.cluster.facility.electricity_price = {};
    hardware::DeviceSpec cheap = device(1.0);
    cheap.price = DollarsPerSecond{1.0};
    cheap.power.tdp = cheap.power.tdp * 0.5;
    cheap.power.idle = cheap.power.idle * 0.5;
    cheap.power.active = cheap.power.active * 0.5;
    const metrics::Metrics usual = run();
    add_class(cheap, {.number = 4, .first_rank = 4});
    const metrics::Metrics mixed = run();
    // (12 · 3 + 4 · 1) / 16 of 3.
    EXPECT_NEAR(mixed.cost, usual.cost * 2.5 / 3.0, 1e-12 * usual.cost);
    EXPECT_LT(mixed.energy, usual.energy);
    EXPECT_EQ(mixed.iteration_time, usual.iteration_time);
}

}  // namespace
}  // namespace dse::eval
