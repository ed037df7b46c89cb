#include "trace/kineto/element_bytes.hpp"

#include <gtest/gtest.h>

namespace dse::trace::kineto {
namespace {

TEST(ElementBytes, KnowsPyTorchsNames) {
    EXPECT_EQ(element_bytes("float"), 4);
    EXPECT_EQ(element_bytes("Float"), 4);
    EXPECT_EQ(element_bytes("c10::BFloat16"), 2);
    EXPECT_EQ(element_bytes("long int"), 8);
    EXPECT_EQ(element_bytes("unsigned char"), 1);
    EXPECT_EQ(element_bytes(""), 0);
    EXPECT_EQ(element_bytes("Scalar"), 0);
}

}  // namespace
}  // namespace dse::trace::kineto
