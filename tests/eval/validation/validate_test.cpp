// Also tests: validation/step_scenario.cpp, validation/measured_step.cpp
#include "dse/eval/validation/validate.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::eval {
namespace {

/// A small GPT on eight A100s, as a table would have it; what it took is 1 s.
TruthRow small_row() {
    TruthRow row;
    row.id = "R";
    row.source = "paper, table 1";
    row.model = "gpt-small";
    row.chip = "A100";
    row.layers = 4;
    row.hidden = 1024;
    row.ffn = 4096;
    row.heads = 16;
    row.vocab = 51200;
    row.sequence = 1024;
    row.gpus = 8;
    row.tp = 2;
    row.pp = 2;
    row.global_batch = 16;
    row.microbatch = 2;
    row.recompute = "full";
    row.precision = "fp16";
    row.metric = "iteration_time";
    row.value = 1;
    row.iteration_time = 1;
    row.mlp_matrices = 2;
    return row;
}

/// FLOPs of one forward pass: 2 a token and parameter of the matrices (12 h² a layer, h · vocab in the head),
/// and attention, 2 products of s x s scores: unfused, so all of them.
constexpr double tokens = 16.0 * 1024;
constexpr double forward_of_layers = tokens * 4 * (2.0 * 12 * 1024 * 1024 + 4.0 * 1024 * 1024);
constexpr double forward_of_head = tokens * 2.0 * 1024 * 51200;

class ValidateTest : public testing::Test {
  protected:
    ValidateTest() {
        source_.match = "paper";
        source_.stack = "megatron_2021";
        source_.clusters = {{"A100", "dgx_a100_hdr200"}};
    }

    [[nodiscard]] Comparison one(const TruthRow& row) const {
        return validate({row}, {source_}, library_).at(0);
    }

