#include "dse/model/compute/systolic/architecture_file.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/compute/systolic/scale_sim_files.hpp"
#include "support/temporary_folder.hpp"

namespace dse::model {
namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

class ArchitectureFile : public testing::Test {
  protected:
    ScaleSimArchitecture read(const std::string& text) {
        return read_architecture_file(folder_.write("a.cfg", text), diagnostics_);
    }
    /// The file with one line of it replaced.
    ScaleSimArchitecture read_with(const std::string& line, const std::string& other) {
        std::string text = architecture_text();
        text.replace(text.find(line), line.size(), other);
        return read(text);
    }

    test::TemporaryFolder folder_;
    config::Diagnostics diagnostics_;
};

TEST_F(ArchitectureFile, as_scale_sim_reads_it) {
    const ScaleSimArchitecture architecture = read(architecture_text());
    EXPECT_EQ(diagnostics_.text(), "");
    EXPECT_EQ(architecture.run_name, "study");
    EXPECT_EQ(architecture.array.rows, 16.0);
    EXPECT_EQ(architecture.array.columns, 8.0);
    EXPECT_EQ(architecture.array.dataflow, hardware::Dataflow::ws);
    EXPECT_EQ(architecture.buffers.ifmap.words, 65536.0);
    EXPECT_EQ(architecture.buffers.filter.words, 32768.0);
    EXPECT_EQ(architecture.buffers.ofmap.words, 16384.0);
    EXPECT_TRUE(std::isinf(architecture.buffers.ifmap.bandwidth)) << "CALC knows no limit";
    EXPECT_TRUE(std::isinf(architecture.buffers.ofmap.bandwidth));
}

TEST_F(ArchitectureFile, user_bandwidths_stand_in_two_places) {
    const ScaleSimArchitecture architecture = read_with("CALC", "USER");
    EXPECT_EQ(diagnostics_.text(), "");
    EXPECT_EQ(architecture.buffers.ifmap.bandwidth, 12.0) << "of a bank of the layout";
    EXPECT_EQ(architecture.buffers.filter.bandwidth, 14.0);
    EXPECT_EQ(architecture.buffers.ofmap.bandwidth, 10.0) << "the first of the list";
}

TEST_F(ArchitectureFile, everything_is_needed) {
    read(
        "[general]\nrun_name = x\n[architecture_presets]\nArrayHeight: 4\n[run_presets]\nInterfaceBandwidth: "
        "CALC\n");
    EXPECT_THAT(
        diagnostics_.text(),
        AllOf(HasSubstr("a.cfg:3:1: error: architecture_presets.ArrayWidth: missing"),
              HasSubstr("architecture_presets.Dataflow: missing"), Not(HasSubstr("Bandwidth: missing"))));
}

/// SCALE-Sim 2 knows no layouts, sparsity or requests to a memory simulator, and one bandwidth.
TEST_F(ArchitectureFile, as_scale_sim_2_reads_it) {
    const ScaleSimArchitecture architecture = read(
        "[general]\nrun_name = old\n[architecture_presets]\nArrayHeight: 12\nArrayWidth: 14\n"
        "IfmapSramSzkB: 108\nFilterSramSzkB: 108\nOfmapSramSzkB: 108\nIfmapOffset: 0\n"
        "FilterOffset: 10000000\nOfmapOffset: 20000000\nDataflow : os\nBandwidth : 10\nMemoryBanks: 1\n"
        "[run_presets]\nInterfaceBandwidth: USER\n");
    EXPECT_TRUE(diagnostics_.ok()) << diagnostics_.text();
    EXPECT_THAT(diagnostics_.text(),
                HasSubstr("warning: layout: no such section: read like a file of SCALE-Sim 2"));
    EXPECT_EQ(architecture.array.columns, 14.0);
    EXPECT_EQ(architecture.buffers.ifmap.bandwidth, 10.0);
    EXPECT_EQ(architecture.buffers.filter.bandwidth, 10.0);
    EXPECT_EQ(architecture.buffers.ofmap.bandwidth, 10.0);
}

TEST_F(ArchitectureFile, wrong_values_are_named) {
    read_with("Dataflow : ws", "Dataflow : wss");
    read_with("ArrayHeight:    16", "ArrayHeight: 0");
    read_with("ArrayHeight:    16", "ArrayHeight: 100000000000");
    read_with("ArrayWidth: 8", "ArrayWidth: many");
    EXPECT_THAT(diagnostics_.text(),
                AllOf(HasSubstr("a.cfg:13:1: error: architecture_presets.dataflow"),
                      HasSubstr("did you mean 'ws'"), HasSubstr("must be at least 1"),
                      HasSubstr("must be at most 1048576"), HasSubstr("'many' is not an integer")));
}

TEST_F(ArchitectureFile, what_is_not_modelled_is_refused_where_it_is_switched_on) {
    read_with("UseRamulatorTrace: False", "UseRamulatorTrace: True");
    read_with("SparsitySupport : false", "SparsitySupport : True");
    EXPECT_EQ(diagnostics_.error_count(), 2U);
    read_with("IfmapCustomLayout: False", "IfmapCustomLayout: True");
    EXPECT_EQ(diagnostics_.error_count(), 2U) << "without effect under CALC";
    std::string text = architecture_text();
    text.replace(text.find("CALC"), 4, "USER");
    text.replace(text.find("IfmapCustomLayout: False"), 24, "IfmapCustomLayout: True");
    read(text);
    EXPECT_EQ(diagnostics_.error_count(), 3U);
}

TEST_F(ArchitectureFile, banks_share_their_bandwidth_evenly) {
    std::string text = architecture_text();
    text.replace(text.find("CALC"), 4, "USER");
    text.replace(text.find("IfmapSRAMBankNum: 4"), 19, "IfmapSRAMBankNum: 5");
    read(text);
    EXPECT_THAT(diagnostics_.text(), HasSubstr("is not divisible by the number of its banks"));
}

/// One word a tick is taken for what is missing, which does not divide over several banks.
TEST_F(ArchitectureFile, a_missing_bandwidth_of_banks_is_said_once) {
    std::string text = architecture_text();
    text.replace(text.find("CALC"), 4, "USER");
    text.replace(text.find("IfmapSRAMBankBandwidth: 12\n"), 27, "");
    read(text);
    EXPECT_EQ(diagnostics_.error_count(), 1U);
    EXPECT_THAT(diagnostics_.text(), HasSubstr("layout.IfmapSRAMBankBandwidth: missing"));
}

TEST_F(ArchitectureFile, a_key_that_has_no_effect_is_a_warning) {
    read_with("MemoryBanks:   1", "MemoryBanks:   1\nArayHeight: 3");
    EXPECT_TRUE(diagnostics_.ok());
    EXPECT_THAT(diagnostics_.text(),
                HasSubstr("warning: architecture_presets.arayheight: SCALE-Sim does not read"));
}

TEST_F(ArchitectureFile, a_missing_file_is_an_input_error) {
    EXPECT_THROW(static_cast<void>(read_architecture_file(folder_.path("none.cfg"), diagnostics_)),
                 InputError);
}

}  // namespace
}  // namespace dse::model
