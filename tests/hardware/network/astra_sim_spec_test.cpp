#include "dse/hardware/network/astra_sim_spec.hpp"

#include <gtest/gtest.h>

#include "hardware/problem_keys.hpp"

namespace dse::hardware {
namespace {

TEST(AstraSimSpec, has_the_defaults_of_astra_sim) {
    const AstraSimSpec astra_sim;
    EXPECT_TRUE(problems_of(astra_sim).empty());
    EXPECT_EQ(astra_sim.endpoint_delay, Seconds{10e-9});
    EXPECT_EQ(astra_sim.active_chunks, 1);
}

TEST(AstraSimSpec, every_field_has_its_range) {
    EXPECT_EQ(keys(problems_of(AstraSimSpec{Seconds{-1.0}, 0, BytesPerSecond{-1.0}})),
              (Keys{"endpoint_delay", "active_chunks", "reduction_bandwidth"}));
}

}  // namespace
}  // namespace dse::hardware
