// Traces and profiles of other tools: read as protobuf reads them, looked at without a surprise.

#include <algorithm>
#include <filesystem>
#include <vector>

#include <gtest/gtest.h>

#include "conformance/conformance_data.hpp"
#include "dse/trace/chakra/repair.hpp"
#include "dse/trace/chakra/trace_check.hpp"
#include "dse/trace/chakra/trace_difference.hpp"
#include "dse/trace/chakra/trace_reader.hpp"
#include "dse/trace/chakra/trace_summary.hpp"
#include "dse/trace/kineto/host_trace.hpp"
#include "dse/trace/kineto/joint_replay.hpp"
#include "support/temporary_folder.hpp"

namespace dse::conformance {
namespace {

namespace fs = std::filesystem;
using namespace trace::chakra;
using trace::kineto::read_profile;
using trace::kineto::replay_graph;

class Traces : public ConformanceData {
  protected:
    [[nodiscard]] std::vector<std::string> files(const std::string& ending) const {
        std::vector<std::string> found;
        for (const char* folder : {"astra_sim/traces", "stage", "chakra"}) {
            for (const auto& entry : fs::recursive_directory_iterator{path(folder)}) {
                if (entry.path().extension() == ending) found.push_back(entry.path().string());
            }
        }
        std::sort(found.begin(), found.end());
        return found;
    }

