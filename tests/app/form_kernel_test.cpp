#include "app/form_kernel.hpp"

#include <gtest/gtest.h>

#include "model/devices.hpp"

namespace dse::app {
namespace {

using model::Kernel;
using model::KernelKind;

/// 100 TFLOP/s in bf16, 1 TB/s.
class FormKernelsTest : public ::testing::Test {
  protected:
    hardware::DeviceSpec device_ = model::bare_device();
};

TEST_F(FormKernelsTest, ProductsTakeTheLongerOfComputeAndMemory) {
    const FormKernels kernels{device_};
    Kernel product;
    product.m = product.n = product.k = 1000;
    EXPECT_NEAR(kernels.time(product)->value(), 20e-6, 1e-12) << "2e9 FLOP; 6 MB take 6 us";
    product.m = 1;
    EXPECT_NEAR(kernels.time(product)->value(), 2.004e-6, 1e-12) << "1001 x 1000 elements, and 1000";
    product.format = model::OperandFormat::fp8;
    EXPECT_FALSE(kernels.time(product)) << "the device lacks it";
    EXPECT_EQ(kernels.missing(product), "the device has no matrix units for fp8");
    product.format = model::OperandFormat::int4_weight;
    EXPECT_FALSE(kernels.time(product));
    EXPECT_EQ(kernels.missing(product), "weights in fewer bits than activations have no form");
    product.format = model::OperandFormat::int8;
    EXPECT_NEAR(kernels.time(product)->value(), 1.003e-6, 1e-12)
        << "at bf16's rate, 1001 x 1000 bytes, 1000 results";
}

TEST_F(FormKernelsTest, AttentionIsCausal) {
    const FormKernels kernels{device_};
    Kernel prefill;
    prefill.kind = KernelKind::prefill;
    prefill.heads = prefill.kv_heads = 10;
    prefill.queries = prefill.keys = 1000;
    // 10 heads x 500,500 pairs x 4 x 128 FLOP.
    EXPECT_NEAR(kernels.time(prefill)->value(), 25.6256e-6, 1e-12);
    Kernel decode;
    decode.kind = KernelKind::decode;
    decode.batch = 8;
    decode.heads = 32;
    decode.kv_heads = 8;
    decode.keys = 1000;
    // 16.384 million elements of the cache, and 32,768 queries and results.
    EXPECT_NEAR(kernels.time(decode)->value(), 32.899072e-6, 1e-12);
    decode.narrow_cache = true;
    EXPECT_NEAR(kernels.time(decode)->value(), 16.515072e-6, 1e-12);
    decode.window = 100;
    EXPECT_FALSE(kernels.time(decode));
    EXPECT_EQ(kernels.missing(decode), "attention with a window has no form");
    decode.kind = KernelKind::experts;
    EXPECT_FALSE(kernels.time(decode));
    EXPECT_EQ(kernels.missing(decode), "operator experts has no form");
}

/// Two operands and a result of 2 MB each.
TEST_F(FormKernelsTest, ElementwiseKernelsMoveTheirBytes) {
    EXPECT_NEAR(FormKernels{device_}.time(VectorKernel{{1000, 1000}, 2}).value(), 6e-6, 1e-12);
}

}  // namespace
}  // namespace dse::app
