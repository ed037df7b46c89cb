#include "app/hugging_face/context_length.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/hugging_face/imported_model.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

ConfigFile config_of(const std::string& fields) {
    const dse::test::TemporaryFolder folder;
    return ConfigFile{folder.write("config.json", "{" + fields + "}")};
}

std::int64_t length_of(const std::string& fields) {
    ConfigFile config = config_of(fields);
    return context_length(config);
}

/// As published: Llama 2 7B, Llama 3.1, DeepSeek-V3 (40 x 4,096), Qwen2.5 with the YaRN that its card
/// proposes (4 x 32,768), Gemma 3 27B, Vicuna 16K (4 x 4,096), Phi-3 mini 128K.
TEST(ContextLength, IsWhatEnginesDerive) {
    EXPECT_EQ(length_of(R"("model_type": "llama", "max_position_embeddings": 4096, "rope_scaling": null)"),
              4096);
    EXPECT_EQ(
        length_of(R"("model_type": "llama", "max_position_embeddings": 131072, "rope_scaling": {"factor": 8.0,
                           "original_max_position_embeddings": 8192, "rope_type": "llama3"})"),
        131072);
    EXPECT_EQ(length_of(R"("model_type": "deepseek_v3", "max_position_embeddings": 163840, "rope_scaling":
                           {"factor": 40, "original_max_position_embeddings": 4096, "type": "yarn"})"),
              163840);
    EXPECT_EQ(length_of(R"("model_type": "qwen2", "max_position_embeddings": 32768, "rope_scaling":
                           {"factor": 4.0, "original_max_position_embeddings": 32768, "type": "yarn"})"),
              131072);
    EXPECT_EQ(length_of(R"("model_type": "gemma3_text", "max_position_embeddings": 131072, "rope_scaling":
                           {"factor": 8.0, "rope_type": "linear"})"),
              131072);
    EXPECT_EQ(length_of(R"("model_type": "llama", "max_position_embeddings": 4096, "rope_scaling":
                           {"factor": 4.0, "type": "linear"})"),
              16384);
    EXPECT_EQ(length_of(R"("model_type": "phi3", "max_position_embeddings": 131072,
                           "original_max_position_embeddings": 4096, "rope_scaling": {"type": "longrope"})"),
              131072);
}

/// Transformers 5 calls it rope_parameters, one each for layers with and without a window.
TEST(ContextLength, KnowsBothNamesOfScaling) {
    EXPECT_EQ(length_of(R"("model_type": "olmo3", "max_position_embeddings": 65536, "rope_parameters": {
                           "sliding_attention": {"rope_type": "default"},
                           "full_attention": {"rope_type": "yarn", "factor": 8.0,
                                              "original_max_position_embeddings": 8192}})"),
              65536);
    EXPECT_EQ(length_of(R"("model_type": "olmo3", "max_position_embeddings": 4096, "rope_parameters":
                           {"rope_type": "default", "rope_theta": 1e6})"),
              4096);
}

TEST(ContextLength, IsNothingWhereNoneOrNonsenseIsStated) {
    EXPECT_EQ(length_of(R"("model_type": "mamba2")"), 0);
    for (const char* length : {"-1", "1e300", "\"long\"", "0"})
        EXPECT_EQ(length_of(std::string{R"("model_type": "llama", "max_position_embeddings": )"} + length),
                  0);
    EXPECT_EQ(length_of(R"("model_type": "llama", "max_position_embeddings": 2048, "rope_scaling":
                           {"type": "video_rope", "factor": null})"),
              2048);
}

/// A table of positions says how long a sequence may be: OPT's has two rows before the first.
TEST(ContextLength, IsWrittenUnlessTheModelHasATableOfPositions) {
    const auto text = [](const std::string& fields) {
        ConfigFile config = config_of(fields);
        return model_yaml(imported_model(config, "m"), "config.json");
    };
    EXPECT_THAT(text(R"("model_type": "llama", "hidden_size": 64, "intermediate_size": 128,
                        "num_attention_heads": 4, "num_hidden_layers": 2, "vocab_size": 512,
                        "max_position_embeddings": 4096)"),
                testing::HasSubstr("\ncontext: 4096\ntemplate: "));
    EXPECT_THAT(text(R"("model_type": "opt", "hidden_size": 64, "ffn_dim": 256, "num_attention_heads": 4,
                        "num_hidden_layers": 2, "vocab_size": 512, "word_embed_proj_dim": 64,
                        "max_position_embeddings": 2048)"),
                testing::Not(testing::HasSubstr("context:")));
}

}  // namespace
}  // namespace dse::app
