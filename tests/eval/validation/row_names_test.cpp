#include "eval/validation/row_names.hpp"

#include <utility>

#include <gtest/gtest.h>

namespace dse::eval {
namespace {

const KnownNames chips{
    {"A100-40-SXM", ""},   {"A100-80-SXM", ""},  {"A100-80-PCIe", ""}, {"H100-SXM-80", ""},
    {"MI250 (1 GCD)", ""}, {"MI300X", ""},       {"GB200", ""},        {"TPU-v6e (Trillium)", ""},
    {"TPU-v4", ""},        {"H200-SXM-141", ""}, {"Gaudi2", ""}};

TEST(ChipNamed, AsMakersFrameworksAndUsersCallThem) {
    for (const auto& [name, meant] : {std::pair{"H100-SXM-80", "H100-SXM-80"},
                                      {"H100-SXM5-80GB", "H100-SXM-80"},
                                      {"NVIDIA H100 80GB HBM3", "H100-SXM-80"},
                                      {"h100", "H100-SXM-80"},
                                      {"NVIDIA A100-SXM4-80GB", "A100-80-SXM"},
                                      {"a100_40gb", "A100-40-SXM"},
                                      {"A100 PCIe", "A100-80-PCIe"},
                                      {"NVIDIA H200", "H200-SXM-141"},
                                      {"AMD Instinct MI300X", "MI300X"},
                                      {"nvidia gb200", "GB200"},
                                      {"TPUv4", "TPU-v4"},
                                      {"v6e", "TPU-v6e (Trillium)"},
                                      {"Trillium", "TPU-v6e (Trillium)"},
                                      {"Intel Gaudi2", "Gaudi2"}})
        EXPECT_EQ(chip_named(name, chips).value_or("none"), meant) << name;
}

TEST(ChipNamed, DoesNotGuess) {
    for (const char* name : {"A100", "A100-80GB", "H100 PCIe", "H100 NVL", "H100-96", "TPU", "B200", "80GB",
                             "8xH100", "GPU", "", "v5p"})
        EXPECT_EQ(chip_named(name, chips), std::nullopt) << name;
}

TEST(ModelNamed, WithoutOwnerTuningAndPunctuation) {
    const KnownNames models{{"llama3-70b", ""}, {"qwen3-30b-a3b", ""}, {"deepseek-v3-671b", ""}};
    for (const auto& [name, meant] : {std::pair{"Llama-3-70B", "llama3-70b"},
                                      {"meta-llama/Llama-3-70B-Instruct", "llama3-70b"},
                                      {"meta-llama/Meta-Llama-3-70B", "llama3-70b"},
                                      {"llama3_70b", "llama3-70b"},
                                      {"Qwen/Qwen3-30B-A3B", "qwen3-30b-a3b"},
                                      {"DeepSeek V3 671B", "deepseek-v3-671b"}})
        EXPECT_EQ(model_named(name, models).value_or("none"), meant) << name;
    for (const char* name : {"Llama-3.1-70B", "llama3-8b", "DeepSeek-V3", ""})
        EXPECT_EQ(model_named(name, models), std::nullopt) << name << " is another model, or may be";
}

TEST(PrecisionNamed, AsFrameworksCallThem) {
    using graph::Precision;
    for (const auto& [name, meant] : {std::pair{"", Precision::bf16},
                                      {"bfloat16", Precision::bf16},
                                      {"BF16-mixed", Precision::bf16},
                                      {"bf16 (fp32 master)", Precision::bf16},
                                      {"bf16 + fp32 master", Precision::bf16},
                                      {"torch.float16", Precision::fp16},
                                      {"half", Precision::fp16},
                                      {"fp16 + fp32 adam", Precision::fp16},
                                      {"FP8-hybrid", Precision::fp8},
                                      {"fp8/bf16", Precision::fp8},
                                      {"float8_e4m3fn", Precision::fp8},
                                      {"MXFP8", Precision::fp8},
                                      {"NVFP4", Precision::fp4},
                                      {"tf32", Precision::tf32},
                                      {"fp32 (tf32)", Precision::fp32},
                                      {"float32", Precision::fp32}})
        EXPECT_EQ(precision_named(name), meant) << name;
    for (const char* name : {"mixed", "8-bit", "int8 AQT", "amp"})
        EXPECT_EQ(precision_named(name), std::nullopt);
}

TEST(ShardingNamed, AsFrameworksCallIt) {
    for (const auto& [name, meant] : {std::pair{"", StateSharding::of_stack},
                                      {"fsdp(zero-1/2)", StateSharding::of_stack},
                                      {"0", StateSharding::none},
                                      {"None", StateSharding::none},
                                      {"DDP", StateSharding::none},
                                      {"ZeRO-1", StateSharding::optimizer},
                                      {"zero1", StateSharding::optimizer},
                                      {"dist-opt/fsdp", StateSharding::optimizer},
                                      {"distributed optimizer", StateSharding::optimizer},
                                      {"stage 2", StateSharding::gradients},
                                      {"SHARD_GRAD_OP", StateSharding::gradients},
                                      {"DeepSpeed ZeRO stage 3", StateSharding::full},
                                      {"FSDP2", StateSharding::full},
                                      {"full_shard", StateSharding::full},
                                      {"HSDP", StateSharding::hybrid},
                                      {"1 in a node", StateSharding::optimizer}})
        EXPECT_EQ(sharding_named(name), meant) << name;
    for (const char* name : {"4", "zero-8", "sharded", "yes", "8 in a node"})
        EXPECT_EQ(sharding_named(name), std::nullopt) << name;
}

TEST(ShardsInNode, IsStatedBehindTheStage) {
    EXPECT_TRUE(shards_in_node("1 in a node"));
    EXPECT_TRUE(shards_in_node("ZeRO-1 in a node"));
    EXPECT_FALSE(shards_in_node("1"));
    EXPECT_FALSE(shards_in_node(""));
}

TEST(SecondsOf, HasAUnit) {
    EXPECT_DOUBLE_EQ(seconds_of(1420, "ms/iter").value(), 1.42);
    EXPECT_EQ(seconds_of(2, "s"), 2.0);
    EXPECT_EQ(seconds_of(2, ""), std::nullopt);
    EXPECT_EQ(seconds_of(2, "steps/s"), std::nullopt);
}

TEST(WithKnownNames, LeavesWhatNobodyKnows) {
    TruthSource source;
    source.clusters = chips;
    source.models = {{"llama3-8b", "llama3_8b"}};
    TruthRow row;
    row.chip = "H100 80GB";
    row.model = "Llama-3-8B";
    EXPECT_EQ(with_known_names(row, source).chip, "H100-SXM-80");
    EXPECT_EQ(with_known_names(row, source).model, "llama3-8b");
    row.chip = "X1";
    row.model = "own";
    EXPECT_EQ(with_known_names(row, source).chip, "X1");
    EXPECT_EQ(with_known_names(row, source).model, "own");
}

}  // namespace
}  // namespace dse::eval
