// Also tests: workload_spec.cpp
#include "dse/workload/training_stack.hpp"

#include <cmath>
#include <functional>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "dse/workload/workload_spec.hpp"

namespace dse::workload {
namespace {

using ::testing::ElementsAre;

TEST(TrainingStack, NamesItsChoicesInTheOrderOfTheEnumerators) {
    EXPECT_THAT(choice_names(Recompute{}), ElementsAre("none", "selective", "full"));
    EXPECT_THAT(choice_names(Attention{}), ElementsAre("unfused", "flash"));
    EXPECT_THAT(choice_names(LossKernel{}), ElementsAre("unfused", "compiled", "fused"));
    EXPECT_THAT(choice_names(CastRecipe{}), ElementsAre("tensor", "block", "row"));
    EXPECT_EQ(choice_names(Recompute{})[static_cast<std::size_t>(Recompute::full)], "full");
    EXPECT_EQ(choice_names(Attention{})[static_cast<std::size_t>(Attention::flash)], "flash");
    EXPECT_EQ(choice_names(LossKernel{})[static_cast<std::size_t>(LossKernel::fused)], "fused");
    EXPECT_EQ(choice_names(CastRecipe{})[static_cast<std::size_t>(CastRecipe::row)], "row");
}

TEST(WorkloadSpec, NamesItsModes) {
    EXPECT_EQ(choice_names(Mode{})[static_cast<std::size_t>(Mode::training)], "training");
}

TEST(TrainingStack, IsValidAsItComesAndAtItsBounds) {
    TrainingStack stack;
    EXPECT_NO_THROW(require_valid(stack));
    stack.zero = 3;
    stack.prefetch = 0;
    stack.overlap_tp = 0.0;
    stack.overlap_dp = stack.overlap_pp = stack.allocator_overhead = 1.0;
    EXPECT_NO_THROW(require_valid(stack));
}

struct Excess {
    std::string field;
    std::function<void(TrainingStack&)> change;
};

class TrainingStackExcess : public ::testing::TestWithParam<Excess> {};

TEST_P(TrainingStackExcess, IsRefusedByName) {
    TrainingStack stack;
    GetParam().change(stack);
    try {
        require_valid(stack);
        FAIL() << "not refused";
    } catch (const ModelError& error) {
        EXPECT_EQ(std::string{error.what()}.rfind(GetParam().field + " is ", 0), 0U) << error.what();
    }
}

INSTANTIATE_TEST_SUITE_P(
    Stack, TrainingStackExcess,
    ::testing::Values(Excess{"zero", [](TrainingStack& s) { s.zero = 4; }},
                      Excess{"zero", [](TrainingStack& s) { s.zero = -1; }},
                      Excess{"prefetch", [](TrainingStack& s) { s.prefetch = 65; }},
                      Excess{"prefetch", [](TrainingStack& s) { s.prefetch = -1; }},
                      Excess{"overlap_tp", [](TrainingStack& s) { s.overlap_tp = 1.01; }},
                      Excess{"overlap_dp", [](TrainingStack& s) { s.overlap_dp = -0.01; }},
                      Excess{"overlap_pp", [](TrainingStack& s) { s.overlap_pp = std::nan(""); }},
                      Excess{"allocator_overhead", [](TrainingStack& s) { s.allocator_overhead = 2.0; }}));

}  // namespace
}  // namespace dse::workload
