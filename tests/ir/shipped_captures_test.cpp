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

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/passes/inline_calls.hpp"
#include "dse/ir/passes/reduce_scatter.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
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
        if (is_hlo(file)) {
            EXPECT_EQ(volumes(cost), volumes(file));
        }
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
                         testing::Values("llama3_8b_tp8", "llama3_8b_pp4_stage1", "resnet50_dp8",
                                         "resnet50_dp64"),
                         plain);

// XLA unfolds fused attention into whole products; the kernels' causal ones are half of these.
double unfolded_products(const ProgramCost& cost) {
    return cost.by_trips.dot + 2 * cost.by_trips.foreign_flops;
}

// Where XLA finds another way for some small tensors (a norm's weight, the tokens), the work, the sums of
// gradients and the exchanges are the same still, and as much is gathered.
class PartitionedLikeByXla : public testing::TestWithParam<std::string> {};

TEST_P(PartitionedLikeByXla, HasTheSameWorkSumsAndExchanges) {
    const json about = manifest(GetParam());
    const ProgramCost cost = program_cost(partitioned(read(file_of(about, "sdy"))));
    const json xla = file_of(about, "spmd");
    EXPECT_EQ(unfolded_products(cost), xla["dot_flops"].get<double>());
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
                                         "llama3_70b_fsdp64", "llama3_405b_fsdp8_tp8",
                                         "llama3_8b_pp4_stage0"),
                         plain);

/// Bytes that a device sends by rings, an all-reduce of which each reads its own part being a reduce-scatter.
double sent(const Program& program) {
    double bytes = 0;
    for (const CollectiveTotal& total : program_cost(create_reduce_scatters(program)).collectives)
        bytes += total.sent;
    return bytes;
}

// Whatever layouts the two choose: as much work, and no device sends more than XLA's does.
class PartitionedNoWorseThanByXla : public testing::TestWithParam<std::string> {};

TEST_P(PartitionedNoWorseThanByXla, SendsNoMore) {
    const json about = manifest(GetParam());
    const Program ours = partitioned(read(file_of(about, "sdy")));
    const Program xla = read(file_of(about, "spmd"));
    EXPECT_EQ(unfolded_products(program_cost(ours)), program_cost(xla).by_trips.dot);
    EXPECT_LE(sent(ours), 1.0001 * sent(xla));
}

/// Captures of both sides. Of the pipeline of a manual computation see below.
std::vector<std::string> captures_of_both() {
    std::vector<std::string> names;
    for (const std::string& name : captures()) {
        const json about = manifest(name);
        if (!file_of(about, "sdy").is_null() && !file_of(about, "spmd").is_null() &&
            !about.contains("microbatches"))
            names.push_back(name);
    }
    return names;
}
INSTANTIATE_TEST_SUITE_P(Jax, PartitionedNoWorseThanByXla, testing::ValuesIn(captures_of_both()), plain);

class ModelFlops : public testing::TestWithParam<std::string> {};

// No product of these is padded or done twice.
TEST_P(ModelFlops, AreAllThatDevicesDo) {
    const json about = manifest(GetParam());
    for (const json& file : about["files"]) {
        const Program whole = read(file);
        if (whole.partitioned || whole.devices() == 1) continue;
        SCOPED_TRACE(file["file"].get<std::string>());
        const Program local = partitioned(whole);
        const Cost all = program_cost(inline_calls(whole, Inlined::everything)).by_trips;
        const Cost one = program_cost(local).by_trips;
        EXPECT_EQ(one.surplus, 0);
        EXPECT_EQ(static_cast<double>(local.devices()) * one.executed(), all.executed());
    }
}

std::vector<std::string> captures_without_pipeline() {
    std::vector<std::string> names = captures();
    std::erase_if(names, [](const std::string& name) { return manifest(name).contains("microbatches"); });
    return names;
}
INSTANTIATE_TEST_SUITE_P(Jax, ModelFlops, testing::ValuesIn(captures_without_pipeline()), plain);

// Stages by hand, each of which does the head of the model too: what JAX counts are the stages' parts, 8
// devices together, and one head.
TEST(ModelFlopsOfStagesByHand, AreThoseThatJaxCounts) {
    const json about = manifest("llama3_8b_pp4_tp2_gpipe");
    const Cost one = program_cost(partitioned(read(file_of(about, "sdy")))).by_trips;
    EXPECT_GT(one.surplus, 0);
    EXPECT_EQ(8 * (one.executed() - one.surplus), about["dot_flops"].get<double>());
}

// Where XLA's way is not the one of the fewest bytes it is taken all the same.
TEST(PartitionedTrafficOfXla, IsSentHereToo) {
    for (const char* name :
         {"llama3_8b_tp8_sp", "mixtral_8x7b_ep8", "mixtral_8x7b_ep8_index", "mixtral_8x7b_fsdp8_ep8",
          "vit_l_16_fsdp8", "llama3_8b_pp4_stage3", "llama3_8b_fsdp4_tp2"}) {
        const json about = manifest(name);
        const double xla = sent(read(file_of(about, "spmd")));
        EXPECT_NEAR(sent(partitioned(read(file_of(about, "sdy")))), xla, 1e-5 * xla) << name;
    }
}

}  // namespace
}  // namespace dse::ir
