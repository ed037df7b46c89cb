#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "dse/ir/program/program_builder.hpp"
#include "ir/partition/axes.hpp"
#include "ir/partition/reshard.hpp"

namespace dse::ir::partition {

/// Writes the collectives of a partitioned program, named as its language names them.
class CollectiveWriter {
  public:
    CollectiveWriter(ProgramBuilder& builder, Language language, const DeviceMesh& mesh)
        : builder_{builder}, language_{language}, mesh_{mesh} {}

    /// Moves a part from some layouts, one a leaf, to others; a tuple is taken apart and made again.
    /// \param whole  the type of the value \param partial  axes over which the parts are still to be summed
    /// \pre as many layouts as leaves, each of its leaf's rank
    /// \return the part in the new layouts; the same value where nothing changes
    ValueId reshard(ComputationId computation, ValueId part, TypeId whole, const std::vector<Layout>& from,
                    const std::vector<Layout>& to, std::uint32_t line, const Axes& partial = {});

  private:
    struct Leaves {
        std::vector<Layout>::const_iterator from, to;  ///< the next leaf's
        std::uint32_t line;
        const Axes& partial;
    };
    ValueId reshard_next(ComputationId computation, ValueId part, TypeId whole, Leaves& leaves);
    ValueId reshard_array(ComputationId computation, ValueId part, const Type& whole, const Layout& from,
                          const Layout& to, std::uint32_t line, const Axes& partial);
    ValueId write(ComputationId computation, Opcode opcode, std::span<const ValueId> operands, TypeId type,
                  Attribute attribute, std::uint32_t line);
    ValueId write(ComputationId computation, Opcode opcode, ValueId part, TypeId type, Attribute attribute,
                  std::uint32_t line) {
        return write(computation, opcode, std::span{&part, 1}, type, std::move(attribute), line);
    }
    [[nodiscard]] Communication along(const Axes& axes);
    [[nodiscard]] std::string spelled(Opcode opcode) const;

    ProgramBuilder& builder_;
    Language language_;
    const DeviceMesh& mesh_;
    std::int64_t channels_{0};
};

}  // namespace dse::ir::partition
