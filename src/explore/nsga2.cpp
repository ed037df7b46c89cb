#include "explore/nsga2.hpp"

#include <algorithm>
#include <numeric>

#include "dse/base/check.hpp"
#include "explore/variation.hpp"

namespace dse::explore {

Nsga2::Nsga2(Knowledge& knowledge, std::size_t population) : knowledge_{knowledge}, size_{population} {
    DSE_REQUIRE(population >= 4);
    proposed_ = knowledge.solutions().size();
    learn(knowledge.solutions());
}

std::vector<Genome> Nsga2::propose(std::size_t most) {
    std::vector<Genome> genomes;
    while (genomes.size() < most) {
        auto genome = child();
        if (!genome) break;
        ++proposed_;
        genomes.push_back(std::move(*genome));
    }
    return genomes;
}

std::optional<Genome> Nsga2::child() {
    if (proposed_ >= size_ && population_.size() >= 2) {
        const Genome& a = population_[parent()].genome;
        const Genome& b = population_[parent()].genome;
        if (auto genome = claim_child(knowledge_, a, b)) return genome;
    }
    return knowledge_.claim_any();
}

std::size_t Nsga2::parent() {
    const std::size_t a = knowledge_.random().below(population_.size());
    const std::size_t b = knowledge_.random().below(population_.size());
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
    order.resize(std::min(order.size(), size_));
    population_.clear();
    ranks_.clear();
    for (const std::size_t i : order) {
        population_.push_back(std::move(all[i]));
        ranks_.push_back(ranks[i]);
    }
}

}  // namespace dse::explore
