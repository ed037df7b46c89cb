#include "explore/exec/program_answer.hpp"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/space/space_text.hpp"

namespace dse::explore {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

std::shared_ptr<const space::Space> sample(const std::string& command = "[run]") {
    return space::parse_space(
        "axes: {n: [1, 2], x: [0.5, 1.5], on: [true, false], kind: [ring, tree]}\n"
        "exec: {command: " +
        command + ", metrics: {area: mm2, energy: J}}\n");
}

space::Record answered(std::string_view text) {
    space::Record record;
    record.status = space::Status::ok;
    take_answer(*sample(), text, record);
    return record;
}

TEST(ProgramAnswer, PointsAreLinesOfJson) {
    EXPECT_EQ(point_line(*sample(), {7, {2.0, 1.5, 1.0, 1.0}}),
              "{\"id\":7,\"values\":{\"n\":2,\"x\":1.5,\"on\":true,\"kind\":\"tree\"}}\n");
}

TEST(ProgramAnswer, PointsAreArguments) {
    const space::Point point{7, {2.0, 1.5, 0.0, 0.0}};
    EXPECT_THAT(point_command(*sample(), point),
                ElementsAre("run", "--n=2", "--x=1.5", "--on=false", "--kind=ring"));
    EXPECT_THAT(point_command(*sample("[run, '{kind}-{n}{n}', '{id}']"), point),
                ElementsAre("run", "ring-22", "7"));
}

TEST(ProgramAnswer, HoldsWhatItNames) {
    const space::Record record = answered("{\"energy\": 3, \"area\": 2.5}");
    EXPECT_EQ(record.status, space::Status::ok);
    EXPECT_EQ(record.metrics.energy, 3.0);
    EXPECT_THAT(record.more, ElementsAre(2.5));
    EXPECT_TRUE(std::isnan(answered("{\"energy\": 3, \"area\": null, \"status\": \"ok\"}").more[0]));
}

TEST(ProgramAnswer, MayBeARefusal) {
    const space::Record record = answered("{\"status\": \"out_of_memory\", \"reason\": \"too large\"}");
    EXPECT_EQ(record.status, space::Status::out_of_memory);
    EXPECT_EQ(record.reason, "too large");
    EXPECT_THAT(answered("{\"status\": \"fine\"}").reason, HasSubstr("none of ok"));
}

TEST(ProgramAnswer, ThatIsNoneIsAFailureThatSaysWhy) {
    for (const auto& [text, reason] : std::vector<std::pair<std::string, std::string>>{
             {"hello", "not a JSON object: 'hello'"},
             {"[1]", "not a JSON object"},
             {"{\"area\": NaN}", "not a JSON object"},
             {"{\"area\": 1}", "lacks 'energy'"},
             {"{\"area\": \"big\", \"energy\": 1}", "'area' is not a number"},
             {"{\"areas\": 1}", "did you mean 'area'"}}) {
        const space::Record record = answered(text);
        EXPECT_EQ(record.status, space::Status::failed) << text;
        EXPECT_THAT(record.reason, HasSubstr(reason)) << text;
        EXPECT_TRUE(record.more.empty());
    }
}

}  // namespace
}  // namespace dse::explore
