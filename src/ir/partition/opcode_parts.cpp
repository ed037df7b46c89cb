#include "ir/partition/opcode_parts.hpp"

#include <array>
#include <cstddef>

#include "ir/partition/contraction_factors.hpp"
#include "ir/partition/foreign_factors.hpp"
#include "ir/partition/indexed_factors.hpp"
#include "ir/partition/movement_factors.hpp"
#include "ir/partition/plain_factors.hpp"
#include "ir/partition/reshape_factors.hpp"

namespace dse::ir::partition {
namespace {

// What the rows say.
constexpr OpcodeParts uncut{};
constexpr OpcodeParts rule(OpcodeParts::Rule* factors, Passage passage = Passage::other) {
    return {Role::compute, passage, factors};
}
constexpr OpcodeParts role(Role is, Passage passage = Passage::other) {
    return {is, passage, nullptr};
}

using enum Passage;
using enum Role;

constexpr std::array<OpcodeParts, opcode_count> rows{{
#define DSE_OPCODE(name, family, fault, flops, traffic, parts, ...) parts,
#include "dse/ir/program/opcodes.def"
}};

}  // namespace

const OpcodeParts& parts_of(Opcode opcode) {
    return rows[static_cast<std::size_t>(opcode)];
}

}  // namespace dse::ir::partition
