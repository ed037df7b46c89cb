#include "dse/model/compute/learned/kernel_time.hpp"

#include <array>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "dse/base/error.hpp"
#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

Kernel cube(double size) {
    Kernel kernel;
    kernel.m = kernel.n = kernel.k = size;
    return kernel;
}

/// 2 · 1000^3 FLOP at 100 TFLOP/s take 20 us, 6 MB from the cache, at 3,200 bytes in a cycle of 0.5 ns,
/// 0.9375 us: 3 + 20 + 0.3 · 0.9375 = 23.28125 us, twice. Five copies of the weights fit the cache.
TEST(KernelTime, trees_scale_the_bare_form) {
    const KernelTime kernels{bare_device(), with_trees("gemm", static_cast<float>(std::log(2.0)))};
    const auto time = kernels.time(cube(1000));
    ASSERT_TRUE(time.has_value());
    EXPECT_NEAR(time->value(), 46.5625e-6, 1e-10);
    EXPECT_FALSE(kernels.power(cube(1000)).has_value());
}

/// Costs of a cube of 1000, which are those of kernel_features_test's order: the second is 20 us of
/// arithmetic.
hardware::LearnedSpec with_costs(std::vector<double> weights, float answer, double largest) {
    hardware::LearnedKind gemm;
    gemm.trees.add(std::array{hardware::TreeEnsemble::Node{answer, -1, 0}});
    gemm.sums.set(hardware::CostSums::any_family, std::move(weights));
    gemm.largest = largest;
    hardware::LearnedSpec learned = with_trees("gemm", 0.0F);
    learned.trees = std::make_shared<const hardware::TreeFile>(
        std::map<std::string, hardware::LearnedKind>{{"gemm", gemm}});
    return learned;
}

/// 4 us, and 1.5 · 20 us: 34 us, twice.
TEST(KernelTime, trees_scale_sums_of_costs) {
    const auto learned = with_costs({4, 1.5, 0, 0, 0, 0, 0, 0, 0, 0}, static_cast<float>(std::log(2.0)), 0.0);
    const KernelTime kernels{bare_device(), learned};
    EXPECT_NEAR(kernels.time(cube(1000))->value(), 68e-6, 1e-11);
}

/// The estimate of the cube is 23.28 us. Where the largest kernel had a quarter of it, the logarithm of the
/// factor is divided by e.
TEST(KernelTime, corrections_fade_beyond_the_largest_kernel) {
    const double largest = std::log(23.28125e-6 / 4.0);
    const auto learned = with_costs({0, 1, 0, 0, 0, 0, 0, 0, 0, 0}, 0.5F, largest);
    const KernelTime kernels{bare_device(), learned};
    EXPECT_NEAR(kernels.time(cube(1000))->value(), 20e-6 * std::exp(0.5 / std::exp(1.0)), 1e-10);
}

TEST(KernelTime, other_costs_than_those_of_the_kind_are_refused) {
    EXPECT_THROW(KernelTime(bare_device(), with_costs({1, 1}, 0.0F, 0.0)), InputError);
}

TEST(KernelTime, trees_of_no_kind_are_refused) {
    try {
        const KernelTime kernels{bare_device(), with_trees("gem", 0.0F)};
        FAIL();
    } catch (const InputError& error) {
        EXPECT_THAT(error.what(), testing::HasSubstr("'gem' is no kind of kernels (did you mean 'gemm'?)"));
    }
}

/// Trees of any release of vLLM and SGLang, whose costs are 1, 2 and 3 times the arithmetic of 20 us.
hardware::LearnedSpec with_releases() {
    const int families = 8 * static_cast<int>(choice_names(OperandFormat{}).size());
    const auto times = [](double factor) { return std::vector<double>{0, factor, 0, 0, 0, 0, 0, 0, 0, 0}; };
    const int vllm = static_cast<int>(choice_names(OperandFormat{}).size());  // family of bf16
    hardware::LearnedKind own;
    own.trees.add(std::array{hardware::TreeEnsemble::Node{0.0F, -1, 0}});
    own.sums.set(hardware::CostSums::any_family, times(10));
    own.sums.set(vllm, times(1));
    own.releases["trtllm"] = "1.0";
    hardware::LearnedKind others = own;
    others.sums.set(vllm + families * 1, times(2));
    others.sums.set(families * 3, times(3));
    hardware::LearnedSpec learned = with_trees("gemm", 0.0F);
    learned.releases = {.trtllm = "1.3", .vllm = "0.22", .sglang = "0.5"};
    learned.trees = std::make_shared<const hardware::TreeFile>(
        std::map<std::string, hardware::LearnedKind>{{"gemm", own}, {"gemm_releases", others}},
        std::vector<hardware::MeasuredRelease>{{0, "vllm", "0.19"}, {2, "sglang", "0.5"}});
    return learned;
}

