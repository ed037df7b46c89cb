// Also tests: start/model_facts.cpp, start/serving_sweep.cpp, start/sweep_parts.cpp
// Also tests: start/training_sweep.cpp, commands/init.cpp
#include "app/start/first_sweep.hpp"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using dse::test::TemporaryFolder;
using test::run_app;
using testing::AllOf;
using testing::HasSubstr;

struct Wanted {
    const char* model;
    const char* cluster;
    const char* goal;
};

void PrintTo(const Wanted& wanted, std::ostream* stream) {
    *stream << wanted.model << " on " << wanted.cluster << " for " << wanted.goal;
}

class FirstSweepOf : public testing::TestWithParam<Wanted> {};

TEST_P(FirstSweepOf, RunsAsItIs) {
    const auto [model, cluster, goal] = GetParam();
    const TemporaryFolder folder;
    const std::string sweep = folder.path("first.yaml");
    const auto made = run_app({"init", "--model", model, "--cluster", cluster, "--goal", goal, "-o", sweep});
    ASSERT_EQ(made.code, 0) << made.err;
    EXPECT_EQ(run_app({"check", sweep}).code, 0);
    // Serving plays requests: of its points one will do.
    std::vector<std::string> run{sweep, "-o", folder.path("first.h5"), "--json"};
    if (std::string{goal} == "serving")
        run.insert(run.end(), {"--set", "serving.max_sequences=64", "--set", "requests=100"});
    const auto outcome = run_app(run);
    ASSERT_EQ(outcome.code, 0) << outcome.err;
    const auto json = outcome.json();
    EXPECT_GE(json["points"].get<int>(), 1);
    EXPECT_GE(json["status"]["ok"].get<int>(), 1) << json.dump(1);
    EXPECT_EQ(json["status"]["failed"].get<int>(), 0) << json.dump(1);
}

INSTANTIATE_TEST_SUITE_P(
    Pairs, FirstSweepOf,
    testing::Values(
        Wanted{"llama3_8b", "h100_ndr400", "training"}, Wanted{"llama3_405b", "gb200_nvl72", "training"},
        Wanted{"qwen3_30b_a3b", "dgx_b200", "training"}, Wanted{"deepseek_v3", "dgx_h200_ndr400", "training"},
        Wanted{"qwen3_0.6b", "tpu_v5p_pod", "training"}, Wanted{"gpt3_175b", "a100_ib800", "training"},
        Wanted{"kimi_k2", "h100_ndr400", "training"}, Wanted{"megatron_1t", "h100_ndr400", "training"},
        Wanted{"resnet50", "v100_opa100", "training"}, Wanted{"dlrm_dcnv2", "h100_ndr400", "training"},
        Wanted{"llama3_8b", "h100_ndr400", "serving"}, Wanted{"deepseek_v3", "h100_ndr400", "serving"},
        Wanted{"llama3_405b", "h100_ndr400", "serving"}, Wanted{"mixtral_8x7b", "mi350x", "serving"}));

TEST(FirstSweep, HasAsManyDevicesAsTheModelNeeds) {
    // 70.6 G parameters x 24 bytes / 80 GiB = 19.7: 32. 8 G x 24 / 80 GiB = 2.2: a node of 8.
    const config::Library library = config::Library::standard("");
    EXPECT_THAT(first_sweep_text({.model = "llama3_70b"}, library), HasSubstr("devices: 32 "));
    EXPECT_THAT(first_sweep_text({.model = "llama3_8b"}, library), HasSubstr("devices: 8 "));
    EXPECT_THAT(run_app({"init", "--devices", "64", "-o", "-"}).out, HasSubstr("devices: 64 "));
    EXPECT_THAT(run_app({"init", "--devices", "3", "-o", "-"}).out, HasSubstr("global_batch: 72 "))
        << "divides among three, with microbatches of four";
    EXPECT_EQ(run_app({"init", "--devices", "0", "-o", "-"}).code, 2);
}

