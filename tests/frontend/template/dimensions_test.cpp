#include "dse/frontend/template/dimensions.hpp"

#include <cmath>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/symbolic/expression_error.hpp"

namespace dse::frontend {
namespace {

TEST(Dimensions, KeepsEachOnce) {
    Dimensions dimensions;
    dimensions.add_symbol("h");
    const DimId a = dimensions.intern("2*h");
    EXPECT_EQ(dimensions.intern(" 2 * h"), a);
    EXPECT_NE(dimensions.intern("h"), a);
    EXPECT_EQ(dimensions.size(), 2U);
    EXPECT_EQ(dimensions.text(a), "2*h");
}

TEST(Dimensions, AreEvaluatedOverBatchSequenceAndSizes) {
    Dimensions dimensions;
    dimensions.add_symbol("h");
    const DimId all = dimensions.intern("b*s*h");
    const DimId half = dimensions.intern("h/2");
    const std::vector<double> symbols{3, 5, 7};
    std::vector<double> values(dimensions.size());
    dimensions.evaluate(symbols, values);
    EXPECT_EQ(values[all.index()], 105);
    EXPECT_TRUE(std::isnan(values[half.index()])) << "7/2 leaves a remainder";
    EXPECT_EQ(dimensions.evaluate(all, symbols), 105);
}

/// A block's sizes are names, not parts of names, and hold until others are set.
TEST(Dimensions, SizesOfABlockStandForNumbers) {
    Dimensions dimensions;
    dimensions.add_symbol("h");
    dimensions.set_block_sizes({{"w", 16}, {"wide", 3}});
    const DimId first = dimensions.intern("w*wide + h*w");
    EXPECT_EQ(dimensions.text(first), "16*3 + h*16");
    EXPECT_EQ(dimensions.intern("16*3+h*16"), first) << "the same dimension, however it came about";
    dimensions.set_block_sizes({{"w", 4}});
    const DimId second = dimensions.intern("w*2");
    EXPECT_NE(first, second);
    EXPECT_EQ(dimensions.evaluate(second, std::vector<double>{1, 1, 5}), 8);
    EXPECT_EQ(dimensions.evaluate(first, std::vector<double>{1, 1, 5}), 128);
    EXPECT_THROW(static_cast<void>(dimensions.intern("wide")), symbolic::ExpressionError);
}

TEST(Dimensions, MeansAreMarked) {
    Dimensions dimensions;
    dimensions.add_symbol("h");
    const DimId mean = dimensions.intern_mean("h");
    const DimId whole = dimensions.intern("h");
    EXPECT_NE(mean, whole) << "the same number, divided otherwise";
    EXPECT_TRUE(dimensions.is_mean(mean));
    EXPECT_FALSE(dimensions.is_mean(whole));
    EXPECT_FALSE(dimensions.rows(mean).has_value());
    EXPECT_EQ(dimensions.evaluate(mean, std::vector<double>{1, 1, 204184588}), 204184588);
}

TEST(Dimensions, KnowWhetherTheyNeedASequence) {
    Dimensions dimensions;
    dimensions.add_symbol("h");
    EXPECT_FALSE(dimensions.uses_sequence(dimensions.intern("b*h")));
    EXPECT_TRUE(dimensions.uses_sequence(dimensions.intern("s + 1")));
}

TEST(Dimensions, RefusesNamesThatStandAlready) {
    Dimensions dimensions;
    dimensions.add_symbol("h");
    EXPECT_THROW(dimensions.add_symbol("h"), InputError);
    EXPECT_THROW(dimensions.add_symbol("b"), InputError);
    EXPECT_THROW(dimensions.add_symbol("2h"), InputError);
    EXPECT_THROW(static_cast<void>(dimensions.intern("h*m")), symbolic::ExpressionError);
    EXPECT_EQ(dimensions.size(), 0U);
}

}  // namespace
}  // namespace dse::frontend
