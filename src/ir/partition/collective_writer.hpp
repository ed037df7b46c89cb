#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/partition/axes.hpp"
#include "ir/partition/halo.hpp"
#include "ir/partition/spmd_reshard.hpp"

namespace dse::ir::partition {

/// Writes the collectives of a partitioned program, with the names of its language.
class CollectiveWriter {
  public:
    CollectiveWriter(ProgramBuilder& builder, Language language, const DeviceMesh& mesh)
        : builder_{builder}, language_{language}, mesh_{mesh} {}

    /// Moves a part to other layouts, given per leaf; a tuple is taken apart and recreated.
    /// \param whole  type of the value
    /// \param partial  axes over which the parts are partial sums
    /// \pre one layout per leaf, each with the rank of its leaf
    /// \return the part in the new layouts; the same value if nothing changes
    ValueId reshard(ComputationId computation, ValueId part, TypeId whole, const std::vector<Layout>& from,
                    const std::vector<Layout>& to, std::uint32_t line, const Axes& partial = {},
                    Summing summing = Summing::whole);

    /// Gives each device along a partitioned dimension the elements that it needs of its neighbours.
    /// \param part  the part that a device has
    /// \param axes  along which the dimension is partitioned
    /// \param size  of the whole dimension
    /// \param wanted  by part: first element and end
    /// \return a part with the length of the longest range
    ValueId exchange_halo(ComputationId computation, ValueId part, std::size_t dimension, const Axes& axes,
                          std::int64_t size, const WantedRanges& wanted, std::uint32_t line);

  private:
    struct Leaves {
        std::vector<Layout>::const_iterator from, to;  ///< iterators to those of the next leaf
        std::uint32_t line{0};
        const Axes& partial;
        Summing summing{Summing::whole};
    };
    ValueId reshard_next(ComputationId computation, ValueId part, TypeId whole, Leaves& leaves);
    ValueId reshard_array(ComputationId computation, ValueId part, const Type& whole, const Layout& from,
                          const Layout& to, const Leaves& leaves);
    ValueId write(ComputationId computation, Opcode opcode, std::span<const ValueId> operands, TypeId type,
                  Attribute attribute, std::uint32_t line);
    ValueId write(ComputationId computation, Opcode opcode, ValueId part, TypeId type, Attribute attribute,
                  std::uint32_t line) {
        return write(computation, opcode, std::span{&part, 1}, type, std::move(attribute), line);
    }
    ValueId send_halo(ComputationId computation, ValueId part, std::size_t dimension, const Axes& axes,
                      const HaloStep& step, std::uint32_t line);
    [[nodiscard]] TypeId resized(ValueId part, std::size_t dimension, std::int64_t size);
    [[nodiscard]] Communication along(const Axes& axes);
    /// The groups of devices that differ along these axes only.
    [[nodiscard]] const DeviceGroups& groups(const Axes& axes);
    [[nodiscard]] NameId spelled(Opcode opcode);

    ProgramBuilder& builder_;
    Language language_;
    const DeviceMesh& mesh_;
    std::int64_t channels_{0};
    std::vector<std::pair<Axes, DeviceGroups>> groups_;  ///< those used so far
    std::array<NameId, opcode_count> names_{};           ///< those used so far
};

}  // namespace dse::ir::partition
