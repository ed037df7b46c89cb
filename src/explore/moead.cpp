#include "explore/moead.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "explore/variation.hpp"

namespace dse::explore {
namespace {

constexpr std::size_t neighbourhood = 20;
/// Number of problems whose solution a child may replace.
constexpr std::size_t most_replaced = 4;
/// Probability that parents come from the neighbourhood; else from the whole population.
constexpr double local = 0.9;

double squared_distance(const std::vector<double>& a, const std::vector<double>& b) {
    return std::transform_reduce(a.begin(), a.end(), b.begin(), 0.0, std::plus<>{},
                                 [](double x, double y) { return (x - y) * (x - y); });
}

}  // namespace

Moead::Moead(Knowledge& knowledge, std::size_t weights) : PopulationMethod{knowledge, weights, weights} {
    learn(knowledge.solutions());
}

std::optional<Genome> Moead::child() {
    if (problems_.empty()) return std::nullopt;
    Random& random = knowledge().random();
    const Problem& problem = problems_[turn_++ % problems_.size()];
    const bool near = random.chance(local);
    const auto parent = [&]() -> const Genome& {
        const std::size_t pick = random.below(near ? problem.near.size() : problems_.size());
        return problems_[near ? problem.near[pick] : pick].best.genome;
    };
    const Genome& a = parent();
    const Genome& b = parent();
    return claim_child(knowledge(), a, b);
}

void Moead::learn(std::span<const Solution> solutions) {
    if (solutions.empty()) return;
    if (problems_.empty()) {
        const std::size_t objectives = solutions.front().costs.size();
        problems_.resize(size());
        for (Problem& problem : problems_) problem.weight.resize(objectives);
        make_weights();
        make_neighbourhoods();
        for (Problem& problem : problems_) problem.best = solutions.front();
    }
    scale_to_front();
    for (const Solution& solution : solutions) place(solution);
}

/// The corners, with one objective each, then uniform draws from the simplex between them.
void Moead::make_weights() {
    Random& random = knowledge().random();
    for (std::size_t i = 0; i < problems_.size(); ++i) {
        std::vector<double>& weight = problems_[i].weight;
        const bool corner = i < weight.size();
        for (std::size_t k = 0; k < weight.size(); ++k)
            weight[k] = corner ? (i == k ? 1.0 : 0.0) : -std::log1p(-random.unit());
        const double sum = std::accumulate(weight.begin(), weight.end(), 0.0);
        constexpr double least = 1e-3;  // an objective with zero weight would not be minimised
        for (double& w : weight) w = std::max(w / sum, least);
    }
}

void Moead::make_neighbourhoods() {
    for (Problem& problem : problems_) {
        problem.near.resize(problems_.size());
        std::iota(problem.near.begin(), problem.near.end(), std::size_t{0});
        std::stable_sort(problem.near.begin(), problem.near.end(), [&](std::size_t a, std::size_t b) {
            return squared_distance(problem.weight, problems_[a].weight) <
                   squared_distance(problem.weight, problems_[b].weight);
        });
        problem.near.resize(std::min(problem.near.size(), neighbourhood));
    }
}

void Moead::place(const Solution& solution) {
    std::size_t left = most_replaced;
    for (const std::size_t i : problem_for(solution).near) {
        if (!suits_better(problems_[i], solution, problems_[i].best)) continue;
        problems_[i].best = solution;
        if (--left == 0) break;
    }
}

/// An infeasible solution suits no problem better than another.
const Moead::Problem& Moead::problem_for(const Solution& solution) {
    if (!solution.is_feasible()) return problems_[knowledge().random().below(problems_.size())];
    return *std::min_element(problems_.begin(), problems_.end(), [&](const Problem& a, const Problem& b) {
        return distance(a, solution) < distance(b, solution);
    });
}

bool Moead::suits_better(const Problem& problem, const Solution& one, const Solution& other) const {
    if (!one.is_feasible() || !other.is_feasible()) return one.violation < other.violation;
    return distance(problem, one) < distance(problem, other);
}

double Moead::distance(const Problem& problem, const Solution& solution) const {
    double largest = 0.0;
    for (std::size_t k = 0; k < ideal_.size(); ++k)
        largest = std::max(largest, problem.weight[k] * (solution.costs[k] - ideal_[k]) / range_[k]);
    return largest;
}

void Moead::scale_to_front() {
    const std::vector<Solution>& front = knowledge().best().members();
    if (front.empty()) return;
    ideal_ = front.front().costs;
    std::vector<double> worst = ideal_;
    for (const Solution& solution : front) {
        for (std::size_t k = 0; k < ideal_.size(); ++k) {
            ideal_[k] = std::min(ideal_[k], solution.costs[k]);
            worst[k] = std::max(worst[k], solution.costs[k]);
        }
    }
    range_.resize(ideal_.size());
    for (std::size_t k = 0; k < ideal_.size(); ++k)
        range_[k] = worst[k] > ideal_[k] ? worst[k] - ideal_[k] : 1.0;
}

}  // namespace dse::explore
