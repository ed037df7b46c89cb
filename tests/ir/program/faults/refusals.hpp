#pragma once

#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/ir/readers/read_program.hpp"

namespace dse::ir::test {

/// What is said of an operation without the place and the operation's name; empty: the text is read.
inline std::string fault_in(std::string text, const std::string& name) {
    try {
        (void)read_program(Source::text(std::move(text), name));
    } catch (const InputError& error) {
        const std::string message = error.what();
        const std::size_t said = message.find("': ");
        return said == std::string::npos ? message : message.substr(said + 3);
    }
    return {};
}

/// Of one instruction of HLO on parameters p0, p1, … of these types: `fault_in_hlo({"f32[4]"}, "f32[4]
/// negate(p0)")`. `sum` adds two f32[] scalars.
inline std::string fault_in_hlo(const std::vector<std::string>& types, const std::string& instruction) {
    std::string text =
        "HloModule m, num_partitions=8\nsum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
        "  ROOT s = f32[] add(a, b)\n}\nENTRY main {\n";
    for (std::size_t i = 0; i < types.size(); ++i)
        text += fmt::format("  p{0} = {1} parameter({0})\n", i, types[i]);
    return fault_in(text + "  ROOT r = " + instruction + "\n}\n", "t.hlo");
}

/// Of one operation of MLIR on arguments %0, %1, … of these tensors: `fault_in_mlir({"4xf32"},
/// "stablehlo.negate %0 : tensor<4xf32>")`.
inline std::string fault_in_mlir(const std::vector<std::string>& tensors, const std::string& operation) {
    std::string arguments;
    for (std::size_t i = 0; i < tensors.size(); ++i)
        arguments += fmt::format("{}%{}: tensor<{}>", i == 0 ? "" : ", ", i, tensors[i]);
    return fault_in(fmt::format("func.func @main({}) {{\n  %r = {}\n  return\n}}\n", arguments, operation),
                    "t.mlir");
}

}  // namespace dse::ir::test
