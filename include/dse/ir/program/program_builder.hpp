#pragma once

#include <span>
#include <string_view>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Writes a program, operation by operation: what the readers, the partitioner and the passes build with.
/// Computations may be open at the same time (regions inside functions).
class ProgramBuilder {
  public:
    explicit ProgramBuilder(Program& program) : program_{program} {}

    NameId name(std::string_view text) { return NameId{program_.names.add(text)}; }
    AttributeId attribute(Attribute attribute);
    ShardingId sharding(std::vector<Sharding> leaves);

    ComputationId computation(std::string_view name, std::uint32_t line = 0);
    /// A new argument behind the others.
    ValueId argument(ComputationId computation, TypeId type, ShardingId sharding = no_sharding);

    struct Draft {
        Opcode opcode{Opcode::unknown};
        NameId name{no_name};
        NameId label{no_name};
        std::span<const ValueId> operands{};
        std::span<const TypeId> results{};
        std::span<const ComputationId> called{};
        AttributeId attribute{no_attribute};
        std::uint32_t line{0};
        bool repeats{false};
        bool blocks{false};
        double model_share{1.0};
    };
    /// What an operation says of itself (opcode, names, attribute, line, whether it repeats, blocks, the
    /// model's share), for another place and other operands. \pre names and attributes of its program have
    /// the same numbers in this one
    static Draft like(const Operation& operation);

    /// Appends an operation, its results new values. \return the operation, valid until the next is appended
    /// to the same computation
    Operation& append(ComputationId computation, const Draft& draft);
    /// The same with one result. \return it
    ValueId value(ComputationId computation, const Draft& draft);

    void results(ComputationId computation, std::span<const ValueId> results);
    [[nodiscard]] Program& program() { return program_; }

  private:
    Program& program_;
};

}  // namespace dse::ir