    config::Library library_{config::Library::standard("")};
    TruthSource source_;
};

TEST_F(ValidateTest, PredictsATimeAndItsError) {
    const Comparison comparison = one(small_row());
    ASSERT_EQ(comparison.why, "");
    EXPECT_TRUE(comparison.is_compared());
    EXPECT_EQ(comparison.measured, 1.0);
    EXPECT_GT(comparison.predicted, 0.0);
    EXPECT_EQ(comparison.error(), comparison.predicted - 1.0);
    EXPECT_EQ(comparison.peak_flop, 8 * 312e12);
    EXPECT_DOUBLE_EQ(comparison.model_flop, 3 * (forward_of_layers + forward_of_head));
}

/// Of a prompt the forward pass alone, and the head for its last position.
TEST_F(ValidateTest, PromptsAreReadNotTrainedOn) {
    TruthRow row = small_row();
    row.metric = "prefill_latency";
    const Comparison comparison = one(row);
    ASSERT_EQ(comparison.why, "");
    EXPECT_DOUBLE_EQ(comparison.model_flop, forward_of_layers + forward_of_head / 1024);
}

/// A cell says whether a run fitted; without an optimizer it has no states of one.
TEST_F(ValidateTest, CellsAreComparedByTheirPeaks) {
    TruthRow row = small_row();
    row.metric = "out_of_memory";
    const Comparison whole = one(row);
    ASSERT_EQ(whole.why, "");
    EXPECT_TRUE(whole.is_cell());
    EXPECT_FALSE(whole.ran());
    EXPECT_TRUE(whole.fits());
    EXPECT_EQ(whole.predicted, whole.memory_peak);
    EXPECT_TRUE(std::isnan(whole.measured));
    source_.ends_with_gradients = "A100";
    EXPECT_LT(one(row).memory_peak, whole.memory_peak);
    source_.ends_with_gradients = "H100";
    EXPECT_EQ(one(row).memory_peak, whole.memory_peak);
}

TEST_F(ValidateTest, PredictionsHaveBars) {
    const Comparison comparison = one(small_row());
    EXPECT_LT(comparison.low, comparison.predicted);
    EXPECT_GT(comparison.high, comparison.predicted);
    EXPECT_EQ(comparison.is_inside(), comparison.low <= 1.0 && 1.0 <= comparison.high);
    EXPECT_EQ(comparison.model_template, "gpt");
    EXPECT_EQ(comparison.stack, "Megatron-LM 2021");
}

/// Experts have sizes of their own: a row is predicted by the model file that the source names for it.
TEST_F(ValidateTest, ModelsWithExpertsAreNamed) {
    TruthRow row = small_row();
    row.model = "mixtral";
    row.experts = "8";
    row.ep = 4;
    row.gpus = 16;
    row.tp = row.pp = 1;
    row.microbatch = 1;
    EXPECT_NE(one(row).why.find("no model is described for 'mixtral'"), std::string::npos) << one(row).why;
    source_.models = {{"mixtral", "mixtral_8x7b"}};
    const Comparison comparison = one(row);
    ASSERT_EQ(comparison.why, "");
    // Mixtral 8x7B: 12,879,925,248 parameters see a token, the embedding's and the norms' among them; causal
    // attention 32 layers · 2 products · s²/2 · 4096.
    constexpr double seen = 12879925248.0 - 32000.0 * 4096 - 65 * 4096.0;
    constexpr double attention = 16 * 32 * 2 * 2 * (1024.0 * 1024 / 2) * 4096;
    EXPECT_NEAR(comparison.model_flop, 3 * (tokens * 2 * seen + attention), 1e-3 * comparison.model_flop);
}

TEST_F(ValidateTest, MeasuredTimeFollowsFromRates) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    row.metric = "mfu";
    row.value = 40;
    const Comparison mfu = one(row);
    EXPECT_DOUBLE_EQ(mfu.measured, mfu.model_flop / (0.4 * mfu.peak_flop));
    row.metric = "model_tflops_per_gpu";
    row.value = 100;
    const Comparison model = one(row);
    EXPECT_DOUBLE_EQ(model.measured, model.model_flop / (100e12 * 8));
    source_.counts_recomputation = true;
    EXPECT_DOUBLE_EQ(one(row).measured, (model.model_flop + forward_of_layers) / (100e12 * 8))
        << "the layers ran forward twice";
}

/// Sixteen sequences of 1,024 tokens an iteration, on eight devices.
TEST_F(ValidateTest, MeasuredTimeFollowsFromValuesWithTheirUnits) {
    const auto measured = [&](const std::string& metric, double value, const std::string& unit) {
        TruthRow row = small_row();
        row.iteration_time.reset();
        row.metric = metric;
        row.value = value;
        row.unit = unit;
        const Comparison comparison = one(row);
        EXPECT_EQ(comparison.why, "") << metric;
        return comparison.measured;
    };
    EXPECT_DOUBLE_EQ(measured("iteration_time", 2, "s"), 2.0);
    EXPECT_DOUBLE_EQ(measured("step_time", 250, "ms/iter"), 0.25);
    EXPECT_DOUBLE_EQ(measured("tokens_per_s_per_gpu", 1024, ""), 2.0);
    EXPECT_DOUBLE_EQ(measured("tokens_per_s", 1024, "tokens/s/gpu"), 2.0);
    EXPECT_DOUBLE_EQ(measured("tokens_per_s", 1024, "tokens/s"), 16.0);
    EXPECT_DOUBLE_EQ(measured("samples_per_s", 4, ""), 4.0);
    EXPECT_DOUBLE_EQ(measured("MFU", 0.4, ""), measured("mfu", 40, "%"));
    EXPECT_DOUBLE_EQ(measured("TFLOPS per GPU", 100, ""), measured("model_tflops_per_gpu", 100, ""));
    EXPECT_GT(measured("mfu", 0.4, "%"), 50 * measured("mfu", 40, "%")) << "the unit is stated";
}

