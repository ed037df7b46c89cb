#include "opcodes.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <sstream>
#include <string>
#include <utility>

#include "dse/base/nearest.hpp"

namespace dse::ir::hlo {
namespace {

// HLO's instructions, sorted. Source: XLA, xla/hlo/ir/hlo_opcode.h
constexpr std::string_view hlo_words =
    "abs acos acosh add add-dependency after-all all-gather all-gather-done all-gather-start "
    "all-reduce all-reduce-done all-reduce-start all-to-all and asin asinh async-done "
    "async-start async-update atan2 atanh batch-norm-grad batch-norm-inference "
    "batch-norm-training bitcast bitcast-convert broadcast call cbrt ceil cholesky clamp "
    "collective-broadcast collective-permute collective-permute-done collective-permute-start "
    "compare complex concatenate conditional constant convert convolution copy copy-done "
    "copy-start cosh cosine count-leading-zeros custom-call divide domain dot dynamic-reshape "
    "dynamic-slice dynamic-update-slice erf exponential exponential-minus-one fft floor fusion "
    "gather get-dimension-size get-tuple-element imag infeed iota is-finite log log-plus-one "
    "logistic map maximum minimum multiply negate not opt-barrier or outfeed pad parameter "
    "partition-id popcnt power ragged-all-to-all ragged-dot real recv recv-done reduce "
    "reduce-precision reduce-scatter reduce-window remainder replica-id reshape reverse rng "
    "rng-bit-generator rng-get-and-update-state round-nearest-afz round-nearest-even rsqrt "
    "scaled-dot scan scatter select select-and-scatter send send-done set-dimension-size "
    "shift-left shift-right-arithmetic shift-right-logical sign sine sinh slice sort sqrt "
    "stochastic-convert subtract tan tanh topk transpose triangular-solve tuple while xor";

const std::vector<std::string>& instructions() {
    static const std::vector<std::string> result = [] {
        std::istringstream words{std::string{hlo_words}};
        return std::vector<std::string>{std::istream_iterator<std::string>{words}, {}};
    }();
    return result;
}

Opcode plain(std::string_view word) {
    if (!std::binary_search(instructions().begin(), instructions().end(), word)) return Opcode::unknown;
    return opcode(word == "opt-barrier" ? "optimization_barrier" : word).value_or(Opcode::unknown);
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
    const auto near = nearest(word, instructions());
    return near ? " (did you mean '" + *near + "'?)" : std::string{};
}

}  // namespace dse::ir::hlo
