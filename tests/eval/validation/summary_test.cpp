#include <cmath>
#include <map>

#include <gtest/gtest.h>

#include "dse/eval/validation/validate.hpp"

namespace dse::eval {
namespace {

/// A row of a model of its own, so that no two are the same configuration.
Comparison row(double predicted, double measured, double mfu = 0.5, const std::string& chip = "A",
               const std::string& source = "s") {
    static int number = 0;
    Comparison comparison;
    comparison.row.model = std::to_string(++number);
    comparison.row.chip = chip;
    comparison.row.source = source;
    comparison.row.metric = "mfu";
    comparison.predicted = predicted;
    comparison.measured = measured;
    comparison.peak_flop = 100.0;
    comparison.model_flop = mfu * comparison.peak_flop * measured;
    return comparison;
}

/// Errors +10 %, -10 %, +30 %. Shares of the peak .4, .5, .4: with .4 the errors are 0, 25 %, 0.
TEST(Summarize, ThreeRows) {
    const auto all = summarize({row(1.1, 1.0, 0.4), row(1.8, 2.0, 0.5), row(3.9, 3.0, 0.4)}).back();
    EXPECT_EQ(all.name, "all");
    EXPECT_EQ(all.rows, 3U);
    EXPECT_NEAR(all.mean_absolute, 0.5 / 3, 1e-12);
    EXPECT_NEAR(all.median_absolute, 0.1, 1e-12);
    EXPECT_NEAR(all.bias, 0.1, 1e-12);
    EXPECT_NEAR(all.rank_correlation, 1.0, 1e-12);
    EXPECT_NEAR(all.constant_mfu, 0.25 / 3, 1e-12);
    EXPECT_NEAR(all.constant_mfu_by_chip, 0.25 / 3, 1e-12);
}

/// A forward pass has a line of its own, by chip, below those of training steps.
TEST(Summarize, ForwardPassesStandApart) {
    Comparison prompt = row(1.5, 1.0, 0.5, "L");
    prompt.row.metric = "prefill_latency";
    const auto summaries = summarize({row(1.1, 1.0), prompt, row(0.9, 1.0)});
    EXPECT_EQ(summaries.back().name, "prefill, L");
    EXPECT_EQ(summaries.back().rows, 1U);
    EXPECT_NEAR(summaries.back().bias, 0.5, 1e-12);
    const auto& all = summaries[summaries.size() - 2];
    EXPECT_EQ(all.name, "all");
    EXPECT_EQ(all.rows, 2U);
    EXPECT_NEAR(all.mean_absolute, 0.1, 1e-12);
}

/// Predicted 1, 1, 2 have ranks .5, .5, 2; measured 0, 1, 2. About their mean 1: Σxy = 1.5, Σxx = 1.5, Σyy
/// = 2.
TEST(Summarize, RankCorrelationWithTies) {
    EXPECT_NEAR(summarize({row(1, 1), row(1, 2), row(2, 3)}).back().rank_correlation, 1.5 / std::sqrt(3.0),
                1e-12);
    EXPECT_NEAR(summarize({row(3, 1), row(2, 2), row(1, 3)}).back().rank_correlation, -1.0, 1e-12);
    EXPECT_TRUE(std::isnan(summarize({row(1, 1), row(2, 2)}).back().rank_correlation)) << "of two rows";
}

/// Layouts of one model on eight devices: 1,000 tokens a step.
Comparison layout(double predicted, double measured, double tp, const std::string& model = "m") {
    Comparison comparison = row(predicted, measured);
    comparison.row.id = model + std::to_string(static_cast<int>(tp));
    comparison.row.model = model;
    comparison.row.tp = tp;
    comparison.row.gpus = 8;
    comparison.row.global_batch = 10;
    comparison.row.sequence = 100;
    return comparison;
}

/// Measured 1.0, 1.1, 1.5: two pairs differ by more than 15 %, and one of them is predicted the other way
/// round.
TEST(Summarize, PairsPredictedTheOtherWayRound) {
    const auto all = summarize({layout(1.0, 1.0, 1), layout(1.4, 1.1, 2), layout(1.3, 1.5, 4)}).back();
    EXPECT_EQ(all.pairs, 2U);
    ASSERT_EQ(all.reversed.size(), 1U);
    EXPECT_EQ(all.reversed[0], std::pair(std::string{"m4"}, std::string{"m2"}));
}

/// Bars of ±20 % each make those of a ratio 1.2^√2 = 1.294: 1.0 and 1.3 differ surely, 1.0 and 1.25 do not.
/// The sure pairs are 1.0 with 1.3 and with 1.4; the first of them was measured the other way round, by 5 %.
TEST(Summarize, PairsThatDifferSurely) {
    const auto barred = [](double predicted, double measured, double tp) {
        Comparison comparison = layout(predicted, measured, tp);
        comparison.low = predicted / 1.2;
        comparison.high = predicted * 1.2;
        return comparison;
    };
    const std::vector rows{barred(1.0, 1.05, 1), barred(1.25, 1.0, 2), barred(1.3, 1.0, 4),
                           barred(1.4, 1.4, 8)};
    const auto all = summarize(rows).back();
    EXPECT_EQ(all.sure, 2U);
    ASSERT_EQ(all.sure_reversed.size(), 1U);
    EXPECT_EQ(all.sure_reversed[0], std::pair(std::string{"m4"}, std::string{"m1"}));
    EXPECT_NEAR(all.largest_reversed, 0.05, 1e-12);
    EXPECT_EQ(summarize({layout(1.0, 1.0, 1), layout(9.0, 9.0, 2)}).back().sure, 0U) << "no bars";
    // What takes twice as long as predicted surely takes longer than what is predicted a quarter longer.
    Comparison longer = barred(1.0, 2.1, 1);
    longer.low *= 2.0;
    longer.high *= 2.0;
    const auto apart = summarize({longer, barred(1.25, 1.2, 2)}).back();
    EXPECT_EQ(apart.sure, 1U);
    EXPECT_TRUE(apart.sure_reversed.empty());
}

/// Models are not compared with one another, nor a configuration with its repeats, nor equal ones.
TEST(Summarize, PairsAreOfOneModel) {
    EXPECT_EQ(summarize({layout(2.0, 1.0, 1), layout(1.0, 2.0, 1, "n")}).back().pairs, 0U);
    EXPECT_EQ(summarize({layout(2.0, 1.0, 1), layout(1.0, 2.0, 1)}).back().pairs, 0U);
    // Twice the batch in twice the time is the same.
    Comparison larger = layout(1.0, 2.0, 2);
    larger.row.global_batch = 20;
    EXPECT_EQ(summarize({layout(1.0, 1.0, 1), larger}).back().pairs, 0U);
}

/// Errors +10 % and -10 % of calibration rows, -20 and +20 % left out; +30 % of the other.
TEST(Summarize, CalibrationAndValidationRowsStandApart) {
    std::vector<Comparison> rows{row(1.1, 1.0), row(0.9, 1.0), row(1.3, 1.0), row(1.0, 1.0)};
    for (std::size_t i = 0; i < 2; ++i) rows[i].is_calibration = true;
    rows[0].left_out = -0.2;
    rows[1].left_out = 0.2;
    rows[3].row.experts = "8";
    rows[0].constants = {"a.in_training", "a.skew"};
    rows[1].constants = {"a.in_training"};
    std::map<std::string, ErrorSummary> found;
    for (const ErrorSummary& summary : summarize(rows)) found[summary.name] = summary;
    EXPECT_NEAR(found.at("dense models, calibration").mean_absolute, 0.1, 1e-12);
    EXPECT_EQ(found.at("dense models, left out").rows, 2U);
    EXPECT_NEAR(found.at("dense models, left out").mean_absolute, 0.2, 1e-12);
    EXPECT_NEAR(found.at("dense models, validation").mean_absolute, 0.3, 1e-12);
    EXPECT_FALSE(found.contains("mixtures of experts, calibration"));
    EXPECT_EQ(found.at("dense models").constants, 2U) << "each counts once";
    EXPECT_EQ(found.at("dense models, validation").constants, 0U);
    EXPECT_EQ(found.at("all").constants, 2U);
}

/// Chip A at .4, .4, .5, chip B at .8: one constant is wrong for one of them, each chip's own only for one
/// row.
TEST(Summarize, ConstantByChip) {
    const auto all = summarize({row(1, 1, 0.4), row(1, 1, 0.4), row(1, 1, 0.5), row(1, 1, 0.8, "B")}).back();
    // With .4: 0, 0, 25 %, 100 %; with .5: 20 %, 20 %, 0, 60 %: the mean is 25 %; with .8: 50, 50, 37.5, 0 %.
    EXPECT_NEAR(all.constant_mfu, 0.25, 1e-12);
    EXPECT_NEAR(all.constant_mfu_by_chip, 0.25 / 4, 1e-12);
}

/// Nine errors of 10 % and one of 50 %: nine tenths stay within 10 %; with two of 50 %, within 50.
TEST(Summarize, NineTenthsStayWithin) {
    std::vector<Comparison> rows;
    for (int i = 0; i < 9; ++i) rows.push_back(row(1.1, 1));
    rows.push_back(row(1.5, 1));
    EXPECT_NEAR(summarize(rows).back().ninetieth, 0.1, 1e-12);
    rows.back() = row(1.5, 1);
    rows.front() = row(0.5, 1);
    EXPECT_NEAR(summarize(rows).back().ninetieth, 0.5, 1e-12);
}

TEST(Summarize, ExpertsAndDenseModelsAreFamilies) {
    Comparison experts = row(1.3, 1);
    experts.row.experts = "8";
    const auto summaries = summarize({row(1.1, 1), experts, row(1.2, 1)});
    ASSERT_EQ(summaries.size(), 4U);
    EXPECT_EQ(summaries[1].name, "dense models");
    EXPECT_NEAR(summaries[1].mean_absolute, 0.15, 1e-12);
    EXPECT_EQ(summaries[2].name, "mixtures of experts");
    EXPECT_NEAR(summaries[2].bias, 0.3, 1e-12);
    EXPECT_EQ(summaries[3].rows, 3U);
}

TEST(Summarize, BySourceAndAllTogether) {
    const auto summaries =
        summarize({row(1.1, 1, 0.5, "A", "b"), row(1.3, 1, 0.5, "A", "a"), row(1.1, 1, 0.5, "A", "a")});
    ASSERT_EQ(summaries.size(), 3U);
    EXPECT_EQ(summaries[0].name, "a");
    EXPECT_EQ(summaries[0].rows, 2U);
    EXPECT_NEAR(summaries[0].mean_absolute, 0.2, 1e-12);
    EXPECT_NEAR(summaries[1].mean_absolute, 0.1, 1e-12);
    EXPECT_NEAR(summaries[2].mean_absolute, 0.5 / 3, 1e-12);
}

/// Two releases of one configuration count as one row, weights as they say.
TEST(Summarize, RepeatsShareAWeight) {
    Comparison again = row(1.3, 1.0);
    Comparison first = again;
    first.predicted = 1.1;
    Comparison heavy = row(1.4, 1.0);
    heavy.row.weight = 2.0;
    const auto all = summarize({first, again, heavy}).back();
    EXPECT_EQ(all.rows, 3U);
    EXPECT_EQ(shared_weights({first, again, heavy}), (std::vector<double>{0.5, 0.5, 2.0}));
    // (½ · 10 % + ½ · 30 % + 2 · 40 %) / 3
    EXPECT_NEAR(all.mean_absolute, 1.0 / 3, 1e-12);
    EXPECT_NEAR(all.median_absolute, 0.4, 1e-12);
}

/// Experts that are spread in another way are another configuration; rows that are not compared share
/// nothing.
TEST(Summarize, OnlyRepeatsShareAWeight) {
    Comparison first = row(1.1, 1.0);
    first.row.ep = 8;
    Comparison wider = first;
    wider.row.ep = 16;
    Comparison missing = first;
    missing.why = "not covered";
    EXPECT_EQ(shared_weights({first, wider, missing}), (std::vector<double>{1.0, 1.0, 1.0}));
}

TEST(Summarize, LeavesOutWhatIsNotCompared) {
    Comparison missing = row(2, 1);
    missing.why = "not covered";
    Comparison weightless = row(2, 1);
    weightless.row.weight = 0.0;
    const auto all = summarize({missing, weightless, row(1.5, 1)}).back();
    EXPECT_EQ(all.rows, 1U);
    EXPECT_NEAR(all.mean_absolute, 0.5, 1e-12);
}

/// Errors of memory are none of time, and an upper bound has none.
/// Errors +10 and -10 %; the row set aside has -50 % and is the only one that is predicted faster than
/// another that it is slower than.
TEST(Summarize, RowsSetAsideCountInSummariesOfTheirOwn) {
    Comparison aside = layout(1.5, 3.0, 4.0);
    aside.set_aside = "half as fast as on twice the devices";
    const std::vector<Comparison> rows{layout(1.1, 1.0, 1.0), layout(1.8, 2.0, 2.0), aside};
    EXPECT_EQ(shared_weights(rows), (std::vector{1.0, 1.0, 0.0}));
    const auto summaries = summarize(rows);
    ASSERT_GE(summaries.size(), 3U);
    const ErrorSummary& all = summaries[summaries.size() - 3];
    EXPECT_EQ(all.name, "all");
    EXPECT_EQ(all.rows, 2U);
    EXPECT_NEAR(all.bias, 0.0, 1e-12);
    EXPECT_TRUE(all.reversed.empty());
    const ErrorSummary& alone = summaries[summaries.size() - 2];
    EXPECT_EQ(alone.name, "set aside");
    EXPECT_EQ(alone.rows, 1U);
    EXPECT_NEAR(alone.mean_absolute, 0.5, 1e-12);
    const ErrorSummary& together = summaries.back();
    EXPECT_EQ(together.name, "all, and those set aside");
    EXPECT_EQ(together.rows, 3U);
    EXPECT_NEAR(together.mean_absolute, 0.7 / 3, 1e-12);
    EXPECT_EQ(together.pairs, 3U);
    EXPECT_EQ(together.reversed.size(), 1U);
}

TEST(Summarize, MemoryApart) {
    const auto memory = [](const char* metric, double predicted) {
        Comparison comparison = row(predicted, 1);
        comparison.row.metric = metric;
        return comparison;
    };
    const auto summaries =
        summarize({row(1.5, 1), memory("peak_memory", 1.1), memory("peak_memory_upper_bound", 0.2),
                   memory("activation_per_gpu", 0.8), memory("peak_memory", 0.9)});
    ASSERT_EQ(summaries.size(), 4U) << "its source, all of it, activations and peaks";
    EXPECT_EQ(summaries[1].name, "all");
    EXPECT_EQ(summaries[1].rows, 1U);
    EXPECT_EQ(summaries[2].name, "activations");
    EXPECT_NEAR(summaries[2].bias, -0.2, 1e-12);
    EXPECT_EQ(summaries[3].name, "peaks");
    EXPECT_EQ(summaries[3].rows, 2U);
    EXPECT_NEAR(summaries[3].mean_absolute, 0.1, 1e-12);
    EXPECT_NEAR(summaries[3].bias, 0.0, 1e-12);
}

/// Bars of ±0.2 about 1, 1 and 2: 1.1 and 1.9 lie between them, 1.5 does not.
TEST(Summarize, HowManyLieBetweenTheirBars) {
    std::vector<Comparison> rows{row(1, 1.1), row(1, 1.5), row(2, 1.9), row(1, 1)};
    for (std::size_t i = 0; i < 3; ++i) {
        rows[i].low = rows[i].predicted - 0.2;
        rows[i].high = rows[i].predicted + 0.2;
    }
    const auto all = summarize(rows).back();
    EXPECT_NEAR(all.inside, 2.0 / 3, 1e-12) << "the fourth has no bars";
    EXPECT_NEAR(all.median_width, 0.2, 1e-12) << "of 0.2, 0.2 and 0.1";
}

TEST(Summarize, ChipsWhereThereAreSeveral) {
    const auto summaries = summarize({row(1.1, 1), row(1.3, 1, 0.5, "B")});
    ASSERT_EQ(summaries.size(), 4U);
    EXPECT_EQ(summaries[1].name, "A");
    EXPECT_NEAR(summaries[2].bias, 0.3, 1e-12);
}

TEST(Summarize, NothingToCompare) {
    const auto summaries = summarize({});
    ASSERT_EQ(summaries.size(), 1U);
    EXPECT_EQ(summaries[0].rows, 0U);
    EXPECT_TRUE(std::isnan(summaries[0].mean_absolute));
}

}  // namespace
}  // namespace dse::eval