TEST_F(ValidateTest, NoRateExceedsThePeak) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    row.metric = "mfu";
    row.value = 1.2;
    row.unit = "share";
    EXPECT_EQ(one(row).why, "mfu: 120 % is more than the peak");
    row.unit = "%";
    EXPECT_TRUE(one(row).is_compared()) << "1.2 %";
    row.metric = "model_tflops_per_gpu";
    row.value = 5000;
    row.unit = "";
    EXPECT_EQ(one(row).why, "model_tflops_per_gpu: 5000 is more than the peak");
}

TEST_F(ValidateTest, ValuesWithoutATimeSayWhatIsMissing) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    EXPECT_EQ(one(row).why, "iteration_time in the unit '' (s or ms; column unit)");
    row.metric = "goodput";
    EXPECT_NE(one(row).why.find("no time follows from goodput (metrics: iteration_time"), std::string::npos)
        << one(row).why;
}

TEST_F(ValidateTest, NamesThatAreNotKnownAreRefusedWithTheNearest) {
    TruthRow row = small_row();
    row.chip = "A100-SXM4";
    EXPECT_EQ(one(row).why,
              "no machine is described for 'A100-SXM4' under source 'paper' (did you mean 'A100'?)");
    row.chip = "NVIDIA A100";
    EXPECT_EQ(one(row).why, "") << "the same words";
    EXPECT_EQ(one(row).row.chip, "A100");
    row.precision = "8-bit";
    EXPECT_NE(one(row).why.find("precision '8-bit' is not known (bf16, fp16"), std::string::npos)
        << one(row).why;
    row = small_row();
    row.layers.reset(), row.hidden.reset(), row.heads.reset();
    source_.models = {{"gpt-smart", ""}};
    EXPECT_EQ(
        one(row).why,
        "no model is described for 'gpt-small' under source 'paper' (did you mean 'gpt-smart'?), and the row "
        "states no sizes (columns layers, hidden, heads, …)");
    row = small_row();
    row.global_batch.reset();
    EXPECT_EQ(one(row).why, "global batch not stated (column gbs)");
    row = small_row();
    row.source = "a lab";
    EXPECT_NE(one(row).why.find("nothing is known of the software of source 'a lab' (describe it"),
              std::string::npos);
}

/// Spellings of nothing, of everything, and of the precision: the same prediction.
TEST_F(ValidateTest, OtherSpellingsAreUnderstood) {
    const auto predicted = [&](const std::string& recompute, const std::string& precision,
                               const std::string& zero) {
        TruthRow row = small_row();
        row.recompute = recompute;
        row.precision = precision;
        row.zero = zero;
        const Comparison comparison = one(row);
        EXPECT_EQ(comparison.why, "") << recompute << precision << zero;
        return comparison.predicted;
    };
    EXPECT_EQ(predicted("None", "float16", "ZeRO-1"), predicted("none", "fp16", "1"));
    EXPECT_EQ(predicted("-", "bfloat16", "FSDP"), predicted("none", "bf16", "3"));
    EXPECT_EQ(predicted("Full", "fp32", "none"), predicted("full", "float32", "0"));
    EXPECT_NE(predicted("full", "fp16", "3"), predicted("none", "fp16", "3"));
}

/// Two stages of two layers, of which one of each is made again: half of the additional FLOPs.
TEST_F(ValidateTest, CheckpointsMayBeAroundSomeLayers) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    row.metric = "achieved_tflops_per_gpu";
    row.value = 100;
    source_.counts_recomputation = true;
    const double all = one(row).measured;
    row.recompute = "full, 1 layers";
    const double some = one(row).measured;
    row.recompute = "none";
    EXPECT_NEAR(some, (all + one(row).measured) / 2, 1e-12);
}

/// One layer and the head on the second stage instead of two and the head.
TEST_F(ValidateTest, LayersOfStagesMayBeTheSources) {
    const auto predicted = [&](const char* layers) {
        source_.corrections = {{.match = "gpt-small", .stage_layers = layers}};
        return one(small_row()).predicted;
    };
    EXPECT_LT(predicted("3 1"), predicted("1 3")) << "the last stage has the head besides its layers";
}

