#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

namespace dse::ir {

/// What an operation does, whichever language says it: the rows of opcodes.def.
enum class Opcode : std::uint8_t {
#define DSE_OPCODE(name, ...) name,
#include "dse/ir/program/opcodes.def"
};
inline constexpr std::size_t opcode_count{static_cast<std::size_t>(Opcode::unknown) + 1};

/// Families of opcodes.
enum class OpcodeClass : std::uint8_t {
    elementwise,     ///< one result element from one element of each operand; counted as one FLOP
    transcendental,  ///< element-wise, of XLA's list of transcendental functions
    contraction,     ///< matrix products and convolutions
    kernel,          ///< what frameworks hand over as one fused operator
    reduction,       ///< fewer elements than there were
    movement,        ///< moves or repeats elements, computes nothing
    communication,   ///< between devices
    control,         ///< runs other computations
    bookkeeping,     ///< names, groups and orders values; no device work
    foreign,         ///< known by name only
};

/// Its name in this vocabulary: "dot", "all_gather_start", "while".
std::string_view name(Opcode opcode);
OpcodeClass opcode_class(Opcode opcode);

/// The opcode of that name in this vocabulary ('-' counts as '_', as HLO writes it); nothing where there is
/// none.
std::optional<Opcode> opcode(std::string_view name);

}  // namespace dse::ir