TEST(KernelTime, releases_have_costs_of_their_own) {
    const KernelTime kernels{bare_device(), with_releases()};
    Kernel kernel = cube(1000);
    const auto microseconds = [&](KernelLibrary library, const char* release) {
        kernel.library = library;
        kernel.release = release;
        return kernels.time(kernel)->value() * 1e6;
    };
    EXPECT_NEAR(microseconds(KernelLibrary::vllm, ""), 20, 1e-6);
    EXPECT_NEAR(microseconds(KernelLibrary::vllm, "0.24"), 20, 1e-6);
    EXPECT_NEAR(microseconds(KernelLibrary::vllm, "0.21"), 40, 1e-6);
    EXPECT_EQ(kernels.release(kernel), "0.19");
    EXPECT_NEAR(microseconds(KernelLibrary::vllm, "0.1"), 40, 1e-6);
    EXPECT_NEAR(microseconds(KernelLibrary::sglang, ""), 60, 1e-6);
    EXPECT_NEAR(microseconds(KernelLibrary::trtllm, "1.2"), 200, 1e-6);
    EXPECT_EQ(kernels.release(kernel), "1.0");
}

/// The file states SGLang 0.5, which was measured, or 0.6, for which 0.5 stands.
TEST(KernelTime, a_release_that_was_not_measured_is_told) {
    hardware::LearnedSpec learned = with_releases();
    EXPECT_EQ(KernelTime(bare_device(), learned).unmeasured_release(KernelLibrary::sglang), "");
    learned.releases.sglang = "0.6";
    const KernelTime kernels{bare_device(), learned};
    EXPECT_EQ(kernels.unmeasured_release(KernelLibrary::sglang), "0.6");
    EXPECT_EQ(kernels.unmeasured_release(KernelLibrary::vllm), "");
}

/// The first cost is a launch of 1 us. A file of many devices has 7 of it for TensorRT-LLM's kernels in fp8,
/// which vLLM 0.24 runs on RTX PRO 6000, and 3 for Triton's, which its earlier releases run.
TEST(KernelTime, experts_take_the_time_of_what_runs_them) {
    const auto launches = [](double count) {
        std::vector<double> weights(19, 0.0);
        weights[0] = count;
        return weights;
    };
    hardware::LearnedKind experts;
    experts.trees.add(std::array{hardware::TreeEnsemble::Node{0.0F, -1, 0}});
    experts.sums.set(hardware::CostSums::any_family, launches(1));
    experts.sums.set(100000 + 1, launches(3));
    experts.sums.set(100000 + 1 + 9, launches(7));
    hardware::LearnedSpec learned = with_trees("experts", 0.0F);
    learned.capability = 12.0;
    learned.trees = std::make_shared<const hardware::TreeFile>(
        std::map<std::string, hardware::LearnedKind>{{"experts_releases", experts}},
        std::vector<hardware::MeasuredRelease>{{0, "vllm", "0.19.0"}, {1, "vllm", "0.24.0"}});
    const KernelTime kernels{bare_device(), learned};
    Kernel kernel;
    kernel.kind = KernelKind::experts;
    kernel.library = KernelLibrary::vllm;
    kernel.format = OperandFormat::fp8;
    kernel.release = "0.24.0";
    EXPECT_NEAR(kernels.time(kernel)->value() * 1e6, 7.0, 1e-9);
    EXPECT_TRUE(kernels.has_own_costs(kernel));
    kernel.release = "0.22.0";
    EXPECT_NEAR(kernels.time(kernel)->value() * 1e6, 3.0, 1e-9);
    kernel.format = OperandFormat::int4_weight;
    EXPECT_NEAR(kernels.time(kernel)->value() * 1e6, 1.0, 1e-9);
    EXPECT_FALSE(kernels.has_own_costs(kernel));
}

/// The first cost of prefill is a launch of 1 us, too. The own release's trees of many devices have 5 of it
/// for the kernels that TensorRT-LLM generates, which FlashInfer has, too, for vLLM, and 9 for Triton's.
TEST(KernelTime, prefill_takes_the_time_of_what_runs_it) {
    const auto launches = [](double count) {
        std::vector<double> weights(14, 0.0);
        weights[0] = count;
        return weights;
    };
    hardware::LearnedKind prefill;
    prefill.trees.add(std::array{hardware::TreeEnsemble::Node{0.0F, -1, 0}});
    prefill.sums.set(hardware::CostSums::any_family, launches(1));
    prefill.sums.set(100000 + 9 * (3 + 9), launches(5));
    prefill.sums.set(100000 + 9 * 9, launches(9));
    hardware::LearnedSpec learned = with_trees("prefill", 0.0F);
    learned.capability = 10.0;
    learned.trees = std::make_shared<const hardware::TreeFile>(
        std::map<std::string, hardware::LearnedKind>{{"prefill", prefill}});
    const KernelTime kernels{bare_device(), learned};
    Kernel kernel;
    kernel.kind = KernelKind::prefill;
    kernel.narrow_cache = true;
    for (const KernelLibrary library : {KernelLibrary::trtllm, KernelLibrary::vllm}) {
        kernel.library = library;
        EXPECT_NEAR(kernels.time(kernel)->value() * 1e6, 5.0, 1e-9);
    }
    kernel.head_dim = 192;
    EXPECT_NEAR(kernels.time(kernel)->value() * 1e6, 9.0, 1e-9);
    EXPECT_TRUE(kernels.has_own_costs(kernel));
    kernel.window = 128;
    EXPECT_NEAR(kernels.time(kernel)->value() * 1e6, 1.0, 1e-9);
    EXPECT_FALSE(kernels.has_own_costs(kernel));
}