/// Sixteen devices in two nodes of eight: states are sharded over eight devices, not over sixteen.
TEST_F(ValidateTest, HybridShardingIsWithinANode) {
    TruthRow row = small_row();
    row.gpus = 16;
    row.tp = row.pp = 1;
    row.microbatch = 1;
    row.metric = "params+grads+optimizer_per_gpu";
    row.unit = "GiB";
    row.zero = "fsdp";
    const double whole = one(row).predicted;
    row.zero = "hsdp";
    EXPECT_NEAR(one(row).predicted / whole, 2.0, 1e-6);
    row.zero = "4";
    EXPECT_NE(one(row).why.find("hsdp"), std::string::npos) << one(row).why;
}

/// ZeRO-1 keeps 12 of 16 bytes of a parameter as shards (fp32 moments and master copy; fp16 parameters and
/// gradients whole): over eight devices of a node 4 + 12/8 = 5.5 bytes, over all sixteen 4 + 12/16 = 4.75.
TEST_F(ValidateTest, OptimizerStatesAreShardedWithinANode) {
    TruthRow row = small_row();
    row.gpus = 16;
    row.tp = row.pp = 1;
    row.microbatch = 1;
    row.metric = "params+grads+optimizer_per_gpu";
    row.unit = "GiB";
    row.zero = "1";
    const double whole = one(row).predicted;
    row.zero = "1 in a node";
    EXPECT_GT(one(row).predicted / whole, 1.05);
    row.zero = "2 in a rack";
    EXPECT_NE(one(row).why.find("1 in a node"), std::string::npos) << one(row).why;
}

/// A policy that makes the MLP's first product again: 2 tokens · h · 4 h FLOPs a layer.
TEST_F(ValidateTest, PoliciesNameWhatIsMadeAgain) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    row.metric = "achieved_tflops_per_gpu";
    row.value = 100;
    row.recompute = "none";
    source_.counts_recomputation = true;
    const double nothing = one(row).measured;
    row.recompute = "custom (offload)";
    EXPECT_EQ(one(row).why,
              "which tensors recomputation policy 'custom (offload)' keeps is not known (none, selective, "
              "full, as in "
              "'full, 20 layers')");
    source_.recompute_tensors = {{"custom", "up act"}};
    row.recompute = "own";
    EXPECT_NE(one(row).why.find("of this source: custom)"), std::string::npos) << one(row).why;
    row.recompute = "Custom (offload)";
    constexpr double product = tokens * 4 * 2.0 * 4 * 1024 * 1024;
    EXPECT_NEAR(one(row).measured - nothing, product / (100e12 * 8), 1e-12);
}

/// The same tensors by the recipe of a model as by a policy of their name.
TEST_F(ValidateTest, RecipesOfModelsNameWhatIsMadeAgain) {
    TruthRow row = small_row();
    row.recompute = "custom";
    source_.recompute_tensors = {{"custom", "up act"}};
    const double custom = one(row).predicted;
    row.recompute = "per recipe";
    source_.recompute = "none";
    EXPECT_LT(one(row).predicted, custom);
    source_.recipes = {{"small", "up act"}};
    EXPECT_EQ(one(row).predicted, custom);
    source_.recipes = {{"large", "up act"}};
    EXPECT_LT(one(row).predicted, custom);
}

/// A misprinted row is the configuration that ran, so that its repeats count as such.
TEST_F(ValidateTest, CorrectionsAreOfTheConfiguration) {
    const TruthRow row = small_row();
    source_.corrections.emplace_back();
    source_.corrections.back().match = row.model;
    source_.corrections.back().microbatch = *row.microbatch * 2.0;
    const Comparison corrected = one(row);
    EXPECT_EQ(corrected.row.microbatch, *row.microbatch * 2.0);
    EXPECT_EQ(corrected.row.id, row.id);
}

