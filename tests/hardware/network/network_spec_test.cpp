#include "dse/hardware/network/network_spec.hpp"

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

constexpr const char* levels =
    "scale_up: {bandwidth: 1 GB/s, latency: 1 us, domain: 8}\n"
    "scale_out: {bandwidth: 1 GB/s, latency: 1 us}\n";

TEST(NetworkSpec, lists_its_dimensions) {
    NetworkSpec network;
    EXPECT_EQ(
        errors_of(
            std::string{levels} +
                "dimensions:\n"
                "  - {kind: ring, size: 4, bandwidth: {value: 50 GB/s, source: data sheet}, latency: 1 us}\n"
                "  - {kind: switch, bandwidth: 1 GB/s, latency: 2 us, algorithm: direct}\n"
                "collective: {chunks: 8, dimension_order: balanced}\n"
                "astra_sim: {endpoint_delay: 20 ns, active_chunks: 2, reduction_bandwidth: 2 TB/s}\n",
            network),
        "");
    ASSERT_EQ(network.dimensions.size(), 2U);
    EXPECT_EQ(network.dimensions[0].kind, DimensionKind::ring);
    EXPECT_EQ(network.dimensions[0].link.bandwidth, BytesPerSecond{50e9});
    EXPECT_EQ(network.dimensions[1].kind, DimensionKind::switched);
    EXPECT_EQ(network.dimensions[1].algorithm, Algorithm::direct);
    EXPECT_EQ(network.collective.chunks, 8);
    EXPECT_EQ(network.collective.dimension_order, DimensionOrder::balanced);
    EXPECT_EQ(network.astra_sim.active_chunks, 2);
}

TEST(NetworkSpec, reports_a_wrong_dimension_where_it_stands) {
    NetworkSpec network;
    const std::string errors = errors_of(std::string{levels} +
                                             "dimensions:\n"
                                             "  - {kind: ring, bandwidth: 1 GB/s, latency: 1 us}\n"
                                             "  - {kind: swich, size: 1, bandwidth: 1 GB/s, latency: 1 us}\n",
                                         network);
    EXPECT_NE(errors.find("dimensions.1.kind: unknown value 'swich' (did you mean 'switch'?)"),
              std::string::npos)
        << errors;
    EXPECT_NE(errors.find("x.yaml:5"), std::string::npos) << errors;
    EXPECT_NE(errors.find("dimensions.1.size: a dimension joins at least two"), std::string::npos) << errors;
    EXPECT_EQ(keys(problems_of(network)), (Keys{"dimensions.0.size", "dimensions.1.size"}));
}

TEST(NetworkSpec, says_where_a_domain_differs_from_the_devices_that_are_joined) {
    NetworkSpec network;
    const std::string errors =
        errors_of(std::string{levels} +
                      "dimensions:\n"
                      "  - {kind: fully_connected, size: 4, bandwidth: 1 GB/s, latency: 1 us}\n",
                  network);
    EXPECT_NE(errors.find("x.yaml:1"), std::string::npos) << errors;
    EXPECT_NE(errors.find("scale_up.domain: dimensions.0 is fully_connected and joins 4 devices"),
              std::string::npos)
        << errors;
}

}  // namespace
}  // namespace dse::hardware
