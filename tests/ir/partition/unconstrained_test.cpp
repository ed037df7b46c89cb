// Training steps in JAX that state shardings of parameters and inputs alone (unconstrained/, written by
// jaxlib 0.10.2): everything else follows from how these spread. What XLA's partitioner makes of them stands
// beside them (xla.json).
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "dse/ir/partition/partition.hpp"
#include "dse/ir/program/cost/program_cost.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"
#include "support/source_dir.hpp"

namespace dse::ir {
namespace {

using nlohmann::json;

const std::filesystem::path folder{std::filesystem::path{DSE_SOURCE_DIR} /
                                   "tests/ir/partition/unconstrained"};

json counted_by_xla() {
    return json::parse(std::ifstream{folder / "xla.json"});
}

class Unconstrained : public testing::TestWithParam<std::string> {};

TEST_P(Unconstrained, SendsWhatXlaSends) {
    const json xla = counted_by_xla()[GetParam()];
    const Program local = partitioned(read_mlir(Source::file(folder / xla["file"].get<std::string>())));
    EXPECT_EQ(local.devices(), xla["devices"].get<std::int64_t>());
    const ProgramCost cost = program_cost(local);
    EXPECT_EQ(cost.by_trips.dot, xla["dot_flops"].get<double>());
    EXPECT_EQ(cost.by_trips.convolution, xla["convolution_flops"].get<double>());
    std::map<std::string, double> bytes;
    for (const CollectiveTotal& total : cost.collectives) bytes[std::string{name(total.kind)}] += total.bytes;
    for (const auto& [kind, ours] : bytes)
        EXPECT_TRUE(xla["collectives"].contains(kind)) << kind << ' ' << ours;
    for (const auto& [kind, theirs] : xla["collectives"].items()) {
        const auto expected = theirs["bytes"].get<double>();
        EXPECT_NEAR(bytes[kind], expected, 0.05 * expected) << kind;
    }
}

std::vector<std::string> names() {
    std::vector<std::string> result;
    const json all = counted_by_xla();
    for (const auto& [name, xla] : all.items()) result.push_back(name);
    return result;
}

std::string capture_name(const testing::TestParamInfo<std::string>& info) {
    return info.param;
}

INSTANTIATE_TEST_SUITE_P(Jax, Unconstrained, testing::ValuesIn(names()), capture_name);

}  // namespace
}  // namespace dse::ir