/// What stands in brackets is about the optimizer's copy.
TEST_F(ValidateTest, ThePrecisionOfMasterCopiesIsNotThatOfProducts) {
    TruthRow row = small_row();
    row.precision = "bf16";
    const double predicted = one(row).predicted;
    row.precision = "bf16 (fp32 master)";
    EXPECT_EQ(one(row).predicted, predicted);
    row.precision = "fp32";
    EXPECT_NE(one(row).predicted, predicted);
}

TEST_F(ValidateTest, SaysWhetherARunFits) {
    Comparison comparison = one(small_row());
    EXPECT_TRUE(comparison.fits());
    EXPECT_GT(comparison.memory_peak, 1e9);
    EXPECT_EQ(comparison.memory_capacity, 79.25 * 1073741824.0) << "hardware/devices/a100_80_sxm.yaml";
    comparison.memory_peak = comparison.memory_capacity * 1.001;
    EXPECT_FALSE(comparison.fits());
}

/// Of 16 sequences on dp 2, four microbatches of two; as many as stages: two of four.
TEST_F(ValidateTest, PipelinesMayHaveAStackAndMicrobatchesOfTheirOwn) {
    TruthRow row = small_row();
    source_.microbatch_a_stage = true;
    const double two_of_four = one(row).predicted;
    source_.microbatch_a_stage = false;
    row.microbatch = 4;
    EXPECT_EQ(one(row).predicted, two_of_four);
    TruthRow without_stages = row;
    without_stages.pp = 1;
    const double usual = one(without_stages).predicted;
    source_.pipeline_stack = "mcore_2024";
    EXPECT_EQ(one(without_stages).predicted, usual);
    const double other = one(row).predicted;
    source_.stack = "mcore_2024";
    source_.pipeline_stack = "";
    EXPECT_EQ(one(row).predicted, other);
}

TEST_F(ValidateTest, ExcludedRowsSayWhy) {
    source_.excluded = {{"gpt-small", "too small"}};
    EXPECT_EQ(one(small_row()).why, "too small");
}

TEST_F(ValidateTest, RowsSetAsideArePredicted) {
    const double predicted = one(small_row()).predicted;
    source_.set_aside = {{"gpt-small", "half as fast as on twice the devices"}};
    const Comparison comparison = one(small_row());
    EXPECT_EQ(comparison.set_aside, "half as fast as on twice the devices");
    EXPECT_EQ(comparison.why, "");
    EXPECT_EQ(comparison.predicted, predicted);
}

TEST_F(ValidateTest, CountsBeyondAnyJobAreNotPredicted) {
    TruthRow row = small_row();
    row.pp = 1e23;
    EXPECT_EQ(one(row).why, "1e+23 is not a number of devices or sequences");
    row = small_row();
    row.global_batch = 1e300;
    EXPECT_EQ(one(row).why, "global batch: 1e+300 is too large");
}

TEST_F(ValidateTest, TimesThatAreNotAboveZeroAreNotMeasured) {
    TruthRow row = small_row();
    row.iteration_time = -1.0;
    EXPECT_FALSE(one(row).is_compared());
}

/// Two slices of four chips: gradients cross from one to the other outside of the domain.
TEST_F(ValidateTest, SlicesAreJoinedByTheSlowNetwork) {
    TruthRow row = small_row();
    row.tp = row.pp = 1;
    row.zero = "fsdp";
    const double whole = one(row).predicted;
    row.notes = "MFU 50 %; 1 slice(s) of 8 chips";
    EXPECT_EQ(one(row).predicted, whole);
    row.notes = "MFU 50 %; 2 slice(s) of 4 chips";
    const double two = one(row).predicted;
    EXPECT_GT(two, whole);
    row.notes = "2 slice(s); MFU 50 %";
    EXPECT_EQ(one(row).predicted, two);
    for (const char* other : {"3 slice(s)", "2 slice(s) of 8 chips", "16 slice(s)"}) {
        row.notes = other;
        EXPECT_NE(one(row).why.find("slices, which 8 devices"), std::string::npos) << other;
    }
    row.notes = "4 slice(s)";
    row.tp = 4;
    EXPECT_NE(one(row).why.find("in replicas of 4"), std::string::npos);
}

