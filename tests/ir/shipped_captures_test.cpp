// Programs that real compilers wrote, as they are shipped in workloads/captures: what the readers, the costs
// and the partitioner make of them, against what workloads/capture counted in Python, in JAX's own form and
// in XLA's text.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/ir/cost/program_cost.hpp"
#include "dse/ir/hlo/read_hlo.hpp"
#include "dse/ir/mlir/read_mlir.hpp"
#include "dse/ir/partition/partition.hpp"
#include "support/source_dir.hpp"

namespace dse::ir {
namespace {

using nlohmann::json;
using Counts = std::map<std::string, std::int64_t>;
using Volumes = std::map<std::string, std::pair<double, double>>;  ///< by kind: count, operand bytes

const std::filesystem::path folder{std::filesystem::path{DSE_SOURCE_DIR} / "workloads" / "captures" / "jax"};

json manifest(const std::string& name) {
    return json::parse(std::ifstream{folder / (name + ".json")});
}

/// Names of all captures.
std::vector<std::string> captures() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator{folder})
        if (entry.path().extension() == ".json") names.push_back(entry.path().stem().string());
    std::sort(names.begin(), names.end());
    return names;
}

bool is_hlo(const json& file) {
    return file["stage"] == "spmd" || file["stage"] == "optimized";
}

Program read(const json& file) {
    const Source source = Source::file(folder / file["file"].get<std::string>());
    return is_hlo(file) ? read_hlo(source) : read_mlir(source);
}

/// The file of that stage; null where the capture has none.
json file_of(const json& manifest, const std::string& stage) {
    for (const json& file : manifest["files"])
        if (file["stage"] == stage) return file;
    return {};
}

/// Operators that the manifest counts: of MLIR those of these dialects.
Counts counted(const std::map<std::string, std::int64_t>& operators, bool hlo) {
    static const std::set<std::string> dialects{"stablehlo", "chlo", "sdy", "mhlo"};
    Counts result;
    for (const auto& [name, count] : operators)
        if (hlo || dialects.contains(name.substr(0, name.find('.')))) result[name] = count;
    return result;
}

Volumes volumes(const ProgramCost& cost) {
    Volumes result;
    for (const CollectiveTotal& total : cost.collectives)
        result[std::string{name(total.kind)}] = {total.count, total.bytes};
    return result;
}

Volumes volumes(const json& file) {
    Volumes result;
    for (const json& row : file["collectives"]) {
        std::string kind = row["kind"];
        std::replace(kind.begin(), kind.end(), '-', '_');
        result[kind].first += row["count"].get<double>();
        result[kind].second += row["bytes"].get<double>();
    }
    return result;
}

class ShippedCapture : public testing::TestWithParam<std::string> {};

TEST_P(ShippedCapture, IsReadAsItsManifestCounts) {
    const json about = manifest(GetParam());
    for (const json& file : about["files"]) {
        SCOPED_TRACE(file["file"].get<std::string>());
        const Program program = read(file);
        EXPECT_EQ(program.devices(), about["devices"].get<std::int64_t>());
        EXPECT_EQ(counted(program_cost(program).operators, is_hlo(file)), file["operators"].get<Counts>());
    }
}

// Local programs as XLA's text says; whole ones as JAX's own form does. What stands inside a manual
// computation is one device's share there, which the two say differently.
TEST_P(ShippedCapture, CostsWhatItsManifestCounts) {
    const json about = manifest(GetParam());
    for (const json& file : about["files"]) {
        SCOPED_TRACE(file["file"].get<std::string>());
        const ProgramCost cost = program_cost(read(file));
        EXPECT_EQ(cost.endless_loops, 0);
        EXPECT_TRUE(cost.unknown.empty());
        if (!is_hlo(file) && about.contains("microbatches")) continue;
        const json& expected = is_hlo(file) ? file : about;
        EXPECT_EQ(cost.by_trips.dot, expected["dot_flops"].get<double>());
        EXPECT_EQ(cost.by_trips.convolution, expected["convolution_flops"].get<double>());
        if (is_hlo(file)) EXPECT_EQ(volumes(cost), volumes(file));
    }
}

