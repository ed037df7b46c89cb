#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dse::ir {

/// What an operation does, in any of the languages: the rows of opcodes.def.
enum class Opcode : std::uint8_t {
#define DSE_OPCODE(name, ...) name,
#include "dse/ir/program/opcodes.def"
};
inline constexpr std::size_t opcode_count{static_cast<std::size_t>(Opcode::unknown) + 1};

/// Families of opcodes.
enum class OpcodeClass : std::uint8_t {
    elementwise,     ///< one result element per element of each operand; counted as one FLOP
    transcendental,  ///< element-wise and in XLA's list of transcendental functions
    contraction,     ///< matrix products and convolutions
    kernel,          ///< fused operators of frameworks
    reduction,       ///< reduces the number of elements
    movement,        ///< moves or repeats elements without computing
    communication,   ///< between devices
    control,         ///< runs other computations
    bookkeeping,     ///< names, groups or orders values; no device work
    foreign,         ///< known by name only
};

/// Its name in this vocabulary: "dot", "all_gather_start", "while".
std::string_view name(Opcode opcode);
OpcodeClass opcode_class(Opcode opcode);

/// The opcode with this name in this vocabulary ('-' equals '_', as in HLO); nothing if there is none.
std::optional<Opcode> opcode(std::string_view name);

}  // namespace dse::ir
