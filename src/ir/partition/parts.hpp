#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/partition/collective_writer.hpp"
#include "ir/partition/stated_sharding.hpp"
#include "ir/partition/way.hpp"

namespace dse::ir::partition {

/// What users can do if a program cannot be partitioned.
constexpr std::string_view advice = "capture the program after partitioning";

/// \throws ProgramError saying that the operation is not partitioned
[[noreturn]] void not_partitioned(const Program& program, const Operation& operation);

/// Whether layouts have the same numbers of leaves and dimensions.
bool are_alike(const std::vector<Layout>& a, const std::vector<Layout>& b);

/// One device's parts of a program's values: one part of each value in the layout that the program gives it,
/// and copies in other layouts as they are requested. A copy is reused within a computation instead of being
/// moved again by the same groups of devices (XLA's cache of reshards). Copies of one constant with equal
/// layouts become one, since compilers keep only one of several equal values.
class Parts {
  public:
    /// \param origins  by value: the first of several copies of a constant (split_constants)
    /// \param out  builder of the partitioned program; it must outlive this object, like all other arguments
    Parts(const Program& in, const std::vector<std::optional<ValueId>>& origins, const Slots& slots,
          const std::vector<SlotLayout>& layouts, ProgramBuilder& out, CollectiveWriter& writer);

    [[nodiscard]] ValueId operator[](ValueId value) const { return values_[value.index()]; }
    void set(ValueId value, ValueId part) { values_[value.index()] = part; }

    [[nodiscard]] const Layout& layout(ValueId value, std::size_t leaf = 0) const;
    /// Layouts of the value's leaves.
    [[nodiscard]] std::vector<Layout> layouts_of(ValueId value) const;
    /// Type of the value's part, in the program's layouts or in the given ones.
    TypeId local(ValueId value) { return local(value, layouts_of(value)); }
    TypeId local(ValueId value, const std::vector<Layout>& layouts);
    /// The same for an array.
    TypeId local(ValueId value, const Layout& layout);

    /// The value's part in these layouts. \throws ProgramError naming the line if they have a different shape
    ValueId fit(ComputationId id, ValueId value, const std::vector<Layout>& wanted, std::uint32_t line);
    /// The array's part in the layout `wanted`.
    /// \param stops  layouts that it passes through on the way
    /// \param group  groups of devices among which it is moved last (Way::group)
    ValueId fit(ComputationId id, ValueId value, const std::vector<Layout>& stops, const Layout& wanted,
                const Axes& group, std::uint32_t line);

    /// Moves a result from the layouts that the operation produces to those of the program.
    void settle(ComputationId id, const Operation& operation, std::size_t i,
                const std::vector<Layout>& after);
    /// The same for an array of partial sums, moved through intermediate layouts.
    void settle(ComputationId id, const Operation& operation, std::size_t i, Layout after, Axes partial,
                std::vector<Layout> stops, Summing summing);

    /// Whether the operation computes a constant of which the computation already has a copy in the layout of
    /// its result. That copy is then used as its result.
    bool is_at_hand(ComputationId id, const Operation& operation);
    /// Records the operation's result for other copies of the same constant.
    void keep(ComputationId id, const Operation& operation);

  private:
    // Moving a small vector may allocate, which Boost declares not to throw.
    // NOLINTNEXTLINE(bugprone-exception-escape)
    struct Copy {
        std::vector<Layout>
            layouts;  ///< of the value's leaves, or all layouts that an array has passed through
        Axes group;   ///< among which it was moved last
        ValueId part;
    };
    using Moved = std::vector<Copy>;
    static std::optional<ValueId> found_in(const Moved& moved, const std::vector<Layout>& layouts,
                                           const Axes& group = {});

    [[nodiscard]] const std::optional<ValueId>& origin(ValueId value) const {
        return origins_[value.index()];
    }
    Moved& moved(ComputationId id, ValueId value) { return moved_[{id, origin(value).value_or(value)}]; }
    ValueId remake(ComputationId id, ValueId value, const Layout& wanted);

    const Program& in_;
    const std::vector<std::optional<ValueId>>& origins_;
    const Slots& slots_;
    const std::vector<SlotLayout>& layouts_;
    ProgramBuilder& builder_;
    CollectiveWriter& writer_;
    std::vector<ValueId> values_;  ///< by value of the program
    /// By type of the program: the types of parts of such arrays.
    std::vector<std::vector<std::pair<Layout, TypeId>>> local_types_;
    /// Copies, by computation and value.
    std::map<std::pair<ComputationId, ValueId>, Moved> moved_;
};

}  // namespace dse::ir::partition