TEST_F(ValidateTest, MemoryIsComparedInBytes) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    row.metric = "peak_memory";
    row.value = 2;
    row.unit = "GiB/gpu";
    const Comparison comparison = one(row);
    EXPECT_TRUE(comparison.is_memory());
    EXPECT_EQ(comparison.measured, 2.0 * 1073741824.0);
    EXPECT_GT(comparison.predicted, 1e8);
    row.unit = "GB";
    EXPECT_EQ(one(row).measured, 2e9);
    row.unit = "furlongs";
    EXPECT_EQ(one(row).why, "a memory in the unit 'furlongs' (GiB, GB, MiB or MB; column unit)");
}

/// A device's peak is what it has throughout and what comes on top; closed forms of layers are no step.
TEST_F(ValidateTest, PartsOfMemoryAreComparedByTheirNames) {
    TruthRow row = small_row();
    row.iteration_time.reset();
    row.value = 2;
    row.unit = "GiB";
    const auto predicted = [&](const char* metric) {
        row.metric = metric;
        return one(row).predicted;
    };
    const double peak = predicted("peak_memory");
    const double states = predicted("params+grads+optimizer_per_gpu");
    EXPECT_LT(states, peak);
    EXPECT_LE(states + predicted("activation_per_gpu"), peak);
    EXPECT_EQ(predicted("peak_memory_upper_bound"), peak);
    EXPECT_TRUE(one(row).is_bound());
    row.metric = "activation_per_layer";
    EXPECT_EQ(one(row).why, "activation_per_layer: a closed form, not a training step");
}

/// A row that is not predicted says why, and stays.
TEST_F(ValidateTest, EveryRowHasAnAnswer) {
    struct Case {
        void (*change)(TruthRow&);
        const char* why;
    };
    const Case cases[]{
        {[](TruthRow& row) { row.experts = "8"; }, "mixture of experts"},
        {[](TruthRow& row) { row.kv_heads = 4; }, "heads share 4 of keys and values"},
        {[](TruthRow& row) { row.cp = 2; }, "attention unfused"},
        {[](TruthRow& row) { row.metric = "prefill_layer_time"; }, "not a training step"},
        {[](TruthRow& row) { row.metric = "time_to_train"; }, "convergence"},
        {[](TruthRow& row) { row.source = "other"; }, "nothing is known"},
        {[](TruthRow& row) { row.chip = "TPU"; }, "no machine is described for 'TPU'"},
        {[](TruthRow& row) { row.layers.reset(); }, "layers not stated"},
        {[](TruthRow& row) { row.vocab.reset(); }, "vocabulary not stated"},
        {[](TruthRow& row) { row.global_batch.reset(); }, "global batch not stated"},
        {[](TruthRow& row) { row.sequence.reset(); }, "sequence not stated"},
        {[](TruthRow& row) { row.gpus = 6; }, ""},
        {[](TruthRow& row) { row.gpus.reset(); }, "number of devices not stated"},
        {[](TruthRow& row) { row.misstated = "tp: 'x' is not a whole number above 0"; }, "tp: 'x' is not"},
        {[](TruthRow& row) { row.zero = "9"; }, "ZeRO stage '9' is not known"},
        {[](TruthRow& row) { row.recompute = "full, 0 layers"; }, "recomputation policy 'full, 0 layers'"},
        {[](TruthRow& row) { row.recompute = "full, 3 layer"; }, "recomputation policy 'full, 3 layer'"},
        {[](TruthRow& row) { row.precision = "posit8"; }, "precision 'posit8' is not known"},
        {[](TruthRow& row) { row.iteration_time.reset(); }, "iteration_time in the unit '' (s or ms"},
        {[](TruthRow& row) { row.iteration_time.reset(), row.metric = "mfu", row.value.reset(); },
         "value not stated"},
        {[](TruthRow& row) { row.precision = "fp8"; }, ""},
    };
    std::vector<TruthRow> rows;
    for (const Case& c : cases) {
        rows.push_back(small_row());
        c.change(rows.back());
    }
    const auto comparisons = validate(rows, {source_}, library_);
    ASSERT_EQ(comparisons.size(), std::size(cases));
    for (std::size_t i = 0; i < std::size(cases); ++i) {
        EXPECT_FALSE(comparisons[i].is_compared()) << i;
        EXPECT_NE(comparisons[i].why.find(cases[i].why), std::string::npos)
            << i << ": " << comparisons[i].why;
    }
}

