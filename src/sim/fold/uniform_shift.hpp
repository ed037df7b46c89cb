#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "dse/sim/fold/schedule_player.hpp"

namespace dse::sim::fold {

/// A round maps the state x at its beginning to A ⊗ x, a (max,+) product, and all rounds of a steady phase
/// have the same A. Since A ⊗ (d + x) = d + A ⊗ x, a round that has added the same d to the whole state is
/// followed by rounds that do the same: no rates have to be found, and no wait is ever decided otherwise.
///
/// Numbers that no step of a round reads or writes, such as when the stream of gradients was last in use,
/// stay as they are and may be left out of the comparison, because A contains nothing but their identity.

/// Lists which numbers of the state rounds read or write: by stage and stream, then by lane end when it is
/// free to send and when to receive. Everything else in the state counts as read.
void find_moving(const SchedulePlayer& player, std::vector<std::uint8_t>& moving);

/// \param moving  of the first numbers; the others all are
/// \return by how much all moving numbers grew, if by the same; absent ones stay absent
std::optional<double> uniform_shift(std::span<const double> before, std::span<const double> now,
                                    std::span<const std::uint8_t> moving);

}  // namespace dse::sim::fold
