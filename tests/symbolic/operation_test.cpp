#include "symbolic/operation.hpp"

#include <cmath>
#include <limits>

#include <gtest/gtest.h>

namespace dse::symbolic {
namespace {

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr Operation last = Operation::select_mid;

template <class Visit>
void for_each_operation(Visit visit) {
    for (int i = 0; i <= static_cast<int>(last); ++i) visit(static_cast<Operation>(i));
}

TEST(Operation, HasAsManyOperandsAsItIsWrittenWith) {
    EXPECT_EQ(operands_of(Operation::negate), 1U);
    EXPECT_EQ(operands_of(Operation::log2), 1U);
    EXPECT_EQ(operands_of(Operation::add), 2U);
    EXPECT_EQ(operands_of(Operation::maximum), 2U);
    EXPECT_EQ(operands_of(Operation::select), 3U);
    EXPECT_EQ(operands_of(Operation::select_mid), 3U);
    for_each_operation([](Operation operation) { EXPECT_FALSE(symbol_of(operation).empty()); });
    EXPECT_EQ(symbol_of(Operation::floor_divide), "//");
    EXPECT_EQ(symbol_of(Operation::select_mid), "if");
}

/// An operand without value is never lost, whatever the other one is, save where the result does not depend
/// on it.
TEST(Operation, AbsentOperandsGiveAbsentResults) {
    for_each_operation([](Operation operation) {
        if (operands_of(operation) == 3) return;
        for (const double other : {0.0, 1.0, -2.0, 1e300}) {
            const bool settled = (operation == Operation::logical_and && other == 0.0) ||
                                 (operation == Operation::logical_or && other != 0.0);
            EXPECT_EQ(std::isnan(apply(operation, none, other, 0.0)), !settled || operands_of(operation) == 1)
                << symbol_of(operation) << other;
            if (operands_of(operation) == 2) {
                EXPECT_EQ(std::isnan(apply(operation, other, none, 0.0)), !settled)
                    << symbol_of(operation) << other;
            }
        }
    });
    EXPECT_TRUE(std::isnan(apply(Operation::select, none, 1.0, 2.0)));
    EXPECT_EQ(apply(Operation::select, 1.0, 5.0, none), 5.0);
    EXPECT_EQ(apply(Operation::select_mid, none, 0.0, 7.0), 7.0);
}

/// No result is infinite: what overflows has no value.
TEST(Operation, ResultsAreFinite) {
    const double numbers[] = {0.0, 1.0, -1.0, 0.5, -3.0, 1e300, -1e300, 1e-300, 9007199254740991.0};
    for_each_operation([&](Operation operation) {
        for (const double a : numbers) {
            for (const double b : numbers) {
                EXPECT_FALSE(std::isinf(apply(operation, a, b, 1.0)))
                    << symbol_of(operation) << " " << a << " " << b;
            }
        }
    });
}

TEST(Operation, ExactFormsWantWholeResults) {
    EXPECT_EQ(apply(Operation::divide_exactly, 12.0, 4.0, 0.0), 3.0);
    EXPECT_TRUE(std::isnan(apply(Operation::divide_exactly, 12.0, 5.0, 0.0)));
    EXPECT_TRUE(std::isnan(apply(Operation::divide_exactly, 0.0, 0.0, 0.0)));
    EXPECT_EQ(apply(Operation::power_exactly, 2.0, 40.0, 0.0), 1099511627776.0);
    EXPECT_EQ(apply(Operation::power_exactly, 1.0, -3.0, 0.0), 1.0);
    EXPECT_TRUE(std::isnan(apply(Operation::power_exactly, 2.0, -1.0, 0.0)));
    // 2^53 - 1 = 6361 · 69431 · 20394401: a quotient that rounds to an integer without being one.
    EXPECT_TRUE(std::isnan(apply(Operation::divide_exactly, 9007199254740991.0, 2.0, 0.0)));
    EXPECT_EQ(apply(Operation::divide_exactly, 9007199254740991.0, 6361.0, 0.0), 1416003655831.0);
}

}  // namespace
}  // namespace dse::symbolic
