#include "dse/model/compute/vector_time.hpp"

#include <array>

#include <gtest/gtest.h>

#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

VectorTime vector_time() {
    hardware::VectorSpec form;
    form.latency = Seconds{1e-6};
    form.per_element = Seconds{10e-12};
    form.per_operand = Seconds{4e-12};
    form.operand_latency = Seconds{50e-9};
    form.per_padded = Seconds{20e-12};
    form.quotient = Seconds{30e-9};
    form.lanes = 128;
    return VectorTime{form};
}

TEST(VectorTime, flat_arrays_fill_their_lanes) {
    EXPECT_SOFT_EQ(Seconds{1e-6 + 1000 * 10e-12}, vector_time()(std::array{1000.0}, 1, Division::none));
    EXPECT_SOFT_EQ(Seconds{1e-6 + 1000 * 10e-12}, vector_time()(std::array{10.0, 100.0}, 1, Division::none));
}

/// 8 × 16 rows of 32 elements on 128 lanes: 12,288 of 16,384 places are empty, whatever the order of the
/// sizes.
TEST(VectorTime, the_longest_of_three_dimensions_lies_along_the_lanes) {
    const Seconds expected{1e-6 + 4096 * 10e-12 + 12288 * 20e-12};
    EXPECT_SOFT_EQ(expected, vector_time()(std::array{8.0, 16.0, 32.0}, 1, Division::none));
    EXPECT_SOFT_EQ(expected, vector_time()(std::array{32.0, 8.0, 16.0}, 1, Division::none));
}

TEST(VectorTime, operands_and_quotients_add) {
    EXPECT_SOFT_EQ(Seconds{1e-6 + 50e-9 + 1000 * 14e-12},
                   vector_time()(std::array{1000.0}, 2, Division::none));
    EXPECT_SOFT_EQ(Seconds{1e-6 + 30e-9 + 1000 * 10e-12},
                   vector_time()(std::array{1000.0}, 1, Division::of_result));
}

}  // namespace
}  // namespace dse::model
