#include "dse/study/complete.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/sweeps.hpp"

namespace dse::study {
namespace {

using graph::Precision;
using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

/// Sweeps of models and programs that are as a test says.
class CompleteTest : public testing::Test {
  protected:
    [[nodiscard]] static std::string of_program(const std::string& workload, const std::string& rest) {
        return "name: t\nworkload: {ir: step.hlo" + workload +
               "}\nsystem: {cluster: h100_ndr400, devices: 8}\n" + rest;
    }
    WorkloadFacts facts_;
    const test::WrittenSweeps files_{[this](const std::string& file, const std::vector<Setting>& settings) {
        return test::load_with(facts_, file, settings);
    }};
};

TEST_F(CompleteTest, ASequenceIsStatedWhereASampleIsOne) {
    facts_.models = {{"llama3_8b", true}};
    const std::string without =
        "name: t\nworkload: {model: llama3_8b, global_batch: 16}\n"
        "system: {cluster: h100_ndr400, devices: 16}\naxes: {tp: [1]}\n";
    const std::string with = test::WrittenSweeps::llama("axes: {tp: [1]}\n");
    EXPECT_EQ(files_.errors(with), "");
    EXPECT_THAT(files_.errors(without), HasSubstr("t.yaml:2:11: error: workload.sequence: missing (a sample "
                                                  "of model 'llama3_8b' is a sequence)"));
    facts_.models = {{"llama3_8b", false}};
    EXPECT_EQ(files_.errors(without), "");
    EXPECT_THAT(files_.errors(with),
                HasSubstr("a sample of model 'llama3_8b' is not a sequence (leave it out)"));
    EXPECT_EQ(files_.errors(without, {{"model", "of_which_nothing_is_known"}}), "");
}

TEST_F(CompleteTest, SequencesMayBeLongerThanATableOfPositions) {
    facts_.models = {{"llama3_8b", true, false, 2048}};
    const auto warnings = [&](const std::string& sequence, const std::string& axes) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, global_batch: 16" + sequence +
                        "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" + axes + "}\n");
        return sweep.warnings.empty() ? ""
                                      : sweep.warnings.front().path + ": " + sweep.warnings.front().message;
    };
    EXPECT_EQ(warnings(", sequence: 2048", "tp: [1]"), "");
    EXPECT_THAT(
        warnings(", sequence: 4096", "tp: [1]"),
        HasSubstr("workload.sequence: model 'llama3_8b' has 2048 positions, and sequences of 4096 tokens"));
    EXPECT_THAT(warnings("", "sequence: [1024, 4096]"),
                HasSubstr("axes.sequence: model 'llama3_8b' has 2048"));
    EXPECT_THAT(warnings("", "sequence: [1024, 4096, 2048]"), HasSubstr("sequences of 4096 tokens"))
        << "wherever it is in the list";
    facts_.models.front().positions = 0;
    EXPECT_EQ(warnings(", sequence: 4096", "tp: [1]"), "");
}

/// A prompt of 8,000 tokens and 192 of its answer are as long as a context of 8,192.
TEST_F(CompleteTest, SequencesMayBeLongerThanTheContextOfAModel) {
    facts_.models = {{"llama3_8b", true, false, 0, 8192}};
    const auto warnings = [&](const std::string& workload) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, " + workload +
                        "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {tp: [1, 2]}\n");
        std::string text;
        for (const auto& each : sweep.warnings) {
            if (each.message.find("context") != std::string::npos) text += each.path + ": " + each.message;
        }
        return text;
    };
    EXPECT_EQ(warnings("global_batch: 16, sequence: 8192"), "");
    EXPECT_EQ(
        warnings("global_batch: 16, sequence: 8193"),
        "workload.sequence: model 'llama3_8b' has a context of 8192 tokens, and sequences of 8193 tokens "
        "are longer than its weights were published for (its file states it as context)");
    const auto served = [&](int output) {
        return warnings(
            "mode: serving, traffic: {rate: 1 1/s, prompt: 8000, output: " + std::to_string(output) + "}");
    };
    EXPECT_EQ(served(192), "");
    EXPECT_THAT(served(193), HasSubstr("workload.traffic.prompt: model 'llama3_8b' has a context of 8192 "
                                       "tokens, and requests of 8193 tokens"));
    EXPECT_THAT(warnings("mode: serving, traffic: {rate: 1 1/s, prompt: 500, output: 192, prefix: 8000}"),
                HasSubstr("requests of 8692 tokens"));
    EXPECT_THAT(warnings("mode: serving, traffic: {rate: 1 1/s, classes: [{name: a, prompt: 10, output: 10}, "
                         "{name: b, prompt: 9000, output: 100}]}"),
                HasSubstr("workload.traffic.classes: model 'llama3_8b' has a context of 8192 tokens, and "
                          "requests of 9100 tokens"));
    EXPECT_THAT(
        warnings("mode: serving, traffic: {rate: 1 1/s, prompt: 500, output: 192, turns: 12, turn_gap: "
                 "30 s}"),
        HasSubstr("workload.traffic.turns: model 'llama3_8b' has a context of 8192 tokens, and requests of "
                  "8304 tokens"));
    facts_.longest_request = 200'020;
    EXPECT_THAT(
        warnings("mode: serving, traffic: {trace: long.csv}"),
        HasSubstr("workload.traffic.trace: model 'llama3_8b' has a context of 8192 tokens, and requests "
                  "of 200020 tokens are longer"));
    facts_.longest_request = 0;
    EXPECT_EQ(warnings("mode: decode, global_batch: 16, sequence: 8000, output: 192"), "");
    EXPECT_THAT(warnings("mode: decode, global_batch: 16, sequence: 8000, output: 193"),
                HasSubstr("sequences of 8193 tokens"));
    EXPECT_THAT(warnings("mode: decode, global_batch: 16, sequence: 128, context: 9000"),
                HasSubstr("sequences of 9000 tokens"));
}

