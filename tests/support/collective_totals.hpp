#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <tuple>
#include <variant>

#include <fmt/format.h>

#include "dse/graph/totals.hpp"

namespace dse::test {

/// Number and size of the collectives of one rank, of one kind over one set of axes.
struct CollectiveTotal {
    double count{0};
    Bytes size;  ///< sum of the full buffers
};

/// By kind and the bits of the axes.
using CollectiveTotals = std::map<std::tuple<graph::CollectiveKind, std::uint8_t>, CollectiveTotal>;

/// What one rank of a stage communicates in an iteration: compared with counts by hand and of other systems.
inline CollectiveTotals collectives_of_stage(const graph::Graph& graph, std::size_t stage) {
    CollectiveTotals result;
    graph::for_each_played_work(graph, stage, [&](const graph::Work& work, double times) {
        const auto* collective = std::get_if<graph::Collective>(&work);
        if (collective == nullptr || times == 0.0) return;
        CollectiveTotal& total = result[{collective->kind, collective->axes.bits()}];
        total.count += times;
        total.size += collective->size * times;
    });
    return result;
}

/// Those of one kind over one set of axes; zero if there are none.
inline CollectiveTotal total_of(const CollectiveTotals& totals, graph::CollectiveKind kind,
                                graph::AxisSet axes) {
    const auto found = totals.find({kind, axes.bits()});
    return found == totals.end() ? CollectiveTotal{} : found->second;
}

/// A line for each kind and set of axes. \param over  only collectives over one of these axes; empty: all
inline std::string text(const CollectiveTotals& totals, graph::AxisSet over = {}) {
    std::string result;
    for (const auto& [key, total] : totals) {
        const auto& [kind, axes] = key;
        if (!over.empty() && (axes & over.bits()) == 0) continue;
        result += fmt::format("{} over {}: {} times, {} B\n", graph::name(kind), axes, total.count,
                              total.size.value());
    }
    return result;
}

}  // namespace dse::test