/// BERT has 512 positions, OPT two rows before its first of 2,048: the largest power of two below is its
/// first sequence.
TEST(FirstSweep, StaysWithinThePositionsOfAModel) {
    const TemporaryFolder folder;
    const auto first = [&](int positions, const char* goal) {
        const std::string model =
            folder.write("positioned.yaml", fmt::format("name: positioned\ntemplate: decoder\nsymbols: "
                                                        "{{layers: 2, h: 64, n: 4, k: 4, d: 16, f: 128, "
                                                        "vocab: 512}}\nblocks: [positioned_embedding: "
                                                        "{{count: 1, positions: {}}}, gelu_layer: layers, "
                                                        "tied_layer_norm_head]\n",
                                                        positions));
        return run_app({"init", "--model", model, "--goal", goal, "-o", "-"}).out;
    };
    EXPECT_THAT(first(2050, "training"), HasSubstr("\n  sequence: 2048 "));
    EXPECT_THAT(first(8192, "training"), HasSubstr("\n  sequence: 4096 "));
    EXPECT_THAT(first(1152, "serving"), HasSubstr("\n    prompt: 1024\n    output: 128\n"));
    EXPECT_THAT(first(514, "serving"), HasSubstr("\n    prompt: 256\n    output: 128\n"));
}

TEST(FirstSweep, StaysWithinTheContextOfAModel) {
    const auto first = [](const char* model) { return run_app({"init", "--model", model, "-o", "-"}).out; };
    EXPECT_THAT(first("gpt3_175b"), HasSubstr("\n  sequence: 2048 "));
    EXPECT_THAT(first("llama3_8b"), HasSubstr("\n  sequence: 4096 "));
}

TEST(FirstSweep, QuotesNamesThatYamlWouldReadOtherwise) {
    const TemporaryFolder folder;
    const std::string model = folder.write(
        "odd: \"model\" #1.yaml",
        "name: odd\ntemplate: llama\nsymbols: {layers: 2, h: 64, n: 4, k: 4, d: 16, f: 128, vocab: 512}\n"
        "blocks: [embedding, decoder_layer: layers, head]\n");
    const std::string sweep = folder.path("my: first #1.yaml");
    ASSERT_EQ(run_app({"init", "--model", model, "-o", sweep}).code, 0);
    EXPECT_EQ(run_app({"check", sweep}).code, 0);
}

TEST(FirstSweep, KnowsTheSizesOfPartsOfALayer) {
    const TemporaryFolder folder;
    const std::string model = folder.write(
        "parts.yaml",
        "name: parts\ntemplate: hybrid\nsymbols: {layers: 4, h: 256, n: 8, k: 2, d: 32, vocab: 512}\n"
        "blocks: [embedding, attention: 2, gated_mixture: {count: 2, fe: 64, fs: 64, experts: 8, "
        "top_k: 2}, head]\n");
    const auto text = run_app({"init", "--model", model, "-o", "-"}).out;
    EXPECT_THAT(text, HasSubstr("\n  tp: [1, 2] "));
    EXPECT_THAT(text, HasSubstr("\n  ep: ["));
}

TEST(FirstSweep, HasItsCommentsBelowOneAnother) {
    const auto text = run_app({"init", "-o", "-"}).out;
    for (const char* line :
         {"\n  tp: [1, 2, 4, 8]                    # ", "\n  pp: [1]                             # "})
        EXPECT_THAT(text, HasSubstr(line));
}

TEST(FirstSweep, SaysWhatItDoesNotKnow) {
    const TemporaryFolder folder;
    const std::string sweep = folder.path("a.yaml");
    EXPECT_THAT(run_app({"init", "--model", "lama3_8b", "-o", sweep}).err, HasSubstr("llama3_8b"));
    EXPECT_THAT(run_app({"init", "--cluster", "h100_ndr40", "-o", sweep}).err, HasSubstr("h100_ndr400"));
    EXPECT_EQ(run_app({"init", "--goal", "fun", "-o", sweep}).code, 2);
    EXPECT_THAT(run_app({"init", "--model", "resnet50", "--goal", "serving", "-o", sweep}).err,
                HasSubstr("does not process sequences"));
    EXPECT_THAT(
        run_app({"init", "--model", "mamba2_1.3b", "--goal", "serving", "-o", sweep}).err,
        HasSubstr(
            "caches no keys and values (inference is of decoders with attention) (use --goal training)"));
}

