#include "dse/base/running_digest.hpp"

#include <string>

#include <gtest/gtest.h>

namespace dse {
namespace {

TEST(RunningDigest, IsThatOfAllPieces) {
    const std::string text(100'000, 'a');
    const auto bytes = std::as_bytes(std::span{text});
    RunningDigest running;
    EXPECT_EQ(running.value(), digest(std::string_view{}));
    running.add(bytes.first(1));
    running.add(bytes.subspan(1, 70'000));
    running.add(bytes.subspan(70'001));
    EXPECT_EQ(running.value(), digest(text));
}

}  // namespace
}  // namespace dse
