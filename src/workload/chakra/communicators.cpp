#include "dse/workload/chakra/communicators.hpp"

#include <ostream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "dse/workload/chakra/streams.hpp"

namespace dse::workload::chakra {

Communicators::Communicators(const Graph& graph) : mesh_{graph.mesh} {
    for (const Region& region : graph.regions) {
        for (const Item& item : region.items) {
            if (item.kind != Item::Kind::node) continue;
            if (const auto* collective = std::get_if<Collective>(&graph.works[item.work.index()]))
                add(graph, item.stream, collective->axes);
        }
    }
    if (const auto* barrier = std::get_if<Collective>(&graph.works[graph.barrier.index()]))
        add(graph, barrier_stream(graph), barrier->axes);
}

const Communicators::Family* Communicators::find(StreamId stream, AxisSet axes) const {
    for (const Family& family : families_) {
        if (family.stream == stream && family.axes == axes) return &family;
    }
    return nullptr;
}

void Communicators::add(const Graph& graph, StreamId stream, AxisSet axes) {
    if (graph.mesh.degree(axes) <= 1 || find(stream, axes) != nullptr) return;
    Family& family = families_.emplace_back(Family{stream, axes, {}, {}, count_ + 1});
    family.number.assign(static_cast<std::size_t>(graph.mesh.ranks()), 0);
    for (std::int64_t rank = 0; rank < graph.mesh.ranks(); ++rank) {
        if (family.number[static_cast<std::size_t>(rank)] != 0) continue;
        ++count_;
        family.leaders.push_back(rank);
        for (const std::int64_t member : graph.mesh.group(axes, rank))
            family.number[static_cast<std::size_t>(member)] = count_;
    }
}

std::uint32_t Communicators::of(StreamId stream, AxisSet axes, std::int64_t rank) const {
    const Family* family = find(stream, axes);
    return family == nullptr ? 0 : family->number[static_cast<std::size_t>(rank)];
}

void Communicators::write_json(std::ostream& stream) const {
    stream << '{';
    const char* separator = "\n";
    for (const Family& family : families_) {
        for (std::size_t g = 0; g < family.leaders.size(); ++g) {
            stream << fmt::format("{}\"{}\": [{}]", separator, family.first + g,
                                  fmt::join(mesh_.group(family.axes, family.leaders[g]), ", "));
            separator = ",\n";
        }
    }
    stream << "\n}\n";
}

}  // namespace dse::workload::chakra
