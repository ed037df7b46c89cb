#include "dse/synth/fold.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "dse/base/error.hpp"
#include "dse/base/seed.hpp"
#include "synth/rank_program.hpp"
#include "synth/repeats.hpp"

namespace dse::synth {
namespace {

namespace chakra = trace::chakra;

/// Nodes with their numbers of executions.
struct CountedNodes {
    std::vector<Node> nodes;
    std::vector<std::int64_t> times;
};

/// Coarseness of sizes when blocks are compared: bins that count as one; 0: sizes are ignored.
constexpr std::array<int, 3> coarseness{1, bins_per_octave, 0};

std::uint64_t symbol_of(const Node& node, int bins) {
    std::uint64_t symbol = mixed(node.label + golden_gamma);
    for (const double volume : node.volumes) {
        const int bin = bins == 0 ? static_cast<int>(volume > 0) : bin_of(volume) / bins;
        symbol = mixed(symbol ^ (static_cast<std::uint64_t>(bin) + golden_gamma));
    }
    return symbol;
}

/// Keeps only representatives, with the forward edges of all nodes that they represent.
CountedNodes folded(const std::vector<Node>& nodes, int bins) {
    std::vector<std::uint64_t> symbols;
    symbols.reserve(nodes.size());
    for (const Node& node : nodes) symbols.push_back(symbol_of(node, bins));
    const Folded fold = fold_repeats(symbols);
    std::vector<std::uint32_t> place(nodes.size());
    CountedNodes result;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        if (fold.times[n] == 0) continue;
        place[n] = static_cast<std::uint32_t>(result.nodes.size());
        result.nodes.push_back({nodes[n].label, nodes[n].volumes, {}});
        result.times.push_back(fold.times[n]);
    }
    std::vector<std::set<std::uint32_t>> parents(result.nodes.size());
    for (std::size_t n = 0; n < nodes.size(); ++n) {
        const std::uint32_t own = place[fold.representative[n]];
        for (const std::uint32_t parent : nodes[n].parents) {
            const std::uint32_t other = place[fold.representative[parent]];
            if (other < own) parents[own].insert(other);
        }
    }
    for (std::size_t n = 0; n < parents.size(); ++n)
        result.nodes[n].parents.assign(parents[n].begin(), parents[n].end());
    return result;
}

/// Merges adjacent kernels with equal numbers of executions until few enough nodes are left.
CountedNodes merged(const CountedNodes& before, const Vocabulary& labels) {
    std::size_t surplus = before.nodes.size() - std::min(before.nodes.size(), most_nodes);
    std::vector<std::uint32_t> place;
    CountedNodes after;
    for (std::size_t n = 0; n < before.nodes.size(); ++n) {
        const Node& node = before.nodes[n];
        const bool joins = surplus > 0 && n > 0 && before.times[n] == before.times[n - 1] &&
                           labels[node.label].kind == Kind::compute &&
                           labels[after.nodes.back().label].kind == Kind::compute;
        if (!joins) {
            after.nodes.push_back({node.label, {}, {}});
            after.times.push_back(before.times[n]);
        } else {
            --surplus;
        }
        place.push_back(static_cast<std::uint32_t>(after.nodes.size() - 1));
        Node& into = after.nodes.back();
        for (std::size_t q = 0; q < quantity_count; ++q) into.volumes[q] += node.volumes[q];
        for (const std::uint32_t parent : node.parents) {
            if (place[parent] < place[n]) into.parents.push_back(place[parent]);
        }
    }
    return after;
}

CountedNodes folded_small(const std::vector<Node>& nodes, const Vocabulary& labels, const std::string& path) {
    CountedNodes result;
    for (const int bins : coarseness) {
        result = folded(nodes, bins);
        if (result.nodes.size() <= most_nodes) return result;
    }
    result = merged(result, labels);
    if (result.nodes.size() > most_nodes)
        throw InputError(
            fmt::format("'{}': {} nodes are left once all repetitions are folded away, and a small "
                        "graph has at most {}",
                        path, result.nodes.size(), most_nodes));
    return result;
}

}  // namespace

void fold_job(const chakra::TraceSet& traces, const chakra::Groups& groups, const JobFacts& facts,
              Corpus& corpus) {
    for (std::uint32_t program = 0; program < traces.programs; ++program) {
        const auto first = std::find(traces.program.begin(), traces.program.end(), program);
        const std::int64_t rank = first - traces.program.begin();
        const chakra::RankTrace& trace = traces.ranks[static_cast<std::size_t>(rank)];
        RankProgram unfolded = program_of(trace, rank, groups, corpus.labels);
        if (unfolded.nodes.empty()) continue;
        CountedNodes counted = folded_small(unfolded.nodes, corpus.labels, trace.path);
        const auto devices = static_cast<std::int64_t>(traces.ranks.size());
        const Conditions conditions{devices, unfolded.near, unfolded.ring, facts.batch, facts.sequence};
        corpus.graphs.push_back(layered(conditions, std::move(counted.nodes), counted.times));
        corpus.names.push_back(fmt::format("{} (rank {})", facts.name, rank));
    }
    if (corpus.graphs.empty()) throw InputError(fmt::format("'{}': has no node of a device", facts.name));
}

}  // namespace dse::synth
