#pragma once

#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

#include "dse/ir/readers/hlo/read_hlo.hpp"
#include "support/error_message.hpp"

namespace dse::ir {

/// The program that a text says; checked.
inline Program hlo_program(std::string text) {
    Program program = read_hlo(Source::text(std::move(text), "t.hlo"));
    validate(program);
    return program;
}

/// The program of a computation's instructions alone.
inline Program hlo_instructions(const std::string& lines) {
    return hlo_program("ENTRY main {\n" + lines + "\n}");
}

/// Why a text is refused; empty where it is read.
inline std::string hlo_refusal(std::string text) {
    return dse::test::error_message([&] { (void)read_hlo(Source::text(std::move(text), "t.hlo")); });
}

/// The operation of that label, anywhere in the program.
inline const Operation& labelled(const Program& program, std::string_view label) {
    for (const Computation& computation : program.computations)
        for (const Operation& operation : computation.operations)
            if (program.text(operation.label) == label) return operation;
    ADD_FAILURE() << "no operation " << label;
    return program[program.entry].operations[0];
}

inline std::string type_text(const Program& program, const Operation& operation) {
    return program.types.text(program.type_of(Program::result(operation)));
}

}  // namespace dse::ir
