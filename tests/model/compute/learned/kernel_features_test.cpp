#include "dse/model/compute/learned/kernel_features.hpp"

#include <cmath>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

/// 80, 160 and 320 TFLOP/s in 16, 8 and 4 bits, products in 8 bits 140, 0.9 of it with random numbers, 1
/// TB/s, 100 multiprocessors of 1 GHz, 50 MB.
KernelDevice device(double capability = 9.0) {
    hardware::DeviceSpec device;
    device.peak.bf16 = FlopPerSecond{100e12};
    device.peak.fp8 = FlopPerSecond{200e12};
    device.peak.fp4 = FlopPerSecond{400e12};
    device.matmul.sustained.bf16 = FlopPerSecond{80e12};
    device.matmul.sustained.fp8 = FlopPerSecond{140e12};
    device.efficiency.gemm = 0.9;
    device.memory.bandwidth = BytesPerSecond{1e12};
    hardware::LearnedSpec learned;
    learned.multiprocessors = 100;
    learned.cache = Bytes{50e6};
    learned.capability = capability;
    learned.cycle = Seconds{1e-9};
    return {device, learned};
}

/// Costs in microseconds: their number, sum, and sum weighted by 1, 2, 3, …; and the family of their weights.
struct Costs {
    std::size_t count;
    double sum;
    double weighted;
    int family;
};

/// Number of features, their sum, their sum weighted by 1, 2, 3, …, the bare form, and the costs: as
/// analysis/dse_analysis/kernel_features.py, which trains on them, says of the same kernels
/// (tests/analysis/test_kernel_features.py).
void expect(const Kernel& kernel, std::size_t count, double sum, double weighted, double bare,
            const Costs& costs, const KernelDevice& on = device()) {
    const KernelFeatures features = on.features(kernel);
    EXPECT_EQ(features.count, count);
    double own_sum = 0.0;
    double own_weighted = 0.0;
    for (std::size_t i = 0; i < features.count; ++i) {
        own_sum += features.values[i];
        own_weighted += features.values[i] * static_cast<double>(i + 1);
    }
    EXPECT_NEAR(own_sum, sum, 1e-8);
    EXPECT_NEAR(own_weighted, weighted, 1e-8);
    EXPECT_NEAR(features.bare, bare, 1e-11);
    EXPECT_EQ(features.cost_count, costs.count);
    EXPECT_EQ(features.family, costs.family);
    double sum_of_costs = 0.0;
    double weighted_costs = 0.0;
    for (std::size_t i = 0; i < features.cost_count; ++i) {
        sum_of_costs += features.costs[i] * 1e6;
        weighted_costs += features.costs[i] * 1e6 * static_cast<double>(i + 1);
    }
    EXPECT_NEAR(sum_of_costs, costs.sum, 1e-8);
    EXPECT_NEAR(weighted_costs, costs.weighted, 1e-8);
}

TEST(KernelFeatures, of_a_product) {
    Kernel kernel;
    kernel.library = KernelLibrary::vllm;
    kernel.format = OperandFormat::fp8;
    kernel.m = 1000;
    kernel.n = 4096;
    kernel.k = 2048;
    expect(kernel, 22, 83.939777299, 1032.454948140, -8.955335481834,
           {10, 419.473676190, 1901.394864762, 10});
}

/// Three copies of 16.78 MB exceed the cache; with 0.79 MB of other operands they are 1.022 times as large,
/// so that (1.2 - 1.022) / 0.35 = 0.5076 of 17.56 MB are cached: at 3,200 bytes a nanosecond 2.79 us,
/// and 9.61 us for the rest at 0.9 TB/s. 3 + 13.42 / 0.9 + 0.3 · 12.40 = 21.63 us. vLLM's six copies leave
/// nothing in the cache: 3 + 19.51 + 0.3 · 13.42 = 26.54 us.
TEST(KernelFeatures, small_products_find_their_operands_in_the_cache) {
    Kernel kernel;
    kernel.m = 64;
    kernel.n = 4096;
    kernel.k = 2048;
    EXPECT_NEAR(std::exp(device().features(kernel).bare), 21.63e-6, 1e-8);
    expect(kernel, 22, 54.454539760, 668.489604671, -10.741340058418, {10, 143.770843607, 763.151069713, 0});
    kernel.library = KernelLibrary::vllm;
    EXPECT_NEAR(std::exp(device().features(kernel).bare), 26.54e-6, 1e-8);
}

