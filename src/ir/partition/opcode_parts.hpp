#pragma once

#include <cstdint>
#include <optional>

#include "ir/partition/relations.hpp"
#include "ir/partition/rule_subject.hpp"

namespace dse::ir::partition {

/// How the partitioner writes an operation.
enum class Role : std::uint8_t {
    compute,  ///< in parts by its factor rule; whole on every device where it has none
    loop,     ///< what it carries lies one way in all iterations
    branch,   ///< one of the computations that it calls
    enter,    ///< all of the computation that it calls
    manual,   ///< its body is written for one device already
    tuple,
    element,  ///< of a tuple
    move,     ///< nothing is left of it but the collectives; layouts spread over it
    reshard,  ///< likewise, and layouts do not
    fence,    ///< hands all operands on in the layouts of its results
    keep,     ///< as it is
    finish    ///< hands a computation's results out
};

/// What is known of an opcode for that: the column `parts` of opcodes.def.
struct OpcodeParts {
    using Rule = std::optional<FactorRule>(const Subject& subject);
    Role role{Role::compute};
    Passage passage{Passage::other};
    Rule* rule{nullptr};
};

const OpcodeParts& opcode_parts(Opcode opcode);

}  // namespace dse::ir::partition
