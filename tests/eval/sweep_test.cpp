#include "dse/eval/sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "eval/sweeps.hpp"

namespace dse::eval {
namespace {

using test::SweepFiles;
using testing::AllOf;
using testing::HasSubstr;

class SweepTest : public testing::Test {
  protected:
    SweepFiles files_;
};

TEST_F(SweepTest, ReadsWhatTheFileSays) {
    const std::string yaml = SweepFiles::llama(
        "description: what is asked\n"
        "axes: {tp: [1, 2], pp: 2}\n"
        "objectives: {iteration_time: minimize, tokens_per_second: maximize}\n");
    const Sweep sweep = files_.load(yaml);
    EXPECT_EQ(sweep.name, "t");
    EXPECT_EQ(sweep.yaml, yaml);
    EXPECT_EQ(sweep.base.workload.model, "llama3_8b");
    EXPECT_EQ(sweep.base.workload.global_batch, 16);
    EXPECT_EQ(sweep.base.system.devices, 16);
    EXPECT_EQ(sweep.base.system.cluster.device.name, "NVIDIA H100 SXM 80 GB");
    EXPECT_EQ(sweep.base.fidelity.engine, "folded");
    EXPECT_EQ(sweep.space->grid_size().exact, 2U) << "an axis written as one value has one";
    ASSERT_EQ(sweep.objectives.size(), 2U);
    EXPECT_EQ(sweep.objectives[1].metric, "tokens_per_second");
    EXPECT_EQ(sweep.base.workload.layout.pp, 2) << "what only an axis says, it says first";
}

/// A sequence is stated where a sample is one, and nowhere else.
TEST_F(SweepTest, SequencesBelongToModelsThatHaveThem) {
    const auto errors = [&](const std::string& workload, const std::string& axes) {
        return files_.errors("name: t\nworkload: {" + workload +
                             ", global_batch: 16}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" +
                             axes + "}\n");
    };
    EXPECT_THAT(
        errors("model: llama3_8b", "zero: [0, 1]"),
        HasSubstr("t.yaml:2:11: error: workload.sequence: missing (a sample of model 'llama3_8b' is a "
                  "sequence)"));
    EXPECT_THAT(errors("model: vit_l_16, sequence: 197", "zero: [0, 1]"),
                HasSubstr("workload.sequence: a sample of model 'vit_l_16' is no sequence (leave it out)"));
    EXPECT_EQ(errors("model: vit_l_16", "zero: [0, 1]"), "");
    EXPECT_EQ(errors("model: llama3_8b", "sequence: [2048, 4096]"), "");
    EXPECT_EQ(errors("sequence: 2048", "model: [llama3_8b, vit_l_16]"), "") << "then its points say why not";
}

/// In the file, on axes, and set from outside: each at its place, with what may stand there.
TEST_F(SweepTest, ValuesOutOfRange) {
    const std::string base = "name: t\nsystem: {cluster: h100_ndr400, devices: 16}\n";
    const std::string workload = "workload: {model: llama3_8b, sequence: 2048, global_batch: 16";
    EXPECT_EQ(
        files_.errors(base + "workload: {model: llama3_8b, sequence: 2048, global_batch: -4, exposed_tp: 5}\n"
                             "axes: {zero: [7], tp: [-2, 0, 2]}\n"),
        "t.yaml:3:60: error: workload.global_batch: '-4' is out of range: must be at least 1 (samples an "
        "iteration, or sequences served at once)\n"
        "t.yaml:3:76: error: workload.exposed_tp: '5' is out of range: must be between 0 and 1 (exposed "
        "share "
        "of tensor-parallel communication)\n"
        "t.yaml:4:15: error: axes.zero[0]: '7' is out of range: must be between 0 and 3 (ZeRO stage; 3: "
        "fully "
        "sharded)\n"
        "t.yaml:4:24: error: axes.tp[0]: '-2' is out of range: must be at least 1 (tensor-parallel degree)\n"
        "t.yaml:4:28: error: axes.tp[1]: '0' is out of range: must be at least 1 (tensor-parallel degree)");
    EXPECT_THAT(files_.errors(base + workload + "}\naxes: {pp: {from: 0, to: 8, scale: log2}}\n"),
                HasSubstr("axes.pp.from: '0' is out of range: must be at least 1 (pipeline stages)"));
    EXPECT_EQ(files_.errors(base + workload + "}\naxes: {pue: {from: 1.0, to: 1.5, step: 0.1}}\n"), "")
        << "a step is no value";
    const std::string file = files_.folder().write("set.yaml", base + workload + "}\naxes: {tp: [1]}\n");
    for (const auto& [key, value, error] :
         {std::tuple{"tp", "0", "axes.tp: '0' is out of range: must be at least 1 (tensor-parallel degree)"},
          std::tuple{"scale_out.latency", "-1 us",
                     "system.cluster.network.scale_out.latency: '-1 us' is out of range: must be at least 0 "
                     "s (of one "
                     "message of a collective)"}}) {
        try {
            load_sweep(file, {{key, value}});
            FAIL() << key << " passed";
        } catch (const InputError& refusal) {
            EXPECT_THAT(refusal.what(), HasSubstr(std::string{"--set: error: "} + error));
        }
    }
}

/// As files of before called it: no unknown key, and no axis that changes nothing.
TEST_F(SweepTest, SharesHaveNewNames) {
    const std::string base = "name: t\nsystem: {cluster: h100_ndr400, devices: 16}\n";
    const std::string workload = "workload: {model: llama3_8b, sequence: 2048, global_batch: 16";
    const std::string reason =
        "'overlap_tp' is called 'exposed_tp' now (the share of communication that is exposed)";
    EXPECT_EQ(files_.errors(base + workload + ", overlap_tp: 1.0}\naxes: {tp: [1]}\n"),
              "t.yaml:3:62: error: workload.overlap_tp: " + reason);
    EXPECT_EQ(files_.errors(base + workload + "}\naxes: {overlap_tp: [1.0]}\n"),
              "t.yaml:4:8: error: axes.overlap_tp: " + reason);
    EXPECT_THAT(files_.errors(base + workload + "}\naxes: {tp: [1]}\nrequire: [overlap_tp == 1]\n"),
                HasSubstr(reason));
}

/// All at once, each with its place; a key that stands twice hides nothing.
TEST_F(SweepTest, EveryErrorOfTheFile) {
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
    for (const char* line :
         {"t.yaml:3:10: error: workload.model: no file 'llama3_9b'",
          "t.yaml:4:17: error: workload.global_batch",
          "t.yaml:6:3: error: workload.zreo: unknown key 'zreo' (did you mean 'zero'?)",
          "t.yaml:7:3: error: workload.zreo: key 'zreo' stands twice",
          "t.yaml:8:19: error: system.cluster: no file 'h100_ndr500'",
          "t.yaml:11:15: error: axes.precision.0", "t.yaml:12:7: error: axes.pp: the axis has no values",
          "t.yaml:13:3: error: axes.engine", "t.yaml:14:25: error: axes.scale_out.bandwidth.0",
          "t.yaml:15:", "t.yaml:16:", "t.yaml:17:", "t.yaml:18:21: error: fidelity.compute",
          "t.yaml:19:14: error: objectives.iteration_tim", "t.yaml:20:1: error: more: unknown key 'more'"}) {
        EXPECT_THAT(errors, HasSubstr(line));
    }
    EXPECT_THAT(errors, AllOf(HasSubstr("llama3_8b"), HasSubstr("h100_ndr400"), HasSubstr("'bf16'"),
                              HasSubstr("roofline"), HasSubstr("iteration_time"), HasSubstr("event")));
}

TEST_F(SweepTest, MissingSections) {
    EXPECT_THAT(files_.errors(""), HasSubstr("is empty"));
    EXPECT_THAT(files_.errors("# nothing\n"), HasSubstr("is empty"));
    const std::string errors = files_.errors("name: t\n");
    EXPECT_THAT(errors, AllOf(HasSubstr("workload.model: missing"), HasSubstr("system.cluster: missing"),
                              HasSubstr("axes: 'axes' is missing")));
    EXPECT_THAT(files_.errors("a list\n"), HasSubstr("t.yaml:1:1: error"));
    EXPECT_THROW(static_cast<void>(load_sweep(files_.folder().path("none.yaml"), {})), InputError);
    EXPECT_THROW(static_cast<void>(load_sweep(files_.folder().path(), {})), InputError);
}

TEST_F(SweepTest, BrokenSyntaxIsAllThatIsSaid) {
    const std::string errors = files_.errors("name: [t\nworkload: 1\n");
    EXPECT_THAT(errors, HasSubstr("cannot be parsed"));
    EXPECT_THAT(errors, testing::Not(HasSubstr("missing")));
}

TEST_F(SweepTest, ObjectivesAreAMap) {
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {tp: [1]}\nobjectives: [cost]\n")),
                HasSubstr("t.yaml:5:13: error: objectives: a list of 1 stands where a map"));
    EXPECT_EQ(files_.load(SweepFiles::llama("axes: {tp: [1]}\n")).objectives.size(), 2U) << "time and memory";
}

TEST_F(SweepTest, SettingFixesAnAxis) {
    const std::string yaml =
        SweepFiles::llama("axes: {tp: [1, 2], scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n");
    const Sweep sweep =
        files_.load(yaml, {{"tp", "8"}, {"system.cluster.network.scale_out.bandwidth", "25 GB/s"}});
    ASSERT_EQ(sweep.space->axes().size(), 2U);
    EXPECT_EQ(sweep.space->grid_size().exact, 1U);
    const auto points = test::points_of(sweep);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].values, (std::vector<double>{8, 25e9}));
}