/// A stack's file is for many models, and says nothing of this one.
TEST_F(CompleteTest, ASharedExpertRunsInOtherKernelsOnlyWhereThereIsOne) {
    const auto warnings = [&](const std::string& workload, const std::string& axes) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 128" + workload +
                        "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" + axes + "}\n");
        std::string text;
        for (const auto& each : sweep.warnings) {
            if (each.message.find("shared expert") != std::string::npos)
                text += each.path + ": " + each.message;
        }
        return text;
    };
    facts_.models = {{"llama3_8b"}};
    const std::string asked = ", mode: decode, fused_shared_expert: true";
    EXPECT_EQ(warnings(asked, "tp: [1]"),
              "workload.fused_shared_expert: has no effect: model 'llama3_8b' has no shared expert");
    EXPECT_THAT(warnings(", mode: decode", "fused_shared_expert: [true, false]"), HasSubstr("has no effect"));
    EXPECT_EQ(warnings(", mode: decode, fused_shared_expert: false", "tp: [1]"), "");
    EXPECT_EQ(warnings(", mode: decode", "tp: [1]"), "");
    facts_.models.front().has_shared_expert = true;
    EXPECT_EQ(warnings(asked, "tp: [1]"), "");
    facts_.models = {{"llama3_8b"}, {"other"}};
    EXPECT_THAT(warnings(asked, "tp: [1]"), HasSubstr("none of the models has a shared expert"));
}

TEST_F(CompleteTest, SaysThatAModelHasNoExperts) {
    const auto warnings = [&](const std::string& fields, const std::string& axes) {
        const Sweep sweep =
            files_.load("name: t\nworkload: {model: llama3_8b, global_batch: 16, sequence: 2048" + fields +
                        "}\nsystem: {cluster: h100_ndr400, devices: 16}\naxes: {" + axes + "}\n");
        std::string text;
        for (const auto& each : sweep.warnings) {
            if (each.message.find("experts") != std::string::npos)
                text += each.path + ": " + each.message + "\n";
        }
        return text;
    };
    facts_.models = {{"llama3_8b"}};
    EXPECT_EQ(warnings(", mode: decode, least_expert_tile: 16, imbalance: balanced", "tp: [1]"),
              "workload.least_expert_tile: has no effect: model 'llama3_8b' has no experts\n")
        << "balanced is the default";
    EXPECT_EQ(warnings("", "capacity_factor: [0, 1.5]"),
              "axes.capacity_factor: has no effect: model 'llama3_8b' has no experts\n");
    facts_.models.front().has_experts = true;
    EXPECT_EQ(warnings(", mode: decode, least_expert_tile: 16", "tp: [1]"), "");
}

