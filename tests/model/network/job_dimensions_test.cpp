#include "dse/model/network/job_dimensions.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

using hardware::DimensionKind;
using hardware::DimensionList;

std::vector<std::int64_t> sizes(const DimensionList& dimensions) {
    const JobSizes all = sizes_of(dimensions);
    return {all.get().begin(), all.get().end()};
}

using Sizes = std::vector<std::int64_t>;

TEST(JobDimensions, two_levels_are_two_switches_with_half_the_latency_to_either_side) {
    hardware::NetworkSpec network = plain_network();
    network.scale_out.oversubscription = 2.0;
    network.scale_up.reduction = {0.6, 5};
    const DimensionList dimensions = job_dimensions(network, 64);
    ASSERT_EQ(sizes(dimensions), (Sizes{8, 8}));
    EXPECT_EQ(dimensions[0].kind, DimensionKind::switched);
    EXPECT_SOFT_EQ(dimensions[0].link.latency, Seconds{0.5e-6});
    EXPECT_SOFT_EQ(dimensions[1].link.latency, Seconds{2.5e-6});
    EXPECT_SOFT_EQ(dimensions[1].link.bandwidth, BytesPerSecond{5e9});
    EXPECT_EQ(dimensions[0].reduction, network.scale_up.reduction);
    EXPECT_EQ(dimensions[1].reduction, hardware::SwitchReductionSpec{});
    EXPECT_EQ(sizes(job_dimensions(network, 4)), (Sizes{4}));
    EXPECT_EQ(sizes(job_dimensions(network, 1)), (Sizes{}));
    network.scale_up.domain = 1;
    EXPECT_EQ(sizes(job_dimensions(network, 4)), (Sizes{4}));
}

TEST(JobDimensions, a_job_fills_inner_dimensions_first) {
    hardware::NetworkSpec network = plain_network();
    network.dimensions.push_back(plain_dimension(DimensionKind::ring, 4, 50, 1));
    network.dimensions.push_back(plain_dimension(DimensionKind::fully_connected, 6, 50, 1));
    network.dimensions.push_back(plain_dimension(DimensionKind::switched, 0, 50, 1));
    EXPECT_EQ(sizes(job_dimensions(network, 4 * 6 * 5)), (Sizes{4, 6, 5}));
    EXPECT_EQ(sizes(job_dimensions(network, 12)), (Sizes{4, 3}));
    EXPECT_EQ(sizes(job_dimensions(network, 4)), (Sizes{4}));
    EXPECT_THROW(job_dimensions(network, 6), ModelError);
    EXPECT_THROW(job_dimensions(network, 4 * 9), ModelError);
}

TEST(JobDimensions, part_of_a_ring_is_an_open_line) {
    hardware::NetworkSpec network = plain_network();
    network.dimensions.push_back(plain_dimension(DimensionKind::ring, 8, 50, 1));
    EXPECT_EQ(job_dimensions(network, 8)[0].kind, DimensionKind::ring);
    EXPECT_EQ(job_dimensions(network, 5)[0].kind, DimensionKind::mesh);
    EXPECT_THROW(job_dimensions(network, 16), ModelError);
    // A ring without a size of its own closes around whatever the job has.
    network.dimensions[0].size = 0;
    EXPECT_EQ(job_dimensions(network, 5)[0].kind, DimensionKind::ring);
}

}  // namespace
}  // namespace dse::model
