#include "dse/ir/program/opcode.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <unordered_map>

#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir {
namespace {

constexpr OpcodeTraits settled(OpcodeTraits row) {
    if (row.spelling != as_named) row.name = row.spelling;
    return row;
}

constexpr std::array rows{
#define DSE_OPCODE(name_, family_, fault, flops, traffic, parts, ...) \
    settled({.name = #name_, .family = OpcodeClass::family_ __VA_OPT__(, ) __VA_ARGS__}),
#include "dse/ir/program/opcodes.def"
};

std::unordered_map<std::string_view, Opcode> by_name() {
    std::unordered_map<std::string_view, Opcode> result;
    for (std::size_t i = 0; i < rows.size(); ++i) result.emplace(rows[i].name, static_cast<Opcode>(i));
    return result;
}

}  // namespace

const OpcodeTraits& traits(Opcode opcode) {
    return rows[static_cast<std::size_t>(opcode)];
}

std::string_view name(Opcode opcode) {
    return traits(opcode).name;
}

OpcodeClass opcode_class(Opcode opcode) {
    return traits(opcode).family;
}

std::optional<Opcode> opcode(std::string_view name) {
    static const auto opcodes = by_name();
    std::string spelled{name};
    std::replace(spelled.begin(), spelled.end(), '-', '_');
    const auto found = opcodes.find(spelled);
    if (found == opcodes.end()) return std::nullopt;
    return found->second;
}

}  // namespace dse::ir
