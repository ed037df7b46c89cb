#include "explore/nsga2.hpp"

#include <algorithm>
#include <numeric>

#include "explore/variation.hpp"

namespace dse::explore {

namespace {

/// Number of points drawn before the first children. More of them would be wasted if few points of a space
/// are feasible, and mutation finds what is missing.
constexpr std::size_t most_drawn = 30;

/// Tournament size. With two, as in Deb et al., the search needs twice as many points for a front of 15
/// points in 200,000, and comes less close to the fronts of the literature (docs/search.md).
constexpr int tournament = 8;

}  // namespace

Nsga2::Nsga2(Knowledge& knowledge, std::size_t population)
    : PopulationMethod{knowledge, population, std::min(population, most_drawn)} {
    learn(knowledge.solutions());
}

std::optional<Genome> Nsga2::child() {
    if (population_.size() < 2) return std::nullopt;
    const Genome& a = population_[parent()].genome;
    const Genome& b = population_[parent()].genome;
    return claim_child(knowledge(), a, b);
}

std::size_t Nsga2::parent() {
    Random& random = knowledge().random();
    std::size_t best = random.below(population_.size());
    for (int i = 1; i < tournament; ++i) {
        const std::size_t other = random.below(population_.size());
        if (ranks_[other].precedes(ranks_[best])) best = other;
    }
    return best;
}

void Nsga2::learn(std::span<const Solution> solutions) {
    std::vector<Solution> all = std::move(population_);
    all.insert(all.end(), solutions.begin(), solutions.end());
    const std::vector<Rank> ranks = ranks_of(all);
    std::vector<std::size_t> order(all.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return ranks[a].precedes(ranks[b]); });
    order.resize(std::min(order.size(), size()));
    population_.clear();
    ranks_.clear();
    for (const std::size_t i : order) {
        population_.push_back(std::move(all[i]));
        ranks_.push_back(ranks[i]);
    }
}

}  // namespace dse::explore
