#include "dse/space/registry.hpp"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "dse/base/error.hpp"

namespace dse::space {
namespace {

TEST(Samplers, AreListed) {
    EXPECT_EQ(samplers().names(), (std::vector<std::string>{"grid", "random", "sobol", "latin_hypercube"}));
    EXPECT_THROW(static_cast<void>(samplers().find("gird")), InputError);
}

}  // namespace
}  // namespace dse::space
