#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "dse/base/error.hpp"
#include "dse/ir/readers/mlir/read_mlir.hpp"

namespace dse::ir::mlir {

/// The program of a text, checked.
inline Program program_of(std::string text) {
    Program program = read_mlir(Source::text(std::move(text), "t.mlir"));
    validate(program);
    return program;
}

/// The program of operations on %x: tensor<8x16xf32>, %y: tensor<16x4xf32>, %i: tensor<i32> and
/// %s: tensor<f32>.
inline Program program_of_body(const std::string& operations) {
    return program_of(
        "func.func @main(%x: tensor<8x16xf32>, %y: tensor<16x4xf32>, %i: tensor<i32>, "
        "%s: tensor<f32>) {\n" +
        operations + "\n  return\n}\n");
}

/// The first operation of the entry.
inline const Operation& first(const Program& program) {
    return program[program.entry].operations.front();
}

/// The attribute of that kind of the one operation that `operations` says.
template <class T>
T attribute_of(const std::string& operations) {
    const Program program = program_of_body(operations);
    const T* attribute = program.attribute_if<T>(first(program));
    return attribute == nullptr ? throw InputError("no such attribute") : *attribute;
}

/// Why a text is refused; empty: it is not.
inline std::string refusal_of(std::string text) {
    try {
        program_of(std::move(text));
    } catch (const InputError& error) {
        return error.what();
    }
    return {};
}

}  // namespace dse::ir::mlir
