#include "app/step_errors.hpp"

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

/// A step of 1 s on a chip, predicted as 1.1 s.
eval::Comparison step(const std::string& id, const std::string& chip) {
    eval::Comparison each;
    each.row.id = id;
    each.row.model = "m";
    each.row.source = "a paper";
    each.row.chip = chip;
    each.row.weight = 1.0;
    each.predicted = 1.1;
    each.measured = 1.0;
    each.model_flop = 1.0;
    each.peak_flop = 2.0;
    each.memory_capacity = 1.0;
    return each;
}

std::string printed(const std::vector<eval::Comparison>& comparisons) {
    ::testing::internal::CaptureStdout();
    print_steps(comparisons, eval::summarize(comparisons));
    return ::testing::internal::GetCapturedStdout();
}

TEST(StepErrors, StateWhatTheRowsOfASummaryShare) {
    const std::vector comparisons{step("a", "A"), step("b", "B")};
    Json json = step_rows_json(comparisons);
    ASSERT_EQ(json["rows"].size(), 2U);
    EXPECT_NEAR(json["rows"][0]["error"].get<double>(), 0.1, 1e-12);
    add_step_summaries(comparisons, eval::summarize(comparisons), json);
    std::string groupings;
    for (const Json& summary : json["summary"])
        groupings += summary["name"].get<std::string>() + " by " + summary["by"].get<std::string>() + "; ";
    EXPECT_EQ(groupings, "a paper by source; A by chip; B by chip; all by kind; ");
    EXPECT_EQ(json["memory"]["ran"], 2);
}

/// Layouts a to c of one model with narrow bars: a and b, and a and c, differ surely; b as measured does not.
TEST(StepErrors, SayWhichPairsAreTheOtherWayRound) {
    const auto layout = [](const std::string& id, double tp, double predicted, double measured) {
        eval::Comparison each = step(id, "A");
        each.row.tp = tp;
        each.predicted = predicted;
        each.measured = measured;
        each.low = 0.99 * predicted;
        each.high = 1.01 * predicted;
        return each;
    };
    EXPECT_THAT(
        printed({layout("a", 1, 1.0, 1.0), layout("b", 2, 1.1, 0.95), layout("c", 4, 2.0, 2.0)}),
        AllOf(HasSubstr("\nPredicted to differ by more than the error bars of both: 3 pairs; measured the "
                        "other way round: 1, by up to 5.3 %: b/a\n"),
              Not(HasSubstr("Pairs predicted the other way round"))));
    EXPECT_THAT(printed({layout("a", 1, 1.0, 1.0), layout("c", 4, 2.0, 2.0)}),
                HasSubstr("\nPredicted to differ by more than the error bars of both: 1 pair; measured the "
                          "other way round: none\n"));
}

TEST(StepErrors, SayWhyRowsAreNotPredicted) {
    eval::Comparison unknown = step("b", "B");
    unknown.why = "no machine is described for 'B'";
    eval::Comparison without = step("c", "C");
    without.why = "global batch not stated (column gbs)";
    EXPECT_THAT(printed({step("a", "A"), without, unknown, unknown}),
                HasSubstr("Of 4 rows, 3 are not predicted:\n     2  no machine is described for 'B'\n"
                          "     1  global batch not stated (column gbs)\n"));
    EXPECT_THAT(printed({unknown}),
                HasSubstr("No row can be compared with a prediction.\nOf 1 rows, 1 are not"));
    EXPECT_THAT(printed({step("a", "A")}), Not(HasSubstr("not predicted")));
}

TEST(StepErrors, SayWhichRowsAreSetAside) {
    eval::Comparison aside = step("b", "B");
    aside.set_aside = "half as fast as on twice the devices";
    const std::string text = printed({step("a", "A"), aside});
    EXPECT_THAT(text, HasSubstr("Of 2 rows, 1 are set aside:\n"
                                "     1  half as fast as on twice the devices\n"));
    EXPECT_THAT(text, AllOf(HasSubstr("all, and those set aside"), Not(HasSubstr("not predicted"))));
    EXPECT_EQ(step_rows_json({aside})["rows"][0]["set_aside"], aside.set_aside);
}

TEST(StepErrors, AreATablePerGrouping) {
    const std::string text = printed({step("a", "A"), step("b", "B")});
    EXPECT_THAT(text, AllOf(HasSubstr("by source"), HasSubstr("by chip"), HasSubstr("by kind of model"),
                            HasSubstr("half-width"), HasSubstr("constant MFU")));
    EXPECT_THAT(text, Not(HasSubstr("prompts, by chip"))) << "there are none";
    std::istringstream lines(text);
    std::size_t widest = 0;
    for (std::string line; std::getline(lines, line);) widest = std::max(widest, line.size());
    EXPECT_LE(widest, 110U);
}

}  // namespace
}  // namespace dse::app
