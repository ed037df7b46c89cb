#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How each operation of a program is computed, the layouts of all values given.
///
/// Operations choose one after the other, and again, until none changes its mind: a layout that a value is
/// moved to for one reader costs the others of the same computation nothing, so that no change makes all of
/// them together send more.
class Plan {
  public:
    struct Entry {
        const Relation* relation;
        std::vector<Axes> axes;  ///< by factor
        Summing summing{Summing::scattered};
        std::vector<std::vector<Layout>> stops{};  ///< by array, as of a Way
        Axes group{};                              ///< as of a Way
    };

    /// \param relations  of the program; they must outlive the plan
    Plan(const Program& program, const Slots& slots, const std::vector<SlotLayout>& layouts,
         const std::vector<Relation>& relations);

    /// nullptr where no rule says how parts of the operation are computed.
    [[nodiscard]] const Entry* of(const Operation& operation) const {
        if (operation.results.count == 0) return nullptr;
        const auto& entry = entries_[Program::result(operation).index()];
        return entry ? &*entry : nullptr;
    }

  private:
    std::vector<std::optional<Entry>> entries_;  ///< by the operation's first result
};

/// Whether every device can make the value for itself however it is to lie: constants, and what repeats a
/// number.
bool made_anywhere(const Program& program, ValueId value);

}  // namespace dse::ir::partition
