#include "dse/results/provenance.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace dse::results {
namespace {

TEST(Provenance, SaysWhatRunsWhereSinceWhen) {
    const Provenance here = this_run();
    EXPECT_THAT(here.dse_version, testing::MatchesRegex("[0-9]+\\.[0-9]+\\.[0-9]+"));
    EXPECT_THAT(here.git_hash, testing::AnyOf("unknown", testing::MatchesRegex("[0-9a-f]{12,40}(-dirty)?")));
    EXPECT_FALSE(here.host.empty());
    EXPECT_THAT(here.start,
                testing::MatchesRegex("20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"));
}

}  // namespace
}  // namespace dse::results