TEST_F(ValidateTest, ReasonsBeginLongTexts) {
    const std::string text(70'000, 'q');
    for (std::string TruthRow::*field :
         {&TruthRow::chip, &TruthRow::source, &TruthRow::zero, &TruthRow::recompute, &TruthRow::precision}) {
        TruthRow row = small_row();
        row.*field = text;
        const std::string why = one(row).why;
        EXPECT_NE(why.find("qqq…"), std::string::npos) << why.substr(0, 200);
        EXPECT_LT(why.size(), 1000U);
    }
}

/// Facts of the row and of its source must reach the prediction.
TEST_F(ValidateTest, FactsMatter) {
    const double plain = one(small_row()).predicted;
    const auto with = [&](auto&& change) {
        TruthRow row = small_row();
        change(row);
        const Comparison comparison = one(row);
        EXPECT_EQ(comparison.why, "");
        return comparison.predicted;
    };
    EXPECT_LT(with([](TruthRow& row) { row.recompute = "none"; }), plain);
    EXPECT_LT(with([](TruthRow& row) { row.global_batch = 8; }), plain);
    EXPECT_LT(with([](TruthRow& row) { row.layers = 2; }), plain);
    EXPECT_NE(with([](TruthRow& row) { row.zero = "dist-opt"; }), plain);
    EXPECT_NE(with([](TruthRow& row) { row.virtual_stages = 2; }), plain);
    EXPECT_NE(with([](TruthRow& row) { row.sequence_parallel = 1; }), plain);
    EXPECT_GT(with([](TruthRow& row) { row.precision = "fp32"; }), plain);
    source_.stack = "megatron_2022";
    EXPECT_LT(one(small_row()).predicted, plain) << "products add to the gradients' buffer themselves";
    source_.stack = "mcore_2024";
    EXPECT_LT(one(small_row()).predicted, plain) << "overlap, flash attention";
}

/// The schedule of a source reaches rows with one virtual stage: deferred weight gradients fill a third of
/// 1F1B's bubble and more, and a virtual stage more is interleaved whatever the source says.
TEST_F(ValidateTest, ASourceStatesTheSchedule) {
    TruthRow row = small_row();
    row.pp = 4;
    row.global_batch = 8;
    const double plain = one(row).predicted;
    source_.schedule = "1f1b";
    EXPECT_EQ(one(row).predicted, plain);
    source_.schedule = "zb_h1";
    const double deferred = one(row).predicted;
    EXPECT_LT(deferred, plain);
    source_.schedule = "gpipe";
    EXPECT_NE(one(row).predicted, deferred);
}

TEST_F(ValidateTest, FilesOfASourceMustBeThere) {
    source_.stack = "megatron_2020";
    EXPECT_THROW(static_cast<void>(one(small_row())), InputError);
    source_.stack = "megatron_2021";
    source_.clusters["A100"] = "dgx_a100_hdr100";
    EXPECT_THROW(static_cast<void>(one(small_row())), InputError);
}

}  // namespace
}  // namespace dse::eval
