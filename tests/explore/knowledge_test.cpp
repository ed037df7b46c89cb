#include "explore/knowledge.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

/// Points until none is left.
std::set<Genome> claim_all(Knowledge& knowledge) {
    std::set<Genome> claimed;
    while (auto genome = knowledge.claim_any()) {
        EXPECT_TRUE(claimed.insert(*genome).second) << "twice";
    }
    return claimed;
}

TEST(Knowledge, NoPointIsClaimedTwice) {
    Walked walked{"axes: {a: [1, 2, 3], b: [1, 2]}\nrequire: [a + b < 5]"};
    Genome genome{0, 0};
    EXPECT_TRUE(walked.knowledge.claim(genome));
    EXPECT_FALSE(walked.knowledge.claim(genome));
    genome = {2, 1};
    EXPECT_FALSE(walked.knowledge.claim(genome)) << "3 + 2 is no point";
    genome = {0, 0};
    walked.knowledge.release(genome);
    EXPECT_TRUE(walked.knowledge.claim(genome));
    EXPECT_EQ(claim_all(walked.knowledge).size(), 4U) << "5 points, one of which is claimed";
}

TEST(Knowledge, FindsTheFewPointsOfASparseSpace) {
    // 9 of 10^8: draws would look for them for ever.
    Walked walked{
        "axes: {a: {from: 1, to: 10000}, b: {from: 1, to: 10000}}\nrequire: [a == 777, b % 1111 == 1]"};
    const std::set<Genome> claimed = claim_all(walked.knowledge);
    EXPECT_EQ(claimed.size(), 10U) << "b = 1, 1112, …, 10000";
    EXPECT_TRUE(claimed.contains(Genome{776, 9999}));
}

TEST(Knowledge, DrawsTheSameFromTheSameSeed) {
    const std::string plane = "axes: {a: {from: 1, to: 50}, b: {from: 1, to: 50}}";
    Walked one{plane, 3};
    Walked same{plane, 3};
    Walked other{plane, 4};
    int equal = 0;
    for (int i = 0; i < 20; ++i) {
        const auto genome = one.knowledge.claim_any();
        EXPECT_EQ(genome, same.knowledge.claim_any());
        equal += genome == other.knowledge.claim_any() ? 1 : 0;
    }
    EXPECT_LT(equal, 5);
}

TEST(Knowledge, RemembersWhatItLearnt) {
    Walked walked{"axes: {a: [1]}"};
    walked.knowledge.learn(solution({2, 2}));
    walked.knowledge.learn(solution({1, 1}));
    EXPECT_EQ(walked.knowledge.solutions().size(), 2U);
    EXPECT_EQ(walked.knowledge.best().members().size(), 1U);
}

}  // namespace
}  // namespace dse::explore::test
