#include "dse/eval/machine.hpp"

#include <algorithm>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"

namespace dse::eval {
namespace {

class MachineTest : public testing::Test {
  protected:
    MachineTest() { scenario_.system.cluster = model::catalogue_cluster("h100_ndr400"); }

    const Machine& find(double key) {
        const std::vector<double> keys{key};
        return cache_.find(keys, scenario_);
    }
    /// Of a message between two nodes.
    static double transfer(const Machine& machine) {
        graph::Mesh mesh;
        mesh = graph::Mesh::dense(8, 1, 1, 2);
        return machine.network->transfer(Bytes{1e9}, mesh, 0, 1).value();
    }

    study::Scenario scenario_;
    MachineCache cache_;
};

TEST_F(MachineTest, EqualKeysShareOne) {
    const std::uint64_t first = find(1).serial;
    EXPECT_EQ(find(1).serial, first);
    const std::uint64_t second = find(2).serial;
    EXPECT_NE(second, first);
    EXPECT_EQ(find(1).serial, first) << "both are kept";
    EXPECT_EQ(find(2).serial, second);
}

TEST_F(MachineTest, HaveTheSameKernelsWhereOnlyTheNetworkDiffers) {
    const auto made = [&](double key, std::uint64_t beside_network) -> const Machine& {
        const std::vector<double> keys{key};
        return *cache_.find(cache_.find(keys, scenario_, beside_network).serial);
    };
    EXPECT_TRUE(have_same_kernels(made(1, 5), made(2, 5)));
    EXPECT_FALSE(have_same_kernels(made(1, 5), made(3, 6)));
    EXPECT_FALSE(have_same_kernels(made(4, 0), made(5, 0))) << "nothing is known";
    scenario_.fidelity.network = "astra_sim";
    EXPECT_FALSE(have_same_kernels(made(1, 5), made(6, 5))) << "the network has a clock of its own";
}

TEST_F(MachineTest, HaveOtherKernelsWhereTheyWaitForMoreSlices) {
    scenario_.system.cluster = model::catalogue_cluster("tpu_v5e_pod");
    scenario_.system.devices = 512;
    hardware::SystemSpec& system = scenario_.system;
    const auto made = [&](double key, std::int64_t domain) -> const Machine& {
        system.cluster.network.scale_up.domain = domain;
        const std::vector<double> keys{key};
        return *cache_.find(cache_.find(keys, scenario_, 5).serial);
    };
    ASSERT_GT(system.cluster.device.matmul.domain_variation, 0.0);
    EXPECT_FALSE(have_same_kernels(made(1, 256), made(2, 128)));
    EXPECT_TRUE(have_same_kernels(made(3, 512), made(4, 1024))) << "one slice each";
    system.cluster.device.matmul.domain_variation = 0.0;
    EXPECT_TRUE(have_same_kernels(made(5, 256), made(6, 128)));
}

TEST_F(MachineTest, IsMadeFromTheScenario) {
    const double slow = transfer(find(1));
    scenario_.system.cluster.network.scale_out.link.bandwidth =
        scenario_.system.cluster.network.scale_out.link.bandwidth * 2.0;
    EXPECT_EQ(transfer(find(1)), slow) << "the key is what decides";
    EXPECT_LT(transfer(find(2)), slow);
}

TEST_F(MachineTest, SaysWhetherCommunicationHasOneQueue) {
    graph::WorkloadSpec workload;
    workload.global_batch = 8;
    EXPECT_EQ(resolve(workload, 8, find(1)).queues, graph::Queues::communicator);
    workload.stack.queues = graph::Queues::one;
    EXPECT_EQ(resolve(workload, 8, find(1)).queues, graph::Queues::one);
    workload.stack.queues = graph::Queues::communicator;
    scenario_.fidelity.network = "astra_sim";
    EXPECT_EQ(resolve(workload, 8, find(2)).queues, graph::Queues::one) << "whatever the stack says";
    workload.ir = "step.hlo";
    EXPECT_EQ(resolve(workload, 8, find(2)).queues, graph::Queues::one) << "programs too";
    EXPECT_EQ(resolve(workload, 8, find(1)).queues, graph::Queues::communicator);
}

/// However many machines there are: the cache is bounded, and what it forgot it makes anew.
TEST_F(MachineTest, BoundedAndNeverTheWrongOne) {
    const hardware::ClusterSpec base = scenario_.system.cluster;
    std::vector<double> expected;
    std::vector<std::uint64_t> serials;
    const int count = static_cast<int>(MachineCache::most_machines) + 50;
    for (int round = 0; round < 2; ++round) {
        for (int i = 0; i < count; ++i) {
            scenario_.system.cluster.network.scale_out.link.bandwidth =
                base.network.scale_out.link.bandwidth * (1.0 + i);
            const Machine& machine = find(i);
            if (round == 0) {
                expected.push_back(transfer(machine));
                serials.push_back(machine.serial);
            }
            ASSERT_EQ(transfer(machine), expected[static_cast<std::size_t>(i)]);
        }
    }
    std::sort(serials.begin(), serials.end());
    EXPECT_EQ(std::unique(serials.begin(), serials.end()), serials.end()) << "a serial never comes back";
}

TEST_F(MachineTest, ValuesThatMakeNoMachine) {
    scenario_.system.cluster.network.scale_out.link.bandwidth = BytesPerSecond{-1.0};
    EXPECT_THROW(find(1), ModelError);
    EXPECT_THROW(find(1), ModelError) << "nothing half-made is kept";
}

}  // namespace
}  // namespace dse::eval
