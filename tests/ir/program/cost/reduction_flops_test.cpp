#include <gtest/gtest.h>

#include "ir/program/cost/flop_count.hpp"
#include "ir/program/cost/flop_rules.hpp"

namespace dse::ir::test {
namespace {

const std::vector<Cost> square_root_of_sum{function_cost(1, 1)};

Window window(std::int64_t size, std::int64_t padding) {
    Window result;
    result.dimensions.resize(2);
    result.dimensions[1].size = size;
    result.dimensions[1].pad_low = result.dimensions[1].pad_high = padding;
    return result;
}

// 512 elements to 64: 448 applications.
TEST(ReductionFlops, FunctionsCountAsOftenAsTheyAreApplied) {
    const Cost cost = flop_count(Opcode::reduce, {{64, 8}, {}}, {64}, Dimensions{{1}}, square_root_of_sum);
    EXPECT_EQ(cost.flops, 448);
    EXPECT_EQ(cost.transcendentals, 448);
    EXPECT_EQ(flop_count(Opcode::map, {{64, 8}}, {64, 8}, {}, square_root_of_sum).transcendentals, 512);
    EXPECT_EQ(
        flop_count(Opcode::scatter, {{64, 8}, {4}, {4, 8}}, {64, 8}, {}, square_root_of_sum).transcendentals,
        32);
}

TEST(ReductionFlops, WithoutAFunctionTheyAreSums) {
    const Cost cost = flop_count(Opcode::reduce, {{64, 8}, {}}, {64}, Dimensions{{1}});
    EXPECT_EQ(cost.flops, 448);
    EXPECT_EQ(cost.transcendentals, 0);
}

TEST(ReductionFlops, AWindowTakesOneLessThanItHasPlaces) {
    EXPECT_EQ(flop_count(Opcode::reduce_window, {{64, 8}, {}}, {64, 6}, window(3, 0)).flops, 64 * 6 * 2);
    EXPECT_EQ(flop_count(Opcode::reduce_window, {{64, 8}, {}}, {64, 8}).flops, 0);
}

// A window of 2n − 1 with n − 1 elements of padding on both sides sums up the whole dimension at each place:
// 64 rows, and 8 − 1 additions that the places share.
TEST(ReductionFlops, AWindowOverAWholeDimensionIsAReduction) {
    EXPECT_EQ(flop_count(Opcode::reduce_window, {{64, 8}, {}}, {64, 8}, window(15, 7)).flops, 64 + 7);
    EXPECT_EQ(flop_count(Opcode::reduce_window, {{64, 8}, {}}, {64, 6}, window(13, 7)).flops, 64 * 6 * 12);
}

// Windows of two places: one comparison each, and one sum each.
TEST(ReductionFlops, SelectAndScatterComparesAndAdds) {
    const std::vector<Cost> functions{function_cost(1, 0), function_cost(2, 0)};
    EXPECT_EQ(flop_count(Opcode::select_and_scatter, {{64, 8}, {64, 4}, {}}, {64, 8}, window(2, 0), functions)
                  .flops,
              256 * 1 + 256 * 2);
}

}  // namespace
}  // namespace dse::ir::test