/// TensorRT-LLM's weights of 8 bits were measured as one constant, in the arithmetic of 16 bits; those of 16
/// bits as random numbers, which take 1 / 0.9 of the time. The first feature is the logarithm of the
/// arithmetic's.
TEST(KernelFeatures, products_of_random_numbers_take_longer) {
    Kernel kernel;
    kernel.m = kernel.n = kernel.k = 4096;
    const double random = device().features(kernel).values[0];
    kernel.library = KernelLibrary::vllm;
    const double constant = device().features(kernel).values[0];
    EXPECT_NEAR(random - constant, std::log2(1.0 / 0.9), 1e-12);
    kernel.library = KernelLibrary::trtllm;
    kernel.format = OperandFormat::int8_weight;
    EXPECT_NEAR(device().features(kernel).values[0], constant, 1e-12);
}

TEST(KernelFeatures, of_attention) {
    Kernel kernel;
    kernel.kind = KernelKind::prefill;
    kernel.batch = 2;
    kernel.heads = 16;
    kernel.kv_heads = 4;
    kernel.window = 512;
    kernel.queries = 1024;
    kernel.keys = 1024;
    expect(kernel, 24, 198.108258978, 2798.707602871, -8.837341744601,
           {14, 285.256516978, 1883.482978133, 36});
    kernel.kind = KernelKind::decode;
    kernel.batch = 8;
    kernel.window = 0;
    kernel.queries = 1;
    kernel.keys = 4096;
    kernel.narrow_cache = true;
    expect(kernel, 24, 181.114234971, 2618.993513341, -10.677065750522,
           {11, 67.702873141, 526.866661701, 18});
}

TEST(KernelFeatures, of_experts) {
    Kernel kernel;
    kernel.kind = KernelKind::experts;
    kernel.format = OperandFormat::nvfp4;
    kernel.tokens = 64;
    kernel.hidden = 4096;
    kernel.inner = 1536;
    kernel.choices = 8;
    kernel.experts = 128;
    kernel.tensor_ranks = 2;
    kernel.expert_ranks = 4;
    kernel.load = ExpertLoad::power_law_1_2;
    expect(kernel, 27, 78.409620976, 971.164786397, -8.500680858095, {19, 823.626919154, 4727.175847087, 3});
    expect(kernel, 27, 78.409620976, 971.164786397, -8.500680858095, {19, 387.884493681, 7301.560145354, 3},
           device(12.0));
    kernel.format = OperandFormat::fp8_block;
    expect(kernel, 27, 79.783690453, 953.452039288, -7.956686379128, {19, 344.725936981, 6481.547568038, 2},
           device(12.0));
    kernel = {};
    kernel.kind = KernelKind::experts;
    kernel.tokens = 4;
    kernel.hidden = 4096;
    kernel.inner = 1536;
    kernel.choices = 8;
    kernel.experts = 128;
    kernel.tensor_ranks = 2;
    kernel.load = ExpertLoad::power_law_1_01;
    expect(kernel, 27, 65.788746524, 789.631519294, -7.399213305228,
           {19, 2688.034863018, 15314.049159375, 0});
    kernel.tokens = 16;  // as many choices as experts: the most that are few
    expect(kernel, 27, 80.085717682, 941.090260253, -6.363303905051,
           {19, 7613.226559826, 42566.523113144, 0});
}

/// vLLM 0.24.0 runs TensorRT-LLM's kernels on RTX PRO 6000, and Triton's, which are another family, on L40S.
TEST(KernelFeatures, experts_of_all_libraries_share_the_weights_of_what_runs_them) {
    Kernel kernel;
    kernel.kind = KernelKind::experts;
    kernel.format = OperandFormat::fp8;
    kernel.release = "1.3.0rc20";
    EXPECT_EQ(device(12.0).features(kernel).runner_family, 100000 + 1 + 9 * 1);
    kernel.library = KernelLibrary::vllm;
    kernel.release = "0.24.0";
    EXPECT_EQ(device(12.0).features(kernel).runner_family, 100000 + 1 + 9 * 1);
    EXPECT_EQ(device(8.9).features(kernel).runner_family, 100000 + 1);
    kernel.kind = KernelKind::gemm;
    EXPECT_EQ(device(8.9).features(kernel).runner_family, -1);
}

