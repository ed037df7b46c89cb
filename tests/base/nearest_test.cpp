#include "dse/base/nearest.hpp"

#include <algorithm>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse {
namespace {

const std::vector<std::string> keys{"tp", "pp", "dp", "microbatch", "bandwidth", "latency", "recompute"};

TEST(Nearest, FindsWhatWasMeant) {
    EXPECT_EQ(nearest("bandwith", keys), "bandwidth");     // one letter left out
    EXPECT_EQ(nearest("bandwidthh", keys), "bandwidth");   // one too many
    EXPECT_EQ(nearest("latenzy", keys), "latency");        // one replaced
    EXPECT_EQ(nearest("micorbatch", keys), "microbatch");  // two swapped
    EXPECT_EQ(nearest("LATENCY", keys), "latency");        // case does not count
    EXPECT_EQ(nearest("latency", keys), "latency");
}

TEST(Nearest, KnowsWhatOtherProgramsCallThings) {
    EXPECT_EQ(nearest("gpus", {"cluster", "devices"}), "devices");
    EXPECT_EQ(nearest("Tensor_Parallel", keys), "tp");
    EXPECT_EQ(nearest("explain", {"plan", "point", "report"}), "point");
    EXPECT_EQ(nearest("gpus", {"cluster", "gpus_per_node"}), std::nullopt) << "nothing called devices";
    EXPECT_EQ(suggestion("batch_size", {"global_batch", "microbatch"}), " (did you mean 'global_batch'?)");
}

TEST(Nearest, AThirdOfTheLettersMayDiffer) {
    // 9 letters: 3 edits are a slip, 4 are another word.
    EXPECT_EQ(nearest("banxxidtx", {"bandwidth"}), "bandwidth");
    EXPECT_EQ(nearest("bxnxxidtx", {"bandwidth"}), std::nullopt);
}

TEST(Nearest, ShortNamesMayDifferInOneLetterOfTwo) {
    EXPECT_EQ(nearest("tq", {"tp"}), "tp");
    EXPECT_EQ(nearest("xq", {"tp"}), std::nullopt);
}

TEST(Nearest, NamesWithoutACommonLetterAreNotNear) {
    EXPECT_EQ(nearest("x", {"h", "n"}), std::nullopt);
    EXPECT_EQ(nearest("", {"h"}), std::nullopt);
    EXPECT_EQ(nearest("h", {""}), std::nullopt);
    EXPECT_EQ(nearest("H", {"h"}), "h");
}

TEST(Nearest, FirstOfEquallyNearOnes) {
    EXPECT_EQ(nearest("xp", {"tp", "pp", "dp"}), "tp");
}

TEST(Nearest, SwappedLettersAreOneEdit) {
    // Were a swap two edits, "abdc" (one third of 4: one edit allowed) would not be near.
    EXPECT_EQ(nearest("abdc", {"abcd"}), "abcd");
}

/// The search leaves names alone once they are as far as the best one; what it finds must not depend on that.
TEST(Nearest, IsTheSameInAnyOrderWhereOneIsNearest) {
    std::vector<std::string> known{"cache_use_mean", "cache_use_max", "cache_hit_rate", "scale_out",
                                   "scale_up"};
    std::ranges::sort(known);
    do {
        EXPECT_EQ(nearest("cahce_use_maxx", known), "cache_use_max");  // a swap and an insertion
        EXPECT_EQ(nearest("cache_hti_rta", known), "cache_hit_rate");  // two swaps and an omission
        EXPECT_EQ(nearest("sclae_upp", known), "scale_up");
    } while (std::ranges::next_permutation(known).found);
}

TEST(Nearest, HugeNameIsNotCompared) {
    EXPECT_EQ(nearest(std::string(100000, 'a'), {std::string(100000, 'a')}), std::nullopt);
}

// One random edit of a name of four letters or more is always recognised, whatever the others are.
TEST(Nearest, EveryRandomSlipIsFound) {
    std::mt19937 random(20240607);
    const std::vector<std::string> known{"microbatch", "bandwidth", "latency", "recompute", "zero"};
    for (int trial = 0; trial < 2000; ++trial) {
        const std::string& meant = known[random() % known.size()];
        std::string typed = meant;
        const std::size_t place = random() % typed.size();
        const char letter = static_cast<char>('a' + random() % 26);
        switch (random() % 4) {
            case 0:
                typed.erase(place, 1);
                break;
            case 1:
                typed.insert(place, 1, letter);
                break;
            case 2:
                typed[place] = letter;
                break;
            default:
                std::swap(typed[place], typed[place == 0 ? 1 : place - 1]);
        }
        EXPECT_EQ(nearest(typed, known), meant) << typed;
    }
}

TEST(Suggestion, NamesTheNearestElseAllKnown) {
    EXPECT_EQ(suggestion("latenci", keys), " (did you mean 'latency'?)");
    EXPECT_EQ(suggestion("energy", {"tp", "pp"}), " (known: tp, pp)");
    EXPECT_EQ(suggestion("energy", {}), "");
}

TEST(Suggestion, NamesThatHoldWhatWasWritten) {
    const std::vector<std::string> metrics{"iteration_time", "memory_peak", "memory_kv_cache", "mfu"};
    EXPECT_EQ(suggestion("memory", metrics), " (did you mean one of these: memory_peak, memory_kv_cache?)");
    EXPECT_EQ(suggestion("me", metrics), " (known: iteration_time, memory_peak, memory_kv_cache, mfu)")
        << "two letters are in too many words";
    EXPECT_EQ(suggestion("memory", {"memory_peak", "memory_peak"}), " (did you mean 'memory_peak'?)");
    std::vector<std::string> many;
    for (char c = 'a'; c < 'a' + 17; ++c) many.push_back(std::string{c} + "_longer_name");
    EXPECT_THAT(suggestion("name", many), testing::HasSubstr("known"));
}

TEST(Suggestion, APartOfANameIsMeantRatherThanALikeOne) {
    EXPECT_EQ(suggestion("b200", {"b300", "dgx_b200"}), " (did you mean 'dgx_b200'?)");
    EXPECT_EQ(suggestion("b200_ndr400", {"dgx_b200", "h100_ndr400"}), " (did you mean 'dgx_b200'?)");
    EXPECT_EQ(suggestion("h100_ndr40", {"h100_ndr400", "h100_ib"}), " (did you mean 'h100_ndr400'?)");
    EXPECT_EQ(suggestion("qwen3_235b", {"qwen3_32b", "qwen3_235b_a22b"}),
              " (did you mean 'qwen3_235b_a22b'?)");
    EXPECT_EQ(suggestion("device", {"devices", "devices_per_node"}), " (did you mean 'devices'?)");
}

TEST(Suggestion, ShowsTheNearestOfManyNamesInAlphabeticalOrder) {
    std::vector<std::string> many;
    for (int i = 0; i < 30; ++i) many.push_back("x" + std::to_string(1000 + i));
    many.emplace_back("latency_of_links");
    EXPECT_THAT(suggestion("links_of_latency", many),
                testing::AllOf(testing::StartsWith(" (known: latency_of_links, x1000, x1001"),
                               testing::EndsWith("x1022, …)")));
}

TEST(Suggestion, ShowsAtMost24Names) {
    std::vector<std::string> many;
    for (int i = 0; i < 25; ++i) many.push_back(std::to_string(1000 + i));
    const std::string text = suggestion("energy", many);
    EXPECT_NE(text.find("1023, …)"), std::string::npos) << text;
    EXPECT_EQ(text.find("1024"), std::string::npos) << text;
    many.pop_back();
    EXPECT_EQ(suggestion("energy", many).find("…"), std::string::npos);
}

TEST(Suggestion, ShortensNamesThatAreNone) {
    EXPECT_EQ(suggestion("operator", {std::string(100000, '[')}), " (known: " + std::string(80, '[') + "…)");
    EXPECT_EQ(suggestion("operator", {std::string(79, 'x') + "é and more"}),
              " (known: " + std::string(79, 'x') + "…)");
}

/// Whoever adds to a name what it leaves out means that one, rather than any of many.
TEST(Suggestion, KnowsNamesThatAreTheBeginningOfAnother) {
    std::vector<std::string> many{"nemotron3_nano", "nemotron3_8b", "nemotron3_super", "nemotron4_15b"};
    for (int i = 0; i < 30; ++i) many.push_back("model_of_many_" + std::to_string(i));
    EXPECT_EQ(suggestion("nemotron3_nano_30b_a3b", many), " (did you mean 'nemotron3_nano'?)");
    EXPECT_EQ(suggestion("Nemotron3_nano-30b-a3b", many), " (did you mean 'nemotron3_nano'?)");
    EXPECT_EQ(suggestion("nemotron3_nanotech_of_us", many).find("'nemotron3_nano'"), std::string::npos);
}

TEST(Suggestion, OfAChipWithOtherPartsAreAllOfThatChip) {
    std::vector<std::string> many{"a100_40_sxm", "a100_80_sxm", "h100_sxm"};
    for (int i = 0; i < 30; ++i) many.push_back("chip_of_many_" + std::to_string(i));
    EXPECT_EQ(suggestion("a100_sxm_with_80gb", many),
              " (did you mean one of these: a100_40_sxm, a100_80_sxm?)");
}

}  // namespace
}  // namespace dse
