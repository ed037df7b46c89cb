#pragma once

#include <string>
#include <utility>
#include <vector>

#include "dse/ir/program/program_builder.hpp"

namespace dse::ir::test {

/// A program of one function, written by hand: one line an operation.
class WrittenProgram {
  public:
    WrittenProgram() {
        main = builder.computation("main", 1);
        program.entry = main;
        program.language = Language::mlir;
    }

    TypeId array(Sizes sizes, ElementType element = ElementType::bf16) {
        Type type;
        type.element = element;
        type.sizes = std::move(sizes);
        return program.types.add(std::move(type));
    }
    ValueId argument(Sizes sizes, ShardingId sharding = no_sharding) {
        return builder.argument(main, array(std::move(sizes)), sharding);
    }
    ValueId operation(Opcode opcode, const std::vector<ValueId>& operands, Sizes result,
                      Attribute attribute = std::monostate{}) {
        const std::vector<TypeId> types{array(std::move(result))};
        return builder.value(main, {.opcode = opcode,
                                    .name = builder.name("stablehlo." + std::string{name(opcode)}),
                                    .operands = operands,
                                    .results = types,
                                    .attribute = builder.attribute(std::move(attribute)),
                                    .line = ++line});
    }
    /// lhs [m, k] times rhs [k, n].
    ValueId product(ValueId lhs, ValueId rhs) {
        const std::int64_t rows = sizes(lhs)[0];
        const std::int64_t columns = sizes(rhs)[1];
        return operation(Opcode::dot, {lhs, rhs}, {rows, columns}, DotDimensions{{}, {}, {1}, {0}});
    }
    void returns(const std::vector<ValueId>& values) { builder.results(main, values); }
    [[nodiscard]] const Sizes& sizes(ValueId value) const {
        return program.types[program.type_of(value)].sizes;
    }

    Program program;
    ProgramBuilder builder{program};
    ComputationId main;
    std::uint32_t line{1};
};

}  // namespace dse::ir::test
