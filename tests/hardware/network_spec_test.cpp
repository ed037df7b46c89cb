#include "dse/hardware/network_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(NetworkSpec, needs_both_levels) {
    NetworkSpec network;
    const std::string errors =
        errors_of("scale_up: {bandwidth: 1 GB/s, latency: 1 us, domain: 8}\n", network);
    EXPECT_NE(errors.find("scale_out.bandwidth: missing"), std::string::npos) << errors;
    EXPECT_NE(errors.find("scale_out.latency: missing"), std::string::npos) << errors;
}

TEST(NetworkSpec, names_problems_by_level) {
    NetworkSpec network;
    network.collective.phase_overlap = 2.0;
    EXPECT_EQ(keys(problems_of(network)),
              (Keys{"scale_up.bandwidth", "scale_out.bandwidth", "collective.phase_overlap"}));
}

}  // namespace
}  // namespace dse::hardware
