#include "study/sweep_facts.hpp"

#include <algorithm>
#include <filesystem>

#include <gtest/gtest.h>

#include "study/sweeps.hpp"
#include "support/source_dir.hpp"

namespace dse::study {
namespace {

using test::SweepFiles;

class SweepFactsTest : public testing::Test {
  protected:
    /// Keys in which two sweeps differ.
    [[nodiscard]] static std::vector<std::string> difference(const Sweep& a, const Sweep& b) {
        std::vector<std::string> keys;
        for (const auto& fact : a.facts) {
            if (std::find(b.facts.begin(), b.facts.end(), fact) == b.facts.end()) keys.push_back(fact.first);
        }
        for (const auto& fact : b.facts) {
            const bool known = std::any_of(a.facts.begin(), a.facts.end(),
                                           [&](const auto& other) { return other.first == fact.first; });
            if (!known) keys.push_back(fact.first);
        }
        return keys;
    }

    SweepFiles files_;
};

using Keys = std::vector<std::string>;

TEST_F(SweepFactsTest, NameTheFieldThatChanged) {
    const std::string yaml = SweepFiles::llama("axes: {tp: [1, 2]}\n");
    const Sweep sweep = files_.load(yaml);
    EXPECT_EQ(difference(sweep, files_.load("# a comment changes no row\n" + yaml)), Keys{});
    EXPECT_EQ(difference(sweep, files_.load(yaml, {{"zero", "2"}})), Keys{"workload.zero"});
    EXPECT_EQ(difference(sweep, files_.load(yaml, {{"scale_up.latency", "3 us"}})),
              Keys{"system.cluster.network.scale_up.latency"});
    EXPECT_EQ(difference(sweep, files_.load(yaml, {{"tp", "1"}})), Keys{"axes.0.tp"});
}

/// A model of the test's own, beside the sweep: the same name, another content.
TEST_F(SweepFactsTest, ContentOfTheModel) {
    const auto with_layers = [&](int layers) {
        files_.folder().write("workloads/models/own.yaml",
                              "name: own\n"
                              "template: llama\n"
                              "symbols: {layers: " +
                                  std::to_string(layers) +
                                  ", h: 512, n: 8, k: 8, d: 64, f: 2048, vocab: 32000}\n"
                                  "blocks: [embedding, decoder_layer: layers, head]\n");
        return files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"model", "own"}});
    };
    const Sweep four = with_layers(4);
    EXPECT_EQ(difference(four, with_layers(4)), Keys{});
    EXPECT_EQ(difference(four, with_layers(8)), Keys{"workloads/models/own"});
}

TEST_F(SweepFactsTest, ContentOfTheTemplate) {
    const std::string original =
        test::read_file(std::string{DSE_SOURCE_DIR} + "/workloads/templates/llama.yaml");
    const std::string split = "w_o: {shape: [n*d, h], split: {0: tp}}";
    ASSERT_NE(original.find(split), std::string::npos);
    std::string changed = original;
    changed.replace(changed.find(split), split.size(), "w_o: {shape: [n*d, h]}");
    files_.folder().write("workloads/models/own.yaml",
                          "name: own\n"
                          "template: own_template\n"
                          "symbols: {layers: 4, h: 512, n: 8, k: 8, d: 64, f: 2048, vocab: 32000}\n"
                          "blocks: [embedding, decoder_layer: layers, head]\n");
    const auto with = [&](const std::string& text) {
        files_.folder().write("workloads/templates/own_template.yaml", text);
        return files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"model", "own"}});
    };
    const Sweep sweep = with(original);
    EXPECT_EQ(difference(sweep, with("# only a comment\n" + original)), Keys{});
    EXPECT_EQ(difference(sweep, with(changed)), Keys{"workloads/templates/own_template"});

    files_.folder().write("models/own.yaml",
                          "name: own\ntemplate: ./own_template.yaml\nsymbols: {layers: 4}\nblocks: [head]\n");
    const auto beside = [&](const std::string& text) {
        files_.folder().write("models/own_template.yaml", text);
        return files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"model", "./models/own.yaml"}});
    };
    EXPECT_EQ(difference(beside(original), beside(changed)), Keys{"workloads/templates/./own_template.yaml"});
}

TEST_F(SweepFactsTest, ContentOfEveryFileThatAnAxisNames) {
    const auto with_capacity = [&](const std::string& capacity) {
        files_.folder().write("hardware/clusters/own.yaml",
                              "base: h100_ndr400\ndevice: {memory: {capacity: " + capacity + "}}\n");
        return files_.load(SweepFiles::llama("axes: {cluster: [dgx_a100_hdr200, own]}\n"));
    };
    const Sweep sweep = with_capacity("80 GiB");
    EXPECT_EQ(difference(sweep, with_capacity("96 GiB")), Keys{"system.cluster.own"});
}

