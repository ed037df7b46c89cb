#include "dse/trace/chakra/communicators.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "trace/chakra/streams.hpp"

namespace dse::trace::chakra {

Communicators::Communicators(const graph::Graph& graph) : mesh_{graph.mesh} {
    for (const graph::Region& region : graph.regions) {
        for (const graph::Item& item : region.items) {
            if (item.kind != graph::Item::Kind::node) continue;
            if (const auto* collective = std::get_if<graph::Collective>(&graph.works[item.work.index()]))
                add(item.stream, *collective);
        }
    }
    if (const auto* barrier = std::get_if<graph::Collective>(&graph.works[graph.barrier.index()]))
        add(barrier_stream(graph), *barrier);
}

const Communicators::Family* Communicators::find(graph::StreamId stream,
                                                 const graph::Collective& collective) const {
    for (const Family& family : families_) {
        if (family.stream == stream && family.axes == collective.axes && family.members == collective.members)
            return &family;
    }
    return nullptr;
}

std::vector<std::int64_t> Communicators::group(const Family& family, std::int64_t rank) const {
    return members_of(family.axes, family.members, mesh_, rank);
}

void Communicators::add(graph::StreamId stream, const graph::Collective& collective) {
    const bool messages = collective.kind == graph::CollectiveKind::ring_shift;
    if (messages || mesh_.degree(collective.axes) <= 1 || find(stream, collective) != nullptr) return;
    Family& family =
        families_.emplace_back(Family{stream, collective.axes, collective.members, {}, {}, count_ + 1});
    family.number.assign(static_cast<std::size_t>(mesh_.ranks()), 0);
    std::vector<bool> seen(family.number.size(), false);
    for (std::int64_t rank = 0; rank < mesh_.ranks(); ++rank) {
        if (seen[static_cast<std::size_t>(rank)]) continue;
        // The two ends represent their whole pipeline: the ranks between them have no group of their own.
        const bool ends = family.members == graph::Members::ends;
        for (const std::int64_t member : ends ? mesh_.group(family.axes, rank) : group(family, rank))
            seen[static_cast<std::size_t>(member)] = true;
        ++count_;
        family.leaders.push_back(rank);
        for (const std::int64_t member : group(family, rank))
            family.number[static_cast<std::size_t>(member)] = count_;
    }
}

std::uint32_t Communicators::of(graph::StreamId stream, const graph::Collective& collective,
                                std::int64_t rank) const {
    const Family* family = find(stream, collective);
    return family == nullptr ? 0 : family->number[static_cast<std::size_t>(rank)];
}

void Communicators::write_json(std::ostream& stream) const {
    stream << '{';
    const char* separator = "\n";
    for (const Family& family : families_) {
        for (std::size_t g = 0; g < family.leaders.size(); ++g) {
            stream << fmt::format("{}\"{}\": [{}]", separator, family.first + g,
                                  fmt::join(group(family, family.leaders[g]), ", "));
            separator = ",\n";
        }
    }
    stream << "\n}\n";
}

}  // namespace dse::trace::chakra