/// FlashInfer has the same kernels for a cache in fp8 as TensorRT-LLM on B200, but none for heads of 192.
TEST(KernelFeatures, attention_has_what_runs_it) {
    Kernel kernel;
    kernel.kind = KernelKind::prefill;
    kernel.narrow_cache = true;
    const int generated = 100000 + 9 * (3 + 9);
    EXPECT_EQ(device(10.0).features(kernel).runner_family, generated);
    kernel.library = KernelLibrary::vllm;
    const KernelFeatures of_flashinfer = device(10.0).features(kernel);
    EXPECT_EQ(of_flashinfer.runner_family, generated);
    EXPECT_EQ(of_flashinfer.values[22], 3.0);
    kernel.head_dim = 192;
    kernel.window = 128;
    const KernelFeatures of_triton = device(10.0).features(kernel);
    EXPECT_EQ(of_triton.runner_family, 100000 + 9 * (0 + 9 * 3));
    EXPECT_EQ(of_triton.values[22], 0.0);
}

TEST(KernelFeatures, of_latent_attention) {
    Kernel kernel;
    kernel.kind = KernelKind::latent_decode_block;
    kernel.library = KernelLibrary::vllm;
    kernel.format = OperandFormat::fp8_block;
    kernel.batch = 4;
    kernel.heads = 16;
    kernel.queries = 1;
    kernel.keys = 2048;
    expect(kernel, 19, 33.660195447, 390.071797081, -9.711919546439, {14, 76.994191644, 648.882332444, 11});
    kernel.kind = KernelKind::latent_prefill;
    kernel.library = KernelLibrary::trtllm;
    kernel.format = OperandFormat::bf16;
    kernel.queries = 256;
    kernel.keys = 512;
    kernel.narrow_cache = true;
    expect(kernel, 19, 61.797051974, 664.003906089, -9.684832180715, {11, 191.964316444, 1250.021390222, 18});
}

/// 400 blocks on 100 multiprocessors take four rounds, of 2 · 64 · 832 FLOP a key at 0.6 of 0.8 TFLOP/s: 888
/// ns a key and 1818 us for 2048 of them, and 0.3 of the 178 us that the products take, and 8 us. vLLM's
/// kernel takes the 532 us of the memory instead. A key takes no less than 180 cycles, here of 1 ns, where
/// one block after the other has a multiprocessor.
TEST(KernelFeatures, blocks_of_latent_decode_wait_for_one_key_after_the_other) {
    Kernel kernel;
    kernel.kind = KernelKind::latent_decode_block;
    kernel.heads = 128;
    kernel.keys = 1000;
    const auto blocks_of = [&](double rate) {
        hardware::DeviceSpec fast;
        fast.peak.bf16 = FlopPerSecond{rate};
        fast.memory.bandwidth = BytesPerSecond{1e12};
        hardware::LearnedSpec learned;
        learned.multiprocessors = 100;
        learned.cache = Bytes{50e6};
        learned.capability = 8.0;
        learned.cycle = Seconds{1e-9};
        return KernelDevice{fast, learned}.features(kernel).costs[8] * 1e6;
    };
    EXPECT_NEAR(blocks_of(1e15), 180.0, 1e-9);
    EXPECT_NEAR(blocks_of(5e13), 1000 * 2 * 64 * 832 / 0.3e12 * 1e6, 1e-9);
}

TEST(KernelFeatures, latent_decode_is_serial_where_warps_multiply) {
    Kernel kernel;
    kernel.kind = KernelKind::latent_decode;
    kernel.batch = 200;
    kernel.heads = 16;
    kernel.keys = 2048;
    EXPECT_NEAR(std::exp(device(8.0).features(kernel).bare), 1879e-6, 1e-6);
    expect(kernel, 19, 65.869693238, 531.286111259, -6.277010710594, {9, 2324.178844444, 18387.710933333, 0},
           device(8.0));
    EXPECT_EQ(device(12.0).features(kernel).bare, device(8.0).features(kernel).bare);
    EXPECT_NEAR(std::exp(device(9.0).features(kernel).bare), 593.5e-6, 1e-6);
    kernel.library = KernelLibrary::vllm;
    EXPECT_NEAR(std::exp(device(8.0).features(kernel).bare), 593.5e-6, 1e-6);
}

}  // namespace
}  // namespace dse::model
