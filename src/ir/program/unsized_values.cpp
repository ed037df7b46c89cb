#include "dse/ir/program/unsized_values.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace dse::ir {
namespace {

bool is_open(const TypeTable& types, TypeId id) {
    const Type& type = types[id];
    if (type.kind == Type::Kind::tuple)
        return std::any_of(type.members.begin(), type.members.end(),
                           [&types](TypeId member) { return is_open(types, member); });
    if (type.kind != Type::Kind::array) return false;
    return !type.ranked || std::find(type.sizes.begin(), type.sizes.end(), unknown_size) != type.sizes.end();
}

/// Whether the cost of an operation depends on the size of its result, and the result is used.
bool needs_size(const Operation& operation) {
    if (operation.label == no_name) return false;
    switch (opcode_class(operation.opcode)) {
        case OpcodeClass::elementwise:
        case OpcodeClass::transcendental:
        case OpcodeClass::contraction:
        case OpcodeClass::kernel:
        case OpcodeClass::reduction:
        case OpcodeClass::movement:
            return true;
        default:
            return false;
    }
}

class Search {
  public:
    explicit Search(const Program& program) : program_{program} {}

    std::vector<UnsizedValues> run() {
        for (const Computation& computation : program_.computations) {
            look_at_arguments(computation);
            for (const Operation& operation : computation.operations) look_at(operation);
        }
        std::vector<UnsizedValues> found;
        finish(open_, "has a dimension of unknown size", found);
        finish(untyped_, "has no type annotation", found);
        return found;
    }

  private:
    [[nodiscard]] bool is_untyped(ValueId value) const {
        return program_.language == Language::fx &&
               program_.types[program_.type_of(value)].kind == Type::Kind::untyped;
    }

    void look_at_arguments(const Computation& computation) {
        if (program_.language == Language::hlo) return;  // in HLO parameters are instructions
        const bool is_entry = &computation == &program_[program_.entry];
        for (std::size_t i = 0; i < computation.arguments.size(); ++i) {
            const ValueId value = computation.arguments[i];
            const std::string name = fmt::format("argument {}", i);
            if (is_open(program_.types, program_.type_of(value))) add(open_, computation.line, name, value);
            if (is_entry && is_untyped(value)) add(untyped_, computation.line, name, value);
        }
    }

    void look_at(const Operation& operation) {
        for (std::size_t i = 0; i < operation.results.count; ++i) {
            const ValueId value = Program::result(operation, i);
            const std::string_view label = program_.text(operation.label);
            const std::string name{label.empty() ? program_.text(operation.name) : label};
            if (is_open(program_.types, program_.type_of(value))) add(open_, operation.line, name, value);
            if (is_untyped(value) && needs_size(operation)) add(untyped_, operation.line, name, value);
        }
    }

    void add(UnsizedValues& values, std::uint32_t line, const std::string& name, ValueId value) const {
        if (values.count++ > 0 && line >= values.line) return;
        values.line = line;
        values.reason = fmt::format("'{}' ({})", name, program_.types.text(program_.type_of(value)));
    }

    static void finish(UnsizedValues& values, std::string_view what, std::vector<UnsizedValues>& found) {
        if (values.count == 0) return;
        values.reason += fmt::format(" {}; such values, which are not counted: {}", what, values.count);
        found.push_back(std::move(values));
    }

    const Program& program_;
    UnsizedValues open_;
    UnsizedValues untyped_;
};

}  // namespace

std::vector<UnsizedValues> unsized_values(const Program& program) {
    return Search{program}.run();
}

bool has_open_size(const Program& program, ValueId value) {
    const TypeId type = program.type_of(value);
    return is_open(program.types, type) || program.types[type].kind == Type::Kind::untyped;
}

}  // namespace dse::ir
