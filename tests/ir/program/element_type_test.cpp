#include "dse/ir/program/element_type.hpp"

#include <gtest/gtest.h>

namespace dse::ir {
namespace {

TEST(ElementType, IsFoundByTheNameItHas) {
    for (int i = 1; i <= static_cast<int>(ElementType::c128); ++i) {
        const auto type = static_cast<ElementType>(i);
        EXPECT_EQ(element_type(name(type)), type);
    }
    EXPECT_EQ(element_type("i32"), std::nullopt);
    EXPECT_EQ(element_type("?"), std::nullopt);
}

TEST(ElementType, TakesWholeBytesUnlessPacked) {
    EXPECT_EQ(bits(ElementType::s4), 4);
    EXPECT_EQ(stored_bytes(ElementType::s4), 1);
    EXPECT_EQ(stored_bytes(ElementType::pred), 1);
    EXPECT_EQ(stored_bytes(ElementType::bf16), 2);
    EXPECT_EQ(stored_bytes(ElementType::c128), 16);
    EXPECT_EQ(stored_bytes(ElementType::unknown), 0);
}

TEST(ElementType, KnowsItsKind) {
    EXPECT_EQ(number_kind(ElementType::pred), NumberKind::boolean);
    EXPECT_EQ(number_kind(ElementType::u16), NumberKind::integer);
    EXPECT_EQ(number_kind(ElementType::f8e8m0fnu), NumberKind::floating);
    EXPECT_EQ(number_kind(ElementType::c64), NumberKind::complex);
}

}  // namespace
}  // namespace dse::ir
