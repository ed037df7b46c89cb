#include "dse/synth/judge/leakage.hpp"

#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "dse/base/seed.hpp"

namespace dse::synth {
namespace {

using Hashes = std::vector<std::uint64_t>;

std::uint64_t with(std::uint64_t hash, std::uint64_t next) {
    return mixed(hash ^ (next + golden_gamma));
}

std::uint64_t with_all(std::uint64_t hash, Hashes& parts) {
    std::sort(parts.begin(), parts.end());
    for (const std::uint64_t part : parts) hash = with(hash, part);
    return with(hash, parts.size());
}

Hashes next_round(const SmallGraph& graph, const Hashes& before) {
    std::vector<Hashes> parents(before.size());
    std::vector<Hashes> children(before.size());
    for (std::size_t n = 0; n < before.size(); ++n) {
        for (const std::uint32_t parent : graph.nodes[n].parents) {
            parents[n].push_back(before[parent]);
            children[parent].push_back(before[n]);
        }
    }
    Hashes after;
    for (std::size_t n = 0; n < before.size(); ++n)
        after.push_back(with_all(with_all(before[n], parents[n]), children[n]));
    return after;
}

Hashes own_colours(const SmallGraph& graph) {
    const std::vector<std::uint32_t> layer = graph.layer_of();
    Hashes colours;
    for (std::size_t n = 0; n < graph.nodes.size(); ++n) {
        std::uint64_t colour = mixed(graph.nodes[n].label + golden_gamma);
        for (const double volume : graph.nodes[n].volumes)
            colour = with(colour, static_cast<std::uint64_t>(bin_of(volume)));
        colours.push_back(with(colour, static_cast<std::uint64_t>(graph.repeats[layer[n]])));
    }
    return colours;
}

std::vector<Colours> colours_of_all(std::span<const SmallGraph> graphs) {
    std::vector<Colours> all;
    for (const SmallGraph& graph : graphs) all.push_back(colours_of(graph));
    return all;
}

/// By graph: its similarity to the most similar of `others`.
std::vector<double> nearest(const std::vector<Colours>& graphs, const std::vector<Colours>& others) {
    std::vector<double> best;
    for (const Colours& graph : graphs) {
        double found = 0.0;
        for (const Colours& other : others) found = std::max(found, similarity(graph, other));
        best.push_back(found);
    }
    return best;
}

double average(const std::vector<double>& values) {
    double sum = 0.0;
    for (const double value : values) sum += value;
    return values.empty() ? 0.0 : sum / static_cast<double>(values.size());
}

/// Probability that one of `higher` is above one of `lower`; ties count half.
double area_under_curve(const std::vector<double>& higher, const std::vector<double>& lower) {
    double sum = 0.0;
    for (const double h : higher) {
        for (const double l : lower) sum += h > l ? 1.0 : h == l ? 0.5 : 0.0;
    }
    return sum / static_cast<double>(higher.size() * lower.size());
}

/// Number of graphs that have each hash.
std::unordered_map<std::uint64_t, std::size_t> graphs_with(const std::vector<Colours>& graphs,
                                                           Hashes Colours::*hashes) {
    std::unordered_map<std::uint64_t, std::size_t> count;
    for (const Colours& graph : graphs) {
        const std::unordered_set<std::uint64_t> distinct((graph.*hashes).begin(), (graph.*hashes).end());
        for (const std::uint64_t hash : distinct) ++count[hash];
    }
    return count;
}

std::size_t times(const std::unordered_map<std::uint64_t, std::size_t>& graphs, std::uint64_t hash) {
    const auto found = graphs.find(hash);
    return found == graphs.end() ? 0 : found->second;
}

void find_exposures(const std::vector<Colours>& training, const std::vector<Colours>& samples,
                    std::size_t known, Leakage& leakage) {
    const auto owners = graphs_with(training, &Colours::neighbourhoods);
    const auto owners_alone = graphs_with(training, &Colours::alone);
    const auto sampled = graphs_with(samples, &Colours::neighbourhoods);
    const auto sampled_alone = graphs_with(samples, &Colours::alone);
    const auto owners_of_kind = graphs_with(training, &Colours::kinds);
    const auto sampled_kinds = graphs_with(samples, &Colours::kinds);
    for (std::size_t g = 0; g < training.size(); ++g) {
        Exposure exposure{g};
        std::unordered_set<std::uint64_t> seen;
        int told = 0;  // how revealing the example is
        for (std::size_t n = 0; n < training[g].neighbourhoods.size(); ++n) {
            const std::uint64_t around = training[g].neighbourhoods[n];
            const bool rare = owners.at(around) == 1;
            if (rare && seen.insert(around).second) {
                ++leakage.rare;
                leakage.reused += sampled.contains(around) ? 1 : 0;
            }
            // An operator that no other graph has identifies its job whatever its size, and the family
            // contains its name even if no sample has it.
            const bool named = owners_of_kind.at(training[g].kinds[n]) == 1 && training[g].kinds[n] < known;
            const bool own_size = owners_alone.at(training[g].alone[n]) == 1;
            const std::size_t secret = named      ? times(sampled_kinds, training[g].kinds[n])
                                       : own_size ? times(sampled_alone, training[g].alone[n])
                                                  : 0;
            const std::size_t reused = rare ? times(sampled, around) : 0;
            const bool exposed = named || secret > 0;
            if (!exposed && reused == 0) continue;
            const int telling = named ? 3 : exposed ? 2 : 1;
            if (telling > told) exposure.example = static_cast<std::uint32_t>(n);
            told = std::max(told, telling);
            ++exposure.nodes;
            exposure.secrets += exposed ? 1 : 0;
            exposure.samples = std::max({exposure.samples, secret, reused});
        }
        if (exposure.nodes > 0) leakage.exposures.push_back(exposure);
    }
    std::stable_sort(leakage.exposures.begin(), leakage.exposures.end(),
                     [](const Exposure& a, const Exposure& b) {
                         return std::pair{a.secrets, a.nodes} > std::pair{b.secrets, b.nodes};
                     });
}

}  // namespace

Colours colours_of(const SmallGraph& graph) {
    Colours colours;
    colours.alone = own_colours(graph);
    for (const Node& node : graph.nodes) colours.kinds.push_back(node.label);
    colours.all = colours.alone;
    Hashes current = colours.alone;
    for (std::size_t round = 0; round < Colours::rounds; ++round) {
        current = next_round(graph, current);
        if (round == 0) colours.neighbourhoods = current;
        colours.all.insert(colours.all.end(), current.begin(), current.end());
    }
    std::sort(colours.all.begin(), colours.all.end());
    return colours;
}

double similarity(const Colours& a, const Colours& b) {
    std::size_t both = 0;
    for (std::size_t i = 0, j = 0; i < a.all.size() && j < b.all.size();) {
        if (a.all[i] == b.all[j]) {
            ++both;
            ++i;
            ++j;
        } else if (a.all[i] < b.all[j]) {
            ++i;
        } else {
            ++j;
        }
    }
    return static_cast<double>(both) / static_cast<double>(a.all.size() + b.all.size() - both);
}

Leakage find_leakage(std::span<const SmallGraph> training, std::span<const SmallGraph> held_back,
                     std::span<const SmallGraph> samples, std::size_t known) {
    const std::vector<Colours> learned = colours_of_all(training);
    const std::vector<Colours> others = colours_of_all(held_back);
    const std::vector<Colours> drawn = colours_of_all(samples);
    Leakage leakage;
    const std::vector<double> of_samples = nearest(drawn, learned);
    leakage.nearest_mean = average(of_samples);
    leakage.copies = static_cast<std::size_t>(std::count(of_samples.begin(), of_samples.end(), 1.0));
    find_exposures(learned, drawn, known, leakage);
    if (!others.empty()) {
        leakage.held_back_nearest_mean = average(nearest(others, learned));
        leakage.membership_auc = area_under_curve(nearest(learned, drawn), nearest(others, drawn));
    }
    return leakage;
}

}  // namespace dse::synth