TEST(FirstSweep, ComparesPricesThatAreKnown) {
    const auto text = [](const char* cluster) {
        return run_app({"init", "--goal", "serving", "--cluster", cluster, "-o", "-"}).out;
    };
    EXPECT_THAT(text("h100_ndr400"), HasSubstr("objectives: {usd_per_mtoken_at_max_rate: minimize,"));
    EXPECT_THAT(text("gb300_nvl72"), HasSubstr("objectives: {max_request_rate: maximize,"));
    EXPECT_THAT(text("gb300_nvl72"), HasSubstr("no price is known of NVIDIA GB300"));
}

/// Of fewer requests, all would arrive while the first are answered, and every rate would look good.
TEST(FirstSweep, ServesMoreRequestsOnMoreDevices) {
    const auto text = [](const char* devices) {
        return run_app({"init", "--goal", "serving", "--devices", devices, "-o", "-"}).out;
    };
    EXPECT_THAT(text("4"), AllOf(HasSubstr("    rate: 2 1/s\n"), HasSubstr("    requests: 8000\n")));
    EXPECT_THAT(text("64"), AllOf(HasSubstr("    rate: 16 1/s\n"), HasSubstr("    requests: 128000\n")));
    EXPECT_THAT(text("65536"), HasSubstr("    requests: 20000000\n")) << "a run has no more";
}

/// DeepSeek-V3's weights take 21 devices, 6 stages of tp 4, 3 of tp 8: 1,023 / 31, 100 / 4 / 25 and 40 / 8 /
/// 5 are whole numbers, and the prime 1,021 has no divisor up to the model's 61 layers.
TEST(FirstSweep, ServesOnAllOfANumberOfDevices) {
    const auto init = [](const char* devices) {
        return run_app(
            {"init", "--goal", "serving", "--model", "deepseek_v3", "--devices", devices, "-o", "-"});
    };
    EXPECT_THAT(init("1023").out, AllOf(HasSubstr("tp: [1] "), HasSubstr("pp: [31] ")));
    EXPECT_THAT(init("100").out, AllOf(HasSubstr("tp: [1, 2, 4] "), HasSubstr("pp: [25] ")));
    EXPECT_THAT(init("40").out, AllOf(HasSubstr("tp: [1, 2, 4, 8] "), HasSubstr("pp: [5] ")));
    EXPECT_THAT(init("17").out, HasSubstr("pp: [17] ")) << "too few: points say that they do not fit";
    const auto prime = init("1021");
    EXPECT_EQ(prime.code, 2);
    EXPECT_THAT(prime.err,
                HasSubstr("no replicas use all of 1021 devices: with tp: 1 a pipeline needs 21 stages"));
    EXPECT_THAT(prime.err, HasSubstr("(--devices 992)"));
}

TEST(FirstSweep, NeverOverwritesUnasked) {
    const TemporaryFolder folder;
    const std::string sweep = folder.write("mine.yaml", "precious");
    EXPECT_EQ(run_app({"init", "-o", sweep}).code, 2);
    EXPECT_EQ(dse::test::read_file(sweep), "precious");
    EXPECT_EQ(run_app({"init", "-o", sweep, "--force"}).code, 0);
    EXPECT_THAT(dse::test::read_file(sweep), HasSubstr("name: mine"));
    EXPECT_THAT(dse::test::read_file(sweep), HasSubstr("dse pareto results/mine.h5")) << "as its results";
    EXPECT_THAT(run_app({"init", "-o", "-"}).out, HasSubstr("axes:"));
}

/// Otherwise YAML takes the name for nothing, a flag or a number.
TEST(FirstSweep, QuotesNamesThatAreNoTexts) {
    const TemporaryFolder folder;
    for (const char* name : {"null", "true", "1e3", "42"}) {
        const std::string sweep = folder.path(std::string{name} + ".yaml");
        EXPECT_EQ(run_app({"init", "-o", sweep}).code, 0);
        EXPECT_THAT(dse::test::read_file(sweep), HasSubstr("name: \"" + std::string{name} + "\"\n"));
    }
}

}  // namespace
}  // namespace dse::app
