#include "dse/model/compute/learned/kernel.hpp"

#include <gtest/gtest.h>

namespace dse::model {
namespace {

/// Trees are trained on the number of a format and a load.
TEST(Kernel, every_choice_has_its_name) {
    EXPECT_EQ(choice_names(KernelKind{})[static_cast<std::size_t>(KernelKind::latent_decode_block)],
              "latent_decode_block");
    EXPECT_EQ(choice_names(OperandFormat{})[static_cast<std::size_t>(OperandFormat::mxfp4_fp8)], "mxfp4_fp8");
    EXPECT_EQ(choice_names(KernelLibrary{})[static_cast<std::size_t>(KernelLibrary::vllm)], "vllm");
    EXPECT_EQ(choice_names(ExpertLoad{})[static_cast<std::size_t>(ExpertLoad::power_law_1_2)],
              "power_law_1.2");
}

}  // namespace
}  // namespace dse::model
