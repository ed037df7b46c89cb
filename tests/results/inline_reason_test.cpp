#include "results/inline_reason.hpp"

#include <gtest/gtest.h>

namespace dse::results {
namespace {

TEST(InlineReason, IsCutBetweenCharacters) {
    EXPECT_FALSE(is_cut(std::string(inline_reason_bytes, 'x')));
    // 151 ASCII characters, then 2-byte ones: 152 bytes are left for text beside the 3-byte mark, and the cut
    // must not leave half a character there.
    const std::string reason = std::string(151, 'x') + "éééééééé";
    ASSERT_TRUE(is_cut(reason));
    EXPECT_EQ(cut_reason(reason), std::string(151, 'x') + "…");
    EXPECT_EQ(cut_reason(std::string(200, 'x')).size(), inline_reason_bytes);
}

}  // namespace
}  // namespace dse::results
