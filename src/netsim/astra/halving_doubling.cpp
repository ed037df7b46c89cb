#include "netsim/astra/halving_doubling.hpp"

#include <bit>

namespace dse::netsim {

using graph::CollectiveKind;

HalvingDoublingMessages::HalvingDoublingMessages(const AstraPhase& phase)
    : reverses_{phase.kind == CollectiveKind::all_reduce},
      outward_{phase.kind != CollectiveKind::all_gather},
      nodes_{phase.nodes},
      levels_{std::countr_zero(static_cast<std::uint64_t>(phase.nodes))},
      count_{reverses_ ? 2 * levels_ : levels_},
      distance_{outward_ ? 1 : phase.nodes / 2},
      bytes_{outward_ ? phase.bytes / 2 : phase.bytes} {
    DSE_EXPECT(std::has_single_bit(static_cast<std::uint64_t>(phase.nodes)));
}

void HalvingDoublingMessages::advance() {
    if (!outward_) {
        distance_ /= 2;
        bytes_ *= 2;
        return;
    }
    distance_ *= 2;
    bytes_ /= 2;
    if (distance_ == nodes_ && reverses_) {
        outward_ = false;
        distance_ /= 2;
        bytes_ *= 2;
    }
}

std::int64_t HalvingDoublingMessages::partner(std::int64_t index) const {
    const std::int64_t block = distance_ == 0 ? 0 : index / distance_;
    return (index + (block % 2 == 0 ? distance_ : nodes_ - distance_)) % nodes_;
}

}  // namespace dse::netsim