/// An axis over the other seed would give equal rows.
TEST_F(CompleteTest, TheSeedOfRequestsIsThatOfTheirTraffic) {
    const auto errors_of = [&](const std::string& axis) {
        return files_.errors(
            "name: t\nworkload: {model: llama3_8b, mode: serving, traffic: {rate: 1 1/s}}\nsystem: {cluster: "
            "h100_ndr400, devices: "
            "1}\n"
            "axes: {" +
            axis + ": [1, 2]}\n");
    };
    EXPECT_THAT(errors_of("seed"), HasSubstr("t.yaml:4:8: error: axes.seed: is the seed of synthetic "
                                             "workloads; that of requests is 'traffic.seed'"));
    EXPECT_EQ(errors_of("traffic.seed"), "");
}

TEST_F(CompleteTest, EveryProgramIsForTheDevicesThatAllPointsHave) {
    facts_.programs = {{"step.hlo", 8, {}}, {"other.hlo", 2, {}}};
    const std::string axis = "axes: {ir: [step.hlo, other.hlo]}\n";
    EXPECT_THAT(
        files_.errors(of_program("", axis)),
        AllOf(HasSubstr("t.yaml:3:41: error: system.devices: is 8, and 'other.hlo' is a program for 2"),
              Not(HasSubstr("'step.hlo'"))));
    EXPECT_EQ(files_.errors(of_program("", "axes: {ir: [step.hlo, other.hlo], devices: [2, 8]}\n")), "");
}

TEST_F(CompleteTest, ThePrecisionLeftOutIsThatOfAllPrograms) {
    const auto precision = [&](const std::string& workload, const std::string& axes) {
        return files_.load(of_program(workload, axes)).base.workload.stack.precision;
    };
    const std::string axis = "axes: {ir: [step.hlo, other.hlo]}\n";
    facts_.programs = {{"step.hlo", 8, Precision::fp8}, {"other.hlo", 8, Precision::fp8}};
    EXPECT_EQ(precision("", axis), Precision::fp8);
    EXPECT_EQ(precision(", precision: fp16", axis), Precision::fp16) << "as stated";
    EXPECT_EQ(precision("", "axes: {ir: [step.hlo, other.hlo], precision: [fp16]}\n"), Precision::fp16);
    facts_.programs[1].precision = Precision::fp16;
    EXPECT_EQ(precision("", axis), Precision::bf16) << "they differ";
    facts_.programs = {{"step.hlo", 8, {}}};
    EXPECT_EQ(precision("", "axes: {fusion: [none]}\n"), Precision::bf16) << "it has no products";
}

TEST_F(CompleteTest, WhatSaysNothingOfAProgramIsRefused) {
    const std::string errors = files_.errors(
        of_program(", tp: 2, passes: {collectives_ahead: -1, bucket_size: -1 B}", "axes: {zero: [1, 3]}\n"));
    EXPECT_THAT(errors, AllOf(HasSubstr("workload.tp: has no effect on a compiler's program"),
                              HasSubstr("axes.zero: has no effect"),
                              HasSubstr("workload.passes.collectives_ahead: '-1' is out of range"),
                              HasSubstr("workload.passes.bucket_size: '-1 B' is out of range")));
}

/// What the reader found, what others found, and what follows from it: all at once, in the order of the file.
TEST_F(CompleteTest, SaysEveryErrorAtOnce) {
    const std::string file =
        files_.folder().write("t.yaml", of_program(", zreo: 1", "axes: {zero: [1, 3]}\nmore: 1\n"));
    Draft draft = read_sweep(file, {}, test::some_names());
    const Place place = place_of_values(draft, "workload.ir");
    draft.diagnostics.error(place.where, place.path, "is not a program");
    std::string errors;
    try {
        complete(std::move(draft), {});
    } catch (const InputError& error) {
        errors = error.what();
    }
    std::size_t at = 0;
    for (const char* line : {":2:16: error: workload.ir: is not a program", ":2:26: error: workload.zreo",
                             ":4:8: error: axes.zero: has no effect", ":5:1: error: more"}) {
        at = errors.find(line, at);
        ASSERT_NE(at, std::string::npos) << line << " in\n" << errors;
    }
}

TEST_F(CompleteTest, WarningsStayWithTheSweep) {
    Draft draft = read_sweep(files_.folder().write("t.yaml", of_program("", "axes: {fusion: [none]}\n")), {},
                             test::some_names());
    draft.diagnostics.warning({}, "workload.ir", "something is assumed");
    const Sweep sweep = complete(std::move(draft), {});
    ASSERT_EQ(sweep.warnings.size(), 1U);
    EXPECT_EQ(sweep.warnings[0].message, "something is assumed");
}

}  // namespace
}  // namespace dse::study
