#include "dse/model/compute/systolic/buffers.hpp"

#include <limits>
#include <random>

#include <gtest/gtest.h>

namespace dse::model {
namespace {

using hardware::Dataflow;

constexpr double infinite = std::numeric_limits<double>::infinity();

SystolicBuffers buffers(double words, double in, double out) {
    return {{words, in}, {words, in}, {words, out}};
}

BufferedRun play(const SystolicArray& array, const SystolicLayer& layer, const SystolicBuffers& buffers) {
    return play_buffers(SystolicFolds{array, layer.product()}, layer, buffers);
}

/// 64^3 on 32 × 32 with weights: 4 folds of 158 cycles. Everything fits the halves of 32,768 words.
TEST(PlayBuffers, what_fits_never_stalls) {
    const SystolicArray array{32, 32, Dataflow::ws};
    const BufferedRun run = play(array, product_layer("p", 64, 64, 64), buffers(65536, 8, 10));
    EXPECT_EQ(run.cycles, 631.0);
    EXPECT_EQ(run.stall_cycles, 0.0);
    EXPECT_EQ(run.ifmap.words, 4096.0);
    EXPECT_EQ(run.ifmap.first_cycle, -512.0) << "4096 words at 8 a cycle";
    EXPECT_EQ(run.ifmap.last_cycle, -1.0);
    EXPECT_EQ(run.ofmap.words, 8192.0) << "64 × 64 sums from each of 2 row folds";
    EXPECT_EQ(run.ofmap.first_cycle, 631.0);
    EXPECT_EQ(run.ofmap.last_cycle, 631.0 + 819.0) << "820 cycles";
    EXPECT_EQ(run.cycles_with_prefetch, 512.0 + 631.0 + 819.0);
}

/// 8 × 64 times 64 × 4 on 4 × 4 with weights: 16 folds along K. A fold takes 4 + 4 + 4 + 8 - 2 = 18 cycles,
/// its weights are 16 words, its inputs 32. Buffers of 64 words: halves of 32, so both are read fold by fold
/// (256 and 512 words in all).
TEST(PlayBuffers, a_slow_port_paces_the_array) {
    const SystolicArray array{4, 4, Dataflow::ws};
    const SystolicLayer layer = product_layer("p", 8, 4, 64);
    EXPECT_EQ(play(array, layer, buffers(64, 2, infinite)).stall_cycles, 0.0) << "36 words a fold, 32 needed";
    // One word a cycle: 18 of 32 words come while the fold before runs, the array waits 14 cycles for the
    // others. The first fold's tile is there; each of the 15 others waits.
    const BufferedRun run = play(array, layer, buffers(64, 1, infinite));
    EXPECT_EQ(run.stall_cycles, 15.0 * 14.0);
    EXPECT_EQ(run.cycles, 16.0 * 18.0 - 1.0 + 15.0 * 14.0);
    EXPECT_EQ(run.ifmap.words, 512.0);
    EXPECT_EQ(run.filter.words, 256.0);
}

/// The same with halves of 8 words: a fold's inputs stream beside it. 8 of them are there when it begins, 24
/// take 24 cycles, so a fold takes 24 instead of 18, and the next 8 another 8 before the next fold.
TEST(PlayBuffers, a_tile_longer_than_half_a_buffer_streams) {
    const SystolicArray array{4, 4, Dataflow::ws};
    const SystolicLayer layer = product_layer("p", 8, 4, 64);
    SystolicBuffers small = buffers(64, infinite, infinite);
    small.ifmap = {16, 1};
    EXPECT_EQ(play(array, layer, small).cycles, 16.0 * 24.0 + 15.0 * 8.0 - 1.0);
}

/// 32 outputs a fold leave at one a cycle, while a fold takes 18: 14 more wait after each fold. 64 words hold
/// those of four folds: (4 + 1) × 14 would be 70. From then on a fold takes as long as its outputs need.
TEST(PlayBuffers, full_output_buffers_hold_the_array) {
    const SystolicArray array{4, 4, Dataflow::ws};
    const SystolicLayer layer = product_layer("p", 8, 4, 64);
    const BufferedRun run = play(array, layer, buffers(64, infinite, 1));
    // waiting + 32 - 64 cycles at least: after fold 3 56 wait, so fold 4 (from 0) takes max(18, 24), and
    // leaves 64; then 32 a fold.
    EXPECT_EQ(run.cycles, 4.0 * 18 + 24 + 11.0 * 32 - 1.0);
}

TEST(PlayBuffers, a_tile_that_stays_is_read_once) {
    // Sums stay, 8 × 4 outputs on 4 × 4: both row folds use the one filter tile of 64 × 4 = 256 words.
    const SystolicArray array{4, 4, Dataflow::os};
    const SystolicLayer layer = product_layer("p", 8, 8, 64);
    // 512 filter words in all do not fit half of 600, a tile of 256 does.
    EXPECT_EQ(play(array, layer, buffers(600, 8, 8)).filter.words, 512.0);
    // Half of 400 does not hold a tile: it comes again for every fold.
    EXPECT_EQ(play(array, layer, buffers(400, 8, 8)).filter.words, 1024.0);
}

class RandomLayers : public testing::Test {
  protected:
    double pick(int least, int most) { return std::uniform_int_distribution<int>{least, most}(random_); }

