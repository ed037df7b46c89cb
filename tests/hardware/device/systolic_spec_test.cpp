#include "dse/hardware/device/systolic_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(SystolicSpec, a_device_has_none_by_default) {
    EXPECT_FALSE(SystolicSpec{}.exists());
    EXPECT_TRUE(problems_of(SystolicSpec{}).empty());
}

TEST(SystolicSpec, an_array_has_two_sides) {
    SystolicSpec systolic;
    systolic.rows = 128;
    EXPECT_EQ(keys(problems_of(systolic)), Keys{"columns"});
    systolic.columns = 128;
    EXPECT_EQ(keys(problems_of(systolic)), Keys{});
    systolic.rows = -128;
    EXPECT_EQ(keys(problems_of(systolic)), (Keys{"rows", "columns"}));
}

TEST(SystolicSpec, what_is_staged_moves_at_some_rate) {
    SystolicSpec systolic;
    systolic.staged = Bytes{1e6};
    EXPECT_EQ(keys(problems_of(systolic)), Keys{"staging_bandwidth"});
    systolic.staging_bandwidth = BytesPerSecond{1e9};
    EXPECT_EQ(keys(problems_of(systolic)), Keys{});
}

TEST(SystolicSpec, dataflows_have_their_short_names) {
    SystolicSpec systolic;
    EXPECT_EQ(errors_of("{rows: 8, columns: 4, dataflow: is}", systolic), "");
    EXPECT_EQ(systolic.dataflow, Dataflow::is);
    EXPECT_NE(errors_of("{dataflow: weights}", systolic).find("dataflow"), std::string::npos);
}

}  // namespace
}  // namespace dse::hardware
