#include <gtest/gtest.h>

#include "dse/eval/validation/validate.hpp"

namespace dse::eval {
namespace {

/// One that ran fits, one does not; the same of two that ran out of memory. A closed form is no run.
TEST(Refusals, OfWhatRanAndWhatDidNot) {
    const auto cell = [](const char* id, const char* metric, double peak) {
        Comparison comparison;
        comparison.row.id = id;
        comparison.row.metric = metric;
        comparison.memory_peak = peak;
        comparison.memory_capacity = 80.0;
        return comparison;
    };
    const RefusalSummary summary =
        refusals({cell("a", "ran", 80.0), cell("b", "mfu", 81.0), cell("c", "out_of_memory", 79.0),
                  cell("d", "out_of_memory", 81.0), cell("e", "activation_per_gpu", 90.0)});
    EXPECT_EQ(summary.ran, 2U);
    EXPECT_EQ(summary.ran_refused, std::vector<std::string>{"b"});
    EXPECT_EQ(summary.out_of_memory, 2U);
    EXPECT_EQ(summary.out_of_memory_accepted, std::vector<std::string>{"c"});
}

}  // namespace
}  // namespace dse::eval
