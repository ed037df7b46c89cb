#include "space/permutation.hpp"

#include <vector>

#include <gtest/gtest.h>

namespace dse::space {
namespace {

TEST(Permutation, IsOneToOne) {
    for (const std::uint64_t size : {1U, 2U, 3U, 5U, 100U, 1000U, 4096U, 5000U}) {
        const Permutation permutation(size, size * 17);
        std::vector<bool> hit(size, false);
        for (std::uint64_t i = 0; i < size; ++i) {
            const std::uint64_t image = permutation(i);
            ASSERT_LT(image, size);
            ASSERT_FALSE(hit[image]);
            hit[image] = true;
        }
    }
    const std::uint64_t huge = std::uint64_t{1} << 63U;
    EXPECT_NE(Permutation(huge, 1)(0), Permutation(huge, 2)(0));
    EXPECT_LT(Permutation(huge, 1)(huge - 1), huge);
}

}  // namespace
}  // namespace dse::space