// A sweep is the same one from wherever it is run: paths in it are relative to its folder.
TEST_F(SweepFactsTest, DoNotDependOnTheWorkingFolder) {
    const std::string device = "base: h100_sxm\nprice: 1 USD/h\n";
    files_.folder().write("study/own.yaml", device);
    files_.folder().write("model.yaml",
                          "name: own\n"
                          "template: llama\n"
                          "symbols: {layers: 4, h: 512, n: 8, k: 8, d: 64, f: 2048, vocab: 32000}\n"
                          "blocks: [embedding, decoder_layer: layers, head]\n");
    const std::string yaml =
        "name: t\nworkload: {model: ../model.yaml, global_batch: 32, sequence: 4096}\n"
        "system: {cluster: h100_ndr400, devices: 32}\naxes: {cluster.device: [h100_sxm, ./own.yaml]}\n";
    const std::string sweep = files_.folder().write("study/s.yaml", yaml);
    const std::filesystem::path before = std::filesystem::current_path();
    const auto facts_in = [&](const char* folder, const std::string& file, const std::string& stack) {
        std::filesystem::current_path(files_.folder().path(folder));
        const Sweep read = test::load_with({}, file, {{"stack", stack}});
        std::filesystem::current_path(before);
        return read.facts;
    };
    files_.folder().write("study/stack.yaml", "base: torchtitan_2025\n");
    // Another one of the same name where dse is called.
    files_.folder().write("own.yaml", device + "kernel_latency: 9 us\n");
    const auto beside = facts_in("study", "s.yaml", "./stack.yaml");
    EXPECT_EQ(beside, facts_in("", "study/s.yaml", "study/stack.yaml"));
    EXPECT_EQ(beside, facts_in("study", sweep, "./stack.yaml"));
}

TEST_F(SweepFactsTest, ContentOfFilesBesideADevice) {
    files_.folder().write("hardware/tables/own.yaml", "name: own\nsource: here\nrows: own.csv\n");
    files_.folder().write("hardware/devices/own.yaml", "base: h100_sxm\ntable: own\n");
    const auto with_time = [&](const std::string& seconds) {
        files_.folder().write("hardware/tables/own.csv",
                              "operator,precision,shape,bytes,seconds\ngemm,bf16,8x8x8,," + seconds + "\n");
        return files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\n"), {{"cluster.device", "own"}});
    };
    const Sweep sweep = with_time("1e-5");
    EXPECT_EQ(difference(sweep, with_time("1e-5")), Keys{});
    EXPECT_EQ(difference(sweep, with_time("2e-5")), Keys{"hardware/own.csv"});
}

TEST_F(SweepFactsTest, ErrorBars) {
    const Sweep sweep = files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\n"));
    for (const char* key : {"workloads/measured/errors", "workloads/measured/serving_errors"}) {
        const bool known = std::any_of(sweep.facts.begin(), sweep.facts.end(),
                                       [&](const auto& fact) { return fact.first == key; });
        EXPECT_TRUE(known) << key;
    }
}

TEST_F(SweepFactsTest, WhatIsStatedMattersUnderAnAxisOfFiles) {
    // The same base scenario, but under the second stack only one of them keeps `zero: 0`.
    const std::string axis = "axes: {stack: [megatron_2021, torchtitan_2024]}\n";
    const Sweep bare = files_.load(SweepFiles::llama(axis));
    const Sweep stated = files_.load(SweepFiles::llama(axis, "zero: 0"));
    EXPECT_EQ(bare.base.workload.stack.zero, stated.base.workload.stack.zero);
    EXPECT_EQ(difference(bare, stated), Keys{"stated"});
}

TEST_F(SweepFactsTest, ContentOfTheProgramsAsItIsHandedIn) {
    const std::string file =
        files_.folder().write("t.yaml",
                              "name: t\nworkload: {ir: a.hlo, foreign_costs: own.yaml}\n"
                              "system: {cluster: h100_ndr400, devices: 8}\naxes: {fusion: [none]}\n");
    const auto with = [&](const std::string& program, const std::string& costs) {
        WorkloadFacts facts;
        facts.digests = {{"a.hlo", program}, {"own.yaml", costs}};
        return test::load_with(facts, file, {});
    };
    const Sweep sweep = with("1", "2");
    EXPECT_EQ(difference(sweep, with("1", "2")), Keys{});
    EXPECT_EQ(difference(sweep, with("3", "2")), Keys{"ir/a.hlo"});
    EXPECT_EQ(difference(sweep, with("1", "3")), Keys{"ir/own.yaml"});
}

TEST_F(SweepFactsTest, FileOfAnAxisThatIsWrong) {
    files_.folder().write("hardware/clusters/own.yaml", "base: h100_ndr400\ndevices_per_nod: 4\n");
    const std::string errors = files_.errors(SweepFiles::llama("axes: {cluster: [dgx_a100_hdr200, own]}\n"));
    EXPECT_NE(errors.find("t.yaml:4:8: error: axes.cluster: 'own':"), std::string::npos) << errors;
    EXPECT_NE(errors.find("own.yaml:2:1: error"), std::string::npos) << errors;
    EXPECT_NE(errors.find("devices_per_node"), std::string::npos) << errors;
}

}  // namespace
}  // namespace dse::study
