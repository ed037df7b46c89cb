#include "trace/chakra/node_index.hpp"

#include <map>
#include <random>

#include <gtest/gtest.h>

namespace dse::trace::chakra {
namespace {

TEST(NodesById, FindsTheFirstNodeOfAnId) {
    std::mt19937_64 random{3};
    for (const std::uint64_t width : {std::uint64_t{10}, std::uint64_t{1} << 40U, ~std::uint64_t{0}}) {
        std::vector<TraceStep> steps(50);
        std::map<std::uint64_t, std::uint32_t> expected;
        std::vector<std::uint32_t> duplicates;
        for (std::uint32_t n = 0; n < steps.size(); ++n) {
            steps[n].id = random() % width;
            if (n == 20) steps[n].id = steps[3].id;
            if (!expected.emplace(steps[n].id, n).second) duplicates.push_back(n);
        }
        const NodesById nodes{steps};
        for (const auto& [id, node] : expected) EXPECT_EQ(nodes.find(id), node);
        EXPECT_EQ(std::vector(nodes.duplicates().begin(), nodes.duplicates().end()), duplicates);
        EXPECT_EQ(nodes.find(expected.rbegin()->first + 1), NodesById::none);
    }
    EXPECT_EQ(NodesById{{}}.find(0), NodesById::none);
}

}  // namespace
}  // namespace dse::trace::chakra
