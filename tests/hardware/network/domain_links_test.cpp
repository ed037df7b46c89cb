#include "dse/hardware/network/domain_links.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

NetworkSpec domain_of(std::int64_t devices) {
    NetworkSpec network;
    network.scale_up.link.bandwidth = BytesPerSecond{448e9};
    network.scale_up.domain = devices;
    network.scale_out.link.bandwidth = BytesPerSecond{50e9};
    return network;
}

NetworkSpec joined_directly(std::int64_t devices, std::int64_t size) {
    NetworkSpec network = domain_of(devices);
    DimensionSpec all;
    all.kind = DimensionKind::fully_connected;
    all.size = size;
    all.link.bandwidth = BytesPerSecond{64e9};
    network.dimensions.push_back(all);
    return network;
}

TEST(DomainLinks, a_switch_carries_the_whole_rate_between_any) {
    NetworkSpec network = domain_of(8);
    EXPECT_FALSE(DomainLinks{network}.are_direct());
    for (std::int64_t members = 1; members <= 8; ++members)
        EXPECT_EQ(DomainLinks{network}.share(members), 1.0);
    network = joined_directly(8, 8);
    network.dimensions[0].kind = DimensionKind::ring;
    EXPECT_FALSE(DomainLinks{network}.are_direct());
}

/// Of the seven links of each of eight devices, a group of n has n - 1.
TEST(DomainLinks, a_group_has_the_links_between_its_members) {
    const DomainLinks links{joined_directly(8, 8)};
    EXPECT_TRUE(links.are_direct());
    EXPECT_EQ(links.share(8), 1.0);
    EXPECT_EQ(links.share(4), 3.0 / 7.0);
    EXPECT_EQ(links.share(2), 1.0 / 7.0);
    EXPECT_EQ(links.share(1), 1.0) << "nothing to send";
}

TEST(DomainLinks, a_full_connection_of_any_size_is_as_large_as_the_domain) {
    EXPECT_EQ(DomainLinks{joined_directly(4, 0)}.share(2), 1.0 / 3.0);
    EXPECT_TRUE(problems_of(joined_directly(4, 0)).empty());
}

TEST(DomainLinks, a_domain_and_the_devices_that_it_joins_agree) {
    EXPECT_TRUE(problems_of(joined_directly(8, 8)).empty()) << problems_of(joined_directly(8, 8)).text();
    EXPECT_EQ(keys(problems_of(joined_directly(16, 8))), Keys{"scale_up.domain"});
    EXPECT_THAT(problems_of(joined_directly(4, 8)).text(), testing::HasSubstr("joins 8 devices"));
    NetworkSpec switched = joined_directly(16, 8);
    switched.dimensions[0].kind = DimensionKind::switched;
    EXPECT_TRUE(problems_of(switched).empty());
}

TEST(DomainLinks, direct_links_do_not_reduce) {
    NetworkSpec network = joined_directly(8, 8);
    network.scale_up.reduction.efficiency = 0.6;
    EXPECT_EQ(keys(problems_of(network)), Keys{"scale_up.reduction_efficiency"});
}

}  // namespace
}  // namespace dse::hardware
