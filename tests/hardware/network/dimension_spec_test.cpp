#include "dse/hardware/network/dimension_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(DimensionSpec, needs_a_kind_and_a_link) {
    DimensionSpec dimension;
    const std::string errors = errors_of("size: 4\n", dimension);
    for (const char* key : {"kind", "bandwidth", "latency"}) {
        EXPECT_NE(errors.find(std::string{key} + ": missing"), std::string::npos) << errors;
    }
}

TEST(DimensionSpec, joins_at_least_two_devices) {
    DimensionSpec dimension;
    dimension.link.bandwidth = BytesPerSecond{1.0};
    EXPECT_TRUE(problems_of(dimension).empty());
    for (const std::int64_t size : {-2, 1}) {
        dimension.size = size;
        EXPECT_EQ(keys(problems_of(dimension)), Keys{"size"});
    }
}

TEST(DimensionSpec, only_switches_reduce) {
    DimensionSpec dimension;
    dimension.link.bandwidth = BytesPerSecond{1.0};
    dimension.reduction.efficiency = 0.5;
    EXPECT_TRUE(problems_of(dimension).empty());
    dimension.kind = DimensionKind::ring;
    EXPECT_EQ(keys(problems_of(dimension)), Keys{"reduction_efficiency"});
    dimension.reduction.efficiency = 0.0;
    dimension.reduction.members = 1;
    EXPECT_EQ(keys(problems_of(dimension)), Keys{"reduction_members"});
}

TEST(DimensionSpec, names_stand_in_the_order_of_their_values) {
    EXPECT_EQ(choice_names(DimensionKind{})[static_cast<std::size_t>(DimensionKind::fully_connected)],
              "fully_connected");
    EXPECT_EQ(name(Algorithm::double_binary_tree), "double_binary_tree");
    EXPECT_EQ(name(Algorithm::ring), "ring");
}

TEST(DimensionList, reports_what_is_set_of_a_dimension_that_is_not_there) {
    DimensionList dimensions;
    EXPECT_TRUE(problems_of(dimensions).empty());
    dimensions[2].link.bandwidth = BytesPerSecond{1e9};
    EXPECT_EQ(keys(problems_of(dimensions)), Keys{"2"});
    dimensions[2] = {};
    dimensions[3].reduction.efficiency = 0.5;
    EXPECT_EQ(keys(problems_of(dimensions)), Keys{"3"});
}

TEST(DimensionList, keeps_its_place_and_forgets_what_it_loses) {
    DimensionList dimensions;
    DimensionSpec ring;
    ring.kind = DimensionKind::ring;
    ring.size = 4;
    dimensions.push_back(ring);
    const DimensionSpec* first = &dimensions[0];
    dimensions.resize(3);
    EXPECT_EQ(&dimensions[0], first);
    EXPECT_EQ(dimensions[0].size, 4);
    dimensions.resize(0);
    dimensions.resize(1);
    EXPECT_EQ(dimensions[0].size, 0);
    EXPECT_EQ(dimensions[0].kind, DimensionKind::switched);
}

}  // namespace
}  // namespace dse::hardware
