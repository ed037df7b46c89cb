// Also tests: commands/answer.cpp
#include "app/point_lines.hpp"

#include <iostream>
#include <sstream>

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "app/run_app.hpp"
#include "app/sweep_options.hpp"
#include "dse/base/error.hpp"
#include "support/temporary_folder.hpp"

namespace dse::app {
namespace {

using test::run_app;
using test::tiny_sweep;
using testing::HasSubstr;

/// What read_point refuses a line with.
std::string refusal(const space::Space& space, const std::string& line) {
    space::Point point;
    try {
        return "taken: " + read_point(space, line, point);
    } catch (const InputError& error) {
        return error.what();
    }
}

class PointLines : public ::testing::Test {
  protected:
    dse::test::TemporaryFolder folder_;
    study::Sweep sweep_ =
        load({folder_.write("tiny.yaml", tiny_sweep("axes:\n"
                                                    "  tp: [4, 1, 2]\n"
                                                    "  schedule: [1f1b, interleaved]\n"
                                                    "  virtual_stages: {when: schedule == 'interleaved', "
                                                    "values: [2, 5]}\n"
                                                    "  microbatch: [1]\n"
                                                    "derive: {twice: 2 * tp}\n"
                                                    "require: [tp < 4 or schedule == '1f1b']\n")),
              {}});
    const space::Space& space_ = *sweep_.space;
};

TEST_F(PointLines, AreValuesOfAxes) {
    space::Point point;
    EXPECT_EQ(
        read_point(
            space_,
            R"({"id": 9, "values": {"workload.tp": 2, "schedule": "interleaved", "virtual_stages": 5, "twice": 0}})",
            point),
        "");
    EXPECT_EQ(point.values[0], 2.0);
    EXPECT_EQ(point.values[2], 5.0);
    EXPECT_EQ(point.values[3], 1.0) << "the only value that there is";
    EXPECT_EQ(point.values[4], 4.0) << "derived, whatever is said";
    EXPECT_EQ(point.id, (2U * 2 + 1) * 2 + 1);
}

TEST_F(PointLines, OnAnIdleAxisAreAnything) {
    space::Point point;
    for (const char* value : {"null", "5", "2"}) {
        const std::string line =
            fmt::format(R"({{"values": {{"tp": 2, "schedule": "1f1b", "virtual_stages": {}}}}})", value);
        EXPECT_EQ(read_point(space_, line, point), "") << value;
        EXPECT_EQ(point.values[2], 1.0) << value;
    }
}

/// They would be answered as if they had been set.
TEST_F(PointLines, SetNothingThatIsNoAxis) {
    const std::string start = R"({"values": {"tp": 1, "schedule": "1f1b", "virtual_stages": null)";
    EXPECT_EQ(refusal(space_, start + R"(, "zero": 3}})"),
              "no axis is called 'zero' (known: tp, schedule, virtual_stages, microbatch)");
    EXPECT_EQ(refusal(space_, start + R"(, "microbach": 1}})"),
              "no axis is called 'microbach' (did you mean 'microbatch'?)");
    EXPECT_EQ(refusal(space_, R"({"values": {"tp": true, "schedule": "1f1b", "virtual_stages": null}})"),
              "axis 'tp' has no value true");
}

TEST_F(PointLines, OutsideOfTheSpaceSayWhy) {
    space::Point point;
    EXPECT_THAT(
        read_point(space_, R"({"values": {"tp": 4, "schedule": "interleaved", "virtual_stages": 5}})", point),
        HasSubstr("not in the space: tp < 4"));
}

TEST_F(PointLines, RefuseWhatIsNoPoint) {
    EXPECT_THAT(refusal(space_, "tp = 4"), HasSubstr("a point is {\"values\""));
    EXPECT_THAT(refusal(space_, R"({"tp": 4})"), HasSubstr("a point is {\"values\""));
    EXPECT_THAT(refusal(space_, R"({"values": {"tp": 4}})"), HasSubstr("the axis 'schedule' has no value"));
    EXPECT_THAT(refusal(space_, R"({"values": {"tp": 3, "schedule": "1f1b"}})"),
                HasSubstr("axis 'tp' has no value 3"));
    EXPECT_THAT(refusal(space_, R"({"values": {"tp": 4, "schedule": 0}})"),
                HasSubstr("axis 'schedule' has no value 0"));
    EXPECT_THAT(
        refusal(space_, R"({"values": {"tp": 1, "schedule": "interleaved", "virtual_stages": null}})"),
        HasSubstr("'virtual_stages' has no value, and is not idle"));
}

TEST(Answer, IsThatOfTheRun) {
    const dse::test::TemporaryFolder folder;
    const std::string sweep = folder.write(
        "tiny.yaml", tiny_sweep("axes: {tp: [1, 2, 8], zero: [0, 3]}\nrequire: [tp < 8 or zero == 0]\n"));
    std::istringstream lines{
        "{\"values\": {\"tp\": 2, \"zero\": 3}}\n{\"values\": {\"tp\": 8, \"zero\": 3}}\nnothing\n"};
    std::streambuf* const own = std::cin.rdbuf(lines.rdbuf());
    const auto outcome = run_app({"answer", sweep, "--metrics", "iteration_time,memory_peak"});
    std::cin.rdbuf(own);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    std::istringstream answers{outcome.out};
    std::string line;
    std::getline(answers, line);
    const auto answer = nlohmann::json::parse(line);
    const auto point = run_app({"point", sweep, "--set", "tp=2", "--set", "zero=3", "--json"}).json();
    EXPECT_EQ(answer["status"], point["status"]);
    EXPECT_EQ(answer["iteration_time"], point["metrics"]["iteration_time"]);
    EXPECT_EQ(answer.size(), 3U);
    std::getline(answers, line);
    EXPECT_THAT(line, HasSubstr("outside_validity"));
    EXPECT_THAT(line, HasSubstr("not in the space"));
    std::getline(answers, line);
    EXPECT_THAT(line, HasSubstr("\"status\":\"failed\""));
    EXPECT_EQ(run_app({"answer", sweep, "--metrics", "iteration_tim"}).code, 2);
}

}  // namespace
}  // namespace dse::app
