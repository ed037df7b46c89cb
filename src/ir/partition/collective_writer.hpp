#pragma once

#include <string>
#include <string_view>

#include "dse/ir/program_builder.hpp"
#include "ir/partition/axes.hpp"
#include "ir/partition/reshard.hpp"

namespace dse::ir::partition {

/// Writes the collectives of a partitioned program, named as its language names them.
class CollectiveWriter {
  public:
    CollectiveWriter(ProgramBuilder& builder, Language language, const DeviceMesh& mesh)
        : builder_{builder}, language_{language}, mesh_{mesh} {}

    /// Moves a part from one layout to another. \param whole  the type of the array
    /// \return the part in the new layout; the same value where nothing changes
    ValueId reshard(ComputationId computation, ValueId part, const Type& whole, const Layout& from,
                    const Layout& to, std::uint32_t line);

    /// The sum of partial results over axes.
    ValueId all_reduce(ComputationId computation, ValueId part, const Axes& axes, std::uint32_t line);

  private:
    ValueId write(ComputationId computation, Opcode opcode, ValueId part, TypeId type, Attribute attribute,
                  std::uint32_t line);
    [[nodiscard]] Communication along(const Axes& axes);
    [[nodiscard]] std::string spelled(Opcode opcode) const;

    ProgramBuilder& builder_;
    Language language_;
    const DeviceMesh& mesh_;
    std::int64_t channels_{0};
};

}  // namespace dse::ir::partition
