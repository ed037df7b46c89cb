#include "dse/base/text_encoding.hpp"

#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(TextEncoding, TheMarkIsNoPartOfTheText) {
    EXPECT_EQ(without_byte_order_mark("\xef\xbb\xbfm,n"), "m,n");
    EXPECT_EQ(without_byte_order_mark("m,n\xef\xbb\xbf"), "m,n\xef\xbb\xbf");
    EXPECT_EQ(without_byte_order_mark("\xef\xbb"), "\xef\xbb");
    EXPECT_EQ(without_byte_order_mark(""), "");
}

TEST(TextEncoding, EitherOrderOfBytesIsUtf16) {
    EXPECT_TRUE(is_utf16(std::string_view("\xff\xfem\0", 4)));
    EXPECT_TRUE(is_utf16(std::string_view("\xfe\xff\0m", 4)));
    EXPECT_FALSE(is_utf16("\xef\xbb\xbfm"));
    EXPECT_FALSE(is_utf16("\xff"));
}

}  // namespace
}  // namespace dse
