#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string_view>

#include "dse/ir/program/attributes.hpp"
#include "dse/ir/program/opcode.hpp"

namespace dse::ir {

/// Number of operands of an operation.
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

/// How the type of a single result can be inferred if a text does not state it.
enum class ResultType : std::uint8_t {
    stated,         ///< cannot be inferred
    first_operand,  ///< equals the first operand's
    elementwise,    ///< has the shape of the pattern operand
    product,        ///< a matrix product's
    tuple,          ///< of all operands
    element,        ///< an element of a tuple
    of_called       ///< the result of the first called computation
};

/// Whether the result is the operand's memory with a different shape.
enum class View : std::uint8_t { never, always, of_fx };

/// Kind of kernel that the operation runs as, if its family does not determine it.
enum class KernelKind : std::uint8_t {
    by_family,
    attention,
    softmax,
    normalization,
    embedding,
    loss,
    optimizer
};

/// Whether the operation may be executed again with the same result.
enum class Recomputed : std::uint8_t {
    by_family,
    in_full_only,  ///< too expensive for selective recomputation
    never
};

/// Communication pattern.
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

/// How much of an argument of a fused computation the operation reads.
enum class FusedRead : std::uint8_t {
    whole,          ///< all of it; a single read is shared with other such operations
    each_time,      ///< all of it, in a read of its own
    what_is_taken,  ///< as much of the first operand as the result has
    nothing,        ///< none of the first operand, which it overwrites
    inside          ///< determined by the computation that it calls
};

/// The empty attribute of an opcode.
template <class T>
Attribute blank() {
    return T{};
}

inline constexpr std::string_view as_named{"="};
inline constexpr std::string_view no_word{};

/// Properties of an opcode: its row in opcodes.def.
struct OpcodeTraits {
    std::string_view name;
    OpcodeClass family;
    ResultType result{ResultType::stated};
    OperandCount operands{};
    std::size_t pattern{0};  ///< element-wise: index of the operand whose shape the result has
    bool answers{false};     ///< element-wise: yields a truth value for each element
    bool combines{false};    ///< can combine partial results to the whole result
    std::size_t called{0};   ///< minimum number of computations that it calls
    Attribute (*attribute)(){blank<std::monostate>};
    std::string_view spelling{as_named};  ///< if the enumerator cannot have the operator's name
    std::string_view hlo{as_named};       ///< HLO's instruction; as_named: the name with '-' for '_'
    View view{View::never};
    bool hands_on{false};         ///< result i has the value of operand i, for tracking loop counters
    bool made_of_nothing{false};  ///< without operands, any device can compute any part of it
    KernelKind kernel{KernelKind::by_family};
    Recomputed recomputed{Recomputed::by_family};
    Exchange exchange{Exchange::none};
    Opcode start_of{Opcode::unknown};  ///< the operation that is split into this and its end
    bool ends_communication{false};    ///< makes later operations wait for something started elsewhere
    FusedRead fused_read{FusedRead::whole};
};

const OpcodeTraits& traits(Opcode opcode);

}  // namespace dse::ir
