#include "app/start/usual_stack.hpp"

#include <algorithm>
#include <filesystem>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/config/diagnostics.hpp"
#include "dse/config/library.hpp"
#include "dse/config/library_struct.hpp"
#include "dse/eval/validation/truth_row.hpp"
#include "dse/eval/validation/truth_source.hpp"
#include "dse/hardware/cluster_spec.hpp"

namespace dse::app {
namespace {

using test::run_app;
using testing::HasSubstr;
using testing::Not;

/// A stack's release: its name up to the first comma. Variants of a release share their error bars.
std::string release_of(const config::Library& library, const std::string& stack) {
    config::Diagnostics diagnostics;
    const auto node = library.load("workloads/stacks", config::Node::scalar(stack, "", "stack"), diagnostics);
    diagnostics.throw_if_any();
    const std::string name = node->find("name")->text();
    return name.substr(0, name.find(','));
}

/// What a measured step ran, as its source describes it.
struct Ran {
    std::string device;
    bool experts{false};
    std::string release;
    friend bool operator==(const Ran&, const Ran&) = default;
};

std::vector<Ran> measured_steps(const config::Library& library) {
    config::Diagnostics diagnostics;
    const std::string folder = "workloads/measured";
    const auto node = library.load(folder, config::Node::scalar("sources", "", "sources"), diagnostics);
    diagnostics.throw_if_any();
    const auto sources = eval::read_truth_sources(*node, diagnostics);
    std::map<std::string, std::string> devices;  // of clusters
    std::vector<Ran> ran;
    const std::string table =
        std::filesystem::path{*library.find(folder, "sources")}.parent_path() / "steps.csv";
    for (const eval::TruthRow& row : eval::read_truth(table)) {
        const eval::TruthSource* source = eval::find_source(sources, row);
        if (source == nullptr || !source->clusters.contains(row.chip)) continue;
        if (eval::exclusion_of(*source, row) != nullptr || eval::set_aside_of(*source, row) != nullptr)
            continue;
        const std::string& cluster = source->clusters.at(row.chip);
        if (!devices.contains(cluster))
            devices[cluster] = config::read_from_library<hardware::ClusterSpec>(library, "hardware/clusters",
                                                                                cluster, row.id)
                                   .device.name;
        const Ran each{devices[cluster], !row.experts.empty(), release_of(library, stack_of(*source, row))};
        if (std::ranges::find(ran, each) == ran.end()) ran.push_back(each);
    }
    return ran;
}

TEST(UsualStack, TrainedMeasuredStepsOfTheKindOnTheDevice) {
    const config::Library library = config::Library::standard("");
    const std::vector<Ran> ran = measured_steps(library);
    for (const UsualStack& usual : usual_stacks()) {
        const Ran wanted{std::string{usual.device}, usual.experts,
                         release_of(library, std::string{usual.stack})};
        EXPECT_NE(std::ranges::find(ran, wanted), ran.end())
            << usual.stack << " on " << usual.device << (usual.experts ? ", experts" : ", dense");
    }
}

TEST(UsualStack, NamesTwoOthersThatShip) {
    const config::Library library = config::Library::standard("");
    for (const UsualStack& usual : usual_stacks()) {
        const std::string others{usual.others};
        const std::size_t comma = others.find(", ");
        ASSERT_NE(comma, std::string::npos) << others;
        for (const std::string& other : {others.substr(0, comma), others.substr(comma + 2)}) {
            EXPECT_TRUE(library.find("workloads/stacks", other)) << other;
            EXPECT_NE(other, usual.stack);
        }
    }
}

std::string first(const char* model, const char* cluster) {
    return run_app({"init", "--model", model, "--cluster", cluster, "-o", "-"}).out;
}

TEST(UsualStack, IsThatOfTheModelsKindOnTheDevice) {
    EXPECT_THAT(first("llama3_8b", "h100_ndr400"), HasSubstr("\n  stack: torchtitan_2025 "));
    EXPECT_THAT(first("qwen3_30b_a3b", "h100_ndr400"), HasSubstr("\n  stack: nemo_2025_nodes_deepep "));
    EXPECT_THAT(first("deepseek_v3", "gb200_nvl72"), HasSubstr("\n  stack: nemo_2025 "));
    EXPECT_THAT(first("llama3_8b", "tpu_v5p_pod"), HasSubstr("\n  stack: maxtext_2024 "));
}

/// Nobody published steps of a dense model on L40S, of a mixture on MI300X, or of Mamba-2 alone; images have
/// other frameworks than these.
TEST(UsualStack, IsOnlyAskedForWhereNoneWasMeasured) {
    for (const auto& [model, cluster] : {std::pair{"llama3_8b", "l40s_pcie"},
                                         {"mixtral_8x7b", "mi300x_roce400"},
                                         {"mamba2_1.3b", "h100_ndr400"},
                                         {"bert_large", "h100_ndr400"}})
        EXPECT_THAT(first(model, cluster), HasSubstr("\n  #stack: torchtitan_2025 ")) << model << cluster;
    EXPECT_THAT(first("resnet50", "h100_ndr400"), Not(HasSubstr("stack:")));
}

}  // namespace
}  // namespace dse::app
