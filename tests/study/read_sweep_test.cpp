#include "dse/study/read_sweep.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/study/binder.hpp"
#include "study/sweeps.hpp"

namespace dse::study {
namespace {

using test::SweepFiles;
using testing::AllOf;
using testing::HasSubstr;

class ReadSweepTest : public testing::Test {
  protected:
    SweepFiles files_;
};

TEST_F(ReadSweepTest, ReadsWhatTheFileSays) {
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

/// What models and programs are is not asked here: all else is said at once, each with its place.
TEST_F(ReadSweepTest, ErrorsStandInTheDraft) {
    const std::string file = files_.folder().write(
        "draft.yaml", SweepFiles::llama("axes: {engine: [folded, evnt], tp: [x]}\n"
                                        "fidelity: {compute: rooflin, network: flow, time_limit: -1 s}\n",
                                        "zreo: 1"));
    const Draft draft = read_sweep(file, {{"pp", "two"}}, test::some_names());
    EXPECT_EQ(draft.sweep.base.workload.model, "llama3_8b");
    EXPECT_THAT(
        draft.diagnostics.text(),
        AllOf(HasSubstr("--set: error: workload.pp"), HasSubstr("2:64: error: workload.zreo"),
              HasSubstr("4:8: error: axes.engine: unknown engine 'evnt' (did you mean 'event'?)"),
              HasSubstr("4:37: error: axes.tp.0"),
              HasSubstr("5:21: error: fidelity.compute: unknown compute model 'rooflin'"),
              HasSubstr("5:57: error: fidelity.time_limit: '-1 s' is out of range: must be at least 0 s")));
}

TEST_F(ReadSweepTest, JobsBesideEachOtherAreRefused) {
    const auto errors = [&](const std::string& text) {
        return read_sweep(files_.folder().write("jobs.yaml", text), {}, test::some_names())
            .diagnostics.text();
    };
    const std::string job = "{model: llama3_8b, global_batch: 16, sequence: 2048}";
    const std::string rest = "\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {tp: [1]}\n";
    const std::string both = errors("name: t\nworkload: [" + job + ", " + job + "]" + rest);
    EXPECT_THAT(both, HasSubstr("2:11: error: workload: a sweep has one workload"));
    EXPECT_THAT(both, HasSubstr("dse simulate A B"));
    EXPECT_THAT(errors("name: t\nworkload: " + job + "\njobs: 2" + rest),
                HasSubstr("3:7: error: jobs: a sweep has one"));
}

TEST_F(ReadSweepTest, ABatchMayBeDerived) {
    const std::string text =
        "name: t\nworkload: {model: llama3_8b, sequence: 2048}\nsystem: {cluster: h100_ndr400, devices: 16}\n"
        "axes: {tp: [1]}\n";
    EXPECT_THAT(files_.errors(text),
                HasSubstr("workload.global_batch: missing (it has no default; an axis or"));
    EXPECT_EQ(files_.errors(text + "derive: {global_batch: 32768 / sequence}\n"), "");
    const std::string job = text.substr(0, text.find("axes:"));
    EXPECT_EQ(files_.errors(
                  job + "axes: {batch: [{global_batch: 16, microbatch: 1}, {global_batch: 32, microbatch: "
                        "2}]}\n"),
              "");
}

/// In the file, on axes, and set from outside: each at its place, with what may stand there.
TEST_F(ReadSweepTest, ValuesOutOfRange) {
    const std::string system = "name: t\nsystem: {cluster: h100_ndr400, devices: 16}\n";
    const std::string errors = files_.errors(
        system + "workload: {model: llama3_8b, sequence: 2048, global_batch: -4, exposed_tp: 5}\n" +
        "axes: {zero: [7], tp: [-2, 0, 2], pp: {from: 0, to: 8, scale: log2}}\n");
    for (const char* line :
         {"t.yaml:3:60: error: workload.global_batch: '-4' is out of range: must be at least 1 (samples per "
          "iteration, or sequences processed at once)",
          "t.yaml:3:76: error: workload.exposed_tp: '5' is out of range: must be between 0 and 1 (exposed "
          "share",
          "t.yaml:4:15: error: axes.zero.0: '7' is out of range: must be between 0 and 3 (training: ZeRO "
          "stage",
          "t.yaml:4:24: error: axes.tp.0: '-2' is out of range: must be at least 1 (tensor-parallel degree)",
          "t.yaml:4:28: error: axes.tp.1: '0' is out of range: must be at least 1",
          "error: axes.pp.from: '0' is out of range: must be at least 1 (pipeline stages)"}) {
        EXPECT_THAT(errors, HasSubstr(line));
    }
    const std::string good = SweepFiles::llama("axes: {tp: [1], pue: {from: 1.0, to: 1.5, step: 0.1}}\n");
    EXPECT_EQ(files_.errors(good), "") << "a step is no value";
    EXPECT_THAT(files_.errors(good, {{"tp", "0"}}),
                HasSubstr("--set: error: axes.tp: '0' is out of range: must be at least 1"));
    EXPECT_THAT(
        files_.errors(good, {{"scale_out.latency", "-1 us"}}),
        HasSubstr("--set: error: system.cluster.network.scale_out.latency: '-1 us' is out of range: must "
                  "be at least 0 s"));
}

/// As files of before called it: no unknown key, and no axis that changes nothing.
TEST_F(ReadSweepTest, SharesHaveNewNames) {
    const std::string reason =
        "'overlap_tp' is called 'exposed_tp' now (the share of communication that is exposed)";
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {tp: [1]}\n", "overlap_tp: 1.0")),
                HasSubstr("error: workload.overlap_tp: " + reason));
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {overlap_tp: [1.0]}\n")),
                HasSubstr("error: axes.overlap_tp: " + reason));
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {tp: [1]}\nrequire: [overlap_tp == 1]\n")),
                HasSubstr(reason));
}

