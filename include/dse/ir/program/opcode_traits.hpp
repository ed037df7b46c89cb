#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "dse/ir/program/attributes.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::ir {

/// How many operands an operation takes.
struct OperandCount {
    std::size_t fewest{0};
    std::size_t most{std::numeric_limits<std::size_t>::max()};
};
constexpr OperandCount exactly(std::size_t count) {
    return {count, count};
}
constexpr OperandCount at_least(std::size_t count) {
    return {count};
}

/// What the type of its one result follows from, where a text does not state it.
enum class ResultType : std::uint8_t {
    stated,         ///< nothing but the text
    first_operand,  ///< is the first operand's
    elementwise,    ///< the shape of the pattern operand
    product,        ///< a matrix product's
    tuple,          ///< of all operands
    element,        ///< one of a tuple
    of_called       ///< what the first called computation returns
};

/// Whether the result is the operand's memory under another shape.
enum class View : std::uint8_t { never, always, of_fx };

/// What kind of kernel it runs as, where its family does not say.
enum class KernelKind : std::uint8_t {
    by_family,
    attention,
    softmax,
    normalization,
    embedding,
    loss,
    optimizer
};

/// Whether it may be done twice, and gives the same both times.
enum class Recomputed : std::uint8_t {
    by_family,
    in_full_only,  ///< too much work for a selective recomputation
    never
};

/// Who sends what to whom.
enum class Exchange : std::uint8_t {
    none,
    all_reduce,
    all_gather,
    reduce_scatter,
    all_to_all,
    permute,
    broadcast,
    reduce,
    send,
    receive
};

/// How much of an argument of a fused computation it reads.
enum class FusedRead : std::uint8_t {
    whole,          ///< all of it, once for all that do
    each_time,      ///< all of it, on its own account
    what_is_taken,  ///< of the first operand as much as the result has
    nothing,        ///< of the first operand, which it overwrites
    inside          ///< what is read in the computation that it calls
};

/// The attribute of an opcode before anything of it is read.
template <class T>
Attribute blank() {
    return T{};
}

inline constexpr std::string_view as_named{"="};
inline constexpr std::string_view no_word{};

/// What is known of an opcode: its row in opcodes.def.
struct OpcodeTraits {
    std::string_view name;
    OpcodeClass family;
    ResultType result{ResultType::stated};
    OperandCount operands{};
    std::size_t pattern{0};  ///< element-wise: the operand whose shape is the result's
    bool answers{false};     ///< element-wise: says true or false of each element
    bool combines{false};    ///< partial results, whose combination is the whole result
    std::size_t called{0};   ///< computations that it calls, at least
    Attribute (*attribute)(){blank<std::monostate>};
    std::string_view spelling{as_named};  ///< where the enumerator cannot have the operator's name
    std::string_view hlo{as_named};       ///< HLO's instruction, which as_named writes with '-' for '_'
    View view{View::never};
    bool hands_on{false};         ///< result i is operand i, as far as the value of a loop counter goes
    bool made_of_nothing{false};  ///< where it has no operands, any device makes any part of it
    KernelKind kernel{KernelKind::by_family};
    Recomputed recomputed{Recomputed::by_family};
    Exchange exchange{Exchange::none};
    Opcode start_of{Opcode::unknown};  ///< the operation that it and its end are two halves of
    bool ends_communication{false};    ///< makes what follows wait for what began elsewhere
    FusedRead fused_read{FusedRead::whole};
};

const OpcodeTraits& traits(Opcode opcode);

}  // namespace dse::ir