std::string plain(const testing::TestParamInfo<std::string>& info) {
    return info.param;
}
INSTANTIATE_TEST_SUITE_P(Jax, ShippedCapture, testing::ValuesIn(captures()), plain);

// The same function, partitioned by dse and by XLA: the same collectives, to the byte.
class PartitionedAsByXla : public testing::TestWithParam<std::string> {};

TEST_P(PartitionedAsByXla, HasTheSameCollectives) {
    const json about = manifest(GetParam());
    const ProgramCost cost = program_cost(partitioned(read(file_of(about, "sdy"))));
    const json xla = file_of(about, "spmd");
    EXPECT_EQ(volumes(cost), volumes(xla));
    EXPECT_EQ(cost.by_trips.dot, xla["dot_flops"].get<double>());
    EXPECT_EQ(cost.by_trips.convolution, xla["convolution_flops"].get<double>());
}

INSTANTIATE_TEST_SUITE_P(Jax, PartitionedAsByXla,
                         testing::Values("llama3_8b_tp8", "llama3_8b_pp4_stage0", "llama3_8b_pp4_stage1",
                                         "mixtral_8x7b_ep8_index", "resnet50_dp8", "resnet50_dp64"),
                         plain);

// Where XLA finds another way for some small tensors (a norm's weight, the tokens), the work, the sums of
// gradients and the exchanges are the same still, and as much is gathered.
class PartitionedLikeByXla : public testing::TestWithParam<std::string> {};

TEST_P(PartitionedLikeByXla, HasTheSameWorkSumsAndExchanges) {
    const json about = manifest(GetParam());
    const ProgramCost cost = program_cost(partitioned(read(file_of(about, "sdy"))));
    const json xla = file_of(about, "spmd");
    EXPECT_EQ(cost.by_trips.dot, xla["dot_flops"].get<double>());
    EXPECT_EQ(volumes(cost)["all_reduce"], volumes(xla)["all_reduce"]);
    EXPECT_EQ(volumes(cost)["all_to_all"], volumes(xla)["all_to_all"]);
    const double gathered = volumes(xla)["all_gather"].second;
    EXPECT_LE(volumes(cost)["all_gather"].second, 1.0001 * gathered);
    EXPECT_GE(volumes(cost)["all_gather"].second, 0.96 * gathered);  // XLA gathers the head of one twice
}

INSTANTIATE_TEST_SUITE_P(Jax, PartitionedLikeByXla,
                         testing::Values("llama3_8b_fsdp8", "llama3_8b_fsdp64", "llama3_8b_fsdp8_flash",
                                         "llama3_8b_fsdp8_remat", "llama3_8b_fsdp8_unrolled",
                                         "llama3_8b_fsdp4_tp2", "llama3_8b_fsdp8_tp8", "llama3_70b_fsdp8",
                                         "llama3_70b_fsdp64", "llama3_405b_fsdp8_tp8"),
                         plain);

// Where it chooses other layouts (rows or heads for attention's small projections, experts by masks), no work
// is lost.
class PartitionedUnlikeXla : public testing::TestWithParam<std::string> {};

TEST_P(PartitionedUnlikeXla, HasTheSameWork) {
    const json about = manifest(GetParam());
    const ProgramCost cost = program_cost(partitioned(read(file_of(about, "sdy"))));
    EXPECT_EQ(cost.by_trips.dot, file_of(about, "spmd")["dot_flops"].get<double>());
}

INSTANTIATE_TEST_SUITE_P(Jax, PartitionedUnlikeXla,
                         testing::Values("llama3_8b_tp8_sp", "llama3_8b_pp4_stage3", "mixtral_8x7b_ep8",
                                         "mixtral_8x7b_fsdp8_ep8", "vit_l_16_fsdp8"),
                         plain);

}  // namespace
}  // namespace dse::ir
