#include "dse/graph/serving.hpp"

#include <algorithm>
#include <array>

#include "dse/base/check.hpp"
#include "graph/require_in_range.hpp"

namespace dse::graph {

std::span<const std::string_view> choice_names(CachePrecision) {
    static constexpr std::array<std::string_view, 7> names{"auto", "fp32", "bf16", "fp16",
                                                           "fp8",  "fp4",  "int8"};
    return names;
}

Precision storage_of(CachePrecision cache, Precision activations) {
    switch (cache) {
        case CachePrecision::automatic:
            return activations;
        case CachePrecision::fp32:
            return Precision::fp32;
        case CachePrecision::bf16:
            return Precision::bf16;
        case CachePrecision::fp16:
            return Precision::fp16;
        case CachePrecision::fp8:
            return Precision::fp8;
        case CachePrecision::fp4:
            return Precision::fp4;
        case CachePrecision::int8:
            return Precision::int8;
    }
    DSE_REQUIRE(false && "a cache without a precision");
    return activations;
}

Precision storage_of(StatePrecision state) {
    switch (state) {
        case StatePrecision::fp32:
            return Precision::fp32;
        case StatePrecision::bf16:
            return Precision::bf16;
        case StatePrecision::fp16:
            return Precision::fp16;
    }
    DSE_REQUIRE(false && "a state without a precision");
    return Precision::fp32;
}

void require_valid(const Serving& serving) {
    require_in_range(serving);
}

CacheExtent cache_extent(Mode mode, const Serving& serving, std::int64_t sequence, std::int64_t ranks) {
    const bool decodes = mode == Mode::decode;
    const std::int64_t half_way = sequence + serving.output / 2;
    CacheExtent extent;
    extent.context = !decodes ? sequence : serving.context > 0 ? serving.context : half_way;
    const std::int64_t tokens = decodes ? std::max(extent.context, sequence + serving.output) : sequence;
    const std::int64_t pages = serving.kv_block * ranks;
    extent.cached = (tokens + pages - 1) / pages * pages;
    return extent;
}

}  // namespace dse::graph
