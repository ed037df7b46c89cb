#include "opcodes.hpp"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "dse/base/nearest.hpp"
#include "dse/ir/program/opcode_traits.hpp"

namespace dse::ir::hlo {
namespace {

/// HLO's word for an opcode; empty if it has none.
std::string word_of(const OpcodeTraits& known) {
    if (known.hlo != as_named) return std::string{known.hlo};
    std::string word{known.name};
    std::replace(word.begin(), word.end(), '_', '-');
    return word;
}

// Source: XLA, xla/hlo/ir/hlo_opcode.h
const std::map<std::string, Opcode, std::less<>>& instructions() {
    static const auto result = [] {
        std::map<std::string, Opcode, std::less<>> words;
        for (std::size_t i = 0; i < opcode_count; ++i) {
            const auto opcode = static_cast<Opcode>(i);
            if (std::string word = word_of(traits(opcode)); !word.empty())
                words.emplace(std::move(word), opcode);
        }
        return words;
    }();
    return result;
}

Opcode plain(std::string_view word) {
    const auto found = instructions().find(word);
    return found == instructions().end() ? Opcode::unknown : found->second;
}

OpcodeWord meaning(std::string_view word) {
    if (const Opcode opcode = plain(word); opcode != Opcode::unknown) return {opcode, Opcode::unknown};
    constexpr std::array<std::pair<std::string_view, Opcode>, 3> endings{
        {{"-start", Opcode::async_start}, {"-update", Opcode::async_update}, {"-done", Opcode::async_done}}};
    for (const auto& [ending, phase] : endings) {
        if (!word.ends_with(ending)) continue;
        const Opcode wrapped = plain(word.substr(0, word.size() - ending.size()));
        if (wrapped != Opcode::unknown) return {phase, wrapped};
    }
    return {};
}

}  // namespace

const OpcodeWord& OpcodeWords::operator[](std::string_view word) {
    const std::uint32_t number = seen_.add(word);
    if (number == words_.size()) words_.push_back(meaning(word));
    return words_[number];
}

std::string OpcodeWords::suggestion(std::string_view word) {
    std::vector<std::string> words;
    for (const auto& [instruction, opcode] : instructions()) words.push_back(instruction);
    const auto near = nearest(word, words);
    return near ? " (did you mean '" + *near + "'?)" : std::string{};
}

}  // namespace dse::ir::hlo
