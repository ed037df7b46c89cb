// Also tests: check_workloads.cpp
#include "dse/eval/load_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <stdlib.h>

#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using test::SweepFiles;
using testing::AllOf;
using testing::HasSubstr;

class LoadSweepTest : public testing::Test {
  protected:
    SweepFiles files_;
};

/// A sequence is stated where a sample is one, and nowhere else.
TEST_F(LoadSweepTest, SequencesBelongToModelsThatHaveThem) {
    const auto errors = [&](const std::string& workload, const std::string& axes) {
        return files_.errors("name: t\nworkload: {" + workload +
                             ", global_batch: 16}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" +
                             axes + "}\n");
    };
    EXPECT_THAT(
        errors("model: llama3_8b", "zero: [0, 1]"),
        HasSubstr("t.yaml:2:11: error: workload.sequence: missing (a sample of model 'llama3_8b' is a "
                  "sequence)"));
    EXPECT_THAT(
        errors("model: vit_l_16, sequence: 197", "zero: [0, 1]"),
        HasSubstr("workload.sequence: a sample of model 'vit_l_16' is not a sequence (leave it out)"));
    EXPECT_EQ(errors("model: vit_l_16", "zero: [0, 1]"), "");
    EXPECT_EQ(errors("model: llama3_8b", "sequence: [2048, 4096]"), "");
    EXPECT_EQ(errors("sequence: 2048", "model: [llama3_8b, vit_l_16]"), "") << "then its points say why not";
}

/// Names and modes that no layout of the model has are errors of the file; under an axis, its points say why
/// not.
TEST_F(LoadSweepTest, ModelsHaveWhatTheWorkloadNames) {
    const auto errors = [&](const std::string& workload, const std::string& axes = "tp: [1]") {
        return files_.errors("name: t\nworkload:\n  " + workload +
                             "\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" + axes + "}\n");
    };
    const std::string llama = "{model: llama3_8b, global_batch: 16, sequence: 2048, ";
    EXPECT_THAT(
        errors(llama + "adapter: {rank: 16, targets: w_qvk}}"),
        AllOf(HasSubstr("t.yaml:3:"), HasSubstr("error: workload.adapter.targets: no product of model "
                                                "'llama3_8b' has a weight 'w_qvk' (did you mean 'w_qkv'?)")));
    EXPECT_EQ(errors(llama + "adapter: {rank: 16, targets: w_qkv}}"), "");
    EXPECT_EQ(errors(llama + "adapter: {targets: w_qvk}}", "workload.adapter.rank: [0, 16]"), "");
    EXPECT_THAT(errors(llama + "recompute_tensors: nothing}"),
                HasSubstr("error: workload.recompute_tensors: no tensor is called 'nothing'"));
    EXPECT_EQ(errors(llama + "attention: unfused}"), "");
    const std::string deepseek = "{model: deepseek_v3, global_batch: 16, sequence: 2048";
    EXPECT_THAT(errors(deepseek + ", attention: unfused}"),
                HasSubstr("error: workload.attention: block 'dense_layer' of model 'deepseek_v3' has a fused "
                          "kernel alone"));
    EXPECT_EQ(errors(deepseek + "}", "attention: [unfused, flash]"), "");
    EXPECT_EQ(errors(deepseek + "}", "stack: [megatron_2021, megatron_core_2024_plain]"), "");
    EXPECT_THAT(errors("{model: mamba2_1.3b, mode: serving, traffic: {rate: 1 1/s}}"),
                HasSubstr("t.yaml:3:11: error: workload.model: model 'mamba2_1.3b' cannot be served"));
    EXPECT_EQ(errors("{mode: serving, traffic: {rate: 1 1/s}}", "model: [mamba2_1.3b, llama3_8b]"), "");
}

/// Requests say how long they are; a trace that is none is an error of the file, with its line.
TEST_F(LoadSweepTest, ServingNeedsTrafficAndNoBatch) {
    const auto errors = [&](const std::string& traffic) {
        return files_.errors("name: t\nworkload: {model: llama3_8b, mode: serving, traffic: {" + traffic +
                             "}}\nsystem: {cluster: h100_ndr400, devices: 1}\naxes: {tp: [1]}\n");
    };
    EXPECT_EQ(errors("rate: 1 1/s"), "");
    EXPECT_THAT(errors("trace: none.csv"),
                AllOf(HasSubstr("t.yaml:2:"), HasSubstr("workload.traffic.trace"), HasSubstr("cannot read")));
    EXPECT_THAT(errors("rat: 1"), HasSubstr("rate"));
}

