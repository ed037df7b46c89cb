#include "dse/graph/software_stack.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/config/field_index.hpp"

namespace dse::graph {
namespace {

TEST(SoftwareStack, DefaultsAreValid) {
    EXPECT_NO_THROW(require_valid(SoftwareStack{}));
}

TEST(SoftwareStack, SaysOfFieldsThatForwardPassesResetThatTheyAreForTraining) {
    SoftwareStack stack;
    config::FieldIndex fields;
    fields.add("", stack);
    SoftwareStack usual = forward_part(stack, Mode::decode);
    config::FieldIndex defaults;
    defaults.add("", usual);
    int tried = 0;
    for (const config::FieldRef& field : fields.fields()) {
        const std::string& name = field.info().path;
        if (!field.info().help.starts_with("training: ")) continue;
        EXPECT_EQ(field.info().help.find("training: ", 1), std::string::npos) << name << ": said twice";
        const double value = field.read();
        field.assign(value == 1.0 ? 2.0 : 1.0);
        SoftwareStack forward = forward_part(stack, Mode::decode);
        field.assign(value);
        config::FieldIndex reset;
        reset.add("", forward);
        EXPECT_EQ(reset.find(name)->read(), defaults.find(name)->read()) << name;
        ++tried;
    }
    EXPECT_GT(tried, 50);
    for (const char* name : {"precision", "attention_rate", "cuda_graphs", "expert_rate", "weight_bits"})
        EXPECT_FALSE(fields.find(name)->info().help.starts_with("training: ")) << name;
}

TEST(SoftwareStack, RefusesWhatIsOutOfRange) {
    const auto reason = [](auto&& change) -> std::string {
        SoftwareStack stack;
        change(stack);
        try {
            require_valid(stack);
        } catch (const ModelError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_NE(reason([](auto& s) { s.zero = 4; }).find("zero: 4 is out of range: must be between 0 and 3"),
              std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.zero = -1; }).find("zero: -1 is out"), std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.prefetch = 65; }).find("prefetch: 65 is out"), std::string::npos);
    EXPECT_NE(reason([](auto& s) {
                  s.prefetch = 17;
                  s.offload = Offload::activations;
              }).find("with offload it is at most 16"),
              std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.exposed_tp = 1.5; }).find("exposed_tp"), std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.exposed_dp = -0.5; }).find("exposed_dp"), std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.exposed_pp = 2; }).find("exposed_pp"), std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.recompute_layers = -1; }).find("recompute_layers: -1 is out"),
              std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.offload_layers = -1; }).find("offload_layers: -1 is out"),
              std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.loss_tiles = 0; }).find("loss_tiles: 0 is out"), std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.offload_prefetch = 0; }).find("offload_prefetch: 0 is out"),
              std::string::npos);
    EXPECT_NE(reason([](auto& s) { s.primary_weights = PrimaryWeights::fp8; }).find("precision fp8"),
              std::string::npos);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    EXPECT_NE(reason([nan](auto& s) { s.allocator_overhead = nan; }).find("allocator_overhead"),
              std::string::npos);
}

TEST(SoftwareStack, ChoicesHaveTheNamesThatSweepsWrite) {
    const auto names = [](auto choice) {
        std::string text;
        for (const std::string_view name : choice_names(choice)) text += std::string(name) + " ";
        return text;
    };
    EXPECT_EQ(names(Recompute{}), "none selective full ");
    EXPECT_EQ(names(Offload{}), "none activations optimizer both ");
    EXPECT_EQ(names(PrimaryWeights{}), "compute master fp8 ");
    EXPECT_EQ(names(Attention{}), "unfused flash ");
    EXPECT_EQ(names(LossKernel{}), "unfused narrow compiled staged fused in_place shifted ");
    EXPECT_EQ(names(ContextAttention{}), "all_gather ring ulysses ");
    EXPECT_EQ(names(GatherUnit{}), "block parameter layer ");
    EXPECT_EQ(names(UnitCopies{}), "none gradients all ");
    EXPECT_EQ(choice_names(CastRecipe{}).size(), 3U);
    EXPECT_EQ(names(ReductionPrecision{}), "kept fp32 bf16 fp16 ");
    EXPECT_EQ(names(Permutation{}), "fused copied indexed gathered weighted masked ");
}

TEST(SoftwareStack, ForwardPassesAskForLess) {
    SoftwareStack stack;
    stack.zero = 3;
    stack.recompute = Recompute::full;
    stack.gradient_precision = Precision::bf16;
    stack.scan_backward = 2.5;
    stack.loss_tiles = 4;
    stack.permutation = Permutation::copied;
    stack.expert_training_rate = 0.5;
    stack.precision = Precision::fp8;
    stack.cuda_graphs = true;
    const SoftwareStack forward = forward_part(stack, Mode::decode);
    EXPECT_EQ(forward.zero, 0);
    EXPECT_EQ(forward.recompute, Recompute::none);
    EXPECT_EQ(forward.gradient_precision, SoftwareStack{}.gradient_precision);
    EXPECT_EQ(forward.scan_backward, SoftwareStack{}.scan_backward);
    EXPECT_EQ(forward.loss_tiles, 1);
    EXPECT_EQ(forward.permutation, Permutation::fused);
    EXPECT_EQ(forward.expert_training_rate, 1.0);
    EXPECT_EQ(forward.precision, Precision::fp8);
    EXPECT_TRUE(forward.cuda_graphs);
}

