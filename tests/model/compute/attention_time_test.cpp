#include "dse/model/compute/attention_time.hpp"

#include <gtest/gtest.h>

#include "model/devices.hpp"
#include "support/soft_equal.hpp"

namespace dse::model {
namespace {

/// Fused attention of 10 GFLOP with `keys` keys and head dimension `head_dim`.
graph::Compute attention(double keys, double head_dim) {
    graph::Compute work;
    work.op_class = graph::OpClass::attention;
    work.gemm = {32, keys, keys, head_dim};
    work.executed_flop = Flop{10e9};
    work.read = Bytes{1e6};
    return work;
}

TEST(AttentionTime, a_datasheet_gives_the_roofline) {
    const AttentionTime time{bare_device()};
    EXPECT_SOFT_EQ(Seconds{100e-6}, time(attention(512, 64)));
    graph::Compute moving = attention(512, 64);
    moving.read = Bytes{500e6};
    EXPECT_SOFT_EQ(Seconds{500e-6}, time(moving));
}

TEST(AttentionTime, follows_its_form) {
    hardware::DeviceSpec device = bare_device();
    device.attention = {0.5, 32.0, 600.0};
    const AttentionTime time{device};
    // Share at d = 128 and 5400 keys: 0.5 · 1.25·128/160 · 5400/6000 = 0.45.
    EXPECT_SOFT_EQ(Seconds{100e-6 / 0.45}, time(attention(5400, 128)));
    // At d = 64 and 600 keys: 0.5 · 1.25·64/96 · 1/2 = 0.208333…
    EXPECT_SOFT_EQ(Seconds{480e-6}, time(attention(600, 64)));
}

/// In eight bits, the rate is proportional to the head dimension: 0.5 · 0.9 · 5400/6000 = 0.405 at d = 128.
TEST(AttentionTime, in_eight_bits_wider_heads_are_faster) {
    hardware::DeviceSpec device = bare_device();
    device.attention = {0.5, 32.0, 600.0};
    graph::Compute work = attention(5400, 128);
    work.precision = graph::Precision::fp8;
    EXPECT_SOFT_EQ(Seconds{100e-6 / 0.45}, AttentionTime{device}(work));  // no rate: as in 16 bits
    device.attention.fp8_rate = 0.9;
    const AttentionTime time{device};
    EXPECT_SOFT_EQ(Seconds{100e-6 / 0.405}, time(work));
    work.gemm.k = 64;
    EXPECT_SOFT_EQ(Seconds{200e-6 / 0.405}, time(work));
    work.gemm.k = 1280;
    EXPECT_SOFT_EQ(Seconds{50e-6}, time(work));  // twice the rate in 16 bits at most
}

/// FlashAttention-3's forward pass on H20 with a causal mask and 2,048 keys: 107.8 TFLOP/s with heads of 128,
/// 100.3 with heads of 64 (Dao-AILab/flash-attention, issue 1310).
TEST(AttentionTime, of_h20_loses_little_to_softmax) {
    const AttentionTime time{catalogue_device("h20_sxm")};
    EXPECT_NEAR(time(attention(2048, 128)).value(), 10e9 / 107.8e12, 0.01 * 10e9 / 107.8e12);
    EXPECT_NEAR(time(attention(2048, 64)).value(), 10e9 / 100.3e12, 0.01 * 10e9 / 100.3e12);
}

TEST(AttentionTime, an_older_kernel_reaches_a_share_of_the_rate) {
    graph::Compute work = attention(512, 64);
    work.efficiency = 0.5;
    EXPECT_SOFT_EQ(Seconds{200e-6}, AttentionTime{bare_device()}(work));
}

TEST(AttentionTime, never_exceeds_the_matmul_rate) {
    hardware::DeviceSpec device = bare_device();
    device.attention = {1.0, 32.0, 0.0};
    // At d = 256 the form would give 1.25·256/288 = 1.11.
    EXPECT_SOFT_EQ(Seconds{100e-6}, AttentionTime{device}(attention(4096, 256)));
}

/// One token at a time: the cache is split, and the parts are joined.
TEST(AttentionTime, single_tokens_wait_for_the_parts_of_their_cache) {
    hardware::DeviceSpec device = bare_device();
    device.attention.cache_latency = Seconds{7e-6};
    const AttentionTime time{device};
    graph::Compute one = attention(512, 64);
    one.gemm.m = 1;
    EXPECT_SOFT_EQ(Seconds{107e-6}, time(one));
    EXPECT_SOFT_EQ(Seconds{100e-6}, time(attention(512, 64)));
}

/// 32 heads that share vectors of 512 numbers; with 16, and with vectors of 256, the device's bandwidth
/// counts.
TEST(AttentionTime, latent_attention_of_32_heads_reads_its_cache_slowly) {
    hardware::DeviceSpec device = bare_device();
    graph::Compute work = attention(4096, 512);
    work.gemm.m = 32;
    work.read = Bytes{1e12};  // so that memory decides
    const Seconds whole = AttentionTime{device}(work);
    device.attention.latent_rate_32 = 0.5;
    const AttentionTime time{device};
    EXPECT_SOFT_EQ(2.0 * whole, time(work));
    work.gemm.m = 16;
    EXPECT_SOFT_EQ(whole, time(work));
    work.gemm.m = 32;
    work.gemm.k = 256;
    EXPECT_SOFT_EQ(whole, time(work));
}

TEST(AttentionTime, work_without_a_shape_runs_at_the_limiting_rate) {
    hardware::DeviceSpec device = bare_device();
    device.attention = {0.5, 32.0, 600.0};
    graph::Compute work = attention(1024, 128);
    work.gemm = {};
    EXPECT_SOFT_EQ(Seconds{200e-6}, AttentionTime{device}(work));
}

}  // namespace
}  // namespace dse::model