TEST(KernelTime, a_library_that_was_not_measured_has_no_times) {
    const KernelTime kernels{bare_device(), with_trees("gemm", 0.0F)};
    Kernel kernel = cube(1000);
    kernel.library = KernelLibrary::sglang;
    EXPECT_FALSE(kernels.time(kernel).has_value());
}

/// Products have 22 features, and their release.
TEST(KernelTime, trees_of_other_features_are_refused) {
    const auto with_features = [](const std::string& kind, std::size_t features) {
        hardware::LearnedKind learned;
        learned.trees.add(std::array{hardware::TreeEnsemble::Node{0.0F, -1, 0}});
        learned.trees.set_feature_count(features);
        hardware::LearnedSpec spec = with_trees(kind, 0.0F);
        spec.trees = std::make_shared<const hardware::TreeFile>(
            std::map<std::string, hardware::LearnedKind>{{kind, learned}});
        return spec;
    };
    for (const auto& [kind, count] :
         {std::pair{"gemm", 22}, std::pair{"gemm_power", 22}, std::pair{"gemm_releases", 23}}) {
        EXPECT_NO_THROW(KernelTime(bare_device(), with_features(kind, count))) << kind;
        EXPECT_THROW(KernelTime(bare_device(), with_features(kind, count - 1)), InputError) << kind;
    }
}

TEST(KernelTime, power_is_a_share_of_the_limit_and_no_more) {
    hardware::DeviceSpec device = bare_device();
    device.power.tdp = Watts{400};
    const auto half = KernelTime(device, with_trees("gemm_power", static_cast<float>(std::log(0.5))));
    EXPECT_NEAR(half.power(cube(64))->value(), 200.0, 1e-3);
    const auto above = KernelTime(device, with_trees("gemm_power", 1.0F));
    EXPECT_SOFT_EQ(Watts{400}, *above.power(cube(64)));
}

/// 1000 squared elements at 1 TB/s. TensorRT-LLM in fp8: 10 us, and 5 bytes each. Otherwise an empty kernel's
/// 2 us, and 3 bytes each in fp8, 2.5 in nvfp4.
TEST(KernelTime, narrow_products_were_measured_with_casts) {
    hardware::DeviceSpec device = bare_device();
    device.graph_kernel_latency = Seconds{2e-6};
    const KernelTime kernels{device, with_trees("gemm_fp8_cast", static_cast<float>(std::log(1e-5)))};
    const auto microseconds = [&](OperandFormat format, KernelLibrary library) {
        Kernel product = cube(1000);
        product.format = format;
        product.library = library;
        return kernels.cast_time(product).value() * 1e6;
    };
    EXPECT_EQ(microseconds(OperandFormat::bf16, KernelLibrary::trtllm), 0.0);
    EXPECT_NEAR(microseconds(OperandFormat::fp8, KernelLibrary::trtllm), 15.0, 1e-4);
    EXPECT_NEAR(microseconds(OperandFormat::fp8, KernelLibrary::vllm), 5.0, 1e-9);
    EXPECT_NEAR(microseconds(OperandFormat::nvfp4, KernelLibrary::vllm), 4.5, 1e-9);
    EXPECT_EQ(microseconds(OperandFormat::int8_weight, KernelLibrary::vllm), 0.0);
}

TEST(KernelTime, casts_that_nobody_measured_take_no_time) {
    const KernelTime kernels{bare_device(), with_trees("gemm", 0.0F)};
    Kernel product = cube(1000);
    product.format = OperandFormat::fp8;
    EXPECT_EQ(kernels.cast_time(product), Seconds{});
    product.kind = KernelKind::decode;
    EXPECT_EQ(kernels.cast_time(product), Seconds{});
}

TEST(KernelTime, what_nobody_measured_has_no_time) {
    const KernelTime kernels{bare_device(), with_trees("decode", 0.0F)};
    EXPECT_FALSE(kernels.time(cube(64)).has_value());
    EXPECT_FALSE(KernelTime(bare_device(), {}).time(cube(64)).has_value());
}

}  // namespace
}  // namespace dse::model
