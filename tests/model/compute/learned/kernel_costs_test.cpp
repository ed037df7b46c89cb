#include "model/compute/learned/kernel_costs.hpp"

#include <array>
#include <cmath>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

/// 100 TFLOP/s, 0.9 TB/s, 100 multiprocessors of 2 GHz, 50 MB.
constexpr KernelMachine machine{100e12, 0.9e12, 100, 50e6, 0.5e-9, false, false};

double microseconds(const CostList& costs, std::size_t index) {
    return costs.values.at(index) * 1e6;
}

/// A cache of 50 MB holds all of a loop of 42.5 MB, half of one of 51.25 MB, and nothing of one of 60 MB. It
/// yields 32 bytes in each of 2e9 cycles to 100 multiprocessors, 6.4 TB/s.
TEST(KernelCosts, a_cache_holds_a_loop_or_loses_it) {
    const auto times = [](double working) {
        const LoopTraffic traffic = loop_traffic(9e6, working, machine);
        return std::array{traffic.cached * 1e6, traffic.rest * 1e6};
    };
    EXPECT_NEAR(times(42.5e6)[0], 9 / 6.4, 1e-9);
    EXPECT_NEAR(times(42.5e6)[1], 0.0, 1e-9);
    EXPECT_NEAR(times(51.25e6)[0], 4.5 / 6.4, 1e-9);
    EXPECT_NEAR(times(51.25e6)[1], 5.0, 1e-9);
    EXPECT_NEAR(times(60e6)[0], 0.0, 1e-9);
    EXPECT_NEAR(times(60e6)[1], 10.0, 1e-9);
}

/// 1000 cubed: 2 GFLOP take 20 us, 6 MB 0.9375 us, all in the cache. 64 tiles of 128 x 128 fit one wave, and
/// each takes 2 · 128 · 128 · 1000 FLOP at 1 TFLOP/s. 2 MB are results, as many activations.
TEST(KernelCosts, of_a_product) {
    Kernel kernel;
    kernel.m = kernel.n = kernel.k = 1000;
    const CostList costs = product_costs(kernel, machine, loop_traffic(6e6, 6e6, machine), 2.0);
    const std::array expected{1.0, 20.0, 0.9375, 0.0, 20.0, 32.768, 1.0, 0.3125, 0.3125, 1.0};
    ASSERT_EQ(costs.count, expected.size());
    for (std::size_t i = 0; i < expected.size(); ++i) EXPECT_NEAR(microseconds(costs, i), expected[i], 1e-5);
}

/// Half of the cache's 50 MB stays between repetitions, the other half may, and the rest comes from memory.
TEST(KernelCosts, decode_reads_what_the_cache_does_not_hold) {
    Kernel kernel;
    kernel.kind = KernelKind::decode;
    // 6.4 million exponentials, 3200 in a cycle: 1 us, of which those of keys from memory hide behind it.
    const CostList costs = attention_costs(kernel, machine, {0.0, 95e6, 0.0, 6.4e6, 1.0});
    EXPECT_NEAR(microseconds(costs, 1), 25 / 6.4, 1e-9);
    EXPECT_NEAR(microseconds(costs, 2), 25 / 0.9, 1e-9);
    EXPECT_NEAR(microseconds(costs, 3), 45 / 0.9, 1e-9);
    EXPECT_NEAR(microseconds(costs, 8), 25.0 / 95.0, 1e-9);
}

/// Queries and results of 30 MB: the cache holds 25, and yields 32 bytes in each of 2e9 cycles to 100
/// multiprocessors. Keys are read in any case.
TEST(KernelCosts, prefill_finds_queries_in_the_cache) {
    Kernel kernel;
    kernel.kind = KernelKind::prefill;
    const CostList costs = attention_costs(kernel, machine, {1e9, 9e6, 30e6, 1.0, 1.0});
    EXPECT_EQ(costs.count, 14U);
    EXPECT_NEAR(microseconds(costs, 2), 10.0, 1e-9);
    EXPECT_NEAR(microseconds(costs, 3), 25e6 / 6.4e12 * 1e6, 1e-9);
    EXPECT_NEAR(microseconds(costs, 4), 5 / 0.9, 1e-9);
    EXPECT_NEAR(microseconds(costs, 5), 10.0 + 30 / 0.9, 1e-9);
}

/// The clock counts in launches, not in bytes and arithmetic.
TEST(KernelCosts, launches_take_cycles) {
    Kernel kernel;
    kernel.m = kernel.n = kernel.k = 1000;
    KernelMachine slow = machine;
    slow.cycle = 1e-9;
    const CostList costs = product_costs(kernel, slow, loop_traffic(6e6, 6e6, slow), 2.0);
    EXPECT_NEAR(microseconds(costs, 0), 2.0, 1e-9);
    EXPECT_NEAR(microseconds(costs, 1), 20.0, 1e-9);
}

