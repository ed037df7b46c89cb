#include "dse/config/choices.hpp"

#include <cstdint>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::config {
namespace {

enum class One : std::uint8_t { only };
DSE_CHOICES(One, only);

enum class Several : std::uint8_t { first, second_one, third_3 };
// clang-format off
DSE_CHOICES(Several, first,
            second_one,third_3);
// clang-format on

TEST(Choices, AreCalledAsTheCodeCallsThem) {
    EXPECT_THAT(choice_names(One{}), testing::ElementsAre("only"));
    EXPECT_THAT(choice_names(Several{}), testing::ElementsAre("first", "second_one", "third_3"));
}

}  // namespace
}  // namespace dse::config
