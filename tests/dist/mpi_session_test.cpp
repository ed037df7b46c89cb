// What needs several ranks is tested by tests/mpi.
#include "dse/dist/mpi_session.hpp"

#include <cstdlib>

#include <gtest/gtest.h>

namespace dse::dist {
namespace {

TEST(MpiSession, SeesALauncher) {
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) unsetenv(variable);
    EXPECT_FALSE(MpiSession::launched());
    for (const char* variable : {"OMPI_COMM_WORLD_SIZE", "PMIX_RANK", "PMI_RANK"}) {
        setenv(variable, "2", 1);
        EXPECT_TRUE(MpiSession::launched()) << variable;
        unsetenv(variable);
    }
}

}  // namespace
}  // namespace dse::dist