    [[nodiscard]] Findings check(const std::string& prefix, const std::string& groups_file) const {
        std::vector<RankFaults> faults;
        const TraceSet set = read_traces(trace_files(path(prefix)), faults);
        Groups groups{static_cast<std::int64_t>(set.ranks.size())};
        if (!groups_file.empty()) read_groups(path(groups_file), groups);
        return check_traces(set, faults, groups, Coverage::all_ranks);
    }
};

TEST_F(Traces, AreReadAsProtobufReadsThem) {
    const std::vector<std::string> all = files(".et");
    EXPECT_GT(all.size(), 100U);
    std::size_t nodes = 0;
    for (const std::string& file : all) {
        SCOPED_TRACE(file);
        TraceFaults faults;
        const RankTrace read = read_trace(file, faults);
        const Trace& trace = *read.trace;
        TraceReader reader{file};
        TraceNode node;
        std::size_t n = 0;
        for (; reader.next(node); ++n) {
            ASSERT_LT(n, trace.size());
            const TraceStep& step = trace.step(NodeIndex{n});
            EXPECT_EQ(step.id, node.id);
            EXPECT_EQ(trace.name(NodeIndex{n}), node.name);
            EXPECT_EQ(step.type, node.type);
            EXPECT_EQ(step.duration_micros, node.duration_micros);
            EXPECT_EQ(step.num_ops, node.number("num_ops").value_or(0));
            EXPECT_EQ(step.tensor_size, node.number("tensor_size").value_or(0));
            if (trace.communicates(NodeIndex{n})) {
                const Communication& communication = trace.communication(NodeIndex{n});
                EXPECT_EQ(communication.size, node.number("comm_size").value_or(0));
                EXPECT_EQ(read.group(communication), node.text("pg_name"));
                EXPECT_EQ(read.tag(communication), node.number("comm_tag"));
            }
            if (faults.count > 0) continue;
            EXPECT_EQ(trace.data(NodeIndex{n}).size(), node.data_dependencies.size());
            EXPECT_EQ(trace.control(NodeIndex{n}).size(), node.control_dependencies.size());
        }
        EXPECT_EQ(n, trace.size());
        EXPECT_EQ(summarise(trace).nodes, n);
        EXPECT_TRUE(compare(read, read, Durations::compared).none());
        nodes += n;
    }
    EXPECT_GT(nodes, 10000U);
}

/// STAGE's sizes are elements, ranks of a stage one program; nothing else is wrong with its traces.
TEST_F(Traces, OfStageCountElements) {
    std::size_t cases = 0;
    for (const auto& entry : fs::directory_iterator{path("stage")}) {
        if (!entry.is_directory()) continue;
        const std::string name = "stage/" + entry.path().filename().string();
        SCOPED_TRACE(name);
        const Findings findings = check(name + "/et/w", name + "/comm_groups.json");
        EXPECT_TRUE(findings.ok());
        EXPECT_NE(findings.find(FindingKind::counted_in_elements), nullptr);
        ++cases;
    }
    EXPECT_EQ(cases, 8U);
}

TEST_F(Traces, MadeByHandAreSound) {
    for (const char* name : {"hm1_chain_4r", "hm2_pp2_tp4_8r", "hm3_dims_8r", "hm4_p2p_4r",
                             "hm5_remote_mem_4r", "hm6_replay_4r"}) {
        SCOPED_TRACE(name);
        const bool grouped = std::string_view{name}.starts_with("hm2");
        const Findings findings = check(std::string{"astra_sim/traces/handmade/"} + name,
                                        grouped ? "astra_sim/configs/comm_group_2x4.json" : "");
        EXPECT_TRUE(findings.ok());
        EXPECT_EQ(findings.find(FindingKind::counted_in_elements), nullptr);
    }
}

/// What its users complain of (PyTorch's converter of 2023): parents among the control dependencies, streams
/// without their order, kernels that nothing waits for.
TEST_F(Traces, OfAnOldConverterHaveTheKnownFaults) {
    TraceFaults faults;
    const RankTrace read = read_trace(path("chakra/chakra_tests/tests/data/chakra.0.et"), faults);
    EXPECT_EQ(read.trace->size(), 3664U);
    EXPECT_GT(faults.count, 1000U);
    EXPECT_FALSE(find_cycle(*read.trace).empty());
    EXPECT_TRUE(find_cycle(*read.trace, Waits::for_data).empty());
    const TraceSet set{{read}, {0}, 1, 1};
    const Findings findings = check_traces(set, {}, Groups{1}, Coverage::some_ranks);
    for (const FindingKind kind :
         {FindingKind::cycle, FindingKind::unordered_lane, FindingKind::nothing_waits})
        EXPECT_NE(findings.find(kind), nullptr) << name(kind);
}

TEST_F(Traces, OfAnOldConverterCanBeRepaired) {
    const dse::test::TemporaryFolder folder;
    const Repair repair =
        repair_trace(path("chakra/chakra_tests/tests/data/chakra.0.et"), folder.path("t.0.et"));
    EXPECT_EQ(repair.waits, Waits::for_data);
    EXPECT_GT(repair.ordered, 1000U);
    const TraceSet set = read_traces({folder.path("t.0.et")});  // without a fault
    const Findings findings = check_traces(set, {}, Groups{1}, Coverage::some_ranks);
    EXPECT_TRUE(findings.ok());
    EXPECT_EQ(findings.find(FindingKind::unordered_lane), nullptr);
    // The device's streams are busy for 292.8 and 36.7 ms; no play of them can be shorter than the longer
    // one.
    EXPECT_GE(summarise(*set.ranks[0].trace).path.length, 292000U);
}

/// Eight GPUs of one machine: each rank's step, played with all others, ends within 0.5 % of its recording.
TEST_F(Traces, ProfilesOfEightRanksReplayTogether) {
    std::vector<std::string> profiles;
    for (const auto& entry : fs::directory_iterator{path("chakra/param/dlrm_kineto")})
        profiles.push_back(entry.path().string());
    std::sort(profiles.begin(), profiles.end());
    ASSERT_EQ(profiles.size(), 8U);
    std::vector<trace::kineto::ReplayGraph> graphs;
    std::vector<std::int64_t> zeros;
    for (const std::string& file : profiles) {
        const auto profile = read_profile(file);
        zeros.push_back(profile.zero);
        graphs.push_back(replay_graph(profile));
    }
    const std::int64_t zero = *std::min_element(zeros.begin(), zeros.end());
    std::vector<trace::kineto::ReplayRank> ranks;
    for (std::size_t r = 0; r < graphs.size(); ++r) ranks.push_back({&graphs[r], zeros[r] - zero});
    const std::vector<std::int64_t> ends = trace::kineto::replay_together(ranks);
    for (std::size_t r = 0; r < graphs.size(); ++r) {
        const auto recorded = static_cast<double>(graphs[r].recorded);
        EXPECT_NEAR(static_cast<double>(ends[r]) / recorded, 1.0, 0.005) << profiles[r];
        const auto collectives =
            std::count_if(graphs[r].nodes.begin(), graphs[r].nodes.end(), [](const auto& node) {
                return node.collective.has_value() && node.collective->bytes.value_or(0) > 0;
            });
        EXPECT_EQ(collectives, 8);
    }
}

/// What the execution trace of a host says of collectives is what the profile of the same step says.
TEST_F(Traces, OfHostsAgreeWithProfiles) {
    for (const auto& entry : fs::directory_iterator{path("chakra/param/dlrm_kineto")}) {
        const auto profile = read_profile(entry.path().string());
        auto graph = replay_graph(profile);
        const std::string file =
            path("chakra/param/dlrm_pytorch_et/dlrm_eg_" + std::to_string(*profile.rank) + ".json");
        const auto host = trace::kineto::read_host_trace(file);
        ASSERT_EQ(host.collectives.size(), 8U) << file;
        std::size_t c = 0;
        for (auto& node : graph.nodes) {
            if (!node.collective) continue;
            EXPECT_EQ(node.collective->bytes, host.collectives[c++].input_bytes) << file;
            node.collective->bytes.reset();
        }
        EXPECT_EQ(complete(graph, host), "");
        for (const auto& node : graph.nodes) {
            if (node.collective) {
                EXPECT_GT(node.collective->bytes.value_or(0), 0);
            }
        }
    }
}

TEST_F(Traces, OfHostsInEverySchema) {
    struct Case {
        const char* file;
        const char* schema;
        std::size_t collectives;
        std::size_t groups;
    };
    for (const Case& known :
         {Case{"param/linear_et.json.gz", "1.0.1", 0, 0},
          Case{"tutorials/host_0.json", "1.0.2-chakra.0.0.4", 7, 0},
          Case{"param/1.0.3-chakra.0.0.4/resnet_1gpu_et.json.gz", "1.0.3-chakra.0.0.4", 21, 0},
          Case{"param/1.1.0-chakra.0.0.4/resnet_2gpu_et.json.gz", "1.1.0-chakra.0.0.4", 21, 1}}) {
        const auto trace = trace::kineto::read_host_trace(path(std::string{"chakra/"} + known.file));
        EXPECT_EQ(trace.schema, known.schema);
        EXPECT_EQ(trace.collectives.size(), known.collectives) << known.file;
        EXPECT_EQ(trace.groups.size(), known.groups) << known.file;
        for (const auto& collective : trace.collectives)
            EXPECT_GT(collective.input_bytes.value_or(0), 0) << known.file;
    }
}

}  // namespace
}  // namespace dse::conformance