    SystolicLayer layer() {
        SystolicLayer layer{"l", 1, 1, pick(1, 4), pick(1, 4), pick(1, 9), pick(1, 90), pick(1, 3)};
        layer.ifmap_height = layer.filter_height + pick(0, 20);
        layer.ifmap_width = layer.filter_width + pick(0, 20);
        return layer;
    }
    SystolicArray array() {
        constexpr std::array flows{Dataflow::os, Dataflow::ws, Dataflow::is};
        return {pick(1, 16), pick(1, 16), flows[static_cast<std::size_t>(pick(0, 2))]};
    }
    std::mt19937 random_{11};
};

TEST_F(RandomLayers, infinite_bandwidth_has_no_stall) {
    for (int i = 0; i < 2000; ++i) {
        const BufferedRun run = play(array(), layer(), buffers(pick(2, 3000), infinite, infinite));
        EXPECT_EQ(run.stall_cycles, 0.0);
    }
}

TEST_F(RandomLayers, more_bandwidth_never_takes_longer) {
    for (int i = 0; i < 2000; ++i) {
        const SystolicArray array = this->array();
        const SystolicLayer layer = this->layer();
        SystolicBuffers given{
            {pick(2, 3000), pick(1, 30)}, {pick(2, 3000), pick(1, 30)}, {pick(2, 3000), pick(1, 30)}};
        const BufferedRun before = play(array, layer, given);
        EXPECT_GE(before.stall_cycles, 0.0);
        OperandBuffer* const ports[] = {&given.ifmap, &given.filter, &given.ofmap};
        ports[i % 3]->bandwidth += pick(1, 40);
        const BufferedRun after = play(array, layer, given);
        EXPECT_LE(after.cycles, before.cycles) << i;
        EXPECT_EQ(after.ifmap.words, before.ifmap.words);
        EXPECT_EQ(after.ofmap.words, before.ofmap.words);
    }
}

/// No port moves more than its bandwidth allows from its first word to the end of the run.
TEST_F(RandomLayers, ports_keep_to_their_bandwidth) {
    for (int i = 0; i < 2000; ++i) {
        const SystolicBuffers given{
            {pick(2, 3000), pick(1, 30)}, {pick(2, 3000), pick(1, 30)}, {pick(2, 3000), pick(1, 30)}};
        const BufferedRun run = play(array(), layer(), given);
        EXPECT_LE(run.ifmap.words, (run.cycles + 1.0 - run.ifmap.first_cycle) * given.ifmap.bandwidth);
        EXPECT_LE(run.filter.words, (run.cycles + 1.0 - run.filter.first_cycle) * given.filter.bandwidth);
        EXPECT_LE(run.ofmap.words, (run.ofmap.last_cycle + 1.0) * given.ofmap.bandwidth);
        EXPECT_GE(run.cycles_with_prefetch, run.cycles);
    }
}

/// With weights in place every fold reads its weights and inputs and writes its sums: 10^18 folds are counted
/// as two are.
TEST(PlayBuffers, equal_folds_are_not_played_again) {
    const SystolicArray array{8, 8, Dataflow::ws};
    const SystolicLayer layer = product_layer("p", 64, 8e9, 8e9);
    const BufferedRun run = play(array, layer, buffers(512, 4, 4));
    EXPECT_EQ(run.ifmap.words, 64 * 8e9 * 1e9);
    EXPECT_EQ(run.filter.words, 64 * 1e18);
    EXPECT_EQ(run.ofmap.words, 64 * 8e9 * 1e9);
    EXPECT_GT(run.stall_cycles, 0.0);
}

/// Each further row fold, and each further column of them, takes as long as the one before: those that were
/// played and those that were not.
TEST(PlayBuffers, skipped_folds_take_what_played_ones_take) {
    const SystolicArray array{8, 8, Dataflow::ws};
    const auto cycles = [&](double rows, double columns) {
        return play(array, product_layer("p", 64, 8 * columns, 8 * rows), buffers(512, 4, 4)).cycles;
    };
    const double row = cycles(40, 1) - cycles(39, 1);
    for (double rows = 30; rows < 60; ++rows) EXPECT_EQ(cycles(rows + 1, 1) - cycles(rows, 1), row) << rows;
    const double column = cycles(40, 40) - cycles(40, 39);
    for (double columns = 5; columns < 60; ++columns)
        EXPECT_EQ(cycles(40, columns + 1) - cycles(40, columns), column) << columns;
    EXPECT_EQ(column, 40 * row);
}

}  // namespace
}  // namespace dse::model
