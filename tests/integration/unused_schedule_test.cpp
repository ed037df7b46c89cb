// A collective from trace files that no group of a job can run changes nothing about the job, under any model
// of its network.
#include <random>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/eval/durations.hpp"
#include "dse/eval/machine.hpp"
#include "dse/model/registry.hpp"
#include "dse/netsim/registry.hpp"
#include "dse/sim/engine.hpp"
#include "model/devices.hpp"
#include "support/random_graph.hpp"
#include "support/schedule_files.hpp"

namespace dse {
namespace {

/// Sizes and exposed shares of a graph's communication, at random.
void resize(graph::Graph& graph, std::mt19937_64& random) {
    for (graph::Work& work : graph.works) {
        const Bytes size{static_cast<double>(1 + random() % (1U << 26U))};
        const double exposed = static_cast<double>(random() % 5) / 4.0;
        if (auto* collective = std::get_if<graph::Collective>(&work)) {
            collective->size = size;
            collective->exposed = exposed;
        } else if (auto* message = std::get_if<graph::Transfer>(&work)) {
            *message = {size, exposed};
        }
    }
}

/// Two machines, one of which has an all-reduce of seven in trace files.
class UnusedSchedule : public testing::TestWithParam<std::string> {
  protected:
    UnusedSchedule() : without_{machine()} {
        cluster_.network.collective.schedules = {
            {hardware::ScheduledCollective::all_reduce,
             test::write_schedule(folder_, "s", test::ring_bytes(7, 7000, 0)), Bytes{7000.0}}};
        with_ = machine();
    }
    [[nodiscard]] eval::Machine machine() const {
        return {.serial = 1,
                .compute = model::compute_models().find("roofline")(cluster_.device, Seconds{}),
                .class_compute = {},
                .network = netsim::network_models().find(GetParam())(cluster_.network),
                .system = {},
                .engine = {}};
    }
    /// Of an iteration; infinity where the job does not fit the machine.
    [[nodiscard]] double time(const graph::Graph& graph, const eval::Machine& machine) const {
        try {
            sim::Durations durations;
            eval::fill_durations(graph, machine, cluster_, durations);
            return sim::engines().find("folded")()->play(graph, durations).iteration_time;
        } catch (const ModelError&) {
            return std::numeric_limits<double>::infinity();
        }
    }

    test::TemporaryFolder folder_;
    hardware::ClusterSpec cluster_ = model::catalogue_cluster("h100_ndr400");
    eval::Machine without_;
    eval::Machine with_;
};

TEST_P(UnusedSchedule, ChangesNoIteration) {
    int played = 0;
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
        std::mt19937_64 random{seed};
        graph::Graph graph = test::RandomGraph{seed, {}}.make().graph;
        resize(graph, random);
        const double expected = time(graph, without_);
        ASSERT_EQ(time(graph, with_), expected) << seed;
        if (expected < std::numeric_limits<double>::infinity()) ++played;
    }
    EXPECT_GT(played, 30);
}

TEST_P(UnusedSchedule, ChangesNoLayout) {
    graph::WorkloadSpec workload;
    workload.global_batch = 8;
    EXPECT_EQ(eval::resolve(workload, 8, with_).queues, eval::resolve(workload, 8, without_).queues);
}

INSTANTIATE_TEST_SUITE_P(NetworkModels, UnusedSchedule, testing::ValuesIn([] {
                             std::vector<std::string> names;
                             for (const auto& row : netsim::network_models().rows())
                                 names.push_back(row.name);
                             return names;
                         }()),
                         [](const auto& row) { return row.param; });

}  // namespace
}  // namespace dse
