#include "dse/sim/replay/dependency_table.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"

namespace dse::sim::replay {
using trace::chakra::NodeIndex;
using trace::chakra::RankTrace;
using trace::chakra::Trace;

DependencyTable::DependencyTable(const RankTrace& rank, std::vector<std::uint32_t> before,
                                 Dependencies dependencies)
    : dependencies_{dependencies}, before_{std::move(before)} {
    DSE_EXPECT(before_.empty() || before_.size() == rank.trace->size());
    sort_by_id(*rank.trace);
    link(*rank.trace);
    check_for_circles(rank);
}

/// Lists each parent once, even if there are several kinds of dependency on it.
void DependencyTable::fill_parents(const Trace& trace, std::uint32_t node,
                                   std::vector<std::uint32_t>& parents) const {
    parents.clear();
    const NodeIndex index{node};
    for (const NodeIndex parent :
         dependencies_ == Dependencies::all ? trace.dependencies(index) : trace.data(index))
        parents.push_back(static_cast<std::uint32_t>(parent.index()));
    if (!before_.empty() && before_[node] != none) parents.push_back(before_[node]);
    std::ranges::sort(parents);
    parents.erase(std::unique(parents.begin(), parents.end()), parents.end());
}

void DependencyTable::sort_by_id(const Trace& trace) {
    node_at_.resize(trace.size());
    std::iota(node_at_.begin(), node_at_.end(), 0U);
    const auto id = [&](std::uint32_t node) { return trace.step(NodeIndex{node}).id; };
    if (!std::ranges::is_sorted(node_at_, {}, id)) std::ranges::stable_sort(node_at_, {}, id);
    place_.resize(trace.size());
    for (std::uint32_t place = 0; place < trace.size(); ++place) place_[node_at_[place]] = place;
}

void DependencyTable::link(const Trace& trace) {
    const auto count = static_cast<std::uint32_t>(trace.size());
    waits_.assign(count, 0);
    first_child_.assign(count + 1U, 0);
    std::vector<std::uint32_t> parents;
    for (std::uint32_t node = 0; node < count; ++node) {
        fill_parents(trace, node, parents);
        waits_[node] = static_cast<std::uint32_t>(parents.size());
        for (const std::uint32_t parent : parents) ++first_child_[parent + 1];
    }
    std::partial_sum(first_child_.begin(), first_child_.end(), first_child_.begin());
    children_.resize(first_child_.back());
    std::vector<std::uint32_t> next{first_child_};
    for (std::uint32_t node = 0; node < count; ++node) {
        fill_parents(trace, node, parents);
        for (const std::uint32_t parent : parents) children_[next[parent]++] = node;
    }
}

void DependencyTable::check_for_circles(const RankTrace& rank) const {
    std::vector<std::uint32_t> waits{waits_};
    std::vector<std::uint32_t> ready;
    for (std::uint32_t node = 0; node < size(); ++node) {
        if (waits[node] == 0) ready.push_back(node);
    }
    std::size_t done = 0;
    while (!ready.empty()) {
        const std::uint32_t node = ready.back();
        ready.pop_back();
        ++done;
        for (const std::uint32_t child : children(node)) {
            if (--waits[child] == 0) ready.push_back(child);
        }
    }
    if (done == size()) return;
    // Every node that still waits has a parent that still waits: following these leads into the cycle.
    auto node =
        static_cast<std::uint32_t>(std::ranges::find_if(waits, [](auto w) { return w > 0; }) - waits.begin());
    const auto back = [&](std::uint32_t from) {
        std::vector<std::uint32_t> parents;
        fill_parents(*rank.trace, from, parents);
        return *std::ranges::find_if(parents, [&](std::uint32_t parent) { return waits[parent] > 0; });
    };
    for (std::size_t i = 0; i < size(); ++i) node = back(node);
    std::string circle = rank.place(NodeIndex{node});
    std::uint32_t member = back(node);
    for (int shown = 1; member != node && shown < 6; ++shown, member = back(member))
        circle += fmt::format(" waits for {}", rank.place(NodeIndex{member}));
    throw InputError(fmt::format("'{}': nodes wait for each other in a circle: {} waits for {}", rank.path,
                                 circle, member == node ? "the first" : "others"));
}

}  // namespace dse::sim::replay
