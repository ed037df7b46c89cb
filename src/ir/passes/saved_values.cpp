#include "saved_values.hpp"

#include <algorithm>

namespace dse::ir {

SavedValues::SavedValues(const Program& program, const Uses& uses)
    : program_{program},
      read_(program.values.size(), -1),
      read_before_turn_(program.values.size(), -1),
      pinned_(program.values.size(), 0) {
    for (std::size_t v = 0; v < program.values.size(); ++v) {
        for (const Uses::Place& place : uses.of(ValueId{v})) {
            const bool by_operation = place.computation == program.entry && place.operation >= 0;
            if (by_operation) {
                read_[v] = std::max(read_[v], std::int64_t{place.operation});
            } else {
                pinned_[v] = 1;
            }
        }
    }
    find_turn();
    for (std::size_t v = 0; v < program.values.size(); ++v) {
        for (const Uses::Place& place : uses.of(ValueId{v})) {
            const bool before = place.computation == program.entry && place.operation >= 0 &&
                                static_cast<std::size_t>(place.operation) < turn_;
            if (before) read_before_turn_[v] = std::max(read_before_turn_[v], std::int64_t{place.operation});
        }
    }
    const auto turn = static_cast<std::int64_t>(turn_);
    for (std::size_t v = 0; v < program.values.size(); ++v) {
        const std::int64_t at = made(ValueId{v});
        if (at >= 0 && at < turn) forward_.emplace_back(v);
    }
}

std::int64_t SavedValues::made(ValueId value) const {
    const Value& found = program_[value];
    return found.owner == program_.entry ? found.operation : -1;
}

bool SavedValues::crosses(ValueId value) const {
    const auto turn = static_cast<std::int64_t>(turn_);
    const std::int64_t at = made(value);
    return at >= 0 && at < turn && read_[value.index()] >= turn && pinned_[value.index()] == 0;
}

void SavedValues::find_turn() {
    std::vector<std::int64_t> change(program_[program_.entry].operations.size() + 1, 0);
    for (std::size_t v = 0; v < program_.values.size(); ++v) {
        const std::int64_t at = made(ValueId{v});
        if (at < 0 || read_[v] <= at || pinned_[v] != 0) continue;
        ++change[static_cast<std::size_t>(at) + 1];
        --change[static_cast<std::size_t>(read_[v]) + 1];
    }
    std::int64_t alive = 0;
    std::int64_t most = 0;
    for (std::size_t i = 0; i < change.size(); ++i) {
        alive += change[i];
        if (alive <= most) continue;
        most = alive;
        turn_ = i;
    }
}

}  // namespace dse::ir
