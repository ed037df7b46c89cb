#include "trace/chakra/node_index.hpp"

#include <algorithm>

namespace dse::trace::chakra {
namespace {

/// Largest number of table entries per node: 16 bytes, the size of a list entry.
constexpr std::uint64_t widest = 4;

}  // namespace

NodesById::NodesById(std::span<const TraceStep> steps) {
    if (steps.empty()) return;
    const auto by_id = [](const TraceStep& a, const TraceStep& b) { return a.id < b.id; };
    const auto [lowest, highest] = std::minmax_element(steps.begin(), steps.end(), by_id);
    lowest_ = lowest->id;
    const std::uint64_t width = highest->id - lowest_;
    if (width < widest * steps.size()) {
        fill_table(steps, width);
    } else {
        fill_list(steps);
    }
}

void NodesById::fill_table(std::span<const TraceStep> steps, std::uint64_t width) {
    table_.assign(width + 1, none);
    for (std::uint32_t node = 0; node < steps.size(); ++node) {
        std::uint32_t& place = table_[steps[node].id - lowest_];
        if (place == none) {
            place = node;
        } else {
            duplicates_.push_back(node);
        }
    }
}

void NodesById::fill_list(std::span<const TraceStep> steps) {
    list_.reserve(steps.size());
    for (std::uint32_t node = 0; node < steps.size(); ++node) list_.emplace_back(steps[node].id, node);
    std::sort(list_.begin(), list_.end());
    for (std::size_t i = 1; i < list_.size(); ++i) {
        if (list_[i].first == list_[i - 1].first) duplicates_.push_back(list_[i].second);
    }
    std::sort(duplicates_.begin(), duplicates_.end());
}

std::uint32_t NodesById::find(std::uint64_t id) const {
    if (!table_.empty()) {
        const std::uint64_t place = id - lowest_;  // ids below the lowest wrap around to beyond the table
        return place < table_.size() ? table_[place] : none;
    }
    const auto found = std::lower_bound(list_.begin(), list_.end(), std::pair{id, std::uint32_t{0}});
    return found != list_.end() && found->first == id ? found->second : none;
}

}  // namespace dse::trace::chakra
