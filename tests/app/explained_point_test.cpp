#include "app/explained_point.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "dse/eval/load_sweep.hpp"
#include "dse/study/point_choice.hpp"
#include "dse/study/setting.hpp"

namespace dse::app {
namespace {

study::Sweep smoke(const std::vector<std::string>& texts) {
    std::vector<study::Setting> settings;
    for (const std::string& text : texts) settings.push_back(study::parse_setting(text));
    return eval::load_sweep(test::smoke_sweep(), settings);
}

TEST(ExplainedPoint, TellsWhyAndWhatABetterMachineBuys) {
    const study::Sweep sweep = smoke({"tp=4", "pp=2", "zero=1", "recompute=full", "schedule=1f1b"});
    const space::Point point = study::first_point(sweep).point;
    const ExplainedPoint explained{sweep, point, WhatIf::evaluated};
    ASSERT_NE(explained.played(), nullptr);
    EXPECT_EQ(explained.why_not_played(), "");
    EXPECT_EQ(explained.why().iteration_time, explained.explanation().record.metrics.iteration_time);
    EXPECT_FALSE(explained.json()["critical_path"].empty());
    EXPECT_FALSE(explained.json()["what_if"].empty());
    EXPECT_TRUE(ExplainedPoint(sweep, point, WhatIf::left_out).why().sensitivities.empty());
}

TEST(ExplainedPoint, OfAPointOutsideValidityHasNoWhy) {
    const study::Sweep sweep = smoke({"tp=4", "workload.cp=3"});
    const ExplainedPoint explained{sweep, study::first_point(sweep).point, WhatIf::evaluated};
    EXPECT_EQ(explained.played(), nullptr);
    EXPECT_EQ(explained.json()["status"], "outside_validity");
    EXPECT_FALSE(explained.json().contains("critical_path"));
}

}  // namespace
}  // namespace dse::app
