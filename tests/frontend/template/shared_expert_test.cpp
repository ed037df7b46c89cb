// What a shared expert's kernels are: expert_plan_test.cpp.
#include <gtest/gtest.h>

#include "dse/frontend/template/template_frontend.hpp"
#include "support/source_dir.hpp"

namespace dse::frontend {
namespace {

/// By the models' configurations: n_shared_experts of DeepSeek-V3 and GLM-4.5 is 1, Llama 4 has one beside
/// each mixture; Mixtral, Qwen3 and gpt-oss have none, and dense layers add their MLP to the residual alone.
TEST(SharedExpert, ModelsHaveOneByTheirConfigurations) {
    TemplateFrontend templates{config::Library::standard(DSE_SOURCE_DIR)};
    for (const char* model : {"deepseek_v3", "glm_4_5", "llama4_maverick", "moonlight_16b_a3b"})
        EXPECT_TRUE(templates.has_shared_expert(model)) << model;
    for (const char* model : {"mixtral_8x7b", "qwen3_30b_a3b", "gpt_oss_20b", "llama3_8b", "mamba2_130m"})
        EXPECT_FALSE(templates.has_shared_expert(model)) << model;
}

TEST(SharedExpert, OnlyMixturesHaveExperts) {
    TemplateFrontend templates{config::Library::standard(DSE_SOURCE_DIR)};
    for (const char* model : {"deepseek_v3", "mixtral_8x7b", "gpt_oss_20b", "gemma4_26b"})
        EXPECT_TRUE(templates.has_experts(model)) << model;
    for (const char* model : {"llama3_8b", "mamba2_130m", "resnet50"})
        EXPECT_FALSE(templates.has_experts(model)) << model;
}

}  // namespace
}  // namespace dse::frontend
