#include "dse/space/registry.hpp"

#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::space {
namespace {

TEST(Samplers, AreListed) {
    EXPECT_THAT(samplers().names(), ::testing::IsSupersetOf({"grid", "random", "sobol", "latin_hypercube"}));
    EXPECT_THROW(static_cast<void>(samplers().find("gird")), InputError);
}

TEST(Samplers, SayWhetherTheyWalkTheGrid) {
    EXPECT_TRUE(walks_grid("grid"));
    for (const char* other : {"random", "sobol", "nsga2", "gird", ""})
        EXPECT_FALSE(walks_grid(other)) << other;
}

}  // namespace
}  // namespace dse::space
