#include "dse/study/binder.hpp"

#include <array>

#include <gtest/gtest.h>

#include "dse/base/seed.hpp"
#include "study/sweeps.hpp"

namespace dse::study {
namespace {

using graph::LossKernel;
using graph::Precision;
using test::SweepFiles;

class BinderTest : public testing::Test {
  protected:
    SweepFiles files_;
};

TEST_F(BinderTest, SaysWhetherNothingButTheNetworkDiffers) {
    const Sweep sweep = files_.load(SweepFiles::llama(
        "axes: {tp: [1, 4], devices: [8, 16], scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n"));
    Binder binder(sweep);
    std::vector<std::uint64_t> numbers;
    for (const space::Point& point : test::points_of(sweep)) {
        binder.bind(point);
        numbers.push_back(binder.beside_network());
    }
    ASSERT_EQ(numbers.size(), 8U);
    for (std::size_t i = 0; i < numbers.size(); i += 2) {
        EXPECT_EQ(numbers[i], numbers[i + 1]);
        if (i > 0) {
            EXPECT_NE(numbers[i], numbers[i - 1]);
        }
    }
    EXPECT_NE(numbers.front(), 0U) << "stands for unknown";
}

TEST_F(BinderTest, EveryKindOfFieldTakesItsValue) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes:\n"
                                      "  tp: [1, 4]\n"
                                      "  sequence_parallel: [true, false]\n"
                                      "  recompute: [none, full]\n"
                                      "  exposed_tp: [0.25]\n"
                                      "  scale_out.bandwidth: [100 Gbps, 400 Gbps]\n"
                                      "  engine: [folded, event]\n"
                                      "derive: {pp: 4 // tp}\n"));
    Binder binder(sweep);
    const auto points = test::points_of(sweep);
    ASSERT_EQ(points.size(), 32U);
    // The last point has the last value of every axis.
    binder.bind(points.back());
    const Scenario& last = binder.scenario();
    EXPECT_EQ(last.workload.layout.tp, 4);
    EXPECT_EQ(last.workload.layout.pp, 1) << "derived";
    EXPECT_FALSE(last.workload.layout.sequence_parallel);
    EXPECT_EQ(last.workload.stack.recompute, graph::Recompute::full);
    EXPECT_EQ(last.workload.stack.exposed_tp, 0.25);
    EXPECT_EQ(last.system.cluster.network.scale_out.link.bandwidth.value(), 50e9) << "400 Gbit/s";
    EXPECT_EQ(last.fidelity.engine, "event");
    binder.bind(points.front());
    EXPECT_EQ(binder.scenario().workload.layout.tp, 1);
    EXPECT_EQ(binder.scenario().workload.layout.pp, 4);
    EXPECT_EQ(binder.scenario().fidelity.engine, "folded");
}

/// A stack states an engine; what the sweep states itself takes precedence, also if the stack is an axis.
TEST_F(BinderTest, AStackSetsTheEngine) {
    const Sweep sweep = files_.load(
        "name: t\nworkload: {model: llama3_8b, mode: serving, traffic: {rate: 1 1/s, seed: 4},\n"
        "  serving: {request_time: 5 ms}}\nsystem: {cluster: h100_ndr400, devices: 1}\n"
        "axes: {stack: [vllm_2025, pytorch_eager, sglang_2025], traffic.seed: [3]}\n"
        "objectives: {ttft_mean: minimize}\n");
    Binder binder(sweep);
    const auto points = test::points_of(sweep);
    ASSERT_EQ(points.size(), 3U);
    for (const int at : {0, 1, 2, 0}) {
        const auto index = static_cast<std::size_t>(at);
        binder.bind(points[index]);
        const graph::ServingEngine& engine = binder.scenario().workload.engine;
        EXPECT_EQ(engine.request_time, Seconds{5e-3});
        EXPECT_EQ(engine.host_time, (std::array{Seconds{5e-4}, Seconds{}, Seconds{1e-3}}.at(index))) << at;
        EXPECT_EQ(engine.scheduler, at == 2 ? graph::Scheduler::sglang : graph::Scheduler::vllm);
        EXPECT_EQ(binder.scenario().workload.traffic.seed, 3);
    }
}

/// All engines replay graphs; a stack, or the sweep itself, may say otherwise.
TEST_F(BinderTest, WithoutAStackLaunchesOfInferenceCostNothing) {
    const auto graphs_of = [&](const std::string& workload) {
        const Sweep sweep =
            files_.load(SweepFiles::llama("axes: {mode: [training, prefill, decode]}\n", workload));
        Binder binder(sweep);
        std::vector<bool> graphs;
        const std::vector<space::Point> points = test::points_of(sweep);
        for (const std::size_t at : {0, 1, 2, 0}) {
            binder.bind(points.at(at));
            graphs.push_back(binder.scenario().workload.stack.cuda_graphs);
        }
        return graphs;
    };
    EXPECT_EQ(graphs_of(""), (std::vector{false, true, true, false}));
    EXPECT_EQ(graphs_of("cuda_graphs: false"), (std::vector{false, false, false, false}));
    EXPECT_EQ(graphs_of("stack: pytorch_eager"), (std::vector{false, false, false, false}));
}

