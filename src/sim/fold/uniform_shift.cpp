#include "uniform_shift.hpp"

#include "dse/base/check.hpp"
#include "dse/sim/fold/max_plus.hpp"

namespace dse::sim::fold {

namespace {

/// Streams that tasks of a stage use in a round, as bits: of variants of odd number, the first and the last
/// passes of a chunk, a round has none.
std::uint64_t streams_of_rounds(const SchedulePlayer& player, std::uint32_t stage) {
    const ScheduleProgram& program = player.program();
    const std::size_t a_chunk = variants_a_chunk(player.graph().schedule);
    std::uint64_t streams = std::uint64_t{1} << graph::compute_stream.index();
    if (player.message_stream()) streams |= std::uint64_t{1} << player.message_stream()->index();
    for (std::size_t variant = 0; variant < program.variants(); ++variant) {
        if (program.uses(stage, variant) && variant % a_chunk % 2 == 0)
            streams |= player.operator_of(stage, variant).streams;
    }
    return streams;
}

}  // namespace

void find_moving(const SchedulePlayer& player, std::vector<std::uint8_t>& moving) {
    const SteadyRounds& steady = player.program().steady();
    moving.clear();
    for (std::uint32_t stage = 0; stage < steady.first_task.size(); ++stage) {
        const std::uint64_t streams = streams_of_rounds(player, stage);
        for (std::size_t s = 0; s < player.streams(); ++s)
            moving.push_back(static_cast<std::uint8_t>(streams >> s & 1U));
    }
    const bool has_lanes = !player.message_stream();
    for (std::size_t end = 0; end < player.state().lane_ends(); ++end) {
        moving.push_back(has_lanes && steady.sent_a_round[end] > 0 ? 1 : 0);
        moving.push_back(has_lanes && steady.received_a_round[end] > 0 ? 1 : 0);
    }
}

std::optional<double> uniform_shift(std::span<const double> before, std::span<const double> now,
                                    std::span<const std::uint8_t> moving) {
    DSE_EXPECT(before.size() == now.size() && moving.size() <= now.size());
    std::optional<double> shift;
    for (std::size_t i = 0; i < now.size(); ++i) {
        if (i < moving.size() && moving[i] == 0) continue;
        if (before[i] == absent || now[i] == absent) {
            if (before[i] != now[i]) return std::nullopt;
            continue;
        }
        const double grown = now[i] - before[i];
        if (!shift) shift = grown;
        if (grown != *shift) return std::nullopt;
    }
    return shift;
}

}  // namespace dse::sim::fold
