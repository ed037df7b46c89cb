#include "dse/space/identity.hpp"

#include <gtest/gtest.h>

#include "tiny_sweep.hpp"

namespace dse::space {
namespace {

using Entries = std::vector<std::pair<std::string, std::string>>;

TEST(Identity, NamesEverythingThatDefinesThePoints) {
    const auto space = testing::compile(testing::layout_sweep);
    EXPECT_EQ(identity(*space), (Entries{
                                    {"axes.0.tp", "1, 2, 4, 8"},
                                    {"axes.1.pp", "1, 2, 3, 4"},
                                    {"axes.2.microbatch", "1, 2, 4, 8"},
                                    {"axes.3.schedule", "gpipe, 1f1b, interleaved"},
                                    {"axes.4.outer.bandwidth", "25000000000, 50000000000"},
                                    {"derive.dp", "devices / (tp * pp)"},
                                    {"require.0", "devices % (tp * pp) == 0"},
                                    {"require.1", "global_batch % (dp * microbatch) == 0"},
                                    {"require.2", "schedule != 'interleaved' or pp > 1"},
                                    {"search.method", "grid"},
                                }));
}

TEST(Identity, DigestChangesWithEachEntry) {
    const std::string base = "axes:\n  tp: [1, 2]\n  pp: [1, 2]\nrequire: [tp > 0]\n";
    const auto digest_of = [](const std::string& text) { return digest(identity(*testing::compile(text))); };
    EXPECT_EQ(digest_of(base), digest_of("name: other\n" + base));
    for (const char* changed :
         {"axes:\n  tp: [1, 3]\n  pp: [1, 2]\nrequire: [tp > 0]\n",
          "axes:\n  tp: [2, 1]\n  pp: [1, 2]\nrequire: [tp > 0]\n",
          "axes:\n  pp: [1, 2]\n  tp: [1, 2]\nrequire: [tp > 0]\n",
          "axes:\n  tp: [1, 2]\n  pp: [1, 2]\nrequire: [tp > 1]\n", "axes:\n  tp: [1, 2]\n  pp: [1, 2]\n",
          "axes:\n  tp: [1, 2]\n  pp: [1, 2]\nderive: {dp: tp}\nrequire: [tp > 0]\n"}) {
        EXPECT_NE(digest_of(base), digest_of(changed)) << changed;
    }
    EXPECT_NE(digest({{"a", "bc"}}), digest({{"ab", "c"}}));
}

/// Before Sobol and Latin hypercubes drew each point of a grid once, their ids had other points: rows of then
/// do not go on. Points of continua, and random ones, are still the same.
TEST(Identity, StatesThatPointsAreDrawnOnce) {
    const auto draws_of = [](const std::string& text) {
        const auto space = testing::compile(text);
        for (const auto& [name, value] : identity(*space))
            if (name == "search.draws") return value;
        return std::string{};
    };
    const auto sweep = [](const char* axis, const char* method, const char* budget) {
        return fmt::format("axes:\n  tp: {}\nsearch: {{method: {}, budget: {}}}\n", axis, method, budget);
    };
    EXPECT_EQ(draws_of(sweep("[1, 2, 4]", "sobol", "3")), "each point once");
    EXPECT_EQ(draws_of(sweep("[1, 2, 4]", "latin_hypercube", "3")), "each point once");
    EXPECT_EQ(draws_of(sweep("[1, 2, 4]", "random", "3")), "");
    EXPECT_EQ(draws_of(sweep("[1, 2, 4]", "sobol", "262145")), "");  // more are not looked through
    EXPECT_EQ(draws_of("axes:\n  tp: [1, 2, 4]\n"), "");
}

TEST(Identity, APointIsNamedByItsValues) {
    const auto space =
        testing::compile("axes:\n  tp: [1, 2]\n  schedule: [gpipe, 1f1b]\n  model: [llama, gpt]\n");
    const auto turned =
        testing::compile("axes:\n  model: [gpt, llama]\n  schedule: [1f1b, gpipe]\n  tp: [4, 2, 1]\n");
    Point a;
    Point b;
    ASSERT_TRUE(space->point(4, a));    // tp = 2, gpipe, llama
    ASSERT_TRUE(turned->point(10, b));  // llama (1·6), gpipe (1·3), tp = 2 (1)
    EXPECT_EQ(digest(*space, a), digest(*turned, b));
    ASSERT_TRUE(space->point(5, a));
    EXPECT_NE(digest(*space, a), digest(*turned, b));
}

}  // namespace
}  // namespace dse::space
