#pragma once

#include <cstdint>
#include <optional>

#include "ir/partition/relations.hpp"
#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// How the partitioner writes an operation.
enum class Role : std::uint8_t {
    compute,  ///< in parts by its factor rule; completely on every device if it has none
    loop,     ///< carried values have the same layout in all iterations
    branch,   ///< one of the computations that it calls
    enter,    ///< all of the computation that it calls
    manual,   ///< its body is already written for one device
    tuple,
    element,  ///< element of a tuple
    move,     ///< only its collectives remain; layouts propagate through it
    reshard,  ///< only its collectives remain; layouts do not propagate through it
    fence,    ///< passes on all operands, in the layouts of its results
    keep,     ///< unchanged
    finish    ///< returns a computation's results
};

/// Properties of an opcode for partitioning: the column `parts` of opcodes.def.
struct OpcodeParts {
    using Rule = std::optional<FactorRule>(const Subject& subject);
    Role role{Role::compute};
    Passage passage{Passage::other};
    Rule* rule{nullptr};
};

const OpcodeParts& opcode_parts(Opcode opcode);

}  // namespace dse::ir::partition
