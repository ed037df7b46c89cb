#include "app/rank_choice.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::app {
namespace {

using Ranks = std::vector<std::int64_t>;

TEST(RankChoice, TakesNumbersAndStretches) {
    EXPECT_EQ(parse_ranks("3", 8), (Ranks{3}));
    EXPECT_EQ(parse_ranks("5,0,2-4,3", 8), (Ranks{0, 2, 3, 4, 5}));
    EXPECT_EQ(parse_ranks("0-7", 8), (Ranks{0, 1, 2, 3, 4, 5, 6, 7}));
}

TEST(RankChoice, RefusesWhatIsNoList) {
    for (const char* text : {"", "x", "1,", ",1", "1-", "-1", "1-2-3", "1 2", "1.5", "4-2"})
        EXPECT_THROW(parse_ranks(text, 8), InputError) << text;
}

TEST(RankChoice, RefusesRanksThatThereAreNot) {
    try {
        parse_ranks("0,8", 8);
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "there is no rank 8: ranks are 0 to 7");
    }
    EXPECT_THROW(parse_ranks("0-99999999999999999999", 8), InputError);
    try {
        parse_ranks("2", 1, "stage");
        FAIL() << "no error";
    } catch (const InputError& error) {
        EXPECT_STREQ(error.what(), "there is no stage 2: stages are 0 to 0");
    }
}

}  // namespace
}  // namespace dse::app
