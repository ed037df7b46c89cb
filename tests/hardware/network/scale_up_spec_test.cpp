#include "dse/hardware/network/scale_up_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(ScaleUpSpec, reads_link_and_domain_side_by_side) {
    ScaleUpSpec scale_up;
    EXPECT_EQ(errors_of("bandwidth: 450 GB/s\nlatency: 1.5 us\ndomain: 8\n", scale_up), "");
    EXPECT_DOUBLE_EQ(scale_up.link.bandwidth.value(), 450e9);
    EXPECT_DOUBLE_EQ(scale_up.link.latency.value(), 1.5e-6);
    EXPECT_EQ(scale_up.domain, 8);
}

TEST(ScaleUpSpec, a_job_within_one_domain_takes_what_it_needs) {
    ScaleUpSpec nvl72;
    nvl72.domain = 72;
    EXPECT_EQ(nvl72.occupied(8), 72);
    EXPECT_EQ(nvl72.occupied(72), 72);
}

TEST(ScaleUpSpec, a_larger_job_fills_domains_or_takes_powers_of_two) {
    ScaleUpSpec nvl72;
    nvl72.domain = 72;
    EXPECT_EQ(nvl72.occupied(288), 72);
    EXPECT_EQ(nvl72.occupied(1024), 64);
    ScaleUpSpec node;
    node.domain = 8;
    EXPECT_EQ(node.occupied(1024), 8);
    // 127 nodes and a half: no other choice of a power of two.
    EXPECT_EQ(node.occupied(1020), 8);
}

/// Four devices with 18 links each, six to every other: a pair has a third of them.
TEST(ScaleUpSpec, members_of_a_mesh_have_the_links_between_them) {
    ScaleUpSpec four;
    EXPECT_EQ(errors_of("bandwidth: 450 GB/s\nlatency: 1 us\ndomain: 4\nmeshed: true\n", four), "");
    EXPECT_DOUBLE_EQ(four.sustained(4).value(), four.link.sustained().value());
    EXPECT_DOUBLE_EQ(four.sustained(3).value(), four.link.sustained().value() * 2 / 3);
    EXPECT_DOUBLE_EQ(four.sustained(2).value(), four.link.sustained().value() / 3);
    four.meshed = false;
    EXPECT_DOUBLE_EQ(four.sustained(2).value(), four.link.sustained().value());
}

TEST(ScaleUpSpec, a_stated_segment_holds_but_never_exceeds_its_domain) {
    ScaleUpSpec scale_up;
    scale_up.domain = 72;
    scale_up.segment = 36;
    EXPECT_EQ(scale_up.occupied(288), 36);
    scale_up.domain = 8;
    EXPECT_EQ(scale_up.occupied(288), 8);
}

TEST(ScaleUpSpec, every_field_has_its_range) {
    ScaleUpSpec scale_up;
    scale_up.link.bandwidth = BytesPerSecond{1e9};
    scale_up.domain = 0;
    scale_up.segment = -1;
    scale_up.reduction.efficiency = 1.5;
    scale_up.reduction.members = 1;
    EXPECT_EQ(keys(problems_of(scale_up)),
              (Keys{"domain", "segment", "reduction_efficiency", "reduction_members"}));
}

}  // namespace
}  // namespace dse::hardware
