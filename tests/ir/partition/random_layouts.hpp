#pragma once

#include <algorithm>
#include <cstdint>
#include <random>
#include <vector>

#include <gtest/gtest.h>

#include "ir/partition/reshard.hpp"

namespace dse::ir::partition {

/// Layouts of three dimensions over a mesh of x = 2, y = 2, z = 4 whose last axis may be split in two.
class RandomLayouts {
  public:
    explicit RandomLayouts(std::uint64_t seed) : random_{seed} {}

    Layout next() {
        Layout result(3);
        std::vector<AxisRef> axes{{0, 1, 2}, {1, 1, 2}, {2, 1, 2}, {2, 2, 2}};
        std::shuffle(axes.begin(), axes.end(), random_);
        for (const AxisRef& axis : axes)
            if (random_() % 4 != 0) result[random_() % 3].push_back(axis);
        for (Axes& dimension : result) dimension = normalized(dimension);
        return result;
    }

  private:
    std::mt19937_64 random_;
};

/// Whatever the two layouts, the last step ends in the one that was wanted, and there are few.
/// \param steps_between  from (from, to) to steps
template <class StepsBetween>
void expect_arrival(StepsBetween steps_between) {
    RandomLayouts layouts{7};
    for (int i = 0; i < 5000; ++i) {
        const Layout from = layouts.next();
        const Layout to = layouts.next();
        const std::vector<ReshardStep> steps = steps_between(from, to);
        EXPECT_EQ(steps.empty() ? from : steps.back().after, to) << i;
        EXPECT_LE(steps.size(), 12U);
    }
}

}  // namespace dse::ir::partition