/// A key that is wrong there is said to be wrong, before results of the same sweep are said to be others.
TEST_F(LoadSweepTest, ErrorBarsAreCheckedBeforeASweepRuns) {
    // Before those of the current folder, which may be the project's.
    ASSERT_EQ(setenv("DSE_DATA", files_.folder().path().c_str(), 1), 0);
    const auto errors_with = [&](const char* table) {
        files_.folder().write("workloads/measured/errors.yaml", table);
        return files_.errors(
            "name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048}\n"
            "system: {cluster: h100_ndr400, devices: 16}\naxes: {tp: [1]}\n");
    };
    EXPECT_THAT(errors_with("of_devise: 0.1\nof_operators: 0.1\nof_doubling: 0\ncorrelation: 0.5\n"),
                AllOf(HasSubstr("errors.yaml:1:1: error: of_devise: unknown key"), HasSubstr("'of_device'")));
    EXPECT_THAT(errors_with("time:\n  - {width: 0.1\nof_device: 1\n"),
                AllOf(HasSubstr("workloads/measured/errors.yaml:3:"), HasSubstr("cannot be parsed")));
    ASSERT_EQ(unsetenv("DSE_DATA"), 0);
}

/// All at once, each with its place; a key that stands twice hides nothing.
TEST_F(LoadSweepTest, EveryErrorOfTheFile) {
    const std::string errors = files_.errors(
        "name: t\n"
        "workload:\n"
        "  model: llama3_9b\n"
        "  global_batch: sixteen\n"
        "  sequence: 2048\n"
        "  zreo: 1\n"
        "  zreo: 2\n"
        "system: {cluster: h100_ndr500, devices: 16}\n"
        "axes:\n"
        "  tpp: [1, 2]\n"
        "  precision: [bf17]\n"
        "  pp: []\n"
        "  engine: [folded, evnt]\n"
        "  scale_out.bandwidth: [400]\n"
        "derive: {dp: devices / q}\n"
        "require: [tp + ]\n"
        "search: {method: gird}\n"
        "fidelity: {compute: rooflin}\n"
        "objectives: {iteration_tim: minimize}\n"
        "more: 1\n");
    std::size_t last = 0;
    for (const char* line :
         {"t.yaml:3:10: error: workload.model: no file 'llama3_9b'",
          "t.yaml:4:17: error: workload.global_batch",
          "t.yaml:6:3: error: workload.zreo: unknown key 'zreo' (did you mean 'zero'?)",
          "t.yaml:7:3: error: workload.zreo: key 'zreo' is given twice",
          "t.yaml:8:19: error: system.cluster: no file 'h100_ndr500'",
          "t.yaml:11:15: error: axes.precision.0", "t.yaml:12:7: error: axes.pp: the axis has no values",
          "t.yaml:13:3: error: axes.engine", "t.yaml:14:25: error: axes.scale_out.bandwidth.0",
          "t.yaml:15:", "t.yaml:16:", "t.yaml:17:", "t.yaml:18:21: error: fidelity.compute",
          "t.yaml:19:14: error: objectives.iteration_tim", "t.yaml:20:1: error: more: unknown key 'more'"}) {
        EXPECT_THAT(errors, HasSubstr(line));
        EXPECT_GE(errors.find(line), last) << "in the order of the file: " << line;
        last = errors.find(line);
    }
    EXPECT_THAT(errors, AllOf(HasSubstr("llama3_8b"), HasSubstr("h100_ndr400"), HasSubstr("'bf16'"),
                              HasSubstr("roofline"), HasSubstr("iteration_time"), HasSubstr("event")));
}

TEST_F(LoadSweepTest, EveryWrongSettingIsNamed) {
    const std::string errors =
        files_.errors(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"tpp", "8"},
                                                                  {"pp", "two"},
                                                                  {"tp", "x"},
                                                                  {"scale_out.bandwidth", "400"},
                                                                  {"model", "llama3_9b"},
                                                                  {"cluster", "h100_ndr500"},
                                                                  {"fidelity.engine", "evnt"},
                                                                  {"name", "x"}});
    EXPECT_THAT(errors,
                AllOf(HasSubstr("--set: error: tpp: no field is called 'tpp'"), HasSubstr("workload.pp"),
                      HasSubstr("axes.tp"), HasSubstr("llama3_9b"), HasSubstr("h100_ndr500"),
                      HasSubstr("'evnt'"), HasSubstr("write more of the path")));
}

}  // namespace
}  // namespace dse::eval
