#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/sim/engine.hpp"

namespace dse::sim {
namespace {

TEST(EngineTable, ListsEngines) {
    EXPECT_EQ(engines().names(), (std::vector<std::string>{"folded", "event"}));
    for (const auto& row : engines().rows()) EXPECT_NE(row.make(), nullptr);
}

TEST(EngineTable, KnowsTheNearestName) {
    EXPECT_THROW(static_cast<void>(engines().find("fold")), InputError);
}

}  // namespace
}  // namespace dse::sim