TEST_F(SweepTest, SettingOfAFieldIsAsIfTheFileSaidIt) {
    const std::string yaml = SweepFiles::llama("axes: {tp: [1, 2]}\n", "zero: 3");
    const Sweep sweep = files_.load(yaml, {{"global_batch", "64"},
                                           {"scale_out.bandwidth", "25 GB/s"},
                                           {"device.memory.capacity", "96 GiB"},
                                           {"stack", "megatron_2021"},
                                           {"fidelity.engine", "event"},
                                           {"recompute", "full"}});
    const Scenario& base = sweep.base;
    EXPECT_EQ(base.workload.global_batch, 64);
    EXPECT_EQ(base.workload.stack.zero, 3) << "stated, so the stack does not overwrite it";
    EXPECT_EQ(base.workload.stack.precision, graph::Precision::fp16);
    EXPECT_EQ(base.workload.stack.recompute, graph::Recompute::full);
    EXPECT_EQ(base.system.cluster.network.scale_out.link.bandwidth.value(), 25e9);
    EXPECT_EQ(base.system.cluster.device.memory.capacity.value(), 96.0 * 1073741824.0);
    EXPECT_EQ(base.system.cluster.device.peak.bf16.value(), 989e12) << "the rest of the file stays";
    EXPECT_EQ(base.fidelity.engine, "event");
}

