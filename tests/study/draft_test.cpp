// Also tests: named_files.cpp
#include "dse/study/draft.hpp"

#include <gtest/gtest.h>

#include "study/sweeps.hpp"
#include "support/yaml.hpp"

namespace dse::study {
namespace {

using test::SweepFiles;
using Names = std::vector<std::string>;

class DraftTest : public testing::Test {
  protected:
    [[nodiscard]] Draft draft(const std::string& yaml) const {
        return read_sweep(files_.folder().write("t.yaml", yaml), {}, test::some_names());
    }
    SweepFiles files_;
};

TEST_F(DraftTest, ValuesStandOnAnAxisOrInTheWorkload) {
    const Draft on_axis = draft(SweepFiles::llama("axes:\n  model: [llama3_8b, llama3_70b]\n  tp: [1]\n"));
    const Place axis = place_of_values(on_axis, "workload.model");
    EXPECT_EQ(axis.path, "axes.model");
    EXPECT_EQ(axis.where.line, 5);
    const Place fixed = place_of_values(on_axis, "workload.global_batch");
    EXPECT_EQ(fixed.path, "workload.global_batch");
    EXPECT_EQ(fixed.where.line, 2);
    EXPECT_EQ(fixed.where.column, 44);
    EXPECT_EQ(place_of_values(on_axis, "workload.ir").where.column, 11)
        << "of the workload, which does not say it";
    ASSERT_NE(axis_of(on_axis.sweep, "workload.tp"), nullptr);
    EXPECT_EQ(axis_of(on_axis.sweep, "workload.tp")->name, "tp");
    EXPECT_EQ(axis_of(on_axis.sweep, "workload.pp"), nullptr);
}

TEST_F(DraftTest, PlacesAreThoseOfDottedKeys) {
    const config::Node root = dse::test::parse_right("workload: {traffic: {trace: a.csv}}");
    EXPECT_EQ(place_of(root, "workload.traffic.trace").column, 29);
    EXPECT_EQ(place_of(root, "workload.traffic.rate").column, 21) << "of the traffic";
    EXPECT_EQ(place_of(root, "system.devices").column, 1) << "of the file, which has no system";
}

TEST_F(DraftTest, VariedIsWhatAnAxisOrAFormulaSets) {
    const Draft varied = draft(SweepFiles::llama("axes: {tp: [1, 2]}\nderive: {pp: 4 // tp}\n"));
    EXPECT_TRUE(is_varied(varied.sweep, "workload.tp"));
    EXPECT_TRUE(is_varied(varied.sweep, "workload.pp"));
    EXPECT_FALSE(is_varied(varied.sweep, "workload.model"));
    EXPECT_TRUE(is_varied(draft(SweepFiles::llama("axes: {tp: []}\n")).sweep, "workload.model"))
        << "it has no space";
}

TEST_F(DraftTest, NamesTheFilesOfPoints) {
    const Sweep fixed = draft(SweepFiles::llama("axes: {tp: [1]}\n")).sweep;
    EXPECT_EQ(model_names(fixed), Names{"llama3_8b"});
    EXPECT_EQ(program_names(fixed), Names{""});
    EXPECT_EQ(foreign_cost_names(fixed), Names{""});
    const Sweep varied = draft(
                             "name: t\nworkload: {}\nsystem: {cluster: h100_ndr400, devices: 8}\n"
                             "axes: {ir: [a.hlo, b.hlo], foreign_costs: [own.yaml]}\n")
                             .sweep;
    EXPECT_EQ(program_names(varied), (Names{"a.hlo", "b.hlo"}));
    EXPECT_EQ(foreign_cost_names(varied), Names{"own.yaml"});
}

}  // namespace
}  // namespace dse::study
