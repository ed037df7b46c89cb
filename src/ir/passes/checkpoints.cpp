#include "checkpoints.hpp"

#include <algorithm>

namespace dse::ir {

Checkpoints::Checkpoints(const Program& program, const SavedValues& saved)
    : program_{program},
      saved_{saved},
      constant_(program.values.size(), 0),
      carried_(saved.turn() + 1, 0.0),
      dropped_(saved.turn() + 1, 0.0),
      kept_(program.values.size(), 0) {
    find_carried();
    find_dropped();
    double all = 0.0;
    for (const double bytes : dropped_) all += bytes;
    Choice best{{}, all};
    // From a thousandth of the total to about half of it.
    constexpr int budgets = 40;
    double budget = all / 1000.0;
    for (int i = 0; i < budgets; ++i, budget *= 1.17) {
        Choice found = choice(budget);
        if (found.bytes < best.bytes) best = std::move(found);
    }
    keep(best);
}

/// Bytes that are alive before each position because the rest of the forward pass reads them.
void Checkpoints::find_carried() {
    for (const ValueId value : saved_.forward()) {
        const Operation& maker =
            program_[program_.entry].operations[static_cast<std::size_t>(saved_.made(value))];
        const auto operands = program_.operands(maker);
        const bool constant = maker.opcode != Opcode::parameter && maker.called.count == 0 &&
                              std::all_of(operands.begin(), operands.end(), [this](ValueId operand) {
                                  return constant_[operand.index()] != 0;
                              });
        constant_[value.index()] = constant ? 1 : 0;
        if (constant) continue;
        const auto first = static_cast<std::size_t>(saved_.made(value) + 1);
        const auto last = static_cast<std::size_t>(saved_.read_before_turn(value) + 1);
        if (last <= first) continue;
        carried_[first] += saved_.bytes(value);
        carried_[last] -= saved_.bytes(value);
    }
    for (std::size_t i = 1; i < carried_.size(); ++i) carried_[i] += carried_[i - 1];
}

void Checkpoints::find_dropped() {
    for (const ValueId value : saved_.forward()) {
        if (saved_.crosses(value) && constant_[value.index()] == 0)
            dropped_[static_cast<std::size_t>(saved_.made(value))] += saved_.bytes(value);
    }
}

Checkpoints::Choice Checkpoints::choice(double budget) const {
    Choice result;
    double largest = 0.0;
    double stretch = 0.0;   // since the last position
    double until = 0.0;     // part of it before the position that carries the fewest bytes
    std::size_t least = 0;  // that position; 0: none yet
    for (std::size_t i = 0; i < dropped_.size(); ++i) {
        if (i > 0 && stretch > 0.0 && (least == 0 || carried_[i] <= carried_[least])) {
            least = i;
            until = stretch;
        }
        if (stretch > budget && least != 0) {
            result.places.push_back(least);
            result.bytes += carried_[least];
            largest = std::max(largest, until);
            stretch -= until;
            least = 0;
        }
        stretch += dropped_[i];
    }
    result.bytes += std::max(largest, stretch);
    return result;
}

void Checkpoints::keep(const Choice& choice) {
    const auto last = static_cast<std::int64_t>(choice.places.empty() ? 0 : choice.places.back());
    for (const ValueId value : saved_.forward()) {
        const std::int64_t made = saved_.made(value);
        const bool carried = std::any_of(choice.places.begin(), choice.places.end(), [&](std::size_t place) {
            return made < static_cast<std::int64_t>(place) &&
                   saved_.read_before_turn(value) >= static_cast<std::int64_t>(place);
        });
        const bool checkpoint = carried && constant_[value.index()] == 0;
        kept_[value.index()] = checkpoint || made >= last ? 1 : 0;
    }
}

}  // namespace dse::ir