/// Blocks that visit keys in turn have their arithmetic and what they find in the cache in their time.
TEST(KernelCosts, serial_blocks_hide_their_arithmetic) {
    Kernel kernel;
    kernel.kind = KernelKind::latent_decode;
    const CostList costs = latent_costs(kernel, machine, {1e9, 34e6, 9e6, 0.0, 0.0, 1e-3});
    for (const std::size_t hidden : {1U, 2U, 5U, 6U}) EXPECT_EQ(costs.values.at(hidden), 0.0);
    EXPECT_NEAR(microseconds(costs, 3), 10.0, 1e-9);
    EXPECT_NEAR(microseconds(costs, 4), 10.0, 1e-9);
    EXPECT_NEAR(microseconds(costs, 8), 1000.0, 1e-9);
}

TEST(KernelCosts, projections_are_costs_of_blocks) {
    Kernel kernel;
    kernel.kind = KernelKind::latent_decode;
    EXPECT_EQ(latent_costs(kernel, machine, {1e9, 1e6, 1e6, 0.0, 0.0, 0.0}).count, 9U);
    kernel.kind = KernelKind::latent_decode_block;
    EXPECT_EQ(latent_costs(kernel, machine, {1e9, 1e6, 1e6, 1e8, 2e8, 0.0}).count, 14U);
}

/// 300 rows of one expert fill three tiles of 128, of 2 · 3 · 1000 · 500 FLOP a row. Of 10 us of bytes from
/// memory, 0.8 are weights.
TEST(KernelCosts, experts_compute_whole_tiles) {
    Kernel kernel;
    kernel.kind = KernelKind::experts;
    kernel.hidden = 1000;
    kernel.inner = 500;
    kernel.tokens = 300;
    const CostList costs = expert_costs(kernel, machine, {1, 1, 300, 300, 300, 0.0, {1e-6, 10e-6}, 0.8, 0.0});
    EXPECT_EQ(costs.count, 19U);
    EXPECT_NEAR(microseconds(costs, 4), 11.0, 1e-9);
    EXPECT_NEAR(microseconds(costs, 5), 3 * 128 * 3e6 / 100e12 * 1e6, 1e-9);
    EXPECT_NEAR(microseconds(costs, 6), 8.0, 1e-9);
}

/// 100 multiprocessors of compute capability 12, and an expert of 1,280 x 640: 10 tiles of 128 x 128 in the
/// first product walk 1,280, 10 in the second 640, each in one round at 0.68 of 1 TFLOP/s, for one row as for
/// 128. Bytes from memory take their time at least.
TEST(KernelCosts, tiles_of_one_size_take_as_long_for_one_row_as_for_all) {
    Kernel kernel;
    kernel.kind = KernelKind::experts;
    kernel.format = OperandFormat::nvfp4;
    kernel.hidden = 1280;
    kernel.inner = 640;
    KernelMachine newest = machine;
    newest.capability = 12.0;
    const double tiles = (1280 + 640) * 2.0 * 128 * 128 / 0.68e12;
    EXPECT_NEAR(fixed_tiles(kernel, newest, 1, 1, 0.0), tiles, 1e-12);
    EXPECT_NEAR(fixed_tiles(kernel, newest, 1, 128, 0.0), tiles, 1e-12);
    // 11 experts have 110 tiles in each product, two rounds.
    EXPECT_NEAR(fixed_tiles(kernel, newest, 11, 1, 0.0), 2 * tiles, 1e-12);
    EXPECT_EQ(fixed_tiles(kernel, newest, 1, 1, 1.0), 1.0);
    EXPECT_EQ(fixed_tiles(kernel, machine, 1, 1, 1.0), 0.0);
    kernel.format = OperandFormat::fp8;
    EXPECT_EQ(fixed_tiles(kernel, newest, 1, 1, 1.0), 0.0);
    const CostList costs = expert_costs(kernel, newest, {1, 1, 1, 1, 1, 1e-6, {1e-6, 1e-6}, 0.8, 1e-3});
    for (const std::size_t hidden : {1U, 2U, 3U, 4U, 5U, 6U, 15U}) EXPECT_EQ(costs.values.at(hidden), 0.0);
    EXPECT_NEAR(microseconds(costs, 18), 1000.0, 1e-9);
}

/// Two of four tokens' choices are another rank's, which its tile of 16 rows computes, too. A tile of 16 x 32
/// takes 16 x 2 + 32 bytes for each of its steps, of which there are 640 / 32 · 512 and 512 / 32 · 320.
TEST(KernelCosts, trt_llm_s_triton_kernel_computes_the_rows_of_all_ranks) {
    Kernel kernel;
    kernel.kind = KernelKind::experts;
    kernel.format = OperandFormat::fp8_block;
    kernel.hidden = 512;
    kernel.inner = 320;
    kernel.tokens = 4;
    kernel.choices = 1;
    kernel.experts = 2;
    KernelMachine newest = machine;
    newest.capability = 12.0;
    const double tile = (20 * 512 + 16 * 320) * 64.0 / 6.4e12;
    EXPECT_NEAR(fixed_tiles(kernel, newest, 1, 4, 0.0), tile, 1e-12);
    kernel.expert_ranks = 2;
    EXPECT_NEAR(fixed_tiles(kernel, newest, 1, 2, 0.0), 2 * tile, 1e-12);
    kernel.library = KernelLibrary::vllm;
    EXPECT_EQ(fixed_tiles(kernel, newest, 1, 2, 0.0), 0.0);
}

}  // namespace
}  // namespace dse::model
