#include "dse/graph/compiler_passes.hpp"

#include <array>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::graph {

std::span<const std::string_view> choice_names(Fusion) {
    static constexpr std::array<std::string_view, 4> names{"auto", "none", "elementwise", "full"};
    return names;
}

std::span<const std::string_view> choice_names(CollectiveOrder) {
    static constexpr std::array<std::string_view, 3> names{"program", "earliest", "ahead"};
    return names;
}

std::span<const std::string_view> choice_names(Fp32Products) {
    static constexpr std::array<std::string_view, 3> names{"auto", "tf32", "fp32"};
    return names;
}

void require_valid(const CompilerPasses& passes) {
    if (passes.collectives_ahead < 0)
        throw ModelError(fmt::format("collectives_ahead is {}: at least 0", passes.collectives_ahead));
    if (passes.bucket_size < Bytes{})
        throw ModelError(fmt::format("bucket_size is {} B: at least 0 B", passes.bucket_size.value()));
}

}  // namespace dse::graph
