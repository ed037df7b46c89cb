#include "explore/archive.hpp"

#include <gtest/gtest.h>

#include "explore/sample_lattice.hpp"

namespace dse::explore::test {
namespace {

TEST(Archive, KeepsWhatNothingIsBetterThan) {
    Archive archive;
    EXPECT_TRUE(archive.admit(solution({3, 3})));
    EXPECT_TRUE(archive.admit(solution({1, 4})));
    EXPECT_FALSE(archive.admit(solution({3, 4}))) << "(3, 3) is better";
    EXPECT_FALSE(archive.admit(solution({1, 4}))) << "as good as one that is there";
    EXPECT_FALSE(archive.admit(solution({0, 0}, 0.5))) << "not feasible";
    EXPECT_TRUE(archive.admit(solution({2, 2}))) << "drives (3, 3) out";
    ASSERT_EQ(archive.members().size(), 2U);
    EXPECT_EQ(archive.members()[0].costs, (std::vector<double>{1, 4}));
    EXPECT_EQ(archive.members()[1].costs, (std::vector<double>{2, 2}));
}

}  // namespace
}  // namespace dse::explore::test
