#include "dse/workload/work.hpp"

#include <array>

namespace dse::workload {

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

std::string_view name(CopyDirection direction) {
    return direction == CopyDirection::to_host ? "copy_to_host" : "copy_to_device";
}

}  // namespace dse::workload
