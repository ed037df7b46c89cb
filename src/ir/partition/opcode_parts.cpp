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

constexpr auto parts_of_opcodes = [] {
    using enum Role;
    using enum Passage;
    // Abbreviations used in the rows.
    constexpr OpcodeParts uncut{};
    constexpr auto rule = [](OpcodeParts::Rule* factors, Passage passage = Passage::other) {
        return OpcodeParts{Role::compute, passage, factors};
    };
    constexpr auto role = [](Role is, Passage passage = Passage::other) {
        return OpcodeParts{is, passage, nullptr};
    };
    return std::array<OpcodeParts, opcode_count>{{
#define DSE_OPCODE(name, family, fault, flops, traffic, parts, ...) parts,
#include "dse/ir/program/opcodes.def"
    }};
}();

}  // namespace

const OpcodeParts& opcode_parts(Opcode opcode) {
    return parts_of_opcodes[static_cast<std::size_t>(opcode)];
}

}  // namespace dse::ir::partition