/// A sweep's launch_factor is meant for its model, whatever a stack says of that kind.
TEST_F(BinderTest, AStatedLaunchFactorIsThatOfAllModels) {
    const auto factors_of = [&](const std::string& axes, const std::string& workload) {
        const Sweep sweep = files_.load(SweepFiles::llama("axes: {" + axes + "}\n", workload));
        Binder binder(sweep);
        binder.bind(test::points_of(sweep).back());
        const graph::SoftwareStack& stack = binder.scenario().workload.stack;
        return std::array{stack.launch_factor, stack.expert_launch_factor, stack.latent_launch_factor};
    };
    EXPECT_EQ(factors_of("tp: [1]", "stack: vllm_2025"), (std::array{1.3, 2.4, 3.2}));
    EXPECT_EQ(factors_of("tp: [1]", "stack: vllm_2025, launch_factor: 5"), (std::array{5.0, 0.0, 0.0}));
    EXPECT_EQ(factors_of("launch_factor: [4, 6]", "stack: vllm_2025"), (std::array{6.0, 0.0, 0.0}));
    EXPECT_EQ(factors_of("stack: [vllm_2025, sglang_2025]", "launch_factor: 5"), (std::array{5.0, 0.0, 0.0}));
    EXPECT_EQ(factors_of("tp: [1]", "stack: vllm_2025, launch_factor: 5, expert_launch_factor: 7"),
              (std::array{5.0, 7.0, 0.0}));
}

/// The same on every rank: of the sweep's seed and the point's id, and of nothing else.
TEST_F(BinderTest, SeedFollowsFromSweepAndPoint) {
    const auto with_seed = [&](const std::string& seed) {
        return files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\nsearch: {seed: " + seed + "}\n"));
    };
    const Sweep sweep = with_seed("7");
    Binder binder(sweep);
    const auto points = test::points_of(sweep);
    binder.bind(points[1]);
    EXPECT_EQ(binder.scenario().seed, seed_of(7, 1));
    EXPECT_EQ(binder.scenario().sweep_seed, 7U);
    binder.bind(points[0]);
    EXPECT_EQ(binder.scenario().seed, seed_of(7, 0));
    const Sweep reseeded = with_seed("8");
    Binder other(reseeded);
    other.bind(points[0]);
    EXPECT_EQ(other.scenario().seed, seed_of(8, 0));
}

TEST_F(BinderTest, KeyOfTheSystemHoldsWhatIsNoWorkload) {
    const Sweep sweep = files_.load(SweepFiles::llama(
        "axes: {tp: [1, 2], scale_out.bandwidth: [100 Gbps, 400 Gbps], devices: [16, 32]}"));
    Binder binder(sweep);
    const auto points = test::points_of(sweep);
    binder.bind(points.front());
    const std::vector<double> first(binder.system_key().begin(), binder.system_key().end());
    EXPECT_EQ(first.size(), 2U);
    binder.bind(points[4]);  // another tp, the same machine
    EXPECT_EQ(binder.scenario().workload.layout.tp, 2);
    EXPECT_EQ(std::vector<double>(binder.system_key().begin(), binder.system_key().end()), first);
    binder.bind(points.back());
    EXPECT_NE(std::vector<double>(binder.system_key().begin(), binder.system_key().end()), first);
}

/// What the sweep states goes before the file that an axis names, wherever in the file it stands.
TEST_F(BinderTest, StackOfAnAxisLeavesWhatIsStated) {
    for (const char* workload : {"zero: 3, stack: megatron_2021", "stack: {base: megatron_2021, zero: 3}",
                                 "stack: megatron_2021, zero: 3", "zero: 3"}) {
        const Sweep sweep =
            files_.load(SweepFiles::llama("axes: {stack: [megatron_2021, nemo_2025]}", workload));
        Binder binder(sweep);
        const auto points = test::points_of(sweep);
        for (const std::size_t which : {std::size_t{0}, std::size_t{1}, std::size_t{0}}) {
            binder.bind(points[which]);
            const graph::SoftwareStack& stack = binder.scenario().workload.stack;
            EXPECT_EQ(stack.zero, 3) << workload;
            EXPECT_EQ(stack.precision, which == 0 ? Precision::fp16 : Precision::bf16);
            EXPECT_EQ(stack.loss, which == 0 ? LossKernel::in_place : LossKernel::fused);
        }
    }
}

