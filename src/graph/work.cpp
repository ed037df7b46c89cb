#include "dse/graph/work.hpp"

#include <algorithm>
#include <array>

namespace dse::graph {

std::string_view name(OpClass op_class) {
    constexpr std::array<std::string_view, op_class_count> names{
        "gemm", "attention", "elementwise", "normalization", "softmax", "embedding", "loss", "optimizer"};
    return names[static_cast<std::size_t>(op_class)];
}

std::string_view name(CollectiveKind kind) {
    constexpr std::array<std::string_view, 6> names{"all_reduce", "all_gather", "reduce_scatter",
                                                    "all_to_all", "broadcast",  "ring_shift"};
    return names[static_cast<std::size_t>(kind)];
}

std::vector<std::int64_t> members_of(AxisSet axes, Members members, const Mesh& mesh, std::int64_t rank) {
    std::vector<std::int64_t> ranks = mesh.group(axes, rank);
    if (members == Members::ends) return {ranks.front(), ranks.back()};
    if (members == Members::mirrors) {
        const auto own = std::find(ranks.begin(), ranks.end(), rank) - ranks.begin();
        const std::int64_t other = ranks[ranks.size() - 1 - static_cast<std::size_t>(own)];
        return {std::min(rank, other), std::max(rank, other)};
    }
    return ranks;
}

std::string_view name(CopyDirection direction) {
    return direction == CopyDirection::to_host ? "copy_to_host" : "copy_to_device";
}

}  // namespace dse::graph
