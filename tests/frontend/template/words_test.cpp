#include "frontend/template/words.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::frontend {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

TEST(WordsOf, AreSeparatedByAnyNumberOfBlanks) {
    EXPECT_THAT(words_of(" w_qkv  w_o\n"), ElementsAre("w_qkv", "w_o"));
    EXPECT_THAT(words_of("w_qkv,w_o"), ElementsAre("w_qkv,w_o"));
    EXPECT_THAT(words_of("  "), IsEmpty());
}

}  // namespace
}  // namespace dse::frontend
