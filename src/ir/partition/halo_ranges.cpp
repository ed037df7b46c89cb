#include "ir/partition/halo_ranges.hpp"

#include <variant>

namespace dse::ir::partition {
namespace {

std::int64_t floor_of(std::int64_t a, std::int64_t b) {
    return a / b - (a % b < 0 ? 1 : 0);
}

// Elements of the operand that stand among `count` of the padded ones, from `start` on.
std::pair<std::int64_t, std::int64_t> padded_range(const PadSizes& pads, std::size_t dimension,
                                                   std::int64_t start, std::int64_t count) {
    const std::int64_t distance = pads.interior[dimension] + 1;
    const std::int64_t first = start - pads.low[dimension];
    return {floor_of(first + distance - 1, distance), floor_of(first + count - 1, distance) + 1};
}

}  // namespace

bool exchanges_halo(const FactorRule& rule, const std::vector<Axes>& axes, std::size_t dimension) {
    if (rule.operands.empty() || dimension >= rule.operands[0].size()) return false;
    const auto& factors = rule.operands[0][dimension];
    return factors.size() == 1 && rule.factors[factors[0]].kind == FactorRule::Kind::permutation &&
           !axes[factors[0]].empty();
}

WantedRanges wanted_ranges(const Attribute& attribute, std::size_t dimension, std::int64_t size,
                           std::int64_t parts) {
    std::int64_t first = 0;
    std::int64_t stride = 1;
    if (const auto* ranges = std::get_if<SliceRanges>(&attribute)) {
        first = ranges->starts[dimension];
        stride = ranges->strides[dimension];
    }
    const auto* pads = std::get_if<PadSizes>(&attribute);
    const std::int64_t part = (size + parts - 1) / parts;
    WantedRanges result;
    for (std::int64_t i = 0; i < parts; ++i) {
        if (pads != nullptr) {
            result.push_back(padded_range(*pads, dimension, i * part, i * part < size ? part : 0));
            continue;
        }
        const std::int64_t start = first + i * part * stride;
        result.emplace_back(start, i * part < size ? start + (part - 1) * stride + 1 : start);
    }
    return result;
}

Attribute without_halo(Attribute attribute, std::size_t dimension) {
    if (auto* ranges = std::get_if<SliceRanges>(&attribute)) {
        ranges->limits[dimension] -= ranges->starts[dimension];
        ranges->starts[dimension] = 0;
    } else if (auto* pads = std::get_if<PadSizes>(&attribute)) {
        pads->low[dimension] = pads->high[dimension] = pads->interior[dimension] = 0;
    }
    return attribute;
}

}  // namespace dse::ir::partition