TEST(SoftwareStack, GradientsAreReducedAsTheyAreKeptUnlessToldOtherwise) {
    SoftwareStack stack;
    stack.gradient_precision = Precision::bf16;
    EXPECT_EQ(reduced_in(stack), Precision::bf16);
    stack.reduction_precision = ReductionPrecision::fp32;
    EXPECT_EQ(reduced_in(stack), Precision::fp32);
    stack.gradient_precision = Precision::fp32;
    stack.reduction_precision = ReductionPrecision::fp16;
    EXPECT_EQ(reduced_in(stack), Precision::fp16);
}

TEST(SoftwareStack, PromptsMayHaveRatesOfTheirOwn) {
    SoftwareStack stack;
    stack.expert_rate = 0.75;
    EXPECT_EQ(forward_part(stack, Mode::prefill).expert_rate, 0.75);
    stack.prompt_expert_rate = 0.25;
    EXPECT_EQ(forward_part(stack, Mode::prefill).expert_rate, 0.25);
    EXPECT_EQ(forward_part(stack, Mode::decode).expert_rate, 0.75);
    // Decode steps do not depend on it, and share their structure.
    EXPECT_EQ(forward_part(stack, Mode::decode).prompt_expert_rate, 0.0);
    stack.prompt_dense_rate = 0.25;
    stack.sparse_heads = 64;
    EXPECT_EQ(forward_part(stack, Mode::prefill).prompt_dense_rate, 0.25);
    EXPECT_EQ(forward_part(stack, Mode::prefill).sparse_heads, 64);
    EXPECT_EQ(forward_part(stack, Mode::decode).prompt_dense_rate, 1.0) << "of steps that decode";
    EXPECT_EQ(forward_part(stack, Mode::decode).sparse_heads, 0);
}

TEST(SoftwareStack, TilesOfExpertsMayBeThoseOfDecodeStepsAlone) {
    SoftwareStack stack;
    stack.expert_tile = 64;
    EXPECT_EQ(forward_part(stack, Mode::prefill).expert_tile, 64);
    stack.few_expert_rows = 8;
    EXPECT_EQ(forward_part(stack, Mode::decode).expert_tile, 64);
    EXPECT_EQ(forward_part(stack, Mode::decode).few_expert_rows, 8);
    EXPECT_EQ(forward_part(stack, Mode::prefill).expert_tile, 1)
        << "the rate of prompts contains their tiles";
    EXPECT_EQ(forward_part(stack, Mode::prefill).few_expert_rows, 0);
}

TEST(SoftwareStack, ExpertsReadWeightsByTilesInDecodeStepsAlone) {
    SoftwareStack stack;
    stack.tile_reading = 0.5;
    EXPECT_EQ(forward_part(stack, Mode::decode).tile_reading, SoftwareStack{}.tile_reading) << "no tiles";
    stack.least_expert_tile = 8;
    stack.expert_tile_margin = 1.3;
    const SoftwareStack decode = forward_part(stack, Mode::decode);
    EXPECT_EQ(decode.least_expert_tile, 8);
    EXPECT_EQ(decode.expert_tile_margin, 1.3);
    EXPECT_EQ(decode.tile_reading, 0.5);
    const SoftwareStack prompts = forward_part(stack, Mode::prefill);
    EXPECT_EQ(prompts.least_expert_tile, 0) << "their rates contain tiles";
    EXPECT_EQ(prompts.expert_tile_margin, 1.0);
}

TEST(SoftwareStack, AttendsInFp8OnlyWhereProductsAreNarrow) {
    SoftwareStack stack;
    stack.precision = Precision::fp8;
    EXPECT_FALSE(attends_in_fp8(stack));
    stack.fp8_attention = true;
    EXPECT_TRUE(attends_in_fp8(stack));
    stack.precision = Precision::bf16;
    EXPECT_FALSE(attends_in_fp8(stack));
}

TEST(SoftwareStack, AWeightHasOneBitAtLeast) {
    SoftwareStack stack;
    for (const double bits : {0.0, 1.0, 1.58, 4.25, 16.0}) {
        stack.weight_bits = bits;
        EXPECT_NO_THROW(require_valid(stack)) << bits;
    }
    stack.weight_bits = 0.001;
    EXPECT_THROW(require_valid(stack), ModelError);
}

}  // namespace
}  // namespace dse::graph
