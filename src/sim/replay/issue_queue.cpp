#include "sim/replay/issue_queue.hpp"

#include <algorithm>
#include <functional>

namespace dse::sim::replay {

IssueQueue::IssueQueue(const DependencyTable& table, std::size_t lanes)
    : table_{&table}, ready_(lanes), busy_(lanes), left_{table.size()} {
    waits_.resize(table.size());
    for (std::uint32_t node = 0; node < table.size(); ++node) {
        waits_[node] = table.waits(node);
        if (waits_[node] == 0) fresh_.push_back(node);
    }
}

void IssueQueue::add(std::uint32_t node, Lane lane) {
    std::vector<std::uint32_t>& ready = ready_[lane];
    ready.push_back(table_->place(node));
    std::ranges::push_heap(ready, std::greater{});
}

std::optional<std::uint32_t> IssueQueue::next() {
    std::vector<std::uint32_t>* first = nullptr;
    for (std::size_t lane = 0; lane < ready_.size(); ++lane) {
        std::vector<std::uint32_t>& ready = ready_[lane];
        if (ready.empty() || busy_[lane]) continue;
        if (first == nullptr || ready.front() < first->front()) first = &ready;
    }
    if (first == nullptr) return std::nullopt;
    std::ranges::pop_heap(*first, std::greater{});
    const std::uint32_t node = table_->at_place(first->back());
    first->pop_back();
    const auto lane = static_cast<std::size_t>(first - ready_.data());
    busy_[lane] = lane != free_lane;
    ++at_work_;
    return node;
}

void IssueQueue::end(std::uint32_t node, Lane lane) {
    busy_[lane] = false;
    --at_work_;
    --left_;
    for (const std::uint32_t child : table_->children(node)) {
        if (--waits_[child] == 0) fresh_.push_back(child);
    }
}

}  // namespace dse::sim::replay
