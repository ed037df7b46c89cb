#pragma once

#include <string_view>
#include <utility>
#include <vector>

#include "dse/ir/program/program_builder.hpp"

namespace dse::test {

/// Writes small programs by hand: every operation has one result unless it says otherwise.
class ProgramMaker {
  public:
    ir::Program program;
    ir::ProgramBuilder builder{program};

    ProgramMaker() = default;
    ProgramMaker(const ProgramMaker&) = delete;
    ProgramMaker& operator=(const ProgramMaker&) = delete;

    ir::TypeId array(ir::ElementType element, std::vector<std::int64_t> sizes,
                     std::int32_t memory_space = 0) {
        ir::Type type;
        type.element = element;
        type.sizes = std::move(sizes);
        type.memory_space = memory_space;
        return program.types.add(type);
    }
    ir::TypeId bf16(std::vector<std::int64_t> sizes) {
        return array(ir::ElementType::bf16, std::move(sizes));
    }
    ir::TypeId tuple(std::vector<ir::TypeId> members) {
        ir::Type type;
        type.kind = ir::Type::Kind::tuple;
        type.members = std::move(members);
        return program.types.add(type);
    }

    /// Operations go to the last computation that was opened.
    ir::ComputationId open(std::string_view name) { return current = builder.computation(name); }
    ir::ComputationId open_entry() { return program.entry = open("main"); }
    ir::ValueId argument(ir::TypeId type) { return builder.argument(current, type); }

    ir::ValueId op(ir::Opcode opcode, ir::TypeId result, const std::vector<ir::ValueId>& operands,
                   ir::Attribute attribute = {}, const std::vector<ir::ComputationId>& called = {}) {
        return ir::Program::result(many(opcode, {result}, operands, std::move(attribute), called));
    }
    ir::Operation& many(ir::Opcode opcode, const std::vector<ir::TypeId>& results,
                        const std::vector<ir::ValueId>& operands, ir::Attribute attribute = {},
                        const std::vector<ir::ComputationId>& called = {}) {
        return builder.append(current, {.opcode = opcode,
                                        .name = builder.name(ir::name(opcode)),
                                        .label = {},
                                        .operands = operands,
                                        .results = results,
                                        .called = called,
                                        .attribute = builder.attribute(std::move(attribute)),
                                        .line = ++line});
    }
    void results(const std::vector<ir::ValueId>& values) { builder.results(current, values); }

    /// lhs [m, k] · rhs [k, n].
    ir::ValueId dot(ir::TypeId result, ir::ValueId lhs, ir::ValueId rhs) {
        return op(ir::Opcode::dot, result, {lhs, rhs}, ir::DotDimensions{{}, {}, {1}, {0}});
    }
    static ir::Communication groups(ir::DeviceGroups groups) {
        ir::Communication communication;
        communication.groups = std::move(groups);
        communication.mode = ir::GroupMode::flattened_ids;
        return communication;
    }

    ir::ComputationId current;
    std::uint32_t line{0};
};

}  // namespace dse::test