TEST_F(ReadSweepTest, MissingSections) {
    EXPECT_THAT(files_.errors(""), HasSubstr("is empty"));
    EXPECT_THAT(files_.errors("# nothing\n"), HasSubstr("is empty"));
    const std::string errors = files_.errors("name: t\n");
    EXPECT_THAT(errors, AllOf(HasSubstr("workload.model: missing"), HasSubstr("system.cluster: missing"),
                              HasSubstr("axes: 'axes' is missing")));
    EXPECT_THAT(files_.errors("a list\n"), HasSubstr("t.yaml:1:1: error"));
    EXPECT_THROW(static_cast<void>(read_sweep(files_.folder().path("none.yaml"), {}, test::some_names())),
                 InputError);
    EXPECT_THROW(static_cast<void>(read_sweep(files_.folder().path(), {}, test::some_names())), InputError);
}

TEST_F(ReadSweepTest, BrokenSyntaxIsAllThatIsSaid) {
    const std::string errors = files_.errors("name: [t\nworkload: 1\n");
    EXPECT_THAT(errors, HasSubstr("cannot be parsed"));
    EXPECT_THAT(errors, testing::Not(HasSubstr("missing")));
}

TEST_F(ReadSweepTest, ObjectivesAreAMap) {
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {tp: [1]}\nobjectives: [cost]\n")),
                HasSubstr("t.yaml:5:13: error: objectives: expected a map from metric"));
    EXPECT_EQ(files_.load(SweepFiles::llama("axes: {tp: [1]}\n")).objectives.size(), 2U) << "time and memory";
}

TEST_F(ReadSweepTest, SettingFixesAnAxis) {
    const std::string yaml =
        SweepFiles::llama("axes: {tp: [1, 2], scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n");
    const Sweep sweep =
        files_.load(yaml, {{"tp", "8"}, {"system.cluster.network.scale_out.bandwidth", "25 GB/s"}});
    ASSERT_EQ(sweep.space->axes().size(), 2U);
    EXPECT_EQ(sweep.space->grid_size().exact, 1U);
    const auto points = test::points_of(sweep);
    ASSERT_EQ(points.size(), 1U);
    EXPECT_EQ(points[0].values, (std::vector<double>{8, 25e9}));
    EXPECT_EQ(sweep.settings,
              (std::vector<std::string>{"tp=8", "system.cluster.network.scale_out.bandwidth=25 GB/s"}))
        << "as results keep them";
}

TEST_F(ReadSweepTest, SettingOfAFieldIsAsIfTheFileSaidIt) {
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

TEST_F(ReadSweepTest, AnAxisMayNameAnItemOfAList) {
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

TEST_F(ReadSweepTest, SettingInsideTheFilesOfAnAxis) {
    const Sweep sweep = files_.load(
        "name: t\n"
        "workload: {model: llama3_8b, global_batch: 16, sequence: 2048}\n"
        "system: {devices: 16}\n"
        "axes: {cluster: [h100_ndr400, dgx_a100_hdr200]}\n",
        {{"scale_out.bandwidth", "25 GB/s"}});
    Binder binder(sweep);
    for (const space::Point& point : test::points_of(sweep)) {
        binder.bind(point);
        EXPECT_EQ(binder.scenario().system.cluster.network.scale_out.link.bandwidth.value(), 25e9);
    }
}

TEST_F(ReadSweepTest, SettingOfAQuantityNeedsAUnit) {
    EXPECT_THAT(files_.errors(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"scale_out.bandwidth", "400"}}),
                HasSubstr("--set: error: system.cluster.network.scale_out.bandwidth: "));
}

}  // namespace
}  // namespace dse::study
