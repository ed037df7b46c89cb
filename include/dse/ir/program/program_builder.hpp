#pragma once

#include <span>
#include <string_view>

#include "dse/ir/program/program.hpp"

namespace dse::ir {

/// Builds a program operation by operation, for the readers, the partitioner and the passes. Several
/// computations may be under construction at the same time (regions inside functions).
class ProgramBuilder {
  public:
    explicit ProgramBuilder(Program& program) : program_{program} {}

    NameId name(std::string_view text) { return NameId{program_.names.add(text)}; }
    AttributeId attribute(Attribute attribute);
    ShardingId sharding(std::vector<Sharding> leaves);

    ComputationId computation(std::string_view name, std::uint32_t line = 0);
    /// Appends an argument.
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
    /// The properties of an operation (opcode, names, attribute, line, repeats, blocks, model_share) for use
    /// elsewhere, with other operands.
    /// \pre names and attributes have the same numbers in both programs
    static Draft like(const Operation& operation);

    /// Appends an operation whose results are new values.
    /// \return the operation, valid until the next one is appended to the same computation
    Operation& append(ComputationId computation, const Draft& draft);
    /// Appends an operation with one result. \return the result
    ValueId value(ComputationId computation, const Draft& draft);

    void results(ComputationId computation, std::span<const ValueId> results);
    [[nodiscard]] Program& program() { return program_; }

  private:
    Program& program_;
};

}  // namespace dse::ir