TEST_F(SweepTest, AnAxisMayNameAnItemOfAList) {
    const std::string cluster =
        "{base: h100_ndr400, network: {dimensions: [{kind: ring, size: 4, bandwidth: 1 GB/s, latency: 1 us}, "
        "{kind: switch, bandwidth: 2 GB/s, latency: 2 us}]}}";
    const std::string yaml = SweepFiles::llama(
        "axes: {cluster.network.dimensions.0.bandwidth: [50 GB/s, 100 GB/s]}\n", "", cluster);
    const Sweep sweep = files_.load(yaml, {{"dimensions.1.latency", "3 us"}});
    const auto& dimensions = sweep.base.system.cluster.network.dimensions;
    EXPECT_EQ(sweep.space->grid_size().exact, 2U);
    ASSERT_EQ(dimensions.size(), 2U);
    EXPECT_EQ(dimensions[0].size, 4);
    EXPECT_EQ(dimensions[1].link.latency.value(), 3e-6);
    EXPECT_EQ(dimensions[1].link.bandwidth.value(), 2e9) << "the rest of the item stays";
    EXPECT_THAT(files_.errors(yaml, {{"dimensions.3.bandwidth", "50 GB/s"}}),
                HasSubstr("dimensions.3: no item of this list, which has 2"));
}

TEST_F(SweepTest, SettingInsideTheFilesOfAnAxis) {
    const Sweep sweep = files_.load(
        "name: t\n"
        "workload: {model: llama3_8b, global_batch: 16, sequence: 2048}\n"
        "system: {devices: 16}\n"
        "axes: {cluster: [h100_ndr400, dgx_a100_hdr200]}\n",
        {{"scale_out.bandwidth", "25 GB/s"}});
    Binder binder(sweep);
    for (const space::Point& point : test::points_of(sweep)) {
        binder.bind(point.values);
        EXPECT_EQ(binder.scenario().system.cluster.network.scale_out.link.bandwidth.value(), 25e9);
    }
}

TEST_F(SweepTest, EveryWrongSettingIsNamed) {
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

TEST_F(SweepTest, SettingOfAQuantityNeedsAUnit) {
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"scale_out.bandwidth", "400"}}),
                HasSubstr("--set: error: system.cluster.network.scale_out.bandwidth: "));
}

TEST(ParseSetting, IsKeyAndValue) {
    const Setting setting = parse_setting("a.b=c=d");
    EXPECT_EQ(setting.key, "a.b");
    EXPECT_EQ(setting.value, "c=d");
    EXPECT_EQ(parse_setting("a=").value, "");
    EXPECT_THROW(static_cast<void>(parse_setting("a")), InputError);
    EXPECT_THROW(static_cast<void>(parse_setting("=1")), InputError);
}

}  // namespace
}  // namespace dse::eval
