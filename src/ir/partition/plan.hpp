#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "ir/partition/relations.hpp"
#include "ir/partition/stated_sharding.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// How each operation of a program is computed, given the layouts of all values.
///
/// Operations choose one after another, repeatedly until no choice changes. A layout that a value is moved to
/// for one reader is free for other readers in the same computation, so that no change increases the total
/// bytes sent.
class Plan {
  public:
    // Moving a small vector may allocate, which Boost declares not to throw.
    // NOLINTNEXTLINE(bugprone-exception-escape)
    struct Entry {
        const Relation* relation;
        std::vector<Axes> axes;  ///< by factor
        Summing summing{Summing::scattered};
        std::vector<std::vector<Layout>> stops{};  ///< by array, as of a Way
        Axes group{};                              ///< as of a Way
    };

    /// \param relations  of the program; must outlive the plan
    Plan(const Program& program, const Slots& slots, const std::vector<SlotLayout>& layouts,
         const std::vector<Relation>& relations);

    /// nullptr if no rule states how the operation is partitioned.
    [[nodiscard]] const Entry* of(const Operation& operation) const {
        if (operation.results.count == 0) return nullptr;
        const auto& entry = entries_[Program::result(operation).index()];
        return entry ? &*entry : nullptr;
    }

  private:
    std::vector<std::optional<Entry>> entries_;  ///< by the operation's first result
};

/// Whether every device can compute the value in any layout: constants and repeated numbers.
bool made_anywhere(const Program& program, ValueId value);

}  // namespace dse::ir::partition