TEST_F(BinderTest, RecordsNameClustersAndStacksTogether) {
    const Sweep sweep = files_.load(
        "name: machines\nworkload: {model: llama3_8b, global_batch: 32, sequence: 4096, dp: 8}\nsystem: {}\n"
        "axes:\n  machine:\n    - {cluster: h100_ndr400, devices: 8, stack: torchtitan_2025}\n"
        "    - {cluster: dgx_a100_hdr200, devices: 8, stack: megatron_2021}\n"
        "objectives: {iteration_time: minimize}\n");
    Binder binder(sweep);
    const auto points = test::points_of(sweep);
    ASSERT_EQ(points.size(), 2U);
    binder.bind(points[1]);
    EXPECT_EQ(binder.scenario().workload.preset.name, "Megatron-LM 2021");
    EXPECT_EQ(binder.scenario().system.cluster.devices_per_node, 8);
    const double a100 = binder.scenario().system.cluster.device.peak.bf16.value();
    binder.bind(points[0]);
    EXPECT_EQ(binder.scenario().workload.preset.name, "torchtitan 2025");
    EXPECT_GT(binder.scenario().system.cluster.device.peak.bf16.value(), a100);
    EXPECT_NE(
        files_
            .errors("name: m\nworkload: {model: llama3_8b, global_batch: 32, sequence: 4096}\nsystem: {}\n"
                    "axes: {machine: [{cluster: h100_ndr400}, {cluster: h101}]}\n"
                    "objectives: {iteration_time: minimize}\n")
            .find("axes.machine.1.cluster: unknown value 'h101'"),
        std::string::npos);
}

TEST_F(BinderTest, AxisInsideAStackGoesBeforeBoth) {
    const Sweep sweep = files_.load(
        SweepFiles::llama("axes: {zero: [0, 2], stack: [megatron_2021, nemo_2025]}", "precision: fp8"));
    Binder binder(sweep);
    for (const space::Point& point : test::points_of(sweep)) {
        binder.bind(point);
        EXPECT_EQ(static_cast<double>(binder.scenario().workload.stack.zero), point.values[0]);
        EXPECT_EQ(binder.scenario().workload.stack.precision, Precision::fp8);
    }
}

TEST_F(BinderTest, ClusterOfAnAxisWithABandwidthOfAnother) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes: {network.scale_out.bandwidth: [100 Gbps, 800 Gbps], cluster: "
                                      "[h100_ndr400, dgx_a100_hdr200]}"));
    Binder binder(sweep);
    for (const space::Point& point : test::points_of(sweep)) {
        binder.bind(point);
        const hardware::ClusterSpec& cluster = binder.scenario().system.cluster;
        EXPECT_EQ(cluster.network.scale_out.link.bandwidth.value(), point.values[0]);
        const bool is_h100 = point.values[1] == 0.0;
        EXPECT_EQ(cluster.device.name, is_h100 ? "NVIDIA H100 SXM 80 GB" : "NVIDIA A100 SXM 80 GB");
    }
}

TEST_F(BinderTest, FieldStatedBesideAClusterHoldsInEveryCluster) {
    const Sweep sweep = files_.load(
        SweepFiles::llama("axes: {cluster: [h100_ndr400, dgx_a100_hdr200]}", "",
                          "{base: h100_ndr400, device: {memory: {capacity: 96 GiB}}, devices_per_node: 4}"));
    Binder binder(sweep);
    const auto points = test::points_of(sweep);
    for (const std::size_t which : {std::size_t{1}, std::size_t{0}, std::size_t{1}}) {
        binder.bind(points[which]);
        const hardware::ClusterSpec& cluster = binder.scenario().system.cluster;
        EXPECT_EQ(cluster.device.memory.capacity.value(), 96.0 * 1073741824.0);
        EXPECT_EQ(cluster.devices_per_node, 4);
        EXPECT_EQ(cluster.device.peak.bf16.value(), which == 0 ? 989e12 : 312e12);
    }
}

/// A cluster brings its device along: the device's axis must be applied after it, whichever stands first.
TEST_F(BinderTest, DeviceOfAnAxisGoesBeforeTheClustersOwn) {
    for (const char* axes :
         {"axes: {device: [b200_sxm, a100_80_sxm], cluster: [h100_ndr400, dgx_a100_hdr200]}",
          "axes: {cluster: [h100_ndr400, dgx_a100_hdr200], device: [b200_sxm, a100_80_sxm]}"}) {
        const Sweep sweep = files_.load(SweepFiles::llama(axes));
        const std::size_t device = sweep.space->slot("device").value();
        Binder binder(sweep);
        for (const space::Point& point : test::points_of(sweep)) {
            binder.bind(point);
            const double peak = binder.scenario().system.cluster.device.peak.bf16.value();
            const std::string& name =
                sweep.space->axes()[device].labels[static_cast<std::size_t>(point.values[device])];
            EXPECT_EQ(peak == 312e12, name == "a100_80_sxm") << axes;
        }
    }
}

}  // namespace
}  // namespace dse::study
