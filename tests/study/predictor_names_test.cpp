#include "dse/study/predictor_names.hpp"

#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "support/error_message.hpp"

namespace dse::study {
namespace {

TEST(PredictorFamily, NamesTheNearestMember) {
    const PredictorFamily engines{"engine", {"folded", "event"}};
    engines.require("event");
    EXPECT_EQ(test::error_message<InputError>([&] { engines.require("evnt"); }),
              "unknown engine 'evnt' (did you mean 'event'?)");
    EXPECT_EQ(test::error_message<InputError>([&] { engines.require("quantum"); }),
              "unknown engine 'quantum' (known: folded, event)");
}

}  // namespace
}  // namespace dse::study
