#include "explore/nsga2.hpp"

#include <algorithm>
#include <numeric>

#include "explore/variation.hpp"

namespace dse::explore {

Nsga2::Nsga2(Knowledge& knowledge, std::size_t population) : PopulationMethod{knowledge, population} {
    learn(knowledge.solutions());
}

std::optional<Genome> Nsga2::child() {
    if (population_.size() < 2) return std::nullopt;
    const Genome& a = population_[parent()].genome;
    const Genome& b = population_[parent()].genome;
    return claim_child(knowledge(), a, b);
}

std::size_t Nsga2::parent() {
    const std::size_t a = knowledge().random().below(population_.size());
    const std::size_t b = knowledge().random().below(population_.size());
    return ranks_[b].precedes(ranks_[a]) ? b : a;
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
