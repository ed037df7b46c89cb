#include "app/progress_display.hpp"

#include <chrono>
#include <limits>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::app {
namespace {

using testing::HasSubstr;
using testing::Not;

dist::Progress half_way() {
    dist::Progress progress;
    progress.total = 20'000;
    progress.covered = 2'000;
    progress.tally.indices = 8'000;
    progress.tally.rows = 4'000;
    progress.rate = 100.0;
    progress.eta_seconds = 100.0;
    progress.front_size = 23;
    return progress;
}

TEST(ProgressText, CountsPointsAndNotIndices) {
    // Half of the indices are points, so that 100 indices a second are 50 points a second.
    EXPECT_EQ(progress_text(half_way()), " 50.0 %  4,000 points  50/s  ETA 1 min 40 s  front 23");
}

TEST(ProgressText, OfASearchThatProvesSaysHowFarItIs) {
    dist::Progress progress = half_way();
    progress.seconds = 60.0;
    progress.proof = {0.0523, 5'600, 7'000, 0.25};
    EXPECT_EQ(progress_text(progress),
              "4,000 points  50/s  5,600 of 7,000 boxes settled, 25 % of the grid  epsilon 0.0523  front 23");
    progress.proof->epsilon = std::numeric_limits<double>::infinity();
    EXPECT_THAT(progress_text(progress),
                HasSubstr("25 % of the grid  no bound yet, ETA 3 min 0 s at this pace"));
    progress.proof->share = 0.0;
    EXPECT_THAT(progress_text(progress), HasSubstr("0 % of the grid  no bound yet  front 23"));
}

TEST(ProgressText, NamesWhatWentWrong) {
    dist::Progress progress = half_way();
    progress.tally.failures = 3;
    progress.lost = 1;
    EXPECT_THAT(progress_text(progress), HasSubstr("3 failed  1 ranks lost"));
}

TEST(ProgressText, DoesNotPassTheEnd) {
    dist::Progress progress = half_way();
    progress.tally.indices = 30'000;  // a lost worker's indices are evaluated twice
    progress.eta_seconds = std::numeric_limits<double>::quiet_NaN();
    EXPECT_THAT(progress_text(progress), HasSubstr("100.0 %"));
    EXPECT_THAT(progress_text(progress), HasSubstr("ETA ?"));
}

TEST(ProgressDisplay, WritesOverItsLineAndLeavesItClean) {
    testing::internal::CaptureStderr();
    {
        ProgressDisplay display{ProgressStyle::line, Logger{}};
        std::this_thread::sleep_for(std::chrono::milliseconds{210});
        display.show(half_way());
        display.show([]() -> std::string { return "sooner than anybody reads"; });
    }
    const std::string text = testing::internal::GetCapturedStderr();
    EXPECT_THAT(text, HasSubstr("50.0 %"));
    EXPECT_THAT(text, Not(HasSubstr("sooner")));
    EXPECT_EQ(text.find('\n'), std::string::npos);
    EXPECT_TRUE(text.ends_with("\r\x1b[K"));
}

TEST(ProgressDisplay, SaysNothingWhenToldSo) {
    testing::internal::CaptureStderr();
    ProgressDisplay{ProgressStyle::none, Logger{LogLevel::info}}.show(half_way());
    EXPECT_EQ(testing::internal::GetCapturedStderr(), "");
}

}  // namespace
}  // namespace dse::app
