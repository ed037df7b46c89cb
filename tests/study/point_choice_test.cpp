#include "dse/study/point_choice.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "study/sweeps.hpp"
#include "support/error_message.hpp"

namespace dse::study {
namespace {

using test::SweepFiles;
using testing::AllOf;
using testing::HasSubstr;

class PointChoiceTest : public testing::Test {
  protected:
    SweepFiles files_;
};

TEST_F(PointChoiceTest, IsTheFirstThatIsValid) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes: {tp: [1, 2, 4], pp: 2, zero: [0, 1]}\nrequire: [tp > 1]\n"));
    const PointChoice choice = first_point(sweep);
    EXPECT_EQ(choice.point.values, (std::vector<double>{2, 2, 0}));
    EXPECT_EQ(choice.open, (std::vector<std::size_t>{0, 2})) << "pp has one value";
    EXPECT_EQ(describe(*sweep.space, choice.point), "tp=2 pp=2 zero=0");
}

TEST_F(PointChoiceTest, IsTheFirstThatIsAcceptedOrElseTheFirst) {
    const Sweep sweep = files_.load(SweepFiles::llama("axes: {tp: [1, 2, 4], pp: [1, 2]}\n"));
    const auto is_wide = [](const space::Point& point) { return point.values[0] > 1; };
    EXPECT_EQ(describe(*sweep.space, first_point(sweep, is_wide).point), "tp=2 pp=1");
    const auto never = [](const space::Point&) { return false; };
    EXPECT_EQ(describe(*sweep.space, first_point(sweep, never).point), "tp=1 pp=1");
}

TEST_F(PointChoiceTest, IsTheFirstOfASearchWithoutAGrid) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes: {scale_out.bandwidth: {from: 100 Gbps, to: 400 Gbps}}\n"
                                      "search: {method: random, budget: 4, seed: 3}\n"));
    const PointChoice choice = first_point(sweep);
    EXPECT_EQ(choice.point.id, 0U);
    EXPECT_EQ(choice.open, std::vector<std::size_t>{0});
    EXPECT_GE(choice.point.values.at(0), 12.5e9);
    EXPECT_LE(choice.point.values.at(0), 50e9);
}

TEST_F(PointChoiceTest, AnEmptySpaceSaysWhatDropsItsPoints) {
    const Sweep sweep = files_.load(SweepFiles::llama("axes: {tp: [1, 2]}\nrequire: [tp > 1, tp < 2]\n"));
    EXPECT_THAT(test::error_message<InputError>([&] { first_point(sweep); }),
                AllOf(HasSubstr("no point of the space has these values; of 2 in the grid"),
                      HasSubstr("tp > 1 drops 1"), HasSubstr("tp < 2 drops 1")));
}

TEST_F(PointChoiceTest, ASpaceTooLargeToWalkThatSeemsToBeEmptySaysSo) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes: {a: {from: 1, to: 1000000000}, b: {from: 1, to: "
                                      "1000000000}}\nrequire: [a + b > 3000000000]\n"));
    EXPECT_THAT(test::error_message<InputError>([&] { first_point(sweep); }),
                AllOf(HasSubstr("no point of the space has these values, as far as its first 100,000,000"),
                      HasSubstr("a + b > 3000000000 drops")));
}

TEST_F(PointChoiceTest, ValuesOfAnAxisAreWrittenAsSettings) {
    const Sweep sweep = files_.load(
        SweepFiles::llama("axes: {recompute: [none, full], scale_out.bandwidth: [100 Gbps, 400 Gbps]}\n"));
    EXPECT_EQ(values_of_axis(sweep, "recompute"), (std::vector<std::string>{"none", "full"}));
    EXPECT_EQ(values_of_axis(sweep, "scale_out.bandwidth").size(), 2U);
    EXPECT_THAT(test::error_message<InputError>([&] { values_of_axis(sweep, "recompte"); }),
                HasSubstr("has no axis 'recompte' (did you mean 'recompute'?)"));
}

TEST_F(PointChoiceTest, AnAxisIsNamedByTheEndOfItsPath) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes: {cluster.network.scale_out.bandwidth: [100 Gbps, 400 Gbps],\n"
                                      "       cluster.network.scale_up.bandwidth: [300 GB/s]}\n"));
    EXPECT_EQ(values_of_axis(sweep, "scale_out.bandwidth").size(), 2U);
    EXPECT_THAT(test::error_message<InputError>([&] { values_of_axis(sweep, "bandwidth"); }),
                HasSubstr("has no axis 'bandwidth'"));
}

TEST_F(PointChoiceTest, AnIdIsThatOfTheSameValuesInTheOtherSweep) {
    const std::string layouts =
        "axes: {recompute: [none, full], scale_out.bandwidth: [100 Gbps, 400 Gbps], tp: [1, 2]}\n";
    const Sweep all = files_.load(SweepFiles::llama(layouts));
    const auto id = [&](const std::string& axes) {
        const Sweep own = files_.load(SweepFiles::llama("axes: {" + axes + "}\n"));
        return id_in(*all.space, *own.space, first_point(own).point);
    };
    EXPECT_EQ(id("recompute: full, scale_out.bandwidth: 50 GB/s, tp: 1"), 6U) << "400 Gbps, in bytes";
    EXPECT_EQ(id("recompute: full, scale_out.bandwidth: 60 GB/s, tp: 1"), std::nullopt);
    EXPECT_EQ(id("recompute: full, tp: 1"), std::nullopt) << "other axes";
    const Sweep drawn = files_.load(SweepFiles::llama(layouts + "search: {method: random, budget: 4}\n"));
    EXPECT_EQ(id_in(*drawn.space, *all.space, first_point(all).point), std::nullopt);
}

/// Ids count the values of both chunk axes everywhere: 1f1b takes the place of the first of two, after the
/// four points of interleaved.
TEST_F(PointChoiceTest, AnIdleAxisIsIdleInTheOtherSweep) {
    const auto axes = [](const std::string& schedules) {
        return SweepFiles::llama("axes:\n  pp: 2\n  schedule: " + schedules +
                                 "\n  virtual_stages: {when: schedule == 'interleaved', values: [2, 4]}\n"
                                 "  tp: [1, 2]\n");
    };
    const Sweep all = files_.load(axes("[interleaved, 1f1b]"));
    const Sweep own = files_.load(axes("1f1b"));
    const PointChoice first = first_point(own);
    EXPECT_EQ(describe(*own.space, first.point), "pp=2 schedule=1f1b virtual_stages=1 tp=1");
    EXPECT_EQ(id_in(*all.space, *own.space, first.point), 4U);
}

TEST_F(PointChoiceTest, ARangeHasNoValuesToList) {
    const Sweep sweep =
        files_.load(SweepFiles::llama("axes: {scale_out.bandwidth: {from: 100 Gbps, to: 400 Gbps}}\n"
                                      "search: {method: random, budget: 4}\n"));
    EXPECT_THAT(test::error_message<InputError>([&] { values_of_axis(sweep, "scale_out.bandwidth"); }),
                HasSubstr("axis 'scale_out.bandwidth' is a range without steps"));
}

}  // namespace
}  // namespace dse::study
